# SPDX-License-Identifier: LGPL-2.1-or-later
"""What a desktop's own search waits for: GNOME Shell and KRunner, at 100,000 entries.

Milliseconds of a call, from one caller that is on the bus already; the shell calls with every key
that is pressed. The texts are those of the group `store`.
"""
import time

from gi.repository import Gio, GLib

from groups.store import Place
from rows import Figure, percentile
from session import BUS_NAME, BUS_PATH

DISPLAY = 'none'
ENTRIES = 100_000
CALLS = 100
MOST_MS = 20

SEARCHES = [
    ('a word', ['0x7f3a']),
    ('a word that is common', ['hol']),
    ('two words that are common', ['hol', 'deba']),
    ('one letter', ['h']),
    ('two letters, nowhere', ['zq']),
    ('a word, nowhere', ['quixotry']),
]


class Desktop:
    def __init__(self, session):
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

    def runner(self, query):
        return self.call('Runner', 'org.kde.krunner1', 'Match', GLib.Variant('(s)', (query,)))


def figures(bench, title, call, most=MOST_MS):
    found = [(Figure(f'{title}, {name}', 'ms', most=most if name == 'p99' else None), part)
             for name, part in (('p50', 0.5), ('p99', 0.99))]
    for _ in range(bench.runs):
        times = [call()[0] for _ in range(CALLS)]
        for figure, part in found:
            figure.values.append(percentile(times, part))
    return [figure for figure, _ in found]


def rows(bench):
    Place(bench, ENTRIES).fill(peer=False)
    desktop = Desktop(bench.session)
    desktop.shell('GetInitialResultSet', ['word'])  # the first one asks whether the screen is locked
    yield figures(bench, 'the bus alone', desktop.bus_alone, None)
    for title, words in SEARCHES:
        yield figures(bench, f'GNOME Shell, {title}',
                      lambda words=words: desktop.shell('GetInitialResultSet', words))
    ids = desktop.shell('GetInitialResultSet', ['hol'])[1][:5]
    yield figures(bench, 'GNOME Shell, five results',
                  lambda: desktop.shell('GetResultMetas', ids))
    yield figures(bench, 'the bus alone, again', desktop.bus_alone, None)
    for title, words in SEARCHES:
        yield figures(bench, f'KRunner, {title}',
                      lambda words=words: desktop.runner(f'clip {" ".join(words)}'))
