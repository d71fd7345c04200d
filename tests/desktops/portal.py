# SPDX-License-Identifier: LGPL-2.1-or-later
"""`insert` through the real RemoteDesktop portal of GNOME, whose question is answered by keys:
portal.py gnome|new-gnome [FACT...]"""
import contextlib
import pathlib
import sys

from gi.repository import GdkPixbuf

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'session'))
import compositors  # noqa: E402
import gnome  # noqa: E402
from clients import TextField  # noqa: E402
from session import Programs, Session, until  # noqa: E402
from tap import Missing, equal, fact, main, true  # noqa: E402

KIND = sys.argv.pop(1)
IS_NEW = KIND == 'new-gnome'
PROGRAMS = Programs()
LIBEXEC = pathlib.Path('/usr/libexec')
# what has to be there before the next one
SERVICES = {
    'xdg-permission-store': 'org.freedesktop.impl.portal.PermissionStore',
    'xdg-desktop-portal-gnome': 'org.freedesktop.impl.portal.desktop.gnome',
    'xdg-desktop-portal': 'org.freedesktop.portal.Desktop',
}
TITLE_HEIGHT, ACCENT = 46, b'\x35\x84\xe4'
TITLE = 'a => a.meta_window.get_title().toLowerCase() === "remote desktop"'
# to the switch, which is turned on; past Cancel to Share
YES = '\t', ' ', '\t', '\t', '\r'
NO = ('\x1b',)


class Desk:
    def __init__(self, session):
        self.session = session
        self._start_portals()
        self.field = TextField(session)
        self.field.clear()
        for text in (b'older', b'newer'):
            session.cliphist('store', data=text)

    def _start_portals(self):
        tree = compositors.tree_with('gnome-shell') if IS_NEW else pathlib.Path('/')
        run = self.session.folder / 'run'
        for program, name in SERVICES.items():
            path = LIBEXEC / program
            if not (tree / path.relative_to('/')).exists():
                raise Missing(f'{program} is not in {tree}')
            self.session.start(
                *(compositors.inside(self.session, tree) if IS_NEW else []), path, name=program,
                env={'DBUS_SYSTEM_BUS_ADDRESS': f'unix:path={run / "system-bus"}',
                     'XDG_CURRENT_DESKTOP': 'GNOME'})
            until(lambda name=name: self.session.has_owner(name), f'{program} is there')

    def is_asking(self):
        count = gnome.evaluate(self.session, f'global.get_window_actors().filter({TITLE}).length')
        return count == '1'

    def answer(self, keys):
        until(self.is_asking, 'the user is asked')
        gnome.evaluate(self.session, f'global.get_window_actors().find({TITLE})'
                       '.meta_window.activate(global.get_current_time())')
        until(lambda: 'emote' in gnome.evaluate(self.session,
                                                'global.display.focus_window.get_title()'),
              'the question has the focus')
        for key in keys:
            self.session.keyboard.type(key)
            if key == ' ':  # the switch takes a moment
                until(self.may_share, 'it may be shared')
        until(lambda: not self.is_asking(), 'it is answered')

    def may_share(self):
        """Whether the button has the colour of what can be pressed."""
        path = self.session.folder / 'screen.png'
        frame = gnome.evaluate(self.session, f'(r => [r.x, r.y, r.width, {TITLE_HEIGHT}].join())'
                               f'(global.get_window_actors().find({TITLE})'
                               '.meta_window.get_frame_rect())')
        self.session.call('org.gnome.Shell.Screenshot', '/org/gnome/Shell/Screenshot',
                          'org.gnome.Shell.Screenshot.ScreenshotArea',
                          *frame.strip('"').split(','), 'false', path)
        image = GdkPixbuf.Pixbuf.new_from_file(str(path))
        pixels, step = image.get_pixels(), image.get_n_channels()
        return sum(pixels[at:at + 3] == ACCENT for at in range(0, len(pixels), step)) > 500

    def insert(self, number, keys=None):
        """Inserts an entry, with the question answered where it is to come; the process, ended."""
        process = self.session.start(PROGRAMS.cliphist, 'insert', number, name='insert')
        if keys:
            self.answer(keys)
        process.wait(20)
        return process.returncode

    def inserted(self, number, text, keys=None):
        self.field.clear()
        equal(self.insert(number, keys), 0, f'exit status: {self.session.log("insert")}')
        until(lambda: self.field.text() == text, f'{text!r} is in the field')


@contextlib.contextmanager
def desk():
    with Session(KIND, programs=PROGRAMS) as session:
        session.start_daemon()
        session.wait_backend('mutter')
        yield Desk(session)
        equal(session.stop(session.daemon), 0, 'exit status of the daemon')


def name(words):
    return f'/portal/{KIND}/{words}'


@fact(name('an-entry-is-pasted-once-the-user-has-said-yes'))
def allowed():
    with desk() as d:
        d.inserted(1, 'older', YES)
        # 43 knows no answer that lasts
        d.inserted(2, 'newer', None if IS_NEW else YES)


@fact(name('who-says-no-gets-no-key'))
def refused():
    with desk() as d:
        equal(d.insert(1, NO), 1, 'exit status')
        true('does not allow it' in d.session.log('insert'), d.session.log('insert'))
        equal(d.field.text(), '', 'what is in the field')


main()
