# SPDX-License-Identifier: LGPL-2.1-or-later
"""A daemon in the background of a terminal, as `cliphistd &` starts it, and a caller
who sends that terminal along: the kernel stops those of its background who read from it.

    terminal.py BUILD
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
IN_BACKGROUND = 'import os, sys; os.setpgid(0, 0); os.execv(sys.argv[1], sys.argv[1:])'


def state(daemon):
    stat = pathlib.Path(f'/proc/{daemon.pid}/stat').read_text()
    return stat.rsplit(')', 1)[1].split()[0]


@fact('/attack/terminal/of-a-daemon-in-the-background-stops-it-not')
def background():
    _, slave = os.openpty()
    fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
    with Session('none', programs=PROGRAMS) as session:
        os.tcsetpgrp(slave, os.getpgrp())
        daemon = session.start_daemon(sys.executable, '-c', IN_BACKGROUND)
        caller = session.start(PROGRAMS.cliphist, 'store', stdin=slave)
        os.close(slave)
        until(lambda: caller.poll() is not None or state(daemon) == 'T',
              'the terminal is read')
        session.cliphist('store', data=b'word')
        equal(session.listed(), b'1\tword\n', 'the list')


main()
