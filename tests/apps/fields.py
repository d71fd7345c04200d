# SPDX-License-Identifier: LGPL-2.1-or-later
"""Text fields of the toolkits, with keys: fields.py gtk3|gtk4|qt5|qt6 x11|sway [FACT...]"""
import importlib.util
import json
import os
import select
import sys
import time

from appdesk import HERE, desk, documented
from clients import png
from session import Broken
from tap import Missing, equal, fact, main, true

TOOLKIT, DISPLAY = sys.argv.pop(1), sys.argv.pop(1)
NAME = f'{"GTK" if TOOLKIT.startswith("gtk") else "Qt"} {TOOLKIT[-1]}'
PACKAGES = {'gtk3': 'gir1.2-gtk-3.0', 'gtk4': 'gir1.2-gtk-4.0', 'qt5': 'python3-pyqt5',
            'qt6': 'python3-pyqt6'}


def is_there():
    if TOOLKIT.startswith('qt'):
        return importlib.util.find_spec(f'PyQt{TOOLKIT[-1]}')
    import gi
    try:
        gi.require_version('Gtk', f'{TOOLKIT[-1]}.0')
    except ValueError:
        return False
    return True


class Field:
    def __init__(self, d, kind):
        if not is_there():
            raise Missing(f'{PACKAGES[TOOLKIT]} is not installed')
        self.d, self.said = d, b''
        program = 'gtkfield.py' if TOOLKIT.startswith('gtk') else 'qtfield.py'
        self.process = d.start(
            sys.executable, HERE / program, TOOLKIT[-1], kind, stdin=-1, stdout=-1,
            env={'QT_QPA_PLATFORM': 'wayland' if d.is_wayland else 'xcb'})
        self.version = self.hears('ready')

    def hears(self, what, is_right=lambda value: True, seconds=20):
        """Waits until the field says something of a kind, which is right."""
        end = time.monotonic() + seconds
        while True:
            line, _, rest = self.said.partition(b'\n')
            if rest or self.said.endswith(b'\n'):
                self.said = rest
                words = json.loads(line)
                if what in words and is_right(words[what]):
                    return words[what]
            elif select.select([self.process.stdout], [], [], max(0, end - time.monotonic()))[0]:
                self.said += os.read(self.process.stdout.fileno(), 65536) or b'{"ended": 1}\n'
            else:
                raise Broken(f'the field has not said the right {what}')

    def say(self, words):
        os.write(self.process.stdin.fileno(), words.encode() + b'\n')

    def type(self, text):
        self.d.hands.press('ctrl+a')
        self.d.hands.type(text)
        self.hears('text', lambda now: now == text)

    def copy(self):
        self.d.hands.press('ctrl+a')
        self.d.hands.press('ctrl+c')

    def paste(self, text):
        """Pastes over all that is there, and waits until the field holds this text."""
        self.d.hands.press('ctrl+a')
        self.d.hands.press('ctrl+v')
        self.hears('text', lambda now: now == text)


def name(words):
    return f'/apps/{TOOLKIT}-{DISPLAY}/{words}'


def check_text(kind, copied):
    with desk(DISPLAY) as d:
        field = Field(d, kind)
        field.type('typed into a field')
        number, read = d.capture(field.copy)
        equal(d.newest()['preview'], 'typed into a field', 'the entry')
        d.row(NAME, field.version, copied, number, read)
        d.other_copy('from elsewhere')
        field.paste('from elsewhere')
        d.select_again(number, b'typed into a field')
        field.paste('typed into a field')


@fact(name('a-line-is-copied-and-pasted'))
def line():
    check_text('line', 'a line of text')


if TOOLKIT.startswith('gtk'):
    @fact(name('a-text-is-copied-and-pasted'))
    def text():
        check_text('rich', 'a text of several lines')


if TOOLKIT.startswith('qt'):
    @fact(name('formatted-text-is-copied-and-pasted'))
    def rich():
        with desk(DISPLAY) as d:
            field = Field(d, 'rich')
            number, read = d.capture(field.copy)
            d.row(NAME, field.version, 'formatted text', number, read)
            true('text/html' in d.stored(number), 'the looks are stored')
            d.other_copy('from elsewhere')
            field.paste('from elsewhere')
            d.select_again(number, b'plain and bold')
            d.hands.press('ctrl+a')
            d.hands.press('ctrl+v')
            field.hears('html', lambda html: '>bold<' in html and 'font-weight' in html)


@fact(name('an-image-is-copied-and-pasted'))
def image():
    with desk(DISPLAY) as d:
        field = Field(d, 'line')
        path = d.session.folder / 'image.png'
        path.write_bytes(png(160, 90))
        field.type('who has typed may copy')
        number, read = d.capture(lambda: field.say(f'copy-image {path}'))
        d.row(NAME, field.version, 'an image', number, read)
        d.other_copy('from elsewhere')
        d.session.cliphist('copy', number)
        d.wait_paste(d.content(number, 'image/png'), 'image/png')
        field.say('paste-image')
        equal(field.hears('image'), [160, 90], 'the size of what is pasted')


@fact(name('a-text-outlives-its-field'))
def outlives():
    with desk(DISPLAY) as d:
        field = Field(d, 'line')
        field.type('typed into a field')
        d.capture(field.copy)
        d.end(field.process)
        d.wait_paste(b'typed into a field')


documented(name('is-in-the-table'))
main()
