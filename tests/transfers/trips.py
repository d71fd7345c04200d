# SPDX-License-Identifier: LGPL-2.1-or-later
"""Contents on their way through the command, checked: what arrived, and which call moved it."""
import subprocess

from session import Broken, tied
from sides import KIB, pipe_bytes, sink, source, take
from straced import CALLS, Trace
from tap import equal, note, true

# what a test waits for a transfer that is never to take as long
SECONDS = 60

# how many steps a way is let do before it is refused, of 256 KiB each at most
STEPS = 3

# what is received in memory of a content that turns out to be large
BEGINNING = 64 * KIB + 1

BEFORE = {'append': b'before\n'}


def _spawn(session, argv, trace, **ends):
    wrapper, env = (trace.wrapper(), trace.env) if trace else ([], {})
    return subprocess.Popen([str(word) for word in [*wrapper, session.programs.cliphist, *argv]],
                            env={**session.env, **env}, cwd=session.folder,
                            stderr=subprocess.PIPE, preexec_fn=tied(), **ends)


def decode(session, number, end, *flags, trace=None):
    """Starts the command; an end with another side is the command's alone from here on."""
    process = _spawn(session, ['decode', number, *flags], trace, stdin=subprocess.DEVNULL,
                     stdout=end.fd)
    if end.peer >= 0:
        end.give_away()
    return process


def store(session, end, *flags, trace=None):
    return _spawn(session, [*flags, 'store'], trace, stdin=end.fd, stdout=subprocess.DEVNULL)


def ended(process, status=0):
    """Waits until a program has ended as it should; returns what it said."""
    words = process.communicate(timeout=SECONDS)[1].decode(errors='replace')
    if process.returncode != status:
        raise Broken(f'{process.args}: exit {process.returncode}, wanted {status}: {words}')
    return words


def decodes(session, number, data, kind, way, *flags, folder=None):
    """The command writes an entry into an end of this kind, by this call alone; returns what
    can be known of the end."""
    with sink(kind, folder or session.folder) as end:
        trace = Trace(session)
        process = decode(session, number, end, *flags, trace=trace)
        arrived = take(end, len(data)) if end.peer >= 0 else None
        ended(process)
        if end.path:
            arrived = take(end)
        true(arrived in (None, BEFORE.get(kind, b'') + data), 'it arrived as it was stored')
        equal(trace.moved(end.name), {way: len(data)}, 'bytes by call')
        return pipe_bytes(end.peer) if kind == 'pipe' else end.path


def stores(session, data, kind, way, folder=None):
    """A private daemon takes a content in from an end of this kind, by this call alone."""
    with source(kind, folder or session.folder, data) as end:
        trace = Trace(session)
        ended(store(session, end, trace=trace))
        true(session.cliphist('paste').stdout == data, 'it is stored as it came')
        equal(trace.moved(end.name), {way: len(data)}, 'bytes by call')


def _refusals(refused, error):
    return [word for call in refused
            for word in ('-e', f'inject={call}:error={error}:when={STEPS + 1}+')]


def _goes_on(moved, size, ways):
    """Each way went so far, and the last one did the rest."""
    equal(sorted(moved), sorted(ways), 'calls')
    for way in ways[:-1]:
        true(moved[way] <= STEPS * 256 * KIB, f'{moved}')
    equal(sum(moved.values()), size, 'bytes in all')


def decode_goes_on(session, number, data, error, kind, *ways, folder=None):
    """All ways but the last are refused in the middle."""
    with sink(kind, folder or session.folder) as end:
        trace = Trace(session, *_refusals(ways[:-1], error))
        process = decode(session, number, end, trace=trace)
        arrived = take(end) if end.peer >= 0 else None
        ended(process)
        true((arrived or take(end)) == data, 'it arrived as it was stored')
        _goes_on(trace.moved(end.name), len(data), ways)


def store_goes_on(session, data, error, kind, *ways, folder=None):
    with source(kind, folder or session.folder, data) as end:
        trace = Trace(session, *_refusals(ways[:-1], error))
        ended(store(session, end, trace=trace))
        true(session.cliphist('paste').stdout == data, 'it is stored as it came')
        _goes_on(trace.moved(end.name), len(data), ways)


def costs_a_comparison(session, data, blobs):
    """The one content of a history comes again: it is hashed and compared once, not synced,
    and nothing of it remains."""
    blob, = [path for path in blobs.rglob('*') if path.is_file()]
    trace = Trace(session, calls=f'{CALLS},mmap,fsync,fdatasync')
    with source('pipe', '', data) as end:
        ended(store(session, end, trace=trace))
    equal(session.cliphist('list').stdout.split(b'\t')[0], b'2', 'the id that it moved to')
    equal([path for path in blobs.rglob('*') if path.is_file()], [blob], 'blobs')
    moved, mapped = trace.moved(f'{blobs}/'), trace.mapped(f'{blobs}/')
    note(f'{moved}, {mapped} bytes were mapped')
    # its beginning came into memory, and was written from there once it was known to be large
    equal((moved['splice'], moved['write']), (len(data) - BEGINNING, BEGINNING), 'what came')
    equal(trace.moved(str(blob)), {'read': len(data)}, 'bytes read of the blob')
    # what came is mapped to be hashed, or read where it cannot be, and read to be compared
    besides = moved['read'] + mapped - 3 * len(data)
    true(0 <= besides <= 256 * KIB, f'{besides} bytes are read besides')
    equal([call for call in trace.calls() if 'sync' in call[0] and f'<{blobs}/' in call[1]], [],
          'what is synced')
