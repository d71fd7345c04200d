# SPDX-License-Identifier: LGPL-2.1-or-later
"""Keys for applications, and what has the focus, on X11 and in sway."""
import json
import os
import pathlib
import subprocess
import sys

from session import Broken, until

HERE = pathlib.Path(__file__).resolve().parent


class Hands:
    def wait_focus(self, words, seconds=60):
        """Waits until a window has the focus whose title holds these words; the title."""
        return until(lambda: words in self.title() and self.title(),
                     f'a window with {words!r} in its title has the focus', seconds)


# newer layouts have a fifth level on F2, and xdotool holds modifiers down to get there
KEYCODES = {'F1': '67', 'F2': '68', 'F10': '76'}


class X11Hands(Hands):
    """xdotool, with a window manager, without which there is no focus."""
    display = 'X11'

    def __init__(self, session):
        self.session = session
        self.manager = session.start('openbox', '--sm-disable')
        until(lambda: session.run('xdotool', 'get_num_desktops', check=False).returncode == 0,
              'the window manager is there')

    def press(self, chord):
        self.session.run('xdotool', 'key', '--clearmodifiers', KEYCODES.get(chord, chord))

    def type(self, text):
        self.session.run('xdotool', 'type', '--clearmodifiers', '--delay', '5', text)

    def title(self):
        done = self.session.run('xdotool', 'getactivewindow', 'getwindowname', check=False)
        return done.stdout.decode(errors='replace').strip()

    def shot(self, path):
        self.session.run('import', '-window', 'root', path)


class SwayHands(Hands):
    """The tests' own virtual keyboard and pointer."""
    display = 'Wayland'

    def __init__(self, session):
        self.session = session
        self.process = session.start(sys.executable, HERE / 'waylandkeys.py', name='waylandkeys',
                                     stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._expect('ready')

    def _expect(self, wanted):
        line = self.session.first_line(self.process.stdout, 'the keyboard')
        if line != wanted:
            raise Broken(f'the keyboard said {line!r}')

    def _say(self, words):
        os.write(self.process.stdin.fileno(), words.encode() + b'\n')
        self._expect('done')

    def press(self, chord):
        self._say(f'key {chord}')

    def type(self, text):
        self._say(f'text {text}')

    def click(self, x, y):
        self._say(f'click {x} {y}')

    def title(self):
        tree = json.loads(self.session.run('swaymsg', '-t', 'get_tree').stdout)
        nodes = [tree]
        while nodes:
            node = nodes.pop()
            if node['focused']:
                return node['name'] or ''
            nodes += node['nodes'] + node['floating_nodes']
        return ''

    def shot(self, path):
        self.session.run('grim', path)
