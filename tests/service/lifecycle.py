# SPDX-License-Identifier: LGPL-2.1-or-later
"""The life of the service under a real `systemd --user`: lifecycle.py BUILD [FACT...]

As root: the manager gets a mount namespace and a cgroup of its own.
"""
import contextlib
import json
import os
import pathlib
import shutil
import signal
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from usermanager import UNIT, Manager, enter  # noqa: E402

enter()

from clients import WlClipboard, file_digest, png, write_text  # noqa: E402
from session import BUS_NAME, Programs, until  # noqa: E402
from tap import equal, fact, main, true  # noqa: E402

BUILD = pathlib.Path(sys.argv.pop(1)).resolve()
PROGRAMS = Programs(BUILD)


class Desk:
    """A session under a manager, and somebody who copies there."""

    def __init__(self, session):
        self.session = session
        self.client = WlClipboard(session)

    def previews(self):
        """All of the list, newest first."""
        return [line.split('\t', 1)[1] for line in self.session.listed().decode().splitlines()]

    def copy(self, text):
        self.client.copy_bytes(text.encode())
        until(lambda: self.previews()[:1] == [text], f'{text!r} is the newest entry')

    def begin(self):
        pid = self.session.begin()
        self.session.wait_backend('wlr')
        return pid

    def status_of(self, pid, key):
        lines = pathlib.Path(f'/proc/{pid}/status').read_text().splitlines()
        return next(line.split(':')[1].strip() for line in lines if line.startswith(f'{key}:'))


@contextlib.contextmanager
def desk(display='wlr'):
    with Manager(display, PROGRAMS, BUILD) as session:
        yield Desk(session)


@fact('/service/a-session-starts-it-and-ends-it')
def session_starts_and_ends():
    with desk() as d:
        d.begin()
        d.copy('copied')
        d.session.systemctl('stop', 'graphical-session.target')
        until(lambda: d.session.value('ActiveState') == 'inactive', 'it ended with the session')
        equal(d.session.value('Result'), 'success', 'result')
        equal(d.previews(), ['copied'], 'list')
        d.begin()
        d.copy('copied in the next session')


@fact('/service/an-image-has-its-thumbnail')
def image_has_thumbnail():
    with desk() as d:
        d.begin()
        d.client.copy_bytes(png(), 'image/png')
        until(lambda: len(d.previews()) == 1, 'it is in the list')
        d.session.call(BUS_NAME, '/org/cliphist/History1', f'{BUS_NAME}.Thumbnail', '1', '{}')


@fact('/service/a-crash-restarts-it-and-loses-nothing')
def crash_restarts():
    with desk() as d:
        first = d.begin()
        d.copy('before')
        os.kill(first, signal.SIGKILL)
        until(lambda: d.session.is_active() and d.session.pid() != first, 'it was started again')
        d.session.wait_backend('wlr')
        equal(d.session.value('NRestarts'), '1', 'restarts')
        d.copy('after')
        equal(d.previews(), ['after', 'before'], 'list')


@fact('/service/a-reload-reads-what-nobody-noticed')
def reload_reads():
    with desk() as d:
        # that a folder on the way leads elsewhere is not watched
        folder = d.session.folder / 'config' / 'cliphist'
        for name, limit in (('before', '1MiB'), ('after', '8B')):
            (d.session.folder / name).mkdir()
            (d.session.folder / name / 'config').write_text(f'max-store-size {limit}\n')
        folder.symlink_to(d.session.folder / 'before')
        pid = d.begin()
        other = folder.with_name('other')
        other.symlink_to(d.session.folder / 'after')
        other.rename(folder)
        d.copy('a text of more than 8 bytes')
        d.session.systemctl('reload', UNIT)

        def is_obeyed(texts=iter(range(1000))):
            number = next(texts)
            d.client.copy_bytes(b'once more a longer text %d' % number)
            d.copy(f'text{number}')
            return not d.previews()[1].startswith('once more')
        until(is_obeyed, 'the limit is obeyed')
        equal(d.session.pid(), pid, 'process')


@fact('/service/the-first-call-starts-the-unit')
def first_call_starts():
    with desk('none') as d:
        equal(d.session.value('ActiveState'), 'inactive', 'state')
        d.session.cliphist('store', data=b'stored')
        true(d.session.is_active(), 'the unit runs')
        equal(d.previews(), ['stored'], 'list')


@fact('/service/an-upgrade-while-it-runs')
def upgrade_while_running():
    with desk() as d:
        first = d.begin()
        d.copy('before')
        d.session.cliphist('pause')
        fresh = d.session.daemon_path.with_name('fresh')
        shutil.copy2(PROGRAMS.cliphistd, fresh)
        fresh.rename(d.session.daemon_path)
        true(os.readlink(f'/proc/{first}/exe').endswith('(deleted)'), 'the old program is gone')
        d.session.systemctl('daemon-reload')
        # what is installed now speaks to the one that runs
        equal(d.session.cliphist('decode', '1').stdout, b'before', 'entry')
        d.session.cliphist('tag', '1', 'changed')
        equal(d.session.cliphist('list', '--tag', 'changed').stdout, b'1\tbefore\n', 'list')
        equal(d.session.pid(), first, 'process')
        d.session.systemctl('try-restart', UNIT)
        until(lambda: d.session.is_active() and d.session.pid() != first, 'the new one runs')
        equal(os.readlink(f'/proc/{d.session.pid()}/exe'), str(d.session.daemon_path), 'program')
        status = json.loads(d.session.cliphist('status', '--json').stdout)
        equal(status['daemon']['paused_until_us'], -1, 'paused')
        d.session.cliphist('resume')
        d.session.wait_backend('wlr')
        d.copy('after')
        equal(d.previews(), ['after', 'before'], 'list')


@fact('/service/one-that-replaces-it-ends-the-unit-well')
def replaced():
    with desk() as d:
        d.begin()
        other = d.session.start(d.session.daemon_path, '--replace', name='other')
        until(lambda: d.session.value('ActiveState') == 'inactive', 'the unit has ended')
        equal(d.session.value('Result'), 'success', 'result')
        equal(d.session.value('NRestarts'), '0', 'restarts')
        d.session.wait_backend('wlr')
        d.copy('kept by the other one')
        equal(d.session.stop(other), 0, 'exit status of the other one')
        until(lambda: not d.session.has_owner(BUS_NAME), 'the name is free')
        d.session.cliphist('store', data=b'kept by the unit again')
        true(d.session.is_active(), 'the unit runs')


@fact('/service/the-autostart-entry-starts-no-second-one')
def autostart_beside():
    with desk() as d:
        pid = d.begin()
        words = next(line for line in d.session.autostart.read_text().splitlines()
                     if line.startswith('Exec='))
        done = d.session.run(*words.removeprefix('Exec=').split())
        true(b'is running already' in done.stderr, done.stderr)
        equal(d.session.pid(), pid, 'process')
        d.copy('once')
        equal(d.previews(), ['once'], 'list')


@fact('/service/an-old-watcher-beside-it-makes-no-second-entry')
def old_watcher():
    with desk() as d:
        d.begin()
        log = d.session.folder / 'stored'
        d.session.start('wl-paste', '--watch', '/bin/sh', '-c',
                        f'"$1" store && echo stored >>{log}', 'sh', PROGRAMS.cliphist)
        texts = [f'copy {number}' for number in range(10)]
        for number, text in enumerate(texts, 1):
            d.copy(text)
            until(lambda number=number: log.exists() and
                  log.read_text().count('stored') >= number, 'the watcher has stored it, too')
        # and no second copy either: an id for each
        listed = d.session.cliphist('list').stdout.decode().splitlines()
        equal(listed, [f'{number}\t{text}' for number, text in enumerate(texts, 1)][::-1], 'list')


@fact('/service/what-it-may-not-do-does-not-hinder-it')
def hardened():
    with desk() as d:
        pid = d.begin()
        equal(d.status_of(pid, 'NoNewPrivs'), '1', 'NoNewPrivs')
        equal(d.status_of(pid, 'Seccomp'), '2', 'Seccomp')
        large = write_text(d.session.folder / 'large', 64)
        d.client.copy(large)
        number = until(lambda: d.session.listed().split(b'\t')[0].decode(), 'there is an entry')
        with open(d.session.folder / 'back', 'wb') as back:
            d.session.cliphist('decode', number, stdout=back)
        equal(file_digest(d.session.folder / 'back'), file_digest(large), 'digest')
        equal(d.client.paste()[0], file_digest(large), 'digest of a paste')
        d.copy('a needle in a haystack')
        found = d.session.cliphist('search', '--regex', 'n[e]{2}dle').stdout
        true(b'needle' in found, found)
        equal(d.session.cliphist('doctor').returncode, 0, 'doctor')
        equal(d.session.pid(), pid, 'process')


main()
