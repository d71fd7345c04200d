# SPDX-License-Identifier: LGPL-2.1-or-later
"""A daemon in the background of a terminal, as `cliphistd &` starts it, where the terminal stops
who writes to it from there (`stty tostop`): what it says stops it not.

    background.py BUILD
"""
import fcntl
import os
import pathlib
import sys
import termios

# a terminal can be had by who leads a session
if os.getsid(0) != os.getpid():
    os.execvp('setsid', ['setsid', '--wait', sys.executable, *sys.argv])

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'session'))
from session import Programs, Session, until  # noqa: E402
from tap import equal, fact, main  # noqa: E402

PROGRAMS = Programs(sys.argv.pop(1))
IN_BACKGROUND = '''import os, sys
os.setpgid(0, 0)
os.dup2(os.open('/dev/tty', os.O_WRONLY), 2)
os.execv(sys.argv[1], sys.argv[1:])'''


@fact('/background/what-the-daemon-says-stops-it-not')
def background():
    master, slave = os.openpty()
    os.set_blocking(master, False)
    fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
    modes = termios.tcgetattr(slave)
    modes[3] |= termios.TOSTOP
    termios.tcsetattr(slave, termios.TCSANOW, modes)
    with Session('none', programs=PROGRAMS) as session:
        os.tcsetpgrp(slave, os.getpgrp())
        session.start_daemon(sys.executable, '-c', IN_BACKGROUND, seconds=20)
        said = []

        def has_spoken():
            try:
                said.append(os.read(master, 4096))
            except BlockingIOError:
                pass
            return b''.join(said).endswith(b'\n')
        until(has_spoken, 'the daemon says something')
        session.cliphist('store', data=b'word')
        equal(session.listed(), b'1\tword\n', 'the list')


main()
