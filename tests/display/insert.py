# SPDX-License-Identifier: LGPL-2.1-or-later
"""`insert` into the window that has the focus: insert.py sway|new-sway|launcher|x11|ext|kwin [FACT...]

On sway and X11 a real text field gets the keys; "ext" and KWin let nobody type, but there
may be a portal.
"""
import contextlib
import json
import os
import pathlib
import resource
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'session'))
import compositors  # noqa: E402
from clients import TextField, png  # noqa: E402
from session import Broken, Programs, Session, running, until  # noqa: E402
from tap import equal, fact, main, true  # noqa: E402

KIND = sys.argv.pop(1)
IS_SWAY = KIND in ('sway', 'new-sway')
DISPLAY = 'sway' if KIND == 'launcher' else KIND
PROGRAMS = Programs()
NOBODY_HAS_THE_FOCUS = """
import ctypes
x11 = ctypes.CDLL('libX11.so.6')
x11.XOpenDisplay.restype = ctypes.c_void_p
display = ctypes.c_void_p(x11.XOpenDisplay(None))
x11.XSetInputFocus(display, 0, 0, 0)
x11.XCloseDisplay(display)
"""
TEXTLESS = 'This entry has no plain text, and this terminal pastes nothing else.'
CONTROL, SHIFT, INSERT = 0xffe3, 0xffe1, 0xff63
KEY_V = 47  # of Linux


class Desk:
    def __init__(self, session):
        self.session = session
        session.cliphist('store', data=b'older')
        session.cliphist('store', data=b'newer')

    def current(self):
        return int(self.session.get_property('Current').split()[1].strip('>,)') or 0)

    def insert(self, *words, **options):
        return self.session.cliphist('insert', *words, **options)

    def refused(self, *words):
        """Why nothing was pasted, in the second line; the first says that the entry is on the
        clipboard, and it is."""
        done = self.insert(1, *words, check=False)
        lines = done.stderr.decode().split('\n')[:-1]
        equal(done.returncode, 1, 'exit status')
        equal(len(lines), 2, f'lines: {lines}')
        true(lines[0].startswith('It is on the clipboard: press '), lines[0])
        until(lambda: self.current() == 1, 'the entry is on the clipboard')
        return lines[1]

    def focused_field(self, program=None):
        field = TextField(self.session, program=program)
        if KIND == 'x11':
            # there is no window manager that would do it
            self.session.run('xdotool', 'search', '--sync', '--onlyvisible', '--name', '^text field$', 'windowfocus')
        return field


@contextlib.contextmanager
def desk(x_options=()):
    session = Session(DISPLAY, programs=PROGRAMS)
    session.x_options = x_options
    with session:
        session.start_daemon()
        until(lambda: 'x11' in session.get_property('Backends') or compositors.backend(session),
              'the display is watched')
        yield Desk(session)
        equal(session.stop(session.daemon), 0, 'exit status of the daemon')


def inserted(d, field, number, text, *words):
    field.clear()
    done = d.insert(number, *words)
    equal(done.stdout + done.stderr, b'', 'what it says')
    until(lambda: field.text() == text, f'{text!r} is in the field, not {field.text()!r}')


def rests():
    """How often those that we have started, and that have ended, gave the processor up."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_nvcsw


def name(words):
    return f'/insert/{KIND}/{words}'


if IS_SWAY or KIND == 'x11':
    @fact(name('an-entry-is-pasted-into-the-focused-field'))
    def pasted():
        with desk() as d:
            field = d.focused_field()
            inserted(d, field, 1, 'older')
            inserted(d, field, 2, 'newer', '--plain')
            inserted(d, field, 1, 'older', '--key', 'shift+insert')
            equal(len(d.session.listed().split(b'\n')), 3, 'nothing came into the history')

    @fact(name('the-window-hears-of-the-keys-that-are-asked-for'))
    def keys():
        with desk() as d:
            field = d.focused_field()
            for key, heard in (('ctrl+v', ['Control_L', '<Primary>v']),
                               ('shift+insert', ['Shift_L', '<Shift>Insert']),
                               ('ctrl+shift+v', ['Control_L', '<Primary>Shift_L',
                                                 '<Primary><Shift>v'])):
                field.clear()
                d.insert(1, '--key', key)
                until(lambda: len(field.keys()) >= len(heard), 'keys are heard of')
                equal([word.replace('V', 'v') for word in field.keys()], heard, key)

    @fact(name('what-was-there-before-is-never-pasted'))
    def in_order():
        with desk() as d:
            field = d.focused_field()
            for number in range(20):
                inserted(d, field, 1 + number % 2, ['older', 'newer'][number % 2])


    @fact(name('of-what-has-no-text-it-says-that-a-terminal-pastes-text-alone'))
    def textless():
        with desk() as d:
            d.session.cliphist('store', data=png())
            field = d.focused_field('foot')
            done = d.insert(3, check=False)
            equal((done.returncode, done.stderr.decode()), (1, f'{TEXTLESS}\n'), 'what it says')
            # who names the key knows what it does there
            d.insert(3, '--key', 'ctrl+shift+v')
            until(lambda: field.keys(), 'the keys are heard of')
            field.clear()
            inserted(d, field, 1, '')
            until(lambda: field.keys(), 'the keys are heard of')


if IS_SWAY:
    @fact(name('what-is-held-down-on-another-keyboard-does-not-count'))
    def held_elsewhere():
        with desk() as d:
            field = d.focused_field()
            d.session.start('wtype', '-M', 'logo', '-M', 'alt', '-s', '3600000')
            inserted(d, field, 1, 'older')

    @fact(name('without-a-keyboard-it-says-so'))
    def no_keyboard():
        with desk() as d:
            true('no keyboard' in d.refused(), 'the line')

    @fact(name('without-a-window-it-says-so'))
    def no_window():
        with desk() as d:
            field = d.focused_field()
            d.session.kill(field.process)
            true('no window has the focus' in d.refused(), 'the line')


# with a picker that the other facts do not need
if KIND == 'launcher':
    @fact(name('a-window-below-a-launcher-gets-the-keys-once-that-has-gone'))
    def launcher():
        with desk() as d:
            field = d.focused_field()
            opened = d.session.start('wofi', '--dmenu', stdin=subprocess.PIPE)
            until(lambda: not field.has_focus(), 'the launcher has the focus')
            true('no window has the focus' in d.refused(), 'the line')
            equal(field.text(), '', 'what is pasted')
            inserting = d.session.start(d.session.programs.cliphist, 'insert', '1')
            d.session.wait_for(inserting, lambda: 'cliphist-key' in running(), 'it looks for the focus')
            d.session.kill(opened)
            until(lambda: field.text() == 'older', 'it is in the field')


if KIND == 'x11':
    @fact(name('what-is-held-down-is-released'))
    def held():
        with desk() as d:
            field = d.focused_field()
            d.session.run('xdotool', 'keydown', 'Super_L', 'keydown', 'Alt_L')
            inserted(d, field, 1, 'older')

    @fact(name('what-is-selected-stays-selected-but-for-the-key-of-terminals'))
    def primary():
        with desk() as d:
            def selected():
                return d.session.run('xclip', '-out', check=False).stdout
            field = d.focused_field()
            d.session.run('xclip', '-in', data=b'selected', stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL)
            until(lambda: selected() == b'selected', 'something is selected')
            inserted(d, field, 1, 'older')
            equal(selected(), b'selected', 'what is selected')
            inserted(d, field, 2, 'newer', '--key', 'shift+insert')
            equal(selected(), b'newer', 'what is selected')
            # a program that pastes the clipboard on it may want what is no text
            d.session.cliphist('store', data=png())
            d.session.cliphist('insert', '--key', 'shift+insert', '3')
            targets = d.session.run('xclip', '-out', '-selection', 'clipboard', '-target', 'TARGETS').stdout
            true(b'image/png' in targets, targets)

    @fact(name('a-layout-that-has-no-v-in-its-first-group'))
    def other_layout():
        with desk() as d:
            field = d.focused_field()
            d.session.run('setxkbmap', 'ru,us')
            inserted(d, field, 1, 'older')

    @fact(name('without-xtest-it-says-so'))
    def no_xtest():
        with desk(x_options=['-extension', 'XTEST']) as d:
            line = d.refused()
            true('XTEST' in line and 'portal' in line, line)

    @fact(name('without-a-focus-it-says-so'))
    def no_focus():
        with desk() as d:
            field = d.focused_field()
            d.session.run(sys.executable, '-c', NOBODY_HAS_THE_FOCUS)
            true(field.text() == '', 'nothing was pasted')
            true('focus' in d.refused('--key', 'ctrl+shift+v'), 'the line')

    @fact(name('without-a-window-it-says-so'))
    def no_window():
        with desk() as d:
            d.session.start('openbox', '--sm-disable')
            until(lambda: b'window id' in d.session.run('xprop', '-root', '_NET_SUPPORTING_WM_CHECK',
                                                        check=False).stdout, 'openbox is there')
            before = rests()
            true('no window has the focus' in d.refused(), 'the line')
            # it looks for the focus twice, and would look 600 times each time, resting in between
            n = rests() - before
            true(n < 600, f'nothing is waited for: {n} rests')


class Portal:
    def __init__(self, session, manner):
        self.session = session
        self.process = session.start(
            sys.executable, pathlib.Path(__file__).with_name('portal.py'), manner, name='portal',
            stdout=subprocess.PIPE)
        self.lines = []
        if self._line() != 'ready':
            raise Broken('the portal is not ready')

    def _line(self):
        if not self.lines:
            self.lines = self.session.first_line(self.process.stdout, 'the portal').split('\n')
        return self.lines.pop(0)

    def hear(self, wanted):
        kind, what = json.loads(self._line())
        equal(kind, wanted, 'what the portal says')
        return what


if KIND in ('ext', 'kwin'):
    @fact(name('where-nobody-may-type-it-says-so'))
    def nobody():
        with desk() as d:
            line = d.refused()
            true('virtual keyboard' in line and 'portal' in line, line)

    @fact(name('doctor-names-the-portal-that-is-missing'))
    def missing():
        with desk() as d:
            def advised(desktop):
                # with none that is installed on this machine
                seen = d.session.cliphist('doctor', check=False, env={
                    'XDG_CURRENT_DESKTOP': desktop, 'XDG_DATA_DIRS': d.session.folder})
                return f'xdg-desktop-portal-{desktop.lower()}\n' in seen.stdout.decode()
            equal([advised('GNOME'), advised('KDE')], [True, True], 'without it')
            Portal(d.session, 'allow')
            equal([advised('GNOME'), advised('KDE')], [False, False], 'with it')

    @fact(name('the-portal-gets-the-keys-and-remembers-the-answer'))
    def through_the_portal():
        with desk() as d:
            portal = Portal(d.session, 'allow')
            d.insert(1)
            equal(portal.hear('select'), {'types': 1, 'persist_mode': 2}, 'what is asked for')
            keys = [[CONTROL, 1], [ord('v'), 1], [ord('v'), 0], [CONTROL, 0]]
            equal(portal.hear('keys'), keys, 'keys')
            d.insert(2, '--key=shift+insert')
            equal(portal.hear('select'), {'types': 1, 'persist_mode': 2,
                                          'restore_token': 'token-1'}, 'what is asked for')
            keys = [[SHIFT, 1], [INSERT, 1], [INSERT, 0], [SHIFT, 0]]
            equal(portal.hear('keys'), keys, 'keys')
            equal(d.current(), 2, 'what is on the clipboard')
            token = d.session.folder / 'state' / 'cliphist' / 'remote-desktop-token'
            equal((token.read_text(), oct(token.stat().st_mode)), ('token-2', '0o100600'), 'token')

    @fact(name('what-lies-in-the-place-of-the-token-holds-nothing-up'))
    def no_token():
        for lay in (lambda path: os.mkfifo(path), lambda path: path.symlink_to('/dev/zero')):
            with desk() as d:
                portal = Portal(d.session, 'allow')
                lay(d.session.folder / 'state' / 'cliphist' / 'remote-desktop-token')
                d.insert(1)
                equal(portal.hear('select'), {'types': 1, 'persist_mode': 2}, 'what is asked for')
                equal(len(portal.hear('keys')), 4, 'keys')

    @fact(name('an-older-portal-is-asked-for-less'))
    def old_portal():
        with desk() as d:
            portal = Portal(d.session, 'old')
            d.insert(1, '--key', 'Ctrl+Shift+V')
            equal(portal.hear('select'), {'types': 1}, 'what is asked for')
            keys = [CONTROL, SHIFT, ord('v')]
            equal([key for key, state in portal.hear('keys')], [*keys, *reversed(keys)], 'keys')

    @fact(name('it-says-that-it-waits-for-an-answer'))
    def asked():
        with desk() as d:
            portal = Portal(d.session, 'late')
            words = d.insert(1).stderr.decode()
            equal(words.count('\n'), 1, 'lines')
            true('waiting for your answer' in words, words)
            portal.hear('select')
            equal(len(portal.hear('keys')), 4, 'keys')

    @fact(name('what-is-copied-while-the-desktop-asks-is-not-pasted'))
    def copied_meanwhile():
        with desk() as d:
            portal = Portal(d.session, 'late')
            insert = d.session.start(PROGRAMS.cliphist, 'insert', '1', name='insert')
            portal.hear('select')
            until(lambda: d.current() == 1, 'it is on the clipboard')
            d.session.cliphist('copy', '2')
            equal(insert.wait(60), 1, 'exit status')
            d.session.started.remove(insert)
            words = (d.session.folder / 'log' / 'insert').read_text()
            true('something else was copied meanwhile' in words and 'clipboard: press' not in words, words)
            equal(portal.hear('keys'), [], 'keys')

    @fact(name('where-no-question-is-asked-it-names-none'))
    def slow():
        with desk() as d:
            portal = Portal(d.session, 'slow')
            equal(d.insert(1).stderr, b'', 'what it says')
            portal.hear('select')
            equal(len(portal.hear('keys')), 4, 'keys')

    @fact(name('who-refuses-gets-no-key'))
    def refused():
        for manner in ('refuse', 'no-keyboard'):
            with desk() as d:
                portal = Portal(d.session, manner)
                true('desktop' in d.refused(), 'the line')
                portal.hear('select')
                equal(portal.hear('keys'), [], 'keys')

    @fact(name('a-portal-that-answers-nonsense-is-named'))
    def nonsense():
        with desk() as d:
            Portal(d.session, 'broken')
            true("the answer of the desktop's portal could not be understood" in d.refused(), 'the line')

    @fact(name('no-other-keys-and-no-unknown-entry'))
    def misused():
        with desk() as d:
            equal(d.insert(1, '--key', 'meta+v', check=False).returncode, 2, 'exit status')
            equal(d.insert(check=False).returncode, 1, 'a picker that was cancelled')
            equal(d.insert(99, check=False).returncode, 1, 'exit status')
            equal(d.current(), 0, 'what is on the clipboard')


if KIND == 'kwin':
    def use_layouts(session, layouts, variants):
        (session.folder / 'config' / 'kxkbrc').write_text(
            f'[Layout]\nUse=true\nLayoutList={layouts}\nVariantList={variants}\n')
        session.run('gdbus', 'emit', '--session', '--object-path', '/Layouts', '--signal', 'org.kde.keyboard.reloadConfig')
        # with one alone it has none to switch between
        until(lambda: session.has_owner('org.kde.keyboard') == (',' in layouts), 'KWin has them')

    @fact(name('with-a-layout-without-a-v-it-is-pressed-by-its-place'))
    def placed():
        by_place, by_sign = ['place', KEY_V], ord('v')
        cases = (
            ('us,ru', ',', by_place), ('ru', '', by_place), ('us,ru', 'dvorak,', by_sign), ('us,fr', ',', by_sign),
            ('ru,tr', ',f', by_sign), ('iq', 'ku_f', by_sign),
        )
        for layouts, variants, key in cases:
            with desk() as d:
                d.session.env['XDG_CURRENT_DESKTOP'] = 'KDE'
                use_layouts(d.session, layouts, variants)
                portal = Portal(d.session, 'allow')
                d.insert(1)
                portal.hear('select')
                keys = [[CONTROL, 1], [key, 1], [key, 0], [CONTROL, 0]]
                equal(portal.hear('keys'), keys, f'keys with {layouts} {variants}')


main()
