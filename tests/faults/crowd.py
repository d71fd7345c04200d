# SPDX-License-Identifier: LGPL-2.1-or-later
"""Many processes at one history: crowd.py BUILD LIBRARY few|all [FACT...]"""
import contextlib
import os
import pathlib
import random
import select
import subprocess
import sys
import threading

_TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(_TESTS / 'session'), str(_TESTS / 'transfers')]
from account import KIB, MIB, Account, Clip, digest  # noqa: E402
from faultcase import FaultSession, said  # noqa: E402
from load import check_account, log_uniform  # noqa: E402
from session import Broken, Programs, tied, until  # noqa: E402
from sides import held_bytes, pipe_bytes  # noqa: E402
from tap import equal, fact, main, note, true  # noqa: E402

PROGRAMS = Programs(sys.argv.pop(1))
IS_ALL = {'few': False, 'all': True}[sys.argv.pop(2)]
del sys.argv[1]

WRITERS, READERS = (50, 50) if IS_ALL else (8, 2)
EACH = 6 if IS_ALL else 3
WAL_BYTES = 4 * MIB

# who has no bus starts a private daemon, beside the session's
ALONE = {'DBUS_SESSION_BUS_ADDRESS': 'unix:path=/nowhere'}


class Gauge:
    """How long the log of the history gets, looked at all the time."""

    def __init__(self, session):
        self.path = session.history / 'history.db-wal'
        self.most = 0
        self.ending = threading.Event()
        self.thread = threading.Thread(target=self._run, daemon=True)

    def _run(self):
        while not self.ending.wait(0.002):
            with contextlib.suppress(FileNotFoundError):
                self.most = max(self.most, self.path.stat().st_size)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.ending.set()
        self.thread.join()


def command(session, number, *argv, **ends):
    env = {**session.env, **(ALONE if number % 2 else {})}
    return subprocess.Popen([PROGRAMS.cliphist, *map(str, argv)], env=env, cwd=session.folder,
                            stderr=subprocess.PIPE, preexec_fn=tied(), **ends)


def wait_done(process, data=None):
    out, words = process.communicate(data, timeout=240)
    words = words.decode(errors='replace')
    if process.returncode:
        raise Broken(f'{process.args}: exit {process.returncode}: {words}')
    equal(said(words), [], 'what it says')
    return out


class Crowd:
    """Threads that each run one command after the other; what goes wrong in one is kept."""

    def __init__(self):
        self.threads = []
        self.errors = []

    def add(self, function, *args):
        thread = threading.Thread(target=self._run, args=(function, args), daemon=True)
        self.threads.append(thread)
        thread.start()

    def _run(self, function, args):
        try:
            function(*args)
        except Exception as error:  # told by whoever waits
            self.errors.append(error)

    def wait(self):
        for thread in self.threads:
            thread.join()
        if self.errors:
            raise Broken(f'{len(self.errors)} of {len(self.threads)}: {self.errors[0]}')


def clips_of(number):
    rng = random.Random(f'writer {number}')
    for count in range(EACH):
        size = log_uniform(rng, 60, 400 * KIB)
        yield Clip(f'crowd {number} {count}', size)


def write(session, number, clips):
    for clip in clips:
        wait_done(command(session, number, 'store', stdin=subprocess.PIPE,
                          stdout=subprocess.DEVNULL), clip.data)


def read(session, number, sent, ending):
    """What is listed decodes, whole, and was sent; what others delete meanwhile may be missing."""
    while not ending.is_set():
        lines = wait_done(command(session, number, 'list', '--limit', '3',
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE))
        for line in lines.split(b'\n')[:-1]:
            data = wait_done(command(session, number, 'decode', line.split(b'\t')[0].decode(),
                                     stdin=subprocess.DEVNULL, stdout=subprocess.PIPE))
            true(digest(data) in sent, f'{len(data)} bytes that nobody sent')


def stall(session, *argv):
    """A reader of the history whose own reader does nothing; its pipe is full."""
    reader, writer = os.pipe()
    process = subprocess.Popen([PROGRAMS.cliphist, *argv], env=session.env, stdout=writer,
                               preexec_fn=tied())
    os.close(writer)
    until(lambda: held_bytes(reader) > pipe_bytes(reader) // 2, 'a pipe is filled')
    return process, reader


def take_all(pipe):
    seen = bytearray()
    while select.select([pipe], [], [], 60)[0]:
        some = os.read(pipe, MIB)
        if not some:
            return bytes(seen)
        seen += some
    raise Broken('nothing comes')


@fact('/crowd/writers-and-readers-and-two-that-stand-still')
def everybody():
    with FaultSession(PROGRAMS) as session:
        account, large = Account(), Clip('large', 3 * MIB)
        filler = [Clip(f'filler {number}', 3000) for number in range(40)]
        session.start_daemon()
        for number, clip in enumerate([large, *filler], 1):
            session.cliphist('store', data=clip.data)
            account.store(clip)(True, number)
        listing, list_pipe = stall(session, '-preview-width', '3000', 'list')
        decoding, decode_pipe = stall(session, 'decode', '1')
        plans = [list(clips_of(number)) for number in range(WRITERS)]
        for clip in (clip for plan in plans for clip in plan):
            account.store(clip)(True, None)
        writers, readers, ending = Crowd(), Crowd(), threading.Event()
        with Gauge(session) as gauge:
            for number, plan in enumerate(plans):
                writers.add(write, session, number, plan)
            for number in range(READERS):
                readers.add(read, session, number, set(account.records), ending)
            try:
                writers.wait()
            finally:
                ending.set()
                readers.wait()
        true((listing.poll(), decoding.poll()) == (None, None), 'two still stand still')
        equal(take_all(list_pipe).count(b'\n'), 41, 'lines of what stood still')
        true(take_all(decode_pipe) == large.data, 'a blob comes whole after standing still')
        equal((listing.wait(20), decoding.wait(20)), (0, 0), 'exit statuses')
        check_account(session, account, session.disk)
        note(f'{WRITERS * EACH} clips by {WRITERS}, the log had {gauge.most} bytes at most')
        true(gauge.most < WAL_BYTES, f'the log had {gauge.most} bytes')


def refer_and_drop(session, number, clips, rounds):
    """Stores what others store, too, and deletes the newest: perhaps a last reference."""
    rng = random.Random(f'share {number}')
    for _ in range(rounds):
        wait_done(command(session, number, 'store', stdin=subprocess.PIPE,
                          stdout=subprocess.DEVNULL), rng.choice(clips).data)
        if rng.random() < 0.6:
            line = wait_done(command(session, number, 'list', '--limit', '1',
                                     stdin=subprocess.DEVNULL, stdout=subprocess.PIPE))
            wait_done(command(session, number, 'delete', stdin=subprocess.PIPE,
                              stdout=subprocess.DEVNULL), line)


@fact('/crowd/a-blob-that-one-stores-while-another-drops-it')
def shared_blobs():
    with FaultSession(PROGRAMS) as session:
        account = Account()
        clips = [Clip(f'shared {number}', 100 * KIB + number) for number in range(2)]
        crowd = Crowd()
        session.start_daemon()
        session.cliphist('store', data=clips[0].data)
        for number in range(10 if IS_ALL else 4):
            crowd.add(refer_and_drop, session, number, clips, 12 if IS_ALL else 5)
        crowd.wait()
        for clip in clips:
            account.store(clip)(False)  # there or not
        check_account(session, account, session.disk)
        for clip in clips:
            end = account.store(clip)
            session.cliphist('store', data=clip.data)
            end(True)
        check_account(session, account, session.disk)
        equal(len(session.disk.files()), 2, 'blobs')


@fact('/crowd/a-stalled-reader-keeps-no-log-and-no-writer')
def log_stays_small():
    """A listing that stands still while much is written."""
    with FaultSession(PROGRAMS) as session:
        account = Account()
        session.start_daemon()
        for number in range(30):
            clip = Clip(f'before {number}', 4000)
            session.cliphist('store', data=clip.data)
            account.store(clip)(True)
        listing, pipe = stall(session, '-preview-width', '4000', 'list')
        with Gauge(session) as gauge:
            for number in range(200 if IS_ALL else 100):
                clip = Clip(f'meanwhile {number}', 60 * KIB)
                end = account.store(clip)
                session.cliphist('store', data=clip.data)
                end(True)
        equal(listing.poll(), None, 'whether the listing stands still')
        equal(take_all(pipe).count(b'\n'), 30, 'its lines')
        equal(listing.wait(20), 0, 'its exit status')
        check_account(session, account, session.disk)
        note(f'the log had {gauge.most} bytes at most')
        true(gauge.most < WAL_BYTES, f'the log had {gauge.most} bytes')


main()
