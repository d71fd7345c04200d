# SPDX-License-Identifier: LGPL-2.1-or-later
"""The progress bar, on terminals of our own. The other end of each transfer is played here: it
moves a little, waits until the bar is there, and goes on.

    progress.py BUILD
"""
import contextlib
import fcntl
import os
import pathlib
import signal
import subprocess
import sys
import termios
import time
import tty

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'session'))
from session import Programs, Session, descendants, tied, until  # noqa: E402
from tap import equal, fact, main, true  # noqa: E402
from terminal import Terminal  # noqa: E402

PROGRAMS = Programs(sys.argv.pop(1))
ERASE = b'\r\x1b[K'
BIG = b'a line of text\n' * 200_000  # more than a pipe holds, however much it is enlarged


class Screen(Terminal):
    """One on which a bar is drawn."""

    def lines(self):
        """Each line that was drawn, the last one first."""
        return [line.removesuffix(b'\x1b[K') for line in reversed(self.look().split(b'\r'))]

    def wait_for_bar(self):
        until(lambda: b'/s' in self.lines()[0], 'the bar is there')

    def has_bar(self):
        return b'/s' in self.look()

    def left(self):
        """What is on the screen when everything was erased that is to be."""
        return self.look().split(ERASE)[-1]


def start(session, screen, *argv, program=(PROGRAMS.cliphist,), **options):
    """A verb whose terminal is this one, unless the options say otherwise."""
    tie = tied()

    def own_terminal():
        tie()
        os.setsid()
        fcntl.ioctl(screen.slave, termios.TIOCSCTTY, 0)
    options = {'stdin': subprocess.DEVNULL, 'stdout': subprocess.PIPE, 'stderr': screen.slave,
               **options}
    return subprocess.Popen([*program, *argv], env=session.env, cwd=session.folder,
                            preexec_fn=own_terminal, pass_fds=[screen.slave], **options)


def running(group):
    """The processes of a group that go on."""
    found = []
    for pid in descendants(os.getpid()):
        with contextlib.suppress(ProcessLookupError):
            found += [pid] if os.getpgid(pid) == group else []
    return found


@contextlib.contextmanager
def history(bus=False):
    """A session whose newest entry is BIG."""
    with Session('none', bus=bus, programs=PROGRAMS) as session:
        if bus:
            session.start_daemon()
        session.run(PROGRAMS.cliphist, 'store', data=BIG)
        yield session


def finish(process, wanted=BIG):
    equal(process.stdout.read() == wanted, True, 'what came is what was stored')
    equal(process.wait(60), 0, 'exit status')


def let_a_bar_come(session):
    """Another call, begun now, has shown its bar: whatever began before had the time to."""
    with Screen() as screen:
        process = start(session, screen, 'decode', '1')
        screen.wait_for_bar()
        finish(process)


@fact('/progress/decode-shows-a-bar-and-erases-it')
def decode_shows():
    with history() as session, Screen() as screen:
        begun = time.monotonic()
        process = start(session, screen, 'decode', '1')
        screen.wait_for_bar()
        true(time.monotonic() - begun >= 1, 'not before a second has passed')
        line = screen.lines()[0]
        true(b' of 2.9 MiB' in line and b'[#' in line and b'%' in line, line)
        finish(process)
        equal(screen.left(), b'', 'left on the screen')


@fact('/progress/paste-and-join-show-a-bar')
def others_show():
    with history() as session:
        for argv, wanted in ((['paste'], BIG), (['join', '1', '1', '--separator', ','],
                                                BIG + b',' + BIG)):
            with Screen() as screen:
                process = start(session, screen, *argv)
                screen.wait_for_bar()
                true(b'%' in screen.lines()[0], 'the total is known')
                finish(process, wanted)
                equal(screen.left(), b'', 'left on the screen')


@fact('/progress/a-join-of-many-words-counts-them-all')
def join_counts():
    with history() as session, Screen() as screen:
        session.run(PROGRAMS.cliphist, 'store', data=b'x' * 60_000)
        process = start(session, screen, 'join', *['2'] * 40)
        screen.wait_for_bar()
        true(b' of 2.3 MiB' in screen.lines()[0], screen.lines()[0])
        finish(process, b'x' * 60_000 * 40)


def feed(process, screen):
    """Writes what is to be stored, the second half when the bar is there."""
    process.stdin.write(BIG[:1_000_000])
    process.stdin.flush()
    screen.wait_for_bar()
    line = screen.lines()[0]
    true(line.startswith(b'976.6 KiB  ') and b'%' not in line, line)
    process.stdin.write(BIG[1_000_000:])
    process.stdin.close()


@fact('/progress/store-shows-a-bar-and-erases-it')
def store_shows():
    for bus in (True, False):
        with Session('none', bus=bus, programs=PROGRAMS) as session, Screen() as screen:
            if bus:
                session.start_daemon()
            process = start(session, screen, 'store', stdin=subprocess.PIPE)
            feed(process, screen)
            equal(process.wait(60), 0, 'exit status')
            equal(screen.left(), b'', 'left on the screen')
            finish(start(session, screen, 'decode', '1'))


@fact('/progress/an-import-from-a-pipe-shows-a-bar-without-a-total')
def import_shows():
    with history(bus=True) as session:
        archive = session.run(PROGRAMS.cliphist, 'export').stdout
        clipse = b'{"clipboardHistory":[{"filePath":"null","value":"%s"}]}' % BIG.replace(b'\n', b' ')
        for data, words in ((archive, []), (clipse, ['--from', 'clipse'])):
            session.run(PROGRAMS.cliphist, 'wipe')
            with Screen() as screen:
                process = start(session, screen, 'import', *words, stdin=subprocess.PIPE)
                process.stdin.write(data[:1_000_000])
                process.stdin.flush()
                screen.wait_for_bar()
                true(b'%' not in screen.lines()[0], screen.lines()[0])
                process.stdin.write(data[1_000_000:])
                process.stdin.close()
                equal(process.wait(60), 0, 'exit status')
                true(screen.left().endswith(b'1 entry was added\r\n'), screen.left())


@fact('/progress/what-is-said-comes-after-the-bar')
def said_after():
    # there is no display that it could be put on
    with Session('none', bus=False, programs=PROGRAMS) as session, Screen() as screen:
        process = start(session, screen, 'copy', stdin=subprocess.PIPE)
        feed(process, screen)
        equal(process.wait(60), 1, 'exit status')
        true(screen.left().strip() and b'/s' not in screen.left(), screen.left())
        equal(screen.left().count(b'\n'), 1, 'lines')


@fact('/progress/what-is-short-shows-nothing')
def short_shows_nothing():
    with history() as session, Screen() as screen:
        with open(os.devnull, 'wb') as null:
            equal(start(session, screen, 'decode', '1', stdout=null).wait(60), 0)
            equal(start(session, screen, 'store', stdout=null).wait(60), 0)
        equal(screen.look(), b'', 'the screen')


@fact('/progress/no-bar-into-a-file')
def no_bar_into_a_file():
    with history() as session, Screen() as screen:
        path = session.folder / 'words'
        with open(path, 'wb') as words:
            process = start(session, screen, 'decode', '1', stderr=words)
            let_a_bar_come(session)
        finish(process)
        equal(path.read_bytes(), b'', 'what is in the file')
        equal(screen.look(), b'', 'the screen')


@fact('/progress/no-bar-among-what-is-printed')
def no_bar_among_output():
    with history() as session, Screen() as screen:
        process = start(session, screen, 'decode', '1', '--force', stdout=screen.slave)
        let_a_bar_come(session)
        until(lambda: len(screen.look()) >= len(BIG.replace(b'\n', b'\r\n')), 'all is printed')
        equal(process.wait(60), 0, 'exit status')
        true(screen.look() == BIG.replace(b'\n', b'\r\n'), 'and nothing else')


@fact('/progress/no-bar-on-the-screen-of-a-pager')
def no_bar_on_a_pager():
    with history() as session, Screen() as screen:
        tty.setraw(screen.slave)
        process = start(session, screen, 'decode', '1')
        let_a_bar_come(session)
        finish(process)
        equal(screen.look(), b'', 'the screen')


@fact('/progress/a-terminal-that-is-held-holds-nothing-up')
def held_terminal():
    with history() as session:
        for number in (None, signal.SIGTERM):
            with Screen() as screen:
                process = start(session, screen, 'decode', '1')
                screen.wait_for_bar()
                termios.tcflow(screen.slave, termios.TCOOFF)
                if number:
                    process.send_signal(number)
                else:
                    equal(process.stdout.read(len(BIG)) == BIG, True, 'all of it came')
                equal(process.wait(20), -(number or 0), 'how it ended')


@fact('/progress/a-pager-that-comes-later-keeps-its-screen')
def pager_comes_later():
    with history() as session, Screen() as screen:
        process = start(session, screen, 'decode', '1')
        screen.wait_for_bar()
        tty.setraw(screen.slave)
        finish(process)
        true(not screen.look().endswith(ERASE), 'nothing was erased')


@fact('/progress/fits-a-terminal-that-changes')
def fits():
    with history() as session, Screen(80) as screen:
        process = start(session, screen, 'decode', '1')
        screen.wait_for_bar()
        equal(len(screen.lines()[0]), 79, 'columns')
        screen.resize(33)
        until(lambda: 0 < len(screen.lines()[0]) < 33, 'the bar is narrow')
        finish(process)
        equal(screen.left(), b'', 'left on the screen')


@fact('/progress/interrupted-where-a-bar-is-nothing-is-stored')
def interrupted_at_the_bar():
    script = '(printf "first half"; exec sleep 60) | "$0" store'
    for bus in (True, False) * 3:
        with Session('none', bus=bus, programs=PROGRAMS) as session, Screen() as screen:
            if bus:
                session.start_daemon()
            process = start(session, screen, script, PROGRAMS.cliphist, program=['sh', '-c'])
            screen.wait_for_bar()
            os.write(screen.master, b'\x03')
            equal(process.wait(60), -signal.SIGINT, 'how it ended')
            until(lambda: not running(process.pid), 'all of it has ended')
            session.run(PROGRAMS.cliphist, 'store', data=b'whole')
            equal(session.run(PROGRAMS.cliphist, 'list').stdout, b'1\twhole\n')


main()
