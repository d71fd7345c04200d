# SPDX-License-Identifier: LGPL-2.1-or-later

== in the order of the words
$ printf a | cliphist store; printf b | cliphist store; printf c | cliphist store
$ cliphist join 2 3 1 2
>| bcab
$ cliphist join 1
>| a

== a separator between, not behind
$ printf a | cliphist store; printf b | cliphist store
$ cliphist join --separator ', ' 1 2 1
>| a, b, a
$ cliphist join 1 2 --separator '\n--\t\\'
> a
>| --\t\\b
$ cliphist join --separator='\0' 1 2
>| a\0b
$ cliphist join --separator '\x' 1 2
! join: --separator knows \\n, \\t, \\0 and \\\\, not '\\x'
! see cliphist join --help
? 2
$ cliphist join --separator 'a\' 1 2
!~ join: --separator knows .*
!...
? 2
$ cliphist join --separator "$(head -c 5000 /dev/zero | tr '\0' x)" 1 2
! separator: longer than 4096 bytes
? 1

== ids from lines
$ printf a | cliphist store; printf b | cliphist store
$ cliphist list | cliphist join
>| ba
$ printf '1\n2\r\n1\t no matter what\n2' | cliphist join --separator '\n'
> a
> b
> a
>| b
$ cliphist join < /dev/null
$ echo no | cliphist join
! extract id: converting id: strconv.Atoi: parsing "no": invalid syntax
? 1

== what is missing is said before anything is written
$ head -c 100000 /dev/zero | cliphist store; printf b | cliphist store
$ cliphist join 1 2 99 2
! id 99 not found
? 1
$ cliphist join two
! join: 'two' is not an id
! see cliphist join --help
? 2
$ script -qec 'cliphist join' /dev/null </dev/null
> join: ID… is missing\r
>...
? 2

== of one type
$ printf a | cliphist store; printf b | cliphist store
$ cliphist join --type text/plain 1 2
>| ab
$ cliphist join --type image/png 1 2
! id 1 has no 'image/png'
? 1

== files and words in one stream
$ seq 100000 > one; seq 5 > two; seq 300000 400000 > three
$ for file in one two three; do cliphist store < $file; done
$ cat two one three two > expected
$ cliphist join 2 1 3 2 | cmp - expected
$ cliphist join 2 1 3 2 > joined; cmp joined expected
$ cliphist join 2 >> two; cliphist join 1 3 >> two; cliphist join 2 >> two; tail -c +11 two | cmp - expected
$ cliphist join 2 1 3 2 | (dd bs=1 count=20000 2> /dev/null; cat) | cmp - expected

== a thousand times the same
$ seq 3 > one; seq 20000 > two; cliphist store < one; cliphist store < two
$ for i in $(seq 500); do echo 1; echo 2; done | cliphist join > joined
$ for i in $(seq 500); do cat one two; done | cmp - joined

== a reader that leaves half way
$ seq 100000 | cliphist store; seq 5 | cliphist store
$ cliphist join 2 1 1 1 | head -n 3
> 1
> 2
> 3
$ bash -c 'cliphist join 1 1 1 | head -c 1 >/dev/null; exit ${PIPESTATUS[0]}'
? 141

== to a terminal
$ printf 'red \033[31m\n' | cliphist store; printf 'a\000b' | cliphist store
$ script -qc 'cliphist join 1 1' /dev/null </dev/null
> red ␛[31m\r
> red ␛[31m\r
$ script -qec 'cliphist join 1 2' /dev/null </dev/null
>...
> not written: binary data, and standard output is a terminal (--force writes it)\r
? 1

== nothing stored yet
$ cliphist join 1
! opening db: please store something first
? 1
