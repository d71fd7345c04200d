# SPDX-License-Identifier: LGPL-2.1-or-later
"""A keyboard for a headless Wayland compositor, through virtual-keyboard-unstable-v1, and a pointer,
through wlr-virtual-pointer-unstable-v1; on KWin a keyboard alone, through its fake-input.

It reads a line at a time and answers with "done": "key ctrl+a", "text abc", or "click 640 360". It stays
until its standard input ends, since the focus goes with the only keyboard of a seat.
"""
import os
import pathlib
import struct
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'session'))
from datacontrol import Connection, pack_string  # noqa: E402

MANAGER = 'zwp_virtual_keyboard_manager_v1'
MANAGER_CREATE = 0
KEYBOARD_KEYMAP, KEYBOARD_KEY, KEYBOARD_MODIFIERS = 0, 1, 2
KEYMAP_FORMAT_XKB = 1

FAKE_INPUT = 'org_kde_kwin_fake_input'
FAKE_AUTHENTICATE, FAKE_KEY = 0, 10

POINTERS = 'zwlr_virtual_pointer_manager_v1'
POINTERS_CREATE = 0
POINTER_MOVE_TO, POINTER_BUTTON, POINTER_FRAME = 1, 2, 4
BUTTON_LEFT = 272
SCREEN = (1280, 720)

KEYMAP = b"""xkb_keymap {
  xkb_keycodes { include "evdev+aliases(qwerty)" };
  xkb_types { include "complete" };
  xkb_compat { include "complete" };
  xkb_symbols { include "pc+us+inet(evdev)" };
};
"""

# the kernel's numbers of the keys
ROWS = {2: '1234567890', 16: 'qwertyuiop', 30: 'asdfghjkl', 44: 'zxcvbnm'}
CODES = {letter: first + at for first, row in ROWS.items() for at, letter in enumerate(row)}
CODES.update({'ctrl': 29, 'shift': 42, 'alt': 56, 'Return': 28, 'Tab': 15, 'Escape': 1, ' ': 57,
              '-': 12, '/': 53, '[': 26, 'Menu': 127, 'Insert': 110, 'Down': 108, 'Home': 102, 'End': 107, 'Up': 103, 'Page_Down': 109,
              'Left': 105, 'BackSpace': 14, 'Delete': 111, 'F1': 59, 'F2': 60, 'F10': 68})
MODIFIERS = {'shift': 1, 'ctrl': 4, 'alt': 8}


def now_ms():
    return time.monotonic_ns() // 1000000 & 0xffffffff


def chord_of(letter):
    if letter == '#':
        return 'shift+3'
    return f'shift+{letter.lower()}' if letter.isupper() else letter


class Keyboard:
    def __init__(self, connection, seat):
        self.connection = connection
        manager = self.connection.bind(MANAGER)
        self.keyboard = self.connection.new_id()
        self.connection.request(manager, MANAGER_CREATE, struct.pack('=II', seat, self.keyboard))
        fd = os.memfd_create('keymap')
        os.write(fd, KEYMAP + b'\0')
        self.connection.request(self.keyboard, KEYBOARD_KEYMAP,
                                struct.pack('=II', KEYMAP_FORMAT_XKB, len(KEYMAP) + 1), fd=fd)
        os.close(fd)
        self.press('shift')  # a seat has a keyboard, and so a focus, from the first key on

    def _move(self, name, is_down, modifiers):
        self.connection.request(self.keyboard, KEYBOARD_KEY,
                                struct.pack('=III', now_ms(), CODES[name], is_down))
        self.connection.request(self.keyboard, KEYBOARD_MODIFIERS,
                                struct.pack('=IIII', modifiers, 0, 0, 0))

    def press(self, chord):
        """One key, with others held: "ctrl+shift+c"."""
        names = chord.split('+')
        held = 0
        for name in names:
            held |= MODIFIERS.get(name, 0)
            self._move(name, 1, held)
        for name in reversed(names):
            held &= ~MODIFIERS.get(name, 0)
            self._move(name, 0, held)
        self.connection.round_trip()


class FakeInput:
    """KWin's: version 4 has keys, and KWin knows itself which modifiers are held."""

    def __init__(self, connection):
        self.connection = connection
        self.device = connection.bind(FAKE_INPUT, 4)
        connection.request(self.device, FAKE_AUTHENTICATE, pack_string('cliphist') + pack_string('tests'))
        self.press('shift')

    def press(self, chord):
        names = chord.split('+')
        for is_down, keys in ((1, names), (0, reversed(names))):
            for key in keys:
                self.connection.request(self.device, FAKE_KEY, struct.pack('=II', CODES[key], is_down))
        self.connection.round_trip()


class Pointer:
    """A seat has a pointer from the first click on."""

    def __init__(self, connection, seat):
        self.connection = connection
        manager = connection.bind(POINTERS)
        self.pointer = connection.new_id()
        connection.request(manager, POINTERS_CREATE, struct.pack('=II', seat, self.pointer))

    def _tell(self, request, *numbers):
        words = struct.pack(f'={len(numbers)}I', *numbers)
        self.connection.request(self.pointer, request, words)
        self.connection.request(self.pointer, POINTER_FRAME, b'')
        self.connection.round_trip()

    def click(self, x, y):
        self._tell(POINTER_MOVE_TO, now_ms(), x, y, *SCREEN)
        for is_down in (1, 0):
            self._tell(POINTER_BUTTON, now_ms(), BUTTON_LEFT, is_down)


def main():
    connection = Connection()
    connection.open_registry()
    seat = connection.bind('wl_seat')
    keyboard = FakeInput(connection) if FAKE_INPUT in connection.globals else Keyboard(connection, seat)
    pointer = None
    print('ready', flush=True)
    for line in sys.stdin:
        verb, _, words = line.rstrip('\n').partition(' ')
        if verb == 'click':
            pointer = pointer or Pointer(connection, seat)
            pointer.click(*map(int, words.split()))
        else:
            for chord in ([words] if verb == 'key' else map(chord_of, words)):
                keyboard.press(chord)
        print('done', flush=True)


main()
