# SPDX-License-Identifier: LGPL-2.1-or-later
# A setting, read and written.

== what a setting is
$ cliphist config max-items
> 10000
$ cliphist config no-such
! config: there is no setting 'no-such': “cliphist config” lists them
! see cliphist config --help
? 2

== all of them, as they would stand in the file
$ mkdir -p config/cliphist; printf 'ignore-mime a/b\nignore-mime c/d\nmax-items 5\n' >config/cliphist/config; cliphist config >all; head -n 3 all; grep ignore all
> max-items 5
> max-dedupe-search -1
> min-store-length 0
> ignore-mime a/b
> ignore-mime c/d
$ cp all config/cliphist/config; cliphist config | diff all -; cliphist -max-age 7d config | diff all - | grep '[<>]'
> < max-age 0
> > max-age 7d

== a value may be less than nothing
$ cliphist config max-dedupe-search -1; cat config/cliphist/config
> max-dedupe-search -1
$ cliphist config --no-such
! config: unknown option '--no-such'
! see cliphist config --help
? 2

== one line changes, and the others stay
$ mkdir -p config/cliphist; printf '# mine\nmax-items 5\nignore-mime a/b\n\nmax-items 7\n' >config/cliphist/config; cliphist config max-items
> 7
$ cliphist config max-items 12; cat config/cliphist/config
> # mine
> ignore-mime a/b
> 
> max-items 12

== of many calls at once each changes its line
$ for setting in 'max-items 5' 'max-age 1d' 'min-store-length 2' 'max-store-size 1MiB' 'max-total-size 1GiB' 'min-free-space 1%' 'notify no' 'picker fzf'; do cliphist config $setting & done; wait; sort config/cliphist/config
> max-age 1d
> max-items 5
> max-store-size 1MiB
> max-total-size 1GiB
> min-free-space 1%
> min-store-length 2
> notify no
> picker fzf

== a lock that another program keeps on the folder is waited for, but not for ever
$ mkfifo go; mkdir -p config/cliphist; { flock 9; echo held >go; read go <go; } 9<config/cliphist & read held <go; cliphist config max-items 5; echo $?; echo >go; wait
!~ '.*/config/cliphist/config' is not changed: another program keeps its folder locked
> 1
$ cliphist config max-items 6; ls config/cliphist; cat config/cliphist/config
> config
> max-items 6

== what a call leaves that ends in the middle goes with the next
$ mkdir -p config/cliphist; echo 'max-items 5' >config/cliphist/config; sh -c 'ulimit -f 0; cliphist config max-items 6; :' 2>sh; cat config/cliphist/config; ls config/cliphist | wc -l
> max-items 5
> 2
$ cliphist config max-items 7; ls -A config/cliphist; cat config/cliphist/config
> config
> max-items 7

== the file keeps its rights, and a new one is for its owner alone
$ mkdir -p config/cliphist; cliphist config max-items 5; stat -c %a config/cliphist/config; chmod 664 config/cliphist/config; (umask 077; cliphist config max-items 6); stat -c %a config/cliphist/config
> 600
> 664

== a limit that keeps nothing is written, and told of at once
$ cliphist config max-items 0; cliphist config max-items; cliphist config max-total-size 0; cliphist config max-items -1
> 0
! max-items: 0 keeps nothing but what is pinned; -1 is no limit

== what cannot be read changes nothing
$ mkdir -p config/cliphist; echo 'max-items 5' >config/cliphist/config; cliphist config max-items many
! invalid value "many" for max-items: a number is like 500
? 2
$ for setting in 'max-age 30days' 'max-store-size 5mbit' 'min-free-space 500%' 'notify maybe'; do cliphist config $setting; done
! invalid value "30days" for max-age: a duration is like 30s, 12h or 90d
! invalid value "5mbit" for max-store-size: a size is like 500KiB, 20MiB or 4GiB
! invalid value "500%" for min-free-space: a size is like 20GiB, a share like 5%
! invalid value "maybe" for notify: it is yes or no
? 2
$ cliphist config picker emacs
! config: picker is one of auto rofi fuzzel wofi bemenu dmenu fzf, not 'emacs'
! see cliphist config --help
? 2
$ cliphist config persist now 2>&1 | head -1
> config: persist is one of owner-exit never, not 'now'
$ cat config/cliphist/config
> max-items 5

== of what is no text, or no file, nothing is changed
$ mkdir -p config/cliphist; printf 'ignore-pattern a\0b\nignore-pattern c\n' >config/cliphist/config; cliphist config ignore-pattern
> c
$ cliphist config max-items 5
!~ '.*/config/cliphist/config' is no UTF-8: it has another encoding, or a NUL byte
? 1
$ rm config/cliphist/config; mkfifo config/cliphist/config; cliphist config max-items 5 2>&1 | sed -n 2p
>~ read configuration '.*/config/cliphist/config': a FIFO is no file
$ ln -sf /dev/null config/cliphist/config; cliphist config max-items 5
! '/dev/null' is no file
? 1
$ ln -sf elsewhere/config config/cliphist/config; cliphist config max-items 5
!~ '.*/config/cliphist/config' is a link to a file that is not there
? 1
$ readlink config/cliphist/config
> elsewhere/config

== a list has a line for each
$ cliphist config ignore-mime a/b
!~ config: ignore-mime can have several lines: edit them in .*/config/cliphist/config
! see cliphist config --help
? 2

== on a terminal a value is shown, and nothing in it is obeyed
$ mkdir -p config/cliphist; printf 'ignore-mime a/\033]0;b\007\nignore-mime c/d\n' >config/cliphist/config; script -qec 'cliphist config ignore-mime' /dev/null </dev/null
> a/␛]0;b␇\r
> c/d\r
$ cliphist config ignore-mime
> a/\e]0;b\x07
> c/d
