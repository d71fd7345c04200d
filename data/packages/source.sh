# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=sh
# What every package begins with, and is compared with. Who reads this sets $here, $source, $work and $out,
# and has read chroot.sh.

# of what is committed
make_tarball() {
  say '== meson dist'
  quietly meson setup "$work/dist" "$source" -Dtests=false
  quietly meson dist -C "$work/dist" --formats xztar --no-tests
  tarball=$(echo "$work"/dist/meson-dist/*.tar.xz)
  version=${tarball##*-}
  version=${version%.tar.xz}
}

# as a package manager calls them, on a line
names() { # MANAGER BETWEEN PURPOSE...
  manager=$1 between=$2
  shift 2
  "$here/install-packages" --names "$manager" "$@" | sed -e ':all' -e N -e '$!b all' -e "s/\n/$between/g"
}

# as who may install below a folder
as_root() { # COMMAND...
  if [ "$(id -u)" = 0 ]; then "$@"; else unshare --map-root-user -- "$@"; fi
}

# the programs and data below a root, by the names that Debian has for folders; without documents, what
# only a package manager reads, and what only a debugger reads
files_below() { # ROOT
  (cd "$1" && find etc usr ! -type d) |
    sed -e 's,^usr/lib64/,usr/lib/,' -e 's,^usr/lib/[a-z0-9_]*-linux-gnu/,usr/lib/,' \
      -e 's,^usr/lib/cliphist/,usr/libexec/,' -e '/\/man\//s/\.gz$//' \
      -e '\,^usr/share/\(doc\|licenses\|lintian\)/,d' \
      -e '\,^usr/lib/\(debug\|\.build-id\)/,d' | sort
}

# each file of the .deb's is in the others, and nothing besides
compare_with_deb() { # ROOT
  if ! ls "$out"/*.deb >/dev/null 2>&1; then
    say "No .deb in $out to compare the files with: ./setup package deb $out"
    return
  fi
  mkdir -p "$work/deb"
  for deb in "$out"/*.deb; do dpkg-deb -x "$deb" "$work/deb"; done
  files_below "$work/deb" >"$work/deb.files"
  files_below "$1" >"$work/files"
  diff -u "$work/deb.files" "$work/files" >&2 || { say 'package: other files than those of the .deb'; exit 1; }
  say "== the same $(wc -l <"$work/files") files as in the .deb"
}
