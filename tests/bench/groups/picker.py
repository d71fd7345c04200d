# SPDX-License-Identifier: LGPL-2.1-or-later
"""The line that people bind to a key, at 750 entries, which is what the existing tool keeps:

    cliphist list | rofi -dmenu | cliphist decode | wl-copy

The real rofi, below Xwayland in a headless sway. No key is timed: with `-dump` it reads all rows, keeps
those with the word that would be typed (`-filter`), prints what is left, the oldest entry, and ends
before its window opens. Most of that is its own start; so once more with a stand-in, `tail -n 1`,
which reads all rows and chooses the last one, too.
"""
import shutil
import subprocess

from groups.peers import Missing
from groups.store import Place
from rows import Row
from session import Broken

DISPLAY = 'sway-x11'
ENTRIES = 750
PEER = 'sentriz/cliphist'

PICKERS = {
    'rofi -dmenu': 'rofi -dmenu -sync -filter {word} -dump',
    'tail -n 1': 'tail -n 1',
}


def line(command, picker):
    words = ' '.join(map(str, command))
    return ['sh', '-c', f'{words} list | {picker} | {words} decode | wl-copy']


def word_of_the_oldest(*lists):
    """One that stands in its row and in no other, in any of the lists."""
    rows = [text.decode().lower().splitlines() for text in lists]
    others = '\n'.join(row for text in rows for row in text[:-1])
    return next(word for word in rows[0][-1].split() if word.isalnum() and word not in others)


def check(bench, command, picker, oldest):
    """That the line does what it says, once; not to be timed."""
    bench.session.run(*line(command, picker), seconds=20, stdout=subprocess.DEVNULL,
                      stderr=subprocess.DEVNULL)
    text = bench.session.run('wl-paste', '-n').stdout
    if text != oldest:
        raise Broken(f'{picker} has chosen {text!r}')


def rows(bench):
    place = Place(bench, ENTRIES)
    ours, peer = [bench.cliphist], place.peer()
    if not peer:
        yield [Missing(PEER, 'no --peer sentriz=PROGRAM')]
        return
    if not shutil.which('rofi'):
        yield [Missing('rofi', 'it is not installed')]
        return
    place.fill(peer=True)
    bench.session.open_xwayland()
    bench.session.cliphist('pause')  # each choice is a copy, too
    lists = [bench.session.run(*command, 'list').stdout for command in (ours, peer)]
    oldest = bench.session.run(*ours, 'decode', data=lists[0].splitlines()[-1]).stdout
    batch = [Row(f'list of {ENTRIES}', 0, place.ours('list'), place.beside(PEER, 'list'))]
    for name, picker in PICKERS.items():
        picker = picker.format(word=word_of_the_oldest(*lists))
        for command in (ours, peer):
            check(bench, command, picker, oldest)
        batch.append(Row(f'list | {name} | decode | wl-copy', 0,
                         lambda picker=picker: place.run(*line(ours, picker)),
                         {PEER: lambda picker=picker: place.run(*line(peer, picker))}, {PEER: 1}))
    yield batch
