# SPDX-License-Identifier: LGPL-2.1-or-later
# `pick`, with pickers that are played: each keeps what it got, the rows and its words, says $SAY and
# exits with $EXIT. A picker that is shown again is cancelled. tests/pickers has the real ones.

== rofi says the number of the row
$ printf '#!/bin/sh\necho "$*" >words; cat >rows; [ ! -e again ] || exit 1; : >again; printf "%%b" "$SAY"; exit ${EXIT:-0}\n' >rofi; chmod +x rofi
$ printf first | cliphist store; printf 'second\n\033[31mred' | cliphist store; cliphist pin 1
$ PATH=$PWD:$PATH SAY='1\n' cliphist pick --with rofi --print; cat rows
>| first
> now  second ␛[31mred
> ● now  first
$ rm again; PATH=$PWD:$PATH SAY='0\n' cliphist pick --with=rofi --print --limit 1 | od -An -c | head -n 1; wc -l <rows
>~  +s +e +c +o +n +d +\\n .*
> 1
$ cat words
>~ -dmenu .* -format i f -show-icons .*

== one that is cancelled
$ printf '#!/bin/sh\ncat >rows; exit 1\n' >rofi; chmod +x rofi; printf a | cliphist store; cliphist list >before
$ PATH=$PWD:$PATH cliphist pick --with rofi
? 1
$ printf '#!/bin/sh\nexit 0\n' >rofi; PATH=$PWD:$PATH cliphist pick --with rofi
? 1
$ printf '#!/bin/sh\nkill -9 $$\n' >rofi; PATH=$PWD:$PATH cliphist pick --with rofi
! rofi has crashed (signal 9)
? 1
$ cliphist list | cmp - before

== a history with nothing to choose from shows no picker
$ printf '#!/bin/sh\n: >shown\n' >rofi; chmod +x rofi; PATH=$PWD:$PATH cliphist pick --with rofi
! Nothing has been copied yet.
? 1
$ printf a | cliphist store; cliphist wipe; PATH=$PWD:$PATH cliphist pick --with rofi
! The history is empty.
? 1
$ ls shown 2>/dev/null
? 2

== keys delete and pin, and the picker comes up again
$ printf '#!/bin/sh\necho >>times; cat >rows; [ ! -e again ] || exit 1; : >again; printf "%%b" "$SAY"; exit ${EXIT:-0}\n' >rofi; chmod +x rofi
$ for n in 1 2 3; do printf "entry $n" | cliphist store; done
$ PATH=$PWD:$PATH SAY='1\n' EXIT=10 cliphist pick --with rofi
? 1
$ cat rows; wc -l <times
> now  entry 3
> now  entry 1
> 2
$ rm again; PATH=$PWD:$PATH SAY='1\n' EXIT=11 cliphist pick --with rofi; cat rows; cliphist search --pinned
> now  entry 3
> ● now  entry 1
> 1\tentry 1
$ rm again; PATH=$PWD:$PATH SAY='1\n' EXIT=11 cliphist pick --with rofi; cat rows
> now  entry 3
> now  entry 1

== fzf says each row that is chosen with all that is searched in it
$ printf '#!/bin/sh\ncat >rows; printf "\\n\\n"; for id in 1 2; do printf "%%s\\t" $id; head -c 100000 /dev/zero | tr "\\0" x; echo; done\n' >fzf; chmod +x fzf
$ printf one | cliphist store; printf two | cliphist store; PATH=$PWD:$PATH cliphist pick --with fzf --print; echo
> one
> two

== fzf says the key, and then the row
$ printf '#!/bin/sh\nfor word; do echo "$word"; done >words; cat >rows; [ ! -e again ] || exit 130; : >again; printf "%%b" "$SAY"; exit ${EXIT:-0}\n' >fzf; chmod +x fzf
$ for n in 1 2 3; do printf "entry $n" | cliphist store; done
$ PATH=$PWD:$PATH SAY='\n\n2\tentry 2\n' cliphist pick --with fzf --print; cat rows
> entry 23\tnow  entry 3
> 2\tnow  entry 2
> 1\tnow  entry 1
$ rm again; PATH=$PWD:$PATH SAY='typed\nalt-1\n2\tentry 2\n' cliphist pick --with fzf; cat rows
> 3\tnow  entry 3
> 1\tnow  entry 1
$ env CLIPHIST_PICK_COMMAND=cliphist CLIPHIST_PICK_DB_PATH="$XDG_CACHE_HOME/cliphist/db" FZF_PREVIEW_COLUMNS=80 FZF_PREVIEW_LINES=24 sh -c "$(tail -n 1 words | sed 's/{1}/3/')" | tail -n 1
> entry 3
$ tail -n 1 words | sed 's/{1}//' | grep -c '[{}]'
> 0
? 1

== dmenu and bemenu print a row
$ for p in dmenu bemenu; do printf '#!/bin/sh\ntail -n 1\n' >$p; chmod +x $p; done
$ printf 'a text' | cliphist store; printf b | cliphist store
$ PATH=$PWD:$PATH cliphist pick --with dmenu --print
>| a text
$ PATH=$PWD:$PATH cliphist pick --with bemenu --print
>| a text
$ printf '#!/bin/sh\necho typed\n' >dmenu; PATH=$PWD:$PATH cliphist pick --with dmenu --print
! No entry matches.
? 1
$ printf '#!/bin/sh\necho 77\n' >dmenu; PATH=$PWD:$PATH cliphist pick --with dmenu --print
! id 77 not found
? 1

== Enter where nothing matches what was typed
$ printf '#!/bin/sh\necho -1\n' >fuzzel; printf '#!/bin/sh\necho zzz\n' >wofi; printf '#!/bin/sh\nprintf "zzz\\n\\n"; exit 1\n' >fzf
$ printf '#!/bin/sh\necho $0 >>tried; printf -- "-1\\n"\n' >rofi; cp rofi bemenu; cp rofi dmenu; chmod +x *; printf a | cliphist store
$ for p in fuzzel wofi fzf; do PATH=$PWD:$PATH cliphist pick --with $p; echo $?; done
> 1
> 1
> 1
! No entry matches.
! No entry matches.
! No entry matches.
# no other one is shown
$ PATH=$PWD:$PATH DISPLAY=:77 cliphist pick --print; wc -l <tried
> 1
! No entry matches.

== that the history is paused
$ for p in rofi fuzzel wofi dmenu fzf; do printf '#!/bin/sh\nprintf "%%s " "$@" >said\n' >$p; chmod +x $p; done; printf a | cliphist store
$ for p in rofi fuzzel wofi dmenu fzf; do PATH=$PWD:$PATH cliphist pick --print --with $p; grep -c paused said; done
> 0
> 0
> 0
> 0
> 0
? 1
$ cliphist pause; for p in rofi fuzzel wofi dmenu fzf; do PATH=$PWD:$PATH cliphist pick --print --with $p; grep -o 'cliphist (paused)[^-]*\|The history is paused' said | sed 's/ *$//'; done
> cliphist (paused)
> cliphist (paused)>
> cliphist (paused)
> cliphist (paused)
> The history is paused
# one that ends by itself names no command
$ cliphist pause 1h; PATH=$PWD:$PATH cliphist pick --print --with fzf; grep -c 'paused until [0-9: -]*: what you copy before is not kept\.' said; grep -c 'cliphist resume' said
> 1
> 0
? 1

== which one
$ for p in rofi fuzzel wofi bemenu dmenu fzf; do printf '#!/bin/sh\necho %s >>tried; exit 1\n' $p >$p; chmod +x $p; done; printf a | cliphist store
# there is no such compositor, so no layer, and rofi alone can be a window
$ PATH=$PWD:$PATH WAYLAND_DISPLAY=wayland-77 DISPLAY=:77 cliphist pick --print; cat tried; rm tried
> rofi
$ PATH=$PWD:$PATH DISPLAY=:77 cliphist pick --print; cat tried; rm tried
> rofi
$ PATH=$PWD:$PATH DISPLAY=:77 CLIPHIST_PICKER=dmenu cliphist pick --print; cat tried; rm tried
> dmenu
$ PATH=$PWD:$PATH DISPLAY=:77 CLIPHIST_PICKER=dmenu cliphist pick --print --with wofi; cat tried; rm tried
> wofi
$ mkdir -p config/cliphist; echo picker emacs >config/cliphist/config; PATH=$PWD:$PATH DISPLAY=:77 cliphist pick --print; cat tried; rm tried
> rofi
$ cliphist doctor
>...
!~ .*/config:1: unknown value 'emacs' of picker, which is one of auto rofi fuzzel .*: ignored
? 1
$ rm config/cliphist/config; PATH=$PWD:$PATH cliphist pick
! no picker is installed that can show itself here: rofi, fuzzel, wofi, bemenu, dmenu or fzf
? 1
$ cliphist pick --with emacs
! pick: --with is rofi, fuzzel, wofi, bemenu, dmenu or fzf, not 'emacs'
!...
? 2
# the one that is asked for or none, and that only where it has a place
$ PATH=$PWD:$PATH WAYLAND_DISPLAY=wayland-77 DISPLAY=:77 cliphist pick --with fuzzel; cat tried
! fuzzel cannot show itself on this desktop, which has no layer shell: without --with, one is taken that can
! cat: tried: No such file or directory
? 1
$ PATH=$PWD:$PATH WAYLAND_DISPLAY=wayland-77 cliphist pick --with dmenu
! dmenu can show itself on X11 alone: without --with, one is taken that can here
? 1
$ rm wofi; program=$(command -v cliphist); PATH=$PWD DISPLAY=:77 "$program" pick --with wofi
! wofi is not installed
? 1

== one that fails is followed by the next
$ printf '#!/bin/sh\necho cannot open display >&2; exit 1\n' >rofi; printf '#!/bin/sh\nkill -9 $$\n' >bemenu; printf '#!/bin/sh\ncat >rows; echo 1\n' >dmenu; chmod +x rofi bemenu dmenu
$ printf a | cliphist store; PATH=$PWD:$PATH DISPLAY=:77 cliphist pick --print
>| a
! rofi failed: cannot open display
! bemenu has crashed (signal 9)
$ PATH=$PWD:$PATH DISPLAY=:77 cliphist pick --with rofi --print
! rofi failed: cannot open display
? 1

== a window where the compositor has no layers
$ printf '#!/bin/sh\necho "$* [$WAYLAND_DISPLAY]" >words; cat >rows; exit 1\n' >rofi; chmod +x rofi; printf a | cliphist store
$ PATH=$PWD:$PATH WAYLAND_DISPLAY=wayland-77 DISPLAY=:77 cliphist pick --print; grep -o -- '-normal-window.*' words
> -normal-window []
$ PATH=$PWD:$PATH DISPLAY=:77 cliphist pick --print; grep -c -- -normal-window words
> 0
? 1

== several at once
$ printf '#!/bin/sh\ncat >rows; printf "%%b" "$SAY"\n' >rofi; chmod +x rofi; for n in 1 2 3; do printf "entry $n" | cliphist store; done; printf 'file:///tmp/a b\r\n' >list; printf '\211PNG\r\n\032\n0' | cliphist store
$ PATH=$PWD:$PATH SAY='3 \n1 \n' cliphist pick --with rofi --print
> entry 1
>| entry 3
$ PATH=$PWD:$PATH SAY='0 \n1 \n' cliphist pick --with rofi --print
! only texts, or only files, can be joined
? 1

== what was typed, and the row, are kept after a key
$ printf '#!/bin/sh\necho "$*" >>words; cat >rows; [ ! -e again ] || exit 1; : >again; echo "1 ent ry"; exit 10\n' >rofi; chmod +x rofi
$ for n in 1 2 3; do printf "entry $n" | cliphist store; done; PATH=$PWD:$PATH cliphist pick --with rofi
? 1
$ tail -n 1 words | grep -o -- '-filter.*'; cat rows
> -filter ent ry -selected-row 1
> now  entry 3
> now  entry 1

== a picker that is gone before it has read all
$ n=0; while [ $n -lt 18 ]; do head -c 3000 /dev/urandom | base64 -w 0 | cliphist store; n=$((n+1)); done
$ printf '#!/bin/sh\nexec <&-; echo 3\n' >rofi; chmod +x rofi; PATH=$PWD:$PATH cliphist -preview-width 4000 pick --with rofi --print | wc -c
> 4000

== nothing there
$ printf '#!/bin/sh\ncat >rows\n' >rofi; chmod +x rofi; PATH=$PWD:$PATH cliphist pick --with rofi
! Nothing has been copied yet.
? 1

== rows that speak
$ printf '#!/bin/sh\ncat >rows; exit 1\n' >dmenu; chmod +x dmenu
$ printf 'GIF89a\200\002\340\001rest' | cliphist store; printf 'GIFT' | CLIPBOARD_TYPE=application/x-gift cliphist store; printf 'file:///tmp/page%%20one.html\r\nfile:///b\r\nfile:///c\r\n' | CLIPBOARD_TYPE=text/uri-list cliphist store
$ PATH=$PWD:$PATH cliphist pick --with dmenu; cat rows
> 3 now  page one.html and 2 more
> 2 now  Data, 4 B (application/x-gift)
> 1 now  Image 640×480
$ head -c 3145728 /dev/zero | tr '\0' '\377' | cliphist store; PATH=$PWD:$PATH cliphist pick --with dmenu; head -n 1 rows
> 4 now  Data, 3 MiB (application/octet-stream)
# the words of an image, in what is none
$ printf '[[ ]]' | CLIPBOARD_TYPE=application/x-a cliphist store; printf '[[ a 1x1 ]]' | CLIPBOARD_TYPE=application/x-a cliphist store; printf '[[ binary data ]]' | CLIPBOARD_TYPE=application/x-a cliphist store; PATH=$PWD:$PATH cliphist pick --with dmenu; head -n 3 rows
> 7 now  Data, 17 B (application/x-a)
> 6 now  Data, 11 B (application/x-a)
> 5 now  Data, 5 B (application/x-a)

== with an image among them, rows are as high as its picture
$ printf '#!/bin/sh\necho "$*" >words; cat >rows; exit 1\n' >rofi; cp rofi fuzzel; cp rofi wofi; chmod +x rofi fuzzel wofi; printf text | cliphist store
$ for p in rofi fuzzel wofi; do PATH=$PWD:$PATH cliphist pick --with $p; grep -c 64 words; done
> 0
> 0
> 0
? 1
$ printf 'GIF89a\200\002\340\001rest' | CLIPBOARD_TYPE=image/gif cliphist store
$ for p in rofi fuzzel wofi; do PATH=$PWD:$PATH cliphist pick --with $p; grep -o -e '[a-z_-]*[:=] *64[px]*' words; done
> size: 64px
> --line-height=64px
> image_size=64

== what is not shown of a text is searched, where the picker can
$ for p in rofi fzf; do printf '#!/bin/sh\ncat >rows; exit 130\n' >$p; chmod +x $p; done
$ { head -c 200 /dev/zero | tr '\0' x; printf '\nneedle'; head -c 9000 /dev/zero | tr '\0' y; printf late; } | cliphist store; printf short | cliphist store
$ PATH=$PWD:$PATH cliphist pick --with rofi; head -n 1 rows; tr '\000\037' '@#' <rows | grep -c '@meta#x* needley*$'; grep -c late rows
> now  short
> 1
> 0
? 1
$ PATH=$PWD:$PATH cliphist pick --with fzf; grep -c 'now  x*…   *x* needley*$' rows
> 1
