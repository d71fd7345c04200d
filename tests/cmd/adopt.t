# SPDX-License-Identifier: LGPL-2.1-or-later
# A database of the existing tool, in the place where it had it.

== who lists it takes it over
$ mkdir -p cache/cliphist; make-bolt cache/cliphist/db 3=three 7=seven; cp cache/cliphist/db before
$ cliphist list
> 7\tseven
> 3\tthree
$ cliphist decode 3; cmp cache/cliphist/db.sentriz before; head -c 10 cache/cliphist/db
>| three# cliphist
$ printf new | cliphist store; cliphist list
> 8\tnew
> 7\tseven
> 3\tthree

== who asks for one of its entries does, too
$ make-bolt one 1=a 2=b; cliphist -db-path one decode 2; cliphist -db-path one search a; ls one.sentriz
> b1\ta
> one.sentriz

== where nothing can be written it stays as it is
$ make-bolt one 1=a; touch one.d; cliphist -db-path one list 2>said; head -c 4 one | cmp - one 2>/dev/null
? 1
$ tail -n 1 said
>~ opening db: .+

== the first write takes it over, ids and all
$ mkdir -p cache/cliphist; make-bolt cache/cliphist/db 3=three 7=seven 9='nine  lines' 12; cp cache/cliphist/db before
$ printf new | cliphist store; cliphist list
> 13\tnew
> 9\tnine lines
> 7\tseven
> 3\tthree
$ ls cache/cliphist; cmp cache/cliphist/db.sentriz before; head -c 10 cache/cliphist/db
> db
> db.sentriz
>| # cliphist
$ cliphist decode 9
>| nine  lines

== large entries, and pictures
$ head -c 3000000 /dev/urandom >random; printf '\211PNG\r\n\032\n\0\0\0\rIHDR\0\0\0\12\0\0\0\24\10\2\0\0\0;\214;\1' >picture
$ make-bolt one 1=@random 2=@picture 3='plain text'; printf x | cliphist -db-path one store
$ cliphist -db-path one list | head -n 3
> 4\tx
> 3\tplain text
> 2\t[[ binary data 33 B png 10x20 ]]
$ cliphist -db-path one decode 1 | cmp - random; cliphist -db-path one decode 2 | cmp - picture
$ cliphist -db-path one types 1; cliphist -db-path one types 2; cliphist -db-path one types 3
> application/octet-stream
> image/png
> text/plain;charset=utf-8

== before the first write does what it is asked for
$ make-bolt one 3=three 7=seven; echo 3 | cliphist -db-path one delete; cliphist -db-path one list
> 7\tseven
$ make-bolt two 3=three 7=seven; cliphist -db-path two wipe; cliphist -db-path two list; ls two two.sentriz
> two
! ls: cannot access 'two.sentriz': No such file or directory
? 2
$ printf x | cliphist -db-path two store; cliphist -db-path two list
> 8\tx
$ make-bolt three 3=three 7=seven; printf three | cliphist -db-path three store; cliphist -db-path three list
> 8\tthree
> 7\tseven

== limits hold from the next store on, as ever
$ make-bolt one 1=a 2=b 3=c 4=d; printf e | cliphist -db-path one -max-items 2 store; cliphist -db-path one list
> 5\te
> 4\td

== what was stored twice is one entry
$ make-bolt one 1=a 2=b 3=a; printf c | cliphist -db-path one store; cliphist -db-path one list
> 4\tc
> 3\ta
> 2\tb

== who lists a history that has entries takes it over, too
$ printf a | cliphist -db-path one store; make-bolt one 1=x 2=y; cliphist -db-path one list; ls one.sentriz
> 3\ty
> 2\tx
> 1\ta
> one.sentriz

== one that is damaged hides nothing of what is there
$ printf a | cliphist -db-path one store; make-bolt one 1=x; truncate -s 9000 one; cliphist -db-path one list; ls one.sentriz 2>/dev/null
> 1\ta
? 2

== into a history that has entries: new ids, in the same order
$ printf a | cliphist -db-path one store; make-bolt one 1=x 2=y; printf z | cliphist -db-path one store
$ cliphist -db-path one list; ls one one.sentriz
> 4\tz
> 3\ty
> 2\tx
> 1\ta
> one
> one.sentriz

== nothing is overwritten by its new name
$ echo precious >one.sentriz; make-bolt one 1=a; printf b | cliphist -db-path one store
$ cat one.sentriz; ls one one.*; cliphist -db-path one list
> precious
> one
> one.sentriz
> one.sentriz.1
>...
> 2\tb
> 1\ta

== what is kept is named, and goes when everything is wiped
$ make-bolt one 1=secret; printf a | cliphist -db-path one store; make-bolt one 1=other; printf b | cliphist -db-path one store; echo mine >one.sentriz.2; make-bolt one.sentriz.old 1=mine
$ cliphist -db-path one status | grep '^set aside'
>~ set aside [^ ]+ KiB in /.*/one.sentriz, where deleted entries may still be; “cliphist wipe” removes it
>~ set aside [^ ]+ KiB in /.*/one.sentriz.1, where deleted entries may still be; “cliphist wipe” removes it
$ cliphist -db-path one doctor | grep -c '^set aside'
> 2
$ cliphist -db-path one status --json | grep -c '"set_aside":0,'
> 0
? 1
$ cliphist -db-path one wipe --since 1h; ls one.*
> one.sentriz
> one.sentriz.1
> one.sentriz.2
> one.sentriz.old
>...
$ cliphist -db-path one wipe; ls one.* | grep sentriz
> one.sentriz.2
> one.sentriz.old
$ cliphist -db-path one status | grep -c '^set aside'
> 0
? 1
$ grep -r secret one.d
? 1

== who removes the file of the history removes what is kept, too
$ make-bolt one 1=secret; printf a | cliphist -db-path one store; rm one; printf b | cliphist -db-path one store; cliphist -db-path one list; ls one.sentriz
! ls: cannot access 'one.sentriz': No such file or directory
> 1\tb
? 2

== an empty one
$ make-bolt one; printf a | cliphist -db-path one store; cliphist -db-path one list; ls one.sentriz
> 1\ta
> one.sentriz

== a damaged one is left as it is, and nothing of it is taken
$ make-bolt one 1=a 2=b; printf '\377\377' | dd of=one bs=1 seek=12298 conv=notrunc 2>/dev/null; cp one before
$ for n in 1 2; do cliphist -db-path one list; done
!
!~ .*the database '.*/one' is left as it is: damaged at page 3: .*
!~ opening db: the database 'one' cannot be imported: .*
!
!~ .*the database '.*/one' is left as it is: damaged at page 3: .*
!~ opening db: the database 'one' cannot be imported: .*
? 1
$ printf c | cliphist -db-path one store 2>said; cliphist -db-path one list; cmp one before; ls one.sentriz 2>/dev/null
> 1\tc
? 2
$ grep -c "the database '.*/one' is left as it is: damaged at page 3: more elements than it has room for" said
> 1

== one that another program has locked is waited for
$ mkfifo go; make-bolt one 1=a
$ { flock 9; echo held >go; read go <go; } 9<one & read held <go; printf b | cliphist -db-path one store & ls one.sentriz 2>&1; echo >go; wait; cliphist -db-path one list
> ls: cannot access 'one.sentriz': No such file or directory
> 2\tb
> 1\ta
$ make-bolt two 1=a; { flock 9; echo held >go; read go <go; } 9<two & read held <go; cliphist -db-path two list >listed & ls two.sentriz 2>&1; echo >go; wait; cat listed
> ls: cannot access 'two.sentriz': No such file or directory
> 1\ta
