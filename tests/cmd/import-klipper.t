# SPDX-License-Identifier: LGPL-2.1-or-later
# Klipper since Plasma 6.3: a database, and a folder of files.

== texts, an image, files; stars, times
$ printf '\211PNG\r\n\032\n\0\0\0\rIHDR\0\0\0\12\0\0\0\24\10\2\0\0\0;\214;\1' >picture
$ python3 "$TESTS/make-klipper.py" klipper 'one ünï 😀@1600000000.5' 'image/png=picture@1600000002' 'text/plain=two,text/html=<b>two</b>@1600000001*' 'text/uri-list=file:///a,text/plain=/a@1600000003' "$(head -c 70000 /dev/zero | tr '\0' x)@1600000004"
$ python3 "$TESTS/qtfile.py" klipper klipper/history2.lst 'moved over by Klipper itself'; cliphist import klipper; ls klipper
! this is a history of Klipper
! 5 entries were added
> data
> history2.lst
> history3.sqlite
$ cliphist -preview-width 20 list; cliphist decode 3 | cmp - picture; cliphist types 2; cliphist decode 5 | wc -c
> 5\txxxxxxxxxxxxxxxxxxxx…
> 4\tfile:///a
> 3\t[[ binary data 33 B png 10x20 ]]
> 2\ttwo
> 1\tone ünï 😀
> text/plain;charset=utf-8
> text/html
> 70000
$ cliphist export | tar -xOf - | grep -o '"last":[0-9]*' | head -n 2
> "last":1600000000500000
> "last":1600000001000000
$ cliphist import klipper/history3.sqlite; cliphist wipe; cliphist list
! this is a history of Klipper
! 0 entries were added
! 5 entries were there already
> 2\ttwo

== with changes in its log
$ python3 "$TESTS/make-klipper.py" --log klipper one@1600000000 && ls klipper/*-wal && cliphist import klipper
> klipper/history3.sqlite-wal
! this is a history of Klipper
! 1 entry was added

== what is missing, secret or no name of a file
$ printf '\211PNG\r\n\032\n\0\0\0\rIHDR\0\0\0\12\0\0\0\24\10\2\0\0\0;\214;\1' >picture; python3 "$TESTS/make-klipper.py" klipper one@1600000000 image/png=picture@1600000001 'text/plain=hush,x-kde-passwordManagerHint=secret@1600000002'; find klipper/data -type f -size -4c -delete; find klipper/data -type f -size 33c -delete; cliphist import klipper; cliphist list
! this is a history of Klipper
! 1 entry was added
! 1 entry was left out: secret, ignored, expired or empty
! 1 entry was left out: its file is missing
> 1\tone
$ python3 -c 'import sqlite3; db = sqlite3.connect("klipper/history3.sqlite"); db.execute("update aux set data_uuid = \"../../../picture\""); db.execute("update main set uuid = \"../x\" where text = \"hush\""); db.commit()'; cliphist -db-path other import klipper
! this is a history of Klipper
! 0 entries were added
! 3 entries were left out: their files are missing

== an empty mark of a secret
$ python3 "$TESTS/make-klipper.py" klipper one@1600000000 'text/plain=hush,org.nspasteboard.ConcealedType=@1600000001'; cliphist import klipper; cliphist list
! this is a history of Klipper
! 1 entry was added
! 1 entry was left out: secret, ignored, expired or empty
> 1\tone

== another database, and a damaged one
$ python3 -c 'import sqlite3; db = sqlite3.connect("history3.sqlite"); db.execute("create table main (uuid)"); db.execute("create view aux as select 1"); db.commit()'; cliphist import --from klipper history3.sqlite
!~ Klipper, at byte [0-9]+: .*
? 1
$ python3 -c 'import sqlite3; db = sqlite3.connect("computed.sqlite"); db.execute("create table main (uuid, added_time, last_used_time, starred, text as (hex(zeroblob(9))))"); db.execute("create table aux (uuid, mimetype, data_uuid)"); db.commit()'; cliphist import --from klipper computed.sqlite
!~ Klipper, at byte [0-9]+: .*
? 1
$ python3 "$TESTS/make-klipper.py" klipper $(seq 1 400 | sed 's/.*/text-that-is-so-long-that-some-pages-are-needed-&@1600000000/'); dd if=/dev/urandom of=klipper/history3.sqlite bs=4096 seek=4 count=8 conv=notrunc 2>/dev/null; cliphist import klipper
! this is a history of Klipper
!~ ([0-9]+ were added before: )?Klipper, after [0-9]+ rows: database disk image is malformed
? 1
