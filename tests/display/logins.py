# SPDX-License-Identifier: LGPL-2.1-or-later
"""Two logins of a user on one bus, of a compositor and of an X server: logins.py BUILD"""
import contextlib
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'session'))
from session import BUS_NAME, Programs, Session  # noqa: E402
from tap import equal, fact, main, true  # noqa: E402

PROGRAMS = Programs(sys.argv.pop(1))


@contextlib.contextmanager
def watched(display, backend):
    with Session(display, programs=PROGRAMS) as session:
        session.start_daemon()
        session.wait_backend(backend)
        yield session


def store(session, text):
    return session.cliphist('store', data=text.encode(), check=False)


def refused(session, watched):
    done = store(session, 'nobody looks here')
    true(done.returncode == 1 and f'watches the display {watched}, and not this one' in done.stderr.decode(), done)
    true('and not this one' in session.cliphist('status').stdout.decode(), 'status')
    true(b'nobody looks here' not in session.listed(), 'the list')


def taken(session, text):
    equal((store(session, text).returncode, text.encode() in session.listed()), (0, True), text)


def copy_there(session, text):
    """By a program that goes on, so that one is connected to the X server."""
    session.run('xclip', '-selection', 'clipboard', data=text.encode(), stdout=None, stderr=None)


@fact('/logins/store-on-an-x-server-keeps-nothing-beside-a-compositor')
def x_server():
    with watched('sway', 'wlr') as session:
        first = session.folder / 'run' / session.env.pop('WAYLAND_DISPLAY')
        session._start_xvfb()
        copy_there(session, 'on the X server')
        refused(session, first)
        del session.env['DISPLAY']
        taken(session, 'without a display')


@fact('/logins/store-that-starts-the-daemon-keeps-nothing-where-it-watches-another-display')
def starts():
    with Session('sway', programs=PROGRAMS) as session:
        session.make_activatable(BUS_NAME, PROGRAMS.cliphistd)
        session.share_environment('WAYLAND_DISPLAY', 'XDG_RUNTIME_DIR')
        first = session.folder / 'run' / session.env.pop('WAYLAND_DISPLAY')
        session._start_xvfb()
        copy_there(session, 'on the X server')
        refused(session, first)


@fact('/logins/store-at-a-compositor-keeps-nothing-beside-an-x-server')
def compositor():
    with watched('x11', 'x11') as session:
        first = session.env.pop('DISPLAY')
        session._start_sway()
        refused(session, first)
        session.env['WAYLAND_DISPLAY'] = 'no-such-display'
        taken(session, 'of an earlier login')
        del session.env['WAYLAND_DISPLAY']
        taken(session, 'without a display')


@fact('/logins/the-x-server-of-the-compositor-is-no-other-display')
def xwayland():
    with watched('sway-x11', 'wlr') as session:
        session.open_xwayland()
        del session.env['WAYLAND_DISPLAY']
        taken(session, 'before a program is there')
        copy_there(session, 'on Xwayland')
        equal(session.run('xclip', '-selection', 'clipboard', '-o').stdout, b'on Xwayland', 'a program is')
        taken(session, 'beside it')


main()
