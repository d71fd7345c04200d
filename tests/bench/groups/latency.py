# SPDX-License-Identifier: LGPL-2.1-or-later
"""Who has to wait while the daemon is busy with many others.

Latencies are those of one caller who asks again and again: a `Lookup`, then a `Send` of 1 MiB
into a pipe as it comes, until the last byte has been read. What it takes to ask the bus for its
id at the same time, and a service that does nothing else for the same MiB, is what the machine, and
not the daemon, lets them wait.
"""
from crowds import CAPTURES, MIB, READERS, Crowd
from rows import Figure, percentile

DISPLAY = 'none'
CALLS = 300

# and what 99 of 100 calls may take, in milliseconds
METHODS = [('the bus itself', None), ('Lookup', 10), ('Send of 1 MiB', 5),
           ('the same of a bare service', None)]


def latencies(crowd):
    """Milliseconds of each call to the bus itself, of each Lookup, Send and bare Send"""
    command = crowd.bench.tool('latency', CALLS, crowd.word, crowd.middle)
    done = crowd.bench.session.run(*command, seconds=120)
    lines = [line.split() for line in done.stdout.decode().splitlines()]
    return [[int(line[which]) / 1000 for line in lines] for which in range(len(METHODS))]


def loads(crowd):
    each = crowd.bench.size // CAPTURES
    part = ('readers', READERS // 2, crowd.large)
    yield 'with 100 stalled readers', crowd.stalled
    yield 'with 100 readers', lambda: crowd.again_and_again(('readers', READERS, crowd.large))
    yield 'with 50 captures', lambda: crowd.again_and_again(('captures', CAPTURES, each))
    yield 'with 50 readers, 20 captures', lambda: crowd.again_and_again(
        part, ('captures', 20, each))


def latency_figures(crowd, title, load):
    """The same calls without the load just before, each time."""
    found = []
    for which, (method, most) in enumerate(METHODS):
        for name, part in (('p50', 0.5), ('p99', 0.99)):
            figure = Figure(f'{method} {title}, {name}', 'ms',
                            most=most if name == 'p99' else None)
            found.append((figure, which, part))
    for _ in range(crowd.bench.runs):
        crowd.wipe_captures()  # and waits for the disk
        idle = latencies(crowd)
        with load():
            busy = latencies(crowd)
        for figure, which, part in found:
            figure.idle.append(percentile(idle[which], part))
            figure.values.append(percentile(busy[which], part))
    return [figure for figure, _, _ in found]


def rows(bench):
    crowd = Crowd(bench)
    with bench.bare_server(bench.blob(MIB)):
        for title, load in loads(crowd):
            yield latency_figures(crowd, title, load)
            crowd.wipe_captures()
