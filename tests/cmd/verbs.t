# SPDX-License-Identifier: LGPL-2.1-or-later
# The verbs that the existing tool does not have.

== search
$ printf 'Grüße aus Köln' | cliphist store; printf 'nothing of note' | cliphist store; printf 'KÖLN and aus' | cliphist store
$ cliphist search köln
> 3\tKÖLN and aus
> 1\tGrüße aus Köln
$ cliphist search aus grüße
> 1\tGrüße aus Köln
$ cliphist search --limit 1 aus
> 3\tKÖLN and aus
$ cliphist search no-such-text
$ cliphist search --regex '^n.*te$'
> 2\tnothing of note
$ cliphist search --regex '('
!~ .+
? 1
$ cliphist search --since 1h note
> 2\tnothing of note
$ cliphist search --since 2999-01-01 note
$ cliphist search --since 2001-12-31T23:59 note
> 2\tnothing of note
$ cliphist search --class image
$ cliphist search --class text --limit 1
> 3\tKÖLN and aus
$ cliphist search --json note
>~ \{"id":2,.*"preview":"nothing of note"\}

== show
$ printf 'one\n\033[31mtwo' | cliphist store; TZ=UTC cliphist show 1
> id        1
> class     text
> type      text/plain;charset=utf-8, 12 B
>~ copied    \d\d\d\d-\d\d-\d\d \d\d:\d\d:\d\d
>...
> 
> one
> ␛[31mtwo
$ cliphist show --json 1
>~ \{"id":1,.*"contents":\[\{"mime":"text/plain;charset=utf-8","size":12\}\],"tags":\[\]\}

== types
$ printf one | cliphist store
$ cliphist types 1
> text/plain;charset=utf-8
$ cliphist types --json 1
> {"mime":"text/plain;charset=utf-8","size":3}
$ cliphist types 2
! id 2 not found
? 1

== paused, nothing is kept
$ printf one | cliphist store; cliphist pause; printf two | cliphist store; cliphist list
> 1\tone
$ cliphist resume; printf two | cliphist store; cliphist list
> 2\ttwo
> 1\tone
$ cliphist pause 1h; printf three | cliphist store; cliphist list | head -n 1
> 2\ttwo

== status
$ printf one | cliphist store; cliphist pin 1; cliphist status
>~ history    /.*/state/cliphist
> entries    1, 1 of them pinned, 3 B
>~ daemon     .*
$ cliphist status --json
>~ \{"store":"/.*/state/cliphist","count":1,"bytes":3,"pinned":1,"daemon":.*\}

== copy without a display
$ printf one | cliphist store
$ cliphist copy 1
!~ .+
? 1
$ cliphist copy 99
!~ .+
? 1

== compact is yet to come
$ printf one | cliphist store
$ cliphist compact
!~ .+
? 1
