# SPDX-License-Identifier: LGPL-2.1-or-later
"""What is copied is in the history and nowhere else: not in what the programs say at the highest
level, not in an error, not in the arguments of a process, not in a dump of the daemon's memory.
"""
import contextlib
import os
import pathlib
import resource
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'session'))
from cage import (CANARY, LOUD, Cage, capture, check_logs, move, said_of_it,  # noqa: E402
                  use)
from session import Programs, Session, descendants, until  # noqa: E402
from tap import equal, fact, main, true  # noqa: E402

PROGRAMS = Programs()


@contextlib.contextmanager
def cage():
    with Session('x11', programs=PROGRAMS) as session:
        session.start_daemon(env=LOUD)
        session.wait_backend('x11')
        yield Cage(session)
        equal(session.stop(session.daemon), 0, 'exit status of the daemon')


def check_processes():
    """Nobody has it among its arguments, or in its environment."""
    for pid in descendants(os.getpid()):
        with contextlib.suppress(OSError):
            for name in ('cmdline', 'environ'):
                words = pathlib.Path(f'/proc/{pid}/{name}').read_bytes()
                words = words.replace(LOUD['CLIPHIST_IGNORE_PATTERN'].encode(), b'')
                true(CANARY.encode() not in words, f'it is in {name} of {pid}')


@fact('/canary/not-in-what-anybody-says')
def not_said():
    with cage() as c:
        capture(c)
        number = use(c)
        check_processes()
        move(c, number)
        true('DEBUG' in c.session.log('cliphistd'), 'the daemon says everything')
        check_logs(c)
        equal(said_of_it(c), [], 'the words')


@fact('/canary/not-in-a-dump-of-memory')
def no_dump():
    with cage() as c:
        pid = c.session.daemon.pid
        equal(resource.prlimit(pid, resource.RLIMIT_CORE), (0, 0), 'the limit of core dumps')
        shown = pathlib.Path(f'/proc/{pid}/coredump_filter').read_text().strip()
        equal(int(shown, 16), 0, 'what a dump would hold')


@fact('/canary/gone-from-the-disk-once-it-is-wiped')
def gone_from_disk():
    with cage() as c:
        capture(c)
        c.cliphist('wipe', '--all')
        def is_gone():
            state = c.session.folder / 'state'
            return not any(CANARY.encode() in path.read_bytes()
                           for path in state.rglob('*') if path.is_file())
        until(is_gone, 'it is in no file of the history')


main()
