# SPDX-License-Identifier: LGPL-2.1-or-later
"""Everything that is done with a word that is not to be seen anywhere but in the history."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'session'))
from clients import TEXT, TextField, Xclip  # noqa: E402
from session import until  # noqa: E402
from tap import true  # noqa: E402

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


def capture(c):
    c.x11.copy_bytes(f'{CANARY} copied'.encode())
    c.wait_newest(f'{CANARY} copied')
    field = TextField(c.session)
    field.offer({'UTF8_STRING': f'{CANARY} rich', 'text/html': f'<b>{CANARY}</b>'})
    c.wait_newest(f'{CANARY} rich')
    field.offer({'UTF8_STRING': f'{CANARY} secret', 'x-kde-passwordManagerHint': 'secret'})
    # a text that comes before it was read is taken for it
    until(lambda: 'copy dropped: sensitive' in c.session.log('cliphistd'), 'the secret is known')
    c.x11.copy_bytes(f'{CANARY}-unwanted'.encode())
    # an xclip owns the clipboard a moment after it has ended: the next one might come first
    until(lambda: 'copy dropped: pattern' in c.session.log('cliphistd'), 'it is not wanted')
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


def said_of_it(c):
    """The lines of the programs that have it, but for what is the caller's own: an expression that
    is wrong."""
    return [line for line in c.said.split(b'\n')
            if CANARY.encode() in line and b'(' + CANARY.encode() not in line]


def check_logs(c):
    for path in sorted((c.session.folder / 'log').iterdir()):
        true(CANARY not in path.read_text(errors='replace'), f'it is in {path.name}')
