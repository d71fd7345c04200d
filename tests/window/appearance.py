# SPDX-License-Identifier: LGPL-2.1-or-later
"""The settings portal of a desktop that is dark: appearance.py

Each line of standard input is the color-scheme from then on: 0, or 1 for dark. Prints a line when it has its
name, and for each that it has obeyed.
"""
import sys

import gi
gi.require_version('Gio', '2.0')
from gi.repository import Gio, GLib  # noqa: E402

NAME = 'org.freedesktop.portal.Desktop'
PATH = '/org/freedesktop/portal/desktop'
SETTINGS = 'org.freedesktop.portal.Settings'
APPEARANCE = 'org.freedesktop.appearance'
XML = f'''<node><interface name="{SETTINGS}">
  <method name="Read">
    <arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="v" direction="out"/>
  </method>
  <signal name="SettingChanged"><arg type="s"/><arg type="s"/><arg type="v"/></signal>
</interface></node>'''


class Appearance:
    def __init__(self):
        self.scheme = 1
        self.bus = Gio.bus_get_sync(Gio.BusType.SESSION)
        interface = Gio.DBusNodeInfo.new_for_xml(XML).interfaces[0]
        self.bus.register_object(PATH, interface, self.on_call, None, None)
        GLib.io_add_watch(sys.stdin.fileno(), GLib.PRIORITY_DEFAULT, GLib.IO_IN, self.on_line)

    def value(self):
        return GLib.Variant('v', GLib.Variant('u', self.scheme))

    def on_call(self, _bus, _sender, _path, _interface, _method, args, invocation):
        if args.unpack() == (APPEARANCE, 'color-scheme'):
            # an old mistake of the portal's, which stays: a variant within a variant
            invocation.return_value(GLib.Variant.new_tuple(GLib.Variant.new_variant(self.value())))
        else:
            invocation.return_dbus_error('org.freedesktop.portal.Error.NotFound', 'no such setting')

    def on_line(self, *_):
        line = sys.stdin.readline()
        if not line:
            return False
        self.scheme = int(line)
        self.bus.emit_signal(None, PATH, SETTINGS, 'SettingChanged',
                             GLib.Variant('(ssv)', (APPEARANCE, 'color-scheme', GLib.Variant('u', self.scheme))))
        print(line.strip(), flush=True)
        return True


appearance = Appearance()
Gio.bus_own_name_on_connection(appearance.bus, NAME, Gio.BusNameOwnerFlags.NONE,
                               lambda *_: print('ready', flush=True), None)
GLib.MainLoop().run()
