# SPDX-License-Identifier: LGPL-2.1-or-later
"""What a desktop's own search waits for: GNOME Shell and KRunner, at 100,000 entries.

Milliseconds of a call, from one caller that is on the bus already; the shell calls with every key
that is pressed. The texts are those of the group `store`, and before them some images: `cold` are
those without a thumbnail, which each call meets anew, `warm` those that have one.
"""
import pathlib
import time

from gi.repository import Gio, GLib

from clients import png
from groups.store import Place
from rows import Figure, percentile
from session import BUS_NAME, BUS_PATH, until

DISPLAY = 'none'
ENTRIES = 100_000
CALLS = 100
COLD_CALLS = 20
MOST_MS = 20
IMAGES = 5
WORD = 'png'  # in the line of each image, and in no text

SEARCHES = [
    ('one letter, common', ['h']),
    ('one letter, nowhere', ['§']),
    ('two letters, common', ['ho']),
    ('two letters, nowhere', ['zq']),
    ('three letters, common', ['hol']),
    ('three letters, nowhere', ['zqx']),
    ('a word', ['0x7f3a']),
    ('two words that are common', ['hol', 'deba']),
    ('a word, nowhere', ['quixotry']),
]


class Desktop:
    def __init__(self, session):
        self.thumbnails = pathlib.Path(session.env['XDG_STATE_HOME'], 'cliphist', 'thumbnails')
        self.bus = Gio.DBusConnection.new_for_address_sync(
            session.env['DBUS_SESSION_BUS_ADDRESS'],
            Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT |
            Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION, None, None)

    def call(self, path, interface, method, arguments):
        """Milliseconds, and what came."""
        start = time.monotonic()
        reply = self.bus.call_sync(BUS_NAME, f'{BUS_PATH}/{path}', interface, method, arguments,
                                   None, Gio.DBusCallFlags.NONE, 60000, None)
        return (time.monotonic() - start) * 1000, reply.unpack()[0]

    def bus_alone(self):
        """What a call takes that the bus answers itself: how busy the machine is."""
        start = time.monotonic()
        self.bus.call_sync('org.freedesktop.DBus', '/', 'org.freedesktop.DBus', 'GetId', None, None,
                           Gio.DBusCallFlags.NONE, 60000, None)
        return (time.monotonic() - start) * 1000, None

    def shell(self, method, words):
        return self.call('SearchProvider', 'org.gnome.Shell.SearchProvider2', method,
                         GLib.Variant('(as)', (words,)))

    def narrowed(self, ids, words):
        return self.call('SearchProvider', 'org.gnome.Shell.SearchProvider2',
                         'GetSubsearchResultSet', GLib.Variant('(asas)', (ids, words)))

    def runner(self, query):
        return self.call('Runner', 'org.kde.krunner1', 'Match', GLib.Variant('(s)', (query,)))

    def with_icons(self, ids):
        """How many of these have a thumbnail."""
        return sum(meta['icon'][0] == 'file' for meta in self.shell('GetResultMetas', ids)[1])

    def with_pixels(self):
        return sum('icon-data' in match[5] for match in self.runner(f'clip {WORD}')[1])

    def forget(self):
        for path in self.thumbnails.glob('*.p[na][gm]'):
            path.unlink(missing_ok=True)


def figures(bench, title, call, most=MOST_MS, calls=CALLS, before=lambda: None):
    found = [(Figure(f'{title}, {name}', 'ms', most=most if name == 'p99' else None), part)
             for name, part in (('p50', 0.5), ('p99', 0.99))]
    for _ in range(bench.runs):
        times = []
        for _ in range(calls):
            before()
            times.append(call()[0])
        for figure, part in found:
            figure.values.append(percentile(times, part))
    return [figure for figure, _ in found]


def shell_rows(bench, desktop):
    for title, words in SEARCHES:
        yield figures(bench, f'GNOME Shell, {title}',
                      lambda words=words: desktop.shell('GetInitialResultSet', words))
    ids = desktop.shell('GetInitialResultSet', ['hol'])[1]
    yield figures(bench, 'GNOME Shell, one letter more',
                  lambda: desktop.narrowed(ids, ['hola']))
    yield figures(bench, 'GNOME Shell, five texts',
                  lambda: desktop.shell('GetResultMetas', ids[:5]))
    images = desktop.shell('GetInitialResultSet', [WORD])[1]
    yield figures(bench, f'GNOME Shell, {len(images)} images, cold',
                  lambda: desktop.shell('GetResultMetas', images), None, COLD_CALLS, desktop.forget)
    until(lambda: desktop.with_icons(images) == IMAGES, 'all images have a thumbnail')
    yield figures(bench, f'GNOME Shell, {len(images)} images, warm',
                  lambda: desktop.shell('GetResultMetas', images))


def runner_rows(bench, desktop):
    for title, words in SEARCHES:
        yield figures(bench, f'KRunner, {title}',
                      lambda words=words: desktop.runner(f'clip {" ".join(words)}'))

    def settle():
        until(lambda: desktop.with_pixels() == IMAGES, 'all matches have a thumbnail')
        desktop.forget()
    yield figures(bench, f'KRunner, {IMAGES} images, cold', lambda: desktop.runner(f'clip {WORD}'),
                  calls=COLD_CALLS, before=settle)
    settle()
    until(lambda: desktop.with_pixels() == IMAGES, 'all matches have a thumbnail')
    yield figures(bench, f'KRunner, {IMAGES} images, warm', lambda: desktop.runner(f'clip {WORD}'))


def rows(bench):
    Place(bench, ENTRIES).fill(peer=False)
    for number in range(IMAGES):
        bench.session.cliphist('store', data=png(1920, 1080, bytes([20, 40 * number, 200])))
    desktop = Desktop(bench.session)
    desktop.shell('GetInitialResultSet', ['word'])  # the first one asks whether the screen is locked
    yield figures(bench, 'the bus alone', desktop.bus_alone, None)
    yield from shell_rows(bench, desktop)
    yield figures(bench, 'the bus alone, again', desktop.bus_alone, None)
    yield from runner_rows(bench, desktop)
