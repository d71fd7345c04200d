# SPDX-License-Identifier: LGPL-2.1-or-later
"""A keyboard for a headless GNOME Shell: types each line of Latin-1 that it reads, tabulators,
carriage returns and escapes as those keys, other control characters as a letter with Control. A line
that begins with a record separator (30) has keysyms, each behind what it does: +65505 -65505.

It holds a session of the shell's remote desktop; the seat has a keyboard from the first key on.
"""
import sys

from gi.repository import Gio, GLib

NAME = 'org.gnome.Mutter.RemoteDesktop'
SHIFT, CONTROL = 0xffe1, 0xffe3

bus = Gio.bus_get_sync(Gio.BusType.SESSION)


def call(path, method, args=None):
    return bus.call_sync(NAME, path, method.rpartition('.')[0], method.rpartition('.')[2], args,
                         None, Gio.DBusCallFlags.NONE, 20000, None)


session = call('/org/gnome/Mutter/RemoteDesktop', f'{NAME}.CreateSession').unpack()[0]
call(session, f'{NAME}.Session.Start')


def move(key, down):
    call(session, f'{NAME}.Session.NotifyKeyboardKeysym', GLib.Variant('(ub)', (key, down)))


def press(key):
    for down in (True, False):
        move(key, down)


def type_letter(character):
    if character >= ' ':
        press(ord(character))
    elif character in '\t\r\x1b':
        press(ord(character) | 0xff00)
    else:
        move(CONTROL, True)
        press(ord(character) | 0x60)
        move(CONTROL, False)


press(SHIFT)
print('ready', flush=True)
sys.stdin.reconfigure(newline='\n')
for line in sys.stdin:
    if line.startswith('\x1e'):
        for step in line[1:].split():
            move(int(step[1:]), step[0] == '+')
    else:
        for character in line.removesuffix('\n'):
            type_letter(character)
    print('typed', flush=True)
