# SPDX-License-Identifier: LGPL-2.1-or-later
"""The window beside CopyQ's and rofi's, on X11 under openbox: milliseconds until it is painted.

The clock runs from the start of the command that a key is bound to, or from a key; it stops at the last
time something is painted (XDamage) before QUIET_S without it. So a window that comes up empty, and is filled
later, counts when it is filled. Carets do not blink, and scroll bars do not fade: GTK paints each step of
that. Of a window that opens the clock stops when its rows look as they do at the end: GDK paints all of them
once more, alike, when the X server has told that they are to be seen. The pointer is not on it.

GDK paints a letter at once, and its results at the earliest 8 to 25 ms later, by when in a frame the key came.
So the keys of each run come at another time of a frame: else all of them have the same luck.
"""
import os
import pathlib
import select
import shutil
import signal
import time

from clients import TextField
from groups.peers import Missing
from groups.store import Place
from rows import Figure, Row
from session import Broken, until
from timing import Result

DISPLAY = 'x11'
ENTRIES = 100_000
SHORTER = 10_000
OF_COPYQ = 5000
QUIET_S = 0.4
LATEST_S = 10
IDLE_S = 10
FRAME_S = 1 / 60
NAME = 'org.cliphist.Cliphist'
LETTERS = 'hol'  # in many of the texts
ROW_PIXELS = 48  # the least height of a window with rows
STRIP_PIXELS = 192  # of each row so much is looked at: a whole window takes the server milliseconds


class Screen:
    """Keys on X11, and when something was painted."""

    def __init__(self, name):
        from Xlib import X, XK, display
        from Xlib.ext import damage, xtest
        self.x, self.keysyms, self.xtest = X, XK, xtest
        self.display = display.Display(name)
        self.display.damage_query_version()
        self.display.screen().root.damage_create(damage.DamageReportRawRectangles)
        self.display.sync()

    def drain(self):
        """What was painted."""
        events = [self.display.next_event() for _ in range(self.display.pending_events())]
        return [event.area for event in events if hasattr(event, 'area')]

    def look(self, area):
        """The pixels in which the words of the rows begin, below a field."""
        return self.display.screen().root.get_image(area.x, area.y + ROW_PIXELS, min(area.width, STRIP_PIXELS),
                                                    area.height - ROW_PIXELS, self.x.ZPixmap, 0xffffffff).data

    def leave(self):
        """Takes the pointer into a corner."""
        self.xtest.fake_input(self.display, self.x.MotionNotify, x=0, y=0)
        self.display.flush()

    def press(self, name):
        code = self.display.keysym_to_keycode(self.keysyms.string_to_keysym(name))
        for kind in (self.x.KeyPress, self.x.KeyRelease):
            self.xtest.fake_input(self.display, kind, code)
        self.display.flush()

    def settle(self):
        """Waits until nothing changes."""
        last = time.monotonic()
        while time.monotonic() - last < QUIET_S:
            if self.wait(QUIET_S):
                last = time.monotonic()

    def wait(self, seconds):
        areas = self.drain()
        if not areas and select.select([self.display.fileno()], [], [], seconds)[0]:
            areas = self.drain()
        return areas

    def follow(self, action):
        """What is painted from the beginning of an action until nothing is: (seconds since, areas)."""
        self.settle()
        start = time.monotonic()
        action()
        last = None
        while not last or time.monotonic() - last < QUIET_S:
            areas = self.wait(QUIET_S)
            if areas:
                last = time.monotonic()
                yield last - start, areas
            elif not last and time.monotonic() - start > LATEST_S:
                raise Broken('nothing was painted')

    def painted(self, action):
        """Until what follows from an action is painted."""
        return Result([seconds for seconds, _ in self.follow(action)][-1], 0)

    def opened(self, action):
        """Until the rows of a window look as they do at the end."""
        looks = [(seconds, (area.x, area.y, area.width, area.height), self.look(area))
                 for seconds, areas in self.follow(action) for area in areas if area.height > ROW_PIXELS]
        if not looks:
            raise Broken('no window was painted')
        last = looks[-1]
        for seconds, *look in reversed(looks):
            if look != list(last[1:]):
                break
            first = seconds
        return Result(first, 0)


class Ours:
    def __init__(self, bench, screen):
        self.bench, self.screen = bench, screen
        program = pathlib.Path(bench.cliphist).parent / 'window' / 'cliphist-window'
        bench.session.make_activatable(NAME, program, '--gapplication-service')

    def toggle(self):
        self.bench.session.start(self.bench.cliphist, 'window', name='window')

    def pid(self):
        reply = self.bench.session.call('org.freedesktop.DBus', '/', 'org.freedesktop.DBus.GetConnectionUnixProcessID',
                                        NAME)
        return int(reply.split()[1].strip('(),'))

    def open(self):
        result = self.screen.opened(self.toggle)
        self.screen.painted(self.toggle)
        return result

    def open_cold(self):
        self.end()
        return self.open()

    def end(self):
        self.bench.session.call(NAME, '/org/cliphist/Cliphist', 'org.freedesktop.Application.ActivateAction',
                                'close', '[]', '{}')
        os.kill(self.pid(), signal.SIGTERM)
        until(lambda: not self.is_running(), 'the window has ended')

    def is_running(self):
        return 'true' in self.bench.session.call('org.freedesktop.DBus', '/',
                                                 'org.freedesktop.DBus.NameHasOwner', NAME)


class Rofi:
    def __init__(self, bench, screen):
        self.bench, self.screen = bench, screen

    def start(self):
        self.bench.session.start('sh', '-c', f'{self.bench.cliphist} list | rofi -dmenu', name='rofi')

    def open(self):
        result = self.screen.opened(self.start)
        self.screen.painted(lambda: self.screen.press('Escape'))
        return result


class CopyQ:
    def __init__(self, bench, screen):
        self.bench, self.screen = bench, screen
        self.server = None
        self.env = {'QT_QPA_PLATFORM': 'xcb'}

    def ask(self, *words):
        return self.bench.session.run('copyq', *words, env=self.env, check=False)

    def serve(self):
        self.server = self.bench.session.start('copyq', name='copyq', env=self.env)
        until(lambda: self.ask('size').returncode == 0, 'CopyQ is ready')

    def fill(self):
        self.serve()
        self.ask('config', 'maxitems', str(OF_COPYQ))
        self.ask('eval', f'for (i = 0; i < {OF_COPYQ}; ++i) insert(0, "a text that was copied, the " + i + "th")')
        if int(self.ask('size').stdout or 0) < OF_COPYQ:
            raise Broken('CopyQ keeps too little')

    def tell(self, word):
        self.bench.session.start('copyq', word, name='copyq-client', env=self.env)

    def open(self):
        result = self.screen.opened(lambda: self.tell('show'))
        self.screen.painted(lambda: self.tell('hide'))
        return result


def memory_mib(pid):
    text = pathlib.Path(f'/proc/{pid}/smaps_rollup').read_text()
    return sum(int(line.split()[1]) for line in text.splitlines() if line.startswith('Private_Dirty:')) / 1024


def wakeups(pid):
    """How often the threads of a process have slept, and gone on."""
    found = 0
    for path in pathlib.Path(f'/proc/{pid}/task').glob('*/status'):
        found += sum(int(line.split()[1]) for line in path.read_text().splitlines()
                     if line.startswith('voluntary_ctxt_switches:'))
    return found


def searches(bench, screen, ours, count):
    """Each letter of a word, in turn, with the window open."""
    figures = [Figure(f'a letter until its results are painted, {count}: {LETTERS[:n + 1]}', 'ms',
                      most=30 if count == SHORTER else 120) for n in range(len(LETTERS))]
    screen.painted(ours.toggle)
    for run in range(bench.runs + 1):
        for figure, letter in zip(figures, LETTERS):
            time.sleep(FRAME_S * run / bench.runs)
            figure.values.append(screen.painted(lambda letter=letter: screen.press(letter)).wall * 1000)
        screen.painted(lambda: screen.press('Escape'))
    screen.painted(ours.toggle)
    for figure in figures:
        del figure.values[0]
    return figures


def pastes(bench, screen, ours):
    """From Enter to the text in the field of a GTK program."""
    figure = Figure('Enter until the text is in the field', 'ms', most=70)
    field = TextField(bench.session)
    newest = bench.session.cliphist('decode', bench.newest()).stdout.decode()
    for _ in range(bench.runs + 1):
        field.clear()
        screen.painted(ours.toggle)
        screen.settle()
        field._say('copy', newest)  # answers as soon as the field has it
        start = time.monotonic()
        screen.press('Return')
        field._expect('done')
        figure.values.append((time.monotonic() - start) * 1000)
        screen.settle()
    del figure.values[0]
    bench.session.stop(field.process)
    return [figure]


def opened(title, most, runs, action):
    figure = Figure(title, 'ms', most=most)
    for _ in range(runs + 1):
        figure.values.append(action().wall * 1000)
    del figure.values[0]
    return figure


def costs(bench, screen, ours):
    resident = Figure(f'memory of the window, hidden, {ENTRIES}', 'MiB', most=40)
    shown = Figure(f'memory of the window, open, {ENTRIES}', 'MiB', most=60)
    awake = Figure(f'wake-ups of the daemon in {IDLE_S} s with the window open', '', most=0)
    pid = ours.pid()
    resident.values.append(memory_mib(pid))
    screen.painted(ours.toggle)
    shown.values.append(memory_mib(pid))
    # the bus tells the daemon of each client that comes and goes: from here on none does
    before = wakeups(bench.daemon)
    time.sleep(IDLE_S)
    awake.values.append(wakeups(bench.daemon) - before)
    screen.painted(ours.toggle)
    return [resident, shown, awake]


def fill(bench, count):
    Place(bench, count).fill(peer=False)
    seen = bench.folder / 'state' / 'cliphist' / 'window-seen'
    seen.parent.mkdir(exist_ok=True)
    seen.touch()


def rows(bench):
    session = bench.session
    for version in ('3.0', '4.0'):
        folder = bench.folder / 'config' / f'gtk-{version}'
        folder.mkdir()
        (folder / 'settings.ini').write_text('[Settings]\ngtk-cursor-blink=0\ngtk-overlay-scrolling=0\n')
    session.start('openbox', '--sm-disable')
    until(lambda: session.run('xdotool', 'get_num_desktops', check=False).returncode == 0, 'openbox is there')
    screen = Screen(session.env['DISPLAY'])
    screen.leave()
    fill(bench, SHORTER)
    ours, rofi, copyq = Ours(bench, screen), Rofi(bench, screen), CopyQ(bench, screen)
    ours.open()
    yield searches(bench, screen, ours, SHORTER)
    ours.end()
    fill(bench, ENTRIES)
    session.cliphist('pause')
    ours.open()
    others = {'rofi': rofi.open} if shutil.which('rofi') else {}
    if shutil.which('copyq'):
        copyq.fill()
        others[f'CopyQ, {OF_COPYQ}'] = copyq.open
    yield [Row(f'a window with {ENTRIES}, beside others', 0, ours.open, others),
           *(Missing(name, 'it is not installed') for name in ('rofi', 'copyq') if not shutil.which(name))]
    if copyq.server:
        session.stop(copyq.server)
    yield [opened(f'a window with {ENTRIES}, resident', 20, bench.runs, ours.open),
           opened(f'a window with {ENTRIES}, cold', 140, bench.runs, ours.open_cold)]
    yield searches(bench, screen, ours, ENTRIES)
    yield costs(bench, screen, ours)
    session.cliphist('resume')
    yield pastes(bench, screen, ours)
