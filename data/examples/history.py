#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The clipboard history from a program of your own, in Python with PyGObject.

    history.py list            the newest entries: id, class, size, preview
    history.py follow          what is added, moved, removed, changed, until ^C
    history.py read ID [TYPE]  a content, on standard output
    history.py store [TYPE]    standard input becomes an entry; prints its id
    history.py select ID       puts an entry on the clipboard

A content never travels in a message. "read" gets a pipe that the daemon fills, "store" sends its
own standard input along, which the daemon reads.
"""
import sys

import gi
gi.require_version('Gio', '2.0')
from gi.repository import Gio, GLib  # noqa: E402

NAME = 'org.cliphist.History1'
PATH = '/org/cliphist/History1'
NO_TIME_OUT = GLib.MAXINT  # what is stored, read or sent may be large


class History:
    def __init__(self):
        self.bus = Gio.bus_get_sync(Gio.BusType.SESSION)

    def call(self, method, signature, *arguments, fds=None):
        """The results, and the descriptors that came with them."""
        reply, came = self.bus.call_with_unix_fd_list_sync(
            NAME, PATH, NAME, method, GLib.Variant(signature, arguments), None,
            Gio.DBusCallFlags.NONE, NO_TIME_OUT, fds, None)
        return reply.unpack(), came

    def list(self):
        """For more, ask again with 'before' set to the last id, until a page is empty."""
        (entries,), _ = self.call('List', '(a{sv})', {'limit': GLib.Variant('u', 20)})
        return entries

    def follow(self, heard):
        """Calls heard(name, arguments); the match is there when the next call has been answered."""
        self.bus.signal_subscribe(NAME, NAME, None, PATH, None, Gio.DBusSignalFlags.NONE,
                                  lambda *words: heard(words[4], words[5].unpack()))
        self.list()

    def open(self, id, type=''):
        """A file to read the content from, and its size. "" is the primary type; Lookup says which
        there are."""
        (handle, size, _), fds = self.call('Open', '(tsa{sv})', id, type, {})
        return open(fds.get(handle), 'rb'), size

    def store(self, fd, type=''):
        """The id of the entry, or 0 and why it was dropped. "" is found out from the bytes.
        Several types of one copy are several pairs."""
        fds = Gio.UnixFDList()
        contents = [(type, fds.append(fd))]
        (id, details), _ = self.call('Store', '(a(sh)a{sv})', contents, {}, fds=fds)
        return id, details.get('dropped')

    def select(self, id):
        self.call('Select', '(ta{sv})', id, {})


def show_list(history):
    for entry in history.list():
        print(entry['id'], entry['class'], entry['size'], entry['preview'], sep='\t')


def show_signals(history):
    history.follow(lambda name, arguments: print(name, *arguments, flush=True))
    print('following', flush=True)
    GLib.MainLoop().run()


def show_content(history, id, type=''):
    pipe, size = history.open(int(id), type)
    got = 0
    with pipe:
        while chunk := pipe.read(65536):
            got += sys.stdout.buffer.write(chunk)
    sys.stdout.flush()
    # fewer bytes than announced are not the content: it is damaged, or the daemon has ended
    if got < size:
        sys.exit(f'only {got} bytes')


def store_input(history, type=''):
    id, dropped = history.store(sys.stdin.fileno(), type)
    print(id or f'not kept: {dropped}', file=sys.stdout if id else sys.stderr)


def select(history, id):
    history.select(int(id))


VERBS = {'list': show_list, 'follow': show_signals, 'read': show_content, 'store': store_input,
         'select': select}


def main(verb='', *words):
    if verb not in VERBS:
        sys.exit(__doc__)
    try:
        VERBS[verb](History(), *words)
    except GLib.Error as error:
        # the name says what to do, the text is for people
        name = Gio.DBusError.get_remote_error(error)
        Gio.DBusError.strip_remote_error(error)
        sys.exit(f'{name}: {error.message}' if name else error.message)
    except KeyboardInterrupt:
        pass


main(*sys.argv[1:])
