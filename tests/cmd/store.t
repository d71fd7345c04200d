# SPDX-License-Identifier: LGPL-2.1-or-later

== what is stored is listed and decoded
$ printf 'hello\n' | cliphist store
$ cliphist list
> 1\thello
$ cliphist decode 1
> hello

== nothing is added, nothing is lost
$ printf 'no line feed' | cliphist store
$ cliphist decode 1
>| no line feed
$ head -c 300000 /dev/urandom >random; cliphist store <random; cliphist decode 2 | cmp - random
$ seq 100000 >file; cat file | cliphist store; cliphist decode 3 | cmp - file
$ cliphist decode 3 >out; cmp out file
$ cliphist decode 3 >>out; cat file file | cmp - out

== what comes from a file has been read from it
$ printf 'one\ntwo\n' >file; { cliphist store; cat; } <file
$ { read line; cliphist store; cat; } <file
$ cliphist list
> 2\ttwo
> 1\tone two
$ printf ' \n' >blank; { cliphist store; cat; } <blank
$ seq 100000 >file; { cliphist store; echo end >&0; } 0<>file; cliphist decode 3 >out; echo end >>out; cmp out file

== what is not stored has not been read
$ printf one | cliphist store
$ printf two >file; { cliphist -max-store-size 2 store; cat; } <file
>| two

== the newest is first
$ printf one | cliphist store; printf two | cliphist store; printf three | cliphist store
$ cliphist list
> 3\tthree
> 2\ttwo
> 1\tone

== the same again moves to the top, under a new id
$ for word in one two one; do printf $word | cliphist store; done
$ cliphist list
> 3\tone
> 2\ttwo
$ cliphist decode 1
! id 1 not found
? 1

== the same again, searched no further than asked
$ for word in a b c; do printf $word | cliphist store; done
$ printf a | cliphist -max-dedupe-search 1 store; cliphist list
> 4\ta
> 3\tc
> 2\tb
> 1\ta
$ printf c | cliphist -max-dedupe-search 1 store; cliphist list
> 5\tc
> 4\ta
> 2\tb
> 1\ta
$ printf c | cliphist -max-dedupe-search 0 store; cliphist list | head -n 2
> 6\tc
> 4\ta

== blanks are dropped, but make a history
$ printf ' \n\t' | cliphist store
$ cliphist list

== blanks of Unicode are dropped
$ printf '\302\240\342\200\203\343\200\200\302\205\v\f' | cliphist store; cliphist list
$ cliphist store </dev/null; cliphist list

== what is too large is dropped
$ printf 123456 | cliphist -max-store-size 5 store; cliphist list
! opening db: please store something first
? 1
$ printf 12345 | cliphist -max-store-size 5 store; cliphist list
> 1\t12345
$ printf 123456 | cliphist -max-store-size 0 store; cliphist list
> 2\t123456
> 1\t12345
$ head -c 2000 /dev/zero | tr '\0' x | cliphist -max-store-size 1kb store; cliphist list
> 2\t123456
> 1\t12345

== what is too short is dropped, by what people take for characters
$ printf 'e\314\201' | cliphist -min-store-length 2 store; cliphist list
! opening db: please store something first
? 1
$ printf 'e\314\201%.0s' $(seq 2000) | cliphist -min-store-length 2001 store; cliphist list
! opening db: please store something first
? 1
$ printf 'e\314\201x' | cliphist -min-store-length 2 store; cliphist list
>~ 1\t.*x
$ printf 'a\n' | cliphist -min-store-length 2 store; cliphist list | head -n 1
> 2\ta

== the limit of items holds for the call
$ for n in 1 2 3 4; do printf $n | cliphist store; done
$ printf 5 | cliphist -max-items 3 store; cliphist list
> 5\t5
> 4\t4
> 3\t3
$ printf 6 | CLIPHIST_MAX_ITEMS=2 cliphist store; cliphist list
> 6\t6
> 5\t5
$ printf 7 | cliphist store -max-items 1; cliphist list
> 7\t7
> 6\t6
> 5\t5
$ printf 8 | cliphist -max-items 0 store; cliphist list

== ids are never used again
$ printf a | cliphist store; cliphist wipe; printf b | cliphist store; cliphist list
> 2\tb

== a secret is neither read nor kept
$ mkfifo pipe; exec 3<>pipe; CLIPBOARD_STATE=sensitive cliphist store <&3
$ printf secret | CLIPBOARD_STATE=sensitive cliphist store; cliphist list
! opening db: please store something first
? 1
$ for state in Sensitive ' sensitive' "$(printf 'sensitive\r')" x-sensitive; do printf secret | CLIPBOARD_STATE="$state" cliphist store; done; cliphist list
! opening db: please store something first
? 1
$ for type in org.nspasteboard.ConcealedType 'x-kde-passwordManagerHint ' "$(printf 'x-kde-passwordManagerHint\351')" 'Clipboard Viewer Ignore'; do printf secret | CLIPBOARD_TYPE="$type" cliphist store; done; cliphist list
! opening db: please store something first
? 1
$ printf secret | CLIPBOARD_TYPE=x-kde-passwordManagerHint cliphist store; cliphist list
! store: nothing was kept: the clipboard holds or held a secret, or what an ignore- setting excludes
! opening db: please store something first
? 1
$ printf secret | CLIPBOARD_STATE=sensitive cliphist copy
! copy: nothing was put on the clipboard: the clipboard holds or held a secret, or what an ignore- setting excludes
? 1

== a cleared clipboard takes the newest with it
$ printf a | cliphist store; printf b | cliphist store
$ CLIPBOARD_STATE=clear cliphist store </dev/null; cliphist list
> 1\ta
$ CLIPBOARD_STATE=clear cliphist store </dev/null; CLIPBOARD_STATE=clear cliphist store </dev/null; cliphist list

== any other state stores
$ for state in data nil unheard-of ''; do printf "[$state]" | CLIPBOARD_STATE=$state cliphist store; done; cliphist list
> 4\t[]
> 3\t[unheard-of]
> 2\t[nil]
> 1\t[data]
$ printf b | CLIPBOARD_STATE=sensitive cliphist list | head -n 1
> 4\t[]

== the type is what the caller says, or what the bytes are
$ printf '<b>x</b>' | CLIPBOARD_TYPE=text/html cliphist store; cliphist types 1
> text/html
$ printf 'plain' | cliphist store; cliphist types 2
> text/plain;charset=utf-8
$ printf 'a\000\377' | cliphist store; cliphist types 3
> application/octet-stream

== a history of its own for each path
$ printf a | cliphist -db-path one store; printf b | cliphist -db-path two store
$ cliphist -db-path one list; cliphist -db-path two list
> 1\ta
> 1\tb
$ cliphist list 2>/dev/null | wc -l
> 0

== a link reads variables of its own name here, too
$ ln -s "$(command -v cliphist)" my-hist
$ for n in 1 2 3; do printf $n | MY_HIST_MAX_ITEMS=2 CLIPHIST_MAX_ITEMS=1 ./my-hist store; done; cliphist list
> 3\t3
> 2\t2

== what this call is not to keep, by the environment, a flag, another file
$ printf a | cliphist store; printf foobar | CLIPHIST_IGNORE_PATTERN='^foo' cliphist store; cliphist list
> 1\ta
$ printf foobar | cliphist -ignore-pattern '^foo' store; printf barfoo | cliphist -ignore-pattern '^foo' store; cliphist list
> 2\tbarfoo
> 1\ta
$ echo 'ignore-pattern bar$' >other; printf foobar | cliphist -config-path other store; cliphist list | head -n 1
> 2\tbarfoo
$ printf '\211PNG\r\n\032\n\0\0\0\rIHDR\0\0\0\12\0\0\0\24\10\2\0\0\0;\214;\1' >picture
$ cliphist -ignore-mime 'image/*' store <picture; CLIPHIST_IGNORE_MIME='text/*' cliphist store <picture; cliphist list | head -n 2
> 3\t[[ binary data 33 B png 10x20 ]]
> 2\tbarfoo
$ printf foo | CLIPHIST_IGNORE_MIME='text/*' cliphist store; cliphist list | wc -l
> 3
$ printf foo | CLIPHIST_IGNORE_MIME='text/*' cliphist copy
! copy: nothing was put on the clipboard: an ignore-pattern or an ignore-mime matches it
? 1

== a pattern sees a text in UTF-16, also without a name
$ printf 'pw:7' | iconv -t UTF-16LE >wide; CLIPBOARD_TYPE='text/plain;charset=utf-16' cliphist -ignore-pattern '^pw:' store <wide
$ cliphist -ignore-pattern '^pw:' store <wide; cliphist -ignore-pattern '^pw$' store <wide; cliphist list
> 1\tpw:7

== what was to keep something out and is no expression keeps everything out
$ printf foobar | cliphist -ignore-pattern '(' store
!~ .+
? 1
$ cliphist list
! opening db: please store something first
? 1

== a flag that would keep nothing out is refused
$ echo foobar | cliphist -ignore-app 'fire*' store
! -ignore-app has no effect on the command line: write it into the configuration file
? 2
$ echo foobar | cliphist -ignore-app 'fire*' import
! -ignore-app has no effect on the command line: write it into the configuration file
? 2
$ cliphist list
! opening db: please store something first
? 1
