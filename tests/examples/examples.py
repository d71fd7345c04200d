# SPDX-License-Identifier: LGPL-2.1-or-later
"""The programs in data/examples do what their first lines promise, against a real daemon that
watches a display.

    examples.py C-PROGRAM FOLDER
"""
import contextlib
import os
import pathlib
import re
import signal
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'session'))
from session import Programs, Session, need, tied, until  # noqa: E402
from tap import equal, fact, main, true  # noqa: E402

PROGRAM, FOLDER = (pathlib.Path(sys.argv.pop(1)).resolve() for _ in range(2))
PROGRAMS = Programs()
LANGUAGES = {
    'c': [PROGRAM],
    'python': ['/usr/bin/python3', FOLDER / 'history.py'],
    'javascript': ['gjs', '-m', FOLDER / 'history.js'],
    'shell': ['sh', FOLDER / 'history.sh'],
}
# more than a pipe holds
LARGE = bytes(range(256)) * 4096


@contextlib.contextmanager
def running():
    with Session('ext', programs=PROGRAMS) as session:
        # as if installed: the shell's "store" is the command
        session.env['PATH'] = f'{PROGRAMS.cliphist.parent}:{session.env["PATH"]}'
        for tool in ('gjs', 'gdbus', 'busctl'):
            need(tool)
        session.start_daemon()
        session.wait_backend('ext')
        yield session


def newest(session):
    line = session.listed().decode().partition('\n')[0]
    return line.partition('\t')[0]


def every_language(check):
    with running() as session:
        for name, argv in LANGUAGES.items():
            def run(*words, argv=argv, **options):
                return session.run(*argv, *words, **options).stdout
            try:
                check(session, name, run)
            except Exception as error:
                raise AssertionError(f'{name}: {error}') from error


@fact('/examples/list')
def lists():
    with running() as session:
        session.cliphist('store', data=b'a word')
        session.cliphist('store', data=b'tw\xc3\xb6 words')
        for name, argv in LANGUAGES.items():
            lines = session.run(*argv, 'list').stdout.decode().splitlines()
            equal([re.sub(r'\ttext\t\d+', '', line) for line in lines],
                  ['2\ttwö words', '1\ta word'], name)


@fact('/examples/store-and-read')
def store_and_read():
    def check(session, name, run):
        for data in (f'from {name}'.encode(), LARGE + name.encode()):
            said = run('store', data=data).decode().strip()
            equal(said, '' if name == 'shell' else newest(session), 'what store says')
            true(run('read', newest(session)) == data, 'read gives what was stored')
    every_language(check)


@fact('/examples/read-of-a-type')
def read_of_a_type():
    def check(session, name, run):
        session.cliphist('store', data=name.encode())
        equal(run('read', newest(session), 'text/plain;charset=utf-8'), name.encode(), 'content')
    every_language(check)


@fact('/examples/select')
def selects():
    def check(session, name, run):
        session.cliphist('store', data=f'for {name}'.encode())
        id = newest(session)
        session.cliphist('store', data=b'later')
        run('select', id)
        until(lambda: f'uint64 {id}>' in session.get_property('Current'),
              f'{name} has put the entry on the clipboard')
    every_language(check)


@fact('/examples/follow')
def follows():
    def check(session, name, run):
        del run
        follower = subprocess.Popen(
            [need(LANGUAGES[name][0]), *map(str, LANGUAGES[name][1:]), 'follow'],
            env=session.env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            preexec_fn=tied())
        try:
            wait_for_line(session, follower, 'following|owned by')
            session.cliphist('store', data=f'seen by {name}'.encode())
            true(newest(session) in wait_for_line(session, follower, 'EntryAdded'), 'the id')
        finally:
            follower.send_signal(signal.SIGTERM)
            follower.wait()
            follower.stdout.close()
    every_language(check)


def wait_for_line(session, process, pattern):
    while True:
        line = session.first_line(os.fdopen(os.dup(process.stdout.fileno()), 'rb', buffering=0),
                                  'follow')
        if re.search(pattern, line):
            return line


@fact('/examples/errors-have-a-name')
def errors():
    with running() as session:
        for name, argv in LANGUAGES.items():
            done = session.run(*argv, 'read', '77', check=False)
            equal((done.returncode, done.stdout), (1, b''), name)
            true(b'org.cliphist.History1.Error.NotFound' in done.stderr, f'{name} names it')


@fact('/examples/how-many-over-busctl')
def count():
    with running() as session:
        session.cliphist('store', data=b'a word')
        equal(session.run(*LANGUAGES['shell'], 'count').stdout, b't 1\n', 'count')


main()
