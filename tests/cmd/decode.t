# SPDX-License-Identifier: LGPL-2.1-or-later

== the id as a word
$ printf a | cliphist store; printf b | cliphist store
$ cliphist decode 1
>| a
$ cliphist decode +2
>| b
$ cliphist decode 02
>| b
$ cliphist decode 2 1
>| b

== a line of the list as a word
$ printf a | cliphist store
$ cliphist decode "$(cliphist list)"
>| a
$ cliphist decode "$(printf '1\t ')"
>| a

== a line of the list on standard input
$ printf a | cliphist store; printf b | cliphist store
$ cliphist list | cliphist decode
>| b
$ cliphist list | tail -n 1 | cliphist decode
>| a
$ printf '1\t' | cliphist decode
>| a
$ cliphist list | tail -n 1 | tr -d '\n' | cliphist decode ''
>| a

== a bare id on standard input
$ printf a | cliphist store
$ echo 1 | cliphist decode
>| a
$ printf 1 | cliphist decode
>| a

== an id that is not there
$ printf a | cliphist store
$ cliphist decode 99
! id 99 not found
? 1

== a blob without a folder
$ head -c 100000 /dev/zero | tr '\0' x | cliphist store; rm -rf "$XDG_STATE_HOME"/cliphist/blobs
$ cliphist decode 1
!~ open blob '../[0-9a-f]+': the folder 'blobs' beside the database is missing, or may not be opened
? 1

== paste takes the newest
$ printf a | cliphist store; printf b | cliphist store
$ cliphist paste
>| b
$ cliphist paste 1
>| a
$ cliphist paste --type text/plain
>| b
$ cliphist paste --type image/png
! id 2 has no 'image/png'
? 1
$ cliphist paste 99
! id 99 not found
? 1
$ cliphist wipe; cliphist paste
! the history is empty
? 1

== to a terminal: text as it reads, nothing that it obeys, nothing binary
$ printf 'red \033[31m\n' | cliphist store; printf 'a\000b' | cliphist store
$ script -qc 'cliphist decode 1' /dev/null </dev/null
> red ␛[31m\r
$ script -qc 'cliphist decode 1 --force' /dev/null </dev/null
> red \e[31m\r
$ script -qec 'cliphist decode 2' /dev/null </dev/null
> not written: binary data, and standard output is a terminal (--force writes it)\r
? 1
$ script -qc 'cliphist list' /dev/null </dev/null
> 2\tab\r
> 1\tred ␛[31m\r

== what reads links no GIO
$ ldd "$(command -v cliphist)" | grep -c gio
> 0
? 1
