# SPDX-License-Identifier: LGPL-2.1-or-later
# What the existing tool answers to what it does not understand, word for word.

== a size that is none
$ cliphist -max-store-size x list
! invalid max-store-size value: invalid size: strconv.ParseUint: parsing "x": invalid syntax
? 1
$ cliphist -max-store-size '' list
! invalid max-store-size value: empty size string
? 1
$ cliphist -max-store-size ' ' list
! invalid max-store-size value: empty size string
? 1
$ cliphist -max-store-size -5MB list
! invalid max-store-size value: size cannot be negative
? 1
$ cliphist -max-store-size -5 list
! invalid max-store-size value: invalid size: strconv.ParseUint: parsing "-5": invalid syntax
? 1
$ cliphist -max-store-size 1.5 list
! invalid max-store-size value: invalid size: strconv.ParseUint: parsing "1.5": invalid syntax
? 1
$ cliphist -max-store-size 5XB list
! invalid max-store-size value: invalid number: strconv.ParseFloat: parsing "5X": invalid syntax
? 1
$ cliphist -max-store-size '5 Zib' list
! invalid max-store-size value: invalid number: strconv.ParseFloat: parsing "5 Zi": invalid syntax
? 1
$ cliphist -max-store-size MB list
! invalid max-store-size value: invalid number: strconv.ParseFloat: parsing "": invalid syntax
? 1
$ cliphist -max-store-size 99999999999999999999999 list
! invalid max-store-size value: invalid size: strconv.ParseUint: parsing "99999999999999999999999": value out of range
? 1

$ cliphist -max-store-size 5e400b list
! invalid max-store-size value: invalid number: strconv.ParseFloat: parsing "5e400": value out of range
? 1
$ cliphist -max-store-size 18446744073709551616 list
! invalid max-store-size value: invalid size: strconv.ParseUint: parsing "18446744073709551616": value out of range
? 1
$ cliphist -max-store-size 0x10b list
! invalid max-store-size value: invalid number: strconv.ParseFloat: parsing "0x10": invalid syntax
? 1

== sizes that are larger than any file
$ for size in infb nanb 99999999999gb 18446744073709551615 9223372036854775808 9999999999gib; do printf "$size" | cliphist -max-store-size "$size" store; done; cliphist list | wc -l
> 6

== a preview of any width
$ seq 100000 >numbers; cliphist store <numbers; cliphist -preview-width 100000 list | wc -c
> 100006
$ { printf '1\t'; tr '\n' ' ' <numbers | sed 's/ $//'; } >line; cliphist -preview-width 10000000 list | tr -d '\n' | cmp - line
$ seq 9000 | cliphist store; cliphist -preview-width 9000 list --limit 1 | wc -m
> 9004
$ { printf '\t%5000s' ''; echo word; } | cliphist store; { printf '%70000s' ''; echo words; printf '%5000s'; } | cliphist store
$ cliphist list --limit 2
> 4\twords
> 3\tword

== a variable of several parts
$ CLIPHIST_PREVIEW_WIDTH=7,8 cliphist version 2>&1 | grep preview-width
> preview-width\t8
$ CLIPHIST_DB_PATH='a\,b' cliphist version 2>&1 | grep db-path
> db-path\ta,b
$ CLIPHIST_MAX_STORE_SIZE=x,5kb cliphist version 2>&1 | grep max-store-size
> max-store-size\t5kb
$ CLIPHIST_PREVIEW_WIDTH= cliphist version 2>&1 | grep preview-width
> preview-width\t100
$ for value in 7, , x,7 7,x '$NO_SUCH_VARIABLE'; do CLIPHIST_PREVIEW_WIDTH=$value cliphist list 2>&1 | sed -n 1p; done
> parse error
> parse error
> parse error
> parse error
> parse error

== sizes in every writing
$ for size in 1 1b 1B ' 1 b ' 1e0b +1b 0x1p0b 0.001kb 0.001KB 0.0009765625KiB .001kb 1.b; do printf ab | cliphist -max-store-size "$size" store; done; cliphist list
! opening db: please store something first
? 1
$ for size in 2 2b 0.002kb 0.002Kb 2e-3kb 0.002kB 1kb 1kib 1mb 1MiB 1gb 1Gib 0 0b 0.0GB; do printf ab | cliphist -max-store-size "$size" store || echo "$size"; done; cliphist list
> 15\tab
$ head -c 1001 /dev/zero | tr '\0' x | cliphist -max-store-size 1kb store; head -c 1024 /dev/zero | tr '\0' y | cliphist -max-store-size 1kib store; cliphist list | cut -c 1-4
> 16\ty
> 15\ta

== numbers as Go reads them
$ cliphist -max-items 08 version
! invalid value "08" for flag -max-items: parse error
!...
? 2
$ cliphist -max-items 0b12 version
! invalid value "0b12" for flag -max-items: parse error
!...
? 2
$ cliphist -max-items _10 version
! invalid value "_10" for flag -max-items: parse error
!...
? 2
$ cliphist -max-items 1__0 version
! invalid value "1__0" for flag -max-items: parse error
!...
? 2
$ for n in 0x10 0X_1f 0b101 0o17 017 1_0; do cliphist -max-items $n version 2>&1 | grep max-items; done
> max-items\t16
> max-items\t31
> max-items\t5
> max-items\t15
> max-items\t15
> max-items\t10

== a bad setting is said in a few lines, that it does not scroll away
$ cliphist -max-items x list
! invalid value "x" for flag -max-items: parse error
! usage:
!   cliphist [OPTIONS] VERB [WORDS]
! options:
!   cliphist help lists them, and the verbs
? 2
$ CLIPHIST_MAX_ITEMS=x cliphist list
! parse error
! CLIPHIST_MAX_ITEMS: invalid value "x" for max-items: a number is like 500
! usage:
!...
? 2
$ printf 'preview-width = 9\n' >other; printf a | cliphist -config-path other store; cliphist -config-path other list
> 1\ta
$ CLIPHIST_MAX_STORE_SIZE='= 5MB' cliphist list
! invalid max-store-size value: invalid number: strconv.ParseFloat: parsing "= 5": invalid syntax
? 1

== ids as Atoi reads them
$ printf a | cliphist store
$ printf -- '-5\t' | cliphist decode
! id 18446744073709551611 not found
? 1
$ printf '0x1\t' | cliphist decode
! extracting id: converting id: strconv.Atoi: parsing "0x1": invalid syntax
? 1
$ printf '99999999999999999999\t' | cliphist decode
! extracting id: converting id: strconv.Atoi: parsing "99999999999999999999": value out of range
? 1
$ printf 'a"\\\t' | cliphist decode
! extracting id: converting id: strconv.Atoi: parsing "a\\"\\\\": invalid syntax
? 1
$ printf '1\tx\n7\ty\n' | cliphist decode
>| a

== folders that nobody names
$ unset HOME XDG_CONFIG_HOME; cliphist list
! neither $XDG_CONFIG_HOME nor $HOME are defined
? 1
$ XDG_CONFIG_HOME=config cliphist list
! path in $XDG_CONFIG_HOME is relative
? 1
$ XDG_CONFIG_HOME=config cliphist -config-path other list
! opening db: please store something first
? 1
$ cliphist -db-path '' list
! opening db: open db: open : no such file or directory
? 1

== standard input that is closed is empty
$ cliphist store <&-; cliphist list
$ cliphist decode <&-
! extracting id: input not prefixed with id
? 1
$ printf a | cliphist store; cliphist delete <&-; cliphist list
> 1\ta

== standard input that is a folder
$ cliphist store </
! read stdin: read /dev/stdin: is a directory
? 1
$ cliphist delete </
! read stdin: read /dev/stdin: is a directory
? 1
$ cliphist decode </
! read stdin: read /dev/stdin: is a directory
? 1

== a full disk
$ printf a | cliphist store; cliphist decode 1 >/dev/full
! writing out: write /dev/stdout: no space left on device
? 1

== a variable that a readme misspells does nothing
$ CLIPHIST_MAX_DEDEUPE_SEARCH=x cliphist version 2>&1 | grep dedupe
> max-dedupe-search\t-1

== settings come with the call, whoever does the work
$ for n in 1 2 3 4 5; do printf $n | cliphist store; done
$ printf 6 | CLIPHIST_MAX_ITEMS=4 cliphist store; cliphist list | wc -l
> 4
$ printf 7 | CLIPHIST_MAX_ITEMS=2 cliphist -max-items 3 store; cliphist list | wc -l
> 3
$ mkdir -p config/cliphist; echo 'min-store-length 2' >config/cliphist/config
$ printf a | CLIPHIST_MIN_STORE_LENGTH=1 cliphist store; printf b | cliphist -min-store-length 1 store; cliphist list | head -n 2
> 8\tb
> 7\t7
$ rm config/cliphist/config; echo 8 | cliphist delete
$ printf 8 | CLIPHIST_MAX_ITEMS=2 cliphist store; cliphist list
> 9\t8
> 7\t7
$ printf ab | CLIPHIST_MAX_STORE_SIZE=1 cliphist store; printf c | CLIPHIST_MIN_STORE_LENGTH=2 cliphist store; cliphist list | head -n 1
> 9\t8

== checks of store in their order
$ printf 'secret' | CLIPBOARD_STATE=sensitive cliphist -max-store-size 0 store; cliphist list
! opening db: please store something first
? 1
$ printf ' ' | cliphist -min-store-length 2 store; cliphist list
! opening db: please store something first
? 1
$ printf ' ' | cliphist -min-store-length 1 store; cliphist list
$ printf '   ' | cliphist -min-store-length 3 store; cliphist list
$ printf a | CLIPBOARD_STATE=data CLIPBOARD_TYPE=text/html cliphist store; cliphist types 1
> text/html
$ printf '\211PNG\r\n\032\n\0\0\0\rIHDR\0\0\0\12\0\0\0\24\10\2\0\0\0;\214;\1' | CLIPBOARD_TYPE=image/png cliphist store; cliphist types 2; cliphist list | head -n 1
> image/png
> 2\t[[ binary data 33 B png 10x20 ]]
$ printf b | CLIPBOARD_TYPE='é' cliphist store; cliphist types 3
> text/plain;charset=utf-8
