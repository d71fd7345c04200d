# SPDX-License-Identifier: LGPL-2.1-or-later
"""Enter pastes into the window that had the focus, or says why it does not."""
import contextlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import time

from clients import png
from gnome import evaluate
from session import BUS_NAME, running
from tap import equal, fact, true
from windowdesk import KEYSYMS, NAME, until, window_desk
from windowfact import FOCUS, KIND, anywhere, chosen, log_keys, name, start_mako, with_hands, with_keyboard

PORTAL = pathlib.Path(__file__).resolve().parents[2] / 'display' / 'portal.py'
# keysyms, down and up, as the portal gets them
CTRL_V = [[0xffe3, 1], [ord('v'), 1], [ord('v'), 0], [0xffe3, 0]]


def refuse_properties(session):
    """The bus lets the daemon be asked for no single property any more."""
    config = session.folder / 'bus.conf'
    rule = (f'<deny send_destination="{BUS_NAME}" send_interface="org.freedesktop.DBus.Properties" '
            'send_member="Get"/>')
    config.write_text(config.read_text().replace('</policy>', f'{rule}</policy>'))
    session.call('org.freedesktop.DBus', '/org/freedesktop/DBus', 'org.freedesktop.DBus.ReloadConfig')


def watch_notes(d):
    """What the window tells GNOME Shell, in the log `notes`."""
    notes = d.session.start('dbus-monitor', '--session', 'member=AddNotification', name='notes')
    d.session.wait_for(notes, lambda: 'NameAcquired' in d.session.log('notes'), 'notifications are seen')


@contextlib.contextmanager
def shift_held_from_enter_on(d):
    shift, enter = KEYSYMS['shift'], KEYSYMS['Return']
    if KIND == 'gnome':
        d.session.keyboard.move(f'+{shift}', f'+{enter}', f'-{enter}')
    else:
        d.session.run('xdotool', 'keydown', 'shift', 'key', 'Return')
    yield
    if KIND == 'gnome':
        d.session.keyboard.move(f'-{shift}')
    else:
        d.session.run('xdotool', 'keyup', 'shift')


@with_hands('enter-pastes-twenty-of-twenty')
def twenty():
    with window_desk(KIND) as d:
        d.store('older', 'newer')
        field = d.focused_field()
        for number in range(20):
            wanted = ['older', 'newer'][number % 2]
            field.clear()
            d.open()
            d.hands.type(wanted)
            d.wait_rows(wanted)
            d.hands.press('Return')
            d.pasted(wanted)
            d.wait_closed()


if KIND == 'gnome':
    @fact(name('the-key-of-a-terminal-is-known-by-what-screen-readers-are-told'))
    def terminal_key():
        with window_desk(KIND, prepare=log_keys) as d:
            d.store('one')
            for program, key in (('text-editor', 'ctrl+v'), ('kgx', 'ctrl+shift+v')):
                d.focused_field(program)
                d.open()
                chosen(d, 'one')
                d.hands.press('Return')
                d.wait_closed()
                until(lambda key=key: (d.session.folder / 'keys').read_text().split()[-1] == key, f'{program}: {key}')

    @fact(name('of-a-terminal-of-x11-it-says-that-what-is-selected-cannot-be-set'))
    def x11_terminal():
        with window_desk(KIND, prepare=log_keys, xwayland=True) as d:
            watch_notes(d)
            d.store('one')
            xterm = d.session.start('xterm')
            d.session.wait_for(xterm, lambda: 'XTerm' in evaluate(d.session, FOCUS), 'it has the focus')
            d.open()
            until(lambda: NAME in evaluate(d.session, FOCUS), 'the window has it')
            chosen(d, 'one')
            d.hands.press('Return')
            d.wait_closed()
            until(lambda: 'This terminal pastes only what is selected, which cannot be set on GNOME.'
                  in d.session.log('notes'), 'it says so')
            equal(d.current(), 1, 'what is on the clipboard')
            equal((d.session.folder / 'keys').read_text().split(), ['which'], 'what was asked of the helper for keys')
            d.store('two')
            done = d.session.cliphist('insert', 2, check=False)
            equal((done.returncode, done.stderr), (1, b'It is on the clipboard. This terminal pastes only what is '
                                                   b'selected, which cannot be set on GNOME.\n'), 'so does insert')
            equal(d.current(), 2, 'what is on the clipboard')


if KIND == 'gnome':
    @fact(name('shift-that-is-held-with-enter-is-let-go-of-first'))
    def held():
        with window_desk(KIND) as d:
            d.store('one')
            d.focused_field()
            d.open()
            chosen(d, 'one')
            with shift_held_from_enter_on(d):
                began = time.monotonic()
                d.hands.type('x')  # behind Enter
                d.wait_rows()
                until(lambda: time.monotonic() - began > 1.5, 'it is held for longer than by most')
            d.pasted('one')
            d.wait_closed()

    @fact(name('of-shift-that-stays-down-it-says-that-nothing-was-pasted'))
    def stays_down():
        with window_desk(KIND) as d:
            watch_notes(d)
            d.store('one')
            d.focused_field()
            d.open()
            chosen(d, 'one')
            with shift_held_from_enter_on(d):
                for words in ('It is on the clipboard: press ctrl+v to paste it.',
                              'The key cannot be sent: Shift, Ctrl, Alt or Super is held down'):
                    until(lambda words=words: words in d.session.log('notes'), f'it says: {words}')
            equal((d.current(), d.field.text()), (1, ''), 'on the clipboard, and in the field')
            d.hands.press('ctrl+v')
            d.pasted('one')


if KIND in ('gnome', 'openbox', 'bare'):
    @fact(name('what-waits-for-shift-is-given-up-when-it-is-hidden'))
    def given_up():
        with window_desk(KIND, prepare=log_keys) as d:
            d.store('one', 'two')
            d.focused_field()
            d.open()
            chosen(d, 'two')
            with shift_held_from_enter_on(d):
                d.toggle()
                d.wait_closed()
            d.open()
            d.hands.type('one')
            d.wait_rows('one')
            d.hands.press('Return')
            d.pasted('one')
            d.wait_closed()
            equal((d.session.folder / 'keys').read_text().split(), ['which', 'ctrl+v'], 'what was asked of the helper')


if KIND == 'kwin':
    @fact(name('what-the-portal-presses-is-pasted-twenty-of-twenty'))
    def twenty_by_portal():
        """The tests press what the portal, which has no user here, is asked to."""
        with window_desk(KIND) as d:
            portal = d.session.start(sys.executable, PORTAL, 'allow', name='portal', stdout=subprocess.PIPE)
            d.session.first_line(portal.stdout, 'the portal')
            d.store('older', 'newer')
            field = d.focused_field()
            for number in range(20):
                wanted = ['older', 'newer'][number % 2]
                field.clear()
                d.open()
                d.hands.type(wanted)
                d.wait_rows(wanted)
                d.hands.press('Return')
                lines = []
                while not any(line.startswith('["keys"') for line in lines):
                    lines += d.session.first_line(portal.stdout, 'the portal').split('\n')
                equal([json.loads(line)[1] for line in lines if line.startswith('["keys"')], [CTRL_V], 'what is pressed')
                true(field.has_focus(), 'the field has the keys again')
                d.hands.press('ctrl+v')
                d.pasted(wanted)
                d.wait_closed()

    @fact(name('the-desktop-asks-one-question-at-a-time'))
    def one_question():
        with window_desk(KIND) as d:
            portal = d.session.start(sys.executable, PORTAL, 'never', name='portal', stdout=subprocess.PIPE)
            lines = [d.session.first_line(portal.stdout, 'the portal')]
            d.store('one')
            d.focused_field()
            for _ in range(3):
                d.open()
                chosen(d, 'one')
                d.hands.press('Return')
                d.wait_closed()
                lines.append('')
                while not lines[-1].endswith(('1]', '2]')):
                    lines += d.session.first_line(portal.stdout, 'the portal').split('\n')
            true('["questions", 2]' not in lines, f'the portal said {lines}')
            equal(d.current(), d.newest()[0]['id'], 'what is on the clipboard')


@anywhere('several-are-joined-in-the-order-of-choosing')
def joined():
    with window_desk(KIND) as d:
        d.store('one', 'two', 'three')
        field = d.focused_field()
        d.open()
        d.hands.press('End')
        chosen(d, 'one')
        d.hands.press('shift+Up')
        until(lambda: len(d.selected()) == 2, 'two are chosen')
        d.hands.press('Return')
        d.wait_closed()
        # a field of one line shows a line feed in its own way
        until(lambda: field.text().replace('\n', ' ') == 'one two', f'both are pasted: {field.text()!r}')
        equal(d.newest()[0]['preview'], 'one two', 'the newest entry')


if KIND == 'openbox':
    @fact(name('what-is-joined-is-selected-for-a-terminal-that-pastes-that'))
    def joined_in_xterm():
        with window_desk(KIND) as d:
            d.store('one', 'two')
            d.focused_field('xterm')
            d.open()
            chosen(d, 'two')
            d.hands.press('shift+Down')
            until(lambda: len(d.selected()) == 2, 'two are chosen')
            d.hands.press('Return')
            d.wait_closed()
            until(lambda: d.session.run('xclip', '-o', '-selection', 'primary', check=False).stdout == b'two\none',
                  'they are selected')

    @fact(name('no-key-pastes-what-is-selected-where-the-daemon-does-not-say-what-it-watches'))
    def unknown_display():
        with window_desk(KIND, prepare=log_keys) as d:
            screen = d.session.start('dunst')
            d.session.wait_for(screen, lambda: d.session.has_owner('org.freedesktop.Notifications'), 'dunst is there')
            d.store('one')
            d.focused_field('xterm')
            d.open()
            chosen(d, 'one')
            refuse_properties(d.session)
            d.hands.press('Return')
            d.wait_closed()
            until(lambda: d.session.run('dunstctl', 'count', 'displayed').stdout.strip() == b'1', 'it says so')
            equal((d.session.folder / 'keys').read_text().split(), ['which'], 'what was asked of the helper for keys')
            equal(d.session.run('xclip', '-o', '-selection', 'clipboard').stdout, b'one', 'the clipboard')


@anywhere('what-cannot-be-joined-is-said-and-stays')
def not_joined():
    with window_desk(KIND) as d:
        d.store('one', png())
        field = d.focused_field()
        d.open()
        chosen(d, 'Image')
        d.hands.press('shift+Down')
        until(lambda: len(d.selected()) == 2, 'two are chosen')
        d.hands.press('Return')
        until(lambda: d.everything(name='Only texts, or only files, can be joined.'), 'it says so')
        true(d.showing(), 'it is still there')
        equal(len(d.newest()), 2, 'entries')
        equal(field.text(), '', 'what is pasted')


@anywhere('copy-takes-what-is-chosen-of-the-preview-the-search-or-the-list')
def copies():
    with window_desk(KIND) as d:
        d.store('one', 'two')
        field = d.focused_field()
        d.open()
        d.hands.type('on')
        d.wait_rows('one')
        d.hands.press('ctrl+a')
        d.hands.press('ctrl+c')
        until(lambda: d.newest()[0]['preview'] == 'on', 'the search is copied')
        true(d.showing(), 'the window is there')
        d.hands.press('Escape')
        d.wait_rows('on', 'two', 'one')
        chosen(d, 'on')
        d.hands.press('Down')
        chosen(d, 'two')
        d.hands.press('ctrl+c')
        d.wait_closed()
        until(lambda: d.newest()[0]['preview'] == 'two', 'the entry is on top')
        equal(field.text(), '', 'what is pasted')


@anywhere('enter-with-shift-pastes-plain-text-and-with-control-copies')
def manners():
    with window_desk(KIND) as d:
        d.store('one')
        d.store_types({'text/plain;charset=utf-8': b'plain', 'text/html': b'<b>rich</b>'})
        field = d.focused_field()
        for press, pasted, is_rich in (('Return', 'plain', True), ('shift+Return', 'plain', False),
                                       ('ctrl+Return', '', True)):
            field.clear()
            d.open()
            chosen(d, 'plain')
            d.hands.press(press)
            d.wait_closed()
            d.pasted(pasted)
            until(lambda: 'text/plain' in d.offered() and ('text/html' in d.offered()) == is_rich,
                  f'{press}: what is offered')


if KIND == 'openbox':
    @fact(name('the-key-waits-until-the-focus-is-given-back'))
    def waits_for_the_focus():
        with window_desk(KIND) as d:
            d.store('one')
            d.focused_field()
            d.open()
            chosen(d, 'one')
            os.kill(d.hands.manager.pid, signal.SIGSTOP)
            try:
                d.hands.press('Return')
                until(lambda: 'cliphist-key' in running(), 'the key waits')
            finally:
                os.kill(d.hands.manager.pid, signal.SIGCONT)
            d.pasted('one')

    @fact(name('where-the-window-from-before-has-closed-nothing-is-pasted'))
    def target_gone():
        with window_desk(KIND) as d:
            screen = d.session.start('dunst')
            d.session.wait_for(screen, lambda: d.session.has_owner('org.freedesktop.Notifications'),
                               'dunst is there')
            d.store('one')
            other = d.focused_field()
            target = d.focused_field()
            d.open()
            chosen(d, 'one')
            d.session.kill(target.process)
            d.hands.press('Return')
            d.field = other
            d.wait_closed()
            until(lambda: d.session.run('dunstctl', 'count', 'displayed').stdout.strip() == b'1', 'it says so')
            equal((d.current(), other.text()), (1, ''), 'on the clipboard, and in another window')
            d.hands.press('ctrl+v')
            d.pasted('one')

    @fact(name('where-no-window-can-get-the-focus-it-soon-says-that-nothing-was-pasted'))
    def no_target():
        with window_desk(KIND) as d:
            screen = d.session.start('dunst')
            d.session.wait_for(screen, lambda: d.session.has_owner('org.freedesktop.Notifications'),
                               'dunst is there')
            d.store('one')
            minimized = d.focused_field()
            until(minimized.has_focus, 'the field has the focus')
            d.session.run('xdotool', 'getactivewindow', 'windowminimize')
            d.field = None
            d.open()
            chosen(d, 'one')
            d.hands.press('Return')
            d.wait_closed()
            # it waits three seconds for a window manager, twice
            until(lambda: d.session.run('dunstctl', 'count', 'displayed').stdout.strip() == b'1', 'it says so', 5)
            equal((d.current(), minimized.text()), (1, ''), 'on the clipboard, and in the window')


if KIND == 'sway':
    @fact(name('a-daemon-that-does-not-answer-is-told-of-and-no-key-is-pressed-later'))
    def stands_still():
        for several in (False, True):
            stand_still(several)

    def stand_still(several):
        with window_desk(KIND, prepare=log_keys) as d:
            start_mako(d)
            asked = d.session.folder / 'keys'
            d.store('one', 'two')
            d.focused_field()
            d.open()
            chosen(d, 'two')
            if several:
                d.hands.press('shift+Down')
                until(lambda: len(d.selected()) == 2, 'two are chosen')
            d.session.daemon.send_signal(signal.SIGSTOP)
            d.hands.press('Return')
            d.wait_closed()
            for words in ('Nothing was pasted', 'does not answer'):
                until(lambda words=words: words in d.session.shown_by_mako(), f'it says: {words}')
            d.session.daemon.send_signal(signal.SIGCONT)
            until(lambda: d.current() == (3 if several else 2), 'it is on the clipboard')
            equal(asked.read_text().split(), ['which'], 'what was asked of the helper for keys')
            d.open()
            d.hands.press('Return')
            d.pasted('two\none' if several else 'two')
            equal(asked.read_text().split(), ['which', 'which', 'ctrl+v'], 'what was asked of it then')


if KIND in ('sway', 'kwin'):
    @with_keyboard('what-has-no-plain-text-is-told-of')
    def no_plain_text():
        with window_desk(KIND) as d:
            start_mako(d)
            d.store_types({'text/html': b'<b>rich</b>'})
            d.focused_field()
            d.open()
            until(lambda: len(d.rows()) == 1, 'it is there')
            d.hands.press('shift+Return')
            for words in ('Nothing was pasted', 'This entry has no plain text. Enter pastes it as it is.'):
                until(lambda words=words: words in d.session.shown_by_mako(), f'it says: {words}')


if KIND == 'sway':
    @fact(name('of-what-has-no-text-it-says-that-a-terminal-pastes-text-alone'))
    def terminal():
        with window_desk(KIND) as d:
            start_mako(d)
            d.store(png())
            d.focused_field('foot')
            d.open()
            until(lambda: len(d.rows()) == 1, 'it is there')
            d.hands.press('Return')
            d.wait_closed()
            for words in ('Nothing was pasted', 'This entry has no plain text, and this terminal pastes nothing else.'):
                until(lambda words=words: words in d.session.shown_by_mako(), f'it says: {words}')
            equal(d.field.keys(), [], 'keys that are pressed')


if KIND in ('sway', 'kwin'):
    def pasted_without_a_key():
        """Whether the window took it: the focus may leave it with the only keyboard first, and then it closes."""
        with window_desk(KIND) as d:
            start_mako(d)
            d.store('one', 'two')
            d.focused_field()
            d.open()
            chosen(d, 'two')
            if d.hands:
                # with them goes the only keyboard
                d.session.kill(d.hands.process)
            if not d.ask('do history.paste'):
                return False
            d.wait_closed()
            for words in ('Nothing was pasted', 'It is on the clipboard: press ctrl+v to paste it.',
                          'The key cannot be sent: '):
                until(lambda: words in d.session.shown_by_mako(), f'it says: {words}')
            equal(d.current(), 2, 'what is on the clipboard')
            equal(d.field.text(), '', 'what is pasted')
            return True

    @fact(name('where-no-key-can-be-sent-it-says-so'))
    def no_key():
        true(any(pasted_without_a_key() for _ in range(4)), 'it is taken')
