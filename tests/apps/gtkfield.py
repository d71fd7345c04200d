# SPDX-License-Identifier: LGPL-2.1-or-later
"""A text field of GTK 3 or 4, for keys to type, copy and paste in: gtkfield.py 3|4 line|rich

Each thing that happens is a line of JSON: {"ready": VERSION} once the window has the focus,
{"text": TEXT} whenever that changes. A line on standard input asks for what keys cannot do:
"copy-image FILE", and "paste-image", which answers {"image": [WIDTH, HEIGHT]}.
"""
import json
import sys

import gi

MAJOR, KIND = int(sys.argv[1]), sys.argv[2]
gi.require_version('Gtk', f'{MAJOR}.0')
gi.require_version('Gdk', f'{MAJOR}.0')
from gi.repository import Gdk, GdkPixbuf, GLib, GObject, Gtk  # noqa: E402


def say(**words):
    print(json.dumps(words), flush=True)


class Field:
    """What both versions have in common."""

    def __init__(self):
        self.window = Gtk.Window(title='field', default_width=400, default_height=200)
        if KIND == 'line':
            self.widget = Gtk.Entry()
            self.widget.connect('changed', lambda entry: say(text=entry.get_text()))
        else:
            self.widget = Gtk.TextView()
            self.widget.get_buffer().connect('changed', lambda text: say(text=text.get_property('text')))
        self.is_ready = False
        self.show()
        GLib.io_add_watch(sys.stdin.fileno(), GLib.IO_IN | GLib.IO_HUP, self.on_words)
        self.loop = GLib.MainLoop()

    def on_active(self, *_):
        if self.is_active() and not self.is_ready:
            self.is_ready = True
            self.widget.grab_focus()
            version = (Gtk.get_major_version(), Gtk.get_minor_version(), Gtk.get_micro_version())
            say(ready='.'.join(map(str, version)))

    def on_words(self, *_):
        verb, _, path = sys.stdin.readline().rstrip('\n').partition(' ')
        if verb == 'copy-image':
            self.copy_image(GdkPixbuf.Pixbuf.new_from_file(path))
        elif verb == 'paste-image':
            self.paste_image()
        else:
            self.loop.quit()
        return True


class Field3(Field):
    def show(self):
        self.window.add(self.widget)
        self.window.connect('notify::is-active', self.on_active)
        self.window.show_all()
        self.clipboard = Gtk.Clipboard.get(Gdk.SELECTION_CLIPBOARD)

    def is_active(self):
        return self.window.is_active()

    def copy_image(self, image):
        self.clipboard.set_image(image)

    def paste_image(self):
        self.clipboard.request_image(self.on_image)

    def on_image(self, _clipboard, image, *_):
        say(image=[image.get_width(), image.get_height()] if image else None)


class Field4(Field):
    def show(self):
        self.window.set_child(self.widget)
        self.window.connect('notify::is-active', self.on_active)
        self.window.present()
        self.clipboard = self.window.get_clipboard()

    def is_active(self):
        return self.window.is_active()

    def copy_image(self, image):
        # what is made of it is chosen by the type of the value, not by that of the object
        value = GObject.Value(Gdk.Texture, Gdk.Texture.new_for_pixbuf(image))
        self.clipboard.set_content(Gdk.ContentProvider.new_for_value(value))

    def paste_image(self):
        self.clipboard.read_texture_async(None, self.on_image)

    def on_image(self, clipboard, result):
        try:
            image = clipboard.read_texture_finish(result)
        except GLib.Error as error:
            say(image=None, why=error.message)
            return
        say(image=[image.get_width(), image.get_height()])


if MAJOR == 4:
    Gtk.init()
field = Field4() if MAJOR == 4 else Field3()
field.loop.run()
