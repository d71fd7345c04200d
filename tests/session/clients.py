# SPDX-License-Identifier: LGPL-2.1-or-later
"""The programs that people copy and paste with, in a session, and content to copy."""
import base64
import hashlib
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import time
import zlib

from session import HERE, Broken, descendants, end_all, tied, until

TEXT = 'text/plain;charset=utf-8'
MIB = 1 << 20


def digest(pipe, seconds=120):
    """SHA-256 and length of all that a pipe brings."""
    end = time.monotonic() + seconds
    sha, length, buffer = hashlib.sha256(), 0, bytearray(MIB)
    while True:
        count = pipe.readinto(buffer)
        if not count:
            return sha.hexdigest(), length
        sha.update(memoryview(buffer)[:count])
        length += count
        if time.monotonic() > end:
            raise Broken(f'a paste was not whole after {seconds} s: {length} bytes')


def file_digest(path):
    with open(path, 'rb', buffering=0) as file:
        return digest(file)[0]


def write_text(path, mib):
    """A text of so many MiB, no MiB like another and none like those of another call."""
    block = base64.encodebytes(os.urandom(MIB)).replace(b'\n', b'')[:MIB - 17]
    with open(path, 'wb') as file:
        for number in range(mib):
            file.write(b'%015d ' % number + block + b'\n')
    return path


def png(width=64, height=48, colour=b'\x20\x80\xc0', noise=False):
    """A picture of one colour, or of noise, which takes three bytes a pixel."""
    def chunk(kind, body):
        return (struct.pack('>I', len(body)) + kind + body +
                struct.pack('>I', zlib.crc32(kind + body)))
    rows = (b''.join(b'\0' + os.urandom(3 * width) for _ in range(height)) if noise else
            (b'\0' + colour * width) * height)
    return (b'\x89PNG\r\n\x1a\n' +
            chunk(b'IHDR', struct.pack('>IIBBBBB', width, height, 8, 2, 0, 0, 0)) +
            chunk(b'IDAT', zlib.compress(rows)) + chunk(b'IEND', b''))


class Client:
    """One way to copy and paste. What copies stays in the background until replaced."""
    owner = ''

    def __init__(self, session):
        self.session = session

    def copy(self, path, mime=TEXT):
        """Copies a file, and returns once the display knows."""
        with open(path, 'rb') as file:
            self.session.run(*self.copy_command(mime), stdin=file, stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL)

    def copy_bytes(self, data, mime=TEXT):
        self.session.run(*self.copy_command(mime), data=data, stdout=subprocess.DEVNULL,
                         stderr=subprocess.DEVNULL)

    def copy_in_a_row(self, data):
        """One of many copies, each made by a new program as soon as the last one lets it."""
        self.copy_bytes(data)

    def paste(self, mime=TEXT, seconds=120):
        """SHA-256 and length of what a paste gives."""
        with subprocess.Popen(self.paste_command(mime), env=self.session.env,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0,
                              preexec_fn=tied()) as process:
            return digest(process.stdout, seconds)

    def paste_bytes(self, mime=TEXT):
        return self.session.run(*self.paste_command(mime), check=False).stdout

    def types(self):
        done = self.session.run(*self.types_command(), check=False)
        return done.stdout.decode(errors='replace').split('\n')[:-1]

    def owners(self):
        """The programs of this kind that still hold what they copied."""
        return [pid for pid in descendants(os.getpid()) if self._runs(pid)]

    def _runs(self, pid):
        try:
            words = pathlib.Path(f'/proc/{pid}/cmdline').read_bytes().split(b'\0')
        except OSError:
            return False
        return any(pathlib.Path(word.decode(errors='replace')).name == self.owner
                   for word in words[:2])

    def end_owners(self):
        """Whoever holds the selection ends, as an application does when it is closed."""
        end_all(until(self.owners, f'{self.owner} holds the selection'))


class WlClipboard(Client):
    """wl-copy and wl-paste, over wlr-data-control or, with a focus, wl_data_device."""
    owner = 'wl-copy'

    def __init__(self, session, seat=None):
        super().__init__(session)
        self.seat = ['--seat', seat] if seat else []

    def copy_command(self, mime):
        return 'wl-copy', *self.seat, '--type', mime

    def copy_in_a_row(self, data):
        """As in the others, but gone once it was read: of two copies that come before anybody
        had a moment to ask, only the second is there to be asked for."""
        self.session.run('wl-copy', '--foreground', '--paste-once', '--type', TEXT, data=data)

    def paste_command(self, mime):
        return 'wl-paste', *self.seat, '--no-newline', '--type', mime

    def types_command(self):
        return 'wl-paste', *self.seat, '--list-types'


class Xclip(Client):
    owner = 'xclip'
    command = 'xclip', '-selection', 'clipboard'

    @staticmethod
    def target(mime):
        return 'UTF8_STRING' if mime == TEXT else mime

    def copy_command(self, mime):
        return *self.command, '-in', '-target', self.target(mime)

    def copy_in_a_row(self, data):
        """As in the others, but gone once it was read: xclip returns before it is the owner,
        so that two of them in a row may own in either order, and one of them never."""
        self.session.run(*self.copy_command(TEXT), '-quiet', '-loops', '1', data=data)

    def paste_command(self, mime):
        return *self.command, '-out', '-target', self.target(mime)

    def types_command(self):
        return *self.command, '-out', '-target', 'TARGETS'


def content_file(session, data):
    """A file of its own for each: the owner of an earlier copy may be asked for it still."""
    handle, path = tempfile.mkstemp(prefix='content-', dir=session.folder)
    with open(handle, 'wb') as file:
        file.write(data)
    return path


def content_pairs(session, types):
    """TYPE=FILE for each; a content is a file, or bytes for one."""
    for mime, content in types.items():
        if isinstance(content, bytes):
            content = content_file(session, content)
        yield f'{mime}={content}'


class DataControl(Client):
    """The tests' own data-control client: any set of types, and both protocols."""
    owner = 'datacontrol.py'

    def copy(self, path, mime=TEXT):
        self.copy_types({mime: path})

    def copy_bytes(self, data, mime=TEXT):
        self.copy_types({mime: data})

    def copy_types(self, types, verb='copy'):
        """Offers several types at once, each a file or bytes; with 'once' for one paste only."""
        name = f'datacontrol-{time.monotonic_ns()}'
        process = self.session.start(sys.executable, HERE / 'datacontrol.py', verb,
                                     *content_pairs(self.session, types), name=name)
        self.session.started.remove(process)  # it ends by itself, when it is replaced
        self.session.wait_for(process, lambda: 'ready' in self.session.log(name),
                              'the selection is taken')

    def burst(self, count, prefix, seconds=60):
        self.session.run(sys.executable, HERE / 'datacontrol.py', 'burst', str(count), prefix,
                         seconds=seconds)

    def paste_command(self, mime):
        return sys.executable, str(HERE / 'datacontrol.py'), 'paste', mime

    def types_command(self):
        return sys.executable, HERE / 'datacontrol.py', 'types'




class MutterClient(Client):
    """Copies any set of types on GNOME."""
    owner = 'mutterclient.py'

    def copy_types(self, types):
        self._start('copy', *content_pairs(self.session, types))

    def linger(self, count):
        """So many copies of which none ends."""
        self._start('linger', str(count))

    def _start(self, *words):
        process = self.session.start(sys.executable, HERE / 'mutterclient.py', *words,
                                     name='mutterclient', stdout=subprocess.PIPE)
        self.session.started.remove(process)
        self.session.first_line(process.stdout, 'mutterclient.py')


class TextField:
    """A GTK text field in a window of its own, on the display that is named: x11 or wayland. As that of a program
    that is named it has no other keys."""

    def __init__(self, session, display=None, program=None):
        self.session = session
        self.has_keyboard = 'WAYLAND_DISPLAY' in session.env
        self.keyboard = getattr(session, 'keyboard', None)
        if self.has_keyboard:
            self._type()  # a seat without a keyboard has no focus to give
        self.process = session.start(
            sys.executable, HERE.parent / 'display' / 'textfield.py', *([program] if program else []), name='textfield',
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            env={'GDK_BACKEND': display} if display else None)
        self._expect('ready')

    def _type(self, *text):
        """Types, and stays as a keyboard: when one goes, the focus goes with it."""
        if self.keyboard:
            self.keyboard.type(''.join(text))
        else:
            self.session.start('wtype', *text, '-s', '3600000')

    def _answer(self):
        return json.loads(self.session.first_line(self.process.stdout, 'the text field'))

    def _expect(self, wanted):
        answer = self._answer()
        if answer != wanted:
            raise Broken(f'the text field said {answer!r}, not {wanted!r}')

    def _say(self, *words):
        os.write(self.process.stdin.fileno(), json.dumps(words).encode() + b'\n')

    def paste(self):
        """What a paste brings into the empty field."""
        self._say('paste')
        return self._answer()

    def clear(self):
        self._say('clear')
        self._expect('done')

    def text(self):
        self._say('text')
        return self._answer()

    def has_focus(self):
        self._say('focus')
        return self._answer()

    def colours(self, *box):
        """The colours of the screen within x, y, width, height, on X11."""
        self._say('colours', *box)
        return self._answer()

    def keys(self):
        """Which it has heard of since it was cleared."""
        self._say('keys')
        return self._answer()

    def copy(self, text):
        """Types a text and copies it: on Wayland nobody may copy without a key pressed."""
        self.clear()
        if self.has_keyboard:
            self._type(text)
        else:
            self._say('type', text)
            self._expect('done')
        self._say('copy', text)
        self._expect('done')

    def offer(self, types):
        self._say('offer', types)
        self._expect('done')

    def save(self):
        """Has the clipboard manager keep what it has copied: whether that has said that it does."""
        self._say('save')
        return self._answer()
