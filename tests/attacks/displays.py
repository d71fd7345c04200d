# SPDX-License-Identifier: LGPL-2.1-or-later
"""A caller who sends a daemon that watches nothing to an X server of his own.

    displays.py BUILD
"""
import contextlib
import itertools
import os
import pathlib
import socket
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'session'))
from session import BUS_NAME, Programs, Session, until  # noqa: E402
from tap import equal, fact, main, true  # noqa: E402

PROGRAMS = Programs(sys.argv.pop(1))

# An attempt ends after two seconds by itself. One within which nothing was asked says nothing.
ROUNDS = 10

# whoever was answered before the first one has ended by the last one
LOOKUPS = 5

SOCKETS = pathlib.Path('/tmp/.X11-unix')

# other tests have their servers below that
FIRST = 51000


def begin(session, method, *args):
    """A call, as a process that ends with the answer."""
    return subprocess.Popen(
        ['busctl', '--user', '--timeout=60', 'call', BUS_NAME, '/org/cliphist/History1', BUS_NAME,
         method, *args], env=session.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def use_display(session, server, keys=''):
    return begin(session, 'UseDisplay', 'a{ss}a{sv}', '2', 'DISPLAY', server, 'XAUTHORITY', keys,
                 '0')


def end(call):
    answer, trouble = call.communicate(timeout=60)
    equal((call.returncode, trouble), (0, b''), 'answered')
    return answer


@contextlib.contextmanager
def listen():
    """A socket where those of X servers lie, of a number that no server has."""
    SOCKETS.mkdir(mode=0o1777, exist_ok=True)
    path = next(path for number in itertools.count(FIRST + os.getpid() % 10000)
                if not (path := SOCKETS / f'X{number}').exists())
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))
        try:
            server.listen()
            server.settimeout(60)
            yield server
        finally:
            path.unlink()


def name_of(server):
    return ':' + pathlib.Path(server.getsockname()).name.removeprefix('X')


def is_answered_meanwhile(session, server):
    """Whether somebody else has his answer before that caller."""
    asked = use_display(session, name_of(server))
    peer, _ = server.accept()  # which is all that it ever does
    with peer:
        for _ in range(LOOKUPS):
            end(begin(session, 'Lookup', 't', '0'))
        first = asked.poll() is None
        end(asked)
    return first


@fact('/attack/displays/server-that-is-silent')
def silent():
    with Session('none', programs=PROGRAMS) as session, listen() as server:
        session.start_daemon()
        session.cliphist('store', data=b'word')
        true(any(is_answered_meanwhile(session, server) for _ in range(ROUNDS)), 'meanwhile')


def names_of_threads(pid):
    names = []
    for thread in pathlib.Path(f'/proc/{pid}/task').iterdir():
        try:
            names.append((thread / 'comm').read_text())
        except OSError:  # it has just ended
            pass
    return names


@fact('/attack/displays/keys-without-an-end')
def endless_keys():
    with Session('none', programs=PROGRAMS) as session, listen() as server:
        daemon = session.start_daemon()
        end(use_display(session, name_of(server), '/dev/zero'))
        until(lambda: 'clip-x11\n' not in names_of_threads(daemon.pid), 'no thread reads them')


main()
