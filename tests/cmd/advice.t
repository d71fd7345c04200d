# SPDX-License-Identifier: LGPL-2.1-or-later
# What status says of a desktop on which copies are not kept.

== status: where nobody can copy anything, nothing is missing
$ env -u WAYLAND_DISPLAY -u DISPLAY cliphist status | grep 'mend with'
? 1

== status: where somebody can, and no daemon watches, it says what mends it
$ WAYLAND_DISPLAY=wayland-9 cliphist status | sed -n 's/^\(missing\|mend with\) .*/\1/p'
> missing
> mend with

== doctor: a history that a newer version has changed, which no daemon of this one opens
$ printf one | cliphist store; python3 -c 'import sqlite3; sqlite3.connect("state/cliphist/history.db").execute("pragma user_version = 99")'
$ DISPLAY=:65077 cliphist doctor | grep '^\(missing\|why\|mend\)'
> missing   the newer version of cliphist that wrote the history: what you copy is not kept
> why       This version can read it, and not write it. Install the newer one again.

== doctor: a history that is damaged, which no daemon opens
$ umask 077; mkdir -p state/cliphist; head -c 8192 /dev/zero | tr '\0' z >state/cliphist/history.db
$ WAYLAND_DISPLAY=wayland-9 cliphist doctor | grep '^\(missing\|why\|mend\)'
> missing   a history that is whole: what you copy is not kept
> why       The daemon may not start with one that is damaged. The command saves what can be read of it.
> mend with cliphist doctor --repair

== status: a history that is damaged, which no daemon opens
$ umask 077; mkdir -p state/cliphist; head -c 8192 /dev/zero | tr '\0' z >state/cliphist/history.db
$ WAYLAND_DISPLAY=wayland-9 cliphist status
> missing   a history that is whole: what you copy is not kept
> mend with cliphist doctor --repair
!~ .*file is not a database
? 1
$ rm state/cliphist/history.db; printf one | cliphist store
$ python3 -c 'import os, sqlite3; path = "state/cliphist/history.db"; page = sqlite3.connect(path).execute("select rootpage from sqlite_master where name = \"note\"").fetchone()[0]; file = open(path, "r+b"); file.seek((page - 1) * 4096); file.write(bytes(4096))'
$ WAYLAND_DISPLAY=wayland-9 cliphist status
> missing   a history that is whole: what you copy is not kept
> mend with cliphist doctor --repair
!~ .*malformed
? 1

== doctor: a history that is refused, as others may write to it
$ printf one | cliphist store; chmod 777 state/cliphist; WAYLAND_DISPLAY=wayland-9 cliphist doctor
> missing   a history that nobody else may write to: what you copy is not kept
> why       Other users may change it, so it is not read. The command keeps them out.
>~ mend with chmod -R go-rwx '/.*/state/cliphist'
!~ .*'/.*/state/cliphist' is refused: other users may write to it \(mode 0777\)
? 1
$ sh -c "$(WAYLAND_DISPLAY=wayland-9 cliphist status 2>/dev/null | sed -n 's/^mend with //p')"; cliphist list
> 1\tone

== doctor: a file in the place of the folder of large contents
$ umask 077; printf one | cliphist store; rm -r state/cliphist/blobs; : >state/cliphist/blobs
$ WAYLAND_DISPLAY=wayland-9 cliphist doctor
> missing   a folder of the history: what you copy is not kept
> why       Something else has its place. The command moves that away.
>~ mend with mv '/.*/state/cliphist/blobs' '/.*/state/cliphist/blobs.old'
!~ .*look into the folder of the blobs: Not a directory
? 1
$ WAYLAND_DISPLAY=wayland-9 cliphist doctor --repair 2>/dev/null | grep -c '^mend with mv'
> 1
$ sh -c "$(WAYLAND_DISPLAY=wayland-9 cliphist status | sed -n 's/^mend with //p')"; printf two | cliphist store
$ cliphist list; cliphist doctor
> 2\ttwo
> 1\tone
>~ checked: .*: nothing is wrong

== doctor: a folder that cannot be made, as db-path names it
$ : >file; mkdir -p config/cliphist; echo "db-path $PWD/file/x/db" >config/cliphist/config
$ WAYLAND_DISPLAY=wayland-9 cliphist doctor | grep '^\(missing\|why\|mend\)'
> missing   a folder for the history: what you copy is not kept
> why       It is not there, and cannot be made. “cliphist status” says which. Make it, or name another with db-path.
$ echo "db-path /proc/x/db" >config/cliphist/config; WAYLAND_DISPLAY=wayland-9 cliphist doctor | grep -c 'disk is full'
> 0
? 1

== status: that is said in ten lines at most
$ printf one | cliphist store; cliphist pin 1; cliphist pause; WAYLAND_DISPLAY=wayland-9 cliphist status | sed -n '11,$p'; cliphist resume

== doctor: it says why, too, and not to programs
$ WAYLAND_DISPLAY=wayland-9 cliphist doctor | sed -n 's/^\(missing\|why\|mend with\) .*/\1/p'
> missing
> why
> mend with
$ WAYLAND_DISPLAY=wayland-9 cliphist doctor --json | grep -c .
> 1

== doctor: that what is copied is not kept is something that is wrong
$ cliphist doctor >/dev/null; DISPLAY=:77 cliphist doctor >/dev/null
? 1

== doctor: the line that starts the daemon with a compositor that starts nothing by itself
$ SWAYSOCK=/run/sway cliphist doctor | grep -A 1 '^at login'
>~ at login  exec /.*cliphistd
>~  .*/config/sway/config.*
$ I3SOCK=/run/i3 cliphist doctor | grep -c 'at login  exec --no-startup-id /'
> 1
$ XDG_CURRENT_DESKTOP=GNOME cliphist doctor | grep -c 'at login'
> 0
? 1
$ mkdir -p config/sway; echo 'exec /usr/libexec/cliphistd' >config/sway/config; SWAYSOCK=/run/sway cliphist doctor | grep -c 'at login'
> 0
? 1

== doctor: what a display manager says of a window manager, and an X server without either
$ DISPLAY=:65077 DESKTOP_SESSION=openbox cliphist doctor | grep -A 1 '^at login'
>~ at login  /.*cliphistd &
>~  .*/config/openbox/autostart.*
$ DISPLAY=:65077 cliphist doctor | grep -A 1 '^at login'
>~ at login  /.*cliphistd &
>~  .*/home/.xinitrc, above the window manager, .*
$ : >home/.xsession; DISPLAY=:65077 cliphist doctor | grep -c '/home/.xsession'
> 1
$ echo '/usr/libexec/cliphistd &' >home/.xsession; DISPLAY=:65077 cliphist doctor | grep -c '^at login'
> 0
? 1
$ DISPLAY=:65077 XDG_CURRENT_DESKTOP=XFCE cliphist doctor | grep -c '^at login'
> 0
? 1

== status --quiet: nothing where nothing is missing
$ cliphist status --quiet
$ DISPLAY=:77 cliphist status --quiet
! Nothing watches the clipboard here: what you copy is not kept. “cliphist doctor” says why.
? 1

== a shell that has the display and the bus of an earlier login: none is named that would mend it
$ printf one | cliphist store; export DBUS_SESSION_BUS_ADDRESS="unix:path=$PWD/bus" WAYLAND_DISPLAY="$PWD/wayland-0" SWAYSOCK="$PWD/sway"; cliphist status --quiet; cliphist doctor | grep '^\(missing\|why\|mend\)'
> missing   a login that goes on: the display and the bus of this shell are gone
> why       It has the environment of an earlier login, as tmux keeps it. In a new terminal “cliphist doctor” says whether what you copy is kept.
