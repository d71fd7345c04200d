# SPDX-License-Identifier: LGPL-2.1-or-later
r"""What the command sends to a terminal: text, in lines that fit; and to a pipe the bytes.

    manners.py BUILD draws|draws-not
"""
import json
import os
import pathlib
import re
import struct
import subprocess
import sys
import unicodedata
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'session'))
from session import Programs, Session  # noqa: E402
from tap import equal, fact, main, true  # noqa: E402
from terminal import Terminal  # noqa: E402

PROGRAMS = Programs(sys.argv.pop(1))
DRAWS = sys.argv.pop(1) == 'draws'

# what terminals obey, and what turns the direction of writing
HOSTILE = ('\x1b[31m\x1b]0;title\x07\x9b31m\x08\x0d\x0b\x7f\x01\x0e'
           '\u202e\u2066\u200f\u061c').encode()
LARGE_TEXTS, LARGE_BYTES = 6, 4 << 20

# these may move nothing but the line
PLAIN = re.compile(r'[^\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]*')
MARKS = re.compile('\x1b\\[(1;7|0)m')


def run(session, *argv, columns=0, data=b'', check=True, **env):
    """What a verb writes to its terminal, words for standard error too."""
    with Terminal(columns) as screen:
        done = session.run(PROGRAMS.cliphist, *argv, data=data, check=check,
                           stdout=screen.slave, stderr=screen.slave,
                           env={'TERM': 'xterm', **env})
        # the terminal itself ends a line with both
        return screen.look().decode().replace('\r\n', '\n'), done.returncode


def store(session, *clips):
    for clip in clips:
        session.run(PROGRAMS.cliphist, 'store', data=clip)


def cells(text):
    """By the tables of Python, which are not ours."""
    return sum(0 if unicodedata.combining(c) else
               2 if unicodedata.east_asian_width(c) in 'WF' else 1 for c in text)


@fact('/manners/nothing-that-a-terminal-obeys')
def nothing_obeyed():
    with Session('none', bus=False, programs=PROGRAMS) as session:
        folder = session.folder / os.fsdecode(b'\x1b[31mfolder\x7f')
        folder.mkdir()
        path = str(folder / 'db')

        def own(*words):
            return ['-db-path', path, *words]
        for clip in (b'begin ' + HOSTILE + b' end', b'long ' * 30 + HOSTILE + b' end'):
            session.run(PROGRAMS.cliphist, *own('store'), data=clip)
        session.run(PROGRAMS.cliphist, *own('store'), data=b'file:///tmp/%1b[31m%c2%9b\r\n',
                    env={'CLIPBOARD_TYPE': 'text/uri-list'})
        session.run(PROGRAMS.cliphist, *own('tag', '1', os.fsdecode(HOSTILE)))
        calls = [['list'], ['list', '-0'], ['list', '--json'], ['search', 'end'],
                 ['search', '--json', 'end'], ['decode', '1'], ['paste'], ['paste', '1'],
                 ['join', '1', '2', '--separator', '\x1b[31m'], ['show', '1'], ['show', '3'],
                 ['show', '--json', '1'], ['types', '1'], ['status'], ['status', '--json'],
                 ['stats'], ['stats', '--json'], ['doctor'], ['doctor', '--json'], ['version'],
                 ['decode', os.fsdecode(HOSTILE)], ['search', '--regex', '(' + os.fsdecode(HOSTILE)],
                 ['show', os.fsdecode(HOSTILE)], ['list', '--limit', '\x1b[31m'],
                 ['search', '--tag', os.fsdecode(HOSTILE)], [os.fsdecode(HOSTILE)],
                 ['export', os.fsdecode(b'/no/\x1b[31m/such')], ['import', os.fsdecode(b'/no/\x1b')],
                 ['trim', '--dry-run'], ['copy', '1']]
        for words in calls:
            shown, _ = run(session, *own(*words), check=False)
            bad = PLAIN.sub('', MARKS.sub('', shown) if words[0] == 'search' else shown)
            equal(bad, '', f'{words} sends')
            true(shown, f'{words} says something')


@fact('/manners/in-a-pipe-it-is-the-bytes')
def bytes_in_a_pipe():
    with Session('none', bus=False, programs=PROGRAMS) as session:
        store(session, HOSTILE, '漢字'.encode() * 100)
        equal(session.run(PROGRAMS.cliphist, 'decode', '1').stdout, HOSTILE, 'decode')
        lines = session.run(PROGRAMS.cliphist, 'list').stdout.decode().split('\n')
        equal(lines[0], '2\t' + '漢字' * 50 + '…', 'a preview of 100 characters')
        true('\x1b[31m' in lines[1], 'as it was')


@fact('/manners/json-is-the-same-everywhere')
def same_json():
    with Session('none', bus=False, programs=PROGRAMS) as session:
        store(session, b'begin ' + HOSTILE)
        shown, _ = run(session, 'list', '--json', columns=40)
        piped = session.run(PROGRAMS.cliphist, 'list', '--json').stdout.decode()
        equal(shown, piped)
        true('\u202e' in json.loads(piped)['preview'], 'nothing is lost')


@fact('/manners/a-line-fits-the-terminal')
def lines_fit():
    texts = ['x' * 300, '漢字' * 100, 'e\u0301' * 150, 'a漢' * 100, '👍🏽 yes ' * 40,
             '한국어 ' * 60, '\x1b' * 200, 'short']
    with Session('none', bus=False, programs=PROGRAMS) as session:
        store(session, *(text.encode() for text in texts))
        for columns in (20, 31, 40, 80):
            shown, _ = run(session, 'list', columns=columns)
            lines = shown.splitlines()
            equal(len(lines), len(texts), 'lines')
            for line in lines:
                preview = line.partition('\t')[2]
                true(8 + cells(preview) <= columns, f'{line} fits {columns}')
                true(line.endswith('…') or 'short' in line, f'{line} was cut')
                true(8 + cells(preview) >= columns - 2 or 'short' in line or len(preview) > 100,
                     f'{line} fills {columns}')


@fact('/manners/no-mark-loses-its-character')
def marks_stay():
    with Session('none', bus=False, programs=PROGRAMS) as session:
        store(session, ('e\u0301' * 150).encode())
        shown, _ = run(session, 'list', columns=20)
        equal(shown, '1\t' + 'e\u0301' * 11 + '…\n')


@fact('/manners/a-width-that-was-asked-for-is-kept')
def width_kept():
    with Session('none', bus=False, programs=PROGRAMS) as session:
        store(session, b'x' * 300)
        for words, env in ((['-preview-width', '50'], {}), ([], {'CLIPHIST_PREVIEW_WIDTH': '50'})):
            shown, _ = run(session, *words, 'list', columns=20, **env)
            equal(shown, '1\t' + 'x' * 50 + '…\n')
        shown, _ = run(session, 'list', columns=0)
        equal(shown, '1\t' + 'x' * 100 + '…\n', 'where the terminal does not know its width')


def peak_bytes(session, *argv):
    """What a verb had in memory at most; freed memory is no part of it."""
    options = session.env.get('ASAN_OPTIONS', '') + ':quarantine_size_mb=1'
    with subprocess.Popen([PROGRAMS.cliphist, *argv], stdout=subprocess.DEVNULL,
                          env={**session.env, 'ASAN_OPTIONS': options}) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    equal(process.returncode, 0, f'exit status of {argv}')
    return usage.ru_maxrss * 1024


@fact('/manners/lines-of-large-texts-are-read-one-at-a-time')
def one_at_a_time():
    """However wide they are asked for: all of them together do not have to fit."""
    with Session('none', bus=False, programs=PROGRAMS) as session:
        for number in range(LARGE_TEXTS):
            store(session, b'%d ' % number + b'x' * LARGE_BYTES)
        narrow = peak_bytes(session, 'list')
        wide = peak_bytes(session, '-preview-width', str(2 * LARGE_BYTES), 'list')
        true(wide - narrow < LARGE_TEXTS * LARGE_BYTES // 2, f'{wide - narrow} bytes more')


@fact('/manners/a-match-stands-out-and-is-cut-with-its-line')
def marked():
    with Session('none', bus=False, programs=PROGRAMS) as session:
        store(session, b'x' * 100 + b' needle ' + b'y' * 100)
        shown, _ = run(session, 'search', 'needle', columns=40)
        true('\x1b[1;7mneedle\x1b[0m' in shown, shown)
        true(8 + cells(MARKS.sub('', shown).partition('\t')[2].strip()) <= 40, shown)
        shown, _ = run(session, 'search', 'y' * 90, columns=20)
        true(shown.endswith('\x1b[0m…\n'), f'{shown!r} ends what stands out')


@fact('/manners/no-color')
def no_color():
    with Session('none', bus=False, programs=PROGRAMS) as session:
        store(session, b'a needle')
        for env in ({'NO_COLOR': '1'}, {'TERM': 'dumb'}):
            equal(run(session, 'search', 'needle', **env)[0], '1\ta needle\n', str(env))
        equal(run(session, 'search', 'needle', NO_COLOR='')[0],
              '1\ta \x1b[1;7mneedle\x1b[0m\n', 'an empty one says nothing')
        equal(session.run(PROGRAMS.cliphist, 'search', 'needle').stdout, b'1\ta needle\n')


@fact('/manners/binary-data-only-by-force')
def binary():
    with Session('none', bus=False, programs=PROGRAMS) as session:
        store(session, b'a\0\x1b[31mb')
        for words in (['decode', '1'], ['paste'], ['join', '1', '1']):
            shown, status = run(session, *words, check=False)
            equal(status, 1, f'{words}: exit status')
            true(shown.startswith('not written: binary data') and shown.count('\n') == 1, shown)
            shown, status = run(session, *words, '--force')
            true(shown.startswith('a\0\x1b[31mb'), f'{words}: {shown!r}')


def picture():
    """A PNG of 64x64, red on the left and blue on the right."""
    def chunk(kind, data):
        return (struct.pack('>I', len(data)) + kind + data
                + struct.pack('>I', zlib.crc32(kind + data)))
    row = b'\0' + b'\xff\0\0' * 32 + b'\0\0\xff' * 32
    return (b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', 64, 64, 8, 2, 0, 0, 0))
            + chunk(b'IDAT', zlib.compress(row * 64)) + chunk(b'IEND', b''))


@fact('/manners/a-picture-is-drawn')
def drawn():
    with Session('none', bus=False, programs=PROGRAMS) as session:
        store(session, picture())
        session.cliphist('store', data=picture()[:8] + b'\xff' * 60,
                         env={'CLIPBOARD_TYPE': 'image/png'})
        piped = session.run(PROGRAMS.cliphist, 'show', '1').stdout.decode()
        true('png 64x64 ]]' in piped and '\x1b' not in piped, 'in a pipe it is its line')
        shown, _ = run(session, 'show', '1', columns=40, COLORTERM='truecolor')
        true(shown.startswith(piped), 'the same comes first')
        equal('\x1b[' in shown[len(piped):], DRAWS, 'and then, where it was built so, the picture')
        if DRAWS:
            true(re.search(r'\x1b\[[0-9;]*;2;2[0-9][0-9];[0-9];[0-9]', shown), f'red: {shown!r}')
            plain, _ = run(session, 'show', '1', columns=40, COLORTERM='truecolor', NO_COLOR='1')
            true(len(plain) > len(piped), 'without colours, too')
            equal(re.findall(r'\x1b\[[0-9;]*[34]8;', plain), [], 'colours')
        for pane in ('30x20', '0x0', '9999x7'):
            shown = session.run(PROGRAMS.cliphist, 'show', '1', '--pane', pane,
                                env={'TERM': 'xterm-kitty', 'KITTY_WINDOW_ID': '1'}).stdout.decode()
            true(shown.startswith(piped), f'{pane}: the same comes first')
            rows = MARKS.sub('', re.sub('\x1b\\[[0-9;]*m', '', shown[len(piped):])).splitlines()
            equal('\x1b[' in shown, DRAWS, 'and then, where it was built so, the picture')
            true('\x1b_G' not in shown, 'of characters, whatever the terminal could do')
            true(len(rows) < 11 or pane != '30x20', f'{pane}: {rows}')
            true(all(cells(row) <= int(pane.partition('x')[0]) or pane == '0x0' for row in rows), f'{pane}: {rows}')
        shown, _ = run(session, 'show', '2', columns=40)
        equal(shown.splitlines()[-1][:14], '[[ binary data', 'one that is none is its line')
        equal(MARKS.sub('', run(session, 'show', '1', '--json')[0]).count('\n'), 1, 'JSON')
        shown, _ = run(session, 'decode', '1', check=False)
        true(', and show draws it' in shown, shown)


main()
