# SPDX-License-Identifier: LGPL-2.1-or-later

== out of one history, into another
$ printf one | cliphist store; printf 'two\n\377' | cliphist store; head -c 100000 /dev/zero | cliphist store
$ cliphist pin 1
$ cliphist export history.tar; stat -c %a history.tar; ls -d history.tar*
> 600
> history.tar
$ cliphist -db-path other import history.tar
! 3 entries were added
$ cliphist -db-path other decode 3 | cksum
> 1260869142 100000
$ cliphist -db-path other list | tail -n 1
> 1	one
$ cliphist -db-path other import --json <history.tar
> {"added":0,"known":3,"skipped":0,"tags_left":0}
$ cliphist -db-path other export --pinned - | cliphist -db-path third import
! 1 entry was added
$ cliphist -db-path third list
> 1	one

== tar reads it, and what tar packs is read
$ printf one | cliphist store; head -c 100000 /dev/zero | cliphist store; printf two | cliphist store
$ cliphist export | tar -tf -
> cliphist-export/0000000000.json
> cliphist-export/0000000001.jsonl
> cliphist-export/0000000002.bin
> cliphist-export/0000000003.jsonl
$ cliphist export | tar -xf - && tar --sort=name -cf again.tar ./cliphist-export
$ cliphist -db-path other import again.tar
! 3 entries were added
$ tar --sort=name --format=gnu -cf again.tar "$PWD/cliphist-export" 2>/dev/null
$ cliphist -db-path other import again.tar
! 0 entries were added
! 3 entries were there already
$ cliphist export | gzip | gzip -dc | cliphist -db-path third import --json
> {"added":3,"known":0,"skipped":0,"tags_left":0}

== packed in another order
$ printf one | cliphist store; head -c 100000 /dev/zero | cliphist store; cliphist export | tar -xf -
$ ls -r cliphist-export/* | tar -cf again.tar -T -; cliphist -db-path other import again.tar
! archive, at byte 0, member '0000000002.bin': an archive is packed in the order of its names (tar --sort=name)
? 1
$ (cd cliphist-export; tar -cf ../again.tar *.json *.bin *.jsonl); cliphist -db-path other import again.tar
!~ archive, .*, member '0000000002.bin': no line before it .*
? 1
$ cliphist -db-path other import .
!~ .+
? 1

== over the history itself, or into its folder
$ printf one | cliphist store; ln -s "$XDG_STATE_HOME/cliphist" link; ln -s link/history.db name; mkdir link/inner link-more
$ for f in "$XDG_STATE_HOME/cliphist/history.db" link/new.tar link/../cliphist/new.tar link/inner/new.tar name "$XDG_CACHE_HOME/cliphist/db"; do cliphist export "$f" && echo written; done 2>&1 | sed "s,'.*',FILE," | sort | uniq -c
>       6 write FILE: that is a file of the history, or in its folder; name another place
$ cliphist list; ls -R link/ | grep -c tar
> 1	one
> 0
? 1
$ cliphist export link-more/new.tar; ls link-more
> new.tar

== into a pipe with a name, which waits for its reader
$ printf one | cliphist store; mkfifo pipe; { cliphist export pipe; } & cat pipe | cliphist -db-path other import; wait $!; stat -c %F pipe
! 1 entry was added
> fifo

== a file without a name
$ printf one | cliphist store; cliphist export ''
! export: the name of FILE is empty
! see cliphist export --help
? 2
$ cliphist import ''
! import: the name of FILE is empty
! see cliphist import --help
? 2

== a symbolic link stays, and leads to what is written
$ printf one | cliphist store; mkdir far; echo old >far/history.tar; ln -s far/history.tar link.tar
$ cliphist export link.tar; readlink link.tar; ls far; cliphist -db-path other import far/history.tar
> far/history.tar
> history.tar
! 1 entry was added
$ ln -s nowhere dangling.tar; cliphist export dangling.tar
! write 'dangling.tar': No such file or directory
? 1
$ readlink dangling.tar; ls nowhere* 2>/dev/null
> nowhere
? 2

== some of them
$ printf one | cliphist store; printf two | cliphist store; printf three | cliphist store
$ cliphist export - 3 1 | tar -xOf - | grep -c '^{"id"'
> 2
$ echo precious >kept.tar; cliphist export kept.tar 3 99 1; echo $?; cat kept.tar
! id 99 not found
> 1
> precious
$ cliphist export --since 1h | tar -xOf - | grep -c '^{"id"'
> 3
$ cliphist export --since 2100-01-01 | tar -xOf - | grep -c '^{"id"'
> 0
? 1
$ cliphist export --since tomorrow
! export: --since is like 2h, 3d, today, 09:00 or 2025-12-31, not 'tomorrow'
! see cliphist export --help
? 2
$ cliphist export - one
! export: 'one' is not an id
! see cliphist export --help
? 2

== what is wrong is named, and what came before stays
$ for i in 1 2 3 4 5; do echo $i | cliphist store; done; head -c 100000 /dev/zero | cliphist store
$ cliphist export | head -c 5000 | cliphist -db-path other import
!~ 5 were added before: archive, at byte [0-9]+, member '0000000002.bin': move content: it ends after [0-9]+ of 100000 bytes
? 1
$ cliphist -db-path other list | wc -l
> 5
$ cliphist export | cliphist -db-path other import
! 1 entry was added
! 5 entries were there already
$ echo no archive | cliphist -db-path other import
! archive, at byte 0: it is too short to be an archive
? 1
$ cliphist export | gzip | cliphist -db-path other import
! archive, at byte 0: it is packed by gzip: unpack it first
? 1
$ cliphist -db-path other import nothing.tar
! open 'nothing.tar': No such file or directory
? 1
$ cliphist import one.tar two.tar
! import: unexpected word 'two.tar'
! see cliphist import --help
? 2

== not to a terminal, not from one, and a file is whole or not there
$ cliphist export nothing.tar
! opening db: please store something first
? 1
$ ls -d nothing.tar* 2>/dev/null
? 2
$ printf one | cliphist store
$ script -qec 'cliphist export' /dev/null </dev/null
> export: standard output is a terminal: give a FILE, or send it elsewhere\r
>...
? 2
$ script -qec 'cliphist import' /dev/null </dev/null
> import: standard input is a terminal: give a FILE\r
>...
? 2
$ cliphist export missing/history.tar
! write 'missing/history.tar': No such file or directory
? 1
$ cliphist export /dev/full
! write '/dev/full': No space left on device
? 1
$ cliphist export /dev/null

== a tag that an entry has which was there before stays with it
$ printf mine | cliphist store; cliphist tag 1 sig; printf theirs | cliphist -db-path other store; cliphist -db-path other tag 1 sig work
$ cliphist -db-path other export | cliphist import
! 1 entry was added
! 1 tag was left out: other entries had it before
$ cliphist search --tag sig; cliphist tags
> 1	mine
> sig	1
> work	1

== what is not to be kept stays out, by a flag as well
$ printf foobar | cliphist store; printf barfoo | cliphist store; cliphist export >all.tar
$ cliphist -db-path other -ignore-pattern '^foo' import <all.tar
! 1 entry was added
! 1 entry was left out: secret, ignored, expired or empty
$ cliphist -db-path other list
> 2	barfoo
$ cliphist -db-path third -ignore-pattern '(' import <all.tar
!~ .+
? 1
$ cliphist -db-path third list
! opening db: please store something first
? 1
