# SPDX-License-Identifier: LGPL-2.1-or-later
"""Copies, as many and as quick as nobody makes by hand: how many are lost, and how long one takes until
it is durable and announced; and what the source of a large one waits.

What was replaced cannot be asked for any more, so a listener that is late has lost a copy.
"""
import subprocess
import time

from clients import TEXT, WlClipboard, Xclip
from copiers import Copier, pace
from rows import Figure, Row, percentile
from session import BUS_NAME, BUS_PATH, Broken, until
from timing import Result

DISPLAYS = ['sway', 'x11']
BACKENDS = {'sway': 'wlr', 'x11': 'x11'}

IN_A_ROW = 200
COPIES = 1000
TIMED = 500
APART_US = 20_000  # each by itself
WORD_MS = 50


def titled(bench, words, unit='copies', **bounds):
    return Figure(f'{bench.session.display}: {words}', unit, **bounds)


def listed(bench):
    return bench.session.listed().splitlines()


def when_listed(bench, count, seconds=10):
    """How many of them are in the list, once they are all there or have had the time."""
    try:
        until(lambda: len(listed(bench)) >= count, 'all of them are there', seconds)
    except Broken:
        pass
    return len(listed(bench))


def lost_in_a_row(bench):
    """Each copy by a program of its own, which says that it owns the selection before the next."""
    client = {'sway': WlClipboard, 'x11': Xclip}[bench.session.display](bench.session)
    bench.session.cliphist('wipe')
    for number in range(IN_A_ROW):
        client.copy_in_a_row(b'copy number %d' % number)
    return IN_A_ROW - when_listed(bench, IN_A_ROW, 5)


def lost(bench, gap_us):
    bench.session.cliphist('wipe')
    _, copier = pace(bench.session, COPIES, gap_us)
    count = when_listed(bench, COPIES, 5)
    copier.end()
    return COPIES - count


def loss_rows(bench):
    figure = titled(bench, f'lost of {IN_A_ROW} in a row, a program each', most=0)
    figure.values = [lost_in_a_row(bench) for _ in range(3)]
    yield [figure]
    for gap_us in (5_000, 2_000, 1_000):
        figure = titled(bench, f'lost of {COPIES:,}, {gap_us / 1000:g} ms apart',
                        most=0 if gap_us >= 5_000 else None)
        figure.values = [lost(bench, gap_us) for _ in range(3)]
        yield [figure]


class Announced:
    """The moments at which EntryAdded reached somebody on the bus."""

    def __init__(self, bench):
        from gi.repository import Gio, GLib
        self.loop = GLib.MainContext.default()
        self.moments = []
        self.bus = bench.bus()
        self.token = self.bus.signal_subscribe(
            BUS_NAME, BUS_NAME, 'EntryAdded', BUS_PATH, None, Gio.DBusSignalFlags.NONE,
            lambda *_: self.moments.append(time.monotonic()))

    def wait(self, count, seconds):
        end = time.monotonic() + seconds
        while len(self.moments) < count:
            if time.monotonic() > end:
                raise Broken(f'{len(self.moments)} of {count} entries were announced')
            if not self.loop.iteration(False):
                time.sleep(0.0001)

    def forget(self):
        self.moments = []

    def end(self):
        self.bus.signal_unsubscribe(self.token)


def announced_ms(bench, announced):
    """How long each copy took from the moment before it was made."""
    bench.session.cliphist('wipe')
    announced.forget()
    copier = Copier(bench.session, 'pace', TIMED, APART_US)
    announced.wait(TIMED, TIMED * APART_US / 1e6 + 30)
    copies = copier.copies(TIMED)
    copier.end()
    return [(moment - made) * 1000 for moment, (_, made) in zip(announced.moments, copies)]


def latency_rows(bench):
    announced = Announced(bench)
    figures = [(titled(bench, f'copy to EntryAdded, {name}', 'ms', most=most), part)
               for name, part, most in (('p50', 0.5, None), ('p99', 0.99, 10))]
    for _ in range(bench.runs):
        times = announced_ms(bench, announced)
        for figure, part in figures:
            figure.values.append(percentile(times, part))
    yield [figure for figure, _ in figures]
    figure = titled(bench, 'a word after half of 3 GiB', 'ms', most=WORD_MS)
    for _ in range(bench.runs):
        announced.forget()
        copier = Copier(bench.session, 'half-way', 3 << 30, f'word {time.monotonic_ns()}')
        announced.wait(1, 60)
        figure.values.append((announced.moments[0] - copier.copies(1)[0][1]) * 1000)
        copier.end()
    yield [figure]
    announced.end()


# --- the source of a large clip ---

def source_waits(bench, copier, reader):
    """Seconds from the moment that the source is asked until all is in the pipe."""
    process = reader()
    (_, begun), (_, ended) = copier.copies(2)
    if process:
        process.wait()
    copier.end()
    return Result(ended - begun, 0)


def large_copier(bench):
    copier = Copier(bench.session, 'whole', bench.size)
    if copier.line() != 'ready':
        raise Broken('the copier does not copy')
    return copier


def by_daemon(bench):
    bench.session.cliphist('wipe')
    result = source_waits(bench, large_copier(bench), lambda: None)
    when_listed(bench, 1)
    return result


def by_paste(bench, *command):
    path = bench.folder / 'pasted'
    bench.session.cliphist('pause')
    with open(path, 'wb') as file:
        result = source_waits(bench, large_copier(bench), lambda: subprocess.Popen(
            command, env=bench.env, stdout=file))
    path.unlink()
    bench.session.cliphist('resume')
    return result


PASTES = {
    'sway': ('wl-paste', '--no-newline', '--type', TEXT),
    'x11': ('xclip', '-selection', 'clipboard', '-out', '-target', 'UTF8_STRING'),
}


def source_rows(bench):
    command = PASTES[bench.session.display]
    plain = f'{command[0]} > file'
    yield [Row(f'{bench.session.display}: what the source of a clip waits', bench.size,
               lambda: by_daemon(bench), {plain: lambda: by_paste(bench, *command)}, {plain: 1})]


def rows(bench):
    bench.session.wait_backend(BACKENDS[bench.session.display])
    yield from loss_rows(bench)
    yield from latency_rows(bench)
    yield from source_rows(bench)
