# SPDX-License-Identifier: LGPL-2.1-or-later
# What is found in a history, and what the exit status says of it.

== a history that is whole
$ cliphist doctor
>~ checked: pages 0, entries 0, .*: nothing is wrong
$ printf 'a text' | cliphist store; head -c 100000 /dev/zero | tr '\0' x | cliphist store
$ cliphist doctor
>~ checked: pages [0-9]+, entries 2, further contents 0, files 1 \(98 KiB\): nothing is wrong
$ cliphist doctor --json
>~ \{"ok":true,"pages":[0-9]+,"entries":2,"contents":0,"blobs":1,"bytes":100000,"aside":"","set_aside":0,"disk":\{"low":(true|false),"min_free":[0-9]+\},"configuration":\[\]\}
$ cliphist -min-free-space 900TiB doctor | grep '^disk'
>~ disk      almost full, .* are left and min-free-space is 900TiB: a small copy takes the place of old entries that are not pinned, a large one is not kept; make room, or see “cliphist trim --dry-run”
$ cliphist doctor now
!~ .+
!~ .+
? 2

== a damaged blob
$ head -c 100000 /dev/zero | tr '\0' y | cliphist store
$ blob=$(ls "$XDG_STATE_HOME"/cliphist/blobs/*/*); chmod 600 "$blob"; printf z | dd of="$blob" bs=1 seek=500 conv=notrunc status=none; chmod 400 "$blob"
$ cliphist doctor
>~ blob-damaged: id 1: blobs/../.*: the file has other bytes; the content is not served any more; .*
>~ checked: .*: something is wrong
? 1
$ cliphist doctor --json
>~ \{"kind":"blob-damaged","id":1,"position":0,"object":"blobs/.*","repaired":false\}
>~ \{"ok":false,.*\}
? 1
$ cliphist decode 1
!~ .*the file has other bytes
? 1

$ cliphist doctor --repair 2>/dev/null
>~ blob-damaged: id 1: blobs/../.*: the file has other bytes; .*; repaired: .*
>~ checked: .*: nothing is wrong
>~ set aside in /.*/cliphist/damaged/.*
$ cliphist list
$ cat "$XDG_STATE_HOME"/cliphist/damaged/*/1.0 | wc -c
> 100000
$ cliphist doctor
>~ checked: .*: nothing is wrong
>~ set aside 98 KiB in /.*/cliphist/damaged, where deleted entries may still be; “cliphist wipe” removes it
>~   [0-9]{8}-[0-9]{6}: 1\.0 \(98 KiB\)
$ cliphist doctor --json | grep -o '"set_aside":[0-9]*'
> "set_aside":100000
$ cliphist status | grep '^set aside'
>~ set aside 98 KiB in /.*/cliphist/damaged, where .*
$ cliphist status --json | grep -o '"set_aside":[0-9]*'
> "set_aside":100000
$ cliphist wipe; ls "$XDG_STATE_HOME"/cliphist/damaged
!~ ls: .*damaged.*
? 2
$ cliphist status | grep -c '^set aside'
> 0
? 1

== a damaged database
$ mkdir x.d; head -c 8192 /dev/zero | tr '\0' z >x.d/history.db; chmod 700 x.d; chmod 600 x.d/history.db
$ cliphist -db-path "$PWD/x" doctor
>~ database: history.db: .*; some entries may be lost; .*
>~ checked: .*: something is wrong
? 1
$ cliphist -db-path "$PWD/x" list
!~ .*
? 1

== a database that no daemon starts with
$ (printf '{"clipboardHistory":['; for i in $(seq 60); do printf '{"value":"%0200d","recorded":"2024-05-06 07:08:09","filePath":"null"},' $i; done; printf '{"value":"last","recorded":"2024-05-06 07:08:07","filePath":"null"}]}') >clipboard_history.json
$ cliphist -db-path "$PWD/w" import clipboard_history.json 2>/dev/null; cliphist -db-path "$PWD/w" list | wc -l
> 61
# the daemon of the import carries its log before it ends
$ until [ ! -s w.d/history.db-wal ]; do :; done; dd if=/dev/zero of=w.d/history.db bs=4096 seek=8 count=1 conv=notrunc status=none
$ echo new | cliphist -db-path "$PWD/w" store
!~ cliphistd: .*; 'cliphist doctor --repair' saves what can be read of it
? 1
$ cliphist -db-path "$PWD/w" doctor --repair 2>/dev/null | grep -v '^database: .*; repaired: '
>~ checked: .* entries 61, .*: nothing is wrong
>~ set aside in /.*/w.d/damaged/.*
$ echo new | cliphist -db-path "$PWD/w" store; cliphist -db-path "$PWD/w" list | wc -l
> 62

== a database that is gone
$ head -c 100000 /dev/zero | cliphist -db-path "$PWD/y" store; rm y.d/history.db*
$ cliphist -db-path "$PWD/y" doctor
>~ database-gone: history.db: it is missing or empty; 1 files of contents are left; the entries are lost; .*
>~ checked: .*: something is wrong
? 1
$ cliphist -db-path "$PWD/y" doctor --repair 2>/dev/null
>~ database-gone: history.db: .*; repaired: .*
>~ checked: .*: nothing is wrong
>~ set aside in /.*/y.d/damaged/.*
$ cat y.d/damaged/*/blobs-* | wc -c
> 100000
$ cliphist -db-path "$PWD/y" doctor
>~ checked: .*: nothing is wrong
>~ set aside .*
>~   [0-9]{8}-[0-9]{6}: blobs-.* \(98 KiB\)

== an empty folder of what was set aside is none
$ echo one | cliphist -db-path "$PWD/e" store; mkdir -p e.d/damaged/20260101-000000
$ cliphist -db-path "$PWD/e" doctor
>~ checked: .*: nothing is wrong

== a repair after what a command has set aside by itself
$ head -c 100000 /dev/zero | cliphist -db-path "$PWD/v" store; rm v.d/history.db*
$ echo new | cliphist -db-path "$PWD/v" store 2>/dev/null
$ cliphist -db-path "$PWD/v" doctor --repair
>~ checked: .* entries 1, .*: nothing is wrong
>~ set aside 98 KiB in /.*/v.d/damaged, where .*
>~   [0-9]{8}-[0-9]{6}: blobs-.* \(98 KiB\)

== what is no database is set aside, and the history begins anew
$ umask 077; mkdir -p "$XDG_STATE_HOME"/cliphist; echo "somebody's notes" >"$XDG_STATE_HOME"/cliphist/history.db
$ printf one | cliphist store
!~ .*history\.db': file is not a database.*doctor --repair.*
? 1
$ cliphist doctor
>~ database: history\.db: .*file is not a database.*
>~ checked: .*: something is wrong
? 1
$ cliphist doctor --repair
>~ database: .*; repaired: .*
>~ checked: .*: nothing is wrong
>~ set aside in /.*/cliphist/damaged/[0-9-]+
!~ cliphistd: 0 entries of a damaged history were saved; it is in 'damaged/[0-9-]+' now
$ cat "$XDG_STATE_HOME"/cliphist/damaged/*/history.db
> somebody's notes
$ printf one | cliphist store; cliphist list
> 1\tone
