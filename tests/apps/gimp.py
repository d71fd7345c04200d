# SPDX-License-Identifier: LGPL-2.1-or-later
"""GIMP copies an image, which it offers in all the types that it can make of it, and pastes one."""
import re
import sys

from appdesk import desk, documented, version_of, wanted
from clients import png
from session import until
from tap import equal, fact, main, true

DISPLAY = sys.argv.pop(1)
SIZE = 1200, 900  # whose 3 MB come in pieces: large ones have crashed GIMP where managers read much
STARTING = 180  # the first start of a fresh profile looks at each of hundreds of plug-ins


class Gimp:
    def __init__(self, d):
        program = wanted('gimp', 'gimp')
        self.version = version_of(program, '--version')
        self.d = d
        path = d.session.folder / 'needle.png'
        path.write_bytes(png(*SIZE, noise=True))
        self.process = d.start(program, '--no-splash', '--new-instance', path)
        d.hands.wait_focus('1200x900', STARTING)

    def copy(self):
        self.d.hands.press('ctrl+a')
        self.d.hands.press('ctrl+c')


def name(words):
    return f'/apps/gimp-{DISPLAY}/{words}'


@fact(name('an-image-is-copied-and-pasted'))
def image():
    with desk(DISPLAY) as d:
        gimp = Gimp(d)
        number, read = d.capture(gimp.copy, again=20)
        equal(d.stored(number), ['image/png'], 'types')
        true(len(d.content(number, 'image/png')) > SIZE[0] * SIZE[1] * 3, 'it is whole')
        d.row('GIMP', gimp.version, 'an image', number, read)
        other = d.newest()['id']
        d.client.copy_bytes(png(48, 32), 'image/png')
        d.wait_newer(other)
        d.hands.press('ctrl+shift+v')  # as a new image
        d.hands.wait_focus('48x32')
        d.session.cliphist('copy', number)
        d.wait_paste(d.content(number, 'image/png'), 'image/png')
        d.hands.press('ctrl+shift+v')
        d.hands.wait_focus('1200x900')
        true(re.search('(?i)clipboard|pasted|untitled', d.hands.title()), 'it is a new image')


@fact(name('an-image-outlives-gimp'))
def outlives():
    with desk(DISPLAY) as d:
        gimp = Gimp(d)
        number, _read = d.capture(gimp.copy, again=20)
        d.session.kill(gimp.process)
        until(lambda: d.client.types(), 'the image is offered again')
        d.wait_paste(d.content(number, 'image/png'), 'image/png')


documented(name('is-in-the-table'))
main()
