# SPDX-License-Identifier: LGPL-2.1-or-later
"""The window on a desktop: window.py openbox|bare|sway|kwin|gnome [FACT...]"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from windowdesk import NAME, window_desk  # noqa: E402
from session import until  # noqa: E402
from tap import equal, fact, main, true  # noqa: E402

KIND = sys.argv.pop(1)


def name(words):
    return f'/window/{KIND}/{words}'


@fact(name('its-key-opens-and-closes-it'))
def opens():
    with window_desk(KIND) as d:
        d.store('older', 'newer')
        d.focused_field()
        d.open()
        d.wait_rows('newer', 'older')
        equal(len(d.selected()), 1, 'rows that are chosen')
        true(d.selected()[0].startswith('newer'), 'the newest is chosen')
        d.toggle()
        d.wait_closed()
        d.open()
        d.wait_rows('newer', 'older')


@fact(name('what-is-typed-is-searched-for-and-enter-pastes-it'))
def types():
    with window_desk(KIND) as d:
        d.store('an apple', 'a pear', 'another apple')
        d.focused_field()
        d.open()
        d.hands.type('app an ')
        d.wait_rows('another apple', 'an apple')
        d.hands.press('Down')
        until(lambda: d.selected()[0].startswith('an apple'), 'the second row is chosen')
        d.hands.press('Return')
        d.pasted('an apple')
        d.wait_closed()


@fact(name('enter-pastes-twenty-of-twenty'))
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


@fact(name('escape-clears-and-then-closes'))
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


@fact(name('what-is-copied-meanwhile-moves-nothing'))
def nothing_moves():
    with window_desk(KIND) as d:
        d.store('one', 'two')
        d.focused_field()
        d.open()
        d.wait_rows('two', 'one')
        d.store('three')
        d.hands.press('Down')
        until(lambda: d.selected()[0].startswith('one'), 'the second row is chosen')
        d.wait_rows('two', 'one')
        d.toggle()
        d.wait_closed()
        d.open()
        d.wait_rows('three', 'two', 'one')


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


@fact(name('hidden-for-long-it-ends'))
def ends():
    with window_desk(KIND) as d:
        d.store('one')
        d.focused_field()
        program = d.session.programs.cliphist.parent.parent / 'tests/window/test-window-application'
        done = d.session.run(program, '200', seconds=30)
        equal(done.stdout, b'hidden\n', 'what it did')


main()
