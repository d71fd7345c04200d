# SPDX-License-Identifier: LGPL-2.1-or-later
"""Every pair of ends, through the real programs: what arrived, and which call moved it.

    pairs.py BUILD [FACT...]

The command writes entries into everything that a shell can redirect to, a private daemon takes
in everything that it can redirect from, and the session's daemon sends into descriptors that a
caller hands it.
"""
import contextlib
import os
import pathlib
import signal
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'session'))
from caller import caller_of  # noqa: E402
from session import Programs, Session, until  # noqa: E402
from sides import KIB, MIB, content, held_bytes, sink, source, take, text  # noqa: E402
from straced import Trace  # noqa: E402
from tap import equal, fact, main, true  # noqa: E402
from trips import (BEFORE, costs_a_comparison, decode, decode_goes_on, decodes,  # noqa: E402
                   ended, store, store_goes_on, stores)

PROGRAMS = Programs(sys.argv.pop(1))
LARGE = content(3 * MIB + 17)
SMALL = content(200 * KIB)  # a blob, but nothing that a larger pipe is asked for
LINES = text(100 * KIB)


@contextlib.contextmanager
def history(*contents, bus=False):
    """A session whose history holds these contents: the first is entry 1."""
    with Session('none', bus=bus, programs=PROGRAMS) as session:
        for data in contents:
            session.cliphist('store', data=data)
        yield session


def decodes_stored(data, *ends):
    with history(data) as session:
        return decodes(session, 1, data, *ends)


for _words, _kind, _data, _way, *_options in (
        ('a-file-by-copy_file_range', 'file', LARGE, 'copy_file_range'),
        ('a-file-behind-what-is-there-by-write', 'append', LARGE, 'write'),
        ('a-socket-by-send', 'socket', LARGE, 'send'),
        ('a-socket-that-never-waits-by-send', 'nonblocking socket', LARGE, 'send'),
        ('a-terminal-by-write', 'terminal', LINES, 'write'),
        ('a-terminal-as-it-is-by-write-where-forced', 'terminal', SMALL, 'write', '--force'),
        ('dev-null-by-write', '/dev/null', LARGE, 'write')):
    fact(f'/decode/into-{_words}')(
        lambda data=_data, ends=(_kind, _way, *_options): decodes_stored(data, *ends))


@fact('/decode/into-a-pipe-of-64-KiB-by-splice')
def decode_small_pipe():
    equal(decodes_stored(SMALL, 'pipe', 'splice'), 64 * KIB, 'what the pipe holds')


@fact('/decode/into-a-pipe-of-1-MiB-by-splice')
def decode_large_pipe():
    equal(decodes_stored(LARGE, 'pipe', 'splice'), MIB, 'what the pipe holds')


@fact('/decode/binary-into-a-terminal-writes-nothing')
def decode_terminal_binary():
    with history(SMALL) as session, sink('terminal', session.folder) as end:
        trace = Trace(session)
        words = ended(decode(session, 1, end, trace=trace), status=1)
        true('--force' in words, words)
        equal(trace.moved(end.name), {}, 'bytes by call')


@fact('/decode/into-dev-full-says-that-there-is-no-space')
def decode_full():
    with history(LARGE) as session, sink('/dev/full', session.folder) as end:
        trace = Trace(session)
        words = ended(decode(session, 1, end, trace=trace), status=1)
        true('no space left on device' in words and len(words.splitlines()) == 1, words)
        equal(trace.moved(end.name), {}, 'bytes by call')


@fact('/decode/a-slow-reader-gets-all-by-splice')
def decode_slow():
    with history(LARGE) as session, sink('pipe', session.folder) as end:
        trace = Trace(session)
        process = decode(session, 1, end, trace=trace)
        true(take(end, pace=777) == LARGE, 'it arrived as it was stored')
        ended(process)
        equal(trace.moved(end.name), {'splice': len(LARGE)}, 'bytes by call')


@fact('/decode/a-reader-that-stalls-finds-all-when-it-goes-on')
def decode_stalled():
    with history(LARGE) as session, sink('pipe', session.folder) as end:
        process = decode(session, 1, end)
        until(lambda: held_bytes(end.peer) == MIB, 'the pipe is full')
        session.cliphist('store', data=b'meanwhile')
        session.cliphist('delete', data=b'1\n')
        equal(process.poll(), None, 'what became of the command')
        true(take(end) == LARGE, 'it arrived as it was stored')
        ended(process)


@fact('/decode/a-reader-that-leaves-ends-the-command')
def decode_left():
    with history(LARGE) as session, sink('pipe', session.folder) as end:
        process = decode(session, 1, end)
        true(take(end, 100 * KIB, pace=KIB) == LARGE[:100 * KIB], 'it arrived as it was stored')
        end.close()
        ended(process, status=-signal.SIGPIPE)


def stores_anew(*ends):
    with history() as session:
        stores(session, *ends)


for _words, _kind, _data, _way in (
        ('pipe-by-splice', 'pipe', LARGE, 'splice'),
        ('file-by-copy_file_range', 'file', LARGE, 'copy_file_range'),
        ('socket-by-receive', 'socket', LARGE, 'receive'),
        ('memory-file-by-sendfile', 'memfd', LARGE, 'sendfile'),
        ('terminal-by-read', 'terminal', LINES, 'read')):
    fact(f'/store/from-a-{_words}')(lambda ends=(_data, _kind, _way): stores_anew(*ends))


@fact('/store/from-a-file-that-was-read-in-part-takes-the-rest')
def store_rest():
    with history() as session, source('file', session.folder, LARGE) as end:
        os.lseek(end.fd, MIB, os.SEEK_SET)
        ended(store(session, end))
        true(session.cliphist('decode', '1').stdout == LARGE[MIB:], 'it is stored as it came')
        equal(os.lseek(end.fd, 0, os.SEEK_CUR), len(LARGE), 'where the file stands')


@fact('/store/from-dev-zero-ends-at-the-limit-and-leaves-nothing')
def store_zero():
    with history() as session, source('/dev/zero', session.folder, b'') as end:
        trace = Trace(session)
        ended(store(session, end, '-max-store-size', '1048576', trace=trace))
        equal(session.listed(), b'', 'the list')
        blobs = session.folder / 'state' / 'cliphist' / 'blobs'
        equal([path for path in blobs.rglob('*') if path.is_file()], [], 'blobs')
        equal(trace.moved(end.name), {'read': MIB + 1}, 'bytes by call')


@fact('/store/the-same-again-costs-a-hash-and-a-comparison')
def store_again():
    with history(LARGE) as session:
        costs_a_comparison(session, LARGE, session.folder / 'state' / 'cliphist' / 'blobs')


def decode_stored_goes_on(*ends):
    with history(LARGE) as session:
        decode_goes_on(session, 1, LARGE, *ends)


def store_anew_goes_on(*ends):
    with history() as session:
        store_goes_on(session, LARGE, *ends)


for _words, _check, *_ends in (
        ('splice-into-a-pipe', decode_stored_goes_on, 'EINVAL', 'pipe', 'splice', 'write'),
        ('splice-from-a-pipe', store_anew_goes_on, 'ENOSYS', 'pipe', 'splice', 'read'),
        ('copy-into-a-file', decode_stored_goes_on, 'EXDEV', 'file', 'copy_file_range', 'sendfile'),
        ('copy-from-a-file', store_anew_goes_on, 'EOPNOTSUPP', 'file', 'copy_file_range', 'sendfile')):
    fact(f'/refused/{_words}-goes-on-by-{_ends[-1]}')(
        lambda check=_check, ends=tuple(_ends): check(*ends))


@contextlib.contextmanager
def daemon():
    """A daemon on a bus that has LARGE as entry 1, traced; and who calls it."""
    with history(LARGE, bus=True) as session:
        trace = Trace(session)
        session.start_daemon(*trace.wrapper(), env=trace.env)
        with caller_of(session) as caller:
            yield session, trace, caller


def sends(kind, way):
    """The daemon writes an entry into a descriptor that it was handed, by this call alone."""
    with daemon() as (session, trace, caller), sink(kind, session.folder) as end:
        call = caller.send(1, end.fd)
        if end.peer >= 0:
            end.give_away()
        arrived = take(end, len(LARGE)) if end.peer >= 0 else None
        until(call.look, 'the daemon has replied')
        equal((call.result, call.error), (len(LARGE), None), 'its reply')
        if end.path:
            arrived = take(end)
        true(arrived in (None, BEFORE.get(kind, b'') + LARGE), 'it arrived as it was stored')
        trace.end(session.daemon)
        equal(trace.moved(end.name), {way: len(LARGE)}, 'bytes by call')


@fact('/send/a-reader-that-leaves-is-no-error')
def send_left():
    with daemon() as (_, _, caller), sink('pipe', '') as end:
        call = caller.send(1, end.fd)
        end.give_away()
        true(take(end, KIB) == LARGE[:KIB], 'it arrives as it was stored')
        end.close()
        until(call.look, 'the daemon has replied')
        equal(call.error, None, 'error')
        true(KIB <= call.result < len(LARGE), f'{call.result} bytes were written')


for _kind, _way in (('pipe', 'splice'), ('file', 'copy_file_range'), ('append', 'write'),
                    ('socket', 'send'), ('nonblocking socket', 'send'),
                    ('/dev/null', 'write')):
    fact(f'/send/into-{_kind.replace("/", "-").replace(" ", "-").strip("-")}-by-{_way}')(
        lambda kind=_kind, way=_way: sends(kind, way))

main()
