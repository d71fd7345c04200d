# SPDX-License-Identifier: LGPL-2.1-or-later
"""A program that copies several types at once on GNOME, through a session of its own.

    mutterclient.py copy TYPE=FILE...    owns the clipboard until it is told to end
    mutterclient.py offer FILE           as copy; in the file stand the pairs (datacontrol.py)
    mutterclient.py linger COUNT         so many copies, each through one more session once the one before
                                         was asked for, none of which is handed over
"""
import sys

from datacontrol import read_pairs
from gi.repository import Gio, GLib

NAME = 'org.gnome.Mutter.RemoteDesktop'
SESSION = f'{NAME}.Session'
BLOCK = 1 << 16

bus = Gio.bus_get_sync(Gio.BusType.SESSION)


def call(path, interface, method, args=None):
    return bus.call_with_unix_fd_list_sync(NAME, path, interface, method, args, None,
                                           Gio.DBusCallFlags.NONE, 20000, None, None)


def own(types, on_transfer):
    session = call('/org/gnome/Mutter/RemoteDesktop', NAME, 'CreateSession')[0].unpack()[0]

    def on_signal(_bus, _sender, _path, _interface, name, args, *_):
        if name == 'SelectionTransfer':
            on_transfer(session, *args.unpack())

    bus.signal_subscribe(NAME, SESSION, None, session, None, Gio.DBusSignalFlags.NONE, on_signal)
    call(session, SESSION, 'EnableClipboard', GLib.Variant('(a{sv})', ({},)))
    types = GLib.Variant('as', types)
    call(session, SESSION, 'SetSelection', GLib.Variant('(a{sv})', ({'mime-types': types},)))


def copy(contents):
    def answer(session, mime, serial):
        _, fds = call(session, SESSION, 'SelectionWrite', GLib.Variant('(u)', (serial,)))
        with open(fds.get(0), 'wb') as sink, open(contents[mime] or '/dev/null', 'rb') as source:
            try:
                while block := source.read(BLOCK):
                    sink.write(block)
            except BrokenPipeError:
                pass  # the shell itself stops where a content is too long for it
        call(session, SESSION, 'SelectionWriteDone', GLib.Variant('(ub)', (serial, True)))

    own(list(contents), answer)


def linger(count):
    asked = []
    for number in range(1, count + 1):
        own(['text/html'], lambda *request: asked.append(request))  # which the shell does not keep
        while len(asked) < number:
            GLib.MainContext.default().iteration(True)


if sys.argv[1] == 'linger':
    linger(int(sys.argv[2]))
elif sys.argv[1] == 'offer':
    copy(read_pairs(sys.argv[2]))
else:
    copy(dict(pair.rsplit('=', 1) for pair in sys.argv[2:]))
print('ready', flush=True)
GLib.MainLoop().run()
