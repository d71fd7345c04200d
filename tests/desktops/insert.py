# SPDX-License-Identifier: LGPL-2.1-or-later
"""`insert` on GNOME; and through its RemoteDesktop portal, whose question is answered by keys, for who
does not see the shell itself: insert.py gnome|new-gnome [FACT...]"""
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
SHIFT, SUPER = 0xffe1, 0xffeb
SOURCES = 'Main.panel.statusArea.keyboard._inputSourceManager'


class Desk:
    env = None

    def __init__(self, session):
        self.session = session
        self.field = TextField(session)
        self.field.clear()
        for text in (b'older', b'newer'):
            session.cliphist('store', data=text)

    def start_insert(self, number):
        return self.session.start(PROGRAMS.cliphist, 'insert', number, name='insert', env=self.env)

    def inserted(self, number, text):
        self.field.clear()
        process = self.start_insert(number)
        process.wait(20)
        equal(process.returncode, 0, f'exit status: {self.session.log("insert")}')
        until(lambda: self.field.text() == text, f'{text!r} is in the field')

    def use_layouts(self, *names):
        """The last one is active."""
        sources = ', '.join(f"('xkb', '{name}')" for name in names)
        self.session.env['GSETTINGS_BACKEND'] = 'keyfile'  # as the shell has it
        self.session.run('gsettings', 'set', 'org.gnome.desktop.input-sources', 'sources', f'[{sources}]')
        until(lambda: gnome.evaluate(self.session, f'Object.keys({SOURCES}.inputSources).length') == str(len(names)),
              'the shell has them')
        gnome.evaluate(self.session, f'{SOURCES}.inputSources[{len(names) - 1}].activate(true)')
        until(lambda: gnome.evaluate(self.session, f'{SOURCES}.currentSource.id').strip('"') == names[-1],
              'it is active')

    def current(self):
        return int(self.session.get_property('Current').split()[1].strip('>,)') or 0)


class PortalDesk(Desk):
    """What is inserted sees the bus through a proxy, which hides the shell."""

    def __init__(self, session):
        self._start_portals(session)
        super().__init__(session)
        address = session.folder / 'run' / 'filtered-bus'
        seen = ('org.freedesktop.portal.Desktop', 'org.cliphist.History1')
        session.start('xdg-dbus-proxy', session.env['DBUS_SESSION_BUS_ADDRESS'], address, '--filter',
                      *(f'--talk={name}' for name in seen), name='proxy')
        until(address.exists, 'the proxy is there')
        self.env = {'DBUS_SESSION_BUS_ADDRESS': f'unix:path={address}'}

    def _start_portals(self, session):
        tree = compositors.tree_with('gnome-shell') if IS_NEW else pathlib.Path('/')
        run = session.folder / 'run'
        for program, name in SERVICES.items():
            path = LIBEXEC / program
            if not (tree / path.relative_to('/')).exists():
                raise Missing(f'{program} is not in {tree}')
            session.start(
                *(compositors.inside(session, tree) if IS_NEW else []), path, name=program,
                env={'DBUS_SYSTEM_BUS_ADDRESS': f'unix:path={run / "system-bus"}',
                     'XDG_CURRENT_DESKTOP': 'GNOME'})
            until(lambda name=name: session.has_owner(name), f'{program} is there')

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

    def insert(self, number, keys):
        """The process, ended, once the question was answered."""
        process = self.start_insert(number)
        self.answer(keys)
        process.wait(20)
        return process.returncode


@contextlib.contextmanager
def desk(kind):
    with Session(KIND, programs=PROGRAMS) as session:
        session.start_daemon()
        session.wait_backend('mutter')
        yield kind(session)
        equal(session.stop(session.daemon), 0, 'exit status of the daemon')


def name(words):
    return f'/insert/{KIND}/{words}'


@fact(name('an-entry-is-pasted-and-nobody-is-asked'))
def pasted():
    with desk(Desk) as d:
        for _ in range(10):
            d.inserted(1, 'older')
            d.inserted(2, 'newer')


@fact(name('a-key-that-calls-it-is-let-go-of-first'))
def held():
    with desk(Desk) as d:
        d.session.keyboard.move(f'+{SUPER}', f'+{SHIFT}')
        process = d.start_insert(1)
        until(lambda: d.current() == 1, 'it is on the clipboard')
        d.session.keyboard.move(f'-{SUPER}', f'-{SHIFT}')
        process.wait(20)
        until(lambda: d.field.text() == 'older', 'it is pasted')


@fact(name('the-overview-is-left-first'))
def overview():
    with desk(Desk) as d:
        for number, text in ((1, 'older'), (2, 'newer')):
            gnome.evaluate(d.session, 'Main.overview.show()')
            until(lambda: gnome.evaluate(d.session, 'Main.overview.visible') == 'true', 'it is there')
            d.inserted(number, text)
            equal(gnome.evaluate(d.session, 'Main.overview.visible'), 'false', 'whether it is there')


@fact(name('layouts-without-a-v-paste-as-others-do'))
def layouts():
    with desk(Desk) as d:
        for names in (('us', 'ru'), ('ru',), ('gr', 'fr'), ('ru', 'us+dvorak'), ('ru', 'tr+f'), ('iq+ku_f',)):
            d.use_layouts(*names)
            d.inserted(1, 'older')
            d.inserted(2, 'newer')


@fact(name('an-entry-is-pasted-once-the-user-has-said-yes'))
def allowed():
    with desk(PortalDesk) as d:
        equal(d.insert(1, YES), 0, d.session.log('insert'))
        until(lambda: d.field.text() == 'older', 'it is pasted')
        d.field.clear()
        if IS_NEW:  # 43 knows no answer that lasts
            d.inserted(2, 'newer')


@fact(name('the-portal-presses-a-v-that-the-layout-lacks'))
def allowed_by_place():
    with desk(PortalDesk) as d:
        d.use_layouts('us', 'ru')
        equal(d.insert(1, YES), 0, d.session.log('insert'))
        until(lambda: d.field.text() == 'older', 'it is pasted')


@fact(name('who-says-no-gets-no-key'))
def refused():
    with desk(PortalDesk) as d:
        equal(d.insert(1, NO), 1, 'exit status')
        true('does not allow it' in d.session.log('insert'), d.session.log('insert'))
        equal(d.field.text(), '', 'what is in the field')


main()
