# SPDX-License-Identifier: LGPL-2.1-or-later
"""A desktop with the daemon, a text field that has the focus, hands, and the window behind its key."""
import contextlib
import json
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / 'session'), str(HERE.parent / 'apps')]
from clients import TextField  # noqa: E402
from hands import KEYCODES, Hands, SwayHands, X11Hands  # noqa: E402
import session as sessions  # noqa: E402
from session import BUS_NAME, BUS_PATH, Broken, Programs, Session  # noqa: E402
from tap import equal, true  # noqa: E402

NAME = 'org.cliphist.Cliphist'
PATH = '/org/cliphist/Cliphist'
LAUNCHER = '/usr/libexec/at-spi-bus-launcher'


# GTK 4.24 tells a screen reader of a widget that has just gone, which has no path any more, and counts a
# frame of a menu that closes twice; GTK 4.8 loses count of what is pressed in a menu that closes below the
# pointer. We make none of them
OF_GTK = ('g_variant_is_object_path: assertion', 'g_variant_new_object_path: assertion',
          'gdk_frame_timings_submitted() called on submitted frame', 'Broken accounting of active state')


def until(fact, what, seconds=60):
    """GTK 4.8 does not bear to be asked while it makes its window: not too often."""
    return sessions.until(fact, what, seconds, pause=0.05)


class BareHands(X11Hands):
    """xdotool on a server without a window manager."""

    def __init__(self, session):
        self.session = session

    def press(self, chord):
        self.session.run('xdotool', 'key', KEYCODES.get(chord, chord))

    def title(self):
        return self.session.run('xdotool', 'getwindowfocus', 'getwindowname', check=False).stdout.decode().strip()


class KwinHands(SwayHands):
    """Keys alone. Who has the focus it does not say."""
    display = 'KWin'


KEYSYMS = {
    'shift': 0xffe1, 'ctrl': 0xffe3, 'alt': 0xffe9, 'super': 0xffeb, 'space': 0x20, 'comma': 0x2c, 'Return': 0xff0d,
    'Escape': 0xff1b, 'Tab': 0xff09, 'BackSpace': 0xff08, 'Delete': 0xffff, 'Home': 0xff50, 'End': 0xff57, 'Left': 0xff51,
    'Up': 0xff52, 'Right': 0xff53, 'Down': 0xff54, 'Page_Up': 0xff55, 'Page_Down': 0xff56, 'Menu': 0xff67, 'F1': 0xffbe,
    'F2': 0xffbf, 'F10': 0xffc7}


class GnomeHands(Hands):
    def __init__(self, session):
        self.session = session

    def type(self, text):
        self.session.keyboard.type(text)

    def press(self, chord):
        keys = [KEYSYMS.get(key) or ord(key) for key in chord.split('+')]
        self.session.keyboard.move(*(f'+{key}' for key in keys), *(f'-{key}' for key in reversed(keys)))


# as it calls itself
CALLED = {'openbox': 'openbox', 'sway': 'sway', 'kwin': 'KDE', 'gnome': 'GNOME'}

# by the desktop: the display of the session, what the daemon watches there, and the hands
DESKTOPS = {
    'openbox': ('x11', 'x11', X11Hands),
    'bare': ('x11', 'x11', BareHands),
    'sway': ('sway', 'wlr', SwayHands),
    'kwin': ('kwin', 'wlr', KwinHands),
    'gnome': ('gnome', 'mutter', GnomeHands),
}

# those that say which window has the focus
SAY_FOCUS = ('openbox', 'bare', 'sway')


class WindowSession(Session):
    """One that screen readers may ask."""

    def _make_environment(self):
        super()._make_environment()
        for name in ('GTK_A11Y', 'NO_AT_BRIDGE'):
            del self.env[name]
        # the window has the command set what is set
        folder = self.programs.cliphist.parent
        self.env['PATH'] = f"{folder}:{self.env['PATH']}"
        self.env['CLIPHIST_LIBEXEC'] += f':{folder / "window"}'
        # what GTK, Pango and fontconfig keep until the end is theirs
        options = self.env.get('ASAN_OPTIONS', '')
        self.env['ASAN_OPTIONS'] = f'{options}:detect_leaks=0'.lstrip(':')


class Reader:
    """What a screen reader is told."""

    def __init__(self, session):
        self.session = session
        self.process = session.start(sys.executable, HERE / 'accessible.py', name='accessible',
                                     stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        session.first_line(self.process.stdout, 'the reader')
        self.rest = b''

    def ask(self, words):
        os.write(self.process.stdin.fileno(), words.encode() + b'\n')
        answer = self.rest
        while not answer.endswith(b'\n'):
            more = os.read(self.process.stdout.fileno(), 1 << 16)
            true(more, 'the reader answers')
            answer += more
        return json.loads(answer)


class WindowDesk:
    def __init__(self, session, kind):
        self.session = session
        self.kind = kind
        hands = DESKTOPS[kind][2]
        self.hands = hands(session) if hands else None
        self.field = None
        self._reader = None

    # the history

    def store(self, *texts):
        for text in texts:
            self.session.cliphist('store', data=text if isinstance(text, bytes) else text.encode())

    def newest(self, *options):
        lines = self.session.listed('--json', *options).splitlines()
        return [json.loads(line) for line in lines]

    def focused_field(self, program=None):
        if self.kind in ('sway', 'kwin'):
            # the keyboard of the hands is the seat's, and stays
            self.session.keyboard = self.hands
        self.field = TextField(self.session, program=program)
        if self.kind == 'bare':
            self.session.run('xdotool', 'search', '--sync', '--onlyvisible', '--name',
                             '^text field$', 'windowfocus')
        return self.field

    def click_field(self):
        """Where the window does not cover it."""
        if self.kind == 'sway':
            self.hands.click(3, 3)
            return
        found = self.session.run('xdotool', 'search', '--onlyvisible', '--name', '^text field$').stdout
        field = found.split()[0].decode()
        self.session.run('xdotool', 'windowmove', '--sync', field, 4, 4, 'mousemove', '--window', field, 12, 12, 'click', 1)

    def click_window(self, x, y, button=1, *times):
        """On X11, from the corner of the window."""
        self.session.run('xdotool', 'search', '--onlyvisible', '--name', '^Clipboard history$',
                         'mousemove', '--window', '%1', x, y, 'click', *times, button)

    # the window

    def toggle(self, *words):
        """What its key does."""
        self.session.cliphist('window', *words)

    def open(self, *words):
        self.toggle(*words)
        self.wait_open()

    def wait_open(self):
        until(self.is_open, 'the window is there and has the focus')

    def wait_closed(self):
        until(lambda: not self.showing() and self.field_has_focus() in (None, True), 'the window is gone')

    def ask(self, words):
        """None while there is no window."""
        if not self._reader:
            self._reader = Reader(self.session)
        return self._reader.ask(words)

    def act(self, name):
        """Does what the button of that name does."""
        until(lambda: self.ask(f'press {name}'), f'{name!r} is pressed')

    def text_of(self, name):
        return self.ask(f'text {name}')

    def boxes(self, role):
        """The name of each of that role, and where it is: x, y, width, height from the corner of the window."""
        roles = ('button', 'push button') if role == 'button' else (role,)
        return [(name, box) for its_role, name, box in self.ask('boxes') if its_role in roles]

    def box(self, role, words):
        """Of the first whose name begins so."""
        boxes = self.boxes(role)
        found = [box for name, box in boxes if name.startswith(words)]
        true(found, f'{role} {words!r} among {boxes}')
        return found[0]

    def colours(self, box):
        """Those of the screen within a box of the window, on X11."""
        words = self.session.run('xdotool', 'search', '--onlyvisible', '--name', '^Clipboard history$',
                                 'getwindowgeometry', '--shell').stdout.decode().split()
        at = dict(word.split('=') for word in words)
        return self.field.colours(int(at['X']) + box[0], int(at['Y']) + box[1], *box[2:])

    def everything(self, **wanted):
        """Every accessible whose properties are these."""
        found, nodes = [], [self.ask('tree')]
        while nodes:
            node = nodes.pop(0)
            if node and all(node.get(key) == value for key, value in wanted.items()):
                found.append(node)
            nodes = (node or {}).get('children', []) + nodes
        return found

    def showing(self):
        frame = self.ask('frame')
        return bool(frame) and 'showing' in frame['states']

    def pid(self):
        reply = self.session.call('org.freedesktop.DBus', '/',
                                  'org.freedesktop.DBus.GetConnectionUnixProcessID', NAME)
        return int(reply.split()[1].strip('(),'))

    def is_open(self):
        return self.showing() and self.has_focus() and not self.field_has_keys()

    def field_has_focus(self):
        """As the desktop says: it has it before the window is told, and keys go by it. None where nobody knows."""
        return self.hands.title() == 'text field' if self.field and self.kind in SAY_FOCUS else None

    def field_has_keys(self):
        """Where the desktop does not say it, as the field was told: GTK says of a window that was hidden with the
        focus that it still has it."""
        return self.field_has_focus() if self.kind in SAY_FOCUS else self.field and self.field.has_focus()

    def has_focus(self):
        return self.ask('focus') is True

    def rows(self):
        """The names of the rows, from the top."""
        return [row['name'] for row in self.row_nodes()]

    def row_nodes(self):
        return self.ask('rows') or []

    def focuses(self, name):
        # a field that has the focus may be a child of the one that has the name
        nodes = self.everything()
        return any('focused' in child['states'] for node in nodes if node and node['name'].endswith(name)
                   for child in [node, *node['children']])

    def wait_focus(self, name):
        until(lambda: self.focuses(name), f'{name!r} has the focus')

    def wait_focus_on(self, role):
        until(lambda: any('focused' in node['states'] for node in self.everything(role=role)),
              f'a {role} has the focus')

    def shows(self, name):
        """Whether there is such a thing: of a page that is not the one on top, too."""
        return bool(self.everything(name=name))

    def choose_in_menu(self, letter):
        """By the letter that is underlined."""
        self.hands.press('F10')
        self.wait_focus_on('menu item')
        self.hands.press(letter)

    def offered(self):
        """The types that are on the clipboard."""
        ways = {'sway': ('wl-paste', '--list-types')}
        words = ways.get(self.kind, ('xclip', '-selection', 'clipboard', '-out', '-target', 'TARGETS'))
        return self.session.run(*words, check=False).stdout.decode().split()

    def store_types(self, contents):
        """One entry of several types."""
        from gi.repository import Gio, GLib
        bus = Gio.DBusConnection.new_for_address_sync(
            self.session.env['DBUS_SESSION_BUS_ADDRESS'],
            Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION,
            None, None)
        fds = Gio.UnixFDList()
        rows = []
        for mime, content in contents.items():
            fd = os.memfd_create(mime.replace('/', ' '))
            os.write(fd, content)
            os.lseek(fd, 0, os.SEEK_SET)
            rows.append((mime, fds.append(fd)))
            os.close(fd)
        bus.call_with_unix_fd_list_sync(
            BUS_NAME, BUS_PATH, BUS_NAME, 'Store', GLib.Variant('(a(sh)a{sv})', (rows, {})), None,
            Gio.DBusCallFlags.NONE, -1, fds, None)
        bus.close_sync()

    def selected(self):
        return [row['name'] for row in self.row_nodes() if 'selected' in row['states']]

    def wait_rows(self, *wanted):
        """Waits until the rows begin with these words."""
        got = []

        def fits():
            got[:] = self.rows()
            return len(got) == len(wanted) and all(
                name.startswith(words) for name, words in zip(got, wanted))
        try:
            until(fits, f'the rows are {wanted}')
        except Broken:
            raise Broken(f'the rows are {got}, not {wanted}') from None

    def pasted(self, text):
        until(lambda: self.field.text() == text, f'{text!r} is in the field, not {self.field.text()!r}')

    def current(self):
        return int(self.session.get_property('Current').split()[1].strip('>,)') or 0)

    def take_over(self):
        """A daemon of ours in the place of one that the bus has started, to end it."""
        self.session.daemon = self.session.start(self.session.programs.cliphistd, '--replace')
        until(lambda: str(self.session.daemon.pid) in self.session.call(
            'org.freedesktop.DBus', '/org/freedesktop/DBus',
            'org.freedesktop.DBus.GetConnectionUnixProcessID', BUS_NAME), 'ours has taken its place')

    def logs(self):
        return self.session.log('dbus-daemon')


def mark_seen(session):
    """The first start is over."""
    seen = pathlib.Path(session.env['XDG_STATE_HOME']) / 'cliphist' / 'window-seen'
    seen.parent.mkdir(mode=0o700, exist_ok=True)
    seen.touch()


@contextlib.contextmanager
def window_desk(kind, first=False, prepare=None, x_options=(), xwayland=False):
    display, backend, _ = DESKTOPS[kind]
    display += '-xwayland' if xwayland else ''
    programs = Programs()
    window = pathlib.Path(programs.cliphist).parent / 'window' / 'cliphist-window'
    made = WindowSession(display, programs=programs)
    made.x_options = x_options
    with made as session:
        session.make_activatable('org.a11y.Bus', LAUNCHER)
        session.make_activatable(NAME, window, '--gapplication-service')
        session.env['XDG_CURRENT_DESKTOP'] = CALLED.get(kind, '')
        if not first:
            mark_seen(session)
        if prepare:
            prepare(session)
        session.start_daemon()
        session.wait_backend(backend)
        desk = WindowDesk(session, kind)
        yield desk
        for words in ('CRITICAL', 'WARNING', 'ERROR: AddressSanitizer', 'runtime error'):
            lines = [line for line in desk.logs().splitlines()
                     if words in line and 'cliphist' in line.lower()
                     and not any(theirs in line for theirs in OF_GTK)]
            equal(lines, [], 'what the window complains of')
        equal(session.stop(session.daemon), 0, 'exit status of the daemon')
