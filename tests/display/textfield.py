# SPDX-License-Identifier: LGPL-2.1-or-later
"""A GTK text field, obeying a line of JSON at a time and answering with one.

    ["paste"]            pastes into the empty field: the text that is in it then
    ["copy", TEXT]       copies all of the field once it holds TEXT: "done"
    ["type", TEXT]       the field holds TEXT now, without a keyboard: "done"
    ["clear"]            the field is empty now: "done"
    ["text"]             what is in the field
    ["keys"]             which keys it has heard of since it was cleared
    ["colours", X, Y, WIDTH, HEIGHT]   those of the screen there (X11): [[RED, GREEN, BLUE], ...]
    ["offer", {TYPE: TEXT, ...}]   owns the selection with these types (X11): "done"
    ["save"]             has the clipboard manager keep what it has copied, as programs do that end (X11):
                         whether there is one, and has answered

A word behind its name is what its program calls itself, as a terminal would.

It says "ready" when its window has the focus, without which Wayland tells it nothing about the
clipboard.
"""
import json
import os
import sys
import time

import gi

gi.require_version('Gtk', '3.0')
gi.require_version('Gdk', '3.0')
from gi.repository import Gdk, GLib, Gtk  # noqa: E402


class Field:
    def __init__(self):
        self.window = Gtk.Window(title='text field')
        self.entry = Gtk.Entry()
        self.window.add(self.entry)
        self.window.connect('destroy', Gtk.main_quit)
        self.window.connect('notify::has-toplevel-focus', self.on_focus)
        self.entry.connect('notify::text', self.on_text)
        self.owner = Gtk.Invisible()  # has a window of its own, to which requests come
        self.owner.realize()
        self.owner.connect('selection-get', self.on_selection_get)
        self.offered = {}
        self.keys = []
        self.entry.connect('key-press-event', self.on_key)
        self.is_ready = False
        self.awaited = None
        self.window.show_all()
        if 'WAYLAND_DISPLAY' not in os.environ:
            self.say_ready()  # nobody gives a focus without a window manager, nor needs one

    def say(self, words):
        print(json.dumps(words), flush=True)

    def say_ready(self):
        if not self.is_ready:
            self.is_ready = True
            self.say('ready')

    def on_focus(self, *_):
        if self.window.has_toplevel_focus():
            self.entry.grab_focus()
            self.say_ready()

    def on_text(self, *_):
        self.copy_typed()

    def on_key(self, _widget, event):
        self.keys.append(Gtk.accelerator_name(
            event.keyval, event.state & Gtk.accelerator_get_default_mod_mask()))

    def on_pasted(self, *_):
        self.say(self.entry.get_text())

    def on_selection_get(self, _widget, data, _info, _time):
        text = self.offered.get(data.get_target().name())
        if text is not None:
            data.set(data.get_target(), 8, text.encode())

    def paste(self):
        self.entry.set_text('')
        self.entry.emit('paste-clipboard')
        # requests are answered in order: when this one is, the field has had its answer
        Gtk.Clipboard.get(Gdk.SELECTION_CLIPBOARD).request_text(self.on_pasted)

    def type(self, text):
        self.entry.set_text(text)
        self.say('done')

    def clear(self):
        self.keys = []
        self.type('')

    def copy(self, text):
        self.awaited = text
        self.copy_typed()

    def copy_typed(self):
        if self.awaited and self.entry.get_text() == self.awaited:
            self.awaited = None
            self.entry.select_region(0, -1)
            self.entry.emit('copy-clipboard')
            self.say('done')

    def offer(self, types):
        self.offered = types
        Gtk.selection_clear_targets(self.owner, Gdk.SELECTION_CLIPBOARD)
        for mime in types:
            Gtk.selection_add_target(self.owner, Gdk.SELECTION_CLIPBOARD,
                                     Gdk.Atom.intern(mime, False), 0)
        Gtk.selection_owner_set(self.owner, Gdk.SELECTION_CLIPBOARD, Gdk.CURRENT_TIME)
        self.say('done')

    def save(self):
        clipboard, begin = Gtk.Clipboard.get(Gdk.SELECTION_CLIPBOARD), time.monotonic()
        clipboard.set_can_store(None)
        clipboard.store()
        is_answered = time.monotonic() - begin < 9.5  # after ten seconds GTK gives it up
        self.say(self.window.get_display().supports_clipboard_persistence() and is_answered)

    def colours(self, *box):
        pixels = Gdk.pixbuf_get_from_window(Gdk.get_default_root_window(), *box)
        row, step, data = pixels.get_rowstride(), pixels.get_n_channels(), pixels.get_pixels()
        found = {tuple(data[at:at + 3]) for y in range(pixels.get_height())
                 for at in range(y * row, y * row + pixels.get_width() * step, step)}
        self.say(sorted(found))

    def on_words(self, source, _condition):
        line = sys.stdin.readline()
        if not line:
            Gtk.main_quit()
            return False
        verb, *args = json.loads(line)
        {'paste': self.paste, 'copy': self.copy, 'type': self.type,
         'focus': lambda: self.say(self.entry.has_focus()),
         'clear': self.clear, 'keys': lambda: self.say(self.keys), 'text': lambda: self.say(self.entry.get_text()),
         'colours': self.colours, 'offer': self.offer, 'save': self.save}[verb](*args)
        return True


if len(sys.argv) > 1:
    GLib.set_prgname(sys.argv[1])
    Gdk.set_program_class(sys.argv[1])
field = Field()
GLib.io_add_watch(sys.stdin.fileno(), GLib.IO_IN | GLib.IO_HUP, field.on_words)
Gtk.main()
