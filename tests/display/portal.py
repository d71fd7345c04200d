# SPDX-License-Identifier: LGPL-2.1-or-later
"""The RemoteDesktop portal, and a user who is asked: portal.py allow|refuse|no-keyboard|old|late|slow|broken|never

Prints what it hears as lines of JSON: ["keys", [[KEYSYM, STATE], ...]] when a session is closed, one that
is named by its place as [["place", CODE], STATE], and ["select", OPTIONS] when a device is chosen. "ready" comes first. One that never gets an answer says how many
are asked for: ["questions", N].
"""
import json
import sys

from gi.repository import Gio, GLib

NAME = 'org.freedesktop.portal.Desktop'
PATH = '/org/freedesktop/portal/desktop'
INTERFACES = Gio.DBusNodeInfo.new_for_xml("""<node>
  <interface name="org.freedesktop.portal.RemoteDesktop">
    <method name="CreateSession">
      <arg type="a{sv}" direction="in"/><arg type="o" direction="out"/>
    </method>
    <method name="SelectDevices">
      <arg type="o" direction="in"/><arg type="a{sv}" direction="in"/>
      <arg type="o" direction="out"/>
    </method>
    <method name="Start">
      <arg type="o" direction="in"/><arg type="s" direction="in"/>
      <arg type="a{sv}" direction="in"/><arg type="o" direction="out"/>
    </method>
    <method name="NotifyKeyboardKeysym">
      <arg type="o" direction="in"/><arg type="a{sv}" direction="in"/>
      <arg type="i" direction="in"/><arg type="u" direction="in"/>
    </method>
    <method name="NotifyKeyboardKeycode">
      <arg type="o" direction="in"/><arg type="a{sv}" direction="in"/>
      <arg type="i" direction="in"/><arg type="u" direction="in"/>
    </method>
    <property name="AvailableDeviceTypes" type="u" access="read"/>
    <property name="version" type="u" access="read"/>
  </interface>
  <interface name="org.freedesktop.portal.Session"><method name="Close"/></interface>
</node>""").interfaces
MANNER = sys.argv[1]


class Portal:
    def __init__(self, bus):
        self.bus = bus
        self.keys = []
        self.started = 0
        self.questions = 0
        self.is_open = False
        bus.register_object(PATH, INTERFACES[0], self.on_call, self.on_property)

    def say(self, *words):
        print(json.dumps(words), flush=True)

    def answer(self, sender, options, results):
        """The path of a request, whose answer follows."""
        path = f'{PATH}/request/{sender[1:].replace(".", "_")}/{options["handle_token"]}'
        code = 1 if MANNER == 'refuse' and 'devices' in results else 0

        def respond():
            self.bus.emit_signal(sender, path, 'org.freedesktop.portal.Request', 'Response',
                                 GLib.Variant('(ua{sv})', (code, results)))
        if MANNER == 'late' and 'devices' in results:
            GLib.timeout_add(2500, respond)  # the user reads first
        elif MANNER == 'slow' and 'session_handle' in results:
            GLib.timeout_add(2500, respond)  # a machine that is busy
        else:
            respond()
        return GLib.Variant('(o)', (path,))

    def create(self, sender, options):
        path = f'{PATH}/session/{sender[1:].replace(".", "_")}/{options["session_handle_token"]}'
        self.bus.register_object(path, INTERFACES[1], self.on_close, None)
        self.is_open = True
        return self.answer(sender, options, {'session_handle': GLib.Variant('s', 'no path' if MANNER == 'broken' else path)})

    def select(self, sender, _session, options):
        self.say('select', {key: value for key, value in options.items() if 'handle' not in key})
        return self.answer(sender, options, {})

    def question(self, sender):
        def say(change):
            self.questions += change
            self.say('questions', self.questions)
        say(1)
        Gio.bus_watch_name_on_connection(self.bus, sender, Gio.BusNameWatcherFlags.NONE, None,
                                         lambda *_: say(-1))

    def start(self, sender, _session, _parent, options):
        self.started += 1
        if MANNER == 'never':
            self.question(sender)
            return GLib.Variant('(o)', (f'{PATH}/request/never',))
        return self.answer(sender, options, {
            'devices': GLib.Variant('u', 0 if MANNER == 'no-keyboard' else 1),
            'restore_token': GLib.Variant('s', f'token-{self.started}')})

    def notify(self, _sender, _session, _options, keysym, state):
        assert self.is_open
        self.keys.append((keysym, state))

    def notify_place(self, sender, session, options, code, state):
        self.notify(sender, session, options, ('place', code), state)

    def on_call(self, _bus, sender, _path, _interface, method, args, invocation):
        handler = {'CreateSession': self.create, 'SelectDevices': self.select, 'Start': self.start,
                   'NotifyKeyboardKeysym': self.notify, 'NotifyKeyboardKeycode': self.notify_place}[method]
        invocation.return_value(handler(sender, *args.unpack()))

    def on_close(self, _bus, _sender, _path, _interface, _method, _args, invocation):
        self.say('keys', self.keys)
        self.keys = []
        self.is_open = False
        invocation.return_value(None)

    def on_property(self, _bus, _sender, _path, _interface, name):
        return GLib.Variant('u', {'version': 1 if MANNER == 'old' else 2}.get(name, 7))


bus = Gio.bus_get_sync(Gio.BusType.SESSION)
portal = Portal(bus)
Gio.bus_own_name_on_connection(bus, NAME, Gio.BusNameOwnerFlags.NONE,
                               lambda *_: print('ready', flush=True), None)
GLib.MainLoop().run()
