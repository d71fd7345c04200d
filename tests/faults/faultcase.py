# SPDX-License-Identifier: LGPL-2.1-or-later
"""What the test programs of faults share: where the programs and the disk are, what may be said."""
import contextlib
import os
import pathlib

from examine import Disk
from session import Broken, Session, descendants
from tap import true

# what no fault excuses
BUGS = ('AddressSanitizer', 'LeakSanitizer', 'runtime error', 'CRITICAL', 'assertion')


class FaultSession(Session):
    """A session, mostly without a display, whose history can be examined. Nothing is deleted there to leave
    others room: what is missing was lost."""

    def __init__(self, programs, bus=True, display='none'):
        super().__init__(display, bus=bus, programs=programs)

    def _make_environment(self):
        super()._make_environment()
        config = self.folder / 'config' / 'cliphist' / 'config'
        config.parent.mkdir()
        config.write_text('min-free-space 0\n')

    @property
    def history(self):
        return pathlib.Path(self.env['XDG_STATE_HOME']) / 'cliphist'

    @property
    def disk(self):
        return Disk(self.history)


# of a program's name the kernel keeps so many bytes
COMM_BYTES = 15


def kill_below(names, number):
    """Sends a signal to what runs below us by one of these names, once to each."""
    short, signalled = {name[:COMM_BYTES] for name in names}, set()
    while True:
        # whoever was not stopped yet may have started another meanwhile
        found = [pid for pid in descendants(os.getpid())
                 if pid not in signalled and _is_called(pid, short)]
        if not found:
            return
        for pid in found:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)
        signalled.update(found)


def _is_called(pid, names):
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        return pathlib.Path(f'/proc/{pid}/comm').read_text().strip() in names
    return False


def said(words):
    """The lines that a command has said, with none of a daemon's own; bugs are failures."""
    for bug in BUGS:
        true(bug not in words, words)
    return [line for line in words.splitlines() if not _is_log(line)]


def _is_log(line):
    """GLib's lines: cliphistd-Message: 12:00:00.000: words, or after (process:1): """
    return '-WARNING **' in line or '-Message: ' in line or line == ''


def says_why(words):
    """A failure says in one line what could not be done, and why."""
    lines = said(words)
    if len(lines) != 1 or ': ' not in lines[0]:
        raise Broken(f'not one line of what, which and why: {lines}')
    return lines[0]


def faulty_env(session, library, fault, **more):
    """The environment of a program that runs on a disk with a fault (faulty.c)."""
    options = session.env.get('ASAN_OPTIONS', '')
    return {'LD_PRELOAD': os.fspath(library), 'CLIP_FAULT': fault,
            'ASAN_OPTIONS': f'{options}:verify_asan_link_order=0', **more}
