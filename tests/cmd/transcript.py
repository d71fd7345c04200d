# SPDX-License-Identifier: LGPL-2.1-or-later
r"""Transcripts: what is typed, and what the command answers, to the byte.

    == the last flag wins
    $ cliphist -max-items 1 -max-items=2 version
    ! version\t1.0
    !...
    ! max-items\t2
    !...

A case begins with `==` and has a session of its own: fresh folders, no history. In it

    # …      is a comment
    $ …      is a line for sh; `cliphist` is the one that is tested, $TESTS the folder of this file
    > …      is the next line of standard output, `! …` of standard error
    >~ …     is one by its pattern (a regular expression, the whole line); `!~ …` likewise
    >| …     is one that ends without a line feed, as the last one of all
    >...     stands for any lines, also for none; `!...` likewise
    ? N      is the exit status, 0 where it is not said; N above 128 is death by signal N - 128

What is not expected must not come: no line `>` means no output. In lines that are to be equal,
\t \n \r \e \0 \\ and \xNN stand for their bytes.

    transcript.py [--plain] [--bus] BUILD FILE…

With --plain, root becomes nobody first.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'session'))
from session import BUS_NAME, Programs, Session, plain_user, scratch_parent, tied  # noqa: E402
from tap import fact, main  # noqa: E402

SECONDS = 60
ESCAPES = {b't': b'\t', b'n': b'\n', b'r': b'\r', b'e': b'\x1b', b'0': b'\0', b'\\': b'\\'}


class Wrong(Exception):
    """A transcript that did not come true; the message is the whole story."""
    plain = True


class Step:
    """One command and what is expected of it."""

    def __init__(self, number, command):
        self.number = number
        self.command = command
        self.expected = {'>': [], '!': []}
        self.status = 0


def unescape(text):
    def byte(match):
        code = match.group(1)
        return bytes([int(code[1:], 16)]) if code[:1] == b'x' else ESCAPES[code]
    return re.sub(rb'\\(x[0-9a-fA-F]{2}|[tnre0\\])', byte, text.encode())


def expectation(stream, line):
    """A pattern over bytes for one line of a transcript, with what that line says."""
    if line == f'{stream}...':
        return rb'(?:[^\n]*\n)*?', line
    if line.startswith(f'{stream}~ '):
        return rb'(?:' + line[3:].encode() + rb')\n', line
    if line.startswith(f'{stream}| '):
        return re.escape(unescape(line[3:])), line
    if line == stream or line.startswith(f'{stream} '):
        return re.escape(unescape(line[2:])) + rb'\n', line
    raise Wrong(f'what is this: {line}')


def read_cases(path):
    """(title, steps) of each case of a file"""
    cases = []
    for number, line in enumerate(pathlib.Path(path).read_text().splitlines(), 1):
        if line.startswith('== '):
            cases.append((line[3:], []))
        elif line.startswith('$ '):
            cases[-1][1].append(Step(number, line[2:]))
        elif line[:1] in ('>', '!'):
            cases[-1][1][-1].expected[line[0]].append(expectation(line[0], line))
        elif line.startswith('? '):
            cases[-1][1][-1].status = int(line[2:])
        elif line and not line.startswith('#'):
            raise Wrong(f'{path}:{number}: what is this: {line}')
    return cases


def check_stream(step, name, stream, got):
    pattern = b''.join(part for part, _ in step.expected[stream])
    if re.fullmatch(pattern, got):
        return
    shown = '\n'.join(line for _, line in step.expected[stream]) or '(nothing)'
    raise Wrong(f'line {step.number}: $ {step.command}\n{name}, expected:\n{shown}\n'
                f'{name}, got:\n{got[-4000:]!r}')


def run_step(session, step):
    done = subprocess.run(['/bin/sh', '-c', step.command], env=session.env, cwd=session.folder,
                          stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS,
                          preexec_fn=tied())
    status = 128 - done.returncode if done.returncode < 0 else done.returncode
    check_stream(step, 'standard error', '!', done.stderr)
    check_stream(step, 'standard output', '>', done.stdout)
    if status != step.status:
        raise Wrong(f'line {step.number}: $ {step.command}\n'
                    f'exit status {status}, expected {step.status}')


def run_case(programs, with_bus, steps):
    with Session('none', bus=with_bus, programs=programs) as session:
        path = [programs.cliphist.parent, programs.tools, session.env['PATH']]
        session.env['PATH'] = ':'.join(map(str, path))
        session.env['TESTS'] = str(pathlib.Path(__file__).resolve().parent)
        if with_bus:
            session.make_activatable(BUS_NAME, programs.cliphistd)
        for step in steps:
            run_step(session, step)


def register(programs, with_bus, path):
    stem = pathlib.Path(path).stem
    for title, steps in read_cases(path):
        def check(steps=steps):
            run_case(programs, with_bus, steps)
        fact(f'/{stem}/{title.replace(" ", "-")}')(check)


def run_plainly(words, build, files):
    """The same as nobody, who may not be able to look where the programs and we lie."""
    tests = pathlib.Path(__file__).resolve().parent.parent
    with tempfile.TemporaryDirectory(dir=scratch_parent()) as folder:
        os.chmod(folder, 0o755)
        for name in ('cmd', 'session'):
            shutil.copytree(tests / name, f'{folder}/tests/{name}')
        for name in ('client/cliphist', 'client/cliphist-session', 'daemon/cliphistd',
                     'client/cliphist-import-sentriz', 'tests/cmd/make-bolt'):
            pathlib.Path(folder, name).parent.mkdir(exist_ok=True)
            shutil.copy(pathlib.Path(build, name), f'{folder}/{name}')
        shutil.copytree(pathlib.Path(build, 'client/cliphist-import'),
                        f'{folder}/client/cliphist-import')
        done = subprocess.run(
            [*plain_user(), sys.executable, f'{folder}/tests/cmd/transcript.py', *words, folder,
             *(f'{folder}/tests/cmd/{pathlib.Path(path).name}' for path in files)],
            check=False, cwd='/')
    sys.exit(done.returncode)


def begin():
    words = sys.argv[1:]
    if words[0] == '--plain':
        words = words[1:]
        if os.geteuid() != 0:
            print('1..0 # SKIP who runs this is not root: without --plain it is the same')
            return
        options = [word for word in words if word == '--bus']
        build, *files = words[len(options):]
        run_plainly(options, build, files)
    with_bus = words[0] == '--bus'
    build, *files = words[1:] if with_bus else words
    for path in files:
        register(Programs(build), with_bus, path)
    sys.argv[1:] = os.environ.get('CLIP_TEST_FACTS', '').split()
    main()


begin()
