# SPDX-License-Identifier: LGPL-2.1-or-later
"""What the page cache lacks: cold.py BUILD [FACT...]

The disk is a system call that strace holds back, of one blob alone.
"""
import contextlib
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'session'))
from caller import caller_of  # noqa: E402
from session import Programs, Session, until  # noqa: E402
from sides import MIB, content, held_bytes, sink, take  # noqa: E402
from straced import Trace  # noqa: E402
from tap import equal, fact, main, true  # noqa: E402
from trips import decode, ended  # noqa: E402

PROGRAMS = Programs(sys.argv.pop(1))
COLD = content(3 * MIB)
WARM = content(3 * MIB, seed=1)
FOREVER_US = 600 * 10 ** 6

# more than there are threads to wait for disks
N_COLD = 6


def blobs(session):
    folder = session.folder / 'state' / 'cliphist' / 'blobs'
    return {path for path in folder.rglob('*') if path.is_file()}


def store(session, data):
    """Returns the file that holds it."""
    before = blobs(session)
    session.cliphist('store', data=data)
    blob, = blobs(session) - before
    return blob


@fact('/cold/readers-of-a-disk-that-hangs-hold-up-no-other')
def cold_readers():
    with Session('none', programs=PROGRAMS) as session, contextlib.ExitStack() as stack:
        cold = store(session, COLD)
        store(session, WARM)
        trace = Trace(session, '-P', cold, '-e', 'inject=preadv2:error=EAGAIN', '-e',
                      f'inject=splice:delay_enter={FOREVER_US}')
        session.start_daemon(*trace.wrapper(), env=trace.env)
        caller = stack.enter_context(caller_of(session))
        cold_ends = [stack.enter_context(sink('pipe', '')) for _ in range(N_COLD)]
        cold_calls = [caller.send(1, end.fd) for end in cold_ends]
        warm_end = stack.enter_context(sink('pipe', ''))
        warm_call = caller.send(2, warm_end.fd)
        warm_end.give_away()
        true(take(warm_end) == WARM, 'the warm one arrives as it was stored')
        until(warm_call.look, 'the daemon has replied')
        equal(warm_call.result, len(WARM), 'its reply')
        equal([call.look() for call in cold_calls], [False] * N_COLD, 'replies to the others')
        equal([held_bytes(end.peer) for end in cold_ends], [0] * N_COLD, 'what they got')
        session.kill(session.daemon)  # strace itself: it would wait as long as the disk does


@fact('/cold/what-the-disk-has-not-read-arrives')
def cold_arrives():
    with Session('none', programs=PROGRAMS) as session:
        cold = store(session, COLD)
        trace = Trace(session, '-P', cold, '-e', 'inject=preadv2:error=EAGAIN')
        session.start_daemon(*trace.wrapper(), env=trace.env)
        with caller_of(session) as caller, sink('pipe', '') as end:
            call = caller.send(1, end.fd)
            end.give_away()
            true(take(end) == COLD, 'it arrives as it was stored')
            until(call.look, 'the daemon has replied')
        trace.end(session.daemon)
        equal(trace.moved(str(cold)), {'splice': len(COLD)}, 'bytes by call')


@fact('/cold/the-kernel-knows-that-all-of-a-blob-will-be-read')
def expects_all():
    with Session('none', bus=False, programs=PROGRAMS) as session, sink('pipe', '') as end:
        cold = store(session, COLD)
        trace = Trace(session, calls='fadvise64')
        process = decode(session, 1, end, trace=trace)
        take(end)
        ended(process)
        advice = [words for call, words, _ in trace.calls() if f'<{cold}>' in words]
        equal([words.split(', ', 1)[1] for words in advice], ['0, 0, POSIX_FADV_SEQUENTIAL'])


main()
