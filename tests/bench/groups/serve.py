# SPDX-License-Identifier: LGPL-2.1-or-later
"""A clip that is in the page cache, given to a sink that splices, one that reads, and a file.

All ways read the same file: the one that the history holds. D-Bus `Send` is timed from the call
of a program that is on the bus already until it has replied and the sink has seen the end.
"""
import os

from rows import Figure, Row
from timing import opened

DISPLAY = 'none'

SINKS = {'splicing sink': 'splice-sink', 'reading sink': 'read-sink'}
DECODE_GOALS = {'splicing sink': {'a bare splice loop': 0.95, 'cat': 10},
                'reading sink': {'a bare splice loop': 0.95, 'cat': 2}}
SEND_GOALS = {'a bare splice loop': 0.9}


def plain_ways(bench, blob, sink):
    """The others, by name; each gives the same file to the same sink."""
    end = bench.tool(sink)
    kib = bench.best_buffer(blob, end)
    loop = bench.tool('plain-copy', 'read-write', kib * 1024)
    return {
        'a bare splice loop': lambda: bench.serve(bench.tool('bare-splice', blob), end),
        'cat': lambda: bench.serve(['cat', blob], end),
        f'a read/write loop, {kib} KiB': lambda: bench.serve_file(blob, loop, end),
        'sendfile': lambda: bench.serve_file(blob, bench.tool('plain-copy', 'sendfile'), end),
    }


def sink_rows(bench, number, blob, size):
    for name, sink in SINKS.items():
        others = plain_ways(bench, blob, sink)
        end = bench.tool(sink)
        splices = sink == 'splice-sink'
        yield [
            Row(f'decode, {name}', size,
                lambda end=end: bench.serve([bench.cliphist, 'decode', number], end),
                others, DECODE_GOALS[name], {'cat': 8} if splices else {},
                0.04 if splices else None),
            Row(f'D-Bus Send, {name}', size, lambda end=end: bench.send(number, end),
                {way: others[way] for way in ('a bare splice loop', 'cat')}, SEND_GOALS,
                {'cat': 8} if splices else {}, 0.04 if splices else None),
        ]


def file_row(bench, number, blob, size):
    """Into a new file on the same disk; nobody waits for the disk."""
    target = bench.folder / 'target'

    def into_target(command, stdin=None):
        with opened(target, os.O_WRONLY | os.O_CREAT) as fd:
            result = bench.take(command, stdin=stdin, stdout=fd)
        target.unlink()
        os.sync()
        return result

    def sendfile():
        with opened(blob) as fd:
            return into_target(bench.tool('plain-copy', 'sendfile'), fd)

    return Row('decode, a file', size, lambda: into_target([bench.cliphist, 'decode', number]), {
        'cp': lambda: into_target(['cp', blob, target]),
        'cat': lambda: into_target(['cat', blob]),
        'sendfile': sendfile,
    })


def memory_figures(bench, number):
    figure = Figure('memory of the daemon while it sends', 'KiB', most=1024)
    for sink in SINKS.values():
        for _ in range(bench.runs):
            figure.values.append(bench.growth_kib(
                lambda sink=sink: bench.send(number, bench.tool(sink))))
    return [figure]


def rows(bench):
    path = bench.make_text(bench.size)
    number = bench.store(path)
    path.unlink()
    blob = bench.blob(bench.size)
    yield from sink_rows(bench, number, blob, bench.size)
    yield [file_row(bench, number, blob, bench.size)]
    yield memory_figures(bench, number)
