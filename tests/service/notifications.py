# SPDX-License-Identifier: LGPL-2.1-or-later
"""What the daemon says, on the screens that people have: notifications.py BUILD [FACT...]

With $CLIP_PICTURES pictures of mako and dunst go into that folder, for which grim and ImageMagick
are needed.
"""
import contextlib
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'session'))
from clients import WlClipboard, write_text  # noqa: E402
from session import BUS_NAME, BUS_PATH, PACKAGES, Programs, Session, until  # noqa: E402
from tap import equal, fact, main, note, true  # noqa: E402

PROGRAMS = Programs(sys.argv.pop(1))
PACKAGES.update({'makoctl': 'mako-notifier', 'dunst': 'dunst',
                 'dunstctl': 'dunst', 'convert': 'imagemagick'})
NAME = 'org.freedesktop.Notifications'


@contextlib.contextmanager
def screen(display, server, *options, **settings):
    with Session(display, programs=PROGRAMS) as session:
        process = session.start(server, *options)
        session.wait_for(process, lambda: session.has_owner(NAME), f'{server} is there')
        session.start_daemon(env={f'CLIPHIST_{key}': value for key, value in settings.items()})
        if display == 'sway':
            session.wait_backend('wlr')
        yield session


def take_picture(session, name, area):
    folder = os.environ.get('CLIP_PICTURES')
    if folder:
        path = pathlib.Path(folder).resolve() / name
        until(lambda: session.run('grim', '-').stdout, 'the screen can be seen')
        session.run('grim', '-g', area, path)
        session.run('convert', path, '-strip', '+dither', '-colors', '64', f'png8:{path}')
        note(f'{name} is in {folder}')


def mako_shows(session, words):
    return until(lambda: (text := session.shown_by_mako()) and
                 words in text and text, f'mako shows: {words}')


def displayed(session):
    """How many bubbles dunst shows."""
    return int(session.run('dunstctl', 'count', 'displayed').stdout)


def paused_until(session):
    return session.get_property('PausedUntil')


@fact('/notifications/mako-shows-a-pause-and-a-click-ends-it')
def mako():
    with screen('sway', 'mako', '--default-timeout=0') as session:
        session.cliphist('pause', '1h')
        words = mako_shows(session, 'is paused')
        # mako says that it has buttons, and shows none
        true('Resume' in words and 'cliphist resume' in words, words)
        session.run('makoctl', 'invoke', '-n', '1', 'do')
        until(lambda: '<int64 0>' in paused_until(session), 'the pause has ended')


@fact('/notifications/mako-shows-what-was-too-large-and-a-click-keeps-it')
def mako_keeps():
    with screen('sway', 'mako', '--default-timeout=0', '--height=200',
                MAX_STORE_SIZE='1MiB') as session:
        path = write_text(session.folder / 'large', 2)
        client = WlClipboard(session)
        client.copy(path)
        true('Keep anyway' in mako_shows(session, 'too large'), 'what can be clicked')
        take_picture(session, 'notification-mako.png', '900,0 380x150')
        equal(session.listed(), b'', 'the list')
        session.run('makoctl', 'invoke', '-n', '1', 'do')
        until(session.listed, 'it is in the list')
        true(session.cliphist('decode', '1').stdout == path.read_bytes(), 'it is what was copied')


@fact('/notifications/what-the-search-found-and-is-gone-is-told')
def gone():
    with screen('sway', 'mako', '--default-timeout=0') as session:
        session.cliphist('store', data=b'a text')
        session.cliphist('remove', '1')
        session.run('busctl', '--user', 'call', BUS_NAME, f'{BUS_PATH}/SearchProvider',
                    'org.gnome.Shell.SearchProvider2', 'ActivateResult', 'sasu', '1', '0', '0', check=False)
        true('deleted meanwhile' in mako_shows(session, 'Nothing was copied'), 'why')


@fact('/notifications/dunst-shows-how-far-a-long-paste-is')
def dunst_progress():
    with screen('sway', 'dunst') as session:
        path = write_text(session.folder / 'large', 32)
        with open(path, 'rb') as file:
            session.cliphist('store', stdin=file)
        session.cliphist('copy', '1')
        reader = session.start('wl-paste', '--no-newline', stdout=subprocess.PIPE)
        taken = len(reader.stdout.read(20 << 20))
        until(lambda: displayed(session) == 1, 'dunst shows it')
        take_picture(session, 'notification-dunst.png', '900,0 380x140')
        taken += len(reader.stdout.read())
        equal(taken, path.stat().st_size, 'bytes pasted')
        until(lambda: displayed(session) == 0, 'it is gone when the paste has ended')


@fact('/notifications/dunst-shows-one-bubble-for-a-pause-and-its-end')
def dunst():
    with screen('x11', 'dunst') as session:
        session.cliphist('pause', '1h')
        until(lambda: displayed(session) == 1, 'dunst shows the pause')
        session.run('dunstctl', 'action', '0')
        until(lambda: '<int64 0>' in paused_until(session), 'the pause has ended')
        equal(displayed(session), 1, 'bubbles')


main()
