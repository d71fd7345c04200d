# SPDX-License-Identifier: LGPL-2.1-or-later
# What names an entry: an id, its line, a tag.

== a line of the list, and a tag
$ for n in 1 2 3; do printf "entry $n" | cliphist store; done; cliphist tag 1 sig; cliphist tag 2 sig work
$ cliphist paste "$(cliphist list | head -n 1)"
>| entry 3
$ cliphist paste tag:sig
>| entry 2
$ cliphist list | tail -n 1 | cliphist paste -
>| entry 1
$ cliphist remove tag:work; cliphist paste tag:sig
>| entry 1
$ cliphist pin tag:sig; cliphist list --pinned
> 1\tentry 1
$ cliphist paste tag:none
! no entry has the tag 'none'
? 1
$ cliphist paste abc
! paste: 'abc' is not an id
! see cliphist paste --help
? 2

== the handle lasts where the id does not
$ printf 'my signature' | cliphist store; cliphist tag 1 sig; printf other | cliphist store; printf 'my signature' | cliphist store
$ cliphist list
> 3\tmy signature
> 2\tother
$ cliphist paste tag:sig
>| my signature

== a tag in other letters finds entries, and names none
$ printf a | cliphist store; cliphist tag 1 Keep; cliphist list --tag keep
> 1\ta
$ cliphist paste tag:keep
! no entry has the tag 'keep'
? 1
$ cliphist remove tag:keep
! no entry has the tag 'keep'
? 1
$ cliphist paste tag:Keep
>| a

== a picker that was cancelled says nothing
$ printf a | cliphist store; cliphist insert </dev/null
! insert: ID is missing
! see cliphist insert --help
? 2
$ : | cliphist insert
? 1
$ printf '77\tx\n' | cliphist paste -
! id 77 not found
? 1

== decode and delete keep to their contract
$ printf a | cliphist store; cliphist tag 1 sig; cliphist decode tag:sig
! extracting id: converting id: strconv.Atoi: parsing "tag:sig": invalid syntax
? 1

== since when
$ printf a | cliphist store; cliphist list --since today; cliphist list --since yesterday; cliphist list --since 00:00
> 1\ta
> 1\ta
> 1\ta
$ cliphist list --since 25:00
! list: --since is like 2h, 3d, today, 09:00 or 2025-12-31, not '25:00'
! see cliphist list --help
? 2

== the tags that there are
$ cliphist tags; printf a | cliphist store; printf b | cliphist store; cliphist tags
$ cliphist tag 1 work sig; cliphist tag 2 work; cliphist tags; cliphist tags --json
> sig\t1
> work\t2
> {"tag":"sig","count":1}
> {"tag":"work","count":2}
$ cliphist remove 1; cliphist tags
> work\t1

== a line feed in a tag makes no line of its own
$ printf a | cliphist store; gdbus call --session -d org.cliphist.History1 -o /org/cliphist/History1 -m org.cliphist.History1.SetTags 1 "['one\\n2\\ttwo']" "{}"; cliphist tags
> ()
> one␊2␉two	1
$ cliphist show 1 | grep -c two; cliphist show 1 | grep -o 'one.*two'
> 1
> one␊2␉two

== one id of a file leaves the others to what reads next
$ printf one | cliphist store; printf two | cliphist store; printf '1\n2\n' >ids; (cliphist show - --json; cliphist show - --json) <ids | grep -o '"id":[0-9]*'
> "id":1
> "id":2

== a tag is one word
$ printf a | cliphist store; cliphist tag 1 good 'two words'
! tag: a tag cannot have blanks or commas: 'two words'
! see cliphist tag --help
? 2
$ cliphist tag 1 $(printf %0257d 0)
! tag: a tag is longer than 256 bytes
! see cliphist tag --help
? 2
$ cliphist tag 1 'a,b' 2>/dev/null
? 2
$ cliphist tags
