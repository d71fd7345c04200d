# SPDX-License-Identifier: LGPL-2.1-or-later
"""What it says where the daemon or the history has gone, and how these come back."""
import pathlib

from session import BUS_NAME
from tap import fact, true
from windowdesk import DESKTOPS, until, window_desk
from windowfact import KIND, NO_ANSWER, anywhere, chosen, name, of_size, start_mako, with_keyboard

DAMAGED = ('Part of the clipboard history is damaged: “cliphist doctor --repair” in a terminal saves '
           'what can be read.')
MAY_BE_OLD = 'The clipboard history does not answer, and this list may be old. “cliphist doctor” in a terminal says why.'


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
        d.store('two')
        # what is deleted does not stay in the log, of which readers would have it all
        d.session.cliphist('delete-query', 'two')
        d.focused_field()
        database = pathlib.Path(d.session.env['XDG_STATE_HOME']) / 'cliphist' / 'history.db'
        log = database.with_name('history.db-wal')
        until(lambda: log.stat().st_size == 0 or log.read_bytes()[:4] == bytes(4), 'the log is carried over')
        with open(database, 'r+b') as file:
            file.write(b'no database ' * 1000)
        d.open()
        until(lambda: d.shows(DAMAGED), 'it says what is the matter')


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
