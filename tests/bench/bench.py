# SPDX-License-Identifier: LGPL-2.1-or-later
"""What all groups need: a private session with the daemon, clips in it, and the other ways."""
import contextlib
import os
import pathlib
import subprocess
import threading
import time

from clients import write_text
from session import BUS_NAME, BUS_PATH, Broken, Programs, Session
from timing import Pipeline, Result, cpu_clock, opened

MIB = 1 << 20

# limits that no clip of the benchmark reaches
CONFIG = 'max-items 2000000\nmax-store-size 16GiB\nmax-total-size 64GiB\nmin-free-space 1%\n'

BUFFERS = [16, 32, 64, 128, 256, 512, 1024]  # KiB


class Bench:
    """One session, as a group wants it, and what there is to measure with."""

    def __init__(self, display, args):
        self.args = args
        self.runs = args.runs
        self.size = args.mib * MIB
        self.session = Session(display, programs=Programs(args.build))
        self.tools = pathlib.Path(args.build).resolve() / 'tests' / 'bench'
        self.cliphist = self.session.programs.cliphist
        self.copies = 0

    def __enter__(self):
        self.session.__enter__()
        folder = self.session.folder / 'config' / 'cliphist'
        folder.mkdir()
        (folder / 'config').write_text(CONFIG)
        self.session.start_daemon()
        self.env = self.session.env
        self.daemon = self.session.daemon.pid
        self.folder = self.session.folder
        self._connection = None
        return self

    def __exit__(self, *error):
        self.session.__exit__(*error)

    def tool(self, name, *words):
        return [self.tools / name, *words]

    # clips

    def make_text(self, size, name='source'):
        """A file of text that is like no other."""
        path = self.folder / name
        write_text(path, max(1, size // MIB))
        os.truncate(path, size)
        return path

    def make_different(self, path):
        """What equals an entry would only be moved up."""
        self.copies += 1
        with open(path, 'r+b') as file:
            file.write(b'%015d ' % self.copies)

    def store(self, path):
        """Stores a file: the entry's id."""
        with open(path, 'rb') as file:
            self.session.cliphist('store', stdin=file, seconds=300)
        return self.newest()

    def newest(self):
        lines = self.session.cliphist('list', '--limit', '1').stdout
        return lines.split(b'\t')[0].decode()

    def remove(self, number):
        self.session.cliphist('delete', data=number.encode())
        os.sync()  # the disk hears of freed blocks then, and not during the next run

    def blob(self, size):
        """The file in which the history holds the clip of a size: what all ways read."""
        for path in (self.folder / 'state').rglob('blobs/*/*'):
            if path.stat().st_size == size:
                return path
        raise Broken(f'the history has no file of {size} bytes')

    # ways

    def serve(self, *commands, daemon=False, counted=1):
        """The first command is under test, the others take what it gives."""
        return Pipeline(commands, self.env, counted=counted,
                        daemon=self.daemon if daemon else None).run()

    def serve_file(self, path, *commands):
        """The same, for a command that reads its stdin."""
        with opened(path) as fd:
            return Pipeline(commands, self.env, stdin=fd).run()

    def take(self, *commands, daemon=False, stdin=None, stdout=None):
        """The last command is under test, the others feed it."""
        return Pipeline(commands, self.env, tested=len(commands) - 1, stdin=stdin,
                        stdout=stdout, daemon=self.daemon if daemon else None).run()

    def best_buffer(self, path, sink):
        """The buffer with which a read/write loop is fastest here, in KiB."""
        found = {}
        for _ in range(3):
            for kib in BUFFERS:
                way = self.tool('plain-copy', 'read-write', kib * 1024)
                wall = self.serve_file(path, way, sink).wall
                found[kib] = min(wall, found.get(kib, wall))
        return min(found, key=found.get)

    # the bus

    def bus(self):
        if not self._connection:
            from gi.repository import Gio
            self._connection = Gio.DBusConnection.new_for_address_sync(
                self.env['DBUS_SESSION_BUS_ADDRESS'],
                Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT |
                Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION, None, None)
        return self._connection

    def call(self, method, signature, values, fds):
        """A call that takes descriptors, and closes them once it is answered."""
        from gi.repository import Gio, GLib
        return self.bus().call_with_unix_fd_list_sync(
            BUS_NAME, BUS_PATH, BUS_NAME, method, GLib.Variant(signature, values), None,
            Gio.DBusCallFlags.NONE, -1, Gio.UnixFDList.new_from_array(fds), None)[0]

    def call_many(self, calls, at_once=32):
        """Calls that take one content each, as (key, (method, signature, values, bytes)):
        yields the keys with the replies, in whatever order these come."""
        from gi.repository import Gio, GLib
        loop, replies, waiting = GLib.MainContext.default(), [], set()

        def on_reply(bus, result, key):
            waiting.discard(key)
            replies.append((key, bus.call_with_unix_fd_list_finish(result)[0]))

        for key, (method, signature, values, content) in calls:
            fd = os.memfd_create('content')
            os.write(fd, content)
            os.lseek(fd, 0, os.SEEK_SET)
            waiting.add(key)
            self.bus().call_with_unix_fd_list(
                BUS_NAME, BUS_PATH, BUS_NAME, method, GLib.Variant(signature, values), None,
                Gio.DBusCallFlags.NONE, -1, Gio.UnixFDList.new_from_array([fd]), None,
                on_reply, key)
            while len(waiting) >= at_once:
                loop.iteration(True)
            yield from replies
            replies.clear()
        while waiting:
            loop.iteration(True)
        yield from replies

    def send(self, number, sink):
        """D-Bus `Send` into a sink: until it has replied and the sink has seen the end."""
        caller = subprocess.Popen([str(word) for word in self.tool('send-run', number)],
                                  env=self.env, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, bufsize=0)
        end = subprocess.Popen([str(word) for word in sink], stdin=caller.stdout)
        caller.stdout.close()
        if caller.stderr.readline() != b'ready\n':
            raise Broken('send-run is not on the bus')
        before = cpu_clock(self.daemon)
        start = time.monotonic()
        caller.stdin.write(b'.')
        end.wait()
        caller.wait()
        wall = time.monotonic() - start
        for pipe in (caller.stdin, caller.stderr):
            pipe.close()
        if caller.returncode or end.returncode:
            raise Broken('Send into a sink failed')
        return Result(wall, cpu_clock(self.daemon) - before)

    @contextlib.contextmanager
    def bare_server(self, path):
        """A service on this bus that does the least that one can, with that file."""
        words = [str(word) for word in self.tool('bare-server', path)]
        with subprocess.Popen(words, env=self.env, stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE) as process:
            if process.stdout.readline() != b'ready\n':
                raise Broken('the bare service is not on the bus')
            yield
            process.stdin.close()

    # the daemon's memory and pipes

    def memory_kib(self, field='Private_Dirty'):
        """A line of the daemon's smaps_rollup, in KiB."""
        text = pathlib.Path(f'/proc/{self.daemon}/smaps_rollup').read_text()
        for line in text.splitlines():
            if line.startswith(f'{field}:'):
                return int(line.split()[1])
        raise Broken(f'smaps_rollup has no {field}')

    def growth_kib(self, action, field='Private_Dirty'):
        """By how much that memory grows, at most, while something is done; not to be timed."""
        before, most, done = self.memory_kib(field), [0], threading.Event()

        def look():
            while not done.wait(0.002):
                most[0] = max(most[0], self.memory_kib(field))
        watcher = threading.Thread(target=look)
        watcher.start()
        try:
            action()
        finally:
            done.set()
            watcher.join()
        return max(0, most[0] - before)
