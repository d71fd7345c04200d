# SPDX-License-Identifier: LGPL-2.1-or-later
"""What is deleted can be taken back for a while, and goes whatever happens then."""
import os
import signal

from session import BUS_NAME
from tap import equal, true
from windowdesk import NAME, until, window_desk
from windowfact import KIND, anywhere, chosen, of_size, start_mako, unhurried, with_hands, with_keyboard


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


@anywhere('of-several-that-come-back-the-first-is-seen')
def several_come_back():
    with window_desk(KIND, prepare=unhurried) as d:
        d.store(*[f'text {number}' for number in range(30)])
        d.focused_field()
        d.open()
        chosen(d, 'text 29')
        d.hands.press('Down')
        chosen(d, 'text 28')
        d.hands.press('shift+Up')
        until(lambda: len(d.selected()) == 2, 'two are chosen')
        d.hands.press('Delete')
        chosen(d, 'text 27')
        d.hands.press('ctrl+z')
        chosen(d, 'text 29')
        top = d.box('list', 'Entries')[1]
        until(lambda: d.box('list item', 'text 29')[1] == top, 'it is the first that is seen')


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
