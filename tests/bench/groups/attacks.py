# SPDX-License-Identifier: LGPL-2.1-or-later
"""Who has to wait while others hold all the calls that they can get.

The hoarders are those of tests/attacks: contents that nobody reads, copies and archives of which no
byte comes, expressions that take long, searches of the desktop. Beside them one caller lists, stores a
word and opens a content, again and again.
"""
import contextlib
import os
import subprocess
import time

from gi.repository import GLib

from rows import Figure, percentile
from session import Broken

DISPLAY = 'none'
CALLS = 50
TEXTS = 64
TEXT_BYTES = 60000
LARGE_BYTES = 3 << 20
MOST_MS = 100

LOADS = [('one process with 4 connections', 1, 4), ('16 processes', 16, 1)]


class Caller:
    def __init__(self, bench):
        self.bench = bench
        self.number = 0

    def list(self):
        self.bench.call('List', '(a{sv})', ({'limit': GLib.Variant('u', 50)},), [])

    def store(self):
        self.number += 1
        reader, writer = os.pipe()
        os.write(writer, b'word %d' % self.number)
        os.close(writer)
        self.bench.call('Store', '(a(sh)a{sv})', ([('text/plain', 0)], {}), [reader])

    def open(self):
        self.bench.call('Open', '(tsa{sv})', (0, '', {}), [])

    def latencies(self):
        """Milliseconds of each call, by method"""
        found = {'List': [], 'Store': [], 'Open': []}
        for _ in range(CALLS):
            for name, values in found.items():
                begun = time.monotonic()
                getattr(self, name.lower())()
                values.append((time.monotonic() - begun) * 1000)
        return found


@contextlib.contextmanager
def hoarders(bench, processes, connections):
    words = [str(bench.session.programs.hoarder), bench.env['DBUS_SESSION_BUS_ADDRESS'],
             str(connections)]
    started = [subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
               for _ in range(processes)]
    try:
        for process in started:
            if b'refused' not in process.stdout.readline():
                raise Broken('a hoarder did not start')
        yield
    finally:
        for process in started:
            process.communicate()


def fill(bench):
    """An entry that fits no pipe, and texts over which an expression takes long"""
    bench.store(bench.make_text(LARGE_BYTES))
    for number in range(TEXTS):
        bench.session.cliphist('store', data=b'%d ' % number + b'x' * TEXT_BYTES)


def rows(bench):
    fill(bench)
    caller = Caller(bench)
    for title, processes, connections in LOADS:
        figures = {(name, part): Figure(f'{name} beside {title}, {part}', 'ms', most=MOST_MS)
                   for name in ('List', 'Store', 'Open') for part in ('p50', 'p99')}
        for _ in range(bench.runs):
            idle = caller.latencies()
            with hoarders(bench, processes, connections):
                busy = caller.latencies()
            for (name, part), figure in figures.items():
                share = int(part[1:]) / 100
                figure.idle.append(percentile(idle[name], share))
                figure.values.append(percentile(busy[name], share))
        yield list(figures.values())
