# SPDX-License-Identifier: LGPL-2.1-or-later
"""Every verb with words and lines that nobody means: it says in a line what is wrong, or does
what the words say; and what is refused has changed nothing.

    badinput.py BUILD [SEED [ROUNDS]]
"""
import contextlib
import fcntl
import os
import pathlib
import random
import re
import struct
import subprocess
import sys
import termios

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'session'))
from session import Programs, Session, tied, until  # noqa: E402
from tap import equal, fact, main, note, true  # noqa: E402

PROGRAMS = Programs(sys.argv.pop(1))
SEED = int(sys.argv.pop(1)) if len(sys.argv) > 1 else 1
ROUNDS = int(sys.argv.pop(1)) if len(sys.argv) > 1 else 2

LONG = b'9' * (100 << 10)
WORDS = [
    b'', b'0', b'-1', b'+1', b'01', b'1 ', b'\t1', b'1\t', b'0x1', b'1e3', b'1.5', b'\xd9\xa1',
    b'9223372036854775807', b'9223372036854775808', b'-9223372036854775809',
    b'18446744073709551616', b'1' * 400, LONG, b'a' * (100 << 10), b'\xff' * (100 << 10),
    b'\xff\xfe', b'\xed\xa0\x80', b'\xf4\x90\x80\x80', b'\xc0\x80', b'\x1b[31m\x1b]0;x\x07',
    b'\xe2\x80\xae', b'%s%n%d', b'-', b'--', b'---', b'--=', b'--json=', b'--json=x', b'--limit',
    b'--limit=', b'--limit=-1', b'--limit=99999999999999999999', b'--before=x', b'--since=',
    b'--since=9999999999y', b'--since=99999-99-99', b'--regex=(', b'--regex=(?R)', b'--class=x',
    b'--tag=', b'--type=', b'--type=\xff', b'--separator=\\x', b'-0', b'-00', b'-\xff',
    b'--pane=', b'--pane=0x0', b'--pane=99999x1', b'--pane=8\xd9\xa1x2', b'--with=x', b'--with-icons=x',
    b'--with-icons=rofi', b'--from=', b'--from=clipse', b'--from=sentriz', b'--key=x', b'--plain',
    b'--print', b'--force', b'--dry-run', b'--pinned', b'--all', b'--null', b'--no-such', b'--help=', b'10m', b'never', b'nevermore', b'1h1h', b'1y999999999999999y',
    b'/no/such/folder/file', b'.', b'/', b'/dev/null', b'"', b"'", b'\\', b'\n', b'\r\n', b'1', b'2',
]
LINES = [
    b'', b'\n', b'\0', b'1\0', b'\0' * 5000, b'1', b'1\n', b'1\t\n', b'\t1\n', b'1\n\n', b'2\nx\n',
    b'99999999999999999999\n', b'-1\n', b'1' * (1 << 20), b'1\t' + b'x' * (1 << 20) + b'\n',
    b'\xff' * (1 << 20), b'\n' * 3000, b'\x1b[31m\n', b'1\r\n2\r\n', b'[[ binary data ]]\n',
    b'cliphist-export' + b'\0' * 1009, b'{"cliphist-export":1}\n',
]
# it follows the daemon until it is killed: what it is given has to be refused
ENDLESS = {b'watch'}
# what these have done is not looked at
READING = {b'decode', b'doctor', b'help', b'join', b'list', b'paste', b'search', b'show', b'stats',
           b'status', b'types', b'version'}
# what comes on standard input is an entry before there is found to be no display
KEEPS_FIRST = {b'copy'}
# a line that is empty is a picker that was cancelled: who did that needs no words about it
CHOOSING = {b'copy', b'insert'}
KEPT = [b'one', b'two \x1b[31m', b'three\xff']


def verbs(session):
    text = session.run(PROGRAMS.cliphist, 'help').stdout
    return re.findall(rb'^  ([a-z-]+)', text.split(b'\n\n')[1], re.M)


def history(session):
    return session.run(PROGRAMS.cliphist, 'list', '--json').stdout


def fill(session):
    for clip in KEPT:
        session.run(PROGRAMS.cliphist, 'store', data=clip)
    return history(session)


def random_line(dice):
    return bytes(dice.choice(b'0123456789\t\n\0\xff -x') for _ in range(dice.randrange(40)))


def calls(dice, verb, rounds):
    """What every verb gets, and what the dice say."""
    for word in (LONG, b'\xff\xfe', b'18446744073709551616'):
        more = {b'tag': [b'x'], b'expire': [b'1h'], b'watch': [b'--no-such']}.get(verb, [])
        yield [word, *more], b'1\n'
    # the kernel takes 128 KiB for one word, and more of them
    yield [LONG] * 11 + [b'--no-such'] * (verb in ENDLESS), b'\0' * (1 << 20)
    for _ in range(rounds):
        yield make_call(dice, verb)


def make_call(dice, verb):
    words = [dice.choice(WORDS) for _ in range(dice.choice([0, 1, 1, 1, 2, 3]))]
    if verb in ENDLESS:
        words.append(b'--no-such')
    return words, random_line(dice) if dice.random() < 0.3 else dice.choice(LINES)


def shown(verb, words, data):
    cut = [word[:40] + b'...' * (len(word) > 40) for word in words]
    return f'{verb} {cut} < {data[:60]!r}, {len(data)} bytes'


def is_cancelled(verb, data):
    return verb in CHOOSING and not data.split(b'\n')[0].split(b'\0')[0].strip()


def check(done, what, cancelled):
    """A status that is documented, and a line that says why; a misuse has one more, on help."""
    true(done.returncode in (0, 1, 2), f'{what}: exit status {done.returncode}: '
         f'{done.stderr[-3000:].decode(errors="replace")}')
    lines = done.stderr.split(b'\n')[:-1]
    if done.args[1] == b'window' and lines and lines[0].endswith(b': a picker takes its place'):
        lines = lines[1:]  # what the picker says follows
    if done.returncode == 0:
        return
    true(b'Sanitizer' not in done.stderr and b'runtime error' not in done.stderr,
         f'{what}: {done.stderr[-3000:]}')
    if not lines and cancelled:
        return
    true(lines and lines[0], f'{what}: it says why')
    usual = lines[1:] == [b'see cliphist %s --help' % done.args[1]]
    true(len(lines) == 1 or usual, f'{what}: {lines}')
    done.stderr.decode('utf-8')


def attempt(session, verb, words, data, before):
    what = shown(verb.decode(), words, data)
    done = session.run(PROGRAMS.cliphist, *map(os.fsdecode, [verb, *words]), data=data,
                       check=False, env={'EDITOR': 'true'})
    done.args = [b'', verb]
    check(done, what, is_cancelled(verb, data))
    if verb in READING and done.returncode == 0:
        return before
    after = history(session)
    if done.returncode != 0 and verb not in KEEPS_FIRST:
        true(after == before, f'{what}: was refused, and has changed the history')
    return after


def run_all(dice, rounds):
    with Session('none', bus=True, programs=PROGRAMS) as session:
        session.start_daemon()
        before = fill(session)
        made = 0
        for verb in verbs(session):
            for words, data in calls(dice, verb, rounds):
                made += 1
                before = attempt(session, verb, words, data, before)
                if before.count(b'\n') < len(KEPT):
                    session.run(PROGRAMS.cliphist, 'resume')
                    before = fill(session)
        true(session.daemon.poll() is None, 'the daemon lives')
        note(f'{made} calls with seed {SEED}')


@fact('/bad-input/is-refused-or-done')
def refused_or_done():
    run_all(random.Random(SEED), ROUNDS)


def is_empty(pipe):
    return not struct.unpack('i', fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)))[0]


def waits(process):
    """Whether it has ended, or waits for something."""
    state = pathlib.Path(f'/proc/{process.pid}/stat').read_text().rpartition(') ')[2][0]
    return state in 'SZ'


@fact('/bad-input/half-a-line-is-no-id')
def half_a_line():
    """Of a pipe that does not wait, as its other end has set it."""
    with Session('none', bus=False, programs=PROGRAMS) as session:
        for n in range(1, 13):
            session.run(PROGRAMS.cliphist, 'store', data=b'entry %d' % n)
        for words, answer in ((['decode'], b'entry 12'), (['join'], b'entry 12'), (['show', '-'], b'entry 12'),
                              (['remove', '-'], b''), (['delete'], b'')):
            reader, writer = os.pipe()
            os.set_blocking(reader, False)
            call = subprocess.Popen([PROGRAMS.cliphist, *words], stdin=reader, stdout=subprocess.PIPE,
                                    stderr=subprocess.PIPE, env=session.env, preexec_fn=tied())
            os.write(writer, b'1')
            until(lambda reader=reader, call=call: is_empty(reader) and waits(call), f'{words}: half a line')
            with contextlib.suppress(BrokenPipeError):
                os.write(writer, b'1\n' if words == ['delete'] else b'2\n')
            os.close(writer)
            os.close(reader)
            out, said = call.communicate(timeout=60)
            equal((call.returncode, said), (0, b''), f'{words}: exit status, words')
            true(answer in out, f'{words}: {out}')
        lines = session.run(PROGRAMS.cliphist, 'list').stdout.split(b'\n')
        equal([line.partition(b'\t')[0] for line in lines if line], [b'%d' % n for n in range(10, 0, -1)], 'entries')


@fact('/bad-input/a-verb-that-is-none')
def no_verb():
    with Session('none', bus=False, programs=PROGRAMS) as session:
        for word in (b'', b'-', b'\xff\xfe', b'a' * (100 << 10), b'\x1b[31m', b'list ', b'LIST'):
            done = session.run(PROGRAMS.cliphist, os.fsdecode(word), check=False)
            true(done.returncode in (1, 2), f'{word[:20]}: {done.returncode}')
            done.stderr.decode('utf-8')


main()
