# SPDX-License-Identifier: LGPL-2.1-or-later
"""It opens, and closes, by its key, the bus, a click elsewhere; what the first start says; when the program ends."""
import json
import os
import pathlib
import subprocess
import sys

from gnome import evaluate
from tap import equal, fact, true
from windowdesk import NAME, PATH, until, window_desk
from windowfact import (
    FOCUS, KIND, about, anywhere, chosen, name, says_status, start_mako, unhurried, wait_menu_gone, with_hands,
    with_keyboard, with_pointer)

HAS_LAYERS = subprocess.run(['pkg-config', '--exists', 'gtk4-layer-shell-0'], check=False).returncode == 0
COVERED = 'A window that fills the screen is in front of it.'
LOCKER = pathlib.Path(__file__).resolve().parents[2] / 'bus' / 'locker.py'


class Locker:
    def __init__(self, session, *words):
        self.session = session
        self.process = session.start(sys.executable, LOCKER, 'org.freedesktop.ScreenSaver', *words, name='locker',
                                     stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        session.first_line(self.process.stdout, 'the locker')

    def tell(self, word):
        os.write(self.process.stdin.fileno(), word.encode() + b'\n')
        equal(self.session.first_line(self.process.stdout, 'the locker'), word, 'what it did')


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


if KIND == 'gnome':
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


@anywhere('no-row-moves-when-something-is-told-below-the-list')
def tells_below():
    with window_desk(KIND, prepare=unhurried) as d:
        d.store(*[f'text {number:02}' for number in range(20, 0, -1)])
        d.focused_field()
        d.open()
        for _ in range(10):
            d.hands.press('Down')
        chosen(d, 'text 11')
        place = d.box('list item', 'text 08')
        d.store('elsewhere')
        until(lambda: d.shows('Something was copied meanwhile.'), 'it is told')
        equal(d.box('list item', 'text 08'), place, 'where a row is while something waits')
        d.hands.press('Delete')
        until(lambda: d.shows('1 entry is deleted.'), 'it is told')
        equal(d.box('list item', 'text 08'), place, 'where a row is while something can be taken back')
        d.hands.press('ctrl+z')
        until(lambda: d.shows('Something was copied meanwhile.'), 'it is told')
        equal(d.box('list item', 'text 08'), place, 'where a row is when it came back')


@anywhere('what-is-copied-meanwhile-is-told-of-and-shown-when-asked-for')
def meanwhile():
    words = 'Something was copied meanwhile.'
    with window_desk(KIND) as d:
        def wait_shown(is_shown):
            until(lambda: d.shows(words) == is_shown, f'it is shown: {is_shown}')
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


if KIND in ('openbox', 'bare'):
    @fact(name('it-draws-no-frame-around-itself'))
    def without_its_own_frame():
        with window_desk(KIND) as d:
            d.store('one')
            d.focused_field()
            d.open()
            _, _, width, _ = d.box('list', 'Entries')
            words = d.session.run('xdotool', 'search', '--onlyvisible', '--name', '^Clipboard history$',
                                  'getwindowgeometry', '--shell').stdout.decode().split()
            equal([word for word in words if word.startswith('WIDTH')], [f'WIDTH={width + 2}'], 'with its border')


if KIND == 'sway':
    @fact(name('sway-puts-no-frame-around-it'))
    def without_a_frame():
        def frames(node):
            own = [node['border']] if node.get('app_id') == NAME else []
            return sum((frames(child) for child in node['nodes'] + node['floating_nodes']), own)
        with window_desk(KIND) as d:
            d.store('one')
            d.focused_field()
            for time in 'never shown before', 'shown before':
                d.open()
                tree = json.loads(d.session.run('swaymsg', '-t', 'get_tree').stdout)
                equal(frames(tree), [] if HAS_LAYERS else ['csd'], f'the frame of one that was {time}')
                d.toggle()
                d.wait_closed()

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
