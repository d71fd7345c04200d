# SPDX-License-Identifier: LGPL-2.1-or-later
"""Copies inside GNOME Shell that follow each other so quickly that some are lost; and how many of them a
reader beside ours misses that does nothing but ask for each at once, and takes whatever comes.

What neither of them has been given, the shell had shown to nobody before the next one took its place.
"""
import shutil
import subprocess

from clients import WlClipboard
from copiers import pace
from compositors import TREES
from groups.selection import COPIES, IN_A_ROW, listed, titled, when_listed
from session import Broken

DISPLAYS = [kind for kind, is_there in
            (('gnome', shutil.which('gnome-shell')),
             ('new-gnome', any(TREES.glob('*/usr/bin/gnome-shell')))) if is_there]
APART_US = 5_000


class BareReader:
    """Texts that were read as soon as GNOME Shell told of a copy."""

    def __init__(self, bench):
        self.process = subprocess.Popen(bench.tool('bare-mutter'), env=bench.env, text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL)
        if self.process.stdout.readline() != 'ready\n':
            raise Broken('bare-mutter opens no session')

    def end(self):
        return set(self.process.communicate(timeout=20)[0].splitlines())


def texts(bench):
    return {line.decode().split('\t', 1)[1] for line in listed(bench)}


def lost(bench):
    """Which copies are not in the list, and which of them the other has not got either."""
    bench.session.cliphist('wipe')
    reader = BareReader(bench)
    pace(bench.session, COPIES, APART_US)
    when_listed(bench, COPIES, 5)
    copies = {f'copy number {number}' for number in range(1, COPIES + 1)}
    ours, bare = copies - texts(bench), copies - reader.end()
    return len(ours), len(bare), len(ours - bare)


def lost_in_a_row(bench):
    client = WlClipboard(bench.session)
    bench.session.cliphist('wipe')
    for number in range(IN_A_ROW):
        client.copy_bytes(b'copy number %d' % number)
    return IN_A_ROW - when_listed(bench, IN_A_ROW, 5)


def rows(bench):
    bench.session.wait_backend('mutter')
    row = titled(bench, f'lost of {IN_A_ROW} in a row, a program each', most=0)
    row.values = [lost_in_a_row(bench)]
    yield [row]
    apart = f'of {COPIES:,}, {APART_US / 1000:g} ms apart'
    figures = [titled(bench, f'lost {apart}'), titled(bench, f'missed by a bare reader {apart}'),
               titled(bench, f'lost that it has {apart}')]
    for _ in range(bench.runs):
        for figure, count in zip(figures, lost(bench)):
            figure.values.append(count)
    yield figures
