# SPDX-License-Identifier: LGPL-2.1-or-later
"""Many entries as one stream, oldest first: short ones, and ones that are partly files.

What comes out is compared byte for byte once; then it is timed against `cat` of one file that
holds the same bytes.
"""
import os
import random
import subprocess

from rows import Row
from session import Broken
from timing import opened

DISPLAY = 'none'

WORDS = 100_000
CLIPS = 5_000
KIB = 1024


def word(number):
    return (b'%07d ' % number) + b'of many words ' * 6 + b'and so on'[:8]


def clip(number, block=os.urandom(KIB * KIB)):
    """32 KiB to 1 MiB, the size from a fixed seed: what is up to 64 KiB lies in the row."""
    size = random.Random(number).randrange(32 * KIB, KIB * KIB + 1)
    return (b'%015d ' % number) + block[16:size]


def fill(bench, content, count, expected):
    """Stores so many, several at a time, and leaves what they are together, in the order of
    their ids, in a file; the ids as lines in another one."""
    calls = ((number, ('Store', '(a(sh)a{sv})', ([('text/plain;charset=utf-8', 0)], {}),
                       content(number))) for number in range(count))
    found = sorted((reply[0], number) for number, reply in bench.call_many(calls))
    with open(expected, 'wb') as file:
        for _, number in found:
            file.write(content(number))
    lines = bench.folder / f'{expected.name}.ids'
    lines.write_text(''.join(f'{identity}\n' for identity, _ in found))
    os.sync()
    return lines


def check(bench, lines, expected):
    with opened(lines) as ids, subprocess.Popen(
            [bench.cliphist, 'join'], env=bench.env, stdin=ids,
            stdout=subprocess.PIPE) as join:
        if subprocess.run(['cmp', '-', expected], stdin=join.stdout).returncode:
            raise Broken('join gave other bytes than were stored')


def row(bench, title, content, count):
    expected = bench.folder / title.replace(' ', '-')
    lines = fill(bench, content, count, expected)
    check(bench, lines, expected)
    end = bench.tool('read-sink')
    return Row(title, expected.stat().st_size,
               lambda: bench.serve_file(lines, [bench.cliphist, 'join'], end),
               {'cat of one file': lambda: bench.serve(['cat', expected], end)})


def rows(bench):
    yield [row(bench, f'join, {WORDS:,} of 100 bytes', word, WORDS)]
    yield [row(bench, f'join, {CLIPS:,} of 32 KiB to 1 MiB', clip, CLIPS)]
