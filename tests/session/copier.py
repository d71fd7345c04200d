# SPDX-License-Identifier: LGPL-2.1-or-later
"""A Wayland program that copies as fast, as much and as stubbornly as nobody does by hand.

    copier.py pace COUNT MICROSECONDS [asked]
                                         "copy number 1" and so on, each at least so long after the
                                         one before, and once somebody has asked for that
    copier.py half-way BYTES WORD        a text of so many bytes; once half of it has been read WORD is
                                         copied instead, and the pipe is closed
    copier.py whole BYTES                a text of so many bytes; it says when it was asked for, and
                                         when the last byte had gone into the pipe
    copier.py linger COUNT [TYPE...]     so many texts, each once the one before was asked for, none of
                                         which ends, or stands still; of further types it gives a word
    copier.py reown                      takes over whatever is copied, as some managers do; it says so
                                         once it was asked for it

It says `NUMBER NANOSECONDS` (CLOCK_MONOTONIC) for each of its copies: all of them, and the word; behind that
`unasked` where one was replaced before anybody had asked for it. It
stays the owner of the last one until it is told to end, or is replaced.
"""
import contextlib
import os
import select
import sys
import threading
import time

from datacontrol import DataControl

TEXT = 'text/plain;charset=utf-8'
MARK = 'application/x-reowned'
MIB = 1 << 20


def say(*words):
    print(*words, flush=True)


def give(data, fd):
    try:
        os.write(fd, data)
    except BrokenPipeError:
        pass  # it was replaced while somebody asked for it
    os.close(fd)


def own_text(control, text, types=(TEXT,), on_asked=lambda: None):
    """Copies a short text, and returns when it did."""
    def send(_mime, fd):
        give(text, fd)
        on_asked()
    now = time.monotonic_ns()
    control.own(types, send, lambda: None)
    return now


def serve(control, end=None):
    """Answers until a moment of time.monotonic(), or for good."""
    while True:
        left = None if end is None else max(0, end - time.monotonic())
        if select.select([control.connection.socket], [], [], left)[0]:
            control.connection.dispatch()
        elif left == 0:
            return


def pace(count, gap_us, is_patient):
    control, stamps, asked = DataControl(), [], set()
    for number in range(1, count + 1):
        stamps.append(own_text(control, b'copy number %d' % number,
                               on_asked=lambda number=number: asked.add(number)))
        serve(control, time.monotonic() + gap_us / 1e6)
        while is_patient and number not in asked:
            control.connection.dispatch()
    say('\n'.join(f'{number} {stamp}' + ('' if number in asked else ' unasked')
                  for number, stamp in enumerate(stamps, 1)))
    serve(control)


class Giant:
    """A text that takes no room here: the same page cache again and again."""

    def __init__(self, size):
        self.size = size
        self.fds = []
        self.memory = os.memfd_create('giant')
        os.write(self.memory, b'all the same ' * (MIB // 13 + 1))
        self.half_way, self._written = os.pipe()

    def send(self, _mime, fd):
        threading.Thread(target=self._send, args=(fd,), daemon=True).start()

    def _fill(self, fd, sent, until):
        while sent < until:
            sent += os.sendfile(fd, self.memory, 0, min(MIB, until - sent))
        return sent

    def send_all(self, fd):
        self._fill(fd, 0, self.size)
        os.close(fd)

    def _send(self, fd):
        try:
            self._fill(fd, 0, self.size // 2)
            self.fds.append(fd)
            os.write(self._written, b'.')
        except BrokenPipeError:
            pass

    def replaced(self):
        """As toolkits do it: what is on its way ends when somebody else has copied."""
        while self.fds:
            os.close(self.fds.pop())


def half_way(size, word):
    control, giant = DataControl(), Giant(size)
    control.own([TEXT], giant.send, giant.replaced)
    while not (ready := select.select([control.connection.socket, giant.half_way], [], [])[0]) or \
            giant.half_way not in ready:
        control.connection.dispatch()
    say(1, own_text(control, word.encode()))
    serve(control)


def whole(size):
    control, giant = DataControl(), Giant(size)

    def send(_mime, fd):
        say(1, time.monotonic_ns())
        giant.send_all(fd)
        say(2, time.monotonic_ns())
    control.own([TEXT], send, lambda: None)
    say('ready')
    serve(control)


def linger(count, *types):
    control, held = DataControl(), []

    def send(mime, fd):
        if mime != TEXT:
            give(b'word', fd)
            return
        os.write(fd, b'a text that')
        held.append(fd)
    for number in range(1, count + 1):
        control.own([TEXT, *types], send, lambda: None)
        while len(held) < number:
            control.connection.dispatch()
    say('ready')
    while True:
        serve(control, time.monotonic() + 0.2)
        for fd in held:
            with contextlib.suppress(BrokenPipeError):
                os.write(fd, b'.')


def read(control, mime):
    source, sink = os.pipe()
    control.paste(mime, sink)
    os.close(sink)
    with open(source, 'rb') as pipe:
        return pipe.read()


def say_once(words):
    if words:
        say(*words)
        words.clear()


def reown():
    control, count = DataControl(), 0
    say('ready')
    while True:
        types = control.types()
        if TEXT in types and MARK not in types:
            text, count = read(control, TEXT), count + 1
            words = [count, time.monotonic_ns()]
            own_text(control, text, (TEXT, MARK), lambda words=words: say_once(words))
        control.connection.dispatch()


def main():
    verb, *words = sys.argv[1:]
    if verb == 'pace':
        pace(int(words[0]), int(words[1]), words[2:] == ['asked'])
    elif verb == 'half-way':
        half_way(int(words[0]), words[1])
    elif verb == 'whole':
        whole(int(words[0]))
    elif verb == 'linger':
        linger(int(words[0]), *words[1:])
    elif verb == 'reown':
        reown()
    else:
        sys.exit('copier.py: pace, half-way, whole, linger or reown')


main()
