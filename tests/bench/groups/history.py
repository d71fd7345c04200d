# SPDX-License-Identifier: LGPL-2.1-or-later
"""The list through a pipe, against the same text out of a file; more is in the group `store`."""
import os

from rows import Row

DISPLAY = 'none'


def fill(bench, entries):
    """Stores short texts over the bus, without a process for each."""
    for number in range(entries):
        fd = os.memfd_create('entry')
        os.write(fd, f'entry {number} of the list, with some words in it'.encode())
        os.lseek(fd, 0, os.SEEK_SET)
        bench.call('Store', '(a(sh)a{sv})', ([('text/plain;charset=utf-8', 0)], {}), [fd])


def list_row(bench, entries):
    fill(bench, entries)
    text = bench.folder / 'list'
    text.write_bytes(bench.session.cliphist('list').stdout)
    end = bench.tool('read-sink')
    return Row(f'list of {entries:,} entries', 0,
               lambda: bench.serve([bench.cliphist, 'list'], end),
               {'cat of the same text': lambda: bench.serve(['cat', text], end)})


def rows(bench):
    yield [list_row(bench, bench.args.entries)]
