# SPDX-License-Identifier: LGPL-2.1-or-later
"""File systems of every kind, mounted where nobody else sees them.

The test program moves into a mount namespace of its own: whatever happens to it, its mounts go
when its last process ends, and the loop devices with them.
"""
import contextlib
import ctypes
import mmap
import os
import subprocess

from session import HERE, Broken, need

CLONE_NEWNS = 0x20000
MS_REC = 0x4000
MS_PRIVATE = 1 << 18
MNT_FORCE = 1
MNT_DETACH = 2

# what mkfs takes so that it is quiet
MKFS = {'ext4': ['mkfs.ext4', '-q'], 'xfs': ['mkfs.xfs', '-q'], 'btrfs': ['mkfs.btrfs', '-q']}
IMAGE_BYTES = 512 << 20
KINDS = [*MKFS, 'tmpfs', 'overlay', 'fuse', 'fuse-direct']
SERVER = HERE.parent / 'transfers' / 'passthrough.py'

_libc = ctypes.CDLL(None, use_errno=True)


def _check(result, what):
    if result:
        raise Broken(f'{what}: {os.strerror(ctypes.get_errno())}')


def enter_namespace():
    """From here on what is mounted is this program's alone."""
    if os.geteuid() != 0:
        raise Broken('file systems can be mounted by root alone: run it as root')
    _check(_libc.unshare(CLONE_NEWNS), 'unshare')
    _check(_libc.mount(b'none', b'/', None, MS_REC | MS_PRIVATE, None), 'make mounts private')


def run_tool(*argv):
    done = subprocess.run([need(argv[0]), *map(str, argv[1:])], capture_output=True, text=True,
                          check=False)
    if done.returncode:
        raise Broken(f'{" ".join(map(str, argv))}: {done.stderr.strip()}')


def _mount_image(kind, folder, top):
    image = folder / f'{kind}.image'
    with open(image, 'wb') as file:
        file.truncate(IMAGE_BYTES)
    run_tool(*MKFS[kind], image)
    run_tool('mount', '-o', 'loop', image, top)


def _mount_overlay(folder, top):
    # all of it lies on a tmpfs: an overlay upon an overlay, as in a container, is refused
    below = folder / 'below'
    below.mkdir()
    run_tool('mount', '-t', 'tmpfs', '-o', 'size=512m', 'below', below)
    for name in ('lower', 'upper', 'work'):
        (below / name).mkdir()
    run_tool('mount', '-t', 'overlay', 'overlay', '-o',
         f'lowerdir={below}/lower,upperdir={below}/upper,workdir={below}/work', top)
    return [below]


def _mount_fuse(session, backing, top, *words):
    # of its own: who else writes to the disk meanwhile would change the room that is left
    backing.mkdir()
    run_tool('mount', '-t', 'tmpfs', '-o', 'size=512m', 'backing', backing)
    server = session.start(SERVER, backing, top, *words, name='passthrough',
                           stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    session.first_line(server.stdout, 'passthrough.py')
    return server


class Mount:
    """A file system: path, kind, and what it takes to use it."""

    def __init__(self, session, kind):
        self.kind = kind
        self.server = None
        folder = session.folder / f'mount-{kind}'
        self.path = folder / 'top'
        self.path.mkdir(parents=True)
        self.tops = [self.path]
        if kind in MKFS:
            _mount_image(kind, folder, self.path)
        elif kind == 'tmpfs':
            run_tool('mount', '-t', 'tmpfs', '-o', 'size=512m', 'tmpfs', self.path)
        elif kind == 'overlay':
            self.tops += _mount_overlay(folder, self.path)
        else:
            backing = folder / 'backing'
            self.tops.append(backing)
            self.server = _mount_fuse(session, backing, self.path, *kind.split('-')[1:])

    def free_bytes(self):
        """What the file system has left, once all that was written has its place."""
        os.sync()
        found = os.statvfs(self.path)
        return found.f_bfree * found.f_frsize

    def spoil(self, block):
        """Writes zeros where this block lies: a file system with checksums does not give it any more."""
        os.sync()
        with open(self.path.parent / f'{self.kind}.image', 'r+b') as image, \
                mmap.mmap(image.fileno(), 0) as view:
            at = view.find(block)
            view[at:at + len(block)] = bytes(len(block))

    def tell(self, session, words):
        """Tells the server of a FUSE file system to `hold` reads of blobs, or to `go` on."""
        os.write(self.server.stdin.fileno(), words.encode() + b'\n')
        session.first_line(self.server.stdout, 'passthrough.py')

    def close(self):
        for top in self.tops:
            flags = MNT_DETACH | (MNT_FORCE if self.server and top == self.path else 0)
            _libc.umount2(os.fsencode(top), flags)


@contextlib.contextmanager
def mounted(session, kind):
    mount = Mount(session, kind)
    try:
        yield mount
    finally:
        mount.close()
