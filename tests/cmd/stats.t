# SPDX-License-Identifier: LGPL-2.1-or-later

== where nothing was ever stored
$ cliphist stats
>~ history   /.*/state/cliphist
> entries   0, 0 of them pinned, 0 B
> disk      0 B
>           database: 0 B
>           files: 0, 0 B
> saved     by copies that were there already: 0, 0 B
>           by contents that share a file: 0 B
$ cliphist stats --json
>~ \{"store":"/.*","entries":0,"pinned":0,"contents":0,"bytes":0,"oldest_us":0,"newest_us":0,"classes":\[\{"class":"text","entries":0,"bytes":0\},.*\],"types":\[\],"largest":\[\],"days":\[\],"disk":\{"database":0,.*\},"saved":\{"repeated":0,"repeated_bytes":0,"shared_bytes":0\}\}

== what there is of each kind
$ printf one | cliphist store; printf two | cliphist store; printf one | cliphist store; cliphist pin 2
$ printf '<b>' | CLIPBOARD_TYPE=text/html cliphist store
$ printf '\211PNG\r\n\032\n\0\0\0\rIHDR\0\0\0\12\0\0\0\24\10\2\0\0\0;\214;\1' | cliphist store
$ TZ=UTC cliphist stats
>~ history   /.*
> entries   4, 1 of them pinned, 42 B
>~ from      \d\d\d\d-\d\d-\d\d \d\d:\d\d:\d\d
>~ to        \d\d\d\d-\d\d-\d\d \d\d:\d\d:\d\d
> text      3, 9 B
> image     1, 33 B
> types     image/png: 1, 33 B
>           text/plain;charset=utf-8: 2, 6 B
>           text/html: 1, 3 B
> largest   id 5: 33 B, image/png
>           id 4: 3 B, text/html
>           id 3: 3 B, text/plain;charset=utf-8
>           id 2: 3 B, text/plain;charset=utf-8
>~ days      \d\d\d\d-\d\d-\d\d: 4, 42 B
>~ disk      \d+ KiB
>~           database: \d+ KiB
>           files: 0, 0 B
> saved     by copies that were there already: 1, 3 B
>           by contents that share a file: 0 B
$ cliphist stats --json
>~ \{"store":"/.*","entries":4,"pinned":1,"contents":4,"bytes":42,"oldest_us":\d+,"newest_us":\d+,"classes":\[\{"class":"text","entries":3,"bytes":9\},\{"class":"image","entries":1,"bytes":33\},\{"class":"files","entries":0,"bytes":0\},\{"class":"other","entries":0,"bytes":0\}\],"types":\[\{"mime":"image/png","contents":1,"bytes":33\},.*\],"largest":\[\{"id":5,"size":33,"mime":"image/png"\},.*\],"days":\[\{"day":"\d\d\d\d-\d\d-\d\d","entries":4,"bytes":42\}\],"disk":\{"database":\d+,"log":\d+,"files":0,"file_bytes":0\},"saved":\{"repeated":1,"repeated_bytes":3,"shared_bytes":0\}\}

== files, and what has to go
$ head -c 100000 /dev/zero | tr '\0' a >a; cliphist store <a; cliphist store <a
$ printf gone | cliphist store; cliphist expire 3 1ms
$ cliphist stats | tail -n 4 | grep -v database
>           files: 1, 98 KiB
> saved     by copies that were there already: 1, 98 KiB
>           by contents that share a file: 0 B
$ cliphist stats --json | grep -o '"entries":[0-9]*' | head -n 1
> "entries":1
