# SPDX-License-Identifier: LGPL-2.1-or-later
"""A headless GNOME Shell for a Session, with or without Xwayland; perhaps that of a newer system.

It has a system bus of its own, empty, and reads its settings from a file. Its seat has a keyboard
once somebody types through the shell's remote desktop (keyboard.py): without one no window gets a
focus, and without a focus no Wayland client may copy.
"""
import os
import re
import subprocess
import sys

import compositors
from session import BUS_CONFIG, HERE, Broken, until

WAYLAND = 'wayland-gnome'

SETTINGS = """[org/gnome/desktop/interface]
enable-animations=false
[org/gnome/desktop/lockdown]
disable-lock-screen=true
[org/gnome/shell]
welcome-dialog-last-shown-version='999'
"""


def start(session, xwayland, is_new):
    """Starts the shell, and returns its process once a window would get the focus."""
    tree = compositors.tree_with('gnome-shell') if is_new else None
    folder = session.folder / 'config' / 'glib-2.0' / 'settings'
    folder.mkdir(parents=True, exist_ok=True)
    (folder / 'keyfile').write_text(SETTINGS)
    options = [] if xwayland else ['--no-x11']
    try:
        shell = _start_shell(session, tree, options, 30)
    except Broken:
        # once in some dozens it stands still for good while it starts: that is none of our facts
        session.kill(session.started[-1])
        shell = _start_shell(session, tree, options, 60)
    # a root's shell warns of itself, and any begins with its overview, which takes the focus
    evaluate(session, 'Main.messageTray.getSources().forEach(s => s.destroy())')
    evaluate(session, 'Main.overview.hide()')
    session.wait_for(shell, lambda: evaluate(session, 'Main.overview.visible') == 'false',
                     'the overview is gone')
    session.env.update({'WAYLAND_DISPLAY': WAYLAND, 'GDK_BACKEND': 'wayland',
                        'XDG_SESSION_TYPE': 'wayland'})
    if xwayland:
        _use_xwayland(session, shell)
    session.keyboard = Keyboard(session)
    return shell


def _start_shell(session, tree, options, seconds):
    (session.folder / 'run' / WAYLAND).unlink(missing_ok=True)
    address = _system_bus(session)
    shell = session.start(
        *(compositors.inside(session, tree) if tree else []),
        'gnome-shell', '--headless', '--wayland', '--virtual-monitor', '1280x720',
        '--wayland-display', WAYLAND, '--unsafe-mode', *options, name='gnome-shell',
        env={'DBUS_SYSTEM_BUS_ADDRESS': address, 'GSETTINGS_BACKEND': 'keyfile',
             'XDG_SESSION_TYPE': 'wayland', 'XDG_CURRENT_DESKTOP': 'GNOME',
             'WAYLAND_DISPLAY': ''})
    session.wait_for(shell, lambda: evaluate(session, 'Main.layoutManager._startingUp') == 'false',
                     'GNOME Shell is ready', seconds)
    return shell


def _system_bus(session):
    """The address of a bus that takes the place of the machine's."""
    address = session.folder / 'run' / 'system-bus'
    if not address.exists():
        config = session.folder / 'system-bus.conf'
        (session.folder / 'nothing').mkdir(exist_ok=True)
        config.write_text(BUS_CONFIG.format(socket=address, services=session.folder / 'nothing'))
        process = session.start('dbus-daemon', f'--config-file={config}', '--nofork',
                                '--nopidfile', '--nosyslog', name='system-bus')
        session.wait_for(process, address.exists, 'the system bus is there')
    return f'unix:path={address}'


def _use_xwayland(session, shell):
    def number():
        found = re.findall(r'public X11 display (:\d+)', session.log('gnome-shell'))
        return found and found[-1]
    session.env['DISPLAY'] = session.wait_for(shell, number, 'there is an X11 display')
    for path in sorted((session.folder / 'run').glob('.mutter-Xwaylandauth.*')):
        session.env['XAUTHORITY'] = str(path)


def evaluate(session, script):
    """What a line of script gives inside the shell; '' where it is not there (yet)."""
    said = session.call('org.gnome.Shell', '/org/gnome/Shell', 'org.gnome.Shell.Eval', script,
                        check=False)
    found = re.fullmatch(r"\(true, '(.*)'\)\s*", said)
    return found.group(1) if found else ''


def lock(session):
    """Closes all sessions of remote desktops, as the shell does when it locks the screen."""
    evaluate(session, 'global.backend.get_remote_access_controller().inhibit_remote_access()')


def unlock(session):
    evaluate(session, 'global.backend.get_remote_access_controller().uninhibit_remote_access()')


class Keyboard:
    """Types into whatever has the focus."""

    def __init__(self, session):
        self.session = session
        self.process = session.start(sys.executable, HERE / 'keyboard.py', name='keyboard',
                                     stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._answered('ready')

    def _answered(self, wanted):
        until(lambda: self.session.first_line(self.process.stdout, 'the keyboard') == wanted,
              f'the keyboard says {wanted}')

    def type(self, text):
        os.write(self.process.stdin.fileno(), text.encode() + b'\n')
        self._answered('typed')

    def move(self, *steps):
        """Keysyms, each behind what it does: '+65505', '-65505'."""
        self.type('\x1e' + ' '.join(steps))

