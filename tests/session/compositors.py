# SPDX-License-Identifier: LGPL-2.1-or-later
"""KWin for a Session; and KWin, sway and GNOME Shell (gnome.py) out of the tree of a newer
distribution.

A tree is a folder in /var/lib/machines with a whole system in it, as debootstrap, pacstrap or
machinectl make them. Its compositor runs there, in a mount namespace of its own, and serves the
programs out here by a socket in the folder of the session.
"""
import os
import pathlib
import re
import shutil

from tap import Missing

TREES = pathlib.Path('/var/lib/machines')
X_SOCKETS = pathlib.Path('/tmp/.X11-unix')
WAYLAND = 'wayland-of-tree'

READY = """#!/bin/sh
printf '%s\\n' "$WAYLAND_DISPLAY" >{ready}.part && mv {ready}.part {ready}
"""


def tree_with(program):
    if os.geteuid() != 0:
        raise Missing(f'{program} of a newer system: only root can start it in {TREES}')
    for tree in sorted(TREES.glob('*')):
        if (tree / 'usr' / 'bin' / program).exists():
            return tree
    raise Missing(f'{program} of a newer system is in no tree below {TREES}')


def inside(session, tree):
    """What runs a command in a tree, with the folder of the session where it is, and those of
    X servers."""
    X_SOCKETS.mkdir(exist_ok=True)
    shared = [pathlib.Path(path) for path in ('/proc', '/sys', '/dev', X_SOCKETS)]
    shared.append(session.folder.parent)
    for path in shared:
        (tree / path.relative_to('/')).mkdir(parents=True, exist_ok=True)
    mounts = ' && '.join(f'mount --rbind {path} {tree}{path}' for path in shared)
    # PATH out here may name folders that are not there
    return ['unshare', '--mount', '--propagation', 'private', '--', '/bin/sh', '-c',
            f'{mounts} && exec chroot {tree} /usr/bin/env PATH=/usr/bin:/usr/sbin "$@"', 'sh']


def start_kwin(session, is_new):
    tree = tree_with('kwin_wayland') if is_new else None
    installed = tree / 'usr/bin/kwin_wayland' if tree else shutil.which('kwin_wayland')
    if not installed:
        raise Missing('kwin-wayland is not installed')
    run = session.folder / 'run'
    kwin, script, ready = run / 'kwin_wayland', run / 'kwin-ready', run / 'kwin.ready'
    # what is installed has a capability that is not granted everywhere, and would not start
    shutil.copyfile(installed, kwin)
    script.write_text(READY.format(ready=ready))
    for path in (kwin, script):
        path.chmod(0o700)
    ready.unlink(missing_ok=True)
    process = session.start(
        *(inside(session, tree) if tree else []), kwin, '--virtual', '--width', '1280',
        '--height', '720', '--socket', WAYLAND, '--no-lockscreen', '--no-global-shortcuts', script,
        name='kwin',
        env={'KWIN_COMPOSE': 'Q', 'QT_QUICK_BACKEND': 'software', 'XDG_CURRENT_DESKTOP': 'KDE',
             'KWIN_WAYLAND_NO_PERMISSION_CHECKS': '0' if session.checks_permissions else '1'})
    session.wait_for(process, ready.exists, 'KWin is ready', 60)
    session.use_wayland(WAYLAND)
    return process


def start_new_sway(session, config):
    tree = tree_with('sway')
    run = session.folder / 'run'
    ready = run / 'sway.ready'
    ready.unlink(missing_ok=True)
    (run / 'sway.conf').write_text(config.format(ready=ready, xwayland='disable'))
    process = session.start(
        *inside(session, tree), 'sway', '-c', run / 'sway.conf', name='sway',
        env={'WLR_BACKENDS': 'headless', 'WLR_RENDERER': 'pixman', 'WLR_LIBINPUT_NO_DEVICES': '1',
             'XDG_CURRENT_DESKTOP': 'sway', 'HOME': str(run)})
    session.wait_for(process, ready.exists, 'sway is ready', 60)
    session.use_wayland(ready.read_text().split()[0])
    return process


def backend(session):
    """Which protocol the daemon has chosen."""
    match = re.search(r"'(ext|wlr)'", session.get_property('Backends'))
    return match and match.group(1)
