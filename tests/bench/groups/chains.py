# SPDX-License-Identifier: LGPL-2.1-or-later
"""What comes behind a pipe: `cliphist decode ID | CHAIN`, and the same chain fed by `cat`.

Every program of the chain but the first is started before the clock. A chain that computes gets
a smaller clip.
"""
import shutil
import subprocess

from clients import TEXT
from rows import Row

DISPLAY = 'sway'
MIB = 1 << 20


def chains(bench):
    """(title, parts of the size, commands); what is not installed says so"""
    yield '| pv | pv >/dev/null', 1, [['pv', '-q'], ['pv', '-q']]
    yield '| cat | cat >/dev/null', 1, [['cat'], ['cat']]
    yield '| gzip -1', 128, [['gzip', '-1']]
    yield '| pbzip2', 128, [['pbzip2', '-c']]
    yield '| wl-copy', 4, [['wl-copy', '--type', TEXT]]
    yield '| socket relay', 1, [bench.tool('socket-relay')]
    yield '| sha256sum', 8, [['sha256sum']]


class Missing:
    """A row that could not be measured, and why: never left out without a word."""

    def __init__(self, title, program):
        self.note = f'{title}: not measured, {program} is not installed'

    def summaries(self):
        yield {'note': self.note}


class Clips:
    """One clip for each size."""

    def __init__(self, bench):
        self.bench = bench
        self.known = {}

    def get(self, size):
        if size not in self.known:
            path = self.bench.make_text(size)
            self.known[size] = self.bench.store(path), self.bench.blob(size)
            path.unlink()
        return self.known[size]


def chain_row(bench, clips, title, part, commands):
    missing = [words[0] for words in commands if not shutil.which(str(words[0]))]
    if missing:
        return Missing(f'decode {title}', missing[0])
    size = max(MIB, bench.size // part)
    number, blob = clips.get(size)
    return Row(f'decode {title}', size,
               lambda: bench.serve([bench.cliphist, 'decode', number], *commands), {
                   'cat': lambda: bench.serve(['cat', blob], *commands),
                   'a bare splice loop': lambda: bench.serve(
                       bench.tool('bare-splice', blob), *commands),
               }, {'cat': 1})


def rows(bench):
    bench.session.wait_backend('wlr')
    clips = Clips(bench)
    found = [chain_row(bench, clips, *chain) for chain in chains(bench)]
    bench.session.cliphist('pause', stdout=subprocess.DEVNULL)  # wl-copy gives us our own clip
    for row in found:
        yield [row]
