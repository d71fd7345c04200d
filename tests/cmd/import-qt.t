# SPDX-License-Identifier: LGPL-2.1-or-later
# What programs of Qt write: Klipper's list before Plasma 6.3, CopyQ's tabs and exports.

== Klipper: texts, files, an image, the newest first
$ printf '\211PNG\r\n\032\n\0\0\0\rIHDR\0\0\0\12\0\0\0\24\10\2\0\0\0;\214;\1\0\0\0\0IEND\0\0\0\0' >picture
$ python3 "$TESTS/qtfile.py" klipper history2.lst 'one ünï 😀' 'text/uri-list=file:///tmp/a%20b' image/png=@picture 'four'; cliphist import history2.lst; cliphist list
! this is a history of Klipper
! 4 entries were added
> 4\tfour
> 3\t[[ binary data 45 B png 10x20 ]]
> 2\tfile:///tmp/a%20b
> 1\tone ünï 😀
$ cliphist decode 3 | cmp - picture; cliphist decode 2; cliphist types 2; cliphist paste --type application/x-kde-cutselection 2
> file:///tmp/a%20b\r
> text/uri-list
> application/x-kde-cutselection
>| 1
$ cliphist import .
! this is a history of Klipper
! 0 entries were added
! 4 entries were there already

== Klipper: what is cut off is named, what was changed is not believed
$ python3 "$TESTS/qtfile.py" klipper whole one two three; head -c 55 whole >cut; cliphist import cut
! this is a history of Klipper
! 1 were added before: Klipper, at byte 53: it breaks off
? 1
$ cliphist import whole; cliphist list | cut -f 2
! this is a history of Klipper
! 2 entries were added
! 1 entry was there already
> two
> one
> three
$ printf X | dd of=whole bs=1 seek=40 conv=notrunc 2>/dev/null; cliphist import whole
! this is a history of Klipper
! Klipper, at byte 0: its checksum is not that of its bytes
? 1

== CopyQ: a tab, with tags, a note and a pin
$ head -c 100000 /dev/urandom >random; python3 "$TESTS/qtfile.py" copyq-tab copyq_tab_V29yaw==.dat one 'image/png=@random' 'two+text/html=<i>two</i>+application/x-copyq-tags=work, mine+application/x-copyq-item-notes=a note' 'three+application/x-copyq-item-pinned=' 'four+x-kde-passwordManagerHint=secret' 'five+application/x-copyq-secret=1' 'six+application/x-copyq-color=red' 'seven+org.nspasteboard.ConcealedType='
$ cliphist import copyq_tab_V29yaw==.dat; cliphist list
! this is a history of CopyQ
! 5 entries were added
! 3 entries were left out: secret, ignored, expired or empty
> 5\tsix
> 4\tthree
> 3\ttwo
> 2\t[[ binary data 98 KiB png ]]
> 1\tone
$ cliphist decode 2 | cmp - random; cliphist types 3; cliphist paste --type application/x-copyq-item-notes 3; echo; cliphist types 5
> text/plain;charset=utf-8
> text/html
> application/x-copyq-item-notes
> a note
> text/plain;charset=utf-8
$ cliphist search --tag mine two | cut -f 1; cliphist search --tag Work one | cut -f 1; cliphist wipe; cliphist list
> 3
> 1
> 4\tthree

== CopyQ: tags and names of tabs of some words are one word
$ python3 "$TESTS/qtfile.py" copyq-tab copyq_tab_TXkgVGFi.dat 'one+application/x-copyq-tags=a b, c'; cliphist import copyq_tab_TXkgVGFi.dat; cliphist tags
! this is a history of CopyQ
! 1 entry was added
> My-Tab\t1
> a-b\t1
> c\t1

== CopyQ: contents that lie in files of their own
$ name=0123456789abcdef/0123456789abcdef/0123456789abcdef/0123456789abcdef.dat; mkdir -p "items/${name%/*}"; head -c 100000 /dev/urandom >"items/$name"; python3 "$TESTS/qtfile.py" copyq-tab copyq_tab_JmNsaXBib2FyZA==.dat "FILE:text/plain=/home/me/items/$name" 'FILE:text/plain=/etc/passwd' "one+FILE:image/png=/gone/${name%/*}/fedcba9876543210.dat" two; cliphist import .; cliphist list | cut -f 1
! this is a history of CopyQ
! 2 entries were added
! 2 entries were left out: their files are missing
> 2
> 1
$ cliphist decode 1 | cmp - items/0123456789abcdef/0123456789abcdef/0123456789abcdef/0123456789abcdef.dat

== CopyQ: exports of every version
$ for kind in copyq-2 copyq-3 copyq-4; do python3 "$TESTS/qtfile.py" $kind all.cpq one 'two+text/html=<i>two</i>'; cliphist -db-path $kind import all.cpq; cliphist -db-path $kind list; cliphist -db-path $kind search --tag Work one; cliphist -db-path $kind types 2; done
! this is a history of CopyQ
! 2 entries were added
! this is a history of CopyQ
! 2 entries were added
! this is a history of CopyQ
! 2 entries were added
> 2\ttwo
> 1\tone
> text/plain;charset=utf-8
> text/html
> 2\ttwo
> 1\tone
> 1\tone
> text/plain;charset=utf-8
> text/html
> 2\ttwo
> 1\tone
> 1\tone
> text/plain;charset=utf-8
> text/html
$ python3 "$TESTS/qtfile.py" packed copyq-4 all.cpq one 'two+text/html=<i>two</i>'; cliphist -db-path copyq-4 import all.cpq
! this is a history of CopyQ
! 0 entries were added
! 2 entries were there already

== CopyQ: what is wrong is named, what stands before that is there
$ python3 "$TESTS/qtfile.py" copyq-tab whole one two three; head -c 81 whole >cut; cliphist import cut
! this is a history of CopyQ
! 2 were added before: CopyQ, at byte 74: it announces more than the file holds
? 1
$ cliphist list
> 2\tthree
> 1\ttwo
$ python3 "$TESTS/qtfile.py" packed copyq-tab bad one; printf '\177\377' | dd of=bad bs=1 seek=34 conv=notrunc 2>/dev/null; cliphist import bad
! this is a history of CopyQ
!~ CopyQ, at byte [0-9]+: what is compressed cannot be read
? 1
$ printf '\0\0\0\1\377\377\377\375\0\0\0\0' >bad; cliphist import bad
! this is a history of CopyQ
! CopyQ, at byte 4: it is encrypted: decrypt it in CopyQ first
? 1
$ printf '\0\0\0\10CopyQ v5' >bad; cliphist import bad
! this is a history of CopyQ
! CopyQ, at byte 0: it is encrypted: decrypt it in CopyQ first
? 1
$ { printf '\0\0\0\46'; printf 'CopyQ_encrypted_tab' | iconv -t UTF-16BE; printf '\0\0\0\1'; } >bad; cliphist import bad
! this is a history of CopyQ
! CopyQ, at byte 0: it is encrypted: decrypt it in CopyQ first
? 1
