# SPDX-License-Identifier: LGPL-2.1-or-later

== no verb
$ cliphist
! usage:
!...
! options:
!...
? 1

== an unknown verb
$ cliphist no-such-verb
! there is no verb 'no-such-verb'
! usage:
!   cliphist [OPTIONS] VERB [WORDS]
! options:
!   cliphist help lists them, and the verbs
? 1

== help asked for by a flag
$ cliphist -h
! usage:
!...
! options:
!...
$ cliphist -help
! usage:
!...
$ cliphist --help list
! usage:
!...

== help comes before what is wrong after it
$ cliphist -h -x
! usage:
!...

== what is wrong comes before help
$ cliphist -x -h
! flag provided but not defined: -x
!...
? 2

== help asked for as a verb
$ cliphist help
> usage:
>...
> options:
>...
$ cliphist help no-such-verb
! help: there is no verb 'no-such-verb'
! see cliphist help --help
? 2
$ cliphist help lsit
! help: there is no verb 'lsit'
! see cliphist help --help
! Did you mean 'list'?
? 2

== two blanks at least stand before what is said of a verb or an option
$ cliphist help | sed -n '/^verbs:/,$p' | grep '^  ' | grep -vE '^  [^ ]+( [^ ]+)*  +[^ ]'
? 1
$ cliphist help | grep '^  ex'
>   expire ID DURATION|never  have an entry deleted after a while
>   export [FILE [ID…]]       write entries, by default all, as an archive that import and tar read

== every verb explains itself
$ cliphist help | sed -n '/^verbs:/,/^$/s/^  \([a-z-]*\) .*/\1/p' >verbs; grep -x -e store -e help verbs
> store
> help
$ for verb in $(cat verbs); do cliphist $verb --help | grep -q "^  cliphist $verb\( \|$\)" || echo "$verb does not"; done

== the version asked for by a flag
$ cliphist --version
>~ cliphist [0-9.]+

== words that a verb of ours does not know
$ cliphist search --no-such-option word
! search: unknown option '--no-such-option'
! see cliphist search --help
? 2
$ cliphist types
! types: ID is missing
! see cliphist types --help
? 2
$ cliphist types 1 2
! types: unexpected word '2'
! see cliphist types --help
? 2
$ cliphist show one
! show: 'one' is not an id
! see cliphist show --help
? 2
$ cliphist pin 1 two
! pin: 'two' is not an id
! see cliphist pin --help
? 2
$ cliphist pause soon
! pause: a duration is like 30s, 10m or 1h30m, not 'soon'
! see cliphist pause --help
? 2
$ cliphist search
! search: nothing to search for
! see cliphist search --help
? 2
$ cliphist search --class music
! search: --class is text, image, files or other, not 'music'
! see cliphist search --help
? 2
$ cliphist search --since once
! search: --since is like 2h, 3d, today, 09:00 or 2025-12-31, not 'once'
! see cliphist search --help
? 2

== options of ours with a bad value
$ cliphist list --limit
! list: --limit needs a value
! see cliphist list --help
? 2
$ cliphist list --limit 0
! list: --limit takes a number from 1 on, not '0'
! see cliphist list --help
? 2
$ cliphist list --json=yes
! list: --json takes no value
! see cliphist list --help
? 2

== control characters are shown and never sent
$ cliphist show "$(printf '\033[31m')"
! show: '␛[31m' is not an id
!...
? 2
