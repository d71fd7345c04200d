# SPDX-License-Identifier: LGPL-2.1-or-later
"""The private sessions keep what they promise, before anything is built on them."""
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile

from clients import DataControl, TextField, WlClipboard, Xclip, png
from session import (HERE, NOBODY, Broken, Programs, Session, descendants, need, scratch_parent,
                     until)
from tap import equal, fact, main, true


def commands_of(folder):
    """The processes that were started for a session, by its folder in their environment."""
    found = []
    for path in pathlib.Path('/proc').glob('[0-9]*/environ'):
        try:
            if str(folder).encode() in path.read_bytes():
                found.append(path.parent.name)
        except OSError:
            continue
    return found


def copies_and_pastes(session, client):
    client.copy_bytes('grüße'.encode())
    until(lambda: client.paste_bytes() == 'grüße'.encode(), 'text is pasted')
    client.copy_bytes(png(), 'image/png')
    until(lambda: client.paste_bytes('image/png') == png(), 'an image is pasted')
    client.end_owners()
    until(lambda: client.paste_bytes('image/png') == b'', 'the owner has gone')


@fact('/session/sway-copies-and-pastes')
def sway():
    with Session('sway') as session:
        copies_and_pastes(session, WlClipboard(session))
        copies_and_pastes(session, DataControl(session))


@fact('/session/x11-copies-and-pastes')
def x11():
    with Session('x11') as session:
        copies_and_pastes(session, Xclip(session))


@fact('/session/our-own-compositor-copies-and-pastes')
def own_compositor():
    for display, clients in (('ext', [DataControl]), ('wlr', [DataControl, WlClipboard])):
        with Session(display, programs=Programs()) as session:
            for client in clients:
                copies_and_pastes(session, client(session))


@fact('/session/a-text-field-copies-and-pastes')
def text_field():
    for display, client in (('sway', WlClipboard), ('x11', Xclip)):
        with Session(display) as session:
            tool, field = client(session), TextField(session)
            tool.copy_bytes(b'from outside')
            until(lambda: field.paste() == 'from outside', 'the field has pasted')
            field.copy('from the field')
            until(lambda: tool.paste_bytes() == b'from the field', 'the field has copied')


@fact('/session/nothing-is-left')
def nothing_is_left():
    with Session('sway') as session:
        WlClipboard(session).copy_bytes(b'stays in the background')
        session.start('sh', '-c', 'trap "" TERM; exec tail -f /dev/null', name='stubborn')
        session.patience = 0.2
        until(lambda: len(commands_of(session.folder)) >= 4, 'there is something to end')
    equal(descendants(os.getpid()), [], 'processes below us')
    true(not session.folder.exists(), 'the folder is gone')


@fact('/session/what-was-killed-takes-its-servers-along')
def killed_launcher():
    process = subprocess.Popen(
        [sys.executable, HERE / 'inside', '--display', 'sway', '--', 'sh', '-c',
         'dirname "$HOME"; exec cat'], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    folder = process.stdout.readline().decode().strip()
    true(len(commands_of(folder)) >= 3, 'the session is there')
    process.send_signal(signal.SIGKILL)
    process.wait()
    until(lambda: not commands_of(folder), 'all of it has ended')
    subprocess.run(['rm', '-r', folder], check=True)
    process.stdin.close()
    process.stdout.close()


@fact('/session/a-missing-program-names-its-package')
def missing_program():
    path = os.environ['PATH']
    os.environ['PATH'] = '/nonexistent'
    try:
        need('Xvfb')
        raise AssertionError('found it')
    except Broken as error:
        equal(str(error), 'Xvfb is missing: install the package xvfb', 'the message')
    finally:
        os.environ['PATH'] = path


@fact('/session/the-environment-is-made-here')
def environment():
    os.environ['CLIPHIST_MAX_ITEMS'] = '1'
    with Session('none') as session:
        true('CLIPHIST_MAX_ITEMS' not in session.env, 'nothing leaks in')
        for key in ('HOME', 'XDG_STATE_HOME', 'XDG_RUNTIME_DIR'):
            true(session.env[key].startswith(str(session.folder)), f'{key} is private')
        names = session.call('org.freedesktop.DBus', '/org/freedesktop/DBus',
                             'org.freedesktop.DBus.ListActivatableNames')
        equal(names.strip(), "(['org.freedesktop.DBus'],)", 'what the bus would start')


if os.geteuid() == 0:
    @fact('/session/runs-as-a-plain-user')
    def plain_user():
        with tempfile.TemporaryDirectory(dir=scratch_parent()) as folder:
            os.chmod(folder, 0o755)  # where our source lies only root may be able to look
            shutil.copytree(HERE, f'{folder}/session')
            for display in ('sway', 'x11'):
                run_as_plain_user(f'{folder}/session/inside', '--display', display, '--',
                                  'id', '-u')


def run_as_plain_user(*command):
    done = subprocess.run(
        ['setpriv', f'--reuid={NOBODY}', f'--regid={NOBODY}', '--clear-groups',
         sys.executable, *command], capture_output=True, text=True, check=False, cwd='/')
    equal((done.returncode, done.stdout), (0, f'{NOBODY}\n'), done.stderr)


main()
