#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A clipboard client that speaks data-control on the wire, without libwayland.

    datacontrol.py copy TYPE=FILE...     owns the selection until somebody else does
    datacontrol.py once TYPE=FILE        the same, and gives it up once somebody has read it
    datacontrol.py offer FILE            as copy; in the file stand the pairs (read_pairs())
    datacontrol.py burst COUNT PREFIX    COUNT copies, each replaced once its reading has begun
    datacontrol.py types                 what is offered now, a line each
    datacontrol.py paste TYPE            one type to stdout

It offers any set of types, which wl-copy does not, speaks both protocols, the older of which
is all that many a wl-copy knows, and shares no code with the daemon that it tests. `copy` and `once`
say `ready` once the compositor has taken the selection.
"""
import collections
import os
import pathlib
import socket
import struct
import sys

EXT = 'ext_data_control_manager_v1'
WLR = 'zwlr_data_control_manager_v1'

DISPLAY = 1
DISPLAY_SYNC, DISPLAY_GET_REGISTRY = 0, 1
REGISTRY_BIND = 0
MANAGER_CREATE_SOURCE, MANAGER_GET_DEVICE = 0, 1
DEVICE_SET_SELECTION = 0
SOURCE_OFFER, SOURCE_DESTROY = 0, 1
OFFER_RECEIVE = 0


def pack_string(text):
    data = os.fsencode(text) + b'\0'
    return struct.pack('=I', len(data)) + data + b'\0' * (-len(data) % 4)


def unpack_string(data, at):
    length = struct.unpack_from('=I', data, at)[0]
    text = os.fsdecode(data[at + 4:at + 4 + length - 1])
    return text, at + 4 + length + (-length % 4)


class Connection:
    """Requests out, events in: each event is handed to on[object] as (opcode, body)."""

    def __init__(self):
        name = os.environ.get('WAYLAND_DISPLAY', 'wayland-0')
        path = os.path.join(os.environ.get('XDG_RUNTIME_DIR', ''), name)
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.connect(path)
        self.next_id = DISPLAY + 1
        self.buffer = b''
        self.fds = collections.deque()
        self.on = {DISPLAY: self._on_display}

    def new_id(self, handler=lambda opcode, body: None):
        number = self.next_id
        self.next_id += 1
        self.on[number] = handler
        return number

    def request(self, target, opcode, body=b'', fd=None):
        data = struct.pack('=II', target, (8 + len(body)) << 16 | opcode) + body
        fds = [] if fd is None else [(socket.SOL_SOCKET, socket.SCM_RIGHTS,
                                      struct.pack('=i', fd))]
        self.socket.sendmsg([data], fds)

    def dispatch(self):
        """Waits for what comes next and handles it."""
        data, ancillary, _, _ = self.socket.recvmsg(65536, socket.CMSG_SPACE(28 * 4))
        for level, kind, body in ancillary:
            if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
                count = len(body) // 4
                self.fds.extend(struct.unpack(f'={count}i', body[:count * 4]))
        if not data:
            raise ConnectionError('the compositor has gone')
        self.buffer += data
        while len(self.buffer) >= 8:
            target, word = struct.unpack_from('=II', self.buffer)
            if len(self.buffer) < word >> 16:
                break
            body, self.buffer = self.buffer[8:word >> 16], self.buffer[word >> 16:]
            self.on.get(target, lambda opcode, body: None)(word & 0xffff, body)

    def round_trip(self):
        done = []
        callback = self.new_id(lambda opcode, body: done.append(True))
        self.request(DISPLAY, DISPLAY_SYNC, struct.pack('=I', callback))
        while not done:
            self.dispatch()

    def open_registry(self):
        """Asks for what the compositor has: `globals`, by interface, the first of each."""
        self.globals = {}
        self.registry = self.new_id(self._on_registry)
        self.request(DISPLAY, DISPLAY_GET_REGISTRY, struct.pack('=I', self.registry))
        self.round_trip()

    def bind(self, interface, version=1):
        number = self.new_id()
        body = struct.pack('=I', self.globals[interface]) + pack_string(interface)
        self.request(self.registry, REGISTRY_BIND, body + struct.pack('=II', version, number))
        return number

    def _on_registry(self, opcode, body):
        if opcode == 0:
            interface, _ = unpack_string(body, 4)
            self.globals.setdefault(interface, struct.unpack_from('=I', body)[0])

    def _on_display(self, opcode, body):
        if opcode == 0:
            target, code = struct.unpack_from('=II', body)
            raise ConnectionError(f'protocol error {code} on {target}: '
                                  f'{unpack_string(body, 8)[0]}')


class DataControl:
    """The data-control device of the first seat, by whichever protocol there is."""

    def __init__(self):
        self.connection = Connection()
        self.offers = {}
        self.current = None
        self.connection.open_registry()
        known = self.connection.globals
        interface = next((i for i in (EXT, WLR) if i in known), None)
        if not interface or 'wl_seat' not in known:
            raise ConnectionError('no data control and seat here')
        seat = self.connection.bind('wl_seat')
        self.manager = self.connection.bind(interface)
        self.device = self.connection.new_id(self._on_device)
        self.connection.request(self.manager, MANAGER_GET_DEVICE,
                                struct.pack('=II', self.device, seat))
        self.connection.round_trip()

    def _on_device(self, opcode, body):
        number = struct.unpack_from('=I', body)[0] if body else 0
        if opcode == 0:
            types = self.offers[number] = []
            self.connection.on[number] = lambda opcode, body: types.append(
                unpack_string(body, 0)[0])
        elif opcode == 1:
            self.current = number or None

    def types(self):
        return self.offers.get(self.current, [])

    def paste(self, mime, sink):
        """Asks for one type, into a descriptor that the other side closes."""
        if not self.current:
            raise ConnectionError('nothing is offered')
        self.connection.request(self.current, OFFER_RECEIVE, pack_string(mime), fd=sink)
        self.connection.round_trip()

    def own(self, types, on_send, on_cancelled):
        """Becomes owner. on_send (type, fd) has to close the descriptor."""
        def on_source(opcode, body):
            if opcode == 0:
                on_send(unpack_string(body, 0)[0], self.connection.fds.popleft())
            else:
                # KWin says it twice
                self.connection.on[source] = lambda opcode, body: None
                self.connection.request(source, SOURCE_DESTROY)
                on_cancelled()
        source = self.connection.new_id(on_source)
        self.connection.request(self.manager, MANAGER_CREATE_SOURCE,
                                struct.pack('=I', source))
        for mime in types:
            self.connection.request(source, SOURCE_OFFER, pack_string(mime))
        self.connection.request(self.device, DEVICE_SET_SELECTION,
                                struct.pack('=I', source))


def read_pairs(path):
    """Names, of any bytes, and the files of their contents, each ended by a NUL; no file: it is offered,
    and not answered."""
    words = os.fsdecode(pathlib.Path(path).read_bytes()).split('\0')[:-1]
    return dict(zip(words[::2], words[1::2]))


def serve(path, fd):
    """Sends a file into a pipe; a reader that leaves took what it needed."""
    if not path:
        os.close(fd)
        return
    with open(path, 'rb') as file:
        size = os.fstat(file.fileno()).st_size
        sent = 0
        try:
            while sent < size:
                sent += os.sendfile(fd, file.fileno(), sent, min(size - sent, 1 << 20))
        except BrokenPipeError:
            pass
    os.close(fd)


def copy(files, is_once=False):
    control = DataControl()
    ended = []

    def on_send(mime, fd):
        serve(files[mime], fd)
        if is_once:
            ended.append(True)
    control.own(files, on_send, lambda: ended.append(True))
    control.connection.round_trip()
    print('ready', flush=True)
    while not ended:
        control.connection.dispatch()


def burst(count, prefix):
    control = DataControl()
    begun = []

    def make(number):
        def on_send(_mime, fd):
            begun.append(number)
            if number < count:
                make(number + 1)
            os.write(fd, f'{prefix}{number}'.encode())
            os.close(fd)
        control.own(['text/plain;charset=utf-8'], on_send, lambda: None)

    make(1)
    while len(begun) < count:
        control.connection.dispatch()
    control.connection.round_trip()


def paste(mime):
    control = DataControl()
    control.paste(mime, sys.stdout.fileno())


def main():
    verb, *args = sys.argv[1:]
    if verb in ('copy', 'once'):
        copy(dict(pair.rsplit('=', 1) for pair in args), is_once=verb == 'once')
    elif verb == 'offer':
        copy(read_pairs(args[0]))
    elif verb == 'burst':
        burst(int(args[0]), args[1])
    elif verb == 'types':
        print('\n'.join(DataControl().types()))
    elif verb == 'paste':
        paste(args[0])
    else:
        sys.exit(f'{pathlib.Path(sys.argv[0]).name}: copy, once, offer, burst, types or paste')


if __name__ == '__main__':
    main()
