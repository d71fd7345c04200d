# SPDX-License-Identifier: LGPL-2.1-or-later
# The file at db-path, which shells watch and scripts remove.

== the first store makes it
$ ls cache; printf a | cliphist store; ls -A cache/cliphist; stat -c '%a %A' cache/cliphist cache/cliphist/db
> db
> 700 drwx------
> 600 -rw-------
$ head -n 1 cache/cliphist/db
> # cliphist 1: written at every change; to remove it is to wipe the history

== every change writes it, in place
$ printf a | cliphist store; stat -c %i cache/cliphist/db >inode; cp cache/cliphist/db before
$ printf b | cliphist store; cmp -s before cache/cliphist/db; echo $?; cp cache/cliphist/db before
> 1
$ echo 1 | cliphist delete; cmp -s before cache/cliphist/db; echo $?; cp cache/cliphist/db before
> 1
$ cliphist pin 2; cmp -s before cache/cliphist/db; echo $?; cp cache/cliphist/db before
> 1
$ cliphist wipe; stat -c %i cache/cliphist/db | cmp - inode

== what reads does not touch it
$ printf a | cliphist store; stat -c '%i %Y %Z %s' cache/cliphist/db >before
$ cliphist list >/dev/null; cliphist decode 1 >/dev/null; cliphist search a >/dev/null; cliphist show 1 >/dev/null
$ cliphist version 2>/dev/null; cliphist status >/dev/null; stat -c '%i %Y %Z %s' cache/cliphist/db | cmp - before

== what is dropped before the database is opened makes none
$ printf 123456 | cliphist -max-store-size 5 store; cliphist list
! opening db: please store something first
? 1
$ printf a | cliphist -min-store-length 2 store; cliphist list
! opening db: please store something first
? 1
$ printf a | CLIPBOARD_STATE=sensitive cliphist store; cliphist list
! opening db: please store something first
? 1
$ ls cache

== a blank makes one
$ printf ' \n' | cliphist store; cliphist list; ls cache/cliphist
> db

== so does everything else that opens the database to write
$ cliphist wipe; ls cache/cliphist
> db
$ cliphist -db-path one delete </dev/null; cliphist -db-path one list
$ cliphist -db-path two delete-query x; cliphist -db-path two list
$ CLIPBOARD_STATE=clear cliphist -db-path three store; cliphist -db-path three list
$ echo 7 | cliphist -db-path four delete; cliphist -db-path four list
$ ls -d one two three four
> four
> one
> three
> two

== who removes it clears the history, and ids begin at 1
$ printf a | cliphist store; printf b | cliphist store; rm cache/cliphist/db
$ cliphist list
! opening db: please store something first
? 1
$ cliphist decode 1
! opening db: please store something first
? 1
$ cliphist search a
! opening db: please store something first
? 1
$ printf c | cliphist store; cliphist list
> 1\tc
$ printf a | cliphist store; cliphist list
> 2\ta
> 1\tc

== removed, and removed again
$ for n in 1 2 3; do printf $n | cliphist store; rm -f cache/cliphist/db; rm -f cache/cliphist/db; done
$ printf a | cliphist store; cliphist list
> 1\ta

== what was removed is not found in the files
$ printf 'a-very-secret-word' | cliphist store; rm cache/cliphist/db; printf b | cliphist store
$ until ! grep -rq a-very-secret-word state; do :; done; cliphist list
> 1\tb

== a daemon that watches does without a next change
$ printf 'a-very-secret-word' | cliphist store; rm cache/cliphist/db
$ [ -z "$DBUS_SESSION_BUS_ADDRESS" ] || until ! grep -rq a-very-secret-word state; do :; done
$ cliphist list
! opening db: please store something first
? 1
$ [ -z "$DBUS_SESSION_BUS_ADDRESS" ] || until [ -f cache/cliphist/db ]; do :; done; cliphist list
! opening db: please store something first
? 1
$ printf b | cliphist store; cliphist list; [ -s cache/cliphist/db ]
> 1\tb

== removed, with an empty store after it
$ printf a | cliphist store; rm cache/cliphist/db; printf ' ' | cliphist store; cliphist list
$ printf b | cliphist store; cliphist list
> 1\tb

== pinned entries stay, and ids go on
$ printf a | cliphist store; printf b | cliphist store; cliphist pin 1; rm cache/cliphist/db
$ cliphist list; cliphist decode 1; echo; cliphist paste; echo; cliphist search a; cliphist join 1
> 1\ta
> a
> a
> 1\ta
>| a
$ cliphist decode 2
! id 2 not found
? 1
$ cliphist show 2
! id 2 not found
? 1
$ printf c | cliphist store; cliphist list
> 3\tc
> 1\ta

== a cleaned cache clears nothing
$ printf a | cliphist store; rm -r cache/cliphist; cliphist list
> 1\ta
$ mkdir cache/cliphist; cliphist list
> 1\ta
$ printf b | cliphist store; cliphist list; ls cache/cliphist
> 2\tb
> 1\ta
> db
$ rm -r cache; cliphist list; printf c | cliphist store; cliphist list; ls cache/cliphist
> 2\tb
> 1\ta
> 3\tc
> 2\tb
> 1\ta
> db
$ rm cache/cliphist/db; printf d | cliphist store; cliphist list
> 1\td

== one file for each history
$ printf a | cliphist store; printf b | cliphist -db-path one store; ls -d one one.d
> one
> one.d
$ rm one; cliphist -db-path one list
! opening db: please store something first
? 1
$ cliphist list
> 1\ta
$ printf c | cliphist -db-path one store; cliphist -db-path one list
> 1\tc

== the default, named, is the default
$ printf a | cliphist store; cliphist -db-path "$XDG_CACHE_HOME/cliphist/db" list
> 1\ta
$ printf b | cliphist -db-path "$XDG_CACHE_HOME/./cliphist/db" store; cliphist list; ls cache/cliphist
> 2\tb
> 1\ta
> db

== whatever else stands there stays as it is
$ mkdir -p cache/cliphist; printf 'not ours' >cache/cliphist/db; cp cache/cliphist/db before
$ printf a | cliphist store; cliphist list; cliphist wipe; cmp cache/cliphist/db before; ls cache/cliphist
> 1\ta
> db
$ mkdir one; printf a | cliphist -db-path one store; cliphist -db-path one list; ls -A one
> 1\ta
$ mkfifo two; printf a | cliphist -db-path two store; cliphist -db-path two list; stat -c %F two
> 1\ta
> fifo

== a link to something else is not written through
$ printf precious >three; ln -s three two; printf a | cliphist -db-path two store; cliphist -db-path two list; cat three
> 1\ta
>| precious
$ ln -s /dev/null one; printf a | cliphist -db-path one store; cliphist -db-path one list
> 1\ta
$ ln -s nowhere four; printf a | cliphist -db-path four store; cliphist -db-path four list; ls nowhere 2>/dev/null
> 1\ta
? 2

== a link of ours to a file of ours is
$ : >three; ln -s three two; printf a | cliphist -db-path two store; head -c 10 three; stat -c %F two
> # cliphistsymbolic link

== where it cannot be written, the history can
$ printf a | cliphist -db-path /proc/self/db store
!~ .+
? 1
$ ln -s /proc cache/cliphist; printf a | cliphist store; cliphist list
> 1\ta

== a folder that others may write to is refused, by its name
$ mkdir x.d; chmod 777 x.d; echo new | cliphist -db-path "$PWD/x" store
!~ cliphistd: .*'/.*/x\.d' is refused: other users may write to it \(mode 0777\)
? 1
$ ls x.d; cliphist -db-path "$PWD/x" list
!~ opening db: '/.*/x\.d' is refused: other users may write to it \(mode 0777\)
? 1
$ chmod 700 x.d; echo new | cliphist -db-path "$PWD/x" store; cliphist -db-path "$PWD/x" list
> 1\tnew

== so is a database that is a link
$ echo old | cliphist -db-path "$PWD/x" store; mkdir y.d; chmod 700 y.d; ln -s ../x.d/history.db y.d
$ echo new | cliphist -db-path "$PWD/y" store
!~ cliphistd: .*'/.*/y\.d/history\.db' is refused: it is a link
? 1
$ cliphist -db-path "$PWD/y" list
!~ opening db: '/.*/y\.d/history\.db' is refused: it is a link
? 1
$ cliphist -db-path "$PWD/x" list
> 1\told

== where every user may remove the file, its removal wipes nothing
$ mkdir shared sticky; chmod 777 shared; chmod 1777 sticky
$ echo a | cliphist -db-path "$PWD/shared/x" store; rm shared/x; cliphist -db-path "$PWD/shared/x" list
> 1\ta
$ echo b | cliphist -db-path "$PWD/shared/x" store; cliphist -db-path "$PWD/shared/x" list; ls shared
> 2\tb
> 1\ta
> x
> x.d
$ echo a | cliphist -db-path "$PWD/sticky/x" store; rm sticky/x; cliphist -db-path "$PWD/sticky/x" list
! opening db: please store something first
? 1

== a history whose folder was renamed is not one whose file was removed
$ printf one | cliphist -db-path "$PWD/a" store; mv a.d b.d; cliphist -db-path "$PWD/b" list; printf two | cliphist -db-path "$PWD/b" store; cliphist -db-path "$PWD/b" list
> 1\tone
> 2\ttwo
> 1\tone
