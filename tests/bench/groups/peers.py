# SPDX-License-Identifier: LGPL-2.1-or-later
"""Other managers, where they are installed, each with the same clip in both histories.

`--peer sentriz=PROGRAM` names the existing cliphist, which shares its name with ours. What has
a server of its own (copyq, GPaste) gets one, in the same private session, before the clock.
"""
import pathlib
import shutil
import subprocess

from rows import Row
from session import Broken, until
from timing import opened

DISPLAY = 'x11'
MIB = 1 << 20
SIZE = 4 * MIB
ENTRIES = 500


class Missing:
    """A peer that could not be measured, and why: never left out without a word."""

    def __init__(self, name, why):
        self.note = f'{name}: not measured, {why}'

    def summaries(self):
        yield {'note': self.note}


class Clip:
    """The clip that everybody holds, and what ours does with it."""

    def __init__(self, bench):
        self.bench = bench
        self.path = bench.make_text(SIZE)
        self.number = bench.store(self.path)
        self.sink = bench.tool('read-sink')

    def decode(self):
        return self.bench.serve([self.bench.cliphist, 'decode', self.number], self.sink)

    def give(self, *command, counted=1):
        return self.bench.serve(command, self.sink, counted=counted)

    def take(self, *command, daemon=False):
        """A command that stores what comes on stdin, each time another clip."""
        self.bench.make_different(self.path)
        with opened(self.path) as fd:
            return self.bench.take(command, stdin=fd, daemon=daemon)

    def store(self):
        return self.take(self.bench.cliphist, 'store', daemon=True)


def fill(bench, command):
    for number in range(ENTRIES):
        bench.session.run(*command, data=b'entry %d, with some words in it' % number)


def sentriz_rows(bench, clip):
    program = dict(bench.args.peer).get('sentriz')
    if not program:
        return [Missing('sentriz/cliphist', 'no --peer sentriz=PROGRAM')]
    peer = [program, '-db-path', bench.folder / 'sentriz.db', '-max-items', '100000']
    with open(clip.path, 'rb') as file:
        bench.session.run(*peer, 'store', stdin=file)
    first = bench.session.run(*peer, 'list').stdout.split(b'\t')[0].decode()
    batch = [
        Row('decode of 4 MiB', SIZE, clip.decode,
            {'sentriz/cliphist': lambda: clip.give(*peer, 'decode', first)}),
        Row('store of 4 MiB, durable', SIZE, clip.store,
            {'sentriz/cliphist': lambda: clip.take(*peer, 'store')}),
    ]
    fill(bench, [*peer, 'store'])
    fill(bench, [bench.cliphist, 'store'])
    batch.append(Row(f'list of {ENTRIES} entries', 0,
                     lambda: clip.give(bench.cliphist, 'list', '--limit', ENTRIES),
                     {'sentriz/cliphist': lambda: clip.give(*peer, 'list')}))
    return batch


def xclip_rows(bench, clip):
    if not shutil.which('xclip'):
        return [Missing('xclip', 'it is not installed')]
    paste = ['xclip', '-selection', 'clipboard', '-out', '-target', 'UTF8_STRING']
    owner = [None]

    def pasted(who, take):
        if owner[0] != who:
            take()
            owner[0] = who
        return clip.give(*paste)

    def targets():
        return bench.session.run('xclip', '-selection', 'clipboard', '-out', '-target',
                                 'TARGETS', check=False).stdout.decode()

    def by_daemon():
        bench.session.cliphist('copy', clip.number)
        until(lambda: 'text/plain' in targets(), 'the daemon owns the clipboard')

    def by_xclip():
        with open(clip.path, 'rb') as file:
            bench.session.run('xclip', '-selection', 'clipboard', '-in', stdin=file,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until(lambda: 'text/plain' not in targets(), 'xclip owns the clipboard')
    return [Row('pasting 4 MiB with xclip', SIZE, lambda: pasted('daemon', by_daemon),
                {'from xclip': lambda: pasted('xclip', by_xclip)})]


def copyq_rows(bench, clip):
    if not shutil.which('copyq'):
        return [Missing('copyq', 'it is not installed')]
    bench.session.start('copyq', name='copyq')
    try:
        until(lambda: bench.session.run('copyq', 'size', check=False).returncode == 0,
              'copyq is ready', 20)
    except Broken as error:
        return [Missing('copyq', str(error))]
    with open(clip.path, 'rb') as file:
        bench.session.run('copyq', 'write', '0', 'text/plain', '-', stdin=file)
    return [
        Row('one entry of 4 MiB', SIZE, clip.decode,
            {'copyq read': lambda: clip.give('copyq', 'read', 'text/plain', '0')}),
        Row('an entry of 4 MiB comes in', SIZE, clip.store,
            {'copyq write': lambda: clip.take('copyq', 'write', '0', 'text/plain', '-')}),
    ]


def gpaste_daemon():
    for folder in ('/usr/libexec', '/usr/lib/gpaste'):
        for path in sorted(pathlib.Path(folder).rglob('gpaste-daemon')):
            return path
    return None


def gpaste_rows(bench, clip):
    daemon = gpaste_daemon()
    if not shutil.which('gpaste-client') or not daemon:
        return [Missing('gpaste-client', 'it is not installed')]
    bench.session.start(daemon, name='gpaste-daemon')
    try:
        until(lambda: bench.session.run('gpaste-client', 'history-size',
                                        check=False).returncode == 0, 'GPaste is ready', 10)
        with open(clip.path, 'rb') as file:
            bench.session.run('gpaste-client', 'add', stdin=file)
    except Broken as error:
        return [Missing('gpaste-client', str(error).splitlines()[0])]
    lines = bench.session.run('gpaste-client', 'history', '--oneline').stdout.splitlines()
    if not lines or len(lines[0]) < SIZE:
        return [Missing('gpaste-client', f'it does not keep a text of {SIZE // MIB} MiB')]
    entry = lines[0].split(b':')[0]
    return [Row('one entry of 4 MiB', SIZE, clip.decode, {
        'gpaste-client get': lambda: clip.give('gpaste-client', 'get', entry.decode())})]


def rows(bench):
    bench.session.wait_backend('x11')
    clip = Clip(bench)
    bench.session.cliphist('pause')  # what xclip gives us back is our own clip
    yield xclip_rows(bench, clip)
    bench.session.cliphist('resume')
    for make in (sentriz_rows, copyq_rows, gpaste_rows):
        yield make(bench, clip)
