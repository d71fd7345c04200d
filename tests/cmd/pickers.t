# SPDX-License-Identifier: LGPL-2.1-or-later
# The lines of people's scripts. The pickers here choose the line that $PICK says, or none, as one
# that is cancelled does; what they do with options is their own affair. wl-copy keeps what it got.

== one line, for each picker
$ for p in rofi wofi fuzzel tofi walker dmenu fzf; do printf '#!/bin/sh\n[ -z "$PICK" ] || sed -n "${PICK}p"\n' >$p; chmod +x $p; done
$ printf '#!/bin/sh\ncat >copied\n' >wl-copy; chmod +x wl-copy
$ printf 'first\n entry' | cliphist store; printf second | cliphist store; printf third | cliphist store
$ PATH=$PWD:$PATH PICK=3; export PATH PICK; cliphist list | rofi -dmenu | cliphist decode | wl-copy; cat copied
> first
>|  entry
$ PATH=$PWD:$PATH PICK=2; export PATH PICK; cliphist list | rofi -dmenu -display-columns 2 | cliphist decode | wl-copy; cat copied
>| second
$ PATH=$PWD:$PATH PICK=1; export PATH PICK; cliphist list | fuzzel --dmenu --with-nth 2 | cliphist decode | wl-copy; cat copied
>| third
$ PATH=$PWD:$PATH PICK=2; export PATH PICK; cliphist list | wofi -S dmenu | cliphist decode | wl-copy; cat copied
>| second
$ PATH=$PWD:$PATH PICK=2; export PATH PICK; cliphist list | dmenu | tr -d '\n' | cliphist decode | wl-copy; cat copied
>| second
$ PATH=$PWD:$PATH PICK=1; export PATH PICK; cliphist list | sort -k 2 -u | sort -nr | fzf -d '\t' --with-nth 2 | cliphist decode | wl-copy; cat copied
>| third
$ PATH=$PWD:$PATH PICK=3; export PATH PICK; cliphist list | tofi | awk '{print $1}' | cliphist decode | wl-copy; cat copied | head -n 1
> first
$ PATH=$PWD:$PATH PICK=3; export PATH PICK; cliphist list | walker -d | cut -f 1 | cliphist decode | wl-copy; cat copied | head -n 1
> first

== a picker that is cancelled
$ printf '#!/bin/sh\nexit 1\n' >rofi; printf '#!/bin/sh\ncat >copied\n' >wl-copy; chmod +x rofi wl-copy; printf a | cliphist store
$ PATH=$PWD:$PATH; export PATH; cliphist list | rofi -dmenu | cliphist decode | wl-copy; cat copied
! extracting id: input not prefixed with id
$ PATH=$PWD:$PATH; export PATH; cliphist list | rofi -dmenu | cliphist delete; cliphist list
> 1\ta

== what stands between list and decode
$ for n in 1 2 3; do printf "entry $n" | cliphist store; done
$ cliphist list | head -n1 | cliphist decode
>| entry 3
$ cliphist list | sed -n '1,200p' | tail -n 1 | cliphist decode
>| entry 1
$ cliphist list | sort -nr | sed -n 2p | cliphist decode
>| entry 2
$ cliphist list | grep -Pm1 "^2\t" | cliphist decode
>| entry 2
$ cliphist list | head -n 1 | cut -d "$(printf '\t')" -f 2
> entry 3

== the forms of decode
$ printf a | cliphist store; printf b | cliphist store; line=$(cliphist list | head -n 1); ID=2
$ line=$(cliphist list | head -n 1); cliphist decode "$line"; printf '%s' "$line" | cliphist decode; echo "$line" | cliphist decode
>| bbb
$ ID=2; cliphist decode $ID; printf '%s\t' $ID | cliphist decode; printf "$ID\t" | cliphist decode; cliphist decode "$ID	"; printf '%s\t ' $ID | cliphist decode
>| bbbbb
$ bash -c 'line=$(cliphist list | head -n 1); cliphist decode <<<"$line"; echo -e "2\t" | cliphist decode'
>| bb
$ cliphist decode 2 | base64 -w 0
>| Yg==
$ cliphist decode 2 >thumb; cat thumb
>| b

== the forms of delete
$ for n in 1 2 3 4 5 6; do printf "entry $n" | cliphist store; done
$ line=$(cliphist list | head -n 1); echo "$line" | cliphist delete; printf '%s' 5 | cliphist delete; printf '%s\n' 4 3 | cliphist delete; cliphist list
> 2\tentry 2
> 1\tentry 1
$ echo 7 | cliphist delete unknown; cliphist delete-query "entry 2"; cliphist list
> 1\tentry 1

== pictures in a picker
$ printf '\211PNG\r\n\032\n\0\0\0\rIHDR\0\0\0\12\0\0\0\24\10\2\0\0\0;\214;\1' | cliphist store; printf '<meta http-equiv="x">twin' | cliphist store; printf text | cliphist store
$ cliphist list | grep -Ev '^[0-9]+\s<meta http-equiv=' | sed -E 's/^([0-9]+)\s(\[\[\s)?binary.*(jpg|jpeg|png|bmp).*/picture \1 \3/'
> 3\ttext
> picture 1 png
$ cliphist list | grep "^1\s\[\[ binary data" | sed -E 's/^1\t\[\[ binary data ([0-9.]+ ?\w*) (\w+) ([0-9]+)x([0-9]+) \]\]$/\1,\2,\3,\4/'
> 33 B,png,10,20
$ cliphist list | awk -F '\t' '/\[\[ binary data/ {split($2, w, " "); print w[4], w[5], w[6], w[7]}'
> 33 B png 10x20
$ mkdir thumbnails; printf '1\t' | cliphist decode >thumbnails/1.png; head -c 4 thumbnails/1.png | tail -c 3; printf '1\timage\0icon\037%s\n' thumbnails/1.png | tr '\0\037' '|:'
> PNG1\timage|icon:thumbnails/1.png

== nothing there
$ cliphist list 2>/dev/null | rofi -dmenu 2>/dev/null | wc -l
> 0
$ [ -z "$(cliphist list 2>/dev/null)" ] && echo nothing stored
> nothing stored

== rm to clear, thumbnails and all
$ mkdir -p cache/cliphist/thumbnails; printf a | cliphist store; : >cache/cliphist/thumbnails/1.png
$ rm ~/.cache/cliphist/db 2>/dev/null; rm -rf cache/cliphist/thumbnails; rm "$XDG_CACHE_HOME/cliphist/db"; cliphist list 2>&1
> opening db: please store something first
? 1
$ printf b | cliphist store; cliphist list
> 1\tb

== who watches the file hears of every change, and of no read
$ printf a | cliphist store; gio monitor -f cache/cliphist/db >heard 2>&1 & echo $! >watcher; until grep -q inotify /proc/$!/fdinfo/* 2>/dev/null; do :; done
$ cliphist list >/dev/null; cliphist decode 1 >/dev/null; cat heard
$ for n in 1 2; do printf "b$n" | cliphist store; until [ "$(grep -c 'changes done' heard)" = $n ]; do :; done; done; echo 1 | cliphist delete; until [ "$(grep -c 'changes done' heard)" = 3 ]; do :; done
$ kill $(cat watcher)

== two histories side by side, as for text and pictures
$ printf text | cliphist -db-path "$XDG_RUNTIME_DIR/text.db" -max-items 100 store; printf pic | cliphist -db-path "$XDG_RUNTIME_DIR/image.db" -max-items 10 store
$ cliphist -db-path "$XDG_RUNTIME_DIR/text.db" list; cliphist -db-path "$XDG_RUNTIME_DIR/image.db" list; ls "$XDG_RUNTIME_DIR" | grep -c db$
> 1\ttext
> 1\tpic
> 2
$ rm "$XDG_RUNTIME_DIR/text.db"; cliphist -db-path "$XDG_RUNTIME_DIR/text.db" list; cliphist -db-path "$XDG_RUNTIME_DIR/image.db" list
! opening db: please store something first
> 1\tpic
