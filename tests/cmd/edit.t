# SPDX-License-Identifier: LGPL-2.1-or-later
# `cliphist edit`. The shell reads what EDITOR holds, with the file as its last word.

== what is saved is a new entry, of the same type
$ printf 'one two' | CLIPBOARD_TYPE=text/html cliphist store; printf other | cliphist store
$ EDITOR='sed -i s/two/three/' cliphist edit 1; cliphist list
> 3
> 3\tone three
> 2\tother
$ cliphist types 3
> text/html
$ cliphist decode 3
>| one three

== VISUAL before EDITOR, and words of its own
$ printf one | cliphist store
$ VISUAL='f() { printf "$1" >"$2"; }; f "a b"' EDITOR=false cliphist edit 1; cliphist decode 2
> 2
>| a b
$ VISUAL= EDITOR='printf c >' cliphist edit 2; cliphist decode 3
> 3
>| c

== what is unchanged or empty is nothing new
$ printf one | cliphist store; printf 'two\n' | cliphist store
$ EDITOR=true cliphist edit 1; EDITOR=touch cliphist edit 1; EDITOR='truncate -s 0' cliphist edit 1
$ EDITOR='printf " \n" >' cliphist edit 1
$ cliphist list
> 2\ttwo
> 1\tone
$ for editor in 'truncate -s 0' 'echo >' 'printf " \n\t" >'; do EDITOR=$editor script -qec 'cliphist edit 1' /dev/null </dev/null; done
> Nothing was changed: an empty text is no entry.\r
> Nothing was changed: an empty text is no entry.\r
> Nothing was changed: an empty text is no entry.\r
$ EDITOR=true script -qec 'cliphist edit 1' /dev/null </dev/null
>~ Nothing was changed\. If the editor is open now, it did not wait: .*

== a line end that the editor adds is not kept, one that was there is
$ printf one | cliphist store; printf 'two\n' | cliphist store
$ EDITOR='printf "one\n" >' cliphist edit 1; cliphist list --limit 1
> 2\ttwo
$ EDITOR='printf "ones\n" >' cliphist edit 1; cliphist decode 3
> 3
>| ones
$ EDITOR='sed -i s/two/twice/' cliphist edit 2; cliphist decode 4
> 4
> twice

== vi is for a terminal alone
$ printf one | cliphist store
$ env -u VISUAL -u EDITOR cliphist edit 1 </dev/null
! edit: set VISUAL or EDITOR: there is no terminal for vi
? 1
$ ls -A "$XDG_RUNTIME_DIR" | grep cliphist-
? 1

== an editor that fails
$ printf one | cliphist store
$ EDITOR='f() { echo two >"$1"; exit 3; }; f' cliphist edit 1
! edit: nothing was changed: the editor failed (status 3)
? 1
$ EDITOR='kill -KILL $$; :' cliphist edit 1
! edit: nothing was changed: signal 9 ended the editor
? 1
$ EDITOR=/no/such/editor cliphist edit 1
!~ .*/no/such/editor.*
! edit: nothing was changed: the editor failed (status 127)
? 1
$ EDITOR='rm' cliphist edit 1
! edit: read what the editor left: No such file or directory
? 1
$ cliphist list; ls -A "$XDG_RUNTIME_DIR" | grep cliphist-
> 1\tone
? 1

== a private folder, of which nothing is left
$ printf one | cliphist store
$ EDITOR='f() { stat -c %a "$1" "${1%/*}"; case $1 in "$XDG_RUNTIME_DIR"/*) echo there; esac; echo 2 >"$1"; mkdir "$1.d"; echo 1 >"$1.d/swap"; }; f' cliphist edit 1
> 600
> 700
> there
> 2
$ ls -A "$XDG_RUNTIME_DIR" | grep cliphist-; cliphist list
> 2\t2

== a signal leaves nothing, and ends the editor
$ printf one | cliphist store
$ EDITOR='echo two >"$1"; kill -TERM $PPID; exec sleep 60; :' exec cliphist edit 1
? 143
$ EDITOR='echo two >"$1"; kill -HUP $PPID; exec sleep 60; :' exec cliphist edit 1
? 129
$ EDITOR='kill -INT $PPID; kill -INT $$; :' exec cliphist edit 1
? 130
$ cliphist list; ls -A "$XDG_RUNTIME_DIR" | grep cliphist-
> 1\tone
? 1

== what one that was killed has left goes with the next, unless its editor still works there
$ printf one | cliphist store; mkfifo go
$ EDITOR='exec >seen 2>&1; kill -KILL $PPID; cat go; ls' exec cliphist edit 1
? 137
$ EDITOR=true cliphist edit 1; ls -d "$XDG_RUNTIME_DIR"/cliphist-scratch-* | wc -l
> 1
$ echo >go; until grep -qs clip.txt seen; do :; done; until EDITOR=true cliphist edit 1; ! ls -d "$XDG_RUNTIME_DIR"/cliphist-scratch-* >/dev/null 2>&1; do :; done
$ mkdir "$XDG_RUNTIME_DIR/cliphist-scratches"; EDITOR=true cliphist edit 1; ls "$XDG_RUNTIME_DIR" | grep scratch
> cliphist-scratches

== what one that was killed has left goes with a wipe
$ printf secret | cliphist store
$ EDITOR='kill -KILL $PPID; :' exec cliphist edit 1
? 137
$ ls -d "$XDG_RUNTIME_DIR"/cliphist-scratch-* | wc -l
> 1
$ until cliphist wipe; ! ls -d "$XDG_RUNTIME_DIR"/cliphist-scratch-* >/dev/null 2>&1; do :; done

== where the parent holds the end of its children back
$ printf one | cliphist store
$ EDITOR='echo two >' timeout 20 python3 -c 'import os, signal; signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGCHLD]); os.execvp("cliphist", ["cliphist", "edit", "1"])'; cliphist list
> 2
> 2\ttwo

== ^C is the editor's
$ printf one | cliphist store; EDITOR='kill -INT $PPID; echo two >' cliphist edit 1; cliphist list
> 2
> 2\ttwo

== what is no text, or too much of it
$ printf 'a\000b' | cliphist store; printf 'a\377b' | cliphist store
$ head -c 16777217 /dev/zero | tr '\0' a | cliphist store
$ EDITOR=false cliphist edit 1
! entry 1 cannot be edited: it is application/octet-stream, and not text in UTF-8
? 1
$ EDITOR=false cliphist edit 2
! entry 2 cannot be edited: it is application/octet-stream, and not text in UTF-8
? 1
$ EDITOR=false cliphist edit 3
! entry 3 cannot be edited: it is larger than 16 MiB
? 1
$ cliphist edit 4
! id 4 not found
? 1

== what the history does not take
$ printf one | cliphist store; cliphist pause; EDITOR='echo two >' cliphist edit 1
! edit: nothing was changed: the history is paused; “cliphist resume” ends that
!~ edit: your text is in '/.*/cliphist-left-.{6}/clip.txt'
? 1

== what is refused stays in its file, for its owner alone
$ printf one | cliphist store; mkdir -p config/cliphist; echo 'max-store-size 5' >config/cliphist/config
$ EDITOR='f() { rm "$1"; umask 0; echo "hours of work" >"$1"; }; f' cliphist edit 1
! edit: nothing was changed: it is larger than max-store-size or max-total-size
!~ edit: your text is in '/.*/cliphist-left-.{6}/clip.txt'
? 1
$ EDITOR='head -c 16777217 /dev/zero >' cliphist edit 1
! input exceeds 16777216 bytes
!~ edit: your text is in '/.*/cliphist-left-.{6}/clip.txt'
? 1
$ EDITOR=true cliphist edit 1; cd "$XDG_RUNTIME_DIR"; ls | grep -c -e scratch; stat -c '%A %s' cliphist-left-* cliphist-left-*/* | sed '/^d/s/ .*//' | sort; grep -h hours cliphist-left-*/*
> 0
> -rw------- 14
> -rw------- 16777217
> drwx------
> drwx------
> hours of work

== what is saved in another encoding stays in its file, and the entry as it is
$ printf coffee | cliphist store; cliphist tag 1 drink
$ for text in 'caf\351\n' 't\0e\0a\0'; do EDITOR="printf '$text' >" cliphist edit 1; done
! edit: nothing was changed: what was saved is not text in UTF-8
!~ edit: your text is in '/.*/cliphist-left-.{6}/clip.txt'
! edit: nothing was changed: what was saved is not text in UTF-8
!~ edit: your text is in '/.*/cliphist-left-.{6}/clip.txt'
? 1
$ cliphist list --tag drink; cliphist list | wc -l; cd "$XDG_RUNTIME_DIR"; stat -c '%A %s' cliphist-left-*/* | sort
> 1\tcoffee
> 1
> -rw------- 5
> -rw------- 6

== what was to go still goes
$ printf 'the key' | cliphist store; cliphist expire 1 1h; cliphist show 1 --json | grep -o '"expires_us":[^,}]*' >before
$ EDITOR='sed -i s/key/door/' cliphist edit 1; cliphist show 2 --json | grep -o '"expires_us":[^,}]*' | diff before - && grep -c ':[1-9]' before
> 2
> 1

== what was to go, and went in the meantime, stays: that is said to a script, too
$ printf 'the key' | cliphist store; cliphist expire 1 1h
$ EDITOR='f() { cliphist expire 1 1ms; while cliphist show 1 >seen 2>&1; do :; done; echo door >"$1"; }; f' cliphist edit 1
> 2
! Entry 2 has the new text, but not the expiry of entry 1, which is gone.
$ cliphist show 2 --json | grep -o '"expires_us":[^,}]*'; printf other | cliphist store
> "expires_us":0
$ EDITOR='f() { cliphist delete 3; echo text >"$1"; }; f' cliphist edit 3
> 4

== the new text takes over the pin and the tags
$ printf 'Kind regards' | cliphist store; printf other | cliphist store; cliphist tag 1 sig work; cliphist pin 1
$ EDITOR='sed -i s/Kind/Best/' cliphist edit tag:sig; cliphist paste tag:sig; echo; cliphist list --pinned; cliphist show 3 --json | grep -o '"tags":[^]]*]'; cliphist list | wc -l
> 3
> Best regards
> 3\tBest regards
> "tags":["sig","work"]
> 2
