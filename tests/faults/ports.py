# SPDX-License-Identifier: LGPL-2.1-or-later
"""Ways to ask for a change: calls on the bus, or commands. Several may be under way at once.

A change is a handle: look() says that it is decided, then `done` whether it was acknowledged,
and `number` the id that it gave, where that is known.
"""
import os
import subprocess
import threading

from gi.repository import Gio, GLib

from caller import Call, Caller
from session import BUS_NAME, tied


def _feed(fd, data):
    try:
        with os.fdopen(fd, 'wb') as file:
            file.write(data)
    except OSError:
        pass  # the daemon has gone


class _Asked:
    """A call on the bus."""

    def __init__(self, call, is_store=False, feeders=()):
        self.call = call
        self.is_store = is_store
        self.feeders = feeders

    def look(self):
        if not self.call.look():
            return False
        for feeder in self.feeders:
            feeder.join()
        return True

    @property
    def done(self):
        return self.call.error is None

    @property
    def error(self):
        return self.call.error

    @property
    def number(self):
        return self.call.result if self.is_store and self.done else None


class BusPort:
    """Calls of the session's daemon; it hears the signals, too."""

    def __init__(self, session):
        self.caller = Caller(session)
        self.announced = set()
        self.caller.bus.signal_subscribe(
            None, BUS_NAME, None, None, None, Gio.DBusSignalFlags.NONE, self._on_signal)

    def _on_signal(self, _bus, _sender, _path, _interface, name, words):
        words = words.unpack()
        if name == 'EntryAdded':
            self.announced.add(words[0])
        elif name == 'EntryMoved':
            self.announced.discard(words[0])
            self.announced.add(words[1])
        elif name == 'EntriesRemoved':
            # an empty list stands for more than are listed
            self.announced -= set(words[0]) or self.announced

    def look(self):
        while self.caller.context.iteration(False):
            pass

    def store(self, clip, by_pipe):
        fds, feeders, contents = Gio.UnixFDList.new(), [], []
        for mime, data in clip.contents:
            fd, feeder = self._source(data, by_pipe)
            contents.append((mime, fds.append(fd)))
            os.close(fd)
            feeders += feeder
        call = Call(self.caller, 'Store', GLib.Variant('(a(sh)a{sv})', (contents, {})), fds)
        return _Asked(call, is_store=True, feeders=feeders)

    @staticmethod
    def _source(data, by_pipe):
        if not by_pipe:
            fd = os.memfd_create('clip', os.MFD_CLOEXEC)
            os.write(fd, data)
            os.lseek(fd, 0, os.SEEK_SET)
            return fd, []
        reader, writer = os.pipe()
        feeder = threading.Thread(target=_feed, args=(writer, data), daemon=True)
        feeder.start()
        return reader, [feeder]

    def _ask(self, method, signature, *words):
        return _Asked(Call(self.caller, method, GLib.Variant(signature, words), None))

    def delete(self, numbers):
        return self._ask('Delete', '(ata{sv})', numbers, {})

    def pin(self, number):
        return self._ask('SetPinned', '(tba{sv})', number, True, {})

    def wipe(self):
        return self._ask('Wipe', '(a{sv})', {})

    def close(self):
        self.caller.close()


class _Command:
    def __init__(self, session, argv, data):
        fd = os.memfd_create('clip', os.MFD_CLOEXEC)
        os.write(fd, data)
        os.lseek(fd, 0, os.SEEK_SET)
        self.process = subprocess.Popen(
            [session.programs.cliphist, *argv], env=session.env, cwd=session.folder, stdin=fd,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, preexec_fn=tied())
        os.close(fd)
        self.number = None
        self.error = None

    def look(self):
        if self.process.poll() is None:
            return False
        if self.error is None:
            self.error = self.process.stderr.read().decode(errors='replace')
            self.process.stderr.close()
        return True

    @property
    def done(self):
        return self.process.returncode == 0


class CommandPort:
    """Commands: they ask the session's daemon, or, where there is none, start private ones."""

    announced = frozenset()

    def __init__(self, session):
        self.session = session

    def look(self):
        pass

    def store(self, clip, by_pipe):
        del by_pipe
        return _Command(self.session, ['store'], clip.data)

    def delete(self, numbers):
        lines = ''.join(f'{number}\tx\n' for number in numbers)
        return _Command(self.session, ['delete'], lines.encode())

    def pin(self, number):
        return _Command(self.session, ['pin', str(number)], b'')

    def wipe(self):
        return _Command(self.session, ['wipe'], b'')

    def close(self):
        pass
