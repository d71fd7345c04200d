# SPDX-License-Identifier: LGPL-2.1-or-later
"""A display that the bus and the daemon know nothing of, since they are older: found.py BUILD"""
import pathlib
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'session'))
from session import BUS_NAME, Programs, Session, until  # noqa: E402
from tap import equal, fact, main, true  # noqa: E402
from terminal import typed  # noqa: E402

PROGRAMS = Programs(sys.argv.pop(1))


def open_x11():
    """The bus is there before the display, as one of a user manager is."""
    session = Session('x11', programs=PROGRAMS)
    session.__enter__()
    session.make_activatable(BUS_NAME, PROGRAMS.cliphistd)
    return session


def x11(check):
    def run():
        session = open_x11()
        try:
            check(session)
        except BaseException:
            session.__exit__(*sys.exc_info())
            raise
        session.__exit__(None, None, None)
    return run


def clipboard(session):
    return session.run('xclip', '-selection', 'clipboard', '-o', check=False).stdout


@fact('/found/a-verb-that-needs-the-daemon-starts-it-with-the-display')
@x11
def started(session):
    words = typed(session, PROGRAMS.cliphist, 'pause', '1ms')
    true('was not running' in words, words)
    equal(typed(session, PROGRAMS.cliphist, 'resume').count('was not running'), 0, 'it is said once')
    session.wait_backend('x11')


@fact('/found/a-daemon-that-is-started-in-a-pause-says-so')
@x11
def paused(session):
    session.cliphist('pause')
    pid = session.call('org.freedesktop.DBus', '/org/freedesktop/DBus',
                       'org.freedesktop.DBus.GetConnectionUnixProcessID', BUS_NAME).split()[1].strip(',)')
    session.run('kill', '-9', pid)
    until(lambda: not session.has_owner(BUS_NAME), 'the daemon has gone')
    words = typed(session, PROGRAMS.cliphist, 'status', '--quiet')
    true('The history is paused' in words and 'from now on is kept' not in words, words)


@fact('/found/a-daemon-that-watches-nothing-is-told')
@x11
def told(session):
    session.call('org.freedesktop.DBus', '/org/freedesktop/DBus',
                 'org.freedesktop.DBus.StartServiceByName', BUS_NAME, '0')
    true("'x11'" not in session.get_property('Backends'), 'it watches nothing')
    session.cliphist('store', data=b'a text')
    session.cliphist('copy', '1')
    equal(clipboard(session), b'a text', 'the clipboard')
    session.run('xclip', '-selection', 'clipboard', data=b'copied now', stdout=None, stderr=None)
    until(lambda: b'copied now' in session.listed(), 'what is copied is kept')


@fact('/found/a-second-daemon-tells-one-that-watches-nothing')
@x11
def second(session):
    """As at the next login on a bus that goes on, where the desktop starts it."""
    session.call('org.freedesktop.DBus', '/org/freedesktop/DBus',
                 'org.freedesktop.DBus.StartServiceByName', BUS_NAME, '0')
    done = session.run(PROGRAMS.cliphistd, check=False)
    true(done.returncode == 0 and b'running already, and was told of this display' in done.stderr, done)
    session.wait_backend('x11')
    said = session.run(PROGRAMS.cliphistd, check=False).stderr.decode()
    true('running already; --replace' in said, said)


@fact('/found/keys-that-a-caller-does-not-name-are-forgotten')
def keys():
    """As of an earlier login, whose display manager had its own place for them."""
    with Session('none', programs=PROGRAMS) as session:
        keys = session.folder / 'home' / '.Xauthority'
        name, key = b'MIT-MAGIC-COOKIE-1', b'K' * 16
        # Xauth(7): of any family, address and number
        keys.write_bytes(struct.pack('>HHHH', 0xffff, 0, 0, len(name)) + name + struct.pack('>H', len(key)) + key)
        session.env['XAUTHORITY'] = str(session.folder / 'of-an-earlier-login')
        session.start_daemon()
        del session.env['XAUTHORITY']
        session.x_options = ['-auth', keys]
        session._start_xvfb()
        session.cliphist('status')
        session.wait_backend('x11')


@fact('/found/status-tells-it-too')
@x11
def status(session):
    session.call('org.freedesktop.DBus', '/org/freedesktop/DBus',
                 'org.freedesktop.DBus.StartServiceByName', BUS_NAME, '0')
    true('X11' in session.cliphist('status').stdout.decode(), 'it watches')


@fact('/found/a-daemon-that-watches-the-display-of-another-login-is-told-from-ours')
@x11
def another(session):
    """Two logins that share a bus, as that of a user manager is."""
    session.start_daemon()
    session.wait_backend('x11')
    first = session.env['DISPLAY']
    session.cliphist('store', data=b'a text')
    words = typed(session, PROGRAMS.cliphist, 'copy', '1')
    true('Entry 1 is on the clipboard.' in words, words)
    true('not this one' not in session.cliphist('status').stdout.decode(), 'here')
    session.env['DISPLAY'] = first + '.0'
    true('not this one' not in session.cliphist('status').stdout.decode(), 'a screen of it')
    session.env['DISPLAY'] = ':65077'
    true('not this one' not in session.cliphist('status').stdout.decode(), 'one that is not there')
    del session.env['DISPLAY']
    session._start_xvfb()
    for verb in ('status', 'doctor'):
        said = session.cliphist(verb, check=False).stdout.decode()
        true(f'the display {first}, and not this one' in said and 'a daemon on this display' in said, said)
    words = typed(session, PROGRAMS.cliphist, 'list')
    true('a text' in words and 'Nothing watches the clipboard here' in words, words)
    words = typed(session, PROGRAMS.cliphist, 'copy', '1')
    true(f'on the clipboard of the display {first}' in words and 'Entry 1' not in words, words)
    done = session.cliphist('insert', '1', check=False)
    true(done.returncode == 1 and f'watches the display {first}'.encode() in done.stderr, done)
    done = session.cliphist('clear', check=False)
    true(done.returncode == 1 and f'watches the display {first}, so the clipboard of'.encode() in done.stderr, done)
    equal(session.run('xclip', '-display', first, '-selection', 'clipboard', '-o').stdout, b'a text', 'there')
    done = session.cliphist('store', data=b'nobody looks here', check=False)
    equal((done.returncode, done.stderr.decode()),
          (1, f'nothing was kept: the daemon, which recognizes secrets, watches the display {first}, and not '
              'this one; “cliphist doctor” says more\n'), 'store')
    done = session.run(PROGRAMS.cliphistd, check=False)
    true(f'running already, on the display {first}' in done.stderr.decode(), done)


@fact('/found/a-display-of-another-machine-is-left-alone')
def remote():
    """As `ssh -X` gives one: what is copied there is of the machine that one sits at."""
    session = Session('x11', programs=PROGRAMS)
    session.x_options = ['-listen', 'tcp', '-ac']
    with session:
        here = session.env['DISPLAY']
        script = session.folder / 'start'
        script.write_text(f'#!/bin/sh\necho "$DISPLAY" >{session.folder}/told\n'
                          f'DISPLAY=localhost{here} exec {PROGRAMS.cliphistd}\n')
        script.chmod(0o755)
        session.make_activatable(BUS_NAME, script)
        session.run('xclip', '-selection', 'clipboard', data=b'copied elsewhere', stdout=None, stderr=None)
        session.env['DISPLAY'] = there = f'localhost{here}'
        equal(clipboard(session), b'copied elsewhere', 'a program of this shell has it')
        equal(session.cliphist('store', data=b'a text').returncode, 0, 'store, which starts the daemon')
        equal((session.folder / 'told').read_text(), '\n', 'what that is told')
        said = session.cliphist('status').stdout.decode()
        true(f'no display: that of this shell, {there}, is one of another machine' in said and
             'missing' not in said, said)
        equal(session.cliphist('doctor').returncode, 0, 'doctor')
        done = session.cliphist('copy', '1', check=False)
        true(done.returncode == 1 and b'There is no display here' in done.stderr, done)
        refused = session.run('busctl', '--user', 'call', BUS_NAME, '/org/cliphist/History1', BUS_NAME, 'UseDisplay',
                              'a{ss}a{sv}', '1', 'DISPLAY', there, '0', check=False)
        true('is a display of another machine' in refused.stderr.decode(), refused)
        true("'x11'" not in session.get_property('Backends'), 'it watches nothing')
        equal(session.listed(), b'1\ta text\n', 'the list')
        session.env['DISPLAY'] = here
        true('X11' in session.cliphist('status').stdout.decode(), 'here it watches')


@fact('/found/a-window-manager-that-no-variable-names')
@x11
def manager(session):
    def bind():
        return session.cliphist('window', '--bind', 'super+c')
    true('give this command the key super+c' in bind().stderr.decode(), 'without one')
    session.start('openbox', '--sm-disable')
    done = until(lambda: (done := bind()).stdout.startswith(b'<keybind') and done, 'it is known')
    true(b'<keybind key="W-c"><action name="Execute">' in done.stdout, done.stdout)
    true('/openbox/rc.xml, inside <keyboard>)' in done.stderr.decode(), done.stderr)


@fact('/found/the-file-from-which-openbox-starts-programs')
@x11
def openbox_file(session):
    def told():
        return session.cliphist('doctor', check=False).stdout.decode().split('at login')[1:]
    true('/.xinitrc, above the window manager' in told()[0], 'without one')
    session.start('openbox', '--sm-disable')
    said = until(lambda: '.xinitrc' not in (said := told()[0]) and said, 'it is known')
    file = session.folder / 'config' / 'openbox' / 'autostart'
    true(f'(a line of {file}, that starts the daemon)' in said, said)
    script = session.folder / 'home' / '.xinitrc'
    script.write_text('exec openbox\n')
    true(f'(a line of {script}, above the window manager' in told()[0], 'where a script starts it')
    file.parent.mkdir(exist_ok=True)
    file.write_text('cliphistd &\n')
    equal(told(), [], 'where it is started')


@fact('/found/list-says-when-nothing-watches')
@x11
def listed(session):
    session.cliphist('-db-path', session.folder / 'other', 'store', data=b'x')
    session.cliphist('store', data=b'a text')
    session.call('org.freedesktop.DBus', '/org/freedesktop/DBus',
                 'org.freedesktop.DBus.StartServiceByName', BUS_NAME, '0')
    true('Nothing watches' not in typed(session, PROGRAMS.cliphist, 'list'), 'it is told by list, too')
    session.env['DISPLAY'] = ':65077'
    owner = session.call('org.freedesktop.DBus', '/org/freedesktop/DBus',
                         'org.freedesktop.DBus.GetConnectionUnixProcessID', BUS_NAME)
    pid = int(owner.split()[1].strip(',)'))
    session.run('kill', str(pid))
    until(lambda: not session.has_owner(BUS_NAME), 'the daemon has ended')
    seen = typed(session, PROGRAMS.cliphist, 'list')
    true('a text' in seen and 'Nothing watches' in seen, seen)
    equal(session.cliphist('list').stderr, b'', 'what a script sees of that')


@fact('/found/list-says-that-the-history-is-paused')
@x11
def paused(session):
    session.cliphist('store', data=b'a text')
    session.cliphist('pause')
    seen = typed(session, PROGRAMS.cliphist, 'list')
    true('a text' in seen and 'is paused' in seen, seen)
    equal(session.cliphist('list').stderr, b'', 'what a script sees of that')
    session.cliphist('resume')
    true('paused' not in typed(session, PROGRAMS.cliphist, 'list'), 'not after resume')


@fact('/found/list-says-once-that-the-configuration-cannot-be-read')
@x11
def unread(session):
    session.cliphist('store', data=b'a text')
    (session.folder / 'config' / 'cliphist' / 'config').mkdir(parents=True)
    seen = typed(session, PROGRAMS.cliphist, 'list')
    true('a text' in seen and seen.count('Is a directory') == 1, seen)


@fact('/found/what-is-on-the-clipboard-now')
@x11
def copied(session):
    def copy(line):
        return typed(session, 'sh', '-c', line.replace('cliphist', str(PROGRAMS.cliphist)))
    true('It is on the clipboard.' in copy('printf "a text" | cliphist copy'), 'a text')
    true('stays as it is' in copy('printf "" | cliphist copy'), 'nothing')
    true('ID is missing' in copy('cliphist copy </dev/null'), 'nor a pipe')
    copy('printf another | cliphist -db-path other store')
    true('Entry 1 is on the clipboard.' in copy('cliphist -db-path other copy 1'), 'of another history')
    copy('cliphist pause')
    seen = copy('printf more | cliphist copy')
    true('nothing was put on the clipboard: the history is paused' in seen, seen)
    equal(clipboard(session), b'another', 'the clipboard')
    seen = copy('env -u DBUS_SESSION_BUS_ADDRESS -u XDG_RUNTIME_DIR cliphist copy 1')
    true('There is no session bus here' in seen, seen)


@fact('/found/a-rule-that-nobody-tells-the-time-for-is-off')
@x11
def no_locks(session):
    session.env['DBUS_SYSTEM_BUS_ADDRESS'] = 'unix:path=/dev/null'
    session.cliphist('store', data=b'a text')
    config = session.folder / 'config' / 'cliphist' / 'config'
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text('clear-on lock\n')
    for verb, status in (('status', 0), ('doctor', 1)):
        done = session.cliphist(verb, check=False)
        true('off here  clear-on lock: no service of this desktop' in done.stdout.decode(), done.stdout)
        equal(done.returncode, status, verb)
    config.write_text('clear-on logout\n')
    seen = session.cliphist('status').stdout.decode()
    true('off here  clear-on logout: no logind tells' in seen and 'lock:' not in seen, seen)
    config.write_text('notify yes\n')
    true('off here' not in session.cliphist('status').stdout.decode(), 'neither')


main()
