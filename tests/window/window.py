# SPDX-License-Identifier: LGPL-2.1-or-later
"""The window on a desktop: window.py openbox|bare|sway|kwin|gnome all|own [FACT...]

`own`: only what a desktop may do in its own way; the rest is the same on each.
"""
import contextlib
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from windowdesk import DESKTOPS, KEYSYMS, NAME, PATH, until, window_desk  # noqa: E402
from clients import TextField, png  # noqa: E402
from gnome import evaluate  # noqa: E402
from session import BUS_NAME, running  # noqa: E402
from tap import equal, fact, main, true  # noqa: E402

KIND = sys.argv.pop(1)
IS_ALL = {'all': True, 'own': False}[sys.argv.pop(1)]
GTK_MINOR = int(subprocess.run(['pkg-config', '--modversion', 'gtk4'], check=True, stdout=subprocess.PIPE,
                               text=True).stdout.split('.')[1])
HAS_LAYERS = subprocess.run(['pkg-config', '--exists', 'gtk4-layer-shell-0'], check=False).returncode == 0
PORTAL = pathlib.Path(__file__).resolve().parent.parent / 'display' / 'portal.py'
APPEARANCE = pathlib.Path(__file__).resolve().parent / 'appearance.py'
# keysyms, down and up, as the portal gets them
CTRL_V = [[0xffe3, 1], [ord('v'), 1], [ord('v'), 0], [0xffe3, 0]]
NO_ANSWER = 'The clipboard history does not answer: “cliphist doctor” in a terminal says why.'
COVERED = 'A window that fills the screen is in front of it.'
DAMAGED = ('Part of the clipboard history is damaged: “cliphist doctor --repair” in a terminal saves '
           'what can be read.')
MAY_BE_OLD = 'The clipboard history does not answer, and this list may be old. “cliphist doctor” in a terminal says why.'
# on GNOME: the window that has the focus
FOCUS = 'global.display.focus_window?.get_wm_class()'
LOCKER = pathlib.Path(__file__).resolve().parent.parent / 'bus' / 'locker.py'


# where the window presses keys by itself; on KWin a portal does, which these sessions lack
HAS_HANDS = KIND in ('openbox', 'bare', 'sway', 'gnome')


def with_hands(words):
    """A fact for which keys are pressed, and the window presses some."""
    return fact(name(words)) if HAS_HANDS else lambda function: function


def with_pointer(words):
    return with_hands(words) if KIND != 'gnome' else lambda function: function


def with_keyboard(words):
    """A fact for which keys are pressed, and the window presses none."""
    return fact(name(words)) if HAS_HANDS or KIND == 'kwin' else lambda function: function


def anywhere(words):
    """A fact with keys, that has little to do with the desktop."""
    return with_hands(words) if IS_ALL else lambda function: function


def of_size(words):
    """A fact that takes long, and is the same everywhere."""
    return fact(name(words)) if KIND == 'bare' else lambda function: function


def name(words):
    return f'/window/{KIND}/{words}'


def log_keys(session):
    """The window keeps what it asks of the program that presses keys in the file keys."""
    folder = session.folder / 'libexec'
    folder.mkdir()
    programs = session.programs.cliphist.parent
    (folder / 'cliphist-key').write_text(f'#!/bin/sh\necho $1 >>{session.folder}/keys\n'
                                         f'exec {programs}/cliphist-key "$@"\n')
    (folder / 'cliphist-key').chmod(0o755)
    session.make_activatable(NAME, '/usr/bin/env', f"CLIPHIST_LIBEXEC={folder}:{session.env['CLIPHIST_LIBEXEC']}",
                             programs / 'window' / 'cliphist-window', '--gapplication-service')


def unhurried(session, *variables):
    """What was deleted can be taken back, however slow the machine is."""
    program = session.programs.cliphist.parent.parent / 'tests/window/window-unhurried'
    session.make_activatable(NAME, '/usr/bin/env', *variables, program, '--gapplication-service')


def clicks_unhurried(session):
    """A second click is waited for until the window gets SIGUSR1."""
    unhurried(session, 'CLIP_TEST_CLICKS=1')


def refuse_properties(session):
    """The bus lets the daemon be asked for no single property any more."""
    config = session.folder / 'bus.conf'
    rule = (f'<deny send_destination="{BUS_NAME}" send_interface="org.freedesktop.DBus.Properties" '
            'send_member="Get"/>')
    config.write_text(config.read_text().replace('</policy>', f'{rule}</policy>'))
    session.call('org.freedesktop.DBus', '/org/freedesktop/DBus', 'org.freedesktop.DBus.ReloadConfig')


def start_mako(d):
    screen = d.session.start('mako', '--default-timeout=0')
    d.session.wait_for(screen, lambda: d.session.has_owner('org.freedesktop.Notifications'), 'mako is there')


def watch_notes(d):
    """What the window tells GNOME Shell, in the log `notes`."""
    notes = d.session.start('dbus-monitor', '--session', 'member=AddNotification', name='notes')
    d.session.wait_for(notes, lambda: 'NameAcquired' in d.session.log('notes'), 'notifications are seen')


def wait_menu_gone(d, name):
    """A menu was closed by a key, and what has that name has the focus then."""
    if KIND == 'kwin':
        # which calls the window inactive until a key comes
        until(lambda: not d.everything(role='menu item'), 'the menu is gone')
    else:
        d.wait_focus(name)


def says_status(d, words):
    """GTK 4.18 calls no status by its words; they stand in it."""
    nodes = d.everything(role='status bar')
    inside = [child for node in nodes for child in node['children']] if GTK_MINOR >= 18 else []
    return any(words in node['name'] for node in nodes + inside)


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


def about(*parts):
    """What is said of an entry: each part reads for itself, from the left or from the right."""
    return ' · '.join(f'\u2068{part}\u2069' for part in parts)


def chosen(d, words):
    until(lambda: [row.startswith(words) for row in d.selected()] == [True], f'{words} is chosen')


@fact(name('its-key-opens-and-closes-it'))
def opens():
    with window_desk(KIND) as d:
        d.store('older', 'newer')
        d.focused_field()
        d.open()
        d.wait_rows('newer', 'older')
        chosen(d, 'newer')
        d.toggle()
        d.wait_closed()
        d.open()
        d.wait_rows('newer', 'older')


@fact(name('the-first-start-says-what-is-kept-and-which-key-opens-it'))
def first_start():
    with window_desk(KIND, first=True) as d:
        d.store('one')
        d.focused_field()
        d.open()
        until(lambda: d.everything(name='The key that opens this window'), 'the key is asked for')
        true(d.everything(name='What you copy is kept from now on, on this computer alone. '
                               'What password managers mark as a secret is not.'), 'it says what is kept')
        d.wait_focus('Show the history')
        d.act('Use this key')
        wanted = {'sway': 'bindsym Mod4+c exec', 'openbox': '<keybind key="W-c">',
                  'gnome': 'It opens and closes this window now.'}.get(KIND, '/cliphist window')
        until(lambda: [node for node in d.everything() if wanted in node['name']],
              'it says what becomes of the key')
        until(lambda: says_status(d, wanted), 'so says the status')
        d.act('Show the history')
        d.wait_focus('Search the clipboard history')
        d.toggle()
        d.wait_closed()
        d.open()
        d.wait_focus('Search the clipboard history')


@anywhere('what-is-copied-while-the-first-start-is-read-is-there-behind-it')
def first_copies():
    with window_desk(KIND, first=True) as d:
        d.focused_field()
        d.open()
        d.wait_focus('Show the history')
        d.store('one', 'two')
        d.act('Show the history')
        d.wait_rows('two', 'one')
        chosen(d, 'two')
        d.store('three')
        d.hands.press('Return')
        d.pasted('two')


@anywhere('tab-goes-round-on-the-page-of-the-first-start')
def first_tab():
    with window_desk(KIND, first=True) as d:
        d.store('one')
        d.focused_field()
        d.open()
        d.wait_focus('Show the history')
        for _ in range(6):
            d.hands.press('Tab')
        # the search and what is beside it, and then the page again
        seen = []
        for _ in range(12):
            seen += [node['name'] for node in d.everything() if 'focused' in node['states']]
            d.hands.press('Tab')
        for words in ('Show the history', 'Use this key', 'Search the clipboard history'):
            true(any(words in name for name in seen), f'{words}: what had the focus: {seen}')


@anywhere('escape-closes-what-the-first-start-says')
def first_escape():
    with window_desk(KIND, first=True) as d:
        d.store('one')
        d.focused_field()
        d.open()
        d.wait_focus('Show the history')
        d.hands.press('Escape')
        d.wait_closed()
        d.open()
        d.wait_focus('Search the clipboard history')
        d.wait_rows('one')


@with_keyboard('who-opens-the-page-of-the-key-types-the-key')
def key_from_menu():
    with window_desk(KIND) as d:
        d.store('one')
        d.focused_field()
        d.open()
        chosen(d, 'one')
        d.choose_in_menu('w')
        wait_menu_gone(d, 'The key that opens this window')
        if KIND == 'kwin':
            d.hands.press('ctrl+a')  # of an inactive window it takes back the primary selection, and so what is selected
        d.hands.type('yes')
        until(lambda: d.text_of('The key that opens this window') == 'yes', 'it is there')
        d.hands.press('Escape')
        d.wait_focus('Search the clipboard history')
        d.choose_in_menu('w')
        wait_menu_gone(d, 'The key that opens this window')
        equal(d.text_of('The key that opens this window'), 'super+c', 'the key that is proposed again')


@with_keyboard('what-is-typed-at-the-first-start-is-searched-for')
def first_typed():
    with window_desk(KIND, first=True) as d:
        d.store('an apple', 'an app', 'a pear')
        d.focused_field()
        d.open()
        d.wait_focus('Show the history')
        d.hands.type('app')
        d.wait_rows('an app', 'an apple')
        d.wait_focus('Search the clipboard history')
        d.hands.type('le')
        d.wait_rows('an apple')


@with_hands('what-is-typed-is-searched-for-and-enter-pastes-it')
def types():
    with window_desk(KIND) as d:
        d.store('an apple', 'a pear', 'another apple')
        d.focused_field()
        d.open()
        d.hands.type('app an ')
        d.wait_rows('another apple', 'an apple')
        d.hands.press('Down')
        chosen(d, 'an apple')
        d.hands.press('Return')
        d.pasted('an apple')
        d.wait_closed()


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


    @fact(name('the-overview-is-left-for-it'))
    def overview():
        with window_desk(KIND) as d:
            d.store('one', 'two')
            d.focused_field()
            for wanted in ('one', 'two'):
                evaluate(d.session, 'Main.overview.show()')
                until(lambda: evaluate(d.session, 'Main.overview.visible') == 'true', 'it is there')
                d.field.clear()
                d.toggle()
                until(lambda: NAME in evaluate(d.session, FOCUS) and d.has_focus(), 'the window has the focus')
                equal(evaluate(d.session, 'Main.overview.visible'), 'false', 'whether the overview is there')
                d.hands.type(wanted)
                d.wait_rows(wanted)
                d.hands.press('Return')
                d.pasted(wanted)
                d.wait_closed()


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


@with_hands('enter-means-what-was-searched-for-however-late-it-comes')
def type_ahead():
    with window_desk(KIND) as d:
        d.store('older', 'old', 'newer')
        d.focused_field()
        for words, keys, wanted in (('old', ['Return'], 'old'), ('old', ['Down', 'Return'], 'older')):
            d.open()
            d.session.daemon.send_signal(signal.SIGSTOP)
            d.hands.type(words)
            for key in keys:
                d.hands.press(key)
            d.session.daemon.send_signal(signal.SIGCONT)
            d.pasted(wanted)
            d.wait_closed()
            d.field.clear()


@anywhere('where-the-search-is-emptied-the-first-row-is-chosen-and-no-row-out-of-sight')
def emptied_search():
    with window_desk(KIND) as d:
        d.store('oldest', *(f'entry {number:02}' for number in range(1, 16)))
        d.focused_field()
        for keys in (['Escape'], ['BackSpace'] * len('oldest'), ['ctrl+a', 'BackSpace']):
            d.open()
            d.hands.type('oldest')
            d.wait_rows('oldest')
            for key in keys:
                d.hands.press(key)
            until(lambda: len(d.rows()) == 16, 'all rows are there')
            d.hands.press('Return')
            d.pasted('entry 15')
            d.wait_closed()
            d.field.clear()


@with_hands('what-waits-for-rows-is-done-once')
def done_once():
    with window_desk(KIND, prepare=log_keys) as d:
        d.store('older', 'old', 'newer')
        d.focused_field()
        for keys in (['Return', 'Return'], ['Return', 'Down', 'Return'], ['Return', 'Delete']):
            d.open()
            d.session.daemon.send_signal(signal.SIGSTOP)
            d.hands.type('old')
            for key in keys:
                d.hands.press(key)
            d.session.daemon.send_signal(signal.SIGCONT)
            d.pasted('old')
            d.wait_closed()
            d.field.clear()
        # what was left of them would have been done by now
        d.open()
        d.hands.type('newer')
        d.hands.press('Return')
        d.pasted('newer')
        asked = (d.session.folder / 'keys').read_text().split()
        equal(asked, ['which', 'ctrl+v'] * 4, 'what was asked of the helper for keys')
        equal(sorted(row['preview'] for row in d.newest()), ['newer', 'old', 'older'], 'the entries')


@anywhere('delete-in-the-search-waits-for-no-rows')
def delete_in_search():
    with window_desk(KIND) as d:
        d.store('older', 'old', 'newer')
        d.focused_field()
        d.open()
        chosen(d, 'newer')
        d.session.daemon.send_signal(signal.SIGSTOP)
        d.hands.type('old')
        d.hands.press('ctrl+a')
        d.hands.press('Delete')
        d.hands.type('new')
        d.session.daemon.send_signal(signal.SIGCONT)
        d.wait_rows('newer')
        d.toggle()  # what was deleted goes now
        d.wait_closed()
        equal([row['preview'] for row in d.newest()], ['newer', 'old', 'older'], 'the entries')


@anywhere('enter-takes-no-row-that-is-not-seen')
def error_page():
    with window_desk(KIND) as d:
        d.store('one', 'two /[')
        field = d.focused_field()
        d.open()
        chosen(d, 'two /[')
        d.hands.type('/[')
        d.wait_rows('two /[')
        d.hands.type('/')
        until(lambda: any(node['name'].startswith('regular expression, at 1:')
                          for node in d.everything(role='label')), 'it says what is wrong')
        d.hands.press('Return')
        d.hands.press('ctrl+a')
        d.hands.type('one')
        d.wait_rows('one')
        true(d.showing(), 'the window is there')
        equal(field.text(), '', 'what is pasted')


@of_size('that-no-daemon-can-be-started-is-told-in-words')
def no_daemon():
    with window_desk(KIND) as d:
        d.focused_field()
        d.session.kill(d.session.daemon)
        d.session.make_activatable(BUS_NAME, '/bin/false')
        d.open()
        until(lambda: d.shows(NO_ANSWER), 'it says what is the matter')
        d.toggle()
        d.wait_closed()
        d.session.start_daemon()


@of_size('that-the-history-is-damaged-is-told-in-words')
def damaged():
    with window_desk(KIND) as d:
        d.store('one')
        d.focused_field()
        database = pathlib.Path(d.session.env['XDG_STATE_HOME']) / 'cliphist' / 'history.db'
        log = database.with_name('history.db-wal')
        until(lambda: log.stat().st_size == 0 or log.read_bytes()[:4] == bytes(4), 'the log is carried over')
        with open(database, 'r+b') as file:
            file.write(b'no database ' * 1000)
        d.open()
        until(lambda: d.shows(DAMAGED), 'it says what is the matter')


@of_size('what-was-typed-behind-enter-is-searched-for-where-that-fails')
def behind_a_failure():
    with window_desk(KIND) as d:
        d.store('older', 'old', 'newer')
        field = d.focused_field()
        d.open()
        chosen(d, 'newer')
        d.session.daemon.send_signal(signal.SIGSTOP)
        d.hands.type('old')
        d.hands.press('Return')
        d.hands.type('er')
        # GDBus waits for 25 s, and then once more
        until(lambda: d.shows(NO_ANSWER), 'both searches have failed')
        d.session.daemon.send_signal(signal.SIGCONT)
        d.store('another')
        d.wait_rows('older')
        true(d.showing(), 'the window is there')
        equal(field.text(), '', 'what is pasted')


@anywhere('what-is-no-filter-is-told-of')
def no_filter():
    with window_desk(KIND) as d:
        d.store('one')
        d.focused_field()
        for words in ('kind:foo', 'since:xyz', 'since:2026-13-45'):
            d.open(words)
            until(lambda words=words: d.shows(f'No entry matches this search. “{words}” is no filter: F1 shows those '
                                              'that there are.'), f'{words}: it says so')
            d.toggle()
            d.wait_closed()


@anywhere('who-searches-for-the-name-of-a-kind-is-told-its-filter')
def name_of_kind():
    with window_desk(KIND) as d:
        d.store('one', png(300, 200))
        d.focused_field()
        for words, wanted in (('Image', 'kind:image'), ('picture', 'kind:image'), ('files', 'kind:files'),
                              ('Image 300', 'kind:image'), ('image 300×200', 'kind:image')):
            d.open(words)
            until(lambda wanted=wanted: d.shows(f'No entry matches this search. “{wanted}” finds all entries of this '
                                                'kind.'), f'{words}: it says so')
            d.toggle()
            d.wait_closed()


@anywhere('who-searches-for-a-tag-as-rows-show-it-is-told-its-filter')
def name_of_tag():
    with window_desk(KIND) as d:
        d.store('one', '#include <work>')
        d.session.cliphist('tag', '1', 'work')
        d.focused_field()
        d.open('#inc')
        d.wait_rows('#include')
        d.toggle()
        d.wait_closed()
        d.open('#work')
        until(lambda: d.shows('No entry matches this search. “tag:work” finds all entries that have this tag.'), 'it says so')
        d.toggle()
        d.wait_closed()
        d.open('tag:work')
        d.wait_rows('one')


@anywhere('of-several-that-are-chosen-one-may-go')
def one_goes():
    with window_desk(KIND) as d:
        d.store('one', 'two', 'three', 'four')
        d.focused_field()
        d.open()
        chosen(d, 'four')
        d.hands.press('shift+Down')
        d.hands.press('shift+Down')
        until(lambda: len(d.selected()) == 3, 'three are chosen')
        d.session.cliphist('remove', '4')
        d.wait_rows('three', 'two', 'one')
        d.hands.press('Return')
        d.pasted('three\ntwo')


@anywhere('the-neighbour-of-one-that-has-gone-is-taken-by-the-second-key')
def one_is_gone():
    with window_desk(KIND) as d:
        d.store('one', 'two', 'three', 'four', 'five')
        field = d.focused_field()
        d.open()
        chosen(d, 'five')
        for key, number, left in (('Delete', '4', ['five', 'three', 'two', 'one']),
                                  ('Return', '3', ['five', 'two', 'one'])):
            d.hands.press('Home')
            d.hands.press('Down')
            chosen(d, {'4': 'four', '3': 'three'}[number])
            d.session.cliphist('remove', number)
            d.wait_rows(*left)
            d.hands.press(key)
            until(lambda: d.shows('The entry that was chosen has gone.'), 'it says so')
            d.wait_rows(*left)
        equal(field.text(), '', 'what is pasted')
        d.hands.press('Return')
        d.pasted('two')


@anywhere('what-leaves-a-list-by-its-own-key-makes-room-for-its-neighbour')
def leaves_the_list():
    with window_desk(KIND) as d:
        d.store('one', 'two', 'three')
        for number in ('1', '2', '3'):
            d.session.cliphist('pin', number)
        d.focused_field()
        d.open()
        d.hands.press('ctrl+shift+Tab')
        for left in (['two', 'one'], ['one']):
            d.hands.press('ctrl+p')
            d.wait_rows(*left)
        d.hands.press('Return')
        d.pasted('one')


@with_hands('what-is-typed-behind-enter-is-no-part-of-the-search')
def behind_enter():
    with window_desk(KIND) as d:
        d.store('older', 'old', 'newer')
        d.focused_field()
        d.open()
        d.session.daemon.send_signal(signal.SIGSTOP)
        d.hands.type('old')
        d.hands.press('Return')
        d.hands.type('er')
        d.session.daemon.send_signal(signal.SIGCONT)
        d.pasted('old')
        d.wait_closed()


@anywhere('what-is-pressed-behind-a-key-that-waits-waits-too')
def waits_behind():
    with window_desk(KIND, prepare=unhurried) as d:
        d.store('older', 'old', 'newer')
        d.focused_field()
        d.open()
        chosen(d, 'newer')
        d.session.daemon.send_signal(signal.SIGSTOP)
        d.hands.type('old')
        d.hands.press('Delete')
        d.hands.press('ctrl+z')
        d.session.daemon.send_signal(signal.SIGCONT)
        d.wait_rows('old', 'older')
        chosen(d, 'old')
        d.hands.press('Escape')
        d.wait_rows('newer', 'old', 'older')
        d.session.daemon.send_signal(signal.SIGSTOP)
        d.hands.type('older')
        d.hands.press('Return')
        d.hands.press('ctrl+Tab')
        d.hands.press('ctrl+Tab')
        d.session.daemon.send_signal(signal.SIGCONT)
        d.pasted('older')
        d.wait_closed()
        equal(sorted(row['preview'] for row in d.newest()), ['newer', 'old', 'older'], 'the entries')


@with_hands('escape-takes-back-an-enter-that-waits')
def escape_behind_enter():
    with window_desk(KIND) as d:
        d.store('older', 'old', 'newer')
        field = d.focused_field()
        d.open()
        d.wait_rows('newer', 'old', 'older')
        d.session.daemon.send_signal(signal.SIGSTOP)
        d.hands.type('old')
        until(lambda: d.text_of('Search the clipboard history') == 'old', 'it is typed')
        d.hands.press('Return')
        d.hands.press('Escape')
        until(lambda: d.text_of('Search the clipboard history') == '', 'the window has heard Escape')
        d.session.daemon.send_signal(signal.SIGCONT)
        d.hands.type('older')
        d.wait_rows('older')
        true(d.showing(), 'the window is there')
        equal(field.text(), '', 'what is pasted')


@with_hands('the-first-of-what-was-searched-for-is-chosen')
def first_found():
    with window_desk(KIND) as d:
        d.store('apple pie', 'cherry pie', 'cherry')
        d.focused_field()
        d.open()
        d.hands.type('apple')
        d.wait_rows('apple pie')
        chosen(d, 'apple pie')
        d.hands.press('ctrl+a')
        d.hands.type('p')
        d.wait_rows('cherry pie', 'apple pie')
        chosen(d, 'cherry pie')


@with_hands('escape-clears-and-then-closes')
def escape():
    with window_desk(KIND) as d:
        d.store('one', 'two')
        d.focused_field()
        d.open()
        d.hands.type('tw')
        d.wait_rows('two')
        d.hands.press('Escape')
        d.wait_rows('two', 'one')
        true(d.showing(), 'it is still there')
        d.hands.press('Escape')
        d.wait_closed()
        d.hands.type('x')
        d.pasted('x')


@with_hands('what-is-copied-meanwhile-moves-nothing')
def nothing_moves():
    with window_desk(KIND) as d:
        d.store('one', 'two')
        d.focused_field()
        d.open()
        d.wait_rows('two', 'one')
        d.store('three')
        d.hands.press('Down')
        chosen(d, 'one')
        d.wait_rows('two', 'one')
        d.toggle()
        d.wait_closed()
        d.open()
        d.wait_rows('three', 'two', 'one')


@anywhere('what-is-copied-meanwhile-is-told-of-and-shown-when-asked-for')
def meanwhile():
    words = 'Something was copied meanwhile.'
    with window_desk(KIND) as d:
        def wait_shown(is_shown):
            until(lambda: (words in [name for name, _ in d.boxes('label')]) == is_shown, f'it is shown: {is_shown}')
        d.store('one', 'two')
        d.focused_field()
        d.open()
        d.wait_rows('two', 'one')
        d.ask('listen')
        d.store('three')
        until(lambda: words in d.ask('listen'), 'it is told')
        wait_shown(True)
        d.wait_rows('two', 'one')
        d.act('Show it')
        d.wait_rows('three', 'two', 'one')
        chosen(d, 'three')
        wait_shown(False)
        d.hands.type('two')
        d.wait_rows('two')
        d.store('four')
        wait_shown(True)
        d.hands.press('alt+s')
        d.wait_rows('four', 'three', 'two', 'one')
        chosen(d, 'four')
        wait_shown(False)
        d.store('five')
        wait_shown(True)
        d.hands.press('Return')
        d.pasted('four')
        d.wait_closed()
        d.open()
        d.wait_rows('four', 'five', 'three', 'two', 'one')
        wait_shown(False)


if KIND in ('openbox', 'bare'):
    @fact(name('a-pointer-that-rests-chooses-nothing-and-a-click-pastes'))
    def pointer():
        with window_desk(KIND) as d:
            d.store(*[f'text {number}' for number in range(9)])
            d.focused_field()
            d.session.run('xdotool', 'mousemove', 640, 300)
            d.open()
            until(lambda: len(d.rows()) == 9, 'all rows are there')
            d.session.run('xdotool', 'mousemove', 642, 302)
            chosen(d, 'text 8')
            d.session.run('xdotool', 'click', 1)
            d.wait_closed()
            until(lambda: d.field.text().startswith('text '), 'a click pastes')
            true(d.field.text() != 'text 8', 'what was clicked')


if KIND == 'openbox':
    @fact(name('it-is-no-larger-than-the-screen'))
    def fits_the_screen():
        with window_desk(KIND) as d:
            d.session.env['GDK_SCALE'] = '2'
            d.session.share_environment('GDK_SCALE')
            d.store('one')
            d.focused_field()
            d.open()
            d.session.run('xdotool', 'search', '--sync', '--onlyvisible', '--name', '^Clipboard history$')

            def fits():
                words = d.session.run('xdotool', 'search', '--onlyvisible', '--name', '^Clipboard history$',
                                      'getwindowgeometry', '--shell').stdout.decode().split()
                size = dict(word.split('=') for word in words)
                return int(size['WIDTH']) == 1280 and int(size['HEIGHT']) <= 720
            until(fits, 'it fits the screen')


if KIND == 'openbox':
    @fact(name('its-menu-is-whole-on-a-small-screen'))
    def menu_on_small_screen():
        with window_desk(KIND, x_options=('-screen', '0', '960x540x24')) as d:
            d.store('one')
            d.focused_field()
            d.open()
            d.hands.press('F10')
            d.wait_focus_on('menu item')
            until(lambda: d.boxes('menu item'), 'its items are there')
            _, menu_y, _, menu_height = d.boxes('menu')[0][1]
            _, y, _, height = d.boxes('menu item')[-1][1]
            true(y + height <= menu_y + menu_height, 'the last item is to be seen')


if KIND == 'openbox':
    @fact(name('a-second-click-is-not-for-the-window-below'))
    def second_click():
        with window_desk(KIND, prepare=clicks_unhurried) as d:
            d.store('one', 'two')
            fields = 'xdotool', 'search', '--sync', '--onlyvisible', '--name', '^text field$'
            below = TextField(d.session)
            covered = d.session.run(*fields).stdout.split()
            d.focused_field()
            until(lambda: len(d.session.run(*fields).stdout.split()) == 2, 'there are two fields')
            field = next(number for number in d.session.run(*fields).stdout.split() if number not in covered)
            d.session.run('xdotool', 'windowsize', '--sync', int(covered[0]), 1100, 640)
            d.session.run('xdotool', 'windowactivate', '--sync', int(field))
            d.open()
            x, y, width, height = d.box('list item', 'one')
            d.click_window(x + width // 2, y + height // 2, 1, '--repeat', 2, '--delay', 90)
            d.pasted('one')
            d.wait_closed()
            equal(d.session.run('xdotool', 'getactivewindow').stdout.strip(), field, 'the window with the focus')
            equal(below.text(), '', 'what is in the window below')


if KIND == 'openbox':
    @fact(name('what-takes-the-place-of-a-clicked-row-is-not-pasted'))
    def clicked_and_deleted():
        with window_desk(KIND, prepare=clicks_unhurried) as d:
            d.store('one', 'two', 'three')
            d.focused_field()
            d.open()
            d.wait_rows('three', 'two', 'one')
            x, y, width, height = d.box('list item', 'two')
            d.click_window(x + width // 2, y + height // 2)
            d.session.run('xdotool', 'key', 'Delete')
            d.wait_rows('three', 'one')
            os.kill(d.pid(), signal.SIGUSR1)
            until(lambda: 'no second click is waited for' in d.logs(), 'the time of a second click is over')
            chosen(d, 'one')
            d.hands.press('Up')
            chosen(d, 'three')
            d.hands.press('Return')
            d.pasted('three')
            d.wait_closed()
            equal([row['preview'] for row in d.newest()], ['three', 'one'], 'the entries')


@with_pointer('a-click-elsewhere-closes-it')
def click_elsewhere():
    with window_desk(KIND) as d:
        d.store('one')
        d.focused_field()
        d.hands.wait_focus('text field')
        d.click_field()  # a seat has a pointer from now on
        for close in (d.click_field, lambda: d.hands.press('Escape'), d.toggle, d.click_field):
            d.open()
            close()
            d.wait_closed()
            d.hands.wait_focus('text field')
        d.hands.type('x')
        d.pasted('x')


if KIND == 'bare':
    @fact(name('a-click-in-a-menu-of-its-own-does-not'))
    def click_in_menu():
        with window_desk(KIND) as d:
            d.store('one')
            d.focused_field()
            d.open()
            x, y, width, height = d.box('button', 'Menu')
            d.click_window(x + width // 2, y + height // 2)
            d.wait_focus_on('menu item')
            d.click_window(x - 100, y + 51)  # the second: Preview
            until(lambda: any(words.startswith('Preview of') for words, _ in d.boxes('text')), 'there is a preview')
            true(d.is_open(), 'the window is there')


if KIND == 'bare':
    @fact(name('a-click-at-the-edge-of-a-row-is-one-on-the-row'))
    def at_the_edge():
        with window_desk(KIND) as d:
            d.store('one', 'two', 'three')
            d.focused_field()
            d.open()
            x, y, width, height = d.box('list item', 'two')
            equal(y + height, d.box('list item', 'one')[1], 'where the next one begins')
            d.click_window(x + 1, y + height - 1)
            d.wait_closed()
            d.pasted('two')


if KIND == 'bare':
    @fact(name('a-button-that-is-let-go-elsewhere-pastes-nothing'))
    def let_go_elsewhere():
        with window_desk(KIND) as d:
            d.store('one', 'two', 'three')
            d.focused_field()
            d.open()
            (x, y, width, height), (_, other, *_) = d.box('list item', 'two'), d.box('list item', 'one')
            d.click_window(x + width // 2, y + height // 2, button=2)  # moves there, and chooses nothing
            d.session.run('xdotool', 'mousedown', 1, 'mousemove_relative', '--sync', 0, other - y, 'mouseup', 1)
            d.session.run('xdotool', 'mousemove_relative', '--sync', 0, y - other, 'mousedown', 1, 'mouseup', 1)
            d.wait_closed()
            d.pasted('two')

    @fact(name('it-is-dark-where-the-desktop-is'))
    def dark():
        with window_desk(KIND) as d:
            portal = d.session.start(sys.executable, APPEARANCE, name='appearance', stdin=subprocess.PIPE,
                                     stdout=subprocess.PIPE)
            d.session.first_line(portal.stdout, 'the portal')
            d.store('one')
            d.focused_field()
            d.open()

            x, y, width, height = d.box('list', 'Entries')

            def background():
                return [luminance(colour) for colour in d.colours((x + width // 2, y + height - 20, 9, 9))]
            until(lambda: max(background()) < 0.1, 'it is dark')
            os.write(portal.stdin.fileno(), b'0\n')
            until(lambda: min(background()) > 0.5, 'it is light')


if KIND in ('bare', 'openbox'):
    @anywhere('a-letter-and-enter-in-one-go-are-a-search')
    def in_one_go():
        with window_desk(KIND) as d:
            d.store('banana', 'apple')
            d.focused_field()
            d.open()
            chosen(d, 'apple')
            window = d.pid()
            os.kill(window, signal.SIGSTOP)
            d.session.run('xdotool', 'keydown', 'b', 'keydown', 'Return', 'keyup', 'b', 'keyup', 'Return')
            os.kill(window, signal.SIGCONT)
            d.pasted('banana')
            d.wait_closed()


if KIND == 'openbox':
    @fact(name('a-row-is-chosen-by-the-key-of-its-number-where-that-takes-shift'))
    def number_of_shift():
        with window_desk(KIND) as d:
            d.store('one', 'two', 'three')
            d.focused_field()
            d.session.run('setxkbmap', 'fr')
            d.open()
            d.wait_rows('three', 'two', 'one')
            d.session.run('xdotool', 'keydown', 'ctrl', 'key', 'minus', 'keyup', 'ctrl')  # that of 6
            d.session.run('xdotool', 'keydown', 'ctrl', 'key', 'eacute', 'keyup', 'ctrl')
            d.wait_closed()
            d.pasted('two')


if KIND in ('bare', 'openbox'):
    @anywhere('the-other-button-shows-the-menu-of-a-row')
    def row_menu():
        with window_desk(KIND) as d:
            d.store('one', 'two', 'three')
            d.focused_field()
            d.open()
            chosen(d, 'three')
            x, y, width, height = d.box('list item', 'two')
            d.click_window(x + width // 2, y + height // 2, button=3)
            chosen(d, 'two')
            d.wait_focus_on('menu item')
            d.hands.press('i')
            until(lambda: [row['pinned'] for row in d.newest()] == [False, True, False], 'it is pinned')
            d.wait_focus('Search the clipboard history')
            true(d.is_open(), 'the window is there')


    @anywhere('the-menu-of-a-row-says-what-it-does-to-that-row')
    def says_what_it_does():
        with window_desk(KIND) as d:
            d.store('one', 'two', 'three')
            d.focused_field()
            d.open()
            chosen(d, 'three')

            def items(*wanted):
                d.wait_focus_on('menu item')
                names = [node['name'] for node in d.everything(role='menu item')][:len(wanted)]
                # GTK 4.18 tells the names of no menu at all
                equal(names, list(wanted) if GTK_MINOR < 18 else [''] * len(wanted), 'what the menu begins with')

            x, y, width, height = d.box('list item', 'two')
            d.click_window(x + width // 2, y + height // 2, button=3)
            items('Paste', 'Preview', 'Pin', 'Tags…')
            d.hands.press('i')
            until(lambda: d.rows()[1].endswith(', Pinned: it stays'), 'its row says so')
            d.wait_focus('Search the clipboard history')
            d.hands.press('F10')
            items('Paste', 'Preview', 'Unpin', 'Tags…')
            d.hands.press('n')
            until(lambda: not d.newest()[1]['pinned'], 'it is no longer pinned')
            d.wait_focus('Search the clipboard history')
            d.choose_in_menu('p')
            d.pasted('two')
            d.wait_closed()


    @anywhere('the-menu-of-a-picture-offers-nothing-that-is-for-texts')
    def menu_of_picture():
        with window_desk(KIND) as d:
            d.store('one', png())
            d.focused_field()
            d.open()
            chosen(d, 'Image')
            of_text = ['Paste', 'Preview', 'Pin', 'Tags…', 'Edit…', 'Paste as plain text', 'Copy only', 'Delete']
            of_image = [words for words in of_text if words not in ('Edit…', 'Paste as plain text')]
            for words, wanted in (('one', of_text), ('Image', of_image)):
                x, y, width, height = d.box('list item', words)
                d.click_window(x + width // 2, y + height // 2, button=3)
                d.wait_focus_on('menu item')
                items = d.everything(role='menu item')
                equal(len(items), len(wanted), 'items')
                # GTK 4.18 tells the names of no menu at all
                equal([node['name'] for node in items], wanted if GTK_MINOR < 18 else [''] * len(wanted), 'the menu')
                d.hands.press('Escape')
                d.wait_focus('Search the clipboard history')
            d.hands.press('F2')
            until(lambda: d.everything(role='label', name='This entry is not text, so it cannot be edited.'), 'its key says so')


    @anywhere('the-menu-of-a-row-is-of-that-row-whatever-is-searched-for')
    def row_menu_in_search():
        with window_desk(KIND) as d:
            d.store('older', 'old', 'newer')
            d.focused_field()
            d.open()
            chosen(d, 'newer')
            d.session.daemon.send_signal(signal.SIGSTOP)
            d.hands.type('ol')
            x, y, width, height = d.box('list item', 'older')
            d.click_window(x + width // 2, y + height // 2, button=3)
            chosen(d, 'older')
            d.wait_focus_on('menu item')
            d.hands.press('d')
            d.session.daemon.send_signal(signal.SIGCONT)
            d.wait_rows('old')
            d.toggle()
            d.wait_closed()
            until(lambda: [row['preview'] for row in d.newest()] == ['newer', 'old'], 'that row is deleted')


    def control_click(d, words):
        x, y, width, height = d.box('list item', words)
        d.session.run('xdotool', 'keydown', 'ctrl')
        d.click_window(x + width // 2, y + height // 2)
        d.session.run('xdotool', 'keyup', 'ctrl')


    @anywhere('rows-that-are-clicked-with-control-are-chosen-and-no-other')
    def clicked_with_control():
        with window_desk(KIND) as d:
            d.store('one', 'two', 'three', 'four')
            d.focused_field()
            d.open()
            chosen(d, 'four')
            for words, wanted in (('two', ['two']), ('one', ['two', 'one']), ('two', ['one']), ('four', ['four', 'one'])):
                control_click(d, words)
                until(lambda wanted=wanted: [row.split(',')[0] for row in d.selected()] == wanted, f'{wanted} are chosen')
            d.toggle()
            d.wait_closed()
            d.open()
            # the first one, too
            for words, wanted in (('four', ['four']), ('three', ['four', 'three'])):
                control_click(d, words)
                until(lambda wanted=wanted: [row.split(',')[0] for row in d.selected()] == wanted, f'{wanted} are chosen')
            d.hands.press('Return')
            d.pasted('four\nthree')


    @anywhere('a-click-with-shift-chooses-from-the-row-that-is-chosen')
    def clicked_with_shift():
        with window_desk(KIND) as d:
            d.store(*(f'row {number}' for number in range(7)))
            d.focused_field()
            d.open()
            x, y, width, height = d.box('list item', 'row 1')
            d.click_window(x + width // 2, y + height // 2)
            d.pasted('row 1')
            d.wait_closed()
            d.open()
            chosen(d, 'row 1')
            x, y, width, height = d.box('list item', 'row 6')
            d.session.run('xdotool', 'keydown', 'shift')
            d.click_window(x + width // 2, y + height // 2)
            d.session.run('xdotool', 'keyup', 'shift')
            until(lambda: [row.split(',')[0] for row in d.selected()] == ['row 1', 'row 6'], 'both are chosen')


    @anywhere('what-was-typed-behind-enter-is-searched-for-where-one-points-at-a-row')
    def points_behind():
        with window_desk(KIND) as d:
            d.store('older', 'old', 'newer')
            d.focused_field()
            d.open()
            chosen(d, 'newer')
            d.session.daemon.send_signal(signal.SIGSTOP)
            d.hands.type('old')
            d.hands.press('Return')
            d.hands.type('er')
            control_click(d, 'older')
            d.session.daemon.send_signal(signal.SIGCONT)
            d.wait_rows('older')
            true(d.showing(), 'the window is there')


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


@fact(name('the-words-of-its-verb-are-searched-for'))
def words():
    with window_desk(KIND) as d:
        d.store('one', 'two')
        d.focused_field()
        d.open('kind:text', 'on')
        d.wait_rows('one')


@fact(name('the-bus-opens-and-closes-and-nothing-else'))
def on_the_bus():
    with window_desk(KIND) as d:
        d.store('one')
        d.focused_field()
        d.open()
        listed = d.session.call(NAME, '/org/cliphist/Cliphist', 'org.gtk.Actions.List')
        equal(sorted(word.strip("[]'(), \n") for word in listed.split(',') if word.strip("[]'(), \n")),
              ['close', 'toggle'], 'actions')
        tree = d.session.run('busctl', '--user', 'tree', '--list', NAME).stdout.decode().split()
        equal([path for path in tree if path.startswith('/org/cliphist/Cliphist/')], [],
              'objects below the application')


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


@anywhere('who-turns-back-with-shift-takes-rows-out-of-the-choice')
def turned_back():
    with window_desk(KIND) as d:
        d.store('one', 'two', 'three', 'four')

        def wait_chosen(*wanted):
            until(lambda: [row.split(',')[0] for row in d.selected()] == list(wanted), f'{wanted} are chosen')
        field = d.focused_field()
        d.open()
        chosen(d, 'four')
        d.hands.press('Down')
        chosen(d, 'three')
        for key, rows in (('Down', ['three', 'two']), ('Down', ['three', 'two', 'one']), ('Up', ['three', 'two']),
                          ('Up', ['three']), ('Up', ['four', 'three']), ('Down', ['three']),
                          ('Down', ['three', 'two']), ('Down', ['three', 'two', 'one']), ('Up', ['three', 'two'])):
            d.hands.press(f'shift+{key}')
            wait_chosen(*rows)
        d.hands.press('Return')
        d.wait_closed()
        until(lambda: field.text().replace('\n', ' ') == 'three two', f'two are pasted: {field.text()!r}')


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


@anywhere('the-order-of-choosing-is-shown-in-the-rows')
def shown_order():
    with window_desk(KIND) as d:
        d.store('one', 'two', 'three', 'four')
        d.focused_field()
        d.open()

        def wait_order(*wanted):
            def fits():
                told = [re.findall('chosen as number ([0-9]+)', row) for row in d.rows()]
                shown = [[] for _ in told]
                rows = d.boxes('list item')
                for name, box in d.boxes('label'):
                    for number, (_, row) in enumerate(rows[:len(shown)]):
                        if name.isdigit() and row[1] <= box[1] < row[1] + row[3]:
                            shown[number].append(name)
                return told == shown == [[str(number)] if number else [] for number in wanted]
            until(fits, f'the numbers are {wanted}')
        chosen(d, 'four')
        d.hands.press('End')
        chosen(d, 'one')
        wait_order(0, 0, 0, 0)
        d.hands.press('shift+Up')
        d.hands.press('shift+Up')
        wait_order(0, 3, 2, 1)
        d.session.cliphist('remove', '1')
        wait_order(0, 2, 1)
        d.hands.press('ctrl+p')
        until(lambda: [row['pinned'] for row in d.newest()] == [False, True, True], 'both are pinned')
        wait_order(0, 2, 1)
        d.hands.press('Up')
        wait_order(0, 0, 0)


@anywhere('how-many-there-are-and-are-chosen-is-told-where-one-types')
def told_how_many():
    with window_desk(KIND) as d:
        def wait_told(words):
            until(lambda: words in d.ask('listen')[len(told):], f'it is told: {words}')
            told[:] = d.ask('listen')
        d.store(*[f'text {number}' for number in range(30)])
        d.focused_field()
        d.open()
        until(lambda: d.everything(name='Search the clipboard history', description='more than 15 entries'), 'it is told')
        told = []
        d.ask('listen')
        d.hands.type('text 2')
        wait_told('12 entries')
        d.hands.press('shift+Down')
        d.hands.press('shift+Down')
        wait_told('3 chosen')
        until(lambda: '3 chosen' in [name for name, _ in d.boxes('label')], 'it is shown')
        d.hands.press('Down')
        wait_told('12 entries')
        true('3 chosen' not in [name for name, _ in d.boxes('label')], 'it is not shown')
        d.hands.press('shift+Down')
        wait_told('2 chosen')
        d.hands.press('Delete')
        wait_told('10 entries')
        d.hands.type('9')
        wait_told('1 entry')
        d.hands.type('9')
        wait_told('No entry matches this search.')


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


@anywhere('delete-hides-undo-brings-back-and-closing-deletes')
def deletes():
    with window_desk(KIND, prepare=unhurried) as d:
        d.store('one', 'two')
        d.focused_field()
        d.open()
        d.wait_rows('two', 'one')
        d.hands.press('Delete')
        d.wait_rows('one')
        equal(len(d.newest()), 2, 'it is still there')
        d.hands.press('ctrl+z')
        d.wait_rows('two', 'one')
        d.hands.press('Home')
        d.hands.press('Delete')
        d.wait_rows('one')
        d.toggle()
        d.wait_closed()
        until(lambda: [row['preview'] for row in d.newest()] == ['one'], 'it is deleted')


@anywhere('behind-several-that-are-deleted-their-neighbour-is-chosen')
def deletes_several():
    with window_desk(KIND, prepare=unhurried) as d:
        d.store(*[f'text {number}' for number in range(9)])
        d.focused_field()
        d.open()
        chosen(d, 'text 8')
        d.hands.press('Down')
        d.hands.press('shift+Down')
        d.hands.press('shift+Down')
        until(lambda: len(d.selected()) == 3, 'three are chosen')
        d.hands.press('Delete')
        d.wait_rows('text 8', 'text 4', 'text 3', 'text 2', 'text 1', 'text 0')
        chosen(d, 'text 4')
        d.hands.press('End')
        chosen(d, 'text 0')
        d.hands.press('shift+Up')
        until(lambda: len(d.selected()) == 2, 'two are chosen')
        d.hands.press('Delete')
        d.wait_rows('text 8', 'text 4', 'text 3', 'text 2')
        chosen(d, 'text 2')


@with_keyboard('what-was-deleted-comes-back-one-after-the-other')
def comes_back():
    with window_desk(KIND, prepare=unhurried) as d:
        d.store('one', 'two', 'three', 'four')
        d.focused_field()
        d.open()
        chosen(d, 'four')
        for left in (['three', 'two', 'one'], ['two', 'one'], ['one']):
            d.hands.press('Delete')
            d.wait_rows(*left)
        for left in (['two', 'one'], ['three', 'two', 'one']):
            d.hands.press('ctrl+z')
            d.wait_rows(*left)
            chosen(d, left[0])
        until(lambda: d.shows('1 entry is deleted.'), 'one is to come back')
        d.toggle()
        d.wait_closed()
        until(lambda: [row['preview'] for row in d.newest()] == ['three', 'two', 'one'], 'it is deleted')


@anywhere('where-all-is-to-be-deleted-it-does-not-say-that-nothing-was-copied')
def deletes_all():
    with window_desk(KIND, prepare=unhurried) as d:
        d.store('one')
        d.focused_field()
        d.open()
        for words in ('', 'one'):
            d.hands.type(words)
            d.wait_rows('one')
            d.hands.press('Delete')
            d.wait_rows()
            until(lambda: d.shows('What was here is deleted.'), 'it says so')
            d.hands.press('ctrl+z')
            d.wait_rows('one')


@anywhere('delete-takes-what-is-chosen-of-the-search-first')
def deletes_of_the_search():
    with window_desk(KIND) as d:
        d.store('one', 'two')
        d.focused_field()
        d.open()
        d.hands.type('tw')
        d.wait_rows('two')
        d.hands.press('ctrl+a')
        d.hands.press('Delete')
        d.wait_rows('two', 'one')
        d.hands.type('otne')
        d.wait_rows()
        for key in ('Left', 'Left', 'Left', 'Delete'):
            d.hands.press(key)
        d.wait_rows('one')
        true(not d.shows('1 entry is deleted.'), 'no entry is deleted')


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


@anywhere('what-is-deleted-goes-when-the-program-is-told-to-end')
def told_to_end():
    for number in (signal.SIGTERM, signal.SIGHUP):
        with window_desk(KIND) as d:
            d.store('one', 'two')
            d.focused_field()
            d.open()
            chosen(d, 'two')
            d.hands.press('Delete')
            d.wait_rows('one')
            os.kill(d.pid(), number)
            until(lambda d=d: not d.session.has_owner(NAME), 'it has ended')
            until(lambda d=d: [row['preview'] for row in d.newest()] == ['one'], 'the entry is deleted')


@anywhere('told-to-end-it-does-so-where-the-daemon-does-not-answer')
def told_to_end_alone():
    with window_desk(KIND) as d:
        d.store('one', 'two')
        d.focused_field()
        window = d.session.start(d.session.programs.cliphist.parent / 'window' / 'cliphist-window')
        d.wait_open()
        chosen(d, 'two')
        d.session.daemon.send_signal(signal.SIGSTOP)
        d.hands.press('Delete')
        d.wait_rows('one')
        equal(d.session.stop(window), 0, 'its exit status')
        d.session.daemon.send_signal(signal.SIGCONT)
        until(lambda: [row['preview'] for row in d.newest()] == ['one'], 'the entry is deleted')


@anywhere('what-is-deleted-goes-where-the-daemon-was-told-to-end-first')
def told_to_end_later():
    with window_desk(KIND) as d:
        d.store('one', 'two')
        d.focused_field()
        d.open()
        chosen(d, 'two')
        d.hands.press('Delete')
        d.wait_rows('one')
        d.session.make_activatable(BUS_NAME, d.session.programs.cliphistd)
        window = d.pid()
        d.session.kill(d.session.daemon)
        os.kill(window, signal.SIGTERM)
        until(lambda: not d.session.has_owner(NAME), 'it has ended')
        until(lambda: [row['preview'] for row in d.newest()] == ['one'], 'the entry is deleted')
        d.take_over()


@anywhere('what-is-deleted-goes-where-the-daemon-is-killed-over-it')
def killed_over_it():
    with window_desk(KIND) as d:
        d.store('one', 'two')
        d.focused_field()
        d.open()
        chosen(d, 'two')
        d.session.make_activatable(BUS_NAME, d.session.programs.cliphistd)
        d.session.daemon.send_signal(signal.SIGSTOP)
        d.hands.press('Delete')
        d.wait_rows('one')
        d.toggle()
        d.wait_closed()
        d.session.kill(d.session.daemon)
        until(lambda: [row['preview'] for row in d.newest()] == ['one'], 'the entry is deleted')
        d.take_over()


@anywhere('what-is-deleted-stays-hidden-while-the-daemon-is-busy')
def stays_hidden():
    with window_desk(KIND) as d:
        d.store('one', 'two', 'three', 'four')
        d.focused_field()
        d.open()
        chosen(d, 'four')
        d.session.daemon.send_signal(signal.SIGSTOP)
        for left in (['three', 'two', 'one'], ['two', 'one'], ['one']):
            d.hands.press('Delete')
            d.wait_rows(*left)
        d.hands.press('ctrl+z')
        d.wait_rows('two', 'one')
        d.session.daemon.send_signal(signal.SIGCONT)
        until(lambda: [row['preview'] for row in d.newest()] == ['two', 'one'], 'two are deleted')
        d.wait_rows('two', 'one')


@anywhere('what-is-below-comes-up-when-a-page-is-deleted')
def deletes_a_page():
    with window_desk(KIND) as d:
        d.store(*[f'text {number}' for number in range(30)])
        d.focused_field()
        d.open()
        chosen(d, 'text 29')
        # at the top: nothing is scrolled
        for _ in range(24):
            d.hands.press('Delete')
        d.wait_rows(*[f'text {number}' for number in range(5, -1, -1)])


@with_hands('undo-is-of-entries-and-not-of-the-search')
def undoes_no_search():
    with window_desk(KIND) as d:
        d.store('one', 'onex', 'x ray')
        d.focused_field()
        d.open()
        d.hands.type('one')
        d.wait_rows('onex', 'one')
        d.hands.press('ctrl+z')
        d.hands.type('x')
        d.wait_rows('onex')


@with_hands('what-is-pinned-together-stays-chosen')
def pinned_together():
    with window_desk(KIND) as d:
        d.store('one', 'two', 'three')
        d.focused_field()
        d.open()
        chosen(d, 'three')
        d.hands.press('shift+Down')
        d.hands.press('ctrl+p')
        until(lambda: [row['pinned'] for row in d.newest()] == [True, True, False], 'two are pinned')
        until(lambda: [row.endswith(', Pinned: it stays') for row in d.selected()] == [True, True], 'both are chosen')


@anywhere('pins-and-tags')
def pins():
    with window_desk(KIND) as d:
        d.store('one', 'two')
        d.focused_field()
        d.open()
        d.wait_rows('two', 'one')
        d.hands.press('ctrl+p')
        until(lambda: d.newest()[0]['pinned'], 'it is pinned')
        until(lambda: d.rows()[0].endswith(', Pinned: it stays'), 'its row says so')
        d.hands.press('ctrl+t')
        until(lambda: d.everything(role='label', name='Tags, with blanks between them. Enter saves.'),
              'the tags are asked for')
        d.hands.type('x' * 257)
        d.hands.press('Return')
        until(lambda: d.everything(role='label', name='One of the tags is too long.'), 'it says so')
        d.hands.press('ctrl+a')
        d.hands.type('mine #yours')
        d.hands.press('Return')
        until(lambda: len(d.newest('--tag', 'mine')) == 1, 'it has its tag')
        until(lambda: d.rows() and about('#mine') + ' ' + about('#yours') in d.rows()[0], 'its row says so')
        d.toggle()
        d.wait_closed()
        d.open('tag:mine')
        d.wait_rows('two')


@anywhere('a-screen-reader-is-told-of-pins-and-of-what-goes-and-comes-back')
def told_changes():
    with window_desk(KIND, prepare=unhurried) as d:
        d.store(*[f'text {number}' for number in range(30)])
        d.focused_field()
        d.open()
        chosen(d, 'text 29')
        told = d.ask('listen')

        def wait_told(key, words):
            told[:] = d.ask('listen')
            d.hands.press(key)
            until(lambda: words in d.ask('listen')[len(told):], f'{key}: it is told: {words}')
        for words in ('1 entry is pinned.', '1 entry is not pinned.', '1 entry is pinned.'):
            wait_told('ctrl+p', words)
            end = ', Pinned: it stays'
            until(lambda words=words: d.selected()[0].endswith(end) == ('not' not in words), 'so says its row')
        d.hands.press('Down')
        chosen(d, 'text 28')
        wait_told('ctrl+p', '1 entry is pinned.')
        for key, words in (('Delete', '1 entry is deleted.'), ('Delete', '2 entries are deleted.')):
            wait_told(key, words)
            until(lambda words=words: says_status(d, words), 'so says the status')
        for _ in range(2):
            wait_told('ctrl+z', '1 entry is back.')


@anywhere('a-text-is-edited-in-place')
def edits():
    with window_desk(KIND) as d:
        d.store('one', 'two')
        d.session.cliphist('pin', '1')
        d.focused_field()
        d.open()
        d.wait_rows('two', 'one')
        d.hands.press('Down')
        chosen(d, 'one')
        d.hands.press('F2')
        until(lambda: d.everything(role='label', name='The text of the entry. Ctrl+Enter saves.'),
              'the text is there')
        d.hands.press('Tab')
        d.hands.type('more')
        d.hands.press('ctrl+Return')
        until(lambda: d.newest()[0]['preview'] == 'one more', 'it is changed')
        text = d.session.cliphist('decode', str(d.newest()[0]['id'])).stdout
        equal(text, b'one\tmore', 'the text, with what Tab is there')
        true(d.newest()[0]['pinned'], 'it is still pinned')
        equal(len(d.newest()), 2, 'entries')
        d.wait_rows('one more', 'two')
        chosen(d, 'one more')
        d.store('three')
        d.hands.press('Down')
        chosen(d, 'two')
        d.wait_rows('one more', 'two')


@anywhere('whose-formatting-goes-is-told-where-one-edits')
def edits_formatted():
    with window_desk(KIND) as d:
        d.store('one')
        d.store_types({'text/plain;charset=utf-8': b'plain', 'text/html': b'<b>rich</b>'})
        d.focused_field()
        d.open()
        chosen(d, 'plain')
        for words in ('The text of the entry. Ctrl+Enter saves it, without its formatting.',
                      'The text of the entry. Ctrl+Enter saves.'):
            d.hands.press('F2')
            until(lambda words=words: d.everything(role='label', name=words), f'it says: {words}')
            d.hands.press('Escape')
            d.wait_focus('Search the clipboard history')
            d.hands.press('Down')


@anywhere('escape-keeps-a-draft-and-cancel-gives-it-up')
def kept_draft():
    with window_desk(KIND) as d:
        d.store('one')
        d.session.cliphist('tag', '1', 'mine')
        d.focused_field()
        d.open()
        for edit, heading, was in (('F2', 'The text of the entry. Ctrl+Enter saves.', 'one'),
                                   ('ctrl+t', 'Tags, with blanks between them. Enter saves.', 'mine')):
            for key, words in (('Escape', was + 'more'), ('Return', was)):
                d.hands.press(edit)
                until(lambda: (d.text_of(heading) or '').startswith(was), f'{was} is there')
                if key == 'Escape':
                    d.hands.press('ctrl+End')
                    d.hands.type('more')
                else:
                    d.hands.press('ctrl+Tab')
                    d.wait_focus('Cancel')
                d.hands.press(key)
                d.wait_focus('Search the clipboard history')
                d.hands.press('F1')
                d.wait_focus('All keys')
                d.act('Back')
                d.wait_focus('Search the clipboard history')
                d.hands.press(edit)
                until(lambda: d.text_of(heading) == words, f'{words} is there')
                d.hands.press('Escape')
                d.wait_focus('Search the clipboard history')
        equal([(row['preview'], row['tags']) for row in d.newest()], [('one', ['mine'])], 'the entries')


DRAFT = 'What you typed into an entry is not saved yet.'


def sees(d, words):
    return words in [name for name, _ in d.boxes('label')]


@anywhere('a-draft-is-saved-or-given-up-before-another-entry-is-edited')
def draft_of_another():
    with window_desk(KIND) as d:
        d.store('one', 'two')
        d.focused_field()
        d.open()
        chosen(d, 'two')
        edited, kept = 'The text of the entry. Ctrl+Enter saves.', 'What was typed before is not saved yet: save it, or cancel.'
        d.hands.press('F2')
        until(lambda: d.text_of(edited) == 'two', 'the text is there')
        d.hands.press('ctrl+End')
        d.hands.type('more')
        until(lambda: sees(d, 'two'), 'whose text it is')
        d.hands.press('Escape')
        d.wait_focus('Search the clipboard history')
        until(lambda: sees(d, DRAFT), 'that there is a draft')
        d.hands.press('Escape')
        d.wait_closed()
        d.open()
        until(lambda: sees(d, DRAFT), 'that there is one still')
        d.act('Continue')
        d.wait_focus(edited)
        equal(d.text_of(edited), 'twomore', 'the draft')
        d.hands.press('Escape')
        d.wait_focus('Search the clipboard history')
        d.hands.press('Down')
        chosen(d, 'one')
        for key in ('ctrl+t', 'F2'):
            d.hands.press(key)
            until(lambda key=key: d.text_of(kept) == 'twomore', f'{key}: the draft is there, and it says so')
            true(sees(d, 'two'), 'whose text it is')
            if key == 'ctrl+t':
                d.hands.press('Escape')
                d.wait_focus('Search the clipboard history')
        d.hands.press('ctrl+Return')
        d.wait_rows('twomore', 'one')
        d.hands.press('Down')
        chosen(d, 'one')
        d.hands.press('F2')
        until(lambda: d.text_of(edited) == 'one', 'the other one is edited')
        until(lambda: sees(d, 'one'), 'whose text it is')
        d.hands.press('Escape')
        d.wait_focus('Search the clipboard history')
        true(not sees(d, DRAFT), 'nothing is left')


@with_keyboard('that-a-text-is-blank-is-told-until-more-is-typed')
def blank_text():
    edited, blank = 'The text of the entry. Ctrl+Enter saves.', 'There is nothing but blanks in this text: it cannot be kept.'
    with window_desk(KIND) as d:
        d.store('one')
        d.focused_field()
        d.open()
        chosen(d, 'one')
        d.hands.press('F2')
        until(lambda: d.text_of(edited) == 'one', 'the text is there')
        d.hands.press('ctrl+a')
        d.hands.press('Delete')
        until(lambda: d.text_of(edited) == '', 'it is empty')
        d.hands.press('ctrl+Return')
        until(lambda: d.text_of(blank) == '', 'it says so')
        d.hands.type('new')
        until(lambda: d.text_of(edited) == 'new', 'what was said is gone')
        d.hands.press('ctrl+Return')
        d.wait_rows('new')


@anywhere('that-an-entry-has-gone-meanwhile-is-told-in-words')
def gone_meanwhile():
    with window_desk(KIND) as d:
        d.store('one')
        d.focused_field()
        d.open()
        chosen(d, 'one')
        d.hands.press('ctrl+t')
        d.wait_focus('Tags, with blanks between them. Enter saves.')
        d.hands.type('mine')
        d.session.cliphist('remove', '1')
        d.hands.press('Return')
        d.wait_focus('The entry that was chosen has gone.')


@anywhere('a-draft-outlives-a-look-at-something-else')
def draft():
    with window_desk(KIND) as d:
        d.store('one')
        d.focused_field()
        d.open()
        d.hands.press('F2')
        until(lambda: d.everything(role='label', name='The text of the entry. Ctrl+Enter saves.'),
              'the text is there')
        d.click_field()
        d.wait_closed()  # nothing was typed
        d.open()
        d.hands.press('F2')
        until(lambda: d.everything(role='label', name='The text of the entry. Ctrl+Enter saves.'),
              'the text is there')
        d.hands.type('more')
        d.click_field()
        d.wait_closed()
        d.open()
        d.hands.type(' words')
        d.toggle()
        d.wait_closed()
        d.open()
        d.hands.press('ctrl+Return')
        until(lambda: d.newest()[0]['preview'] == 'onemore words', 'the draft is saved')
        d.wait_rows('onemore words')
        d.hands.press('F2')
        until(lambda: d.everything(role='label', name='The text of the entry. Ctrl+Enter saves.'),
              'the text is there')
        d.hands.type('again')
        os.kill(d.pid(), signal.SIGTERM)
        until(lambda: not d.session.has_owner(NAME), 'told to end it does so')


@anywhere('kinds-and-numbers')
def kinds():
    with window_desk(KIND) as d:
        d.store('one', 'two', png())
        d.focused_field()
        d.open()
        d.wait_rows('Image 64×48', 'two', 'one')
        d.hands.press('ctrl+Tab')
        d.wait_rows('two', 'one')
        d.hands.press('ctrl+2')
        d.pasted('one')
        d.wait_closed()


@with_hands('what-is-pinned-has-a-place-of-its-own')
def pinned_ones():
    with window_desk(KIND) as d:
        d.store('one', 'two', 'one more')
        for number in ('1', '2'):
            d.session.cliphist('pin', number)
        d.focused_field()
        d.open()
        d.wait_rows('one more', 'two', 'one')
        d.hands.press('ctrl+shift+Tab')
        d.wait_rows('two', 'one')
        d.hands.type('one')
        d.wait_rows('one')
        d.hands.press('Return')
        d.pasted('one')
        d.wait_closed()
        d.open()
        d.wait_rows('one', 'one more', 'two')


@anywhere('the-preview-shows-the-beginning-of-what-is-chosen')
def previews():
    with window_desk(KIND) as d:
        lines = 'line after line\n' * 20000
        d.store('first line\nsecond line', lines, 'x' * 300000)
        d.focused_field()
        d.open()
        d.wait_rows('xxx', 'line', 'first')
        d.hands.press('Tab')
        until(lambda: d.text_of('Preview of the entry') == 'x' * 2000 + '…', 'a long line is cut')
        d.hands.press('Down')
        until(lambda: d.text_of('Preview of the entry') == lines[:65536], 'it shows 64 KiB')
        d.hands.press('Down')
        until(lambda: d.text_of('Preview of the entry') == 'first line\nsecond line', 'it shows the text')


@anywhere('a-long-tag-makes-it-no-wider')
def long_tag():
    with window_desk(KIND) as d:
        d.store('one', 'two')
        d.session.cliphist('tag', '1', 'W' * 250)
        d.focused_field()
        d.open()
        d.hands.press('Tab')
        until(lambda: d.text_of('Preview of the entry') == 'two', 'it shows the text')
        before = d.box('button', 'Menu')
        d.hands.press('Down')
        until(lambda: d.text_of('Preview of the entry') == 'one', 'it shows that of the other')
        equal(d.box('button', 'Menu'), before, 'where the menu is')


@anywhere('a-new-tag-is-told-by-row-and-preview-before-the-program')
def new_tag():
    with window_desk(KIND) as d:
        field = d.focused_field()
        d.hands.wait_focus('text field')
        d.hands.type('word')
        until(lambda: field.text() == 'word', 'it is typed')
        d.hands.press('ctrl+a')
        d.hands.press('ctrl+c')
        until(lambda: len(d.newest()) == 1, 'it is copied')
        d.open()
        chosen(d, 'word')
        d.hands.press('Tab')
        until(lambda: d.text_of('Preview of the entry') == 'word', 'the preview is there')
        d.hands.press('ctrl+t')
        d.wait_focus('Tags, with blanks between them. Enter saves.')
        d.hands.type('mine')
        d.hands.press('Return')
        told = about('Text', '4 bytes', 'now', '#mine')
        until(lambda: len([name for name, _ in d.boxes('label') if name.startswith(told)]) == 2, f'both say {told}')


@anywhere('the-preview-shows-pictures-files-and-colours')
def previews_more():
    with window_desk(KIND) as d:
        d.store('no colour', ' #3080c0\n', png(1600, 900))
        d.store_types({'text/uri-list':
                       b'file:///tmp/a%20letter.txt\r\nfile:///tmp/b%0A%C3%BC.png\r\nfile://far/c%20d\r\n'})
        d.focused_field()
        d.open()
        d.wait_rows(f'a letter.txt, b ü.png, c d, {about("Files")}', f'Image 1600×900, {about("Picture")}',
                    f'#3080c0, {about("Text")}', f'no colour, {about("Text")}')
        _, _, size = d.ask('boxes')[0]
        d.hands.press('Tab')
        paths = '/tmp/a letter.txt\n/tmp/b ü.png\nfile://far/c%20d\n'
        until(lambda: d.text_of('Preview of the entry') == paths, 'it shows the paths of the files')
        for words, has_picture in (('Image', True), ('#3080c0', True), ('no colour', False)):
            d.hands.press('Down')
            chosen(d, words)
            until(lambda: d.shows('Preview of the picture') == has_picture, f'of {words}: a picture, or none')
            equal(d.ask('boxes')[0][2], size, 'of the window, whatever is shown')
            if words == 'Image':
                until(lambda: [box for _, called, box in d.ask('boxes')
                               if called == 'Preview of the picture' and box[3] > 300], 'it has all of the room')


@anywhere('the-match-is-marked')
def marked():
    with window_desk(KIND) as d:
        d.store('an <apple> pie')
        d.focused_field()
        d.open()
        d.hands.type('APPLE')
        until(lambda: d.ask('marked an <apple> pie') == ['apple'], 'what is found is marked')


@anywhere('every-word-is-marked-and-the-preview-shows-the-first')
def marked_words():
    with window_desk(KIND) as d:
        d.store('an <apple> pie, an \u00c4pple, Stra\u00dfe', '\n' * 1000 + 'the pie\nis of an apple' + '\n' * 1000)
        d.focused_field()
        d.open()
        d.hands.press('Tab')
        preview = 'Preview of the entry'
        until(lambda: (d.text_of(preview) or '').startswith('\n'), 'the preview is there')
        equal(d.ask(f'marked {preview}'), [], 'what is marked without a search')

        def is_blank():
            x, y, width, height = d.box('text', preview)
            return contrast(d.colours((x + 1, y + 1, width // 2, height - 2))) < 4.5
        true(KIND not in ('openbox', 'bare') or is_blank(), 'of the preview a blank beginning is seen')
        d.hands.type('PIE apple')
        until(lambda: d.ask(f'marked {preview}') == ['pie', 'apple'], 'the preview marks each word')
        until(lambda: KIND not in ('openbox', 'bare') or not is_blank(), 'it shows them')
        for words, row, text in (('', [], []), ('PIE apple', ['apple', 'pie', '\u00c4pple'], ['pie', 'apple']),
                                 ('/p[a-z]+,/', ['pie,'], ['pie,'])):
            d.toggle()
            d.wait_closed()
            d.open(words)
            until(lambda row=row: d.ask('marked an <apple> pie, an \u00c4pple, Stra\u00dfe') == row, f'a row marks {row}')
            until(lambda text=text: d.ask(f'marked {preview}') == text, f'the preview marks {text}')


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


if KIND == 'sway':
    @fact(name('behind-a-window-that-fills-the-screen-it-closes-and-says-so'))
    def covered():
        with window_desk(KIND) as d:
            start_mako(d)
            d.store('one')
            field = d.focused_field()
            for number in '12':  # it was never shown before, and then it was
                d.session.run('swaymsg', 'fullscreen', 'enable')
                if HAS_LAYERS:
                    d.open()
                    d.toggle()
                else:
                    d.toggle()
                    until(lambda: COVERED in d.session.shown_by_mako(), 'it says so')
                    d.session.run('makoctl', 'dismiss', '--all')
                d.wait_closed()
                d.hands.type(number)
                until(lambda number=number: field.text().endswith(number), 'the field has the keys')
                d.session.run('swaymsg', 'fullscreen', 'disable')
                d.open()
                d.toggle()
                d.wait_closed()


if KIND in ('sway', 'kwin'):
    @with_keyboard('what-could-not-be-deleted-is-told-of')
    def not_deleted():
        with window_desk(KIND) as d:
            start_mako(d)
            d.store('one', 'two')
            d.focused_field()
            d.open()
            chosen(d, 'two')
            d.session.daemon.send_signal(signal.SIGSTOP)
            d.hands.press('Delete')
            d.wait_rows('one')
            d.toggle()
            d.wait_closed()
            d.session.kill(d.session.daemon)
            until(lambda: 'Nothing was deleted' in d.session.shown_by_mako(), 'it says so')
            d.session.start_daemon()
            d.open()
            d.wait_rows('two', 'one')


if KIND in ('sway', 'kwin'):
    @with_keyboard('a-list-that-no-daemon-follows-says-that-it-may-be-old')
    def no_daemon_any_more():
        with window_desk(KIND) as d:
            start_mako(d)
            d.store('one', 'two')
            d.focused_field()
            d.open()
            chosen(d, 'two')
            true(not d.shows(MAY_BE_OLD), 'the daemon is there')
            d.toggle()
            d.wait_closed()
            d.session.make_activatable(BUS_NAME, '/bin/false')
            d.session.kill(d.session.daemon)
            d.open()
            until(lambda: d.shows(MAY_BE_OLD), 'it says that the list may be old')
            d.wait_rows('two', 'one')
            d.hands.press('Return')
            d.wait_closed()
            until(lambda: NO_ANSWER in d.session.shown_by_mako(), 'it says that nothing was pasted, and why')
            d.session.start_daemon()
            d.open()
            until(lambda: not d.shows(MAY_BE_OLD), 'the daemon is back')
            d.wait_rows('two', 'one')


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
    @fact(name('where-no-key-can-be-sent-it-says-so'))
    def no_key():
        with window_desk(KIND) as d:
            start_mako(d)
            d.store('one', 'two')
            d.focused_field()
            d.open()
            chosen(d, 'two')
            if d.hands:
                # with them goes the only keyboard
                d.session.kill(d.hands.process)
            true(d.ask('do history.paste'), 'it is taken')
            d.wait_closed()
            for words in ('Nothing was pasted', 'It is on the clipboard: press ctrl+v to paste it.',
                          'The key cannot be sent: '):
                until(lambda: words in d.session.shown_by_mako(), f'it says: {words}')
            equal(d.current(), 2, 'what is on the clipboard')
            equal(d.field.text(), '', 'what is pasted')


@anywhere('its-menu-pauses-and-wipes-after-a-question')
def menu():
    with window_desk(KIND) as d:
        d.store('one', 'two')
        d.session.cliphist('pin', '1')
        d.focused_field()
        d.open()
        d.wait_rows('two', 'one')
        d.choose_in_menu('u')
        until(lambda: d.shows('Copies are not kept at the moment.'), 'it says that it is paused')
        d.store('while it is paused')
        d.choose_in_menu('a')
        until(lambda: not d.shows('Copies are not kept at the moment.'), 'it is paused no more')
        d.choose_in_menu('1')
        until(lambda: any(re.fullmatch('Copies are not kept until [0-9]{4}-[0-9-]+ [0-9:]{8}[.]', node['name'])
                          for node in d.everything(role='label')), 'it says for how long it is paused')
        d.act('Keep copies again')
        until(lambda: not d.shows('Copies are not kept at the moment.'), 'it is paused no more')
        d.wait_focus('Search the clipboard history')
        for answer, left in ((lambda: d.hands.press('Return'), ['two', 'one']), (lambda: d.act('Delete'), ['one'])):
            d.choose_in_menu('v')
            d.wait_focus('Cancel')
            answer()
            d.wait_focus('Search the clipboard history')
            d.wait_rows(*left)
        equal([row['preview'] for row in d.newest()], ['one'], 'what is left')


@with_keyboard('a-menu-that-closes-leaves-the-focus-where-one-types')
def menu_closes():
    with window_desk(KIND) as d:
        d.store('one', 'two')
        d.focused_field()
        d.open()
        for opens, role, wanted in ((lambda: d.hands.press('F10'), 'menu item', 'one'),
                                    (lambda: true(d.ask('open'), 'the kinds are opened'), 'list item', 'two')):
            d.wait_rows('two', 'one')
            opens()
            d.wait_focus_on(role)
            d.hands.press('Escape')
            wait_menu_gone(d, 'Search the clipboard history')
            d.hands.type(wanted)
            d.wait_rows(wanted)
            d.hands.press('Escape')


@anywhere('its-settings-are-those-of-the-file')
def settings():
    with window_desk(KIND) as d:
        d.store('one')
        d.session.cliphist('config', 'max-items', '300')
        d.focused_field()
        d.open()
        d.choose_in_menu('s')
        d.wait_focus('Entries that are kept (0: none)')
        until(lambda: d.text_of('Entries that are kept (0: none)') == '300', 'it shows what is set')
        d.hands.press('ctrl+a')
        d.hands.type('many')
        d.hands.press('Return')
        until(lambda: d.shows('invalid value "many" for max-items: a number is like 500'), 'it says what is wrong')
        d.hands.press('ctrl+a')
        d.hands.type('400')
        d.hands.press('Return')
        until(lambda: d.shows('Saved.'), 'it is saved')
        d.hands.press('ctrl+a')
        d.hands.type('500')
        d.hands.press('Tab')
        file = pathlib.Path(d.session.env['XDG_CONFIG_HOME']) / 'cliphist' / 'config'
        until(lambda: 'max-items 500\n' in file.read_text(), 'to leave a field saves it')
        equal(file.read_text().count('max-items'), 1, 'lines of the file')
        d.hands.press('Escape')
        d.wait_focus('Search the clipboard history')


@anywhere('what-is-typed-as-a-setting-is-saved-by-all-but-escape')
def typed_settings():
    kept = 'Entries that are kept (0: none)'
    with window_desk(KIND) as d:
        d.store('one')
        d.session.cliphist('config', 'max-items', '300')
        d.focused_field()

        def type_over(was, text):
            d.choose_in_menu('s')
            d.wait_focus(kept)
            until(lambda: d.text_of(kept) == was, f'it shows {was}')
            true(d.shows('What you type is saved when you leave the field, but not by Esc.'), 'what saves is said')
            d.hands.press('ctrl+a')
            d.hands.type(text)
            until(lambda: d.text_of(kept) == text, 'it is typed')

        def is_set(value):
            until(lambda: d.session.cliphist('config', 'max-items').stdout.strip() == value.encode(), f'it is {value}')

        d.open()
        type_over('300', '2')
        d.hands.press('Escape')
        d.wait_focus('Search the clipboard history')
        # of a field that has not the focus when the page is shown again
        d.session.cliphist('config', 'max-age', '30d')
        d.choose_in_menu('s')
        d.wait_focus(kept)
        d.hands.press('Tab')
        until(lambda: not d.focuses(kept), 'the next field has the focus')
        d.hands.press('ctrl+a')
        d.hands.type('1h')
        d.hands.press('Escape')
        d.wait_focus('Search the clipboard history')
        type_over('300', '400')
        equal(d.session.cliphist('config', 'max-age').stdout.strip(), b'30d', 'what Escape gave up')
        d.act('Back')
        d.wait_focus('Search the clipboard history')
        is_set('400')
        type_over('400', '500')
        d.toggle()
        d.wait_closed()
        is_set('500')
        d.open()
        d.wait_focus('Search the clipboard history')
        type_over('500', '600')
        d.click_field()
        d.wait_closed()
        is_set('600')
        d.open()
        d.wait_focus('Search the clipboard history')


@anywhere('a-wrong-setting-is-told-of-and-stays-to-be-mended')
def wrong_setting():
    kept, wrong = 'Entries that are kept (0: none)', 'invalid value "many" for max-items: a number is like 500'
    with window_desk(KIND) as d:
        d.store('one')
        d.session.cliphist('config', 'max-items', '300')
        d.focused_field()
        d.open()
        d.choose_in_menu('s')
        d.wait_focus(kept)
        until(lambda: d.text_of(kept) == '300', 'it shows what is set')
        d.hands.press('ctrl+a')
        d.hands.type('many')
        d.act('Back')
        until(lambda: d.shows(wrong), 'it says what is wrong')
        d.wait_focus(kept)
        d.click_field()
        d.wait_closed()
        d.open()
        d.wait_focus(kept)
        equal((d.text_of(kept), d.shows(wrong)), ('many', True), 'what was typed, and what is said of it')
        d.hands.press('ctrl+a')
        d.hands.type('400')
        d.act('Back')
        d.wait_focus('Search the clipboard history')
        equal(d.session.cliphist('config', 'max-items').stdout.strip(), b'400', 'what is set')


if KIND == 'sway':
    @fact(name('a-wrong-setting-is-told-of-in-the-page-and-once-where-that-has-gone'))
    def told_once():
        kept, wrong = 'Entries that are kept (0: none)', 'invalid value "%s" for max-items: a number is like 500'
        with window_desk(KIND) as d:
            start_mako(d)
            d.store('one')
            d.session.cliphist('config', 'max-items', '300')
            d.focused_field()
            d.open()
            d.choose_in_menu('s')
            d.wait_focus(kept)
            until(lambda: d.text_of(kept) == '300', 'it shows what is set')
            d.hands.press('ctrl+a')
            d.hands.type('many')
            d.hands.press('Tab')
            until(lambda: d.shows(wrong % 'many'), 'it is told')
            for _ in range(3):
                d.hands.press('Tab')
            d.hands.press('F10')
            d.wait_focus_on('menu item')
            for key in ('Down', 'Down', 'Escape'):
                d.hands.press(key)
            until(lambda: not d.everything(role='menu item'), 'the menu is closed')
            d.toggle()
            d.wait_closed()
            d.open()
            d.wait_focus(kept)
            true('a number is like' not in d.session.shown_by_mako(), 'no notification tells of it again')
            d.hands.press('ctrl+a')
            d.hands.type('4')
            until(lambda: d.shows('What you type is saved when you leave the field, but not by Esc.'),
                  'what was said of the old value is gone')
            d.hands.type('x')
            d.toggle()
            d.wait_closed()
            until(lambda: d.session.shown_by_mako().count('a number is like 500') == 1,
                  'a notification tells of the new one')
            equal(d.session.cliphist('config', 'max-items').stdout.strip(), b'300', 'what is set')


@anywhere('shift-tab-leads-to-what-has-a-name')
def shift_tab():
    with window_desk(KIND) as d:
        d.store('one', 'two')
        d.focused_field()
        d.open()
        d.wait_rows('two', 'one')
        for _ in range(2):
            d.hands.press('shift+Tab')
            until(lambda: not d.focuses('Search the clipboard history'), 'something else has the focus')
            equal([node['role'] for node in d.everything() if 'focused' in node['states'] and not node['name']], [],
                  'what has the focus, and no name')
            d.hands.press('Tab')
            d.wait_focus('Search the clipboard history')
            d.hands.press('Tab')  # the preview, too


@anywhere('each-key-is-on-one-page')
def keys():
    with window_desk(KIND) as d:
        d.store('one')
        d.focused_field()
        d.open()
        d.hands.press('F1')
        d.wait_focus('All keys')
        names = {node['name'] for node in d.everything(role='label')}
        equal({'Enter', 'Shift+Enter', 'Ctrl+Enter, Ctrl+C', 'Tab', 'Ctrl+P', 'Ctrl+T', 'Delete', 'Ctrl+Z', 'F10', 'Esc',
               'tag:work', 'kind:image', 'from:firefox', 'since:2h', 'pinned', '/a.*b/'} - names, set(), 'are missing')
        def choose_kind():
            true(d.ask('open'), 'the kinds are opened')
            d.wait_focus_on('list item')
            d.hands.press('Down')
            d.hands.press('Return')
        for leave in (lambda: d.hands.press('Escape'), lambda: d.act('Back'), choose_kind):
            leave()
            d.wait_focus('Search the clipboard history')
            until(lambda: not d.shows('Back'), 'the list is there')
            d.hands.press('F1')
            d.wait_focus('All keys')


@anywhere('keys-change-no-row-that-a-page-hides')
def behind_a_page():
    with window_desk(KIND) as d:
        d.store('one', 'two')
        field = d.focused_field()
        d.open()
        chosen(d, 'two')
        d.hands.press('F1')
        d.wait_focus('All keys')
        for _ in range(12):
            if d.focuses('Search the clipboard history'):
                break
            d.hands.press('Tab')
        for key in ('ctrl+p', 'Delete', 'ctrl+c', 'ctrl+t', 'Return'):
            d.hands.press(key)
        d.hands.press('Escape')
        until(lambda: not d.shows('Back'), 'the list is there')
        d.wait_rows('two', 'one')
        d.toggle()
        d.wait_closed()
        equal([(row['preview'], row['pinned']) for row in d.newest()], [('two', False), ('one', False)], 'the entries')
        equal((field.text(), d.current()), ('', 0), 'what is pasted, and copied')


@anywhere('nothing-is-left-of-a-search-when-it-closes')
def forgets():
    with window_desk(KIND) as d:
        d.store('one', 'two')
        d.focused_field()
        d.open()
        d.hands.type('word')
        until(lambda: d.rows() == [], 'nothing is found')
        d.hands.press('Escape')
        d.hands.press('Escape')
        d.wait_closed()
        d.open()
        d.hands.press('ctrl+z')
        d.hands.type('w')
        d.wait_rows('two')


@of_size('what-is-deleted-goes-when-the-offer-to-undo-ends')
def offer_ends():
    with window_desk(KIND) as d:
        d.store('one', 'two')
        d.focused_field()
        d.open()
        chosen(d, 'two')
        d.hands.press('Delete')
        until(lambda: d.shows('1 entry is deleted.'), 'it says so')
        until(lambda: [row['preview'] for row in d.newest()] == ['one'], 'it is deleted')
        true(d.showing(), 'it is still there')
        d.hands.press('ctrl+z')
        until(lambda: not d.shows('1 entry is deleted.'), 'there is nothing to be taken back')


@of_size('of-many-letters-the-last-counts')
def superseded():
    with window_desk(KIND) as d:
        d.store(*[f'entry {number} abcdefgh' for number in range(40)], 'entry abcdefgh only')
        d.focused_field()
        d.open()
        for _ in range(5):
            d.hands.type('entry abcdefgh only')
            d.wait_rows('entry abcdefgh only')
            d.hands.press('Escape')
            until(lambda: len(d.rows()) > 20, 'all are there again')
            chosen(d, 'entry abcdefgh only')


@anywhere('it-is-worked-by-its-buttons')
def buttons():
    with window_desk(KIND, prepare=unhurried) as d:
        d.store('one', 'two')
        d.focused_field()
        d.open()
        d.wait_rows('two', 'one')
        d.hands.press('Delete')
        d.wait_rows('one')
        # not by a letter that is underlined, nor twice; GTK 4.18 tells of those alone that are seen
        def buttons_now():
            names = [node['name'] for role in ('push button', 'button') for node in d.everything(role=role)]
            hidden = {'Cancel', 'Save', 'Delete', 'Show the history'} if GTK_MINOR < 18 else set()
            return names if {'Undo', 'Preview', 'Menu'} | hidden <= set(names) else None
        names = until(buttons_now, 'the buttons are there')
        equal([name for name in names if '_' in name], [], 'what buttons are called')
        d.act('Undo')
        d.wait_rows('two', 'one')


@anywhere('hostile-texts-are-shown-as-what-they-are')
def hostile():
    with window_desk(KIND) as d:
        d.store('<b>bold</b> &amp; <span foreground="red">', b'\x1b[31mred\x07\x00 \xff\xfe',
                '\u202edesrever', 'a\u0300' * 2000)
        d.session.cliphist('tag', '1', '<i>tag</i>')
        d.focused_field()
        d.open()
        until(lambda: len(d.rows()) == 4, 'all rows are there')
        true(d.rows()[3].startswith('<b>bold</b> &amp; <span foreground="red">'), d.rows()[3])
        true('#<i>tag</i>' in d.rows()[3], d.rows()[3])
        equal([row for row in d.rows() if '\x1b' in row or '\u202e' in row], [], 'control characters')
        d.hands.press('Tab')
        for _ in range(4):
            d.hands.press('Down')
        chosen(d, '<b>')


@anywhere('a-picture-that-breaks-its-decoder-is-an-icon')
def broken_picture():
    with window_desk(KIND) as d:
        d.store(png()[:60] + b'garbage' * 100, png())
        d.focused_field()
        d.open()
        d.hands.press('Tab')
        d.hands.press('Down')
        until(lambda: d.text_of('Preview of the entry') == 'There is no preview of this entry.', 'the preview says so')


@anywhere('wiped-while-it-is-open')
def wiped():
    with window_desk(KIND) as d:
        d.store('one', 'two')
        d.focused_field()
        d.open()
        d.wait_rows('two', 'one')
        d.session.cliphist('wipe')
        d.wait_rows()
        until(lambda: d.everything(name='The history is empty. What you copy appears here, unless a setting keeps it out.'),
              'it says that there is nothing')
        d.hands.press('Return')
        d.hands.press('Delete')
        true(d.showing(), 'it is still there')
        d.store('three')
        d.wait_rows('three')
        d.hands.press('Return')
        d.pasted('three')


@anywhere('wiped-by-the-removal-of-its-file-it-follows-on')
def wiped_by_removal():
    with window_desk(KIND) as d:
        d.store('one', 'two', 'three')
        d.focused_field()
        for is_open in (False, True):
            d.open()
            d.wait_rows('three', 'two', 'one')
            if not is_open:
                d.toggle()
                d.wait_closed()
            (d.session.folder / 'cache' / 'cliphist' / 'db').unlink()
            d.store('four')
            if is_open:
                d.toggle()
                d.wait_closed()
            d.store('five')
            d.open()
            d.wait_rows('five', 'four')
            d.toggle()
            d.wait_closed()
            d.session.cliphist('wipe', '--all', '--yes')
            d.store('one', 'two', 'three')


@fact(name('the-daemon-is-killed-and-comes-back'))
def killed():
    with window_desk(KIND) as d:
        d.store('one', 'two')
        d.focused_field()
        d.open()
        d.wait_rows('two', 'one')
        d.session.kill(d.session.daemon)
        d.wait_rows('two', 'one')
        d.session.start_daemon()
        d.toggle()
        d.wait_closed()
        d.store('three')
        d.open()
        d.wait_rows('three', 'two', 'one')


@fact(name('its-key-brings-a-daemon-back-that-has-crashed'))
def brought_back():
    with window_desk(KIND) as d:
        d.store('one')
        d.focused_field()
        d.open()
        d.wait_rows('one')
        d.toggle()
        d.wait_closed()
        d.session.kill(d.session.daemon)
        # the bus is older than the display, and knows nothing of it
        d.session.make_activatable(BUS_NAME, d.session.programs.cliphistd)
        d.open()
        until(lambda: d.session.has_owner(BUS_NAME), 'it is back')
        d.session.wait_backend(DESKTOPS[KIND][1])
        d.toggle()
        d.wait_closed()
        d.store('two')
        d.open()
        d.wait_rows('two', 'one')
        d.take_over()


@anywhere('hidden-it-brings-a-daemon-back-that-has-crashed')
def hidden_brings_back():
    with window_desk(KIND) as d:
        d.store('one')
        d.focused_field()
        d.open()
        d.wait_rows('one')
        d.toggle()
        d.wait_closed()
        # the bus is older than the display, and knows nothing of it
        d.session.make_activatable(BUS_NAME, d.session.programs.cliphistd)
        d.session.kill(d.session.daemon)
        until(lambda: d.session.has_owner(BUS_NAME), 'it is back')
        d.session.wait_backend(DESKTOPS[KIND][1])
        d.take_over()


def in_hebrew(session):
    session.run('localedef', '-i', 'he_IL', '-f', 'UTF-8', session.folder / 'he_IL.UTF-8')
    session.env |= {'LOCPATH': str(session.folder), 'LC_ALL': 'he_IL.UTF-8'}
    session.share_environment('LOCPATH', 'LC_ALL')


def end_of(box):
    return box[0] + box[2]


def nothing_sticks_out(d):
    found = d.ask('boxes')
    _, _, frame = found[0]
    equal([box for box in found if box[2][0] < 0 or end_of(box[2]) > frame[2]], [], f'is not within {frame}')


@of_size('where-people-write-from-the-right-all-is-mirrored')
def mirrored():
    with window_desk(KIND, prepare=in_hebrew) as d:
        d.store('one', 'two', png())
        d.focused_field()
        d.open()
        d.wait_rows('Image', 'two', 'one')
        nothing_sticks_out(d)
        frame, search = d.box('frame', ''), d.box('entry', 'Search')
        title, below = d.box('label', 'one'), d.box('label', about('Text'))
        # or the size, whose word is written from the right, would be shown as the age
        parts = re.escape(about('Text', 'x', 'x')).replace('x', '[^\u2069]+')
        true(re.search(f'^one, {parts}$', d.rows()[2]), f'each part reads for itself: {d.rows()}')
        true(end_of(d.box('button', 'Menu')) < search[0], 'the menu is left of the search')
        true(frame[2] - end_of(title) > title[0], f'the picture is right of {title}')
        equal(end_of(below), end_of(title), 'where what is said of it ends')
        d.hands.press('Down')
        chosen(d, 'two')
        d.hands.press('Tab')
        until(lambda: d.text_of('Preview of the entry') == 'two', 'the preview is there')
        true(end_of(d.box('text', 'Preview of')) <= d.box('list', 'Entries')[0], 'the preview is left of the list')
        nothing_sticks_out(d)
        d.hands.press('F1')
        d.wait_focus('All keys')
        true(end_of(d.box('label', 'Paste into')) < d.box('label', 'Shift+Enter')[0], 'keys are right of what they do')
        nothing_sticks_out(d)
        d.hands.press('Escape')
        d.wait_focus('Search the clipboard history')
        d.hands.press('Return')
        d.pasted('two')


def with_large_text(session):
    session.run('xprop', '-root', '-f', 'RESOURCE_MANAGER', '8s', '-set', 'RESOURCE_MANAGER', 'Xft.dpi:\t192\n')


@of_size('text-of-twice-the-size-is-not-cut-off')
def large_text():
    with window_desk(KIND, prepare=with_large_text) as d:
        d.store('one', 'two')
        d.focused_field()
        d.open()
        d.wait_rows('two', 'one')
        title, said, below = d.box('label', 'two'), d.box('label', about('Text')), d.box('label', 'one')
        # ten points and more
        true(title[3] >= 26, f'the text is large: {title}')
        true(title[1] + title[3] <= said[1] and said[1] + said[3] <= below[1], f'{title}, {said}, {below}: in rows')
        frame = d.box('frame', '')
        true(1000 <= frame[2] <= 1280 and frame[3] <= 648, f'it is larger, and leaves room for a bar: {frame}')
        nothing_sticks_out(d)
        for opens, page in ((lambda: d.hands.press('F1'), 'All keys'),
                            (lambda: d.choose_in_menu('s'), 'Entries that are kept (0: none)'),
                            (lambda: d.choose_in_menu('v'), 'Cancel')):
            opens()
            d.wait_focus(page)
            nothing_sticks_out(d)
            d.hands.press('Escape')
            d.wait_focus('Search the clipboard history')


@of_size('so-it-is-where-the-screen-is-as-small-as-screens-are')
def large_text_small_screen():
    with window_desk(KIND, prepare=with_large_text, x_options=('-screen', '0', '640x480x24')) as d:
        d.store('one', 'two')
        d.focused_field()
        d.open()
        d.wait_rows('two', 'one')
        for opens, page in ((lambda: d.hands.press('F1'), 'All keys'),
                            (lambda: d.choose_in_menu('s'), 'Entries that are kept (0: none)'),
                            (lambda: d.choose_in_menu('v'), 'Cancel'),
                            (lambda: d.choose_in_menu('w'), 'Show the history')):
            opens()
            d.wait_focus(page)
            width, height = d.box('frame', '')[2:]
            true(width == 640 and height <= 480, f'of the window with {page!r}: {width}x{height}')
            nothing_sticks_out(d)
            d.hands.press('Escape')
            d.wait_focus('Search the clipboard history')


@of_size('what-is-told-in-the-place-of-rows-makes-it-no-wider')
def long_words():
    with window_desk(KIND) as d:
        d.store('one')
        d.focused_field()
        d.open()
        d.wait_rows('one')
        size = d.box('frame', '')
        d.hands.type('kind:' + 'w' * 120)
        until(lambda: [node for node in d.everything(role='label') if 'is no filter' in node['name']], 'it says so')
        equal(d.box('frame', ''), size, 'the window')
        nothing_sticks_out(d)


def with_high_contrast(session):
    folder = pathlib.Path(session.env['XDG_CONFIG_HOME']) / 'gtk-4.0'
    folder.mkdir()
    (folder / 'settings.ini').write_text('[Settings]\ngtk-theme-name=HighContrast\n')


def luminance(colour):
    parts = [part / 255 for part in colour]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(part * weight for part, weight in zip(linear, (0.2126, 0.7152, 0.0722)))


def contrast(colours):
    """As WCAG has it, from 1 to 21."""
    all_of_them = [luminance(colour) for colour in colours]
    return (max(all_of_them) + 0.05) / (min(all_of_them) + 0.05)


@of_size('in-high-contrast-no-text-is-pale')
def high_contrast():
    with window_desk(KIND, prepare=with_high_contrast) as d:
        d.store('one', 'two')
        d.focused_field()
        d.open()
        d.wait_rows('two', 'one')
        # the first row is chosen, and the second one is not
        for words in ('two', 'one', about('Text'), 'Everything'):
            until(lambda: contrast(d.colours(d.box('label', words))) >= 4.5, f'{words!r} is to be read')


@of_size('a-hundred-thousand-entries')
def many():
    with window_desk(KIND) as d:
        records = [{'value': f'entry {number:06}', 'recorded': '2025-01-01 10:00:00.000000000', 'filePath': 'null',
                    'pinned': False} for number in range(100_000, 0, -1)]
        archive = d.session.folder / 'many.json'
        archive.write_text(json.dumps({'clipboardHistory': records}))
        d.session.cliphist('config', 'max-items', '200000')
        d.session.cliphist('import', '--from', 'clipse', archive, seconds=300)
        d.focused_field()
        d.open()
        chosen(d, 'entry 100000')
        d.hands.press('End')
        until(lambda: [row.startswith('entry 100000') for row in d.selected()] == [False], 'it is at the end of a page')
        d.hands.type('000001')
        d.wait_rows('entry 000001')
        d.session.cliphist('wipe', seconds=300)
        d.wait_rows()
        d.hands.press('Escape')
        d.wait_rows()


@of_size('one-entry-of-a-gibibyte')
def huge():
    with window_desk(KIND) as d:
        source = d.session.folder / 'huge'
        with open(source, 'wb') as file:
            line = b'a line of a text that is long\n'
            for _ in range(int(os.environ.get('CLIP_LARGE_MIB', '1024'))):
                file.write((line * ((1 << 20) // len(line) + 1))[:1 << 20])
        with open(source, 'rb') as file:
            d.session.cliphist('store', stdin=file, seconds=300)
        d.store('small')
        d.focused_field()
        d.open()
        d.wait_rows('small', 'a line of a text')
        d.hands.press('Tab')
        d.hands.press('Down')
        until(lambda: (d.text_of('Preview of the entry') or '').startswith(line.decode() * 9), 'its beginning is shown')
        equal(len(d.text_of('Preview of the entry')), 1 << 16, 'of the preview')
        d.hands.type('text that')
        d.wait_rows('a line of a text')
        d.hands.press('Delete')
        d.wait_rows()


class Locker:
    def __init__(self, session, *words):
        self.session = session
        self.process = session.start(sys.executable, LOCKER, 'org.freedesktop.ScreenSaver', *words, name='locker',
                                     stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        session.first_line(self.process.stdout, 'the locker')

    def tell(self, word):
        os.write(self.process.stdin.fileno(), word.encode() + b'\n')
        equal(self.session.first_line(self.process.stdout, 'the locker'), word, 'what it did')


@fact(name('nothing-is-shown-while-the-screen-is-locked'))
def locked():
    with window_desk(KIND) as d:
        d.store('one')
        locker = Locker(d.session)
        d.focused_field()
        d.open()
        locker.tell('lock')
        d.wait_closed()
        d.toggle()
        d.session.call(NAME, PATH, 'org.freedesktop.Application.Activate', '{}')
        true(not d.showing(), 'it stays closed')
        locker.tell('unlock')
        d.open()


@fact(name('a-screen-reader-that-asks-before-it-is-shown-finds-a-window-all-the-same'))
def asked_early():
    with window_desk(KIND) as d:
        d.store('one')
        locker = Locker(d.session, 'mute')
        d.focused_field()
        d.toggle()
        equal(d.ask('frame'), None, 'what there is while the lock is asked')
        locker.tell('answer')
        d.wait_open()


@fact(name('hidden-for-long-it-ends-and-shown-again-it-knows-the-time'))
def ends():
    with window_desk(KIND) as d:
        d.store('one')
        d.focused_field()
        program = d.session.programs.cliphist.parent.parent / 'tests/window/test-window-application'
        done = d.session.run(program, '200')
        equal(done.stdout.decode().splitlines(), [about('Text', '3 bytes', 'now'), about('Text', '3 bytes', '1 h ago')],
              'what it said when it was opened, and an hour later')


@anywhere('where-all-is-pinned-it-ends-no-sooner')
def all_pinned():
    with window_desk(KIND) as d:
        d.store('one')
        d.session.cliphist('pin', '1')
        d.focused_field()
        program = d.session.programs.cliphist.parent.parent / 'tests/window/test-window-application'
        done = d.session.run(program, '200')
        equal(len(done.stdout.splitlines()), 2, 'how often it was shown')


@anywhere('hidden-it-ends-when-the-history-is-wiped')
def ends_with_wipe():
    with window_desk(KIND) as d:
        d.store('one', 'two')
        d.session.cliphist('pin', str(d.newest()[0]['id']))
        d.focused_field()
        for words, before, after in ((['wipe'], ['two', 'one'], ['two']), (['wipe', '--all', '--yes'], ['two'], [])):
            d.open()
            d.wait_rows(*before)
            d.toggle()
            d.wait_closed()
            d.session.cliphist(*words)
            until(lambda: not d.session.has_owner(NAME), 'it has ended')
            d.open()
            d.wait_rows(*after)
            d.toggle()
            d.wait_closed()


@anywhere('hidden-with-a-draft-it-does-not-end')
def stays_with_draft():
    with window_desk(KIND) as d:
        d.store('one')
        d.focused_field()
        program = d.session.programs.cliphist.parent.parent / 'tests/window/test-window-application'
        done = d.session.run(program, '200', 'draft')
        equal(done.stdout.decode().splitlines(), ['still there'], 'what it said after 600 ms')


main()
