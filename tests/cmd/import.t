# SPDX-License-Identifier: LGPL-2.1-or-later
# The history of another program, by its path: what holds for all of them, and a database of the existing tool.

== a database of the existing tool, ids and all
$ head -c 100000 /dev/zero >zeros; make-bolt old 3=three 7=@zeros 9='nine  lines'; cp old before
$ cliphist import old
! this is a history of sentriz/cliphist
! 3 entries were added
$ cmp old before; cliphist list
> 9\tnine lines
> 7\t…
> 3\tthree
$ cliphist decode 9; cliphist decode 7 | cmp - zeros
>| nine  lines
$ cliphist import old
! this is a history of sentriz/cliphist
! 0 entries were added
! 3 entries were there already
$ cliphist import --json old
> {"added":0,"known":3,"skipped":0,"tags_left":0,"incomplete":0,"from":"sentriz"}

== an image that is none is listed as it was, also after an export
$ printf '\211PNG\r\n\032\n broken, more than any header' >broken; make-bolt old 1=@broken
$ cliphist import old; cliphist list | cut -f2 >listed; cat listed
! this is a history of sentriz/cliphist
! 1 entry was added
>~ .*PNG . broken, more than any header
$ cliphist types 1
> image/png
$ cliphist export all.tar; cliphist wipe; cliphist import all.tar; cliphist list | cut -f2 | cmp - listed
! 1 entry was added
$ cliphist -db-path other store <broken; cliphist -db-path other list | cut -f2 | cmp - listed
$ cliphist wipe; cliphist -db-path other export | cliphist import; cliphist list | cut -f2 | cmp - listed
! 1 entry was added
$ cliphist wipe; CLIPBOARD_TYPE=image/png cliphist store <broken; cliphist list
>~ [0-9]+\t\[\[ binary data 37 B png \]\]
$ cliphist export all.tar; cliphist wipe; cliphist import all.tar; cliphist list
! 1 entry was added
>~ [0-9]+\t\[\[ binary data 37 B png \]\]

== its folder will do, too
$ mkdir -p cliphist; make-bolt cliphist/db 1=one; echo other >cliphist/other; cliphist import cliphist
! this is a history of sentriz/cliphist
! 1 entry was added

== into a history with entries: new ids, in the same order
$ printf a | cliphist store; make-bolt old 3=three 7=seven; cliphist import old
! this is a history of sentriz/cliphist
! 2 entries were added
$ cliphist list
> 3\tseven
> 2\tthree
> 1\ta

== no limit takes anything for it; that the next copy will is told
$ printf a | cliphist store; make-bolt old 3=three 7=seven; cliphist -max-items 1 import old
! this is a history of sentriz/cliphist
! 2 entries were added
! 2 entries more than max-items allows: with the next copy the oldest go
$ cliphist -max-items 3 import old
! this is a history of sentriz/cliphist
! 0 entries were added
! 2 entries were there already

== nor does the next copy where that would be more than a tenth
$ mkdir -p "$XDG_CONFIG_HOME/cliphist"; echo max-items 1 >"$XDG_CONFIG_HOME/cliphist/config"; make-bolt old 3=three 7=seven; cliphist import old
! this is a history of sentriz/cliphist
! 2 entries were added
! more than max-items allows: see “cliphist trim --dry-run”
$ printf next | cliphist store; cliphist list | wc -l
> 3

== the one in its own place is taken over, and then there is nothing to add
$ make-bolt mine 3=three 7=seven; cliphist -db-path mine import mine
! this is a history of sentriz/cliphist
! 0 entries were added
! 2 entries were there already
$ cliphist -db-path mine list; ls mine.sentriz
> 7\tseven
> 3\tthree
> mine.sentriz

== what is wrong is named
$ make-bolt old 1=a 2=b; printf '\377\377' | dd of=old bs=1 seek=12298 conv=notrunc 2>/dev/null; cliphist import old
! this is a history of sentriz/cliphist
! sentriz/cliphist, damaged at page 3: more elements than it has room for
? 1
$ echo x >text; cliphist import --from sentriz text
! sentriz/cliphist, damaged at page 0: neither description of the file is whole
? 1
$ echo no history >text; cliphist import text
! archive, at byte 0: it is too short to be an archive
? 1
$ head -c 2000 /dev/zero | tr '\0' x >picture; cliphist import picture
! 'picture' holds no history that can be imported; those of cliphist, sentriz, gpaste, klipper, copyq, clipse, ringboard can
? 1
$ head -c 2000 /dev/urandom | gzip >packed; cliphist import packed
! archive, at byte 0: it is packed by gzip: unpack it first
? 1
$ cliphist import missing
! open 'missing': No such file or directory
? 1
$ cliphist import --from gpaste missing
! open 'missing': No such file or directory
? 1
$ mkdir empty; cliphist import empty
! 'empty' holds no history that can be imported; those of cliphist, sentriz, gpaste, klipper, copyq, clipse, ringboard can
? 1
$ mkfifo fifo; cliphist import --from gpaste fifo
! open 'fifo': Invalid argument
? 1
$ cliphist import --from nobody text
! import: --from is one of cliphist, sentriz, gpaste, klipper, copyq, clipse, ringboard
! see cliphist import --help
? 2
$ echo x | cliphist import --from nobody
! import: --from is one of cliphist, sentriz, gpaste, klipper, copyq, clipse, ringboard
! see cliphist import --help
? 2
$ echo x | cliphist import --from sentriz -
! sentriz/cliphist, damaged at page 0: neither description of the file is whole
? 1

== another program's history on standard input, of which no file stays
$ make-bolt old 3=a 5=bcd; cat old | cliphist import --from sentriz; cliphist list; ls -A "$XDG_RUNTIME_DIR" | grep scratch
! 2 entries were added
> 5\tbcd
> 3\ta
? 1
$ echo '{"clipboardHistory":[{"value":"second","filePath":"null"},{"value":"📷 p.png","filePath":"/p.png"},{"value":"first","filePath":"null"}]}' | cliphist import --from clipse -
! 2 entries were added
! 1 entry was left out: its file is missing
$ cliphist list --limit 2; cliphist import --from=sentriz <old
> 7\tsecond
> 6\tfirst
! 0 entries were added
! 2 entries were there already

== a signal leaves nothing of it
$ mkfifo fifo; exec 3<>fifo; printf secret >fifo; { cliphist import --from clipse <fifo; } & until grep -qs secret "$XDG_RUNTIME_DIR"/cliphist-scratch-*/history; do :; done; kill -TERM $!; { wait $!; } 2>/dev/null
? 143
$ ls -A "$XDG_RUNTIME_DIR" | grep scratch
? 1

== an archive of ours is one, whatever else it might be
$ printf a | cliphist store; cliphist export history.tar; cliphist -db-path other import --from cliphist history.tar
! 1 entry was added
$ make-bolt old 1=a; cliphist import --from cliphist old
!~ archive, at byte [0-9]+: .*
? 1
