# SPDX-License-Identifier: LGPL-2.1-or-later
"""What is copied is in the history and nowhere else: not in what the programs say at the highest
level, not in an error, not in the arguments of a process, not in a dump of the daemon's memory.
"""
import contextlib
import os
import pathlib
import resource
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'session'))
from clients import TEXT, TextField, Xclip  # noqa: E402
from session import Programs, Session, descendants, until  # noqa: E402
from tap import equal, fact, main, true  # noqa: E402

PROGRAMS = Programs()
CANARY = 'canary-5f2b9e71'
LOUD = {'G_MESSAGES_DEBUG': 'all', 'CLIPHIST_IGNORE_PATTERN': f'{CANARY}-unwanted'}


class Cage:
    def __init__(self, session):
        self.session = session
        self.x11 = Xclip(session)
        self.said = b''

    def cliphist(self, *args, **options):
        """Runs the command and keeps what it says on standard error; returns its output."""
        done = self.session.cliphist(*args, env=LOUD, check=False, **options)
        self.said += done.stderr
        return done.stdout

    def newest(self):
        lines = self.session.listed().decode().split('\n')
        return lines[0].partition('\t')

    def wait_newest(self, preview):
        until(lambda: self.newest()[2] == preview, f'{preview!r} is the newest entry')
        return self.newest()[0]


@contextlib.contextmanager
def cage():
    with Session('x11', programs=PROGRAMS) as session:
        session.start_daemon(env=LOUD)
        session.wait_backend('x11')
        yield Cage(session)
        equal(session.stop(session.daemon), 0, 'exit status of the daemon')


def capture(c):
    c.x11.copy_bytes(f'{CANARY} copied'.encode())
    c.wait_newest(f'{CANARY} copied')
    field = TextField(c.session)
    field.offer({'UTF8_STRING': f'{CANARY} rich', 'text/html': f'<b>{CANARY}</b>'})
    c.wait_newest(f'{CANARY} rich')
    field.offer({'UTF8_STRING': f'{CANARY} secret', 'x-kde-passwordManagerHint': 'secret'})
    until(lambda: 'x-kde-passwordManagerHint' in c.x11.types(), 'the secret is offered')
    c.x11.copy_bytes(f'{CANARY}-unwanted'.encode())
    c.x11.copy_bytes(f'{CANARY} ' .encode() * 40000)  # an INCR
    until(lambda: c.newest()[2].startswith(f'{CANARY} {CANARY}'), 'the long one is there')


def use(c):
    # for two seconds after a secret nothing is stored
    def is_stored():
        c.cliphist('store', data=f'{CANARY} stored'.encode())
        return c.newest()[2] == f'{CANARY} stored'
    until(is_stored, 'it is stored')
    number = c.newest()[0]
    for words in (('list',), ('search', CANARY), ('search', '--regex', f'{CANARY}.*'),
                  ('decode', number), ('show', number), ('paste', number), ('types', number),
                  ('pin', number), ('tag', number, 'word'), ('join', number), ('copy', number),
                  ('copy', '--plain', number), ('list', '--json'), ('status',), ('stats',),
                  ('doctor',), ('search', '--regex', f'({CANARY}'), ('paste', '--type',
                                                                      'image/png', number)):
        c.cliphist(*words)
    until(lambda: c.x11.paste_bytes(TEXT) == f'{CANARY} stored'.encode(), 'it is pasted')
    return number


def move(c, number):
    archive = c.cliphist('export')
    true(CANARY.encode() in archive, 'the archive holds it')
    c.cliphist('remove', number)
    c.cliphist('delete-query', CANARY)
    c.cliphist('import', data=archive)
    c.cliphist('import', data=archive[:len(archive) // 2])
    c.cliphist('delete', data=b'not an id\t' + CANARY.encode())
    c.cliphist('wipe', '--all')


def check_processes():
    """Nobody has it among its arguments, or in its environment."""
    for pid in descendants(os.getpid()):
        with contextlib.suppress(OSError):
            for name in ('cmdline', 'environ'):
                words = pathlib.Path(f'/proc/{pid}/{name}').read_bytes()
                words = words.replace(LOUD['CLIPHIST_IGNORE_PATTERN'].encode(), b'')
                true(CANARY.encode() not in words, f'it is in {name} of {pid}')


@fact('/canary/not-in-what-anybody-says')
def not_said():
    with cage() as c:
        capture(c)
        number = use(c)
        check_processes()
        move(c, number)
        true('DEBUG' in c.session.log('cliphistd'), 'the daemon says everything')
        for path in sorted((c.session.folder / 'log').iterdir()):
            true(CANARY not in path.read_text(errors='replace'), f'it is in {path.name}')
        # an expression that is wrong is the caller's own words
        lines = [line for line in c.said.split(b'\n') if CANARY.encode() in line]
        equal([line for line in lines if b'(' + CANARY.encode() not in line], [], 'the words')


@fact('/canary/not-in-a-dump-of-memory')
def no_dump():
    with cage() as c:
        pid = c.session.daemon.pid
        equal(resource.prlimit(pid, resource.RLIMIT_CORE), (0, 0), 'the limit of core dumps')
        shown = pathlib.Path(f'/proc/{pid}/coredump_filter').read_text().strip()
        equal(int(shown, 16), 0, 'what a dump would hold')


@fact('/canary/gone-from-the-disk-once-it-is-wiped')
def gone_from_disk():
    with cage() as c:
        capture(c)
        c.cliphist('wipe', '--all')
        def is_gone():
            state = c.session.folder / 'state'
            return not any(CANARY.encode() in path.read_bytes()
                           for path in state.rglob('*') if path.is_file())
        until(is_gone, 'it is in no file of the history')


main()
