# SPDX-License-Identifier: LGPL-2.1-or-later
"""A session with the daemon in which an application is used as people use it.

Whoever was asked for a type says so, not us: on X11 the server's RECORD, in sway the application
itself, as WAYLAND_DEBUG has it write down the protocol.
"""
import contextlib
import json
import os
import pathlib
import re
import select
import shutil
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / 'session'))
import record  # noqa: E402
from clients import WlClipboard, Xclip  # noqa: E402
from hands import SwayHands, X11Hands  # noqa: E402
from session import Broken, Programs, Session, need, until  # noqa: E402
from tap import Missing, equal, fact, note, true  # noqa: E402

PROGRAMS = Programs()
SENT = re.compile(r'(?<!-> )wl_data_source[@#]\d+\.send\("(.*)", fd ')
NOT_CONTENT = ('TARGETS', 'TIMESTAMP', 'MULTIPLE', 'SAVE_TARGETS')
seen = []  # the rows of this program


def wanted(program, package):
    """The path of an application; without it what is asked of it is skipped."""
    path = shutil.which(program)
    if not path:
        raise Missing(f'{package} is not installed')
    return path


def version_of(*command):
    """The first number with a dot, or at least a number, of what a program says of its version."""
    done = subprocess.run([need(command[0]), *command[1:]], capture_output=True, timeout=60,
                          check=False, env={**os.environ, 'HOME': '/nonexistent'})
    words = (done.stdout or done.stderr).decode(errors='replace')
    return re.search(r'\d+(\.\d+)+|\d+', words).group()


class Desk:
    """DISPLAY is x11 or sway."""

    def __init__(self, session):
        self.session = session
        self.is_wayland = session.display != 'x11'
        self.hands = (SwayHands if self.is_wayland else X11Hands)(session)
        self.client = (WlClipboard if self.is_wayland else Xclip)(session)
        self.app_log = None
        if not self.is_wayland:
            process = session.start(sys.executable, HERE / 'xasked.py', session.daemon.pid,
                                    name='xasked')
            session.wait_for(process, lambda: 'ready' in session.log('xasked'), 'RECORD is on')

    # the application

    def start(self, *argv, name='application', env=None, **options):
        self.app_log = name
        debug = {'WAYLAND_DEBUG': '1'} if self.is_wayland else {}
        return self.session.start(*argv, name=name, env={**debug, **(env or {})}, **options)

    def end(self, process):
        """The application is told to end, as by a desktop that is left."""
        self.session.started.remove(process)
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def asked(self):
        """Every type that the owner of the clipboard was asked for so far, in order."""
        if self.is_wayland:
            return SENT.findall(self.session.log(self.app_log)) if self.app_log else []
        names = self.session.log('xasked').split('\n')[:-1]
        return [name for name in names if name not in (*NOT_CONTENT, 'ready')]

    # the history

    def newest(self):
        lines = self.session.listed('--json', '--limit', '1').splitlines()
        return json.loads(lines[0]) if lines else {'id': 0, 'preview': ''}

    def wait_newer(self, number, seconds=60):
        return until(lambda: self.newest()['id'] > number and self.newest()['id'],
                     f'there is an entry after {number}', seconds)

    def stored(self, number):
        return self.session.cliphist('types', number).stdout.decode().splitlines()

    def content(self, number, mime):
        return self.session.cliphist('paste', '--type', mime, number).stdout

    def canary_in_history(self, secret):
        """The files of the history, and the daemon's log, in which these bytes are."""
        state = self.session.folder / 'state'
        files = [path for path in state.rglob('*') if path.is_file()]
        return [path.name for path in [*files, self.session.folder / 'log' / 'cliphistd']
                if secret in path.read_bytes()]

    def other_copy(self, text):
        """Another program copies a text; its id."""
        before = self.newest()['id']
        self.client.copy_bytes(text.encode())
        number = self.wait_newer(before)
        equal(self.newest()['preview'], text, 'what another program has copied')
        return number

    def select_again(self, number, data):
        """The daemon owns an entry, for the application to paste."""
        self.session.cliphist('copy', number)
        self.wait_paste(data)

    def wait_paste(self, data, mime='text/plain;charset=utf-8'):
        until(lambda: self.client.paste_bytes(mime) == data, f'{mime} is pasted')

    # what the application copies

    def capture(self, act, seconds=60, again=None):
        """The id of the entry that an action of the application makes, and what was read.

        An action that nobody can say whether the application is ready for is repeated every AGAIN
        seconds."""
        before, end = self.newest()['id'], time.monotonic() + seconds
        while True:
            asked = len(self.asked())
            act()
            try:
                number = self.wait_newer(before, again or seconds)
                break
            except Broken:
                if time.monotonic() > end:
                    raise
        stored = self.stored(number)
        # what is written down of the requests may come a moment after the entry
        until(lambda: len(self.asked()) - asked >= len(stored), 'what was read is known')
        return number, self.asked()[asked:]

    def row(self, application, version, copied, number, read):
        """Checks an entry against what its owner offers and gives to anybody, for the table."""
        offered, stored = self.client.types(), self.stored(number)
        equal(sorted(set(read)), sorted(read), f'nothing is read twice of {offered}')
        equal([mime for mime in read if mime not in offered], [], 'read, and not offered')
        # a document has the time in it at which it was made
        for mime in (name for name in stored if 'embed-source' not in name):
            equal(self.content(number, mime), self.client.paste_bytes(mime), f'bytes of {mime}')
        self.note(application, version, copied, offered, read, stored)

    def note(self, application, version, copied, offered, read, stored):
        row = {'application': application, 'version': version, 'display': self.hands.display,
               'copied': copied, 'offered': offered, 'read': read, 'stored': stored}
        seen.append(row)
        record.save(row)
        note(record.line(row))

    def never(self, is_so, what, seconds=2):
        """Looks at what must not happen for as long as it would take."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            true(not is_so(), what)
            select.select([], [], [], 0.05)


@contextlib.contextmanager
def desk(display, env=None):
    with Session(display, programs=PROGRAMS) as session:
        session.start_daemon(env=env)
        session.wait_backend('x11' if display == 'x11' else 'wlr')
        d = Desk(session)
        try:
            yield d
        except Exception:
            if 'CLIP_SHOT' in os.environ:
                d.hands.shot(os.environ['CLIP_SHOT'])
            raise
        equal(session.stop(session.daemon), 0, 'exit status of the daemon')


def documented(name):
    """The last fact of a program: the table says what was seen."""
    @fact(name)
    def is_documented():
        if not seen:
            raise Missing('nothing was seen')
        wrong, other = record.check(seen)
        for words in other:
            note(f'another version: {words}')
        equal(wrong, [], 'what record.py would change')
