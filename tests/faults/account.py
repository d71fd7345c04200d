# SPDX-License-Identifier: LGPL-2.1-or-later
"""What a history may hold after a fault: what was acknowledged, and what was only asked for.

A change that was asked for makes two things possible, before and after; its acknowledgement
leaves one. What is found in the history has to be possible, and is a fact from then on.
"""
import hashlib
import random

from session import Broken

KIB = 1024
MIB = 1024 * KIB
TEXT = 'text/plain;charset=utf-8'
BYTES = 'application/octet-stream'
RICH = 'text/html'

WORDS = b'disk power fault page entry clip pipe link sync write commit daemon reader room'.split()


def digest(data):
    return hashlib.blake2b(data, digest_size=16).hexdigest()


class Clip:
    """Something to copy: contents, [(type, bytes)], the primary one first. Each has a beginning of
    its own, so that none is a part of another."""

    def __init__(self, seed, size, rich=False):
        rng = random.Random(f'clip {seed}')
        head = b'clip %s of %d: ' % (str(seed).encode(), size)
        if size <= 64 * KIB:
            words = b' '.join(rng.choices(WORDS, k=size // 4 + 1))
            self.contents = [(TEXT, (head + words)[:max(size, len(head))])]
        else:
            self.contents = [(BYTES, b'\0' + head + rng.randbytes(size - len(head) - 1))]
        if rich:
            self.contents.append((RICH, b'<p>' + head + rng.randbytes(size % 90_000).hex().encode()))
        self.name = digest(self.contents[0][1])

    @property
    def data(self):
        return self.contents[0][1]


class Found:
    """An entry as it is on the disk."""

    def __init__(self, number, pinned, contents):
        self.id = number
        self.pinned = pinned
        self.contents = contents


class Record:
    def __init__(self, clip):
        self.clip = clip
        self.there = {False}  # what is possible
        self.pinned = {False}
        self.id = None        # None = not known for certain
        self.is_busy = False  # something that was asked for is not decided yet


class Account:
    def __init__(self):
        self.records = {}
        self.leaving = set()  # ids that something was asked for that takes them away
        self.n_acknowledged = 0

    def __iter__(self):
        return iter(self.records.values())

    def kept(self):
        """What is there for certain, has a known id, and is left alone just now."""
        return [record for record in self
                if record.there == {True} and record.id and not record.is_busy]

    # what is asked for; each returns what its acknowledgement means, given an id or nothing

    def store(self, clip):
        record = self.records.setdefault(clip.name, Record(clip))
        if record.there == {False}:
            record.pinned = {False}
        record.there.add(True)
        self.leaving.add(record.id)
        return self._begin([record], lambda number: self._stored(record, number))

    def _stored(self, record, number):
        record.there = {True}
        record.id = number

    def delete(self, record):
        record.there.add(False)
        self.leaving.add(record.id)
        return self._begin([record], lambda _: setattr(record, 'there', {False}))

    def pin(self, record):
        record.pinned.add(True)
        return self._begin([record], lambda _: setattr(record, 'pinned', {True}))

    def wipe(self):
        """Nothing else may be under way."""
        loose = [record for record in self if False in record.pinned]
        for record in loose:
            record.there.add(False)
            self.leaving.add(record.id)
        return self._begin(loose, lambda _: self._wiped(loose))

    @staticmethod
    def _wiped(loose):
        for record in loose:
            if record.pinned == {False}:
                record.there = {False}

    def _begin(self, records, acknowledge):
        for record in records:
            record.is_busy = True

        def end(done, number=None):
            for record in records:
                record.is_busy = False
            if done:
                self.n_acknowledged += 1
                acknowledge(number)
            else:
                for record in records:
                    record.id = None
        return end

    # what is found

    def settle(self, found):
        """Compares it with the entries on the disk, which are the facts from here on."""
        here = {}
        for entry in found:
            name = digest(entry.contents[0][1])
            record = self.records.get(name)
            if not record:
                raise Broken(f'entry {entry.id} of {len(entry.contents[0][1])} bytes was never sent')
            if name in here:
                raise Broken(f'entries {here[name].id} and {entry.id} are the same')
            here[name] = entry
            self._compare(record, entry)
        for name, record in self.records.items():
            if name not in here and False not in record.there:
                raise Broken(f'{record.clip.data[:40]!r} was acknowledged and is gone')
        for name, record in list(self.records.items()):
            self._conclude(record, here.get(name))

    @staticmethod
    def _compare(record, entry):
        label = f'entry {entry.id}, {record.clip.data[:40]!r},'
        if True not in record.there:
            raise Broken(f'{label} was deleted and is there')
        if entry.pinned not in record.pinned:
            raise Broken(f'{label} is pinned: {entry.pinned}, wanted {record.pinned}')
        if [data for _, data in entry.contents] != [data for _, data in record.clip.contents]:
            raise Broken(f'{label} has other contents than were sent')

    def _conclude(self, record, entry):
        record.is_busy = False
        if not entry:
            del self.records[record.clip.name]
            return
        record.there = {True}
        record.pinned = {entry.pinned}
        record.id = entry.id
