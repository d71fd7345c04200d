# SPDX-License-Identifier: LGPL-2.1-or-later
"""File systems in images, whose power can be cut.

ext4 and xfs are told to shut down as if it had failed: nothing that is in memory reaches the disk
any more, nor what is in the log of the file system. btrfs cannot be told, so its disk is a server of
ours (passthrough.py), which loses some of what it was not told to keep.

Whoever writes is to be stopped before, as a power cut does: it must not hear of a sync that the
kernel is at meanwhile, which may succeed without having kept anything. (The journal of ext4 has
ended then, and what the sync waits for is in no transaction any more.)
"""
import ctypes
import fcntl
import os
import struct
import subprocess

from mounts import MKFS, MNT_DETACH, SERVER, run_tool
from session import until

FS_IOC_SHUTDOWN = 0x8004587D
NO_LOG_FLUSH = 2
LOG_FLUSH = 1

MIB = 1 << 20
SIZES = {'ext4': 96 * MIB, 'xfs': 320 * MIB, 'btrfs': 192 * MIB}

# no room that is for root alone, who fills it
OPTIONS = {'ext4': ('-m', '0')}

_libc = ctypes.CDLL(None, use_errno=True)


class Image:
    """A file system that comes and goes; mount() may be called again after cut() and unmount()."""

    def __init__(self, session, kind, by_server=False):
        self.session = session
        self.kind = kind
        self.by_server = by_server
        self.server = None
        self.folder = session.folder / f'image-{kind}'
        self.path = self.folder / 'top'
        self.served = self.folder / 'served'
        self.disks = self.folder / 'disks'
        for folder in (self.path, self.served, self.disks):
            folder.mkdir(parents=True)
        self.image = self.disks / 'image'
        with open(self.image, 'wb') as file:
            file.truncate(SIZES[kind])
        run_tool(*MKFS[kind], *OPTIONS.get(kind, ()), self.image)

    def mount(self):
        image = self.image
        if self.by_server:
            self.server = self.session.start(SERVER, self.disks, self.served, 'direct', 'disk',
                                             name='passthrough', stdin=subprocess.PIPE,
                                             stdout=subprocess.PIPE)
            self.session.first_line(self.server.stdout, 'passthrough.py')
            image = self.served / 'image'
        run_tool('mount', '-o', 'loop', image, self.path)

    def cut(self, rng):
        """From here on nothing reaches the disk."""
        if self.by_server:
            os.write(self.server.stdin.fileno(), f'cut {rng.random()}\n'.encode())
            self.session.first_line(self.server.stdout, 'passthrough.py')
            return
        flags = rng.choice([NO_LOG_FLUSH, NO_LOG_FLUSH, NO_LOG_FLUSH, LOG_FLUSH])
        fd = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY)
        try:
            fcntl.ioctl(fd, FS_IOC_SHUTDOWN, struct.pack('I', flags))
        finally:
            os.close(fd)

    def unmount(self):
        """Whoever used it has gone. The next mount finds what had reached the disk."""
        until(lambda: self._umount(self.path, 0) or not os.path.ismount(self.path),
              f'{self.kind} is unmounted')
        if self.server:
            until(lambda: self._umount(self.served, 0) or not os.path.ismount(self.served),
                  'its disk is unmounted')
            self.server.stdin.close()
            self.session.started.remove(self.server)
            self.server.wait(20)
            self.server.stdout.close()
            self.server = None

    @staticmethod
    def _umount(path, flags):
        return _libc.umount2(os.fsencode(path), flags) == 0

    def __enter__(self):
        self.mount()
        return self

    def __exit__(self, *_):
        for path in (self.path, self.served):
            self._umount(path, MNT_DETACH)
