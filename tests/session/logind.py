# SPDX-License-Identifier: LGPL-2.1-or-later
"""Plays logind and a screen saver on the bus of a private session, on command:

    lock UID         a session of that user is to be locked
    hint UID         a session of that user says that it is locked
    saver on|off     the screen saver, in words; it says the same to who asks
    mute             the screen saver answers nobody any more
    state WORD       what is said of the user's sessions from now on: active, closing...
    shutdown         the machine is about to go down
"""
import os
import sys

import gi

gi.require_version('Gio', '2.0')
from gi.repository import Gio, GLib  # noqa: E402

LOGIN = 'org.freedesktop.login1'
SAVER = 'org.freedesktop.ScreenSaver'
NODE = Gio.DBusNodeInfo.new_for_xml(f"""<node>
  <interface name='{LOGIN}.Manager'>
    <property name='PreparingForShutdown' type='b' access='read'/>
  </interface>
  <interface name='{LOGIN}.User'><property name='State' type='s' access='read'/></interface>
  <interface name='{LOGIN}.Session'>
    <property name='User' type='(uo)' access='read'/>
    <property name='LockedHint' type='b' access='read'/>
  </interface>
  <interface name='{SAVER}'>
    <method name='GetActive'><arg type='b' direction='out'/></method>
  </interface>
</node>""")


class Logind:
    def __init__(self):
        self.state = 'active'
        self.goes_down = False
        self.is_locked = False
        self.saves = False
        self.bus = Gio.bus_get_sync(Gio.BusType.SESSION)
        self.register(f'/{LOGIN.replace(".", "/")}', 'Manager',
                      lambda: GLib.Variant('b', self.goes_down))
        self.register(f'/{LOGIN.replace(".", "/")}/user/_{os.getuid()}', 'User',
                      lambda: GLib.Variant('s', self.state))
        # "auto" is the session of who asks
        self.register(f'/{LOGIN.replace(".", "/")}/session/auto', 'Session',
                      lambda: GLib.Variant('b', self.is_locked))
        self.bus.register_object(f'/{SAVER.replace(".", "/")}', NODE.lookup_interface(SAVER),
                                 self.on_saver, None, None)
        for name in (LOGIN, SAVER):
            Gio.bus_own_name_on_connection(self.bus, name, Gio.BusNameOwnerFlags.NONE, None, None)
        self.users = set()

    def register(self, path, interface, value):
        self.bus.register_object(path, NODE.lookup_interface(f'{LOGIN}.{interface}'), None,
                                 lambda *_: value(), None)

    def on_saver(self, bus, sender, path, interface, method, arguments, invocation):
        if self.saves is not None:
            invocation.return_value(GLib.Variant('(b)', (self.saves,)))

    def session_of(self, uid):
        path = f'/{LOGIN.replace(".", "/")}/session/of_{uid}'
        if uid not in self.users:
            self.users.add(uid)
            self.register(path, 'Session', lambda: GLib.Variant('(uo)', (int(uid), '/')))
        return path

    def emit(self, path, interface, signal, value):
        self.bus.emit_signal(None, path, interface, signal, value)

    def obey(self, verb, *words):
        if verb == 'lock':
            self.emit(self.session_of(words[0]), f'{LOGIN}.Session', 'Lock', None)
        elif verb == 'hint':
            self.is_locked |= int(words[0]) == os.getuid()
            changed = {'LockedHint': GLib.Variant('b', True)}
            self.emit(self.session_of(words[0]), 'org.freedesktop.DBus.Properties',
                      'PropertiesChanged',
                      GLib.Variant('(sa{sv}as)', (f'{LOGIN}.Session', changed, [])))
        elif verb == 'mute':
            self.saves = None
        elif verb == 'saver':
            self.saves = words[0] == 'on'
            self.emit(f'/{SAVER.replace(".", "/")}', SAVER, 'ActiveChanged',
                      GLib.Variant('(b)', (words[0] == 'on',)))
        elif verb == 'state':
            self.state = words[0]
        elif verb == 'shutdown':
            self.goes_down = True
            self.emit(f'/{LOGIN.replace(".", "/")}', f'{LOGIN}.Manager', 'PrepareForShutdown',
                      GLib.Variant('(b)', (True,)))
        self.bus.flush_sync()
        print('ok', flush=True)

    def on_words(self, *_):
        line = sys.stdin.readline()
        if line:
            self.obey(*line.split())
        return bool(line) or sys.exit()


logind = Logind()
GLib.io_add_watch(sys.stdin.fileno(), GLib.IO_IN | GLib.IO_HUP, logind.on_words)
print('ready', flush=True)
GLib.MainLoop().run()
