# SPDX-License-Identifier: LGPL-2.1-or-later
"""A mixed load, the same for the same seed, that keeps account of what was acknowledged."""
import select
import time

from account import KIB, MIB, Account, Clip
from session import Broken, until

# how many changes are under way at once
WIDTH = 4


def log_uniform(rng, low, high):
    return int(low * (high / low) ** rng.random())


class Load:
    def __init__(self, rng, rich=True):
        self.rng = rng
        self.rich = rich
        self.account = Account()
        self.asked = []
        self.n_clips = 0
        self.port = None

    # what is asked for

    def _new_clip(self):
        self.n_clips += 1
        kind = self.rng.random()
        if kind < 0.5:
            size = log_uniform(self.rng, 60, 1000)
        elif kind < 0.75:
            size = log_uniform(self.rng, KIB, 64 * KIB)
        else:
            size = log_uniform(self.rng, 64 * KIB + 1, 3 * MIB)
        return Clip(f'{self.n_clips} {self.rng.random()}', size,
                    rich=self.rich and self.rng.random() < 0.15)

    def _start(self, handle, end):
        self.asked.append((handle, end))

    def _store(self, clip):
        end = self.account.store(clip)
        self._start(self.port.store(clip, self.rng.random() < 0.5), end)

    def _ask(self):
        what, kept = self.rng.random(), self.account.kept()
        if what < 0.55 or not kept:
            self._store(self._new_clip())
            return
        record = self.rng.choice(kept)
        if what < 0.72:
            self._store(record.clip)
        elif what < 0.9:
            self._start(self.port.delete([record.id]), self.account.delete(record))
        elif what < 0.94:
            self._start(self.port.pin(record.id), self.account.pin(record))
        elif what > 0.97:
            self._wipe()

    def _wipe(self):
        """Nothing else is under way meanwhile."""
        if self._finish():
            self._start(self.port.wipe(), self.account.wipe())
            self._finish()

    # until a moment

    def look(self):
        """Takes what has been decided."""
        self.port.look()
        for handle, end in list(self.asked):
            if handle.look():
                self.asked.remove((handle, end))
                end(handle.done, handle.number)

    def _is_over(self):
        self.look()
        return not self.asked or time.monotonic() > self.moment

    def _finish(self):
        """Whether all changes were decided before the moment came."""
        until(self._is_over, 'the changes are decided', 60)
        return not self.asked

    def run(self, port, seconds):
        """Asks for changes until the moment has come; what is under way then stays so."""
        self.port = port
        self.account.leaving.clear()
        self.moment = time.monotonic() + seconds
        while time.monotonic() < self.moment:
            self.look()
            if len(self.asked) < WIDTH:
                self._ask()
            else:
                select.select([], [], [], 0.0003)

    def end(self):
        """After the fault: every change is decided, or will never be."""
        self.moment = float('inf')
        until(self._is_over, 'every change is decided', 60)


def check(session, load, disk):
    """After a fault, with a daemon to sweep: what the account says is what is there."""
    announced = load.port.announced if load.port else ()
    check_account(session, load.account, disk, set(announced) - load.account.leaving)


def check_account(session, account, disk, announced=frozenset()):
    """@announced: ids of entries that have to be there"""
    disk.check_rows()
    found = disk.entries()
    missing = announced - {entry.id for entry in found}
    if missing:
        raise Broken(f'entries {sorted(missing)} were announced and are gone')
    account.settle(found)
    disk.await_sweep()
    disk.check_rows()
    find_nothing(session)
    compare_output(session, found)


def find_nothing(session):
    """What was left of a fault and swept is nothing that a doctor finds."""
    done = session.cliphist('doctor', check=False)
    if done.returncode:
        raise Broken(f'doctor: exit {done.returncode}: {done.stdout + done.stderr!r}'[:600])


def compare_output(session, found):
    """What the command prints is what is on the disk."""
    lines = session.listed().split(b'\n')[:-1]
    listed = [int(line.split(b'\t')[0]) for line in lines]
    if listed != [entry.id for entry in found]:
        raise Broken(f'list prints {listed}, not {[entry.id for entry in found]}')
    if not found:
        return
    joined = session.cliphist('join', '--separator', '', *listed).stdout
    if joined != b''.join(entry.contents[0][1] for entry in found):
        raise Broken(f'join prints other bytes than {len(found)} entries have')
