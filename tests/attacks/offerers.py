# SPDX-License-Identifier: LGPL-2.1-or-later
"""Who copies any types, of any bytes: on a display, or by a call."""
import os
import sys

from clients import content_file
from session import BUS_NAME, BUS_PATH, HERE
from tap import true


class Offerer:
    """A display, and who copies on it."""
    LEFT_OUT = ()
    IS_ASKED = True

    def __init__(self, session):
        self.session = session
        self.number = 0

    def pairs_file(self, types):
        words = []
        for name, value in types:
            path = b'' if value is None else os.fsencode(content_file(self.session, value))
            words += [name, path]
        return content_file(self.session, b''.join(word + b'\0' for word in words))

    def offer(self, *copies, words=()):
        """Offers all the types of one at once, until something else is; on X11, then those of the next.

        Returns its process."""
        self.number += 1
        name = f'offerer-{self.number}'
        files = [self.pairs_file(types) for types in copies]
        process = self.session.start(*self.command(), *files, *words, name=name)
        self.session.started.remove(process)
        self.session.wait_for(process, lambda: 'ready' in self.session.log(name),
                              'the selection is taken')
        return process


class OnWayland(Offerer):
    LEFT_OUT = 'behind-2000', 'more-than-is-read'  # libwayland ends a client that is told so much at once

    def command(self):
        return sys.executable, HERE / 'datacontrol.py', 'offer'


class OnX11(Offerer):
    def command(self):
        return self.session.programs.offerer,


class OnGnome(Offerer):
    LEFT_OUT = 'latin-1-behind', 'more-than-is-read'  # D-Bus has no such names, nor so many

    def command(self):
        return sys.executable, HERE / 'mutterclient.py', 'offer'


class ThroughStore(Offerer):
    """Somebody who has been offered something calls us with all of it, as far as a call takes it."""
    LEFT_OUT = 'latin-1-behind', 'a-garbled-name', 'a-long-name'  # a call with these fails
    MOST = 8
    IS_ASKED = False  # the answer to the call says what became of it

    def offer(self, types):
        from gi.repository import Gio, GLib
        bus = Gio.DBusConnection.new_for_address_sync(
            self.session.env['DBUS_SESSION_BUS_ADDRESS'],
            Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT |
            Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION)
        fds, contents = Gio.UnixFDList(), []
        for name, value in types[:2] + types[2:][-self.MOST + 2:]:
            with open(content_file(self.session, value or b''), 'rb') as file:
                contents.append((name.decode(), fds.append(file.fileno())))
        try:
            bus.call_with_unix_fd_list_sync(
                BUS_NAME, BUS_PATH, BUS_NAME, 'Store',
                GLib.Variant('(a(sh)a{sv})', (contents, {})), None,
                Gio.DBusCallFlags.NONE, 20000, fds, None)
        except GLib.Error as error:
            # a call with a name that is none stores nothing of it
            true('not a MIME type' in error.message, error.message)
        bus.close_sync()


KINDS = {'ext': (OnWayland, 'ext', 'ext'), 'x11': (OnX11, 'x11', 'x11'),
         'gnome': (OnGnome, 'gnome', 'mutter'), 'store': (ThroughStore, 'none', None)}
