# SPDX-License-Identifier: LGPL-2.1-or-later
# Before anything was stored.

== list
$ cliphist list
! opening db: please store something first
? 1
$ cliphist -db-path elsewhere list
! opening db: please store something first
? 1

== decode
$ cliphist decode 1
! opening db: please store something first
? 1
$ printf '1\tpreview' | cliphist decode
! opening db: please store something first
? 1

== decode looks at the id first
$ cliphist decode
! extracting id: input not prefixed with id
? 1
$ cliphist decode ''
! extracting id: input not prefixed with id
? 1
$ printf '\tpreview' | cliphist decode
! extracting id: input not prefixed with id
? 1
$ cliphist decode abc
! extracting id: converting id: strconv.Atoi: parsing "abc": invalid syntax
? 1
$ printf 'abc\n' | cliphist decode
! extracting id: converting id: strconv.Atoi: parsing "abc\\n": invalid syntax
? 1
$ printf ' 2\tpreview' | cliphist decode
! extracting id: converting id: strconv.Atoi: parsing " 2": invalid syntax
? 1
$ cliphist decode 1_000
! extracting id: converting id: strconv.Atoi: parsing "1_000": invalid syntax
? 1
$ cliphist decode 99999999999999999999
! extracting id: converting id: strconv.Atoi: parsing "99999999999999999999": value out of range
? 1
$ printf '\0002\t' | cliphist decode
! extracting id: converting id: strconv.Atoi: parsing "\\x002": invalid syntax
? 1

== decode reads its input to the end
$ head -c 1000000 /dev/zero | tr '\0' a | cliphist decode | wc -c
!...
> 0

== paste, show, types, search
$ cliphist paste
! opening db: please store something first
? 1
$ cliphist show 1
! opening db: please store something first
? 1
$ cliphist types 1
! opening db: please store something first
? 1
$ cliphist search word
! opening db: please store something first
? 1

== reading creates nothing
$ cliphist list; cliphist decode 1; find cache state data config home | sort
!...
> cache
> config
> data
> home
> state

== compact
$ cliphist -db-path /no/such/db compact
! open source db: open /no/such/db: no such file or directory
? 1

== delete of nothing and a bad line
$ cliphist delete
$ echo abc | cliphist delete
! extract id: converting id: strconv.Atoi: parsing "abc": invalid syntax
? 1
$ printf '1\n\n2\n' | cliphist delete
! extract id: input not prefixed with id
? 1
$ printf '1\tx\n 2\n' | cliphist delete
! extract id: converting id: strconv.Atoi: parsing " 2": invalid syntax
? 1

== delete-query without a query
$ cliphist delete-query
! please provide a query
? 1
$ cliphist delete-query ''
! please provide a query
? 1

== a secret is not read
$ mkfifo pipe; exec 3<>pipe; CLIPBOARD_STATE=sensitive cliphist store <&3
