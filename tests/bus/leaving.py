# SPDX-License-Identifier: LGPL-2.1-or-later
"""Locking the session and leaving it, and what of the history is left then (clear-on)."""
import contextlib
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'session'))
from session import BUS_NAME, BUS_PATH, HERE, Programs, Session, until  # noqa: E402
from tap import equal, fact, main  # noqa: E402

PROGRAMS = Programs()
OURS, OTHERS = os.getuid(), os.getuid() + 1


class Seat:
    """A session with a logind, and a history of two entries, one of them pinned."""

    def __init__(self, session, clear_on, before=()):
        self.session = session
        session.env['DBUS_SYSTEM_BUS_ADDRESS'] = session.env['DBUS_SESSION_BUS_ADDRESS']
        session.env['CLIPHIST_CLEAR_ON'] = clear_on
        self.logind = session.start(sys.executable, HERE / 'logind.py', name='logind',
                                    stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        session.first_line(self.logind.stdout, 'logind')
        for words in before:
            self.say(words)
        session.start_daemon(env={'G_MESSAGES_DEBUG': 'clip-bus'})
        for text in (b'pinned', b'plain'):
            session.cliphist('store', data=text)
        session.cliphist('pin', '1')

    def say(self, words):
        os.write(self.logind.stdin.fileno(), words.encode() + b'\n')
        self.session.first_line(self.logind.stdout, 'logind')

    def previews(self):
        return [line.split('\t')[1] for line in self.session.listed().decode().splitlines()]

    def wait_cleared(self):
        until(lambda: self.previews() == ['pinned'], 'only the pinned entry is left')

    def restart(self):
        equal(self.session.stop(self.session.daemon), 0, 'exit status of the daemon')


@contextlib.contextmanager
def seat(clear_on, before=()):
    with Session('none', programs=PROGRAMS) as session:
        yield Seat(session, clear_on, before)


def clears(words):
    with seat('lock') as s:
        s.say(words)
        s.wait_cleared()


@fact('/leaving/lock-by-logind-clears')
def by_logind():
    clears(f'lock {OURS}')


@fact('/leaving/session-that-says-it-is-locked-clears')
def by_hint():
    clears(f'hint {OURS}')


@fact('/leaving/screen-saver-clears')
def by_saver():
    clears('saver on')


@fact('/leaving/lock-of-another-user-is-none')
def other_user():
    with seat('lock') as s:
        s.say(f'lock {OTHERS}')
        s.say(f'hint {OTHERS}')
        s.say('saver off')
        s.session.cliphist('store', data=b'later')
        equal(s.previews(), ['later', 'plain', 'pinned'], 'the list')


@fact('/leaving/who-does-not-answer-has-locked-nothing')
def mute():
    with seat('lock', ['mute']) as s:
        # whoever searches is told nothing, once it has waited for the answer
        found = s.session.call(BUS_NAME, f'{BUS_PATH}/SearchProvider',
                               'org.gnome.Shell.SearchProvider2.GetInitialResultSet', "['plain']")
        equal(found.strip(), '(@as [],)', 'what a search finds')
        equal(s.previews(), ['plain', 'pinned'], 'the list')


@fact('/leaving/nobody-wanted-it')
def not_wanted():
    with seat('') as s:
        s.say(f'lock {OURS}')
        s.say('state closing')
        s.restart()
        equal(s.previews(), ['plain', 'pinned'], 'the list')


@fact('/leaving/logout-clears')
def logout():
    with seat('logout') as s:
        s.say(f'lock {OURS}')
        s.restart()
        equal(s.previews(), ['plain', 'pinned'], 'a restart is no logout')
        s.session.start_daemon()
        s.say('state closing')
        s.restart()
        equal(s.previews(), ['pinned'], 'the list')


@fact('/leaving/shutdown-clears')
def shutdown():
    with seat('logout') as s:
        s.say('shutdown')
        s.wait_cleared()


@fact('/leaving/what-was-missed-is-made-up-for-at-the-next-login')
def next_login():
    with seat('logout') as s:
        s.session.kill(s.session.daemon)
        run = s.session.folder / 'another-run'
        run.mkdir(mode=0o700)
        s.session.start_daemon(env={'XDG_RUNTIME_DIR': str(run)})
        s.wait_cleared()


main()
