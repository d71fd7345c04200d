# SPDX-License-Identifier: LGPL-2.1-or-later

== an empty history
$ printf a | cliphist store; cliphist wipe
$ cliphist list

== a preview is one line
$ printf ' \n one\t\ttwo\r\n\302\240three\343\200\200four \n' | cliphist store; cliphist list
> 1\tone two three four

== a preview is cut
$ printf 'aé漢字xyz' | cliphist store
$ cliphist -preview-width 4 list
> 1\taé漢字…
$ cliphist -preview-width 7 list
> 1\taé漢字xyz
$ cliphist -preview-width 0 list
> 1\t…
$ CLIPHIST_PREVIEW_WIDTH=2 cliphist list
> 1\taé…
$ seq 1000 | cliphist store; cliphist list | head -n 1 | wc -m
> 104

== words behind the verb do not count
$ printf 'one two' | cliphist store
$ cliphist list -preview-width 3
> 1\tone two
$ cliphist list --no-such-option word --
> 1\tone two

== NUL and invalid UTF-8 do not get into a preview
$ printf 'a\000b\377c' | cliphist store; cliphist list
> 1\tab�c

== a picture
$ printf '\211PNG\r\n\032\n\0\0\0\rIHDR\0\0\0\12\0\0\0\24\10\2\0\0\0;\214;\1' | cliphist store
$ cliphist list
> 1\t[[ binary data 33 B png 10x20 ]]
$ cliphist -preview-width 5 list
> 1\t[[ binary data 33 B png 10x20 ]]
$ cliphist types 1
> image/png

== a page at a time
$ for n in a b c d; do printf $n | cliphist store; done
$ cliphist list --limit 2
> 4\td
> 3\tc
$ cliphist list --before 3
> 2\tb
> 1\ta
$ cliphist list --limit=1 --before=3
> 2\tb
$ cliphist list --before 1

== NUL at the end of each entry
$ printf a | cliphist store; printf b | cliphist store
$ cliphist list -0
>| 2\tb\x001\ta\0

== JSON
$ printf 'say "hi"' | cliphist store; cliphist list --json
>~ \{"id":1,.*"class":"text","mime":"text/plain;charset=utf-8","size":8,.*"preview":"say \\"hi\\"","tags":\[\]\}

== the tags of each
$ printf one | cliphist store; printf two | cliphist store; cliphist tag 1 sig 'a-"b"'
$ cliphist list --json | grep -o '"tags":.*'; cliphist search --json one | grep -o '"tags":.*'
> "tags":[]}
> "tags":["sig","a-\\"b\\""]}
> "tags":["sig","a-\\"b\\""]}

== pinned ones first
$ for n in a b c d; do printf $n | cliphist store; done; cliphist pin 1 3
$ cliphist list --pinned-first | tr '\n\t' '. '; cliphist list --pinned-first --limit 3 | tr '\n\t' '. '; cliphist list --pinned-first --limit 2 | tr '\n\t' '. '
>| 3 c.1 a.4 d.2 b.3 c.1 a.4 d.3 c.1 a.
$ cliphist list --pinned-first --before 3 --json | grep -o '"id":.' | tr '\n' ' '; cliphist list --pinned-first --pinned | cut -f 1 | tr '\n' ' '; cliphist list --pinned-first --with-icons rofi | cut -f 1 | tr '\n' ' '
>| "id":1 "id":2 3 1 3 1 4 2 

== a reader that has enough
$ for n in a b c d; do printf $n | cliphist store; done
$ cliphist list | head -n 1
> 4\td

== a reader that has gone, whoever started us ignoring it
$ printf a | cliphist store
$ mkfifo pipe; trap '' PIPE; exec 3<>pipe 4>pipe 3<&-; cliphist list >&4
? 141

== a full disk
$ printf a | cliphist store
$ cliphist list >/dev/full
! write to standard output: No space left on device
? 1
