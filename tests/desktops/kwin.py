# SPDX-License-Identifier: LGPL-2.1-or-later
"""Whom a copy is taken to be of in KWin, which tells it only to those whose desktop file asks for
it: kwin.py kwin|new-kwin BUILD [FACT...]
"""
import contextlib
import pathlib
import shutil
import signal
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'session'))
import compositors  # noqa: E402
from clients import DataControl  # noqa: E402
from session import Programs, Session, until  # noqa: E402
from tap import equal, fact, main, true  # noqa: E402

KIND, BUILD = sys.argv.pop(1), pathlib.Path(sys.argv.pop(1)).resolve()
PROGRAMS = Programs(BUILD)
ENTRY = 'org.cliphist.Cliphistd.desktop'

# where Plasma says which folders have entries; without one KWin knows of no entry
MENU = """<!DOCTYPE Menu PUBLIC "-//freedesktop//DTD Menu 1.0//EN"
  "http://www.freedesktop.org/standards/menu-spec/1.0/menu.dtd">
<Menu>
  <Name>Applications</Name>
  <DefaultAppDirs/>
  <Include><All/></Include>
</Menu>
"""

WINDOW = """
import sys
import gi
gi.require_version('Gdk', '3.0')
gi.require_version('Gtk', '3.0')
from gi.repository import Gdk, GLib, Gtk
def changed(window, event):
    if event.new_window_state & Gdk.WindowState.FOCUSED:
        print('has the focus', flush=True)
GLib.set_prgname(sys.argv[1])
window = Gtk.Window(title='window')
window.connect('window-state-event', changed)
window.show_all()
Gtk.main()
"""


class Desk:
    def __init__(self, session):
        self.session = session
        self.client = DataControl(session)

    def previews(self):
        return [line.split('\t', 1)[1] for line in self.session.listed().decode().splitlines()]

    def window(self, name):
        """A window of a program of that name, which gets the focus as it comes."""
        process = self.session.start(sys.executable, '-c', WINDOW, name, name=name,
                                     stdout=subprocess.PIPE)
        equal(self.session.first_line(process.stdout, name), 'has the focus', 'what it says')
        return process

    def copy(self, text):
        self.client.copy_bytes(text.encode())
        until(lambda: self.client.paste_bytes() == text.encode(), f'{text!r} is on the clipboard')

    def refusals(self):
        return self.session.log('cliphistd').count('copy dropped: ignored')

    def is_refused(self, text):
        """What the daemon has decided about a copy."""
        earlier = self.refusals()
        self.copy(text)
        until(lambda: self.refusals() > earlier or text in self.previews(), f'{text!r} is decided')
        return self.refusals() > earlier

    def await_focus(self):
        """Until KWin has told the daemon, too, who has it: the window hears of it before."""
        probes = iter(range(1000))
        until(lambda: self.is_refused(f'probe {next(probes)}'), 'the daemon knows whose it is')

    def copy_kept(self, text):
        def is_kept():
            self.client.copy_bytes(text.encode())
            return text in self.previews()
        until(is_kept, f'{text!r} is kept')


def install(session, entry):
    """The daemon as it is installed: a program, and the entry of a menu that has its path."""
    daemon = session.folder / 'libexec' / 'cliphistd'
    daemon.parent.mkdir(mode=0o755)
    shutil.copy2(PROGRAMS.cliphistd, daemon)
    menus = session.folder / 'config' / 'menus'
    menus.mkdir()
    (menus / 'applications.menu').write_text(MENU)
    applications = session.folder / 'data' / 'applications'
    applications.mkdir()
    if entry:
        lines = (BUILD / 'data' / 'desktop' / ENTRY).read_text().splitlines()
        lines = [f'Exec={daemon}' if line.startswith('Exec=') else line for line in lines]
        (applications / ENTRY).write_text('\n'.join(lines) + '\n')
    return daemon


@contextlib.contextmanager
def desk(entry=True):
    class Installed(Session):
        checks_permissions = True

        def start_display(self):
            self.daemon_path = install(self, entry)
            super().start_display()

    with Installed(KIND, programs=Programs(BUILD)) as session:
        session.programs.cliphistd = session.daemon_path
        session.start_daemon(env={'CLIPHIST_IGNORE_APP': 'secret*',
                                  'G_MESSAGES_DEBUG': 'clip-history'})
        until(lambda: compositors.backend(session), 'the display is watched')
        yield Desk(session)
        equal(session.stop(session.daemon), 0, 'exit status of the daemon')


def name(words):
    return f'/{KIND}/{words}'


@fact(name('what-an-ignored-program-copies-while-it-has-the-focus-is-ignored'))
def ignored():
    with desk() as d:
        d.copy_kept('before')
        window = d.window('secret-keeper')
        d.await_focus()
        for number in range(3):
            true(d.is_refused(f'nobody asked for it {number}'), f'copy {number} is refused')
        d.session.kill(window)
        d.copy_kept('after')
        kept = [text for text in d.previews() if not text.startswith('probe')]
        equal(kept, ['after', 'before'], 'the list')


@fact(name('what-is-copied-as-the-window-comes-is-ignored-too'))
def at_once():
    with desk() as d:
        d.copy_kept('before')
        # all of it is told in one breath then: the window, of which nothing is known before it was
        # asked for, and what was copied last
        d.session.daemon.send_signal(signal.SIGSTOP)
        window = d.window('secret-keeper')
        for number in range(3):
            d.copy(f'nobody asked for it {number}')
        d.session.daemon.send_signal(signal.SIGCONT)
        until(lambda: d.refusals() > 0 or len(d.previews()) > 1, 'it is decided')
        d.session.kill(window)
        d.copy_kept('after')
        equal(d.previews(), ['after', 'before'], 'the list')


@fact(name('another-window-that-has-the-focus-is-none-of-it'))
def another():
    with desk() as d:
        d.window('secret-keeper')
        window = d.window('another')
        d.copy_kept('of another program')
        d.session.kill(window)


@fact(name('without-the-entry-nobody-tells'))
def no_entry():
    with desk(entry=False) as d:
        d.window('secret-keeper')
        d.copy('of anybody')
        until(lambda: d.previews() == ['of anybody'], 'it is kept')


main()
