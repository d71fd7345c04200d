# SPDX-License-Identifier: LGPL-2.1-or-later
"""What nobody does by hand, on a real display: load.py sway|x11|gnome quick|long [FACT...]

Copies in quick succession, a clip that is replaced half way, and others that want the selection,
too: nothing is lost, nothing is left, nobody fights. `long` is what takes minutes.
"""
import contextlib
import json
import pathlib
import select
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'session'))
from clients import MIB, TEXT, WlClipboard, Xclip  # noqa: E402
from copiers import Copier, pace  # noqa: E402
from session import BUS_CONFIG, Programs, Session, cpu_seconds, listens, until  # noqa: E402
from tap import equal, fact, main, note, true  # noqa: E402

KIND, LENGTH = sys.argv.pop(1), sys.argv.pop(1)
BACKEND = {'sway': 'wlr', 'x11': 'x11', 'gnome': 'mutter'}[KIND]
PROGRAMS = Programs()
GIB = 1024 * MIB


def previews(session, env=None):
    """The whole list, the newest last."""
    done = session.cliphist('list', env=env, check=False)
    return [line.split('\t', 1)[1] for line in reversed(done.stdout.decode().split('\n')[:-1])]


def start_another(session):
    """A second daemon on the same display, with a bus and a history of its own; what its command
    needs to find it."""
    address, config = session.folder / 'run' / 'bus-2', session.folder / 'bus-2.conf'
    config.write_text(BUS_CONFIG.format(socket=address, services=session.folder / 'none'))
    bus = session.start('dbus-daemon', f'--config-file={config}', '--nofork', '--nopidfile',
                        '--nosyslog', name='bus-2')
    session.wait_for(bus, lambda: listens(address), 'the other bus is there')
    env = {'DBUS_SESSION_BUS_ADDRESS': f'unix:path={address}'}
    for key in ('XDG_STATE_HOME', 'XDG_CACHE_HOME'):
        env[key] = f'{session.env[key]}-2'
    session.start(PROGRAMS.cliphistd, name='cliphistd-2', env=env)
    # a newer sway has ext where an older one has wlr
    ours = backends(session, session.env)
    until(lambda: backends(session, env) == ours, 'the other daemon watches, too')
    return env


def backends(session, env):
    """What the daemon watches; nothing while there is none."""
    daemon = json.loads(session.cliphist('status', '--json', env=env).stdout)['daemon']
    return daemon['backends'] if daemon else []


class Desk:
    def __init__(self, session):
        self.session = session
        self.client = {'sway': WlClipboard, 'x11': Xclip, 'gnome': WlClipboard}[KIND](session)

    def previews(self):
        return previews(self.session)

    def wait_newest(self, preview, seconds=60):
        until(lambda: self.previews()[-1:] == [preview], f'{preview!r} is the newest entry', seconds)

    def id_of(self, preview):
        for line in self.session.listed().decode().split('\n'):
            number, _, words = line.partition('\t')
            if words == preview:
                return number
        raise AssertionError(f'{preview!r} is not in the list')

    def check_rests(self):
        """Nobody copies: two that take the clipboard from each other would be busy with it."""
        pid, end = self.session.daemon.pid, time.monotonic() + 1
        before = cpu_seconds(pid)
        while time.monotonic() < end:
            true(cpu_seconds(pid) < before + 0.2, 'the daemon is busy though nobody copies')
            select.select([], [], [], 0.05)

    def blobs(self):
        return [path for path in (self.session.folder / 'state').rglob('blobs/**/*')
                if path.is_file()]

    def nameless_files(self):
        """The files that the daemon holds open in the history and that have no name."""
        found = []
        for path in pathlib.Path(f'/proc/{self.session.daemon.pid}/fd').iterdir():
            with contextlib.suppress(OSError):
                name = str(path.readlink())
                if name.startswith(str(self.session.folder)) and name.endswith('(deleted)'):
                    found.append(name)
        return found


@contextlib.contextmanager
def desk(env=None):
    with Session(KIND, programs=PROGRAMS) as session:
        session.start_daemon(env=env)
        session.wait_backend(BACKEND)
        yield Desk(session)
        equal(session.stop(session.daemon), 0, 'exit status of the daemon')


def name(words):
    return f'/load/{KIND}/{words}'


def missing_of(d, count):
    """Those of so many copies that are not in the list; the others are in their order."""
    d.wait_newest(f'copy number {count}', 60)
    wanted = [f'copy number {number}' for number in range(1, count + 1)]
    listed = d.previews()
    equal(listed, [text for text in wanted if text in set(listed)], 'the order of the list')
    return [text for text in wanted if text not in set(listed)]


def copy_many(count, gap_us, *manner):
    """Those that are missing, and those that nobody has asked for while they were there."""
    with desk() as d:
        copies, copier = pace(d.session, count, gap_us, *manner)
        note(f'{count} copies in {copies[-1][1] - copies[0][1]:.2f} s')
        unasked = copier.unasked if copier else set()
        return missing_of(d, count), {f'copy number {number}' for number in unasked}


if LENGTH == 'quick' and KIND != 'gnome':
    @fact(name('a-thousand-copies-each-replaced-once-it-was-asked-for-are-all-in-the-list'))
    def thousand_asked_for():
        equal(copy_many(1000, 1000, 'asked'), ([], set()), 'missing copies')


if LENGTH == 'long':
    @fact(name('of-a-thousand-copies-5-ms-apart-each-that-was-asked-for-in-time-is-in-the-list'))
    def thousand_copies():
        """What is replaced cannot be asked for any more: how many of them are is the machine's, and a
        figure of the benchmark."""
        missing, unasked = copy_many(1000, 5000)
        note(f'{len(unasked)} were replaced before they were asked for')
        equal([text for text in missing if text not in unasked], [], 'missing copies')

    @fact(name('ten-copies-a-second-for-two-minutes-are-all-in-the-list'))
    def ten_a_second():
        equal(copy_many(1200, 100_000)[0], [], 'missing copies')


if KIND != 'gnome':
    def replaced_half_way(size):
        with desk() as d:
            copier = Copier(d.session, 'half-way', size, 'a word')
            copier.copies(1)
            d.wait_newest('a word')
            until(lambda: d.nameless_files() == [], 'nothing is on its way any more')
            equal(d.previews(), ['a word'], 'the list')
            equal(d.blobs(), [], 'blobs')

    if LENGTH == 'quick':
        @fact(name('a-large-clip-replaced-half-way-by-a-word-leaves-nothing'))
        def large_replaced():
            replaced_half_way(256 * MIB)
    else:
        @fact(name('3-gib-replaced-half-way-by-a-word-leave-nothing'))
        def giant_replaced():
            replaced_half_way(3 * GIB)


if LENGTH == 'quick' and KIND != 'gnome':
    @fact(name('a-manager-that-takes-over-every-copy-is-let-be'))
    def reowned():
        with desk() as d:
            other = Copier(d.session, 'reown')
            equal(other.line(), 'ready', 'the other manager')
            for text in ('first', 'second', 'third'):
                d.client.copy_bytes(text.encode())
                d.wait_newest(text)
                other.copies(1)
            # ours is taken over, too, and then it stays as it is
            d.session.cliphist('copy', d.id_of('first'))
            other.copies(1)
            d.client.copy_bytes(b'last')
            other.copies(1)
            d.wait_newest('last')
            equal(d.previews(), ['second', 'third', 'first', 'last'], 'the list')
            until(lambda: d.client.paste_bytes(TEXT) == b'last', 'the last copy is pasted')
            # a copy that its owner takes along before it was read is nobody's
            # (the entry has a new id once what took it over has been read)
            until(lambda: f'uint64 {d.id_of("last")}>' in d.session.get_property('Current'),
                  'what took it over has been read')
            other.end()
            until(lambda: d.client.paste_bytes(TEXT) == b'last', 'it is still there')
            d.check_rests()

    if KIND == 'sway':
        def lingering(*types):
            with desk() as d:
                descriptors = pathlib.Path(f'/proc/{d.session.daemon.pid}/fd')
                before = len(list(descriptors.iterdir()))
                other = Copier(d.session, 'linger', 500, *types)
                equal(other.line(), 'ready', 'five hundred of them')
                # 1,024 at most for the 256 that may come at once; 1,500 for all, and more
                until(lambda: len(list(descriptors.iterdir())) < before + 1100, 'most are given up')

                def copies_again():
                    d.client.copy_bytes(b'a copy')
                    return previews(d.session)[-1:] == ['a copy']

                # what follows a secret at once may be that secret
                until(copies_again, 'a copy is kept')
                other.end()

        fact(name('copies-that-never-end-are-few-at-a-time'))(lingering)

        @fact(name('secrets-that-never-end-are-few-at-a-time'))
        def lingering_secrets():
            lingering('text/html', 'application/x-nspasteboard-concealed')

    @fact(name('of-two-daemons-one-owns-what-is-left-and-the-other-lets-it'))
    def two_daemons():
        with desk() as d:
            beside = start_another(d.session)
            for number in range(5):
                text = f'left behind {number}'
                d.client.copy_bytes(text.encode())
                d.wait_newest(text)
                until(lambda text=text: previews(d.session, beside)[-1:] == [text], 'there, too')
                d.client.end_owners()
                until(lambda text=text: d.client.paste_bytes(TEXT) == text.encode(), 'it is pasted')
            wanted = [f'left behind {number}' for number in range(5)]
            equal(d.previews(), wanted, 'the list')
            equal(previews(d.session, beside), wanted, 'the other list')
            d.check_rests()


main()
