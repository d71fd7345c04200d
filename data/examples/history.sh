#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The clipboard history from a script, over D-Bus. (The command is shorter, and quicker: cliphist
# list, watch, decode, store, copy.)
#
#   history.sh list            the newest entries: id, preview
#   history.sh follow          what is added, moved, removed, changed, until ^C
#   history.sh read ID [TYPE]  a content, on standard output
#   history.sh store           standard input becomes an entry
#   history.sh select ID       puts an entry on the clipboard
#   history.sh count           how many entries there are
#
# A content never travels in a message: gdbus sends a descriptor along where a method takes one by
# itself. busctl sends none, and no tool sends those of Store, so that the command does it.
set -eu
name=org.cliphist.History1 path=/org/cliphist/History1

call() { # METHOD ARGUMENT...
  method=$1
  shift
  gdbus call --session --timeout 2000000 --dest $name --object-path $path \
    --method $name."$method" "$@"
}

case ${1:-} in
  # its answer is how many lines were written
  list) call Print "{'limit': <uint32 20>}" 3 3>&1 >/dev/null ;;
  follow) exec gdbus monitor --session --dest $name --object-path $path ;;
  read) call Send "$2" "'${3:-}'" 3 '{}' 3>&1 >/dev/null ;;
  store) exec cliphist store ;;
  select) busctl --user call $name $path $name Select 'ta{sv}' "$2" 0 ;;
  count) busctl --user get-property $name $path $name Count ;;
  *) sed -n '4,12s/^# *//p' "$0" >&2; exit 2 ;;
esac
