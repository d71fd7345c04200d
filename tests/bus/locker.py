# SPDX-License-Identifier: LGPL-2.1-or-later
"""Locks the screen, or says that it does, as one of those whom the daemon listens to.

    locker.py NAME [mute]

Standard input says what it does: lock, unlock, answer. Prints a line when it has its name, and for each
that it has done. A mute one answers no question before it is told to, and then those that wait, too.
"""
import sys

import gi
gi.require_version('Gio', '2.0')
from gi.repository import Gio, GLib  # noqa: E402

NAME = sys.argv[1]
SAVER = '''<node><interface name="{name}">
  <method name="GetActive"><arg type="b" direction="out"/></method>
  <signal name="ActiveChanged"><arg type="b"/></signal>
</interface></node>'''
LOGIND = '''<node><interface name="org.freedesktop.login1.Session">
  <property name="LockedHint" type="b" access="read"/>
</interface></node>'''
PLACES = {
    'org.gnome.ScreenSaver': ('/org/gnome/ScreenSaver', SAVER),
    'org.freedesktop.ScreenSaver': ('/org/freedesktop/ScreenSaver', SAVER),
    'org.freedesktop.login1': ('/org/freedesktop/login1/session/auto', LOGIND),
}


class Locker:
    def __init__(self):
        self.path, xml = PLACES[NAME]
        self.interface = Gio.DBusNodeInfo.new_for_xml(xml.format(name=NAME)).interfaces[0]
        self.bus = Gio.bus_get_sync(Gio.BusType.SESSION)
        self.active = False
        self.is_mute = 'mute' in sys.argv[2:]
        self.waiting = []
        self.bus.register_object(self.path, self.interface, self.on_call, None, None)

    def on_call(self, bus, sender, path, interface, method, arguments, invocation):
        if self.is_mute:
            self.waiting.append((method, invocation))
        else:
            self.answer(method, invocation)

    def answer(self, method, invocation):
        value = GLib.Variant('b', self.active)
        if method == 'Get':
            invocation.return_value(GLib.Variant.new_tuple(GLib.Variant.new_variant(value)))
        else:
            invocation.return_value(GLib.Variant.new_tuple(value))

    def tell(self):
        if NAME == 'org.freedesktop.login1':
            # as logind does: of the session's own path, and of every session
            self.emit('/org/freedesktop/login1/session/_31', 'org.freedesktop.DBus.Properties',
                      'PropertiesChanged',
                      GLib.Variant('(sa{sv}as)', ('org.freedesktop.login1.Session', {
                          'LockedHint': GLib.Variant('b', self.active)}, [])))
        else:
            self.emit(self.path, NAME, 'ActiveChanged', GLib.Variant('(b)', (self.active,)))

    def emit(self, *words):
        self.bus.emit_signal(None, *words)
        self.bus.flush_sync()

    def on_line(self, source, condition):
        word = sys.stdin.readline().strip()
        if not word:
            sys.exit()
        if word == 'answer':
            self.is_mute = False
            for question in self.waiting:
                self.answer(*question)
            self.waiting = []
        else:
            self.active = word == 'lock'
            self.tell()
        print(word, flush=True)
        return True


def main():
    locker = Locker()
    GLib.io_add_watch(0, GLib.IO_IN | GLib.IO_HUP, locker.on_line)
    Gio.bus_own_name_on_connection(locker.bus, NAME, 0, lambda *_: print('ready', flush=True),
                                   None)
    GLib.MainLoop().run()


main()
