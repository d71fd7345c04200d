# SPDX-License-Identifier: LGPL-2.1-or-later
"""A keyboard for a headless GNOME Shell: types each line of Latin-1 that it reads, tabulators and
carriage returns as those keys.

It holds a session of the shell's remote desktop; the seat has a keyboard from the first key on.
"""
import sys

from gi.repository import Gio, GLib

NAME = 'org.gnome.Mutter.RemoteDesktop'
SHIFT = 0xffe1

bus = Gio.bus_get_sync(Gio.BusType.SESSION)


def call(path, method, args=None):
    return bus.call_sync(NAME, path, method.rpartition('.')[0], method.rpartition('.')[2], args,
                         None, Gio.DBusCallFlags.NONE, 20000, None)


session = call('/org/gnome/Mutter/RemoteDesktop', f'{NAME}.CreateSession').unpack()[0]
call(session, f'{NAME}.Session.Start')


def press(key):
    for down in (True, False):
        call(session, f'{NAME}.Session.NotifyKeyboardKeysym', GLib.Variant('(ub)', (key, down)))


press(SHIFT)
print('ready', flush=True)
sys.stdin.reconfigure(newline='\n')
for line in sys.stdin:
    for character in line.removesuffix('\n'):
        press(ord(character) if character >= ' ' else ord(character) | 0xff00)
    print('typed', flush=True)
