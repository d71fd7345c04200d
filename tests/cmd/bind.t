# SPDX-License-Identifier: LGPL-2.1-or-later
# The key that opens the window: window --bind.

== a compositor's file is its user's own: the line for it is printed
$ touch cliphist-window; chmod +x cliphist-window
$ export CLIPHIST_LIBEXEC=$CLIPHIST_LIBEXEC:$PWD; SWAYSOCK=/run/sway cliphist window --bind Super+V
>~ bindsym Mod4\+v exec /.*/cliphist window
!~ \(a line for /.*/config/sway/config\)
! (You do not have that file yet: copy the one of the system there first.)
! (super+v already has a use in the file that sway comes with: remove that line, or choose another key, such as super+c)
$ export CLIPHIST_LIBEXEC=$CLIPHIST_LIBEXEC:$PWD; I3SOCK=/run/i3 cliphist window --bind alt+shift+v 2>&1 | sed 's,/[^ ]*/,,'
> bindsym Mod1+Shift+v exec --no-startup-id cliphist window
> (a line for config)
> (You do not have that file yet: copy the one of the system there first.)
$ export CLIPHIST_LIBEXEC=$CLIPHIST_LIBEXEC:$PWD; HYPRLAND_INSTANCE_SIGNATURE=1 cliphist window --bind super+shift+v 2>/dev/null | sed 's,/[^ ]*/,,'
> bind = SUPER SHIFT, v, exec, cliphist window
$ export CLIPHIST_LIBEXEC=$CLIPHIST_LIBEXEC:$PWD; NIRI_SOCKET=/run/niri cliphist window --bind super+insert 2>/dev/null | sed 's,/[^ ]*/,,'
> Super+Insert { spawn "cliphist" "window"; }
$ export CLIPHIST_LIBEXEC=$CLIPHIST_LIBEXEC:$PWD; XDG_CURRENT_DESKTOP=labwc:wlroots cliphist window --bind super+ctrl+f9 2>/dev/null | sed 's,<command>[^ ]*/,<command>,'
> <keybind key="W-C-F9"><action name="Execute"><command>cliphist window</command></action></keybind>
$ export CLIPHIST_LIBEXEC=$CLIPHIST_LIBEXEC:$PWD; mkdir -p config/openbox; touch config/openbox/rc.xml; XDG_CURRENT_DESKTOP=openbox cliphist window --bind super+c 2>&1 | sed 's,\([ >]\)/[^ ]*/,\1,g'
> <keybind key="W-c"><action name="Execute"><command>cliphist window</command></action></keybind>
> (a line for rc.xml, inside <keyboard>)
$ export CLIPHIST_LIBEXEC=$CLIPHIST_LIBEXEC:$PWD; XDG_CURRENT_DESKTOP=river cliphist window --bind super+v 2>/dev/null | sed 's,/[^ ]*/,,'
> riverctl map normal Super v spawn 'cliphist window'

== a key that the compositor's own file has a use for is named, and no other
$ touch cliphist-window; chmod +x cliphist-window; mkdir -p config/sway config/niri; touch config/sway/config config/niri/config.kdl
$ export CLIPHIST_LIBEXEC=$CLIPHIST_LIBEXEC:$PWD; for key in super+c super+shift+v ctrl+y super+y super+f9; do SWAYSOCK=/run/sway cliphist window --bind $key 2>&1 >/dev/null | sed 1d; done
$ export CLIPHIST_LIBEXEC=$CLIPHIST_LIBEXEC:$PWD; NIRI_SOCKET=/run/niri cliphist window --bind super+c 2>&1 >/dev/null | sed 1d
> (super+c already has a use in the file that niri comes with: remove that line, or choose another key, such as super+y)

== without the window it opens a picker
$ SWAYSOCK=/run/sway CLIPHIST_LIBEXEC=${CLIPHIST_LIBEXEC%%:*} cliphist window --bind super+v 2>/dev/null
>~ bindsym Mod4\+v exec /.*/cliphist pick --insert

== where a command can set no key it says who can
$ XDG_CURRENT_DESKTOP=KDE cliphist window --bind super+v
>~ /.*/cliphist .*
!~ \(give this command to System Settings, Shortcuts, .*, and press super\+v there\. .*\)
$ cliphist window --bind super+v
>~ /.*/cliphist .*
!~ \(give this command the key super\+v in your desktop's keyboard settings, .*/openbox/rc\.xml\)

== what is no key
$ cliphist window --bind v
! window: 'v' is not Ctrl, Alt or Super with a letter from a to z, a digit, F1 to F12, space, Insert, Pause, Print, Menu, Home or End, such as super+c
! see cliphist window --help
? 2
$ cliphist window --bind shift+v 2>/dev/null
? 2
$ cliphist window --bind super+Return
! window: 'super+Return' is not Ctrl, Alt or Super with a letter from a to z, a digit, F1 to F12, space, Insert, Pause, Print, Menu, Home or End, such as super+c
! see cliphist window --help
? 2
$ cliphist window --bind super+ 2>/dev/null
? 2

== a key that copies or pastes in other programs
$ cliphist window --bind ctrl+v
! window: 'ctrl+v' copies or pastes in other programs: choose another key
! see cliphist window --help
? 2
$ for key in Ctrl+C ctrl+x ctrl+insert shift+ctrl+v ctrl+shift+c ctrl+alt+v; do cliphist window --bind $key >/dev/null 2>&1; echo $?; done
> 2
> 2
> 2
> 2
> 2
> 0

== words behind a key
$ cliphist window --bind super+c words
! window: 'words' has no meaning beside --bind
! see cliphist window --help
? 2

== GNOME: a key that is free is set, and another in its place
$ cp "$TESTS/keys.gschema.xml" .; glib-compile-schemas .
$ export GSETTINGS_SCHEMA_DIR=$PWD GSETTINGS_BACKEND=keyfile XDG_DATA_DIRS=$PWD XDG_CURRENT_DESKTOP=ubuntu:GNOME; cliphist window --bind super+c && cliphist window --bind super+shift+c && cat config/glib-2.0/settings/keyfile
>...
> name='Clipboard history'
>~ command='/.*/cliphist .*'
> binding='<Super><Shift>c'
> 
> [org/gnome/settings-daemon/plugins/media-keys]
> custom-keybindings=['/org/gnome/settings-daemon/plugins/media-keys/custom-keybindings/cliphist/']

== GNOME: a key that is taken is not, and it says by whom, and which is free
$ cp "$TESTS/keys.gschema.xml" .; glib-compile-schemas .
$ export GSETTINGS_SCHEMA_DIR=$PWD GSETTINGS_BACKEND=keyfile XDG_DATA_DIRS=$PWD XDG_CURRENT_DESKTOP=GNOME; cliphist window --bind super+v
! super+v is taken: “Keybinding to toggle the visibility of the notification list.”
! this one is free:  super+c
! to take it from there first:  gsettings set org.gnome.shell.keybindings toggle-message-tray "['<Super>m']"
? 1
$ export GSETTINGS_SCHEMA_DIR=$PWD GSETTINGS_BACKEND=keyfile XDG_DATA_DIRS=$PWD XDG_CURRENT_DESKTOP=GNOME; cliphist window --bind ctrl+alt+v 2>&1 | head -1
> ctrl+alt+v is taken: “Launch web browser”
$ cat config/glib-2.0/settings/keyfile 2>/dev/null
? 1

== GNOME: a shortcut of the user's own stays, and keeps its key
$ cp "$TESTS/keys.gschema.xml" .; glib-compile-schemas .; mkdir -p config/glib-2.0/settings; printf '[org/gnome/settings-daemon/plugins/media-keys]\ncustom-keybindings=["/mine/"]\n[mine]\nname="Mine"\nbinding="<Super>c"\n' >config/glib-2.0/settings/keyfile
$ export GSETTINGS_SCHEMA_DIR=$PWD GSETTINGS_BACKEND=keyfile XDG_DATA_DIRS=$PWD XDG_CURRENT_DESKTOP=GNOME; cliphist window --bind super+c
! super+c is taken: “Mine”
! this one is free:  ctrl+alt+c
? 1
$ export GSETTINGS_SCHEMA_DIR=$PWD GSETTINGS_BACKEND=keyfile XDG_DATA_DIRS=$PWD XDG_CURRENT_DESKTOP=GNOME; cliphist window --bind ctrl+alt+c; grep custom-keybindings= config/glib-2.0/settings/keyfile
> custom-keybindings=['/mine/', '/org/gnome/settings-daemon/plugins/media-keys/custom-keybindings/cliphist/']

== GNOME without its settings: nothing ends badly
$ XDG_DATA_DIRS=$PWD XDG_CURRENT_DESKTOP=GNOME cliphist window --bind super+c 2>/dev/null
>~ /.*/cliphist .*
