# SPDX-License-Identifier: LGPL-2.1-or-later
"""What is interrupted in the middle is not kept: ^C reaches who writes and who stores at once, and
the pipe ends before the daemon can know that its caller has been killed.

    interrupt.py BUILD
"""
import array
import fcntl
import os
import pathlib
import signal
import subprocess
import sys
import termios

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'session'))
from session import Programs, Session, descendants, tied, until  # noqa: E402
from tap import equal, fact, main  # noqa: E402

PROGRAMS = Programs(sys.argv.pop(1))
ROUNDS = 12
SMALL = b'first half\n'
LARGE = b'a line of the first half\n' * 120_000


def queued(pipe):
    """Bytes that nobody has read yet."""
    number = array.array('i', [0])
    fcntl.ioctl(pipe, termios.FIONREAD, number)
    return number[0]


def start(session, group, *argv, **options):
    """A process of a group: 0 is a new one, whose leader it is."""
    tie = tied()

    def join_group():
        tie()
        os.setpgid(0, group)
    return subprocess.Popen(argv, env=session.env, stderr=subprocess.DEVNULL,
                            preexec_fn=join_group, **options)


def start_pipeline(session, verb, reader, writer, writer_first):
    """The group's processes; the one that writes only holds its end open. They hear of a signal in
    the order in which they joined, or in reverse."""
    def hold():
        return start(session, started[0].pid if started else 0, 'sleep', '60', stdout=writer)

    def store():
        return start(session, started[0].pid if started else 0, PROGRAMS.cliphist, verb,
                     stdin=reader)
    started = []
    for step in (hold, store) if writer_first else (store, hold):
        started.append(step())
    return started


def write_all(fd, data):
    while data:
        data = data[os.write(fd, data):]


def is_held(session, inode):
    """Whether a daemon still has the pipe."""
    servers = [process.pid for process in session.started if process is not session.daemon]
    for pid in descendants(os.getpid()):
        if pid in servers:
            continue
        try:
            for fd in os.scandir(f'/proc/{pid}/fd'):
                if os.readlink(fd.path) == f'pipe:[{inode}]':
                    return True
        except FileNotFoundError:
            pass
        except PermissionError:  # it is ending, and will have nothing any more
            return True
    return False


def interrupt(session, verb, half, number, writer_first):
    reader, writer = os.pipe()
    started = start_pipeline(session, verb, reader, writer, writer_first)
    inode = os.fstat(reader).st_ino
    write_all(writer, half)
    os.close(writer)
    until(lambda: not queued(reader), 'the first half has been read')
    if session.daemon:
        session.get_property('Count')  # what the bus was asked before this, it has answered
    os.close(reader)
    os.killpg(started[0].pid, number)
    for process in started:
        equal(process.wait(20), -number, 'how it ended')
    until(lambda: not is_held(session, inode), 'the daemon is through with it')


def check(bus, verb, half, number=signal.SIGINT, rounds=ROUNDS):
    with Session('none', bus=bus, programs=PROGRAMS) as session:
        if bus:
            session.start_daemon()
        for turn in range(rounds):
            interrupt(session, verb, half, number, turn % 2 == 0)
        if not bus:
            until(lambda: not descendants(os.getpid()), 'private daemons have ended')
        session.run(PROGRAMS.cliphist, 'store', data=b'whole')
        lines = session.run(PROGRAMS.cliphist, 'list').stdout.decode().splitlines()
        equal([line.split('\t')[1] for line in lines], ['whole'], 'entries')


def define(where, bus, verb, size, half):
    @fact(f'/interrupt/{verb}-of-{size}-with-{where}-daemon')
    def interrupted():
        check(bus, verb, half)


for place, with_bus in (('the-sessions', True), ('a-private', False)):
    for name in ('store', 'copy'):
        define(place, with_bus, name, 'little', SMALL)
        define(place, with_bus, name, 'much', LARGE)


@fact('/interrupt/by-other-signals')
def other_signals():
    for number in (signal.SIGHUP, signal.SIGTERM, signal.SIGQUIT, signal.SIGKILL):
        if number != signal.SIGKILL:
            # what nohup, or a shell in the background, ignores, its children would, too
            signal.signal(number, signal.SIG_DFL)
        check(True, 'store', SMALL, number, 6)


@fact('/interrupt/who-ignores-it-stores-what-came')
def ignores():
    for bus in (True, False):
        with Session('none', bus=bus, programs=PROGRAMS) as session:
            if bus:
                session.start_daemon()
            reader, writer = os.pipe()
            script = 'trap "" INT; exec "$0" store'
            process = start(session, 0, 'sh', '-c', script, PROGRAMS.cliphist, stdin=reader)
            write_all(writer, SMALL)
            until(lambda: not queued(reader), 'it has been read')
            os.kill(process.pid, signal.SIGINT)
            os.close(writer)
            os.close(reader)
            equal(process.wait(20), 0, 'exit status')
            equal(session.run(PROGRAMS.cliphist, 'list').stdout, b'1\tfirst half\n')


def export_until_it_is_there(session, target, number):
    """Sends it a signal as soon as there is a file. Returns how the program ended."""
    process = start(session, 0, PROGRAMS.cliphist, 'export', str(target))
    until(lambda: os.listdir(target.parent) or process.poll() is not None, 'it writes')
    process.send_signal(number)
    return process.wait(20)


@fact('/interrupt/an-export-leaves-no-file')
def export():
    with Session('none', bus=False, programs=PROGRAMS) as session:
        session.run(PROGRAMS.cliphist, 'store', data=bytes(64 << 20))
        folder = session.folder / 'exports'
        folder.mkdir()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            for _ in range(ROUNDS):
                status = export_until_it_is_there(session, folder / 'history.tar', number)
                if status == -number:
                    break
                (folder / 'history.tar').unlink()  # it was faster
            equal(status, -number, 'how it ended')
            equal(os.listdir(folder), [], 'files')


main()
