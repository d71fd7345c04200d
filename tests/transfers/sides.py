# SPDX-License-Identifier: LGPL-2.1-or-later
"""The two ends of a transfer: one for the program that is tested, the other side for the test."""
import contextlib
import fcntl
import os
import pathlib
import pty
import random
import select
import socket
import struct
import termios
import threading
import tty

from session import Broken

KIB = 1024
MIB = 1024 * KIB

# how long a test waits for what should come at once
SECONDS = 20


def content(size, seed=0):
    """Bytes that do not repeat, the same for the same seed."""
    return random.Random(f'{size} {seed}').randbytes(size)


def text(size):
    """Lines that a terminal passes on as they are."""
    lines = b''.join(b'line %08d of a text that is shown\n' % n for n in range(size // 20))
    return lines[:size - 1] + b'\n'


def name_of(fd):
    """What strace calls a descriptor: a path, pipe:[N], socket:[N]."""
    return os.readlink(f'/proc/self/fd/{fd}').removesuffix(' (deleted)')


class End:
    """One end of a transfer: fd for the program that is tested, and the other side for us."""

    def __init__(self, fd, peer=-1, path=None):
        self.fd = fd
        self.peer = peer
        self.path = path
        self.name = name_of(fd)

    def give_away(self):
        """The program has it now, and alone."""
        os.close(self.fd)
        self.fd = -1

    def close(self):
        for fd in (self.fd, self.peer):
            if fd >= 0:
                os.close(fd)
        self.fd = self.peer = -1


def _raw_terminal():
    master, slave = pty.openpty()
    tty.setraw(slave)
    return End(slave, master)


def _socket_end():
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    return End(theirs.detach(), ours.detach())


def _file_end(path, flags):
    return End(os.open(path, flags | os.O_CREAT | os.O_CLOEXEC, 0o600), path=pathlib.Path(path))


@contextlib.contextmanager
def sink(kind, folder):
    """An end to write into: pipe, file, append, socket, nonblocking socket, terminal, or a path
    below /dev."""
    if kind == 'pipe':
        reader, writer = os.pipe()
        end = End(writer, reader)
    elif kind.endswith('socket'):
        end = _socket_end()
        os.set_blocking(end.fd, kind == 'socket')
    elif kind == 'terminal':
        end = _raw_terminal()
    elif kind in ('file', 'append'):
        path = folder / f'{kind}-{os.urandom(4).hex()}'
        path.write_bytes(b'before\n' if kind == 'append' else b'')
        end = _file_end(path, os.O_WRONLY | (os.O_APPEND if kind == 'append' else 0))
    else:
        end = End(os.open(kind, os.O_WRONLY | os.O_CLOEXEC))
    try:
        yield end
    finally:
        end.close()


def take(end, size=1 << 40, pace=MIB):
    """What comes out of the other side of a sink, to its end or until @size bytes have come, at
    most @pace at a time; or what is in a file."""
    if end.path:
        return end.path.read_bytes()
    seen = bytearray()
    while len(seen) < size:
        if not select.select([end.peer], [], [], SECONDS)[0]:
            raise Broken(f'nothing came for {SECONDS} s after {len(seen)} bytes')
        some = os.read(end.peer, min(pace, size - len(seen)))
        if not some:
            break
        seen += some
    return bytes(seen)


def _feed(peer, data):
    with contextlib.suppress(BrokenPipeError, OSError), os.fdopen(peer, 'wb') as file:
        file.write(data)


def _feed_terminal(peer, data):
    # a terminal passes lines on as they come, and ends where a line begins with ^D
    with contextlib.suppress(OSError):
        for line in data.splitlines(keepends=True):
            os.write(peer, line)
        os.write(peer, b'\x04')


@contextlib.contextmanager
def source(kind, folder, data):
    """An end to read @data from: pipe, file, socket, memfd, terminal, or a path below /dev."""
    feeder = None
    if kind == 'pipe':
        reader, writer = os.pipe()
        end, feeder = End(reader), (_feed, writer)
    elif kind == 'socket':
        end = _socket_end()
        feeder, end.peer = (_feed, end.peer), -1
    elif kind == 'terminal':
        master, slave = pty.openpty()
        end, feeder = End(slave, master), (_feed_terminal, master)
    elif kind == 'memfd':
        end = End(os.memfd_create('source'))
        os.write(end.fd, data)
        os.lseek(end.fd, 0, os.SEEK_SET)
    elif kind == 'file':
        path = folder / f'source-{os.urandom(4).hex()}'
        path.write_bytes(data)
        end = End(os.open(path, os.O_RDONLY | os.O_CLOEXEC), path=path)
    else:
        end = End(os.open(kind, os.O_RDONLY | os.O_CLOEXEC))
    thread = threading.Thread(target=feeder[0], args=(feeder[1], data)) if feeder else None
    if thread:
        thread.start()
    try:
        yield end
    finally:
        end.close()
        if thread:
            thread.join()


def pipe_bytes(fd):
    """How much a pipe can hold."""
    return fcntl.fcntl(fd, fcntl.F_GETPIPE_SZ)


def held_bytes(fd):
    """How much is in a pipe, or a socket."""
    return struct.unpack('i', fcntl.ioctl(fd, termios.FIONREAD, bytes(4)))[0]
