# SPDX-License-Identifier: LGPL-2.1-or-later
"""A bus that does not say who calls. Ours may not be asked for that, until it may again."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'session'))
from session import BUS_NAME, BUS_PATH, Programs, Session  # noqa: E402
from tap import equal, fact, main, true  # noqa: E402

import gi  # noqa: E402
gi.require_version('Gio', '2.0')
from gi.repository import Gio, GLib  # noqa: E402

PROGRAMS = Programs()
DRIVER = 'org.freedesktop.DBus'
RULE = f'<deny send_interface="{DRIVER}" send_member="GetConnectionCredentials"/></policy>'


def connect(session):
    bus = Gio.DBusConnection.new_for_address_sync(
        session.env['DBUS_SESSION_BUS_ADDRESS'],
        Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT |
        Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION, None, None)
    bus.set_exit_on_close(False)
    return bus


def refusal(bus):
    """The name of the error of a call, and what it says; None: it is answered."""
    try:
        bus.call_sync(BUS_NAME, BUS_PATH, BUS_NAME, 'List', GLib.Variant('(a{sv})', ({},)), None,
                      Gio.DBusCallFlags.NONE, 20000, None)
    except GLib.Error as error:
        return Gio.DBusError.get_remote_error(error), error.message
    return None


@fact('/unanswered/a-question-that-failed-holds-for-no-later-call')
def failed():
    with Session('none', programs=PROGRAMS) as session:
        config = session.folder / 'bus.conf'
        open_bus = config.read_text()
        session.start_daemon()
        caller = connect(session)
        config.write_text(open_bus.replace('</policy>', RULE))
        session.call(DRIVER, '/org/freedesktop/DBus', f'{DRIVER}.ReloadConfig')
        for _ in range(2):
            name, words = refusal(caller)
            equal(name, f'{BUS_NAME}.Error.Limits', 'the error')
            true('the bus did not say' in words, f'{words!r} names the bus')
        config.write_text(open_bus)
        session.call(DRIVER, '/org/freedesktop/DBus', f'{DRIVER}.ReloadConfig')
        equal(refusal(caller), None, 'what the same connection is told next')
        caller.close_sync(None)


main()
