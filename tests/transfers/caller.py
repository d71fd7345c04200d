# SPDX-License-Identifier: LGPL-2.1-or-later
"""A program on the session's bus that hands descriptors to the daemon."""
import contextlib

from gi.repository import Gio, GLib

from session import BUS_NAME, BUS_PATH


class Caller:
    """One connection. Calls are started, and finished when the other side of their descriptor
    has been seen to."""

    def __init__(self, session):
        flags = (Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT |
                 Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION)
        self.context = GLib.MainContext()
        self.context.push_thread_default()
        self.bus = Gio.DBusConnection.new_for_address_sync(
            session.env['DBUS_SESSION_BUS_ADDRESS'], flags, None, None)

    def send(self, number, fd):
        """Lets the daemon send an entry into a descriptor, which stays open here too."""
        fds = Gio.UnixFDList.new()
        handle = fds.append(fd)
        return Call(self, 'Send', GLib.Variant('(tsha{sv})', (number, '', handle, {})), fds)

    def close(self):
        self.bus.close_sync(None)
        self.context.pop_thread_default()


@contextlib.contextmanager
def caller_of(session):
    caller = Caller(session)
    try:
        yield caller
    finally:
        caller.close()


class Call:
    """A call that is under way: result or error, once look() says that it is done."""

    def __init__(self, caller, method, arguments, fds):
        self.caller = caller
        self.result = None
        self.error = None
        self.is_done = False
        caller.bus.call_with_unix_fd_list(
            BUS_NAME, BUS_PATH, BUS_NAME, method, arguments, None,
            Gio.DBusCallFlags.NONE, GLib.MAXINT, fds, None, self._on_reply)

    def _on_reply(self, bus, reply):
        try:
            words = bus.call_with_unix_fd_list_finish(reply)[0].unpack()
            self.result = words[0] if words else None
        except GLib.Error as error:
            self.error = error.message
        self.is_done = True

    def look(self):
        """Whether the daemon has replied by now."""
        while self.caller.context.iteration(False):
            pass
        return self.is_done
