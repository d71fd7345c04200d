# SPDX-License-Identifier: LGPL-2.1-or-later
"""A copy that never ends, on a small disk: endless.py BUILD DISPLAY [FACT...]

It is refused where the disk comes to its floor of free space, no entry goes for it, nothing of it
is left, and the next copy is kept. DISPLAY is `none` for the command, `ext`, `x11` or `gnome` for
a program that copies there. The disk is mounted, for which it takes root.
"""
import os
import pathlib
import signal
import sys

_TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(_TESTS / 'session'), str(_TESTS / 'transfers')]
from clients import DataControl, MutterClient  # noqa: E402
from copiers import Copier  # noqa: E402
from mounts import enter_namespace, run_tool  # noqa: E402
from session import Programs, Session, end_all, until  # noqa: E402
from tap import equal, fact, main, true  # noqa: E402

PROGRAMS = Programs(sys.argv.pop(1))
DISPLAY = sys.argv.pop(1)

MIB = 1 << 20
DISK_BYTES = 22 * MIB
N_ENTRIES = 120
ENTRY_BYTES = 200_000
# longer than the disk is large, and than any entry may be
ENDLESS_BYTES = 8 << 30
TEXT = 'text/plain;charset=utf-8'


class Desk(Session):
    """A session whose history lies on a small disk, with a daemon and some entries."""

    def _make_environment(self):
        super()._make_environment()
        self.state = self.folder / 'state'
        run_tool('mount', '-t', 'tmpfs', '-o', f'size={DISK_BYTES},mode=0700', 'state', self.state)

    def _open(self):
        super()._open()
        self.start_daemon()
        if DISPLAY != 'none':
            self.wait_backend('mutter' if DISPLAY == 'gnome' else DISPLAY)
        for number in range(N_ENTRIES):
            self.cliphist('store', data=f'{number} '.encode() * (ENTRY_BYTES // 4))
        self.wanted = self.listed()
        self.files = self.blobs()
        equal(self.wanted.count(b'\n'), N_ENTRIES, 'entries')

    def close(self):
        run_tool('umount', '-l', self.folder / 'state')
        super().close()

    def blobs(self):
        return sorted(path.name for path in (self.state / 'cliphist' / 'blobs').rglob('*'))

    def used_bytes(self):
        disk = os.statvfs(self.state)
        return (disk.f_blocks - disk.f_bfree) * disk.f_frsize

    def is_refused(self):
        return 'the disk is full' in self.log('cliphistd')

    def has_lost_nothing(self, before):
        equal(self.listed(), self.wanted, 'the history')
        equal(self.blobs(), self.files, 'files of blobs')
        until(lambda: self.used_bytes() < before + MIB, 'what had come is given back')
        self.cliphist('store', data=b'the next one')
        true(self.listed().endswith(self.wanted), 'nothing goes for the next one')
        equal(self.listed().count(b'\n'), N_ENTRIES + 1, 'the next one is kept')


def sparse_file(session):
    path = session.folder / 'endless'
    with open(path, 'wb') as file:
        file.truncate(ENDLESS_BYTES)
    return path


def copy_endlessly(session):
    if DISPLAY == 'x11':
        Copier(session, 'whole', str(ENDLESS_BYTES))
    elif DISPLAY == 'gnome':
        MutterClient(session).copy_types({TEXT: sparse_file(session)})
    else:
        DataControl(session).copy(sparse_file(session), TEXT)


def from_a_pipe():
    with Desk(DISPLAY, programs=PROGRAMS) as session:
        before = session.used_bytes()
        done = session.run('sh', '-c', f'cat /dev/zero | {PROGRAMS.cliphist} store', check=False)
        equal(done.returncode, 1, 'exit status')
        true(b'the disk is full' in done.stderr, f'it says why: {done.stderr!r}')
        session.has_lost_nothing(before)


def from_a_program():
    with Desk(DISPLAY, programs=PROGRAMS) as session:
        before = session.used_bytes()
        copy_endlessly(session)
        until(session.is_refused, 'the copy is refused', 60)
        session.has_lost_nothing(before)


if DISPLAY == 'none':
    fact('/endless/a-pipe-costs-no-entry')(from_a_pipe)
else:
    fact(f'/endless/a-program-on-{DISPLAY}-costs-no-entry')(from_a_program)

enter_namespace()
signal.signal(signal.SIGPIPE, signal.SIG_IGN)
main()
