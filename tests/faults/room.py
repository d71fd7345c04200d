# SPDX-License-Identifier: LGPL-2.1-or-later
"""A place where nothing can be written: room.py BUILD LIBRARY few|all [FACT...]

The disk or the quota is full, the file system read-only, the folder somebody else's or not there.
Each change that fails says why in one line and loses nothing, the history stays readable, and it
goes on by itself when it can. The real file systems of `all` are for root.
"""
import contextlib
import os
import pathlib
import random
import shutil
import signal
import sys

_TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(_TESTS / 'session'), str(_TESTS / 'transfers')]
from account import KIB, Account, Clip, digest  # noqa: E402
from faultcase import FaultSession, faulty_env, kill_below, said, says_why  # noqa: E402
from images import Image  # noqa: E402
from load import Load, check, check_account, compare_output  # noqa: E402
from mounts import enter_namespace, mounted, run_tool  # noqa: E402
from ports import BusPort  # noqa: E402
from session import NOBODY, Programs, need, until  # noqa: E402
from tap import equal, fact, main, true  # noqa: E402

PROGRAMS = Programs(sys.argv.pop(1))
LIBRARY = pathlib.Path(sys.argv.pop(1)).resolve()
IS_ALL = {'few': False, 'all': True}[sys.argv.pop(1)]

# few bytes are left where a file system is filled: less than these take
SIZES = (20 * KIB, 60 * KIB, 500 * KIB)
MOMENTS = 12

N_INLINE = 12
N_BLOBS = 30
EXPIRY = '3s'


class Place:
    """A history and what is known of it; who asks for changes may be under a wrapper."""

    def __init__(self, session, env=None, wrapper=()):
        self.session = session
        self.env = env
        self.wrapper = wrapper
        self.account = Account()
        self.n_clips = 0

    def run(self, *words, data=b''):
        return self.session.run(*self.wrapper, PROGRAMS.cliphist, *words, data=data, env=self.env,
                                check=False)

    def advised(self, verb):
        """What is said where there is a display."""
        return self.session.run(*self.wrapper, PROGRAMS.cliphist, verb, check=False,
                                env={**(self.env or {}), 'WAYLAND_DISPLAY': 'none'}).stdout.decode()

    def store(self, size):
        """Returns the line that says why not."""
        self.n_clips += 1
        clip = Clip(f'room {self.n_clips}', size)
        return self._conclude(self.account.store(clip), self.run('store', data=clip.data))

    def delete_oldest(self):
        oldest = min((record for record in self.account.kept()), key=lambda record: record.id)
        done = self.run('delete', data=f'{oldest.id}\tx\n'.encode())
        return self._conclude(self.account.delete(oldest), done)

    def trim(self, n_items):
        for record in self.account:
            record.there.add(False)
        done = self.run('-max-items', str(n_items), 'trim')
        return self._conclude(lambda _: None, done)

    def wipe(self):
        return self._conclude(self.account.wipe(), self.run('wipe'))

    @staticmethod
    def _conclude(end, done):
        words = done.stderr.decode(errors='replace')
        end(done.returncode == 0)
        if done.returncode == 0:
            equal(said(words), [], 'what it says')
            return None
        equal(done.returncode, 1, 'exit status')
        return says_why(words)

    def works(self):
        for size in (100, *SIZES):
            equal(self.store(size), None, 'why it was not stored')
        self.account.settle(self.session.disk.entries())
        equal(self.delete_oldest(), None, 'why it was not deleted')

    def refuses(self, *reasons):
        """Whatever does not fit is refused for one of these reasons."""
        lines = [self.store(size) for size in SIZES]
        lines.append(self.delete_oldest())
        for line in filter(None, lines):
            true(any(reason in line for reason in reasons), f'{line!r} says none of {reasons}')
        true(lines[len(SIZES) - 1], 'the largest does not fit')
        self.is_readable()

    def listed(self):
        done = self.run('list')
        equal((done.returncode, done.stderr), (0, b''), 'list')
        return [int(line.split(b'\t')[0]) for line in done.stdout.split(b'\n')[:-1]]

    def is_readable(self):
        """By the command under the same conditions, to the last byte."""
        numbers = self.listed()
        for number in numbers:
            shown = self.run('decode', str(number))
            equal((shown.returncode, shown.stderr), (0, b''), f'decode {number}')
            name = digest(shown.stdout)
            true(name in self.account.records, f'entry {number} was never sent')
        true(numbers, 'something is left')

    def check(self):
        check_account(self.session, self.account, self.session.disk)


FULL = ('No space left on device',)


def fill(folder):
    """Takes all the room there is."""
    with contextlib.suppress(OSError), open(folder / 'filling', 'wb', buffering=0) as file:
        for size in (1 << 20, 1 << 16, 1 << 12, 1):
            with contextlib.suppress(OSError):
                while True:
                    file.write(bytes(size))
    os.sync()


def empty(folder):
    (folder / 'filling').unlink()
    os.sync()


def goes_on(place, begin, end, *reasons):
    """Twice there is no room, and then there is."""
    for _ in range(2):
        place.works()
        begin()
        place.refuses(*reasons)
        end()
    place.works()
    if not place.session.daemon:
        place.session.start_daemon()
    place.check()
    said(place.session.log('cliphistd'))


def on_faulty_disk(fault, reason, has_daemon):
    with FaultSession(PROGRAMS) as session:
        flag = session.folder / 'is-full'
        env = faulty_env(session, LIBRARY, fault, CLIP_FAULT_WHILE=str(flag))
        place = Place(session, env)
        if has_daemon:
            session.start_daemon(env=env)
        goes_on(place, flag.touch, flag.unlink, reason)


for _fault, _reason in (('full', 'No space left on device'), ('quota', 'Disk quota exceeded')):
    for _who, _has_daemon in (('commands', False), ('the-daemon', True)):
        fact(f'/room/{_fault}-disk-and-{_who}-go-on-when-there-is-room')(
            lambda fault=_fault, reason=_reason, has_daemon=_has_daemon:
            on_faulty_disk(fault, reason, has_daemon))


FORGETS = 'A restart of the daemon forgets this, as it cannot be written: '


@fact('/room/a-pause-that-cannot-be-written-holds-and-says-what-forgets-it')
def pause_in_memory():
    with FaultSession(PROGRAMS) as session:
        flag = session.folder / 'is-full'
        env = faulty_env(session, LIBRARY, 'full', CLIP_FAULT_WHILE=str(flag))
        place = Place(session, env)

        def restart():
            session.stop(session.daemon)
            session.start_daemon(env=env)

        def kept(text):
            place.run('store', data=text)
            return text in place.run('list').stdout

        session.start_daemon(env=env)
        place.works()
        for begins, after in (('pause', 'paused'), ('resume', 'on')):
            flag.touch()
            done = place.run(begins)
            line = done.stderr.decode()
            true(done.returncode == 0 and line.startswith(FORGETS) and FULL[0] in line, f'{begins}: {line}')
            flag.unlink()
            equal(kept(begins.encode()), after == 'on', f'{begins}: whether a copy is kept')
            restart()
            equal(kept(b'again ' + begins.encode()), after != 'on', f'{begins}: and after a restart')
            # what is on the disk, for the next round and its end
            equal(place.run('pause').stderr, b'', 'pause, with room')
        # that a pause in memory ends is no "was not paused"
        place.run('resume')
        flag.touch()
        place.run('pause')
        true(FORGETS in place.run('resume').stderr.decode(), 'resume of a pause in memory')
        flag.unlink()
        # a private daemon takes it along
        session.stop(session.daemon)
        flag.touch()
        done = place.run('pause')
        true(done.returncode == 1 and FULL[0] in says_why(done.stderr.decode()), 'without a daemon')


def plain_user(session):
    """A wrapper for what is to run without a privilege; the session's folders are theirs then."""
    if os.geteuid() != 0:
        return []
    session.folder.chmod(0o711)
    os.chown(session.folder / 'state', NOBODY, NOBODY)
    (session.folder / 'config').chmod(0o755)
    return [need('setpriv'), f'--reuid={NOBODY}', f'--regid={NOBODY}', '--clear-groups', '--']


@fact('/room/a-folder-that-may-not-be-written')
def no_permission():
    with FaultSession(PROGRAMS, bus=False) as session:
        place = Place(session, wrapper=plain_user(session))
        place.works()
        folders = [session.history, *(p for p in session.history.rglob('*') if p.is_dir())]
        for path in folders:
            path.chmod(0o500)
        place.refuses('Permission denied')
        for path in folders:
            path.chmod(0o700)
        database = session.history / 'history.db'
        database.chmod(0)
        done = place.run('list')
        equal((done.returncode, says_why(done.stderr.decode())),
              (1, f"opening db: open history '{database}': Permission denied"), 'list')
        for verb in ('doctor', 'status'):
            said = place.advised(verb)
            # a daemon that has its files open goes on
            true('the right to write the history: what you copy may be lost' in said and
                 'mend with sudo chown' in said, f'{verb}: {said}')
        database.chmod(0o600)
        blobs = session.history / 'blobs'
        for mode in (0o500, 0):
            blobs.chmod(mode)
            for verb in ('doctor', 'status'):
                said = place.advised(verb)
                true('the right to write the history: what you copy may be lost' in said,
                     f'{verb} with blobs of {mode:o}: {said}')
        blobs.chmod(0o700)
        place.works()
        if place.wrapper:
            run_tool('chown', '-R', '0:0', session.history)  # root refuses another user's
        compare_output(session, session.disk.entries())


@fact('/room/a-folder-that-may-not-be-made')
def no_folder():
    with FaultSession(PROGRAMS, bus=False) as session:
        place = Place(session, wrapper=plain_user(session))
        state = session.folder / 'state'
        state.chmod(0o500)
        line = place.store(100)
        true(line and 'Permission denied' in line and 'cliphist' in line, f'{line!r}')
        state.chmod(0o700)
        place.works()


@fact('/room/a-folder-that-is-a-file')
def folder_is_a_file():
    with FaultSession(PROGRAMS, bus=False) as session:
        place = Place(session)
        session.history.write_text('in the way')
        line = place.store(100)
        true(line and str(session.history) in line, f'{line!r}')
        equal(session.history.read_text(), 'in the way', 'the file')
        for verb in ('status', 'doctor'):
            said = place.advised(verb)
            true(f'mend with mv {session.history} {session.history}.old' in said.replace("'", '') and
                 'chown' not in said, f'{verb}: {said}')
        session.history.unlink()
        place.works()


@fact('/room/a-folder-that-is-gone-is-made-again')
def folder_is_gone():
    """Also below a daemon that is running; what was in it is gone with it."""
    with FaultSession(PROGRAMS) as session:
        for has_daemon in (False, True):
            if has_daemon:
                session.start_daemon()
            Place(session).works()
            shutil.rmtree(session.history)
            place = Place(session)
            place.works()
        place.check()


@contextlib.contextmanager
def place_on(kind, display='none'):
    with FaultSession(PROGRAMS, display=display) as session, contextlib.ExitStack() as stack:
        if kind == 'tmpfs':
            path = session.folder / 'small'
            path.mkdir()
            run_tool('mount', '-t', 'tmpfs', '-o', 'size=6m', 'small', path)
            stack.callback(run_tool, 'umount', '-l', path)
        else:
            path = stack.enter_context(Image(session, kind)).path
        session.env['XDG_STATE_HOME'] = os.fspath(path)
        yield Place(session), path


def over_quota(has_daemon):
    """A real quota, of a subvolume; those of other file systems do not bind root, and not every
    kernel has them."""
    with FaultSession(PROGRAMS) as session, Image(session, 'btrfs') as image:
        path = image.path / 'limited'
        run_tool('btrfs', 'quota', 'enable', image.path)
        run_tool('btrfs', 'subvolume', 'create', path)
        run_tool('btrfs', 'qgroup', 'limit', '12M', path)
        session.env['XDG_STATE_HOME'] = os.fspath(path)
        if has_daemon:
            session.start_daemon()
        goes_on(Place(session), lambda: fill(path), lambda: empty(path), 'Disk quota exceeded',
                *FULL)
        session.stop(session.daemon)


def on_file_system(kind, has_daemon):
    with place_on(kind) as (place, path):
        if has_daemon:
            place.session.start_daemon()
        goes_on(place, lambda: fill(path), lambda: empty(path), *FULL)
        place.session.stop(place.session.daemon)


def full_before_it_begins():
    with place_on('tmpfs') as (place, path):
        fill(path)
        said = place.advised('doctor')
        true('room on the disk' in said and 'mend with' not in said, said)


def too_small_to_give_way():
    """All of the history that may go is less than what a change takes of the disk."""
    with place_on('tmpfs', 'sway') as (place, path):
        session = place.session
        (session.folder / 'config' / 'cliphist' / 'config').write_text('')
        session.start_daemon()
        session.wait_backend('wlr')
        equal(place.store(100), None, 'why it was not stored')
        equal(place.run('doctor').returncode, 0, 'exit status of doctor, with room')
        fill(path)
        true('the disk is full' in (place.store(100) or ''), 'a small copy is refused')
        for verb, status in (('status', 0), ('doctor', 1)):
            done = place.run(verb)
            equal(done.returncode, status, f'exit status of {verb}')
            true(b'copies are not kept before there is more' in done.stdout and
                 b'takes the place' not in done.stdout, done.stdout)
        done = place.run('status', '--quiet')
        true(done.returncode == 1 and b'The disk is full' in done.stderr, f'status --quiet: {done}')
        empty(path)
        equal(place.run('status', '--quiet').returncode, 0, 'status --quiet, with room')
        session.stop(session.daemon)


def kept_ids(place):
    return {entry.id for entry in place.session.disk.entries()}


def gives_room(kind, has_daemon):
    """The disk stays full: deleting is what makes room, also by itself, and also for who starts."""
    with place_on(kind) as (place, path):
        session = place.session
        if has_daemon:
            session.start_daemon()
        place.works()
        for size in (2048 * KIB, *[60 * KIB] * N_INLINE):
            equal(place.store(size), None, 'why it was not stored')
        place.account.settle(session.disk.entries())
        expires = max(kept_ids(place))
        equal(place.run('expire', str(expires), EXPIRY).returncode, 0, 'exit status of expire')
        for record in place.account:
            if record.id == expires:
                record.there.add(False)
        fill(path)
        if has_daemon:
            session.stop(session.daemon)
            session.start_daemon()
            until(lambda: expires not in kept_ids(place), 'what has expired is gone')
        until(lambda: expires not in place.listed(), 'what has expired is not listed')
        place.is_readable()
        for _ in range(2):
            place.account.settle(session.disk.entries())
            equal(place.delete_oldest(), None, 'why it was not deleted')
        equal(place.trim(N_INLINE // 2), None, 'why it was not trimmed')
        equal(len(kept_ids(place)), N_INLINE // 2, 'entries')
        place.account.settle(session.disk.entries())
        equal(place.wipe(), None, 'why it was not wiped')
        equal(kept_ids(place), set(), 'entries')
        # btrfs has it once its transaction ends, by itself every half a minute
        until(lambda: place.store(60 * KIB) is None, 'there is room for a copy', 60)
        place.account.settle(session.disk.entries())
        if has_daemon:
            session.stop(session.daemon)
        said(session.log('cliphistd'))


def oldest_go(kind, has_daemon):
    """The disk stays full: the oldest go for what is in memory, and none for bytes that need the
    disk; a floor that nobody has asked for takes a tenth at most, which is too little here."""
    asked_for = ('-min-free-space', '5%')
    with place_on(kind) as (place, path):
        session = place.session
        # as it is where nobody has chosen it
        (session.folder / 'config' / 'cliphist' / 'config').write_text('')
        if has_daemon:
            session.start_daemon()
        for _ in range(N_BLOBS):
            equal(place.store(100 * KIB), None, 'why it was not stored')
        pinned = min(kept_ids(place))
        equal(place.run('pin', str(pinned)).returncode, 0, 'exit status of pin')
        fill(path)
        clip = Clip('comes in', 40 * KIB)
        before = kept_ids(place)
        done = place.run('store', data=clip.data)
        equal((done.returncode, kept_ids(place)), (1, before), 'store, and what is left')
        done = place.run(*asked_for, 'store', data=clip.data)
        equal((done.returncode, said(done.stderr.decode())), (0, []), 'store')
        ids = kept_ids(place)
        true(pinned in ids and N_BLOBS // 8 < len(ids) <= N_BLOBS, f'{ids} are left of {N_BLOBS}')
        equal(place.run('decode', str(max(ids))).stdout, clip.data, 'what was stored')
        fill(path)
        done = place.run('store', data=bytes(1000 * KIB))
        equal(done.returncode, 1, 'exit status of a large one')
        true('the disk is full' in says_why(done.stderr.decode()), done.stderr)
        equal(kept_ids(place), ids, 'entries')
        large = session.folder / 'large'
        large.write_bytes(bytes(20 << 20))
        done = session.run('sh', '-c', 'exec "$0" store <"$1"', PROGRAMS.cliphist, large, check=False)
        equal(done.returncode, 1, 'exit status of what never fits')
        true('the disk is full' in says_why(done.stderr.decode()), done.stderr)
        equal(kept_ids(place), ids, 'entries')
        equal(place.run(*asked_for, 'doctor').returncode, 0, 'exit status of doctor')
        if has_daemon:
            session.stop(session.daemon)
        said(session.log('cliphistd'))


def read_only(kind):
    with FaultSession(PROGRAMS) as session, Image(session, kind) as image:
        session.env['XDG_STATE_HOME'] = os.fspath(image.path)
        place = Place(session)
        place.works()
        run_tool('mount', '-o', 'remount,ro', image.path)
        place.refuses('Read-only file system')
        said = place.advised('doctor')
        true('a disk that can be written' in said and 'chown' not in said, said)
        daemon = session.start(PROGRAMS.cliphistd, name='read-only')
        session.started.remove(daemon)
        equal(daemon.wait(20), 1, 'exit status of the daemon')
        true('Read-only file system' in says_why(session.log('read-only')), 'it says why')
        run_tool('mount', '-o', 'remount,rw', image.path)
        place.works()
        session.start_daemon()
        place.check()
        session.stop(session.daemon)


def without_shared_memory():
    """A file system like NFS: no log, no files without a name."""
    rng = random.Random('fuse')
    load = Load(rng)
    with FaultSession(PROGRAMS) as session, mounted(session, 'fuse-direct') as mount:
        session.env['XDG_STATE_HOME'] = os.fspath(mount.path)
        for _ in range(MOMENTS):
            session.start_daemon()
            port = BusPort(session)
            if load.port:
                check(session, load, session.disk)
            load.run(port, rng.random())
            kill_below({'cliphistd'}, signal.SIGKILL)
            load.end()
            port.close()
            session.kill(session.daemon)
        session.start_daemon()
        check(session, load, session.disk)
        session.stop(session.daemon)
        true(load.account.n_acknowledged > MOMENTS, 'something was acknowledged')


if IS_ALL:
    enter_namespace()
    for _kind in ('tmpfs', 'ext4', 'xfs', 'btrfs'):
        fact(f'/room/{_kind}-is-full-below-the-daemon')(lambda kind=_kind:
                                                        on_file_system(kind, True))
    for _kind in ('tmpfs', 'ext4', 'xfs', 'btrfs'):
        fact(f'/room/{_kind}-is-full-for-commands')(lambda kind=_kind: on_file_system(kind, False))
    for _kind in ('tmpfs', 'ext4', 'xfs', 'btrfs'):
        for _who, _has_daemon in (('commands', False), ('the-daemon', True)):
            fact(f'/room/{_kind}-is-full-and-{_who}-give-room-back')(
                lambda kind=_kind, has_daemon=_has_daemon: gives_room(kind, has_daemon))
            fact(f'/room/{_kind}-is-full-and-the-oldest-go-for-{_who}')(
                lambda kind=_kind, has_daemon=_has_daemon: oldest_go(kind, has_daemon))
    fact('/room/tmpfs-is-full-and-the-history-too-small-to-give-way')(too_small_to_give_way)
    fact('/room/tmpfs-is-full-before-there-is-a-history')(full_before_it_begins)
    for _who, _has_daemon in (('commands', False), ('the-daemon', True)):
        fact(f'/room/a-btrfs-quota-is-reached-and-{_who}-go-on-when-there-is-room')(
            lambda has_daemon=_has_daemon: over_quota(has_daemon))
    for _kind in ('ext4', 'xfs', 'btrfs'):
        fact(f'/room/{_kind}-is-read-only')(lambda kind=_kind: read_only(kind))
    fact('/room/killed-where-no-memory-can-be-shared')(without_shared_memory)

main()
