# SPDX-License-Identifier: LGPL-2.1-or-later
"""Many at once: whether the sum keeps up with one stream, and what each of them costs."""
import contextlib
import fcntl
import os
import pathlib

from crowds import CAPTURES, MIB, READERS, STALLED, Crowd
from rows import Figure, Row

DISPLAY = 'none'
F_GETPIPE_SZ = 1032


def reader_row(crowd):
    size = crowd.bench.size * READERS
    return Row(f'{READERS} readers of one clip, splicing', size,
               lambda: crowd.run('readers', READERS, crowd.large), {
                   'one reader at a time': lambda: crowd.one_by_one(
                       'readers', READERS, crowd.large),
                   'as many bare splice loops': lambda: crowd.run(
                       'bare', READERS, crowd.blob),
               }, {'one reader at a time': 0.95})


def capture_row(crowd):
    each = crowd.bench.size // CAPTURES

    def captured(count, size):
        result = crowd.run('captures', count, size)
        crowd.wipe_captures()
        return result
    return Row(f'{CAPTURES} captures at once, {each // MIB} MiB each', each * CAPTURES,
               lambda: captured(CAPTURES, each),
               {'one capture of as much': lambda: captured(1, each * CAPTURES)},
               {'one capture of as much': 0.95})


def pipes_of(pid):
    """MiB that the pipes of a process hold room for, whoever has the other ends"""
    sizes = {}
    for path in pathlib.Path(f'/proc/{pid}/fd').iterdir():
        with contextlib.suppress(OSError):
            if os.readlink(path).startswith('pipe:'):
                fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
                sizes[os.readlink(path)] = fcntl.fcntl(fd, F_GETPIPE_SZ)
                os.close(fd)
    return sum(sizes.values()) / MIB


def stalled_figures(crowd):
    memory = Figure(f'memory for each of {STALLED} stalled readers', 'KiB', most=64)
    pipes = Figure(f'pipes of {STALLED} stalled readers', 'MiB', most=64)
    for _ in range(crowd.bench.runs):
        before = crowd.bench.memory_kib()
        pipes.idle.append(pipes_of(crowd.bench.daemon))
        with crowd.stalled():
            memory.values.append(max(0, crowd.bench.memory_kib() - before) / STALLED)
            pipes.values.append(pipes_of(crowd.bench.daemon))
    return [memory, pipes]


def rows(bench):
    crowd = Crowd(bench)
    yield stalled_figures(crowd)
    yield [capture_row(crowd)]
    yield [reader_row(crowd)]
