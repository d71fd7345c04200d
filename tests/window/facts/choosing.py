# SPDX-License-Identifier: LGPL-2.1-or-later
"""Rows are chosen, by keys and by a pointer, one or several; the menu of a row."""
import os
import re
import signal

from clients import TextField, png
from tap import equal, fact, true
from windowdesk import until, window_desk
from windowfact import KIND, anywhere, chosen, name, unhurried, with_hands


def clicks_unhurried(session):
    """A second click is waited for until the window gets SIGUSR1."""
    unhurried(session, 'CLIP_TEST_CLICKS=1')


@anywhere('the-menu-of-no-entry-has-nothing-for-one')
def menu_of_nothing():
    of_entries = ['Paste', 'Tags…', 'Copy only', 'Delete', 'Pin', 'Paste as plain text', 'Delete everything…']

    def has(d, *wanted):
        d.hands.press('F10')
        until(lambda: [node['name'] for node in d.everything(role='menu item') if node['name'] in of_entries
                       and 'sensitive' in node['states']] == list(wanted), f'of these there are {wanted}')
        d.hands.press('Escape')
        until(lambda: not d.everything(role='menu item'), 'the menu is gone')
    with window_desk(KIND) as d:
        d.focused_field()
        d.open()
        has(d)
        d.store('one')
        d.wait_rows('one')
        has(d, 'Paste', 'Pin', 'Tags…', 'Paste as plain text', 'Copy only', 'Delete', 'Delete everything…')
        d.hands.type('two')
        d.wait_rows()
        has(d, 'Delete everything…')


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
                equal(names, list(wanted), 'what the menu begins with')

            x, y, width, height = d.box('list item', 'two')
            d.click_window(x + width // 2, y + height // 2, button=3)
            items('Paste', 'Preview', 'Pin', 'Tags…')
            d.hands.press('i')
            until(lambda: any(row.endswith(', Pinned: it stays') for row in d.rows()[1:]), 'its row says so')
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
                equal([node['name'] for node in d.everything(role='menu item')], wanted, 'the menu')
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


@anywhere('end-goes-to-the-oldest-entry-and-home-to-the-newest')
def oldest():
    with window_desk(KIND) as d:
        d.store(*[f'text {number}.' for number in range(50)])
        d.focused_field()
        d.open()
        chosen(d, 'text 49.')
        for key, wanted in (('Page_Down', 41), ('Page_Down', 33), ('End', 0), ('Home', 49)):
            d.hands.press(key)
            chosen(d, f'text {wanted}.')
        d.toggle()
        d.wait_closed()
        d.open()
        d.hands.press('End')
        d.hands.press('Return')
        d.pasted('text 0.')


@anywhere('how-many-there-are-and-are-chosen-is-told-where-one-types')
def told_how_many():
    with window_desk(KIND) as d:
        def wait_told(words):
            until(lambda: words in d.ask('listen')[len(told):], f'it is told: {words}')
            told[:] = d.ask('listen')
        d.store(*[f'text {number}' for number in range(29)])
        d.focused_field()
        d.open()
        until(lambda: d.everything(name='Search the clipboard history', description='more than 11 entries'), 'it is told')
        told = []
        d.ask('listen')
        d.hands.type('text 2')
        wait_told('11 entries')
        d.hands.press('shift+Down')
        d.hands.press('shift+Down')
        wait_told('3 chosen')
        until(lambda: '3 chosen' in [name for name, _ in d.boxes('label')], 'it is shown')
        d.hands.press('Down')
        wait_told('11 entries')
        true('3 chosen' not in [name for name, _ in d.boxes('label')], 'it is not shown')
        d.hands.press('shift+Down')
        wait_told('2 chosen')
        d.hands.press('Delete')
        wait_told('9 entries')
        d.hands.type('8')
        wait_told('1 entry')
        d.hands.type('9')
        wait_told('No entry matches this search.')


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
