# SPDX-License-Identifier: LGPL-2.1-or-later
"""`cliphist pick` with a real picker, on a display where it can show itself, and keys for it."""
import fcntl
import os
import pathlib
import pty
import re
import select
import struct
import subprocess
import sys
import termios

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'session'))
from session import Broken, Session, descendants, need, tied, until  # noqa: E402

DISPLAYS = {'rofi': 'x11', 'dmenu': 'x11', 'wofi': 'sway', 'fuzzel': 'sway', 'bemenu': 'sway',
            'fzf': 'none'}


class Running:
    """A picker that is open."""

    def __init__(self, desk, *words):
        self.desk = desk
        self.process = self.start(
            [desk.programs.cliphist, 'pick', '--with', desk.picker, *words])

    def start(self, argv):
        return self.desk.start(*argv, name='pick')

    def until_open_again(self):
        """After a key that closed it: the second of the two that our command has started."""
        first = self.child
        until(lambda: self.find_child() not in (None, first),
              f'{self.desk.picker} is started again')
        self.until_open()

    def find_child(self):
        for pid in descendants(self.process.pid):
            try:
                name = pathlib.Path(f'/proc/{pid}/comm').read_text()
            except OSError:
                continue
            if name.strip() == self.desk.picker:
                return pid
        return None

    def note_child(self):
        self.child = until(self.find_child, f'{self.desk.picker} runs')

    def end(self):
        status = self.process.wait(20)
        self.desk.started.remove(self.process)
        return status


class OnX11(Running):
    def until_open(self):
        # the windows of both grab the keyboard before they are shown
        self.desk.wait_for(self.process, self.is_shown, f'{self.desk.picker} has a window')

    def is_shown(self):
        done = self.desk.run('xdotool', 'search', '--onlyvisible', '--class',
                             f'^{self.desk.picker}$', check=False)
        return done.returncode == 0 and bool(done.stdout.strip())

    def press(self, text, key):
        if text:
            self.desk.run('xdotool', 'type', '--delay', '20', text)
        self.desk.run('xdotool', 'key', key)


class OnSway(Running):
    NAMES = {'alt+1': ['-M', 'alt', '-k', '1', '-m', 'alt'],
             'alt+2': ['-M', 'alt', '-k', '2', '-m', 'alt']}

    def until_open(self):
        # a layer has the keyboard as soon as it is shown
        blank = getattr(self.desk, 'blank')
        self.desk.wait_for(self.process, lambda: self.desk.screen() != blank,
                           f'{self.desk.picker} is shown')

    def press(self, text, key):
        self.desk.type('-d', '20', text, *self.NAMES.get(key, ['-k', key]))


class OnTerminal(Running):
    KEYS = {'Return': b'\r', 'Escape': b'\x1b', 'alt+1': b'\x1b1', 'alt+2': b'\x1b2'}

    def start(self, argv):
        self.terminal, far = pty.openpty()
        fcntl.ioctl(far, termios.TIOCSWINSZ, struct.pack('HHHH', 24, 100, 0, 0))
        self.seen = b''
        tie = tied()

        def own_terminal():
            tie()
            os.setsid()
            os.close(os.open(os.ttyname(far), os.O_RDWR))
        process = subprocess.Popen(argv, stdin=far, stderr=far, stdout=subprocess.PIPE,
                                   env=self.desk.env, cwd=self.desk.folder,
                                   preexec_fn=own_terminal)
        os.close(far)
        process.log_name = 'pick'
        self.desk.started.append(process)
        return process

    def look(self):
        try:
            while select.select([self.terminal], [], [], 0)[0]:
                self.seen += os.read(self.terminal, 65536)
        except OSError:  # the other side is closed
            raise Broken(f'fzf ended: {self.seen!r}') from None
        return self.seen

    def until_open(self):
        self.until_seen(b'Enter:')

    def until_seen(self, text):
        until(lambda: text in self.look(), f'{text!r} is shown')

    def until_matched(self, pattern):
        until(lambda: re.search(pattern, self.look()), f'{pattern!r} is shown')

    def press(self, text, key):
        self.look()
        self.seen = b''
        os.write(self.terminal, text.encode())
        if text:
            self.until_seen(b'1/')
        self.seen = b''
        os.write(self.terminal, self.KEYS[key])


class Desk(Session):
    def __init__(self, picker, programs, clips, display=None):
        super().__init__(display or DISPLAYS[picker], programs=programs)
        self.picker = picker
        self.clips = clips

    def __enter__(self):
        super().__enter__()
        need(self.picker)
        self.env['PATH'] = f'{self.programs.cliphist.parent}:{self.env["PATH"]}'
        self.env.update({'TERM': 'xterm-256color', 'GTK_THEME': 'Adwaita', 'LIBGL_ALWAYS_SOFTWARE': '1'})
        if self.display == 'sway':
            self.type()
        self.start_daemon()
        if self.display != 'none':
            self.wait_backend('x11' if self.display == 'x11' else 'wlr')
        for data in self.clips:
            self.cliphist('store', data=data)
        self.blank = self.screen() if self.display == 'sway' else None
        return self

    def type(self, *words):
        """Types, and stays as a keyboard: when one goes, the focus goes with it."""
        self.start('wtype', *words, '-s', '3600000')

    def screen(self):
        return self.run('grim', '-t', 'ppm', '-').stdout

    def open(self, *words):
        kind = {'x11': OnX11, 'sway': OnSway, 'none': OnTerminal}[self.display]
        picker = kind(self, *words)
        picker.note_child()
        picker.until_open()
        return picker

    def clipboard(self):
        if self.display == 'x11':
            return self.run('xclip', '-selection', 'clipboard', '-o', check=False).stdout
        return self.run('wl-paste', '-n', check=False).stdout
