# SPDX-License-Identifier: LGPL-2.1-or-later
"""`cliphist clear`, where we own the clipboard, and where another program does:
emptied.py sway|x11 BUILD"""
import contextlib
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'session'))
from clients import WlClipboard, Xclip  # noqa: E402
from session import Programs, Session, until  # noqa: E402
from tap import equal, fact, main  # noqa: E402

KIND = sys.argv.pop(1)
PROGRAMS = Programs(sys.argv.pop(1))


@contextlib.contextmanager
def desk():
    with Session(KIND, programs=PROGRAMS) as session:
        start_daemon(session)
        yield session, (Xclip if KIND == 'x11' else WlClipboard)(session)


def start_daemon(session):
    session.start_daemon()
    session.wait_backend('x11' if KIND == 'x11' else 'wlr')


def clipboard(session):
    if KIND == 'x11':
        return session.run('xclip', '-selection', 'clipboard', '-o', check=False).stdout
    return session.run('wl-paste', '-n', check=False).stdout


def stays_empty(session):
    equal(clipboard(session), b'', 'the clipboard')
    session.stop(session.daemon)
    equal(clipboard(session), b'', 'the clipboard when the daemon has ended')
    start_daemon(session)
    equal(clipboard(session), b'', 'the clipboard when the daemon is there again')


@fact(f'/{KIND}/what-we-own-is-cleared')
def ours():
    with desk() as (session, _):
        session.cliphist('store', data=b'a text')
        session.cliphist('copy', '1')
        equal(clipboard(session), b'a text', 'the clipboard before')
        session.cliphist('clear')
        stays_empty(session)
        equal(session.listed(), b'1\ta text\n', 'the list')


@fact(f'/{KIND}/what-another-program-owns-is-cleared')
def theirs():
    with desk() as (session, client):
        client.copy_bytes(b'copied')
        until(lambda: session.listed() == b'1\tcopied\n', 'it is kept')
        session.cliphist('clear')
        stays_empty(session)


@fact(f'/{KIND}/after-that-it-works-as-ever')
def again():
    with desk() as (session, client):
        session.cliphist('clear')
        client.copy_bytes(b'copied')
        until(lambda: session.listed() == b'1\tcopied\n', 'it is kept')
        session.cliphist('clear')
        session.cliphist('copy', '1')
        equal(clipboard(session), b'copied', 'the clipboard')


@fact(f'/{KIND}/what-a-script-stores-then-is-kept')
def stored():
    with desk() as (session, _):
        session.cliphist('store', data=b'a text')
        session.cliphist('copy', '1')
        session.cliphist('clear')
        session.cliphist('store', data=b'of a script')
        equal(session.listed(), b'2\tof a script\n1\ta text\n', 'the list')


# as ssh and cron: no display, and no bus
ELSEWHERE = {'DISPLAY': '', 'WAYLAND_DISPLAY': '', 'DBUS_SESSION_BUS_ADDRESS': 'unix:path=/dev/null'}


@fact(f'/{KIND}/what-is-deleted-without-a-display-does-not-come-back')
def deleted_elsewhere():
    for verb in (['delete-query', 'copied'], ['remove', '1'], ['wipe'], ['pick', '--with', 'fzf']):
        with desk() as (session, client):
            # a picker in which the entry is deleted, and which is then closed
            picker = session.folder / 'fzf'
            picker.write_text('#!/bin/sh\ncat >rows\n[ ! -e shown ] || exit 130\n'
                              ': >shown; printf "\\nalt-1\\n1\\tcopied\\n"\n')
            picker.chmod(0o755)
            client.copy_bytes(b'copied')
            until(lambda: session.listed() == b'1\tcopied\n', 'it is kept')
            session.kill(session.daemon)
            session.run(PROGRAMS.cliphist, *verb, check=verb[0] != 'pick',
                        env={**ELSEWHERE, 'PATH': f"{session.folder}:{session.env['PATH']}"})
            start_daemon(session)
            session.get_property('Current')  # it has looked by then
            equal(session.listed(), b'', f'the list after {verb}')
            client.copy_bytes(b'next')
            until(lambda: session.listed() == b'2\tnext\n', 'what is copied next is kept')


@fact(f'/{KIND}/what-is-edited-without-a-display-does-not-come-back')
def edited_elsewhere():
    with desk() as (session, client):
        client.copy_bytes(b'copied')
        until(lambda: session.listed() == b'1\tcopied\n', 'it is kept')
        session.kill(session.daemon)
        session.run(PROGRAMS.cliphist, 'edit', '1',
                    env={**ELSEWHERE, 'VISUAL': 'printf edited >'})
        start_daemon(session)
        session.get_property('Current')  # it has looked by then
        equal(session.listed(), b'2\tedited\n', 'the list')


@fact(f'/{KIND}/a-daemon-that-runs-hears-of-that-itself')
def heard_of():
    with desk() as (session, client):
        session.cliphist('store', data=b'older')
        client.copy_bytes(b'copied')
        until(lambda: session.listed().startswith(b'2\tcopied\n'), 'it is kept')
        session.run(PROGRAMS.cliphist, 'remove', '1', env=ELSEWHERE)
        until(lambda: session.listed() == b'2\tcopied\n', 'the older one is gone')
        session.kill(session.daemon)
        client.copy_bytes(b'while no daemon ran')
        start_daemon(session)
        until(lambda: session.listed().startswith(b'3\twhile no daemon ran\n'), 'it is kept')


main()
