# SPDX-License-Identifier: LGPL-2.1-or-later
# What scripts do with the command.

== a picker gets lines and gives one back
$ printf 'one\ntwo' | cliphist store; printf three | cliphist store
$ cliphist list | tail -n 1 | cliphist decode
> one
>| two
$ cliphist list | sort -nr | awk '{print $1}' | tail -n 1 | tr -d '\n' | cliphist decode
> one
>| two
$ line=$(cliphist list | grep -P '^1\t'); printf '%s' "$line" | cliphist decode | wc -l
> 1
$ cliphist list | cut -f 2-
> three
> one two

== pictures are told by their line
$ printf text | cliphist store; printf '\211PNG\r\n\032\n\0\0\0\rIHDR\0\0\0\12\0\0\0\24\10\2\0\0\0;\214;\1' | cliphist store
$ cliphist list | grep '\[\[ binary data' | sed -E 's/^([0-9]+)\t\[\[ binary data ([0-9.]+ ?\w*) (\w+) ([0-9]+)x([0-9]+) \]\]$/\1 \2 \3 \4 \5/'
> 2 33 B png 10 20
$ echo 2 | cliphist decode | head -c 4 | tail -c 3
>| PNG
$ cliphist list | grep '\[\[ binary data' | cliphist delete; cliphist list
> 1\ttext

== a probe
$ cliphist version 2>&1 | grep -c '^db-path'
> 1

== nothing stored yet is told by its text
$ cliphist list 2>&1 | grep -c 'please store something first'
> 1

== options behind the verb, as one shell has them
$ printf one | cliphist store; cliphist list -preview-width 100
> 1\tone

== a history in memory
$ printf one | cliphist -db-path "$XDG_RUNTIME_DIR/cliphist.db" store
$ cliphist -db-path "$XDG_RUNTIME_DIR/cliphist.db" list
> 1\tone
$ cliphist list 2>/dev/null | wc -l
> 0
