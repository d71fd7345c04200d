# SPDX-License-Identifier: LGPL-2.1-or-later
# The flags before the verb, as the flag package of Go reads them.

== one dash and a word
$ cliphist -preview-width 7 version
!...
! preview-width\t7
!...

== one dash and an equals sign
$ cliphist -preview-width=7 version
!...
! preview-width\t7
!...

== two dashes and a word
$ cliphist --preview-width 7 version
!...
! preview-width\t7
!...

== two dashes and an equals sign
$ cliphist --preview-width=7 version
!...
! preview-width\t7
!...

== the last one wins
$ cliphist -preview-width 7 -preview-width=8 --preview-width 9 version
!...
! preview-width\t9
!...

== numbers as literals of Go
$ cliphist -max-items 0x10 -max-dedupe-search 0b101 -min-store-length 017 -preview-width 1_000 version
!...
! max-dedupe-search\t5
! max-items\t16
!...
! min-store-length\t15
!...
! preview-width\t1000
!...

== flags end at the verb
$ cliphist -preview-width 7 version -preview-width 8
!...
! preview-width\t7
!...
$ cliphist version -no-such-flag
!...
! preview-width\t100
!...

== flags end at two dashes
$ cliphist -preview-width 7 -- version
!...
! preview-width\t7
!...

== a value may look like a flag
$ cliphist -db-path -x version
!...
! db-path\t-x
!...

== an unknown flag
$ cliphist -x list
! flag provided but not defined: -x
! usage:
!...
! options:
!...
? 2
$ cliphist --no-such-flag=3 list
! flag provided but not defined: -no-such-flag
! usage:
!...
? 2
$ for flag in '-max-item 5' --max-item=5 '-max-items max-item'; do cliphist $flag list 2>&1 | head -n 2; done
> flag provided but not defined: -max-item
> Did you mean '-max-items'?
> flag provided but not defined: -max-item
> Did you mean '-max-items'?
> invalid value "max-item" for flag -max-items: parse error
> usage:

== a bad number
$ cliphist -max-items x list
! invalid value "x" for flag -max-items: parse error
! usage:
!...
? 2
$ cliphist -max-items= list
! invalid value "" for flag -max-items: parse error
! usage:
!...
? 2
$ cliphist -max-items -1 list
! invalid value "-1" for flag -max-items: parse error
! usage:
!...
? 2
$ cliphist -preview-width 99999999999999999999 list
! invalid value "99999999999999999999" for flag -preview-width: value out of range
! usage:
!...
? 2

== a word that is none of those
$ cliphist -picker tofi list
! parse error
! picker is one of auto rofi fuzzel wofi bemenu dmenu fzf, not 'tofi'
!...
? 2
$ cliphist -persist=sometimes version
! parse error
!...
? 2

== a bad number is quoted
$ cliphist -max-items "$(printf 'a"\033\tb\377é')" list
! invalid value "a\\"\\x1b\\tb\\xffé" for flag -max-items: parse error
!...
? 2

== a missing value
$ cliphist -max-items
! flag needs an argument: -max-items
! usage:
!...
? 2

== a flag without a name
$ cliphist -=3 list
! bad flag syntax: -=3
!...
? 2
$ cliphist ---max-items 3 list
! bad flag syntax: ---max-items
!...
? 2

== a bad size fails every verb
$ cliphist -max-store-size x list
! invalid max-store-size value: invalid size: strconv.ParseUint: parsing "x": invalid syntax
? 1
$ cliphist -max-store-size x version
! invalid max-store-size value: invalid size: strconv.ParseUint: parsing "x": invalid syntax
? 1
$ echo a | cliphist -max-store-size x store
! invalid max-store-size value: invalid size: strconv.ParseUint: parsing "x": invalid syntax
? 1
$ cliphist -max-store-size x -max-store-size 5MB version
!...

== a size in any writing
$ cliphist -max-store-size ' 1.5 KiB ' version
!...
! max-store-size\t 1.5 KiB 
!...

== a switch needs no value
$ cliphist -notify=no version
!...
! notify\tno
!...
$ cliphist -notify version
!...
! notify\ttrue
!...
$ cliphist -notify=perhaps version
! invalid boolean value "perhaps" for -notify: parse error
!...
? 2

== a single dash is no flag
$ cliphist - list
! there is no verb '-'
! usage:
!...
? 1
