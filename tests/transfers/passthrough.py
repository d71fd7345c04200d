#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A FUSE file system that shows a folder, spoken straight to the kernel: no library.

    passthrough.py FOLDER MOUNTPOINT [direct] [disk]

It can do what a plain one can: no unnamed files, no rename without replacing, no reflinks. With
`direct` its files bypass the page cache, so that none can be mapped for writing by two; with `disk`
they are images, of which it remembers what has not been synced.

Told `hold` on its standard input, it answers no read of a file that nobody can write (which is
what a blob is) until it is told `go`: a disk that hangs. Told `cut SEED`, it is a disk whose power
has failed: of what was written after the last sync some is lost, and nothing can be written.
"""
import ctypes
import errno
import os
import random
import select
import stat
import struct
import sys

LOOKUP, FORGET, GETATTR, SETATTR, MKNOD, MKDIR, UNLINK, RMDIR, RENAME, LINK, OPEN, READ, WRITE, \
    STATFS, RELEASE, FSYNC = 1, 2, 3, 4, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 20
FLUSH, INIT, OPENDIR, READDIR, RELEASEDIR, FSYNCDIR, CREATE, BATCH_FORGET = \
    25, 26, 27, 28, 29, 30, 35, 42

HEADER = struct.Struct('<IIQQIIII')  # length, opcode, unique, node, uid, gid, pid, padding
BUFFER_BYTES = 1 << 20
WRITE_BYTES = 128 << 10
BIG_WRITES = 1 << 5
DIRECT_IO = 1 << 0
KEEP_CACHE = 1 << 1
SET_MODE, SET_SIZE, SET_ATIME, SET_MTIME = 1, 8, 16, 32
SECONDS_KNOWN = 60  # the kernel may believe names and attributes as long: all goes through us


def attributes(status):
    def parts(nanoseconds):
        return divmod(nanoseconds, 10 ** 9)
    atime, mtime, ctime = map(parts, (status.st_atime_ns, status.st_mtime_ns, status.st_ctime_ns))
    return struct.pack('<6Q10I', status.st_ino, status.st_size, status.st_blocks, atime[0],
                       mtime[0], ctime[0], atime[1], mtime[1], ctime[1], status.st_mode,
                       status.st_nlink, status.st_uid, status.st_gid, 0, 4096, 0)


def name_in(data):
    return data.split(b'\0', 1)[0]


class Folder:
    """Nodes are descriptors of the files themselves (O_PATH), so that they outlive their names."""

    def __init__(self, root, is_direct):
        self.nodes = {1: os.open(root, os.O_PATH | os.O_DIRECTORY)}
        self.counts = {1: 1}
        self.numbers = {}
        self.open_flags = DIRECT_IO if is_direct else KEEP_CACHE

    def path(self, node):
        return f'/proc/self/fd/{self.nodes[node]}'

    def entry(self, parent, name):
        fd = os.open(name, os.O_PATH | os.O_NOFOLLOW, dir_fd=self.nodes[parent])
        status = os.fstat(fd)
        key = status.st_dev, status.st_ino
        node = self.numbers.get(key)
        if node:
            os.close(fd)
        else:
            node = max(self.nodes) + 1
            self.numbers[key] = node
            self.nodes[node] = fd
            self.counts[node] = 0
        self.counts[node] += 1
        return struct.pack('<QQQQII', node, 0, SECONDS_KNOWN, SECONDS_KNOWN, 0, 0) + \
            attributes(status)

    def forget(self, node, count):
        self.counts[node] -= count
        if self.counts[node] == 0 and node != 1:
            status = os.fstat(self.nodes[node])
            self.numbers.pop((status.st_dev, status.st_ino), None)
            os.close(self.nodes.pop(node))
            del self.counts[node]

    def attr(self, node):
        return struct.pack('<QII', SECONDS_KNOWN, 0, 0) + attributes(os.fstat(self.nodes[node]))

    def opened(self, fd):
        return struct.pack('<QII', fd, self.open_flags, 0)

    def open(self, node, data):
        flags = struct.unpack_from('<I', data)[0] & ~(os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW)
        return self.opened(os.open(self.path(node), flags & ~os.O_APPEND))

    def create(self, parent, data):
        flags, mode, umask = struct.unpack_from('<III', data)
        name = name_in(data[16:])
        fd = os.open(name, (flags | os.O_CREAT) & ~os.O_APPEND, mode & ~umask,
                     dir_fd=self.nodes[parent])
        return self.entry(parent, name) + self.opened(fd)

    def set_attr(self, node, data):
        valid = struct.unpack_from('<I', data)[0]
        size, = struct.unpack_from('<Q', data, 16)
        mode, = struct.unpack_from('<I', data, 68)
        if valid & SET_MODE:
            os.chmod(self.path(node), stat.S_IMODE(mode))
        if valid & SET_SIZE:
            os.truncate(self.path(node), size)
        if valid & (SET_ATIME | SET_MTIME):
            os.utime(self.path(node))
        return self.attr(node)

    def make_node(self, parent, data):
        mode, _, umask = struct.unpack_from('<III', data)
        name = name_in(data[16:])
        os.mknod(name, mode & ~umask, dir_fd=self.nodes[parent])
        return self.entry(parent, name)

    def make_dir(self, parent, data):
        mode, umask = struct.unpack_from('<II', data)
        name = name_in(data[8:])
        os.mkdir(name, mode & ~umask, dir_fd=self.nodes[parent])
        return self.entry(parent, name)

    def rename(self, parent, data):
        target, = struct.unpack_from('<Q', data)
        old, new = data[8:].split(b'\0')[:2]
        os.rename(old, new, src_dir_fd=self.nodes[parent], dst_dir_fd=self.nodes[target])
        return b''

    def link(self, parent, data):
        node, = struct.unpack_from('<Q', data)
        name = name_in(data[8:])
        os.link(self.path(node), name, dst_dir_fd=self.nodes[parent], follow_symlinks=True)
        return self.entry(parent, name)

    def unlink(self, parent, data):
        os.unlink(name_in(data), dir_fd=self.nodes[parent])
        return b''

    def remove_dir(self, parent, data):
        os.rmdir(name_in(data), dir_fd=self.nodes[parent])
        return b''

    def read_dir(self, node, data):
        _, offset, size = struct.unpack_from('<QQI', data)
        out = b''
        for number, name in enumerate(sorted(os.listdir(self.path(node))), 1):
            raw = os.fsencode(name)
            record = struct.pack('<QQII', 1, number, len(raw), 0) + raw
            record += bytes(-len(record) % 8)
            if number > offset:
                if len(out) + len(record) > size:
                    break
                out += record
        return out

    def statfs(self, node, _data):
        found = os.statvfs(self.path(node))
        return struct.pack('<5Q4I24x', found.f_blocks, found.f_bfree, found.f_bavail,
                           found.f_files, found.f_ffree, found.f_bsize, found.f_namemax,
                           found.f_frsize, 0)


def read(_node, data):
    fd, offset, size = struct.unpack_from('<QQI', data)
    return os.pread(fd, size, offset)


class Cache:
    """What a disk has not been told to keep yet: what was written, and what was there before."""

    def __init__(self):
        self.writes = []
        self.has_power = True

    def _check_power(self):
        if not self.has_power:
            raise OSError(errno.EIO, '')

    def write(self, _node, data):
        self._check_power()
        fd, offset, size = struct.unpack_from('<QQI', data)
        new = data[40:40 + size]
        self.writes.append((fd, offset, os.pread(fd, size, offset), new))
        return struct.pack('<II', os.pwrite(fd, new, offset), 0)

    def sync(self, _node, _data):
        self._check_power()
        self.writes.clear()
        return b''

    def cut(self, seed):
        """Each write since the last sync has arrived or not."""
        rng = random.Random(seed)
        for fd, offset, old, _ in reversed(self.writes):
            os.pwrite(fd, old, offset)
        for fd, offset, _, new in self.writes:
            if rng.random() < 0.5:
                os.pwrite(fd, new, offset)
        self.has_power = False


def write(_node, data):
    fd, offset, size = struct.unpack_from('<QQI', data)
    return struct.pack('<II', os.pwrite(fd, data[40:40 + size], offset), 0)


def sync(_node, data):
    os.fsync(struct.unpack_from('<Q', data)[0])
    return b''


def release(_node, data):
    os.close(struct.unpack_from('<Q', data)[0])
    return b''


def init(_node, data):
    _, _, readahead, _ = struct.unpack_from('<IIII', data)
    return struct.pack('<IIIIHHIIHHII24x', 7, 31, readahead, BIG_WRITES, 16, 12, WRITE_BYTES, 1,
                       0, 0, 0, 0)


def nothing(_node, _data):
    return b''


class Server:
    def __init__(self, folder, kernel, cache):
        self.folder = folder
        self.kernel = kernel
        self.cache = cache
        self.is_holding = False
        self.held = []
        self.answers = {
            LOOKUP: lambda node, data: folder.entry(node, name_in(data)),
            GETATTR: lambda node, data: folder.attr(node), SETATTR: folder.set_attr,
            MKNOD: folder.make_node, MKDIR: folder.make_dir, UNLINK: folder.unlink,
            RMDIR: folder.remove_dir, RENAME: folder.rename, LINK: folder.link,
            OPEN: folder.open, OPENDIR: lambda node, data: folder.opened(0), CREATE: folder.create,
            READDIR: folder.read_dir, STATFS: folder.statfs, READ: read, WRITE: write,
            RELEASE: release, RELEASEDIR: nothing, FSYNC: sync, FSYNCDIR: nothing,
            FLUSH: nothing, INIT: init}
        if cache:
            self.answers |= {WRITE: cache.write, FSYNC: cache.sync}

    def answer(self, opcode, unique, node, data):
        reason, out = 0, b''
        try:
            if opcode not in self.answers:
                raise OSError(errno.ENOSYS, '')
            out = self.answers[opcode](node, data)
        except OSError as error:
            reason = error.errno
        # a request that was interrupted meanwhile is unknown by now
        try:
            os.write(self.kernel, struct.pack('<IiQ', 16 + len(out), -reason, unique) + out)
        except FileNotFoundError:
            pass

    def take(self):
        request = os.read(self.kernel, BUFFER_BYTES)
        length, opcode, unique, node = HEADER.unpack_from(request)[:4]
        data = request[HEADER.size:length]
        if opcode == FORGET:
            self.folder.forget(node, struct.unpack_from('<Q', data)[0])
        elif opcode == BATCH_FORGET:
            for one in range(struct.unpack_from('<I', data)[0]):
                self.folder.forget(*struct.unpack_from('<QQ', data, 8 + 16 * one))
        elif opcode == READ and self.is_holding and self.is_blob(node):
            self.held.append((opcode, unique, node, data))
        else:
            self.answer(opcode, unique, node, data)

    def is_blob(self, node):
        return not os.fstat(self.folder.nodes[node]).st_mode & 0o222

    def obey(self, words):
        if words.startswith('cut '):
            self.cache.cut(words)
        self.is_holding = words == 'hold'
        if not self.is_holding:
            for request in self.held:
                self.answer(*request)
            self.held.clear()
        print('ok', flush=True)

    def run(self):
        while True:
            for ready in select.select([self.kernel, sys.stdin], [], [])[0]:
                if ready is self.kernel:
                    self.take()
                    continue
                words = sys.stdin.readline()
                if not words:
                    return
                self.obey(words.strip())


def main():
    root, mountpoint, *words = sys.argv[1:]
    kernel = os.open('/dev/fuse', os.O_RDWR)
    options = f'fd={kernel},rootmode=40000,user_id=0,group_id=0,allow_other,default_permissions'
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.mount(b'passthrough', os.fsencode(mountpoint), b'fuse', 0, options.encode()):
        sys.exit(f'mount: {os.strerror(ctypes.get_errno())}')
    print('ready', flush=True)
    try:
        cache = Cache() if 'disk' in words else None
        Server(Folder(root, 'direct' in words), kernel, cache).run()
    except OSError as error:
        if error.errno != errno.ENODEV:  # it has been unmounted
            raise


main()
