# SPDX-License-Identifier: LGPL-2.1-or-later
"""Another manager beside ours: each has all of it, and neither takes turns with the other without end:
managers.py copyq|gpaste x11|sway [FACT...]
"""
import pathlib
import sys

from appdesk import desk, wanted
from session import cpu_seconds, until
from tap import Missing, equal, fact, main, true

PEER, DISPLAY = sys.argv.pop(1), sys.argv.pop(1)
TEXTS = [f'text number {number}' for number in range(5)]


class Peer:
    def __init__(self, d):
        self.d = d
        if PEER == 'copyq':
            command, self.asked = wanted('copyq', 'copyq'), ('copyq', 'size')
        else:
            wanted('gpaste-client', 'gpaste')
            found = sorted(pathlib.Path('/usr/libexec').rglob('gpaste-daemon'))
            if not found:
                raise Missing('gpaste is not installed')
            command, self.asked = found[0], ('gpaste-client', 'history-size')
        d.session.start(command, name=PEER,
                        env={'QT_QPA_PLATFORM': 'wayland' if d.is_wayland else 'xcb'})
        until(lambda: self.ask().returncode == 0, f'{PEER} is ready', 60)

    def ask(self):
        return self.d.session.run(*self.asked, check=False)

    def count(self):
        return int(self.ask().stdout or 0)


def previews(d):
    """The whole list, the oldest first."""
    lines = d.session.listed().decode().splitlines()
    return [line.split('\t', 1)[1] for line in reversed(lines)]


def check_rests(d):
    """Nobody copies, and so nothing changes: an entry that is copied once more has another id. Nor do
    both take the clipboard from each other, which no list shows."""
    before, used = d.session.listed(), cpu_seconds(d.session.daemon.pid)
    d.never(lambda: d.session.listed() != before, 'the list changes by itself', 3)
    used = cpu_seconds(d.session.daemon.pid) - used
    true(used < 0.3, f'the daemon was busy for {used:.2f} s of three in which nobody copied')


def name(words):
    return f'/apps/{PEER}-{DISPLAY}/{words}'


@fact(name('both-have-all-of-it-and-come-to-rest'))
def beside():
    with desk(DISPLAY) as d:
        peer = Peer(d)
        first = peer.count()
        for text in TEXTS:
            d.other_copy(text)
            until(lambda text=text: d.client.paste_bytes() == text.encode(), 'it is pasted')
        until(lambda: peer.count() >= first + len(TEXTS), f'{PEER} has all of it')
        check_rests(d)
        equal(previews(d), TEXTS, 'the list')


@fact(name('what-its-owner-left-is-pasted-and-both-come-to-rest'))
def left():
    with desk(DISPLAY) as d:
        Peer(d)
        for text in TEXTS:
            d.other_copy(text)
        if d.client.owners():
            d.client.end_owners()
        d.wait_paste(TEXTS[-1].encode())
        check_rests(d)
        equal(previews(d), TEXTS, 'the list')
        d.wait_paste(TEXTS[-1].encode())


@fact(name('an-entry-that-is-selected-is-pasted-and-both-come-to-rest'))
def selected():
    with desk(DISPLAY) as d:
        Peer(d)
        numbers = [d.other_copy(text) for text in TEXTS]
        d.select_again(numbers[1], TEXTS[1].encode())
        check_rests(d)
        d.wait_paste(TEXTS[1].encode())
        d.other_copy('the last one')
        d.wait_paste(b'the last one')
        check_rests(d)
        equal(sorted(previews(d)), sorted([*TEXTS, 'the last one']), 'the list')


main()
