# SPDX-License-Identifier: LGPL-2.1-or-later
"""What another user puts where a history is to be written.

    exports.py BUILD
"""
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'session'))
from session import Programs, Session  # noqa: E402
from tap import Missing, equal, fact, main, true  # noqa: E402

PROGRAMS = Programs(sys.argv.pop(1))
ANOTHER_USER = 65534


def export_to(make, look):
    """make() puts something where the history is exported to, which is given away; look() looks
    there afterwards. Returns the exit status, and what is said."""
    if os.geteuid() != 0:
        raise Missing('only root gives a file to another user')
    with Session('none', programs=PROGRAMS) as session:
        session.cliphist('store', data=b'one')
        target = session.folder / 'history.tar'
        make(target)
        os.chown(target, ANOTHER_USER, ANOTHER_USER, follow_symlinks=False)
        seen = session.run(PROGRAMS.cliphist, 'export', target, check=False)
        look(target)
        return seen.returncode, seen.stderr.decode()


@fact('/attack/exports/no-pipe-of-another-user-gets-the-history')
def pipe():
    reader = []

    def make(path):
        os.mkfifo(path)
        reader.append(os.open(path, os.O_RDONLY | os.O_NONBLOCK))
    status, words = export_to(make, lambda path: equal(os.read(reader[0], 512), b'', 'is read'))
    equal(status, 1, 'exit status')
    true('pipe of another user (65534)' in words, words)
    os.close(reader[0])


@fact('/attack/exports/no-pipe-of-another-user-is-waited-for')
def pipe_without_reader():
    status, words = export_to(os.mkfifo, lambda path: true(path.is_fifo(), 'it stays'))
    equal(status, 1, 'exit status')
    true('pipe of another user (65534)' in words, words)


@fact('/attack/exports/no-link-of-another-user-chooses-the-file')
def link():
    def make(path):
        path.with_name('notes').write_text('notes')
        path.symlink_to(path.with_name('notes'))
    status, words = export_to(make, lambda path: equal(path.read_bytes(), b'notes', 'the file'))
    equal(status, 1, 'exit status')
    true('link of another user (65534)' in words, words)


main()
