# SPDX-License-Identifier: LGPL-2.1-or-later
"""kill -9 at any moment of a mixed load: kills.py BUILD LIBRARY few|all [FACT...]"""
import pathlib
import random
import signal
import sys
import time

_TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(_TESTS / 'session'), str(_TESTS / 'transfers')]
from faultcase import FaultSession, kill_below  # noqa: E402
from load import Load, check  # noqa: E402
from ports import BusPort, CommandPort  # noqa: E402
from session import Programs  # noqa: E402
from tap import fact, main, note, true  # noqa: E402

PROGRAMS = Programs(sys.argv.pop(1))
MOMENTS = {'few': 8, 'all': 80}[sys.argv.pop(2)]
del sys.argv[1]

# the longest that a load goes on, where that is enough for some changes
SECONDS = 0.12

COMMANDS = {'cliphist', 'cliphist-session'}


def report(load, n_moments):
    note(f'{n_moments} moments, {load.account.n_acknowledged} changes acknowledged, '
         f'{load.n_clips} clips')
    # a program that has just started on a busy machine does not come far
    true(load.account.n_acknowledged > n_moments // 4, 'something was acknowledged')


def longest(session):
    """How long a load may go on, as this machine is just now."""
    begun = time.monotonic()
    session.cliphist('-db-path', session.folder / 'another', 'store', data=b'a change')
    return max(SECONDS, 2 * (time.monotonic() - begun))


def session_daemon(seed, moments, times, make_port):
    """The session's daemon is killed, and comes back."""
    rng = random.Random(seed)
    load = Load(rng, rich=make_port is BusPort)
    with FaultSession(PROGRAMS) as session:
        for _ in range(moments):
            session.start_daemon()
            port = make_port(session)
            if load.port:
                check(session, load, session.disk)
            load.run(port, rng.random() * times * longest(session))
            session.kill(session.daemon)
            load.end()
            port.close()
        session.start_daemon()
        check(session, load, session.disk)
        report(load, moments)


@fact('/kill/the-session-daemon-with-calls-under-way')
def calls():
    session_daemon('calls', MOMENTS, 1, BusPort)


@fact('/kill/the-session-daemon-that-commands-ask')
def commands():
    session_daemon('commands', MOMENTS // 2, 4, CommandPort)


@fact('/kill/commands-and-their-private-daemons')
def private_daemons():
    rng = random.Random('private')
    load = Load(rng, rich=False)
    with FaultSession(PROGRAMS) as session:
        for _ in range(MOMENTS):
            load.run(CommandPort(session), rng.random() * 4 * longest(session))
            kill_below(rng.choice([{'cliphistd'}, COMMANDS, {'cliphistd', *COMMANDS}]),
                       signal.SIGKILL)
            load.end()
            session.start_daemon()
            check(session, load, session.disk)
            session.stop(session.daemon)
        report(load, MOMENTS)


main()
