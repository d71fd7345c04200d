# SPDX-License-Identifier: LGPL-2.1-or-later
"""Who asks for what on an X server, as the server itself records it: xasked.py PID

Each request for the clipboard that the process makes is a line, the name of the target, written before
its owner hears of it. It says "ready" once it records.
"""
import struct
import sys

from Xlib import X, display
from Xlib.ext import record, res

CONVERT_SELECTION = 24


def pid_of(server, window):
    """The process behind a window, which the server knows of local ones."""
    answer = server.res_query_client_ids([{'client': window, 'mask': res.LocalClientPIDMask}])
    return next((client.value[0] for client in answer.ids if client.value), 0)


def main():
    pid = int(sys.argv[1])
    asking, recording = display.Display(), display.Display()
    clipboard = asking.intern_atom('CLIPBOARD')
    nothing = {'core_requests': (0, 0), 'core_replies': (0, 0), 'ext_requests': (0, 0, 0, 0),
               'ext_replies': (0, 0, 0, 0), 'delivered_events': (0, 0), 'device_events': (0, 0),
               'errors': (0, 0), 'client_started': False, 'client_died': False}
    wanted = {**nothing, 'core_requests': (CONVERT_SELECTION, CONVERT_SELECTION)}
    context = recording.record_create_context(0, [record.AllClients], [wanted])

    def on_record(reply):
        if reply.category == record.StartOfData:
            print('ready', flush=True)
        if reply.category != record.FromClient:
            return
        data = reply.data
        while len(data) >= 24:
            length = struct.unpack_from('=H', data, 2)[0] * 4
            if data[0] == CONVERT_SELECTION:
                window, selection, target = struct.unpack_from('=III', data, 4)
                if selection == clipboard and pid_of(asking, window) == pid:
                    print(asking.get_atom_name(target), flush=True)
            data = data[length:]
    recording.record_enable_context(context, on_record)


main()
