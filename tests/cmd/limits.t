# SPDX-License-Identifier: LGPL-2.1-or-later
# What goes by itself, or because there is too much.

== an entry whose time has come is not there any more
$ printf one | cliphist store; printf two | cliphist store
$ cliphist expire 2 0s
$ cliphist list
> 1\tone
$ cliphist decode 2
!~ .+
? 1
$ cliphist expire 1 never
$ cliphist list
> 1\tone

== expire: what it takes
$ printf one | cliphist store
$ cliphist expire 1 soon
!~ .*a duration is like.*
!...
? 2
$ cliphist expire x 1h
!~ .+
!...
? 2
$ cliphist expire 9 1h
! id 9 not found
? 1
$ cliphist expire 1 1h; cliphist show --json 1
>~ .*"expires_us":[1-9][0-9]{15}.*

== a file that would take more than a tenth takes nothing
$ mkdir -p config/cliphist; for i in 1 2 3 4 5 6 7 8 9; do echo $i | cliphist store; done
$ echo 'max-items 3' > config/cliphist/config; echo 10 | cliphist store; cliphist list | wc -l
> 10
$ cliphist trim --dry-run
> 7 entries would go
$ cliphist trim --json --dry-run
> {"removed":7,"dry_run":true}
$ cliphist trim
> 7 entries removed
$ cliphist list
> 10\t10
> 9\t9
> 8\t8
$ echo 11 | cliphist store; cliphist list | wc -l
> 3
$ cliphist trim
> 0 entries removed

== a flag or a variable is obeyed at once
$ for i in 1 2 3 4 5 6; do echo $i | cliphist store; done
$ echo 7 | CLIPHIST_MAX_ITEMS=5 cliphist store; cliphist list | wc -l
> 5
$ echo 8 | cliphist -max-items 2 store; cliphist list | wc -l
> 2
$ cliphist -max-items 1 trim
> 1 entry removed

== another file is no flag
$ for i in 1 2 3 4 5 6; do echo $i | cliphist store; done; echo 'max-items 1' > other
$ echo 7 | cliphist -config-path other store; cliphist list | wc -l
> 7

== a limit of nothing empties no history
$ mkdir -p config/cliphist; echo one | cliphist store; echo 'max-items 0' > config/cliphist/config
$ echo two | cliphist store; cliphist list
> 2\ttwo
> 1\tone

== what is pinned stays
$ echo one | cliphist store; echo two | cliphist store; cliphist pin 1
$ cliphist -max-age 1ms trim
> 1 entry removed
$ cliphist expire 1 0s; cliphist list
> 1\tone

== max-age: what it takes
$ cliphist -max-age soon list
! parse error
!~ .*max-age.*
!...
? 2
$ cliphist -max-age 0 list
!~ .+
? 1

== pin: all of them or none
$ echo one | cliphist store; cliphist pin 1 99
! id 99 not found
? 1
$ cliphist search --pinned one

== tags
$ echo one | cliphist store; cliphist tag 1 work home; cliphist tag 1 work later
$ cliphist show --json 1
>~ .*"tags":\["work","home","later"\].*
$ cliphist search --tag later one
> 1\tone
$ cliphist untag 1 home; cliphist show --json 1
>~ .*"tags":\["work","later"\].*
$ cliphist untag 1 work nope
! entry 1 has no tag 'nope'
? 1
$ cliphist show --json 1
>~ .*"tags":\["work","later"\].*
$ cliphist untag 1; cliphist show --json 1; cliphist untag 1
>~ .*"tags":\[\].*
$ cliphist tag 9 work
! id 9 not found
? 1
$ cliphist tag 1 ok ''
! tag: a tag cannot be empty
! see cliphist tag --help
? 2
$ cliphist tag 1 ok "$(printf '\377')"
! tag: a tag has to be text in UTF-8
! see cliphist tag --help
? 2
$ cliphist show --json 1
>~ .*"tags":\[\].*
