# SPDX-License-Identifier: LGPL-2.1-or-later
"""The history on file systems of every kind: filesystems.py BUILD [FACT...], as root.

Contents go in from a pipe, a file and a socket and come out into a pipe, files and a socket,
with the history on ext4, xfs, btrfs, tmpfs, an overlay and FUSE, and every other file elsewhere.
"""
import contextlib
import fcntl
import os
import pathlib
import shutil
import sqlite3
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'session'))
from caller import caller_of  # noqa: E402
from mounts import KINDS, enter_namespace, mounted  # noqa: E402
from session import Programs, Session, until  # noqa: E402
from sides import MIB, content, sink, source, take  # noqa: E402
from tap import equal, fact, main, true  # noqa: E402
from trips import (costs_a_comparison, decode, decode_goes_on, decodes, ended,  # noqa: E402
                   store, store_goes_on, stores)

PROGRAMS = Programs(sys.argv.pop(1))
LARGE = content(3 * MIB + 17)
OTHER = content(3 * MIB + 17, seed=1)
AGAIN = content(16 * MIB)

FS_IOC_FIEMAP = 0xC020660B
FIEMAP_SYNC = 1
FIEMAP_SHARED = 0x2000
N_EXTENTS = 256


@contextlib.contextmanager
def history_on(kind, *contents, bus=False):
    """A session whose history lies on a file system of this kind, and holds these contents."""
    with Session('none', bus=bus, programs=PROGRAMS) as session, \
            mounted(session, kind) as mount:
        session.env['XDG_STATE_HOME'] = str(mount.path)
        for data in contents:
            session.cliphist('store', data=data)
        yield session, mount


def files_below(mount, name):
    return sorted(path for path in (mount.path / 'cliphist' / name).rglob('*') if path.is_file())


def moves(kind):
    with history_on(kind) as (session, mount):
        for seed, (end, way, folder) in enumerate((
                ('pipe', 'splice', None),
                ('file', 'copy_file_range', mount.path),
                ('file', 'sendfile', session.folder),
                ('socket', 'receive', None),
                ('memfd', 'sendfile', None))):
            stores(session, content(3 * MIB + 17, seed), end, way, folder=folder)
        for end, way, folder in (
                ('pipe', 'splice', None),
                ('file', 'copy_file_range', mount.path),
                ('file', 'sendfile', session.folder),
                ('append', 'write', mount.path),
                ('append', 'write', session.folder),
                ('socket', 'send', None),
                ('nonblocking socket', 'send', None)):
            decodes(session, 1, content(3 * MIB + 17, 0), end, way, folder=folder)


def refuses(kind):
    with history_on(kind, OTHER) as (session, mount):
        store_goes_on(session, LARGE, 'EINVAL', 'pipe', 'splice', 'read')
        decode_goes_on(session, 1, OTHER, 'EINVAL', 'pipe', 'splice', 'write')
        decode_goes_on(session, 1, OTHER, 'EXDEV', 'file', 'copy_file_range', 'sendfile',
                       folder=mount.path)
        decode_goes_on(session, 1, OTHER, 'EINVAL', 'file', 'copy_file_range', 'sendfile',
                       'write', folder=mount.path)


def shared_bytes(path):
    """How many bytes of a file lie where those of another file do."""
    header, extent = struct.Struct('<QQIIII'), struct.Struct('<QQQ16xI12x')
    answer = bytearray(header.pack(0, 1 << 62, FIEMAP_SYNC, 0, N_EXTENTS, 0) +
                       bytes(N_EXTENTS * extent.size))
    with open(path, 'rb') as file:
        fcntl.ioctl(file, FS_IOC_FIEMAP, answer)
    found = header.unpack_from(answer)[3]
    return sum(length for _, _, length, flags in
               extent.iter_unpack(answer[header.size:header.size + found * extent.size])
               if flags & FIEMAP_SHARED)


def shares(kind):
    """What goes from file to file on such a file system takes no room."""
    with history_on(kind) as (session, mount), source('file', mount.path, AGAIN) as end:
        ended(store(session, end))
        true(shared_bytes(end.path) >= len(AGAIN), 'the blob shares what the source has')
        with sink('file', mount.path) as out:
            ended(decode(session, 1, out))
            true(take(out) == AGAIN, 'it arrived as it was stored')
            true(shared_bytes(out.path) >= len(AGAIN), 'the sink shares what the blob has')


def stored_again(kind):
    """And no room: what came is gone."""
    with history_on(kind, AGAIN) as (session, mount):
        before = mount.free_bytes()
        costs_a_comparison(session, AGAIN, mount.path / 'cliphist' / 'blobs')
        until(lambda: mount.free_bytes() > before - MIB, 'no room is taken')


def journal_mode(mount):
    database = sqlite3.connect(f'file:{mount.path}/cliphist/history.db?mode=ro', uri=True)
    with contextlib.closing(database):
        return database.execute('PRAGMA journal_mode').fetchone()[0]


def journals(kind):
    with history_on(kind, bus=True) as (session, mount):
        session.start_daemon()
        alone = {'DBUS_SESSION_BUS_ADDRESS': 'unix:path=/nowhere'}
        session.cliphist('store', data=b'one')
        session.cliphist('store', data=b'two', env=alone)
        session.cliphist('store', data=b'three')
        equal(session.cliphist('list').stdout, b'3\tthree\n2\ttwo\n1\tone\n', 'the list')
        equal(journal_mode(mount), 'delete' if kind == 'fuse-direct' else 'wal', 'its journal')
        equal(session.stop(session.daemon), 0, 'exit status of the daemon')


def moved_here(kind):
    """A history that was kept elsewhere is read, and then written, where it was moved to."""
    with Session('none', bus=False, programs=PROGRAMS) as session, \
            mounted(session, kind) as mount:
        session.cliphist('store', data=LARGE)
        session.cliphist('store', data=b'two')
        shutil.copytree(session.folder / 'state' / 'cliphist', mount.path / 'cliphist')
        session.env['XDG_STATE_HOME'] = str(mount.path)
        true(session.cliphist('decode', '1').stdout == LARGE, 'it is read')
        session.cliphist('store', data=b'three')
        equal(session.cliphist('list').stdout.split(b'\n')[:2], [b'3\tthree', b'2\ttwo'], 'list')


def leaves_nothing(kind):
    """What was too large, and what broke off, is nowhere; neither is a name it had meanwhile."""
    with history_on(kind, OTHER) as (session, mount), source('pipe', '', LARGE) as end:
        ended(store(session, end, '-max-store-size', '1048576'))
        equal(len(files_below(mount, 'blobs')), 1, 'blobs')
        equal(files_below(mount, 'blobs/tmp'), [], 'unfinished blobs')


def drop_cache(path):
    fd = os.open(path, os.O_RDONLY)
    os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
    os.close(fd)


@fact('/fuse/a-disk-that-hangs-holds-up-no-other-reader')
def hanging_disk():
    with history_on('fuse', LARGE, bus=True) as (session, mount), \
            sink('pipe', '') as cold_end, sink('pipe', '') as warm_end:
        cold, = files_below(mount, 'blobs')
        session.cliphist('store', data=OTHER)
        drop_cache(cold)
        session.cliphist('decode', '2')
        session.start_daemon()
        mount.tell(session, 'hold')
        with caller_of(session) as caller:
            cold_call, warm_call = caller.send(1, cold_end.fd), caller.send(2, warm_end.fd)
            cold_end.give_away()
            warm_end.give_away()
            true(take(warm_end) == OTHER, 'the warm one arrives as it was stored')
            until(warm_call.look, 'the daemon has replied')
            equal(cold_call.look(), False, 'whether the cold one has arrived')
            mount.tell(session, 'go')
            true(take(cold_end) == LARGE, 'the cold one arrives, too')
            until(cold_call.look, 'the daemon has replied')


@fact('/btrfs/a-block-that-the-disk-does-not-give-costs-that-copy-alone')
def spoilt_block():
    with history_on('btrfs', b'before', bus=True) as (session, mount):
        session.start_daemon()
        path = mount.path / 'spoilt'
        path.write_bytes(LARGE)
        mount.spoil(LARGE[MIB:MIB + 4096])
        drop_cache(path)
        with open(path, 'rb') as file:
            said = session.run(PROGRAMS.cliphist, 'store', stdin=file, check=False)
        true(said.returncode == 1 and said.stderr, f'it is refused: {said}')
        session.cliphist('store', data=b'after')
        equal(session.cliphist('list').stdout, b'2\tafter\n1\tbefore\n', 'the list')
        equal(session.stop(session.daemon), 0, 'exit status of the daemon')


CHECKS = {
    'each-pair-of-ends-by-the-call-it-should-go-by': moves,
    'where-a-call-is-refused-the-next-goes-on': refuses,
    'the-same-again-costs-a-hash-and-a-comparison': stored_again,
    'two-daemons-and-readers-share-a-history': journals,
    'a-history-that-was-moved-here-goes-on': moved_here,
    'what-is-too-large-leaves-nothing': leaves_nothing,
}
for _kind in KINDS:
    for _words, _check in CHECKS.items():
        fact(f'/{_kind}/{_words}')(lambda kind=_kind, check=_check: check(kind))
for _kind in ('xfs', 'btrfs'):
    fact(f'/{_kind}/from-file-to-file-takes-no-room')(lambda kind=_kind: shares(kind))

enter_namespace()
main()
