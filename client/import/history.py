# SPDX-License-Identifier: LGPL-2.1-or-later
"""What the readers of all programs share: a file, its entries, and what can be wrong.

The writer of a history is not to be believed: a length counts no further than the file goes, what
is in memory at once has a limit, a name of another file leads to a plain file or to nothing, and
no message has any byte of what was copied.
"""
import contextlib
import dataclasses
import os
import stat
import time
import typing

TEXT = 'text/plain;charset=utf-8'
URI_LIST = 'text/uri-list'

# a format is known by what a file begins with
HEAD_BYTES = 1024

# of one entry, in memory
MOST_BYTES = 256 * 1024 * 1024
MOST_CONTENTS = 256
MOST_MIME_BYTES = 255
MOST_TAGS = 64

# of one file: where each of them begins and ends is in memory
MOST_ENTRIES = 1 << 20

CHUNK_BYTES = 64 * 1024
MOST_FILES = 256

# what a picture begins with, and what stands soon behind that
SIGNATURES = [
    ('image/png', b'\x89PNG\r\n\x1a\n', b''),
    ('image/jpeg', b'\xff\xd8\xff', b''),
    ('image/gif', b'GIF8', b'\0'),
    ('image/bmp', b'BM', b'\0\0\0\0'),
    ('image/tiff', b'II*\0', b''),
    ('image/tiff', b'MM\0*', b''),
    ('image/webp', b'RIFF', b'WEBPVP8'),
    ('image/avif', b'\0\0\0', b'ftypavif'),
    ('image/jxl', b'\0\0\0\x0cJXL \r\n\x87\n', b''),
]


TOO_MUCH_MEMORY = 'an entry takes too much memory'


class Fault(Exception):
    """What is wrong with a history, and where: the end of it."""


def damaged(at, what):
    return Fault(f'at byte {at}: {what}')


@dataclasses.dataclass
class Content:
    """Bytes under a type: in memory, or a part of a file that is open until they are written."""
    mime: str
    data: typing.Optional[bytes] = None
    fd: int = -1
    offset: int = 0
    size: int = 0
    is_note: bool = False  # about the others, and kept beside them

    def close(self):
        if self.fd >= 0:
            os.close(self.fd)


@dataclasses.dataclass
class Entry:
    """Times are microseconds since the epoch."""
    last: int
    first: typing.Optional[int] = None
    pinned: bool = False
    secret: bool = False      # the program says so, or may
    incomplete: bool = False  # a file that it refers to is not there
    guessed: bool = False     # the type of its one content is what its bytes look like
    tags: list = dataclasses.field(default_factory=list)
    contents: list = dataclasses.field(default_factory=list)
    n_bytes: int = 0          # of its contents in memory

    def add(self, mime, data, is_note=False):
        self.n_bytes += len(data)
        if self.n_bytes > MOST_BYTES:
            raise Fault('an entry is too large')
        self._keep(Content(mime, data, size=len(data), is_note=is_note))

    def add_part(self, mime, fd, offset, size):
        """fd: the entry's own from now on"""
        self._keep(Content(mime, fd=fd, offset=offset, size=size))

    def _keep(self, content):
        # what is empty may be the mark of a secret, which is for the daemon to say
        if len(self.contents) < MOST_CONTENTS and is_mime(content.mime):
            self.contents.append(content)
            return
        content.close()
        # and so may be a type that it would not be shown
        self.secret = True

    def is_empty(self):
        return not any(content.size for content in self.contents)

    def close(self):
        for content in self.contents:
            content.close()
        self.contents = []


@dataclasses.dataclass
class Format:
    name: str                  # as --from has it
    title: str                 # as people call the program
    is_one: typing.Callable    # of a File, by what it begins with
    entries: typing.Callable   # of a File, one after the other, the oldest first
    pattern: str = ''          # of its files' names in its folder; '' = any file, by name
    is_live: bool = False      # it may be read while the program writes to it


def open_plain(path, flags=0, folder=None):
    """(descriptor, status) of a plain file, or an OSError"""
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOCTTY | os.O_NONBLOCK | flags,
                 dir_fd=folder)
    status = os.fstat(fd)
    if stat.S_ISREG(status.st_mode):
        return fd, status
    os.close(fd)
    raise OSError('it is no plain file')


class File:
    """A file that a history lies in, and the folder around it."""

    def __init__(self, path):
        self.path = path
        self.fd, self.status = open_plain(path)
        self.folder = os.open(os.path.dirname(path) or '.',
                              os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
        self.size = self.status.st_size
        # when it was last written: no entry is younger
        self.changed_us = max(0, min(self.status.st_mtime_ns // 1000, time.time_ns() // 1000))
        self.head = self.read(0, min(self.size, HEAD_BYTES))

    def close(self):
        os.close(self.fd)
        os.close(self.folder)

    def stem(self):
        """Its name without folder and suffix."""
        return os.path.splitext(os.path.basename(self.path))[0]

    def has_changed(self):
        now = os.fstat(self.fd)
        return (now.st_size, now.st_mtime_ns) != (self.size, self.status.st_mtime_ns)

    def read(self, at, length):
        return read_exactly(self.fd, at, length)

    def beside(self, *names):
        """(descriptor, size) of another plain file, or None: @names are those of folders, from the
        folder of this one on, and its own. A history from somewhere else is not to bring in any
        file it names: none leads up, and no link is followed."""
        folder = self.folder
        if any('/' in name or name in ('', '.', '..') for name in names):
            return None
        with contextlib.ExitStack() as stack:
            try:
                for name in names[:-1]:
                    folder = os.open(name, os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW
                                     | os.O_CLOEXEC, dir_fd=folder)
                    stack.callback(os.close, folder)
                fd, status = open_plain(names[-1], os.O_NOFOLLOW, folder)
            except (OSError, ValueError):
                return None
        return fd, status.st_size

    def add_image(self, entry, *places):
        """The first of them, each as the names of beside(), that is a picture; without one the
        entry is not complete."""
        for names in places:
            found = self.beside(*names)
            if not found:
                continue
            fd, size = found
            mime = guess(read_exactly(fd, 0, min(size, HEAD_BYTES)))
            if mime.startswith('image/'):
                entry.add_part(mime, fd, 0, size)
                return
            os.close(fd)
        entry.incomplete = True


def read_exactly(fd, at, length):
    pieces = []
    while length > 0:
        piece = os.pread(fd, min(length, 1 << 20), at)
        if not piece:
            raise damaged(at, 'it breaks off')
        pieces.append(piece)
        at += len(piece)
        length -= len(piece)
    return pieces[0] if len(pieces) == 1 else b''.join(pieces)


class Bytes:
    """A part of a file, read from its beginning to its end, or passed over."""

    def __init__(self, file, at=0, end=None):
        self.file = file
        self.at = at
        self.end = file.size if end is None else end
        self.buffer = b''
        self.base = at  # where in the file the buffer begins

    def peek(self):
        """What is there at once, from here on; nothing at the end."""
        start = self.at - self.base
        if not 0 <= start < len(self.buffer):
            length = max(0, min(self.end - self.at, CHUNK_BYTES))
            self.buffer = self.file.read(self.at, length) if length else b''
            self.base, start = self.at, 0
        return self.buffer[start:] if start else self.buffer

    def read(self, length):
        start = self.at - self.base
        data = self.buffer[start:start + length] if start >= 0 else b''
        if len(data) < length:
            if length > self.end - self.at:
                raise damaged(self.end, 'it breaks off')
            if length < CHUNK_BYTES:
                data = self.peek()[:length]
            if len(data) < length:
                data = self.file.read(self.at, length)
        self.at += length
        return data

    def skip(self, length):
        if length > self.end - self.at:
            raise damaged(self.at, 'it breaks off')
        self.at += length


def limited(parts):
    for n, part in enumerate(parts):
        if n == MOST_ENTRIES:
            raise Fault(f'it has more than {MOST_ENTRIES} entries')
        yield part


def each(file, parts, read, fault=None):
    """The entries, in this order. What is wrong with one costs that one, and is said behind the
    last, unless something was wrong already (fault)."""
    for begin, end in parts:
        try:
            entry = read(file, begin, end)
        except Fault as error:
            fault = fault or error
        except MemoryError:
            fault = fault or Fault(TOO_MUCH_MEMORY)
        else:
            yield entry
    if fault:
        raise fault


def newest_last(file, parts, read):
    """The entries of a file that has the newest first. parts: (begin, end) of each of them, found
    from the first one on; what is wrong with one is said when all before it have come."""
    found, fault = [], None
    try:
        for part in limited(parts):
            found.append(part)
    except Fault as error:
        fault = error
    except MemoryError:
        fault = Fault(TOO_MUCH_MEMORY)
    yield from each(file, reversed(found), read, fault)


def guess(head):
    """An image by its signature, a text, or just bytes."""
    for mime, begin, later in SIGNATURES:
        if head.startswith(begin) and later in head[:64]:
            return mime
    return TEXT if is_text(head) else 'application/octet-stream'


def is_mime(name):
    return 0 < len(name) <= MOST_MIME_BYTES and name == name.strip(' ') and \
        name.isascii() and name.isprintable()


def is_text(data):
    try:
        return '\0' not in data.decode()
    except UnicodeDecodeError:
        return False
