# SPDX-License-Identifier: LGPL-2.1-or-later
"""Who is asked to change the history, and what happens when nobody answers.

    remote.py BUILD
"""
import contextlib
import json
import os
import pathlib
import resource
import signal
import socket
import subprocess
import sys

from gi.repository import Gio, GLib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'session'))
from session import (BUS_CONFIG, BUS_NAME, NOBODY, Programs, Session, listens, need,  # noqa: E402
                     plain_user, tied, until)
from tap import equal, fact, main, true  # noqa: E402

PROGRAMS = Programs(sys.argv.pop(1))
VERBS = next(path for path in (folder / 'cliphist-session' for folder in PROGRAMS.libexec)
             if path.exists())

# one that lets in who is not its user
THEIR_BUS = BUS_CONFIG.replace('<allow own', '<allow user="*"/><allow own')


def store_and_list(session, text, *flags):
    session.run(PROGRAMS.cliphist, *flags, 'store', data=text.encode())
    return session.run(PROGRAMS.cliphist, *flags, 'list').stdout.decode()


def failure(session, *argv, data=b''):
    """The line that a call ends with when it cannot be done."""
    done = session.run(PROGRAMS.cliphist, *argv, data=data, check=False)
    lines = done.stderr.decode().splitlines()
    equal(done.returncode, 1, 'exit status')
    equal(done.stdout, b'', 'standard output')
    equal(len(lines), 1, f'lines of {lines}')
    return lines[0]


def session_without_daemon(bus=True):
    return Session('none', bus=bus, programs=PROGRAMS)


@fact('/remote/nobody-on-the-bus')
def nobody_on_the_bus():
    with session_without_daemon() as session:
        equal(store_and_list(session, 'one'), '1\tone\n')


@fact('/remote/what-nobody-else-can-do-names-the-daemon')
def only_the_daemon():
    with session_without_daemon() as session:
        equal(failure(session, 'clear'), 'There is no display here, so there is no clipboard to empty.', 'clear')
        session.env['WAYLAND_DISPLAY'] = 'no-such-display'
        equal(failure(session, 'clear'),
              'clear: the daemon does not run, and cannot be started; “cliphist doctor” says more', 'clear')
        equal(failure(session, 'copy', data=b'one'),
              'The daemon does not watch this display, so nothing can be put on the clipboard. '
              '“cliphist doctor” says more.', 'copy')


@fact('/remote/a-daemon-that-cannot-be-started')
def cannot_be_started():
    with session_without_daemon() as session:
        session.make_activatable(BUS_NAME, '/bin/false')
        equal(store_and_list(session, 'one'), '1\tone\n')


@fact('/remote/a-daemon-that-does-not-come')
def does_not_come():
    with session_without_daemon() as session:
        session.make_activatable(BUS_NAME, '/bin/sleep', '30')
        equal(store_and_list(session, 'one'), '1\tone\n')


@fact('/remote/no-other-stores-where-there-is-a-display')
def no_other_stores():
    """A private daemon would not know that it is a secret."""
    with session_without_daemon() as session:
        session.env['WAYLAND_DISPLAY'] = 'no-such-display'
        session.make_activatable(BUS_NAME, '/bin/false')
        nothing_kept = ('nothing was kept: the daemon, which recognizes secrets, cannot be started; '
                        '“cliphist doctor” says more')
        equal(failure(session, 'store', data=b'one'), nothing_kept, 'store')
        slow = session.folder / 'slow'
        go = session.folder / 'go'
        os.mkfifo(go)
        slow.write_text(f'#!/bin/sh\nread line <{go}\nexec {PROGRAMS.cliphistd}\n')
        slow.chmod(0o755)
        session.make_activatable(BUS_NAME, slow)
        # by the time that it comes another copy may have taken the secret's place
        equal(failure(session, 'store', data=b'two'), nothing_kept, 'store')
        go.write_text('on\n')
        until(lambda: session.cliphist('status').stdout, 'it has come')
        equal(session.cliphist('store', data=b'three').returncode, 0, 'store')
        equal(session.run(PROGRAMS.cliphist, 'list').stdout, b'1\tthree\n', 'kept by the daemon')


@fact('/remote/a-bus-that-is-not-there')
def bus_is_not_there():
    with session_without_daemon(bus=False) as session:
        session.env['DBUS_SESSION_BUS_ADDRESS'] = 'unix:path=/no/such/socket'
        equal(store_and_list(session, 'one'), '1\tone\n')
        session.env['DBUS_SESSION_BUS_ADDRESS'] = 'no such address'
        equal(store_and_list(session, 'two'), '2\ttwo\n1\tone\n')


@fact('/remote/a-bus-that-never-answers')
def bus_never_answers():
    with session_without_daemon(bus=False) as session:
        path = session.folder / 'run' / 'bus'
        with socket.socket(socket.AF_UNIX) as silent:
            silent.bind(str(path))
            silent.listen()
            equal(store_and_list(session, 'one'), '1\tone\n')


@fact('/remote/a-daemon-of-another-history')
def another_history():
    with session_without_daemon() as session:
        session.start_daemon()
        equal(store_and_list(session, 'one'), '1\tone\n')
        equal(store_and_list(session, 'two', '-db-path', 'other'), '1\ttwo\n')
        equal(store_and_list(session, 'three'), '2\tthree\n1\tone\n')


@fact('/remote/a-history-that-the-configuration-names-meanwhile')
def named_meanwhile():
    """A private daemon would not know what is a secret, and pauses nothing."""
    with session_without_daemon() as session:
        session.start_daemon()
        equal(store_and_list(session, 'one'), '1\tone\n')
        session.run(PROGRAMS.cliphist, 'config', 'db-path', session.folder / 'new')
        session.run(PROGRAMS.cliphist, 'pause', '10m')
        true('int64 0>' not in session.get_property('PausedUntil'), 'paused')
        session.run(PROGRAMS.cliphist, 'resume')
        true('int64 0>' in session.get_property('PausedUntil'), 'resumed')
        session.env['WAYLAND_DISPLAY'] = 'no-such-display'
        true(failure(session, 'store', data=b'two').startswith('db-path has changed: '), 'store')
        equal(store_and_list(session, 'three', '-db-path', 'other'), '1\tthree\n')
        # what a person copies is not what a watcher hands over
        true(not failure(session, 'copy', data=b'four').startswith('this daemon'), 'copy')
        session.run(PROGRAMS.cliphist, 'config', 'db-path', '/proc/nowhere/db')
        session.run(PROGRAMS.cliphist, 'pause', '10m')
        true('int64 0>' not in session.get_property('PausedUntil'), 'paused all the same')


@fact('/remote/a-history-that-the-configuration-names-no-longer')
def named_no_longer():
    with session_without_daemon() as session:
        session.run(PROGRAMS.cliphist, 'config', 'db-path', session.folder / 'new')
        session.start_daemon()
        pathlib.Path(session.env['XDG_CONFIG_HOME'], 'cliphist', 'config').write_text('')
        session.env['WAYLAND_DISPLAY'] = 'no-such-display'
        true(failure(session, 'store', data=b'two').startswith('db-path has changed: '), 'store')


def other_program(session, name):
    """Its connection, which has that name on the bus of the session."""
    bus = Gio.DBusConnection.new_for_address_sync(
        session.env['DBUS_SESSION_BUS_ADDRESS'],
        Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT |
        Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION, None, None)
    bus.call_sync('org.freedesktop.DBus', '/org/freedesktop/DBus', 'org.freedesktop.DBus',
                  'RequestName', GLib.Variant('(su)', (name, 0)), None,
                  Gio.DBusCallFlags.NONE, -1, None)
    return bus


@fact('/remote/doctor-names-another-history-of-the-desktop')
def beside_another():
    with session_without_daemon() as session:
        said = session.run(PROGRAMS.cliphist, 'doctor').stdout.decode()
        true('beside' not in said, said)
        bus = other_program(session, 'org.gnome.GPaste')
        said = session.run(PROGRAMS.cliphist, 'doctor').stdout.decode()
        true('beside    GPaste, which keeps a history of its own, and may have the key\n' in said, said)
        bus.close_sync()


@fact('/remote/a-daemon-that-can-take-no-place-says-so')
def no_place_to_take():
    with session_without_daemon() as session:
        bus = other_program(session, BUS_NAME)
        for options, status, words in (((), 0, 'is running already; --replace takes its place'),
                                       (('--replace',), 1, 'does not let it go; end that one first')):
            done = session.run(PROGRAMS.cliphistd, *options, check=False)
            equal(done.returncode, status, f'exit status with {options}')
            said = done.stderr.decode().splitlines()
            equal(len(said), 1, f'lines of {said}')
            true(words in said[0] and BUS_NAME in said[0], said)
        bus.close_sync()


@fact('/remote/no-daemon-at-all')
def no_daemon_at_all():
    with session_without_daemon(bus=False) as session:
        (session.folder / 'alone').mkdir()
        (session.folder / 'alone' / 'cliphist-session').symlink_to(VERBS)
        session.env['CLIPHIST_LIBEXEC'] = str(session.folder / 'alone')
        true('a daemon for this history' in failure(session, 'store', data=b'one'), 'it is said')


@fact('/remote/no-program-for-the-verb')
def no_program_for_the_verb():
    with session_without_daemon(bus=False) as session:
        session.env['CLIPHIST_LIBEXEC'] = str(session.folder)
        true('cliphist-session' in failure(session, 'store', data=b'one'), 'it is said')


@fact('/remote/a-private-daemon-that-gives-up')
def gives_up():
    with session_without_daemon(bus=False) as session:
        store = session.folder / 'state' / 'cliphist'
        store.mkdir()
        (store / 'history.db').write_bytes(b'not a database, but quite long enough to be one' * 99)
        line = failure(session, 'store', data=b'one')
        true('one' != line, line)
        true((store / 'history.db').read_bytes().startswith(b'not a'), 'it stays as it is')


@fact('/remote/a-daemon-that-stands-still')
def stands_still():
    with session_without_daemon() as session:
        daemon = session.start_daemon()
        equal(store_and_list(session, 'one'), '1\tone\n')
        daemon.send_signal(signal.SIGSTOP)
        try:
            true('does not answer' in failure(session, 'store', data=b'two'), 'it is said')
        finally:
            daemon.send_signal(signal.SIGCONT)
        equal(store_and_list(session, 'three').splitlines()[0].split('\t')[1], 'three')


@fact('/remote/nothing-is-sent-to-a-daemon-that-does-not-say-what-it-watches')
def unanswered():
    """Of two logins on one bus it may be the other's, and go on a moment later."""
    with session_without_daemon() as session:
        session.env['WAYLAND_DISPLAY'] = 'no-such-display'
        methods = []

        def swallow(_bus, message, is_incoming):
            if not is_incoming:
                return message
            methods.append(message.get_member())
            return None

        def refuse(bus, message, is_incoming):
            if is_incoming and message.get_member() == 'Get':
                error = message.new_method_error_literal('org.freedesktop.DBus.Error.LimitsExceeded', 'not now')
                bus.send_message(error, Gio.DBusSendMessageFlags.NONE)
            return swallow(bus, message, is_incoming)
        for answer, words in ((swallow, 'does not answer'), (refuse, 'not now')):
            bus = other_program(session, BUS_NAME)
            bus.add_filter(answer)
            true(words in failure(session, 'store', data=b'one'), 'it is said')
            equal([method for method in methods if method not in ('Get', 'Ping')], [], 'what else it is asked')
            bus.close_sync()


@fact('/remote/status-says-that-it-stands-still')
def status_stands_still():
    with session_without_daemon() as session:
        daemon = session.start_daemon()
        session.run(PROGRAMS.cliphist, 'store', data=b'one')
        # something to watch, so that advice is due
        env = {'WAYLAND_DISPLAY': 'wayland-9'}
        daemon.send_signal(signal.SIGSTOP)
        try:
            said = session.run(PROGRAMS.cliphist, 'status', env={**session.env, **env}).stdout.decode()
            status = json.loads(session.run(PROGRAMS.cliphist, 'status', '--json').stdout)
        finally:
            daemon.send_signal(signal.SIGCONT)
        true('does not answer' in said and 'not running' not in said, said)
        true('--replace' in said or 'restart' in said, said)
        equal(status['daemon'], {'answers': False}, 'daemon')
        equal(status['count'], 1, 'entries')


@fact('/remote/status-knows-a-new-limit-before-the-daemon-obeys-it')
def status_with_a_new_limit():
    with session_without_daemon() as session:
        session.start_daemon()
        for text in (b'one', b'two', b'three'):
            session.run(PROGRAMS.cliphist, 'store', data=text)
        config = pathlib.Path(session.env['XDG_CONFIG_HOME'], 'cliphist', 'config')
        config.parent.mkdir(parents=True, exist_ok=True)
        config.write_text('max-items 1\n')
        said = session.run(PROGRAMS.cliphist, 'status').stdout.decode()
        true('more than max-items allows' in said, said)


@fact('/remote/status-does-not-say-of-a-bus-out-of-reach-that-no-daemon-runs')
def status_without_its_bus():
    with session_without_daemon() as session, socket.socket(socket.AF_UNIX) as silent:
        silent.bind(str(session.folder / 'silent'))
        silent.listen()
        display = session.folder / 'wayland-0'
        display.touch()
        for name, why in (('missing', 'the session bus cannot be reached: '), ('silent', 'bus does not answer')):
            env = {**session.env, 'DBUS_SESSION_BUS_ADDRESS': f'unix:path={session.folder}/{name}'}
            said = session.run(PROGRAMS.cliphist, 'status', env=env).stdout.decode()
            true('cannot be asked: ' in said and why in said, said)
            true('not running' not in said, said)
            env['WAYLAND_DISPLAY'] = str(display)
            said = session.run(PROGRAMS.cliphist, 'doctor', env=env, check=False).stdout.decode()
            true('missing   a session bus' in said, said)
        # as over ssh
        said = session.run('env', '-u', 'DBUS_SESSION_BUS_ADDRESS', f'XDG_RUNTIME_DIR={session.folder}/none',
                           PROGRAMS.cliphist, 'status').stdout.decode()
        true('cannot be asked: there is no session bus' in said and 'not running' not in said, said)


if os.geteuid() == 0:
    @fact('/remote/a-bus-of-another-user-is-not-ours')
    def bus_of_another():
        with session_without_daemon() as session:
            session.folder.chmod(0o711)
            place = session.folder / 'theirs'
            place.mkdir()
            os.chown(place, NOBODY, NOBODY)
            config = place / 'bus.conf'
            config.write_text(THEIR_BUS.format(socket=place / 'bus', services=place))
            bus = session.start(*plain_user(), need('dbus-daemon'), f'--config-file={config}', '--nofork',
                                '--nopidfile', '--nosyslog', name='their-bus')
            session.wait_for(bus, lambda: listens(place / 'bus'), 'the bus is there')
            env = {**session.env, 'DBUS_SESSION_BUS_ADDRESS': f'unix:path={place}/bus'}
            said = session.run(PROGRAMS.cliphist, 'status', env=env).stdout.decode()
            true("cannot be asked: the session bus is another user's" in said, said)
            session.run(PROGRAMS.cliphist, 'store', data=b'for nobody else', env=env)
            equal(session.run(PROGRAMS.cliphist, 'list', env=env).stdout, b'1\tfor nobody else\n', 'the list')
            # nor is it of those who are started
            picker = session.folder / 'dmenu'
            picker.write_text(f'#!/bin/sh\nenv >{session.folder}/told\n')
            picker.chmod(0o755)
            fifo = session.folder / 'keys'
            os.mkfifo(fifo)
            session.run(PROGRAMS.cliphist, 'pick', '--print', '--with', 'dmenu', check=False, env={
                **env, 'PATH': f"{session.folder}:{env['PATH']}", 'DISPLAY': ':65077',
                'XDG_RUNTIME_DIR': str(place), 'XAUTHORITY': str(fifo)})
            told = (session.folder / 'told').read_text()
            true('\nDBUS_SESSION_BUS_ADDRESS=disabled:\n' in f'\n{told}', told)
            true('XDG_RUNTIME_DIR=' not in told and 'XAUTHORITY=' not in told, told)
            done = session.run(PROGRAMS.cliphistd, '--no-display', env=env, check=False)
            equal(done.returncode, 1, 'exit status of a daemon')
            true(b"it is another user's" in done.stderr, done.stderr)


if os.geteuid() == 0:
    @fact('/remote/a-display-of-another-user-shows-nothing')
    def display_of_another():
        with session_without_daemon() as session, socket.socket(socket.AF_UNIX) as theirs:
            session.run(PROGRAMS.cliphist, 'store', data=b'one')
            theirs.bind(str(session.folder / 'wayland-9'))
            os.seteuid(NOBODY)
            theirs.listen()
            os.seteuid(0)
            theirs.settimeout(0)
            tcp = socket.create_server(('127.0.0.1', 0))  # where programs look last
            number = f':{tcp.getsockname()[1] - 6000}'
            for name, wayland in ((theirs.getsockname(),) * 2, (number, '')):
                env = {**session.env, 'DISPLAY': number, 'WAYLAND_DISPLAY': wayland}
                done = session.run(PROGRAMS.cliphist, 'pick', env=env, check=False)
                equal(done.returncode, 1, 'exit status')
                true(f"on the display '{name}': neither you nor root".encode() in done.stderr, done.stderr)
            # it was asked who listens, and nothing was said there
            equal(theirs.accept()[0].recv(1), b'', 'what came')
            # libxcb reads a number as strtoul(3) does
            for name in (':077', ': 77', ':+77', ':4294967373'):
                env = {**session.env, 'DISPLAY': name, 'WAYLAND_DISPLAY': ''}
                done = session.run(PROGRAMS.cliphist, 'pick', env=env, check=False)
                true(f"on the display '{name}': neither you nor root".encode() in done.stderr, done.stderr)

    @fact('/remote/a-display-of-another-user-that-nothing-names-shows-nothing')
    def default_of_another():
        """Where programs look that are told of no compositor."""
        with session_without_daemon() as session, socket.socket(socket.AF_UNIX) as theirs:
            session.run(PROGRAMS.cliphist, 'store', data=b'one')
            theirs.bind(str(session.folder / 'wayland-0'))
            os.seteuid(NOBODY)
            theirs.listen()
            os.seteuid(0)
            env = {**session.env, 'XDG_RUNTIME_DIR': str(session.folder)}
            env.pop('WAYLAND_DISPLAY', None)
            done = session.run(PROGRAMS.cliphist, 'pick', env=env, check=False)
            equal(done.returncode, 1, 'exit status')
            true(b"on the display 'wayland-0': neither you nor root" in done.stderr, done.stderr)

    @fact('/remote/a-display-behind-ssh-is-the-user-s')
    def tunnel_of_another():
        """Whose listener it is, the kernel says."""
        with session_without_daemon() as session:
            session.run(PROGRAMS.cliphist, 'store', data=b'one')
            ours = socket.create_server(('127.0.0.1', 0))
            os.seteuid(NOBODY)
            theirs = socket.create_server(('127.0.0.1', 0))
            os.seteuid(0)
            number, other = (server.getsockname()[1] - 6000 for server in (ours, theirs))
            for name, is_refused in ((f'localhost:{number}.0', False), (f'localhost:{other}.0', True),
                                     (f'127.0.0.1:{other}', True), (f'unix/x:{number}', True)):
                env = {**session.env, 'DISPLAY': name, 'WAYLAND_DISPLAY': '', 'PATH': '/nowhere'}
                done = session.run(PROGRAMS.cliphist, 'pick', env=env, check=False)
                said = f"on the display '{name}': neither you nor root".encode()
                equal(said in done.stderr, is_refused, f'{name}: {done.stderr}')

    @fact('/remote/a-link-of-another-user-leads-to-no-display-of-ours')
    def link_of_another():
        with session_without_daemon() as session, socket.socket(socket.AF_UNIX) as roots:
            session.run(PROGRAMS.cliphist, 'store', data=b'one')
            roots.bind(str(session.folder / 'silent'))
            roots.listen()
            theirs = session.folder / 'theirs'
            theirs.mkdir()
            (theirs / 'wayland-0').symlink_to(roots.getsockname())
            os.lchown(theirs / 'wayland-0', NOBODY, NOBODY)
            env = {**session.env, 'WAYLAND_DISPLAY': str(theirs / 'wayland-0')}
            done = session.run(PROGRAMS.cliphist, 'pick', env=env, check=False)
            equal(done.returncode, 1, 'exit status')
            true(b'neither you nor root' in done.stderr, done.stderr)

    @fact('/remote/a-runtime-folder-of-another-user-is-not-used')
    def folder_of_another():
        with session_without_daemon() as session:
            session.run(PROGRAMS.cliphist, 'store', data=b'one')
            theirs = session.folder / 'theirs'
            theirs.mkdir(mode=0o700)
            os.chown(theirs, NOBODY, NOBODY)
            editor = session.folder / 'editor'
            editor.write_text(f'#!/bin/sh\necho "$1" >{session.folder}/edited\n')
            editor.chmod(0o755)
            env = {**session.env, 'XDG_RUNTIME_DIR': str(theirs), 'EDITOR': str(editor)}
            session.run(PROGRAMS.cliphist, 'edit', '1', env=env, check=False)
            edited = (session.folder / 'edited').read_text()
            true(edited.startswith('/dev/shm/'), edited)
            # what is left there when it is killed goes with a wipe from a session, too
            env['EDITOR'] = f'kill -KILL $PPID; {editor}'
            equal(session.run(PROGRAMS.cliphist, 'edit', '1', env=env, check=False).returncode,
                  -signal.SIGKILL, 'how it ends')
            left = pathlib.Path((session.folder / 'edited').read_text().strip())
            until(lambda: session.run(PROGRAMS.cliphist, 'wipe') and not left.exists(), 'it is gone', 10)


@fact('/remote/doctor-gives-up-an-x-server-that-does-not-answer')
def silent_x_server():
    with session_without_daemon() as session, socket.socket(socket.AF_UNIX) as silent:
        folder = pathlib.Path('/tmp/.X11-unix')
        folder.mkdir(mode=0o1777, exist_ok=True)
        place = folder / f'X{100 + 128 * os.getpid() % 50000}'
        silent.bind(str(place))
        try:
            silent.listen()
            env = {**session.env, 'DISPLAY': f':{place.name[1:]}'}
            # what there is of the desktop is for other facts to say
            session.run(PROGRAMS.cliphist, 'doctor', env=env, check=False, seconds=40)
            silent.settimeout(0)
            silent.accept()  # it was asked
        finally:
            place.unlink()


@fact('/remote/a-daemon-that-is-killed-meanwhile')
def killed_meanwhile():
    for verb in ('store', 'copy'):
        with session_without_daemon() as session:
            daemon = session.start_daemon()
            call = subprocess.Popen([PROGRAMS.cliphist, verb], stdin=subprocess.PIPE,
                                    stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=session.env,
                                    preexec_fn=tied())
            # more than a pipe holds: the daemon is the one who reads it
            call.stdin.write(b'x' * (1 << 20))
            daemon.kill()
            out, said = call.communicate(timeout=60)
            equal(call.returncode, 1, f'{verb}: exit status')
            equal(out, b'', 'standard output')
            equal(said.decode(), f'{verb}: the daemon ended before it answered: look whether '
                  'this was done before you try again\n', 'standard error')


@fact('/remote/a-limit-of-the-size-of-files-costs-the-copy-alone')
def limited_files():
    with Session('none', programs=PROGRAMS) as session:
        daemon = session.start_daemon()
        resource.prlimit(daemon.pid, resource.RLIMIT_FSIZE, (1 << 20, resource.RLIM_INFINITY))
        failure(session, 'store', data=os.urandom(3 << 20))
        equal(store_and_list(session, 'one'), '1\tone\n')
        equal(daemon.poll(), None, 'the daemon goes on')


@fact('/remote/many-at-once')
def many_at_once():
    with session_without_daemon(bus=False) as session:
        started = [subprocess.Popen([PROGRAMS.cliphist, 'store'], env=session.env,
                                    stdin=subprocess.PIPE, preexec_fn=tied())
                   for _ in range(8)]
        for number, process in enumerate(started):
            process.communicate(f'entry {number}'.encode(), timeout=60)
            equal(process.returncode, 0, 'exit status')
        lines = session.run(PROGRAMS.cliphist, 'list').stdout.decode().splitlines()
        equal(sorted(line.split('\t')[1] for line in lines),
              [f'entry {number}' for number in range(8)], 'entries')


@contextlib.contextmanager
def watching(session):
    """`cliphist watch`, once it follows the daemon."""
    with subprocess.Popen([PROGRAMS.cliphist, 'watch'], env=session.env, text=True,
                          stdout=subprocess.PIPE, preexec_fn=tied()) as process:
        equal(json.loads(process.stdout.readline()), {'event': 'running', 'running': True})
        yield process
        process.terminate()


def first_events(process, wanted):
    """Events as they come, until those that are wanted were among them."""
    seen = []
    for line in process.stdout:
        event = json.loads(line)
        seen.append(event['event'])
        if seen[-1] in wanted:
            yield event
        if set(wanted) <= set(seen):
            return


@fact('/remote/watch-tells-every-change')
def watch_tells():
    with session_without_daemon() as session:
        session.start_daemon()
        with watching(session) as process:
            for argv, data in ((['store'], b'one'), (['store'], b'two'), (['store'], b'one'),
                               (['pin', '3'], b''), (['pause'], b''), (['delete'], b'2\n')):
                session.run(PROGRAMS.cliphist, *argv, data=data)
            events = {event['event']: event for event in
                      first_events(process, ['added', 'moved', 'changed', 'state', 'removed'])}
        equal(events['added']['class'], 'text')
        equal((events['moved']['from'], events['moved']['id']), (1, 3))
        equal(events['removed']['ids'], [2])
        equal(events['state']['paused_until_us'], -1)


@fact('/remote/watch-sees-the-daemon-go')
def watch_sees_the_daemon_go():
    with session_without_daemon() as session:
        session.start_daemon()
        with watching(session) as process:
            session.stop(session.daemon)
            equal(json.loads(process.stdout.readline()), {'event': 'running', 'running': False})


@fact('/remote/watch-brings-a-daemon-back-that-has-crashed')
def watch_brings_it_back():
    with session_without_daemon() as session:
        session.start_daemon()
        with watching(session) as process:
            session.make_activatable(BUS_NAME, PROGRAMS.cliphistd)
            session.kill(session.daemon)
            for running in (False, True):
                equal(json.loads(process.stdout.readline()), {'event': 'running', 'running': running})


@fact('/remote/watch-of-another-history-says-that-it-would-be-silent')
def watch_other():
    with session_without_daemon() as session:
        session.start_daemon()
        done = session.run(PROGRAMS.cliphist, '-db-path', 'other', 'watch', check=False)
        equal((done.returncode, done.stdout), (1, b''))
        equal(done.stderr.decode(), f"watch: the daemon serves the history '{session.folder}/state/cliphist' "
                                    f"and cannot report changes of '{session.folder}/other.d'\n")


def pasted(session):
    return session.run('xclip', '-o', '-selection', 'clipboard').stdout


@fact('/remote/copy-puts-it-on-the-clipboard')
def copy_puts_on_clipboard():
    with Session('x11', programs=PROGRAMS) as session:
        session.start_daemon()
        session.wait_backend('x11')
        equal(store_and_list(session, 'one'), '1\tone\n')
        session.run(PROGRAMS.cliphist, 'copy', data=b'two')
        equal(pasted(session), b'two', 'what came on standard input')
        session.run(PROGRAMS.cliphist, 'copy', data=b'')
        equal(pasted(session), b'two', 'nothing is not put there')
        session.run(PROGRAMS.cliphist, 'copy', '1')
        equal(pasted(session), b'one', 'an entry')
        true(failure(session, 'copy', '99'), 'an entry that is not there')
        equal(pasted(session), b'one', 'still')
        equal(session.run(PROGRAMS.cliphist, 'list').stdout, b'2\ttwo\n1\tone\n')


@fact('/remote/copy-of-another-history-puts-it-there-too')
def copy_of_another_history():
    other = ('-db-path', 'other', '-max-items', '2')
    with Session('x11', programs=PROGRAMS) as session:
        session.start_daemon()
        session.wait_backend('x11')
        store_and_list(session, 'session')
        equal(store_and_list(session, 'one', *other), '1\tone\n')
        session.run(PROGRAMS.cliphist, *other, 'store', data=b'large ' * 50000)
        session.run(PROGRAMS.cliphist, *other, 'copy', '1')
        equal(pasted(session), b'one', 'an entry')
        session.run(PROGRAMS.cliphist, *other, 'copy', '--type', 'text/html', data=b'<b>two</b>')
        equal(session.run('xclip', '-selection', 'clipboard', '-o', '-t', 'text/html').stdout,
              b'<b>two</b>', 'what came on standard input, by its type')
        session.run(PROGRAMS.cliphist, *other, 'copy', '2')
        equal(pasted(session), b'large ' * 50000, 'a large one')
        true(failure(session, *other, 'copy', '99'), 'an entry that is not there')
        # each keeps what it was given, by its own limits
        equal([line.split('\t')[0] for line in
               session.run(PROGRAMS.cliphist, *other, 'list').stdout.decode().splitlines()],
              ['3', '2'], 'that history')
        equal(session.run(PROGRAMS.cliphist, 'list').stdout.decode().count('\n'), 4, 'the session')
    with session_without_daemon() as session:
        store_and_list(session, 'one', *other)
        equal(failure(session, *other, 'copy', '1'), 'There is no display here, so nothing can be put on the clipboard.')
        session.start_daemon()
        equal(failure(session, 'clear'), 'There is no display here, so there is no clipboard to empty.')


def stall(session, *argv):
    """A call whose output fills a pipe that nobody reads."""
    reader, writer = os.pipe()
    process = subprocess.Popen([PROGRAMS.cliphist, *argv], env=session.env, stdout=writer,
                               preexec_fn=tied())
    os.close(writer)
    until(lambda: 'pipe' in pathlib.Path(f'/proc/{process.pid}/wchan').read_text() or
          pathlib.Path(f'/proc/{process.pid}/stat').read_text().split()[2] == 'S',
          'the call waits for its reader')
    return process, reader


@fact('/remote/a-reader-that-stalls-holds-nothing-up')
def stalled_reader():
    with session_without_daemon(bus=False) as session:
        for number in range(40):
            session.run(PROGRAMS.cliphist, 'store', data=f'{number} '.encode() + b'x' * 3000)
        listing, list_pipe = stall(session, '-preview-width', '3000', 'list')
        session.run(PROGRAMS.cliphist, 'store', data=b'y' * 3_000_000)
        decoding, decode_pipe = stall(session, 'decode', '41')
        session.run(PROGRAMS.cliphist, 'store', data=b'meanwhile')
        session.run(PROGRAMS.cliphist, 'delete', data=b'41\n')
        line = session.run(PROGRAMS.cliphist, 'list', '--limit', '1').stdout
        equal(line, b'42\tmeanwhile\n')
        with os.fdopen(list_pipe, 'rb') as pipe:
            equal(pipe.read().count(b'\n'), 40, 'lines')
        with os.fdopen(decode_pipe, 'rb') as pipe:
            equal(len(pipe.read()), 3_000_000, 'bytes of what was deleted meanwhile')
        equal((listing.wait(60), decoding.wait(60)), (0, 0), 'exit statuses')


main()
