# SPDX-License-Identifier: LGPL-2.1-or-later
"""Throughput against size, from 1 KiB to 4 GiB: a clip that is served, and one that is stored.

A small clip shows what starting a program costs, a large one what moving bytes does. `--plot`
draws it.
"""
import figure
from groups.capture import Source
from rows import Row

DISPLAY = 'none'
ENOUGH_S = 1.5
SMALLEST = 1 << 10
SERVE = 'decode'
STORE = 'store, durable'


def name_of(size):
    for unit, name in ((1 << 30, 'GiB'), (1 << 20, 'MiB'), (1 << 10, 'KiB')):
        if size >= unit:
            return f'{size // unit} {name}'
    return f'{size} B'


def sizes(most):
    size = SMALLEST
    while size <= most:
        yield size
        size *= 4


def serve_row(bench, number, path, size):
    """From the file that was stored: small clips have no file of their own in the history."""
    end = bench.tool('splice-sink')
    return Row(f'{SERVE} {name_of(size)}', size,
               lambda: bench.serve([bench.cliphist, 'decode', number], end), {
                   'D-Bus Send': lambda: bench.send(number, end),
                   'a bare splice loop': lambda: bench.serve(
                       bench.tool('bare-splice', path), end),
                   'cat': lambda: bench.serve(['cat', path], end),
               })


def store_row(bench, source, size):
    return Row(f'{STORE} {name_of(size)}', size, source.store_pipe, {
        'a bare splice + fdatasync': lambda: source.other_pipe(
            *bench.tool('bare-splice', '--into', source.target)),
    })


def rows(bench):
    for size in sizes(bench.args.max_size):
        source = Source(bench, size)
        number = bench.store(source.path)
        yield [serve_row(bench, number, source.path, size)]
        bench.remove(number)
        yield [store_row(bench, source, size)]
        source.path.unlink()


def lines_of(found, task, ours):
    """name -> points (bytes, bytes per second)"""
    lines = {}
    for row in found:
        if not row['task'].startswith(task):
            continue
        for name, way in ((ours, row['cliphist']), (row['against'], row['other'])):
            lines.setdefault(name, {})[row['bytes']] = row['bytes'] / way['median_s']
    return {name: sorted(points.items()) for name, points in lines.items()}


def draw(found, path):
    panels = [('out, into a sink that splices', lines_of(found, SERVE, 'cliphist decode')),
              ('in, from a pipe, until it is on the disk', lines_of(found, STORE,
                                                                    'cliphist store'))]
    with open(path, 'w', encoding='utf-8') as file:
        file.write(figure.draw(panels))
