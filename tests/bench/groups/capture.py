# SPDX-License-Identifier: LGPL-2.1-or-later
"""A clip that comes in: hashed, on the disk, committed.

Who is compared has to bring the bytes to the disk as well (fdatasync, or sync of that file), into
a new file on the same disk. A pipe is filled by the bare splice loop in all the ways.
"""
import os

from rows import Figure, Row
from timing import opened

DISPLAY = 'none'

BEST_BUFFER = 128 * 1024  # of a read/write loop into a file


class Source:
    """The file that is captured, and the target that the others write."""

    def __init__(self, bench, size):
        self.bench = bench
        self.size = size
        self.path = bench.make_text(size)
        self.target = bench.folder / 'target'
        os.sync()

    def store_pipe(self):
        return self._store(lambda: self.bench.take(
            self.bench.tool('bare-splice', self.path), [self.bench.cliphist, 'store'],
            daemon=True))

    def store_file(self):
        def action():
            with opened(self.path) as fd:
                return self.bench.take([self.bench.cliphist, 'store'], stdin=fd, daemon=True)
        return self._store(action)

    def _store(self, action):
        self.bench.make_different(self.path)
        os.sync()
        result = action()
        self.bench.remove(self.bench.newest())
        return result

    def other_pipe(self, *command):
        """A command that writes what it reads into the target."""
        return self._other(lambda fd: self.bench.take(
            self.bench.tool('bare-splice', self.path), command, stdout=fd))

    def other_file(self, *command):
        def action(fd):
            with opened(self.path) as source:
                return self.bench.take(command, stdin=source, stdout=fd)
        return self._other(action)

    def _other(self, action):
        with opened(self.target, os.O_WRONLY | os.O_CREAT) as fd:
            result = action(fd)
        self.target.unlink()
        os.sync()
        return result


def pipe_row(bench, source):
    return Row('store from a pipe, durable', source.size, source.store_pipe, {
        'a bare splice + fdatasync': lambda: source.other_pipe(
            *bench.tool('bare-splice', '--into', source.target)),
        'cat + sync': lambda: source.other_pipe(
            'sh', '-c', 'cat && sync --data "$1"', 'sh', source.target),
        'a read/write loop + fdatasync': lambda: source.other_pipe(
            *bench.tool('plain-copy', '--sync', 'read-write', BEST_BUFFER)),
        'the disk alone': lambda: source.other_file(*bench.tool('bare-disk', source.size)),
    }, {'a bare splice + fdatasync': 1.5})


def file_row(bench, source):
    return Row('store from a file, durable', source.size, source.store_file, {
        'cp + sync': lambda: source.other_file(
            'sh', '-c', 'cp "$1" "$2" && sync --data "$2"', 'sh', source.path, source.target),
        'sendfile + fdatasync': lambda: source.other_file(
            *bench.tool('plain-copy', '--sync', 'sendfile')),
    }, {'cp + sync': 1})


def again_row(bench, source):
    """What is in the history already: hashed and compared, but nothing is kept."""
    bench.store(source.path)

    def again():
        return bench.take(bench.tool('bare-splice', source.path), [bench.cliphist, 'store'],
                          daemon=True)
    return Row('store of what is there, from a pipe', source.size, again, {
        'a bare splice + fdatasync': lambda: source.other_pipe(
            *bench.tool('bare-splice', '--into', source.target))})


def memory_figures(bench, source):
    """Anonymous is memory that is the daemon's alone. Private_Dirty counts, besides, the page
    cache of the file that is being written, where the daemon maps it to hash it."""
    own = Figure('memory of the daemon while it stores', 'KiB', most=1024)
    dirty = Figure('the same with what it maps of the file', 'KiB')
    for figure, field in ((own, 'Anonymous'), (dirty, 'Private_Dirty')):
        for _ in range(bench.runs):
            figure.values.append(bench.growth_kib(source.store_pipe, field))
    return [own, dirty]


def rows(bench):
    source = Source(bench, bench.size)
    yield [pipe_row(bench, source)]
    yield [file_row(bench, source)]
    yield memory_figures(bench, source)
    yield [again_row(bench, source)]
