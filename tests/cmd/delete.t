# SPDX-License-Identifier: LGPL-2.1-or-later

== by lines
$ for word in one two three four; do printf $word | cliphist store; done
$ cliphist list | grep -e two -e four | cliphist delete; cliphist list
> 3\tthree
> 1\tone
$ printf '3' | cliphist delete; cliphist list
> 1\tone
$ printf '1\r\n' | cliphist delete; cliphist list

== an id that is not there is fine
$ printf one | cliphist store; echo 99 | cliphist delete; cliphist list
> 1\tone

== a bad line, and nothing is deleted
$ for word in one two; do printf $word | cliphist store; done
$ printf '1\nabc\n' | cliphist delete
! extract id: converting id: strconv.Atoi: parsing "abc": invalid syntax
? 1
$ printf '1\n\n' | cliphist delete
! extract id: input not prefixed with id
? 1
$ cliphist list
> 2\ttwo
> 1\tone

== nothing to delete
$ printf one | cliphist store; cliphist delete </dev/null; cliphist list
> 1\tone

== the word counts where standard input says nothing
$ for word in one two; do printf $word | cliphist store; done
$ cliphist delete 1 </dev/null; cliphist list
> 2\ttwo
$ for word in three; do printf $word | cliphist store; done
$ echo 2 | cliphist delete 3; cliphist list
> 3\tthree

== by what an entry contains
$ for word in one two stone; do printf $word | cliphist store; done
$ cliphist delete-query ONE; cliphist list | wc -l
> 3
$ cliphist delete-query one two; cliphist list
> 2\ttwo
$ cliphist delete-query no-such-text; cliphist list
> 2\ttwo
$ cliphist delete-query
! please provide a query
? 1

== a query is bytes and no pattern
$ printf 'a%%b' | cliphist store; printf 'a-b' | cliphist store; printf 'x\000y' | cliphist store
$ cliphist delete-query 'a%b'; cliphist list
> 3\txy
> 2\ta-b
$ cliphist delete-query '-'; cliphist list
> 3\txy

== everything
$ printf a | cliphist store; cliphist wipe; cliphist list

== wiping what was never there makes a history
$ cliphist wipe; cliphist list

== pinned entries stay
$ for word in one two three; do printf $word | cliphist store; done; cliphist pin 1 2; cliphist unpin 2
$ cliphist wipe; cliphist list
> 1\tone
$ cliphist search --pinned
> 1\tone
$ cliphist pin 99
! id 99 not found
? 1
