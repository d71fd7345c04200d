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
>~ \{"id":2,.*"preview":"nothing of note","match":\{"offset":11,"length":4\},"snippet":"nothing of note","tags":\[\]\}

== search shows the match
$ (seq 30 60 | tr '\n' ' '; echo needle in a haystack) | cliphist store
$ cliphist -preview-width 20 search NEEDLE
> 1\t…9 60 needle in a hay…
$ cliphist search haystack
> 1\t…57 58 59 60 needle in a haystack
$ cliphist -preview-width 5 search --regex '\b3[0-9] 3'
> 1\t30 31…
$ TERM=xterm script -qc 'cliphist -preview-width 20 search needle' /dev/null </dev/null
> 1\t…9 60 \e[1;7mneedle\e[0m in a hay…\r
$ TERM=xterm NO_COLOR=1 script -qc 'cliphist -preview-width 20 search needle' /dev/null </dev/null
> 1\t…9 60 needle in a hay…\r

== what a search prints is safe for a terminal, also behind a pipe
$ printf 'needle \033[31m \033]52;c;eA==\007 \302\2335m' | cliphist store
$ cliphist search needle | grep needle
> 1\tneedle ␛[31m ␛]52;c;eA==␇ �5m
$ cliphist search --regex 'eA' | cat
> 1\tneedle ␛[31m ␛]52;c;eA==␇ �5m
$ cliphist list
> 1\tneedle \e[31m \e]52;c;eA==\x07 \xc2\x9b5m

== a list is filtered as a search is
$ printf 'a note' | cliphist store; printf 'another note' | cliphist store; printf 'a link' | cliphist store
$ cliphist pin 1; cliphist pin 3; cliphist tag 2 work
$ cliphist list --pinned
> 3\ta link
> 1\ta note
$ cliphist list --pinned --limit 1
> 3\ta link
$ cliphist list --tag work
> 2\tanother note
$ cliphist list --regex 'n.te$' --before 2
> 1\ta note
$ cliphist list --class image
$ cliphist list --class picture
! list: --class is text, image, files or other, not 'picture'
! see cliphist list --help
? 2

== search: words and filters together
$ printf 'a note' | cliphist store; printf 'another note' | cliphist store; cliphist pin 1
$ cliphist search --pinned note
> 1\ta note
$ cliphist search --tag work note
$ cliphist search --class text --regex '^a ' note
> 1\ta note
$ cliphist search --type text/plain other
> 2\tanother note

== search: an expression that takes too long in one entry
$ printf 'a.Aa' | cliphist store; head -c 5000 /dev/zero | tr '\0' a | cliphist store
$ cliphist search --regex '^(([a-z])+.)+[A-Z]([a-z])+$'
> 1\ta.Aa
! 1 entry was left out: the expression takes too long in it

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

== show: of what is no text, a line
$ head -c 70000 /dev/zero | tr '\0' '\377' | cliphist store; cliphist show 1 | tail -n +6 | sed 's/\xef\xbf\xbd/?/g;s/\xe2\x80\xa6/./' | tr -s '?'
> ?.
$ cliphist show 1 | wc -c | grep -c '^[34]..$'
> 1

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
! store: nothing was kept: the history is paused; “cliphist resume” ends that
> 1\tone
$ cliphist resume; printf two | cliphist store; cliphist list
> 2\ttwo
> 1\tone
$ cliphist pause 1h; printf three | cliphist store; cliphist list | head -n 1
! store: nothing was kept: the history is paused; “cliphist resume” ends that
> 2\ttwo
$ printf secret | CLIPBOARD_STATE=sensitive cliphist store

== a pause and its end are in force for the next command
$ printf 0 | cliphist store; for i in 1 2 3 4 5 6 7 8; do cliphist pause 1h; printf "p$i" | cliphist store; cliphist resume; printf "q$i" | cliphist store; done
! store: nothing was kept: the history is paused; “cliphist resume” ends that
! store: nothing was kept: the history is paused; “cliphist resume” ends that
! store: nothing was kept: the history is paused; “cliphist resume” ends that
! store: nothing was kept: the history is paused; “cliphist resume” ends that
! store: nothing was kept: the history is paused; “cliphist resume” ends that
! store: nothing was kept: the history is paused; “cliphist resume” ends that
! store: nothing was kept: the history is paused; “cliphist resume” ends that
! store: nothing was kept: the history is paused; “cliphist resume” ends that
$ cliphist list | cut -f 2 | tr '\n' ' '
>| q8 q7 q6 q5 q4 q3 q2 q1 0 

== a pause before there is a history
$ cliphist pause; printf one | cliphist store; cliphist resume; printf two | cliphist store; cliphist list
! store: nothing was kept: the history is paused; “cliphist resume” ends that
> 1\ttwo

== status
$ printf one | cliphist store; cliphist pin 1; cliphist status | sed '/^watches /d'
>~ history   /.*/state/cliphist
> entries   1, 1 of them pinned, 3 B
> limits    max-items 10000, max-total-size 10GiB, max-store-size 4GiB
>~ daemon    .*
$ cliphist status --json
>~ \{"store":"/.*/state/cliphist","count":1,"bytes":3,"pinned":1,"removing":false,"paused_until_us":0,"over":\[\],"set_aside":0,"disk":\{"low":(true|false),"min_free":[0-9]+\},"daemon":.*\}
$ cliphist -min-free-space 900TiB status | grep '^disk'
>~ disk      almost full, .* are left and min-free-space is 900TiB: a small copy takes .*

== status: that no entry is to be kept is a limit
$ cliphist -max-items 0 status | grep '^limits'
> limits    max-items 0, max-total-size 10GiB, max-store-size 4GiB
$ CLIPHIST_MAX_ITEMS=-1 cliphist status | grep '^limits'
> limits    max-total-size 10GiB, max-store-size 4GiB

== status: a pause, and what a limit has not taken
$ for word in one two three; do printf $word | cliphist store; done; cliphist pause
$ TZ=UTC cliphist status | sed '/^daemon/d; /^history/d; /^limits/d; /^watches/d'
> entries   3, 0 of them pinned, 11 B
> paused    until resumed
$ cliphist doctor
>...
> paused    until resumed
$ cliphist status --json | grep -o '"paused_until_us":[-0-9]*,"over":[^,]*'
> "paused_until_us":-1,"over":[]
$ cliphist resume; cliphist status | grep paused
? 1
$ cliphist pause 1h; cliphist status | grep -c 'paused    until [0-9]'
> 1
$ mkdir -p "$XDG_CONFIG_HOME/cliphist"; echo max-items 1 >"$XDG_CONFIG_HOME/cliphist/config"
$ cliphist status --json | grep -o '"over":[^,]*'
> "over":["max-items"]

== copy without a display
$ printf one | cliphist store
$ cliphist copy 1
!~ .+
? 1
$ cliphist copy 99
!~ .+
? 1

== copy of nothing, as of a picker that was cancelled; of a blank, which is none; without a picker
$ : | cliphist copy
$ printf ' \n' | cliphist copy
! copy: nothing was put on the clipboard: there is nothing but blanks in it
? 1
$ cliphist copy </dev/null
! copy: ID is missing
! see cliphist copy --help
? 2

== compact
$ printf one | cliphist store
$ cliphist compact
$ cliphist list
> 1\tone

== search: an expression that takes too long again and again
$ for n in $(seq 30); do { printf "$n "; head -c 5000 /dev/zero | tr '\0' a; } | cliphist store; done
$ cliphist search --regex '^[0-9]+ (([a-z])+.)+[A-Z]([a-z])+$'
!~ search: it takes too long: given up in \d\d entries
? 1
$ cliphist search --pinned --regex '^[0-9]+ (([a-z])+.)+[A-Z]([a-z])+$'
