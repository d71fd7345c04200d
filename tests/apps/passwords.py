# SPDX-License-Identifier: LGPL-2.1-or-later
"""KeePassXC copies a password, and clears it: passwords.py x11|sway [FACT...]"""
import contextlib
import os
import sys

from appdesk import desk, documented, version_of, wanted
from session import Broken, until
from tap import equal, fact, main

DISPLAY = sys.argv.pop(1)
MASTER, PASSWORD, USER = 'the master key', 'kept-nowhere-4711', 'somebody-who-logs-in'
HINTS = ('x-kde-passwordManagerHint', 'text/x-kde-passwordManagerHint')
CONFIG = """[General]
ConfigVersion=2
UpdateCheckMessageShown=true
[Security]
ClearClipboard=true
ClearClipboardTimeout={seconds}
LockDatabaseIdle=false
[GUI]
CheckForUpdates=false
ShowExpiredEntriesOnDatabaseUnlock=false
"""


class Manager:
    """KeePassXC with one entry, which is selected."""

    def __init__(self, d, seconds):
        program = wanted('keepassxc', 'keepassxc')
        self.version = version_of('keepassxc-cli', '--version')
        self.d, session = d, d.session
        database, config = session.folder / 'vault.kdbx', session.folder / 'keepassxc.ini'
        config.write_text(CONFIG.format(seconds=seconds))
        cli = wanted('keepassxc-cli', 'keepassxc')
        session.run(cli, 'db-create', '--set-password', database, data=f'{MASTER}\n{MASTER}\n'.encode())
        session.run(cli, 'add', '--username', USER, '--password-prompt', database, 'needle',
                    data=f'{MASTER}\n{PASSWORD}\n{PASSWORD}\n'.encode())
        self.process = d.start(program, '--config', config, '--localconfig',
                               session.folder / 'keepassxc-local.ini', '--pw-stdin', database,
                               stdin=-1, env={'QT_QPA_PLATFORM': 'wayland' if d.is_wayland else 'xcb'})
        os.write(self.process.stdin.fileno(), f'{MASTER}\n'.encode())
        d.hands.wait_focus('vault')

    def copy(self, chord):
        """Copies from the entry, until the clipboard is somebody's who marks it as a secret."""
        def is_copied():
            self.d.hands.press('ctrl+f')
            self.d.hands.type('needle')
            self.d.hands.press('Return')
            self.d.hands.press(chord)
            with contextlib.suppress(Broken):
                return until(lambda: is_offered(self.d), 'it is copied', 5)
        until(is_copied, 'the secret is on the clipboard', 60)


def is_offered(d):
    return any(hint in d.client.types() for hint in HINTS)


def check_kept_nowhere(d, secret):
    equal(d.canary_in_history(secret.encode()), [], 'where the secret is')


def check_never_returns(d, secret):
    """Whatever the daemon does next, it is not to give back what was cleared."""
    d.never(lambda: secret.encode() in d.client.paste_bytes(), f'{secret!r} is pasted again')
    check_kept_nowhere(d, secret)


def name(words):
    return f'/apps/keepassxc-{DISPLAY}/{words}'


def check_cleared(chord, secret, copied):
    with desk(DISPLAY, env={'G_MESSAGES_DEBUG': 'all'}) as d:
        d.other_copy('before the secret')
        manager = Manager(d, 10)
        manager.copy(chord)
        # the hint, and the text once, of which a hash in memory is kept
        until(lambda: len(set(d.asked())) == 2, 'the daemon has asked')
        read = list(dict.fromkeys(d.asked()))
        equal(d.client.paste_bytes(), secret.encode(), 'what is on the clipboard')
        d.note('KeePassXC', manager.version, copied, d.client.types(), read, [])
        # it owns the clipboard with an empty text from then on, marked as the secret was
        until(lambda: secret.encode() not in d.client.paste_bytes(), 'KeePassXC clears it', 60)
        check_never_returns(d, secret)
        equal(d.newest()['preview'], 'before the secret', 'the newest entry')
        d.other_copy('after the secret')
        d.client.end_owners()
        d.wait_paste(b'after the secret')
        check_kept_nowhere(d, secret)


@fact(name('a-password-never-arrives-and-is-cleared-for-good'))
def password():
    check_cleared('ctrl+c', PASSWORD, 'a password')


@fact(name('a-user-name-never-arrives-and-is-cleared-for-good'))
def user_name():
    check_cleared('ctrl+b', USER, 'a user name')


@fact(name('a-password-ends-with-its-manager'))
def ends():
    with desk(DISPLAY) as d:
        d.other_copy('before the secret')
        manager = Manager(d, 60)
        manager.copy('ctrl+c')
        d.end(manager.process)
        check_never_returns(d, PASSWORD)
        equal(d.newest()['preview'], 'before the secret', 'the newest entry')


documented(name('is-in-the-table'))
main()
