# SPDX-License-Identifier: LGPL-2.1-or-later
"""Terminals of our own: what a program sees as one, and what comes onto its screen."""
import contextlib
import fcntl
import os
import pty
import shutil
import struct
import subprocess
import termios

from session import tied


class Terminal:
    def __init__(self, columns=100):
        self.master, self.slave = pty.openpty()
        os.set_blocking(self.master, False)
        self.resize(columns)
        self.screen = b''

    def resize(self, columns):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack('HHHH', 24, columns, 0, 0))

    def look(self):
        """All that was written to it so far."""
        with contextlib.suppress(BlockingIOError):
            while more := os.read(self.master, 65536):
                self.screen += more
        return self.screen

    def close(self):
        os.close(self.master)
        os.close(self.slave)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


# a shell that starts it, and goes on
_SHELL = (shutil.which('sh'), '-c', '"$0" "$@"; exit $?')


def typed(session, *words, keys=b'', answer=b'', shell=_SHELL):
    """What is seen by a person who types that command, @keys while it starts, and @answer once it asks
    whether; or, without a shell, in a terminal that a key opens for it."""
    master, slave = pty.openpty()
    tie = tied()

    def own_terminal():
        tie()
        os.setsid()
        os.close(os.open(os.ttyname(slave), os.O_RDWR))
    os.write(master, keys)
    process = subprocess.Popen([*shell, *map(str, words)], env=session.env, cwd=session.folder,
                               stdin=slave, stdout=slave, stderr=slave,
                               preexec_fn=own_terminal)
    os.close(slave)
    seen = b''
    with contextlib.suppress(OSError):  # all have closed it
        while more := os.read(master, 65536):
            seen += more
            if answer and b'[y/N] ' in seen:
                os.write(master, answer)
                answer = b''
    os.close(master)
    process.wait(20)
    return seen.decode()
