# SPDX-License-Identifier: LGPL-2.1-or-later
"""Lets another user of this machine use an X server, and stays connected: xaccess.py SOCKET USER

An Xwayland serves the user alone who runs it, and tests that run as root start it as nobody. It
ends with its last client, which this one is not to be.
"""
import signal
import socket
import struct
import sys

CHANGE_HOSTS = 109
INSERT = 0
SERVER_INTERPRETED = 5


def padded(data):
    return data + bytes(-len(data) % 4)


def received(connection, count):
    data = b''
    while len(data) < count:
        more = connection.recv(count - len(data))
        if not more:
            raise SystemExit('the X server has hung up')
        data += more
    return data


def main():
    path, user = sys.argv[1:]
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(path)
    connection.sendall(struct.pack('<BxHHHHxx', ord('l'), 11, 0, 0, 0))
    status, _, _, length = struct.unpack('<BxHHH', received(connection, 8))
    received(connection, length * 4)
    if status != 1:
        raise SystemExit('the X server refuses')
    address = b'localuser\0' + user.encode()
    request = struct.pack('<BxHH', SERVER_INTERPRETED, len(address), 0)[:4] + padded(address)
    connection.sendall(struct.pack('<BBH', CHANGE_HOSTS, INSERT, 1 + len(request) // 4) + request)
    # GetInputFocus, whose answer comes behind
    connection.sendall(struct.pack('<BBH', 43, 0, 1))
    answer = received(connection, 32)
    if answer[0] != 1:
        raise SystemExit(f'the X server answers with error {answer[1]}')
    print('ready', flush=True)
    signal.pause()


main()
