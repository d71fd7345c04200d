# SPDX-License-Identifier: LGPL-2.1-or-later
"""What the daemon says, on the screens that people have: notifications.py BUILD [FACT...]

With $CLIP_PICTURES a picture of each screen goes into that folder.
"""
import contextlib
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'session'))
from session import PACKAGES, Programs, Session, until  # noqa: E402
from tap import equal, fact, main, note, true  # noqa: E402

PROGRAMS = Programs(sys.argv.pop(1))
PACKAGES.update({'mako': 'mako-notifier', 'makoctl': 'mako-notifier', 'dunst': 'dunst',
                 'dunstctl': 'dunst', 'import': 'imagemagick'})
NAME = 'org.freedesktop.Notifications'


@contextlib.contextmanager
def screen(display, server, *options):
    with Session(display, programs=PROGRAMS) as session:
        process = session.start(server, *options)
        session.wait_for(process, lambda: session.has_owner(NAME), f'{server} is there')
        session.start_daemon()
        yield session


def take_picture(session, name, *argv):
    folder = os.environ.get('CLIP_PICTURES')
    if folder:
        session.run(*argv, pathlib.Path(folder).resolve() / name)
        note(f'{name} is in {folder}')


def paused_until(session):
    return session.get_property('PausedUntil')


@fact('/notifications/mako-shows-a-pause-and-a-click-ends-it')
def mako():
    with screen('sway', 'mako', '--default-timeout=0') as session:
        session.cliphist('pause', '1h')
        shown = until(lambda: (text := session.run('makoctl', 'list').stdout.decode()) and
                      'is paused' in text and text, 'mako shows the pause')
        true('Resume' in shown, shown)
        until(lambda: session.run('grim', '-').stdout, 'the screen can be seen')
        take_picture(session, 'mako.png', 'grim', '-g', '860,0 420x160')
        session.run('makoctl', 'invoke', '-n', '1', 'do')
        until(lambda: '<int64 0>' in paused_until(session), 'the pause has ended')


@fact('/notifications/dunst-shows-one-bubble-for-a-pause-and-its-end')
def dunst():
    with screen('x11', 'dunst') as session:
        session.cliphist('pause', '1h')
        count = ('dunstctl', 'count', 'displayed')
        until(lambda: session.run(*count).stdout.strip() == b'1', 'dunst shows the pause')
        take_picture(session, 'dunst.png', 'import', '-window', 'root', '-crop', '420x160+860+0', '+repage')
        session.run('dunstctl', 'action', '0')
        until(lambda: '<int64 0>' in paused_until(session), 'the pause has ended')
        equal(session.run(*count).stdout.strip(), b'1', 'bubbles')


main()
