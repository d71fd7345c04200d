# SPDX-License-Identifier: LGPL-2.1-or-later
"""The steady state: a history that is full, where each copy pushes the oldest entry out.

What one copy costs the daemon from the call until it has nothing left to do (log, checkpoints and
what it does in the background included), and how long the caller waits until the copy is durable.
"""
import contextlib
import os
import pathlib
import struct
import time
import zlib

from bench import Bench
from rows import Figure, percentile
from timing import cpu_clock

DISPLAY = 'x11'  # without one the daemon looks for one every few seconds
SIZES = [10_000, 100_000]
CALLS = 300

COPIES = 12
QUIET_S = 0.4
LEAST_CPU_S = 0.0002  # a thread of a pool that ends
MOST_S = 5

TEXT = 'text/plain;charset=utf-8'
SIDE = 256

# of one copy: milliseconds of CPU and KiB
MOST_CPU_MS = 3
MOST_KIB = 100


def png(number):
    """An image of 192 KiB that is like no other."""
    def chunk(kind, data):
        body = kind + data
        return struct.pack('>I', len(data)) + body + struct.pack('>I', zlib.crc32(body))
    rows = b''.join(b'\0' + os.urandom(SIDE * 3) for _ in range(SIDE))
    return (b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', SIDE, SIDE, 8, 2, 0, 0, 0))
            + chunk(b'tEXt', b'Comment\0%d' % number) + chunk(b'IDAT', zlib.compress(rows, 1))
            + chunk(b'IEND', b''))


class Full:
    """A daemon whose history is full, and what it has spent so far."""

    def __init__(self, bench, entries):
        self.bench, self.entries, self.number = bench, entries, 0
        session = bench.session
        session.stop(session.daemon)
        config = session.folder / 'config' / 'cliphist' / 'config'
        config.write_text(f'{config.read_text()}max-items {entries}\n')
        session.run(*bench.tool('fill-history', bench.folder / 'state' / 'cliphist', entries),
                    seconds=600)
        self.old = session.run(*bench.tool('fill-history', '--texts', entries),
                               seconds=60).stdout.split(b'\0')[entries // 2:-1]
        self.count = bench.folder / 'syncs'
        self.count.write_bytes(bytes(8))
        session.start_daemon(env={'LD_PRELOAD': str(bench.tools / 'libcount-syncs.so'),
                                  'CLIP_SYNC_COUNT': str(self.count)})
        bench.daemon = session.daemon.pid
        self.settle()
        os.sync()

    def text(self):
        self.number += 1
        return TEXT, f'{self.number:09} {time.monotonic_ns():020} '.ljust(100, 'x').encode()

    def image(self):
        self.number += 1
        return 'image/png', png(self.number)

    def again(self):
        """An entry of the older half moves to the top."""
        return TEXT, self.old.pop()

    def call(self, name, path, mime, content):
        from gi.repository import Gio, GLib
        fd = os.memfd_create('content')
        os.write(fd, content)
        os.lseek(fd, 0, os.SEEK_SET)
        values = GLib.Variant('(a(sh)a{sv})', ([(mime, 0)], {}))
        fds = Gio.UnixFDList.new_from_array([fd])
        start = time.monotonic()
        self.bench.bus().call_with_unix_fd_list_sync(
            name, path, name, 'Store', values, None, Gio.DBusCallFlags.NONE, -1, fds, None)
        return (time.monotonic() - start) * 1000

    def store(self, make):
        return self.call('org.cliphist.History1', '/org/cliphist/History1', *make())

    def store_bare(self, make):
        return self.call('org.cliphist.Bare1', '/org/cliphist/Bare1', *make())

    def settle(self):
        """Until the daemon has been idle for a while."""
        end = time.monotonic() + MOST_S
        last, since = cpu_clock(self.bench.daemon), time.monotonic()
        while time.monotonic() < end and time.monotonic() - since < QUIET_S:
            time.sleep(0.02)
            now = cpu_clock(self.bench.daemon)
            if now - last > LEAST_CPU_S:
                last, since = now, time.monotonic()

    def spent(self):
        """Milliseconds of CPU, KiB written (pages made dirty, which the disk gets), syncs"""
        written = dict(line.split(': ') for line in pathlib.Path(
            f'/proc/{self.bench.daemon}/io').read_text().splitlines())['write_bytes']
        return (cpu_clock(self.bench.daemon) * 1000, int(written) / 1024,
                struct.unpack('=Q', self.count.read_bytes())[0])


def cost_figures(full, name, make):
    limits = (MOST_CPU_MS, MOST_KIB, None) if name == 'a text' else (None, None, None)
    title = f'{name}, of {full.entries:,}'
    figures = [Figure(f'{title}: {what}', unit, most=most) for (what, unit), most in zip(
        (('CPU', 'ms'), ('written', 'KiB'), ('syncs', '')), limits)]
    for _ in range(COPIES):
        before = full.spent()
        full.store(make)
        full.settle()
        for figure, start, end in zip(figures, before, full.spent()):
            figure.values.append(end - start)
    for figure in figures:  # what comes after several copies belongs to each of them
        figure.values = [sum(figure.values) / COPIES]
    return figures


def wait_figures(full, name, make, bare):
    """Of one call after the other, in turn with a bare service that syncs a page."""
    figures = [Figure(f'{name}, of {full.entries:,}: durable, {part}', 'ms')
               for part in ('p50', 'p99')]
    calls = [(full.store_bare(bare), full.store(make)) for _ in range(CALLS)]
    for figure, part, most in zip(figures, (0.5, 0.99), (0.9, 2)):
        figure.idle = [percentile([idle for idle, _ in calls], part)]
        figure.values = [percentile([busy for _, busy in calls], part)]
        if name == 'a text':
            figure.most = round(figure.idle[0] + most, 2)
    return figures


def rows(bench):
    for entries in SIZES:
        if entries > bench.args.most_entries:
            continue
        with Bench(DISPLAY, bench.args) as own:
            full = Full(own, entries)
            kinds = {'a text': full.text, 'an image': full.image, 'a re-copy': full.again}
            for name, make in kinds.items():
                yield cost_figures(full, name, make)
            with contextlib.ExitStack() as stack:
                stack.enter_context(own.bare_server(own.folder / 'bare'))
                for name, make in kinds.items():
                    yield wait_figures(full, name, make,
                                       full.image if name == 'an image' else full.text)
