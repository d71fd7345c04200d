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

== more ids than a call may have
$ for word in one two three; do printf $word | cliphist store; done
$ (echo 1; seq 1000 151000; echo 3) | cliphist delete; cliphist list
> 2\ttwo

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

== everything, pinned entries too
$ for word in one two; do printf $word | cliphist store; done; cliphist pin 1
$ cliphist wipe --all; cliphist list
$ printf three | cliphist store; cliphist list
> 3\tthree

== what came since
$ for word in one two three; do printf $word | cliphist store; done; cliphist pin 2
$ cliphist wipe --since=2999-01-01; cliphist list --limit 1
> 3\tthree
$ cliphist wipe --since "$(cliphist list --json | sed -n 's/.*"id":2,"time":"\([^"]*\)".*/\1/p')"; cliphist list
> 2\ttwo
> 1\tone
$ cliphist wipe --since 1h --all; cliphist list
$ printf four | cliphist store; cliphist wipe --since 2001-12-31T23:59 words that do not count; cliphist list

== a slip in an option wipes nothing
$ printf one | cliphist store; cliphist wipe --sicne 1h
! wipe: unknown option '--sicne'
! see cliphist wipe --help
! Did you mean '--since'?
? 2
$ cliphist wipe --dry-run
! wipe: unknown option '--dry-run'
! see cliphist wipe --help
? 2
$ cliphist wipe words -a
! wipe: unknown option '-a'
! see cliphist wipe --help
? 2
$ cliphist list
> 1\tone
$ cliphist wipe - words -- --that do not count; cliphist list

== what came since a time that is none
$ printf one | cliphist store; cliphist wipe --since tomorrow
! wipe: --since is like 2h, 3d, today, 09:00 or 2025-12-31, not 'tomorrow'
! see cliphist wipe --help
? 2
$ cliphist wipe --since
! wipe: --since needs a value
! see cliphist wipe --help
? 2
$ cliphist wipe --all=no
! wipe: --all takes no value
! see cliphist wipe --help
? 2
$ cliphist list
> 1\tone

== by ids as words
$ for word in one two three four; do printf $word | cliphist store; done; cliphist pin 2
$ cliphist remove 2 4 4 </dev/null; cliphist list
> 3\tthree
> 1\tone
$ echo 3 | cliphist remove 1; cliphist list
> 3\tthree

== an id as a word that is none, and nothing is deleted
$ for word in one two; do printf $word | cliphist store; done
$ cliphist remove 1 99
! id 99 not found
? 1
$ cliphist remove 1 two
! remove: 'two' is not an id
! see cliphist remove --help
? 2
$ cliphist remove 0
! remove: '0' is not an id
! see cliphist remove --help
? 2
$ cliphist remove
! remove: ID… is missing
! see cliphist remove --help
? 2
$ cliphist list
> 2\ttwo
> 1\tone
