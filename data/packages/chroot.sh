# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=sh
# Fresh systems to build and try in; as root, with mmdebstrap. Who reads this sets $log, a file.

say() { printf '%s\n' "$*" >&2; }

quietly() { # COMMAND...
  "$@" >>"$log" 2>&1 </dev/null || { tail -n 40 "$log" >&2; say "$1 failed"; return 1; }
}

# from the mirror of this system, without the updates, which are not there for every machine; a mirror that
# is a copy may be older than its signature allows
make_base() { # TAR SUITE MMDEBSTRAP-OPTION...
  base=$1 suite=$2
  shift 2
  # shellcheck disable=SC2016 # a format of apt
  mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null | grep '/debian/*$' | head -n 1)
  say "== a fresh $suite"
  # shellcheck disable=SC2086 # a mirror, or nothing
  quietly mmdebstrap --variant=minbase --include=ca-certificates \
    --aptopt='Acquire::Check-Valid-Until "false"' "$@" "$suite" "$base" $mirror
}

new_chroot() { # FOLDER TAR
  mkdir "$1"
  tar -xf "$2" -C "$1" --exclude='./dev/*'
  cp /etc/resolv.conf "$1/etc/resolv.conf"
  # it is thrown away: nothing needs to reach the disk
  echo force-unsafe-io >"$1/etc/dpkg/dpkg.cfg.d/unsafe-io"
}

inside() { # CHROOT COMMAND...
  # shellcheck disable=SC2016 # for the shell in the namespace
  unshare --mount --pid --fork --kill-child -- /bin/sh -c '
    root=$1
    shift
    mount --bind "$root" "$root" && mount -t proc proc "$root/proc" && mount --rbind /dev "$root/dev" &&
      mount -t tmpfs -o mode=1777 tmp "$root/tmp" || exit 1
    exec chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
      DEBIAN_FRONTEND=noninteractive "$@"' sh "$@"
}

install_inside() { # CHROOT PACKAGE...
  chroot=$1
  shift
  quietly inside "$chroot" apt-get update &&
    quietly inside "$chroot" apt-get install --yes --no-install-recommends "$@"
}
