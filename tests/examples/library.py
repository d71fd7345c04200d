# SPDX-License-Identifier: LGPL-2.1-or-later
"""The programs in data/examples that use the library do what their first lines promise, against a
real daemon.

    library.py LIBRARY-FOLDER PRELOAD C-PROGRAM [VALA-PROGRAM]

PRELOAD is what the library needs in a program that is not built with it (a sanitizer), or nothing.
"""
import contextlib
import os
import pathlib
import re
import signal
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'session'))
from session import Programs, Session, need, tied  # noqa: E402
from tap import Missing, equal, fact, main, true  # noqa: E402

BUILT = pathlib.Path(sys.argv.pop(1)).resolve()
PRELOAD = sys.argv.pop(1)
COMPILED = [pathlib.Path(sys.argv.pop(1)).resolve() for _ in sys.argv[1:]]
FOLDER = pathlib.Path(__file__).resolve().parent.parent.parent / 'data' / 'examples'
PROGRAMS = Programs()
LANGUAGES = dict(zip(('c', 'vala'), ([program] for program in COMPILED)))
if (BUILT / 'Cliphist-1.typelib').exists():
    LANGUAGES |= {
        'python': ['/usr/bin/python3', FOLDER / 'library.py'],
        'javascript': ['gjs', '-m', FOLDER / 'library.js'],
    }
for missing in {'vala', 'python', 'javascript'} - set(LANGUAGES):
    def not_built(missing=missing):
        raise Missing(f'this build has no library for {missing}')
    fact(f'/examples/library-in-{missing}')(not_built)
# more than a pipe holds
LARGE = bytes(range(256)) * 8192


def environment(session, name):
    """As if installed."""
    env = {**session.env,'GI_TYPELIB_PATH': str(BUILT), 'LD_LIBRARY_PATH': str(BUILT)}
    if PRELOAD and name in ('python', 'javascript'):
        # what these leave at their end is theirs
        env |= {'LD_PRELOAD': PRELOAD, 'ASAN_OPTIONS': 'detect_leaks=0'}
    return env


@contextlib.contextmanager
def running():
    with Session(programs=PROGRAMS) as session:
        session.start_daemon()
        yield session


def every_language(check):
    with running() as session:
        for name, argv in LANGUAGES.items():
            def run(*words, name=name, argv=argv, check=True):
                return session.run(*argv, *words, env=environment(session, name), check=check)
            try:
                check(session, name, run)
            except Exception as error:
                raise AssertionError(f'{name}: {error}') from error


@fact('/examples/library-list')
def lists():
    def check(session, name, run):
        session.cliphist('wipe', '--all', '--yes')
        session.cliphist('store', data=b'a word')
        session.cliphist('store', data='twö words'.encode())
        lines = run('list').stdout.decode().splitlines()
        equal([re.sub(r'^\d+\t', '', line) for line in lines], ['text\ttwö words', 'text\ta word'],
              name)
        equal(len(run('list', 'WORDS').stdout.splitlines()), 1, 'found')
    every_language(check)


@fact('/examples/library-store-and-read')
def store_and_read():
    def check(session, name, run):
        id = run('store', f'from {name}').stdout.decode().strip()
        equal(run('read', id).stdout, f'from {name}'.encode(), 'content')
        session.cliphist('store', data=LARGE + name.encode())
        true(run('read', '0').stdout == LARGE + name.encode(), 'much of it')
        done = run('store', ' ')
        equal((done.stdout, done.stderr), (b'', b'not kept: blank\n'), 'blank')
    every_language(check)


@fact('/examples/library-follow')
def follows():
    def check(session, name, run):
        del run
        argv = LANGUAGES[name]
        follower = subprocess.Popen([need(argv[0]), *map(str, argv[1:]), 'follow'],
                                    env=environment(session, name), stdout=subprocess.PIPE,
                                    stderr=subprocess.DEVNULL, preexec_fn=tied())
        out = os.fdopen(os.dup(follower.stdout.fileno()), 'rb', buffering=0)
        try:
            first = int(session.first_line(out, 'follow'))
            session.cliphist('store', data=f'seen by {name}'.encode())
            equal(int(session.first_line(out, 'follow')), first + 1, 'entries')
        finally:
            follower.send_signal(signal.SIGTERM)
            follower.wait()
            follower.stdout.close()
            out.close()
    with running() as session:
        session.cliphist('store', data=b'the first')
        for name in LANGUAGES:
            check(session, name, None)


@fact('/examples/library-errors')
def errors():
    def check(_session, _name, run):
        done = run('read', '77', check=False)
        equal((done.returncode, done.stdout), (1, b''), 'exit status')
        true(b'77' in done.stderr and b'GDBus' not in done.stderr, done.stderr)
    every_language(check)


main()
