# SPDX-License-Identifier: LGPL-2.1-or-later
"""How long a pipeline takes, and what it costs.

A pipeline has one command that is under test. All the others are started before the clock, and
wait for it; the clock stops when the last of them has ended. So what is timed is what somebody
waits for: start of the program, transfer, end.
"""
import contextlib
import mmap
import os
import shutil
import signal
import time
from typing import NamedTuple

from session import Broken

MADV_POPULATE_WRITE = 23
LARGEST_MADVISE = 1 << 30

# and its children would, too
PYTHON_IGNORES = [signal.SIGPIPE, signal.SIGXFSZ]


class Result(NamedTuple):
    wall: float
    cpu: float


def cpu_clock(pid):
    """Seconds of CPU that a running process has used: its own clock, not the ticks of stat."""
    return time.clock_gettime((~pid << 3) | 2)


def find_program(name, env):
    path = shutil.which(name, path=env.get('PATH'))
    if not path:
        raise Broken(f'{name} is not installed')
    return path


class Pipeline:
    """Commands, the one under test among them; stdin of the first and stdout of the last are
    open files, or nothing. CPU is counted for `counted` of them, from the one under test on."""

    def __init__(self, commands, env, tested=0, counted=1, stdin=None, stdout=None,
                 daemon=None):
        self.commands = [[str(word) for word in command] for command in commands]
        self.programs = [find_program(command[0], env) for command in self.commands]
        self.env = env
        self.tested = tested
        self.counted = slice(tested, tested + counted)
        self.stdin = stdin
        self.stdout = stdout
        self.daemon = daemon
        self.pids = {}

    def _start(self, number, ends):
        """By nothing but posix_spawn(3): what `subprocess` does around it would be timed as well, and
        is a tenth of what a command takes."""
        command, with_them = self.commands[number], []
        for target, end in enumerate(ends[number]):
            nothing = (os.POSIX_SPAWN_OPEN, target, os.devnull, os.O_RDWR, 0)
            with_them.append(nothing if end is None else (os.POSIX_SPAWN_DUP2, end, target))
        self.pids[number] = os.posix_spawn(self.programs[number], command, self.env,
                                           file_actions=with_them, setsigdef=PYTHON_IGNORES)
        for end in ends[number]:
            if end not in (self.stdin, self.stdout, None):
                os.close(end)

    def _ends(self):
        """(stdin, stdout) of each command"""
        pipes = [os.pipe() for _ in self.commands[1:]]
        sources = [self.stdin, *(reader for reader, _ in pipes)]
        sinks = [*(writer for _, writer in pipes), self.stdout]
        return list(zip(sources, sinks))

    def _await(self, number):
        _, status, usage = os.wait4(self.pids[number], 0)
        code = os.waitstatus_to_exitcode(status)
        if code:
            raise Broken(f'{self.commands[number][0]} ended with status {code}')
        return usage.ru_utime + usage.ru_stime

    def run(self):
        """Wall seconds, and CPU seconds of what is counted and the daemon."""
        ends = self._ends()
        for number in reversed(range(len(self.commands))):
            if number != self.tested:
                self._start(number, ends)
        before = cpu_clock(self.daemon) if self.daemon else 0
        start = time.monotonic()
        self._start(self.tested, ends)
        spent = [self._await(number) for number in range(len(self.commands))]
        wall = time.monotonic() - start
        after = cpu_clock(self.daemon) if self.daemon else 0
        return Result(wall, sum(spent[self.counted]) + after - before)


@contextlib.contextmanager
def opened(path, flags=os.O_RDONLY):
    fd = os.open(path, flags | os.O_CLOEXEC, 0o600)
    try:
        yield fd
    finally:
        os.close(fd)


def available_bytes():
    with open('/proc/meminfo', encoding='ascii') as file:
        for line in file:
            if line.startswith('MemAvailable:'):
                return int(line.split()[1]) * 1024
    return 0


def warm_memory(most):
    """Touches memory and gives it back: in a virtual machine the first touch of a page is slow,
    and whoever came first would pay for all who come after. A child does it, and ends."""
    wanted = min(most, available_bytes() // 2) // LARGEST_MADVISE * LARGEST_MADVISE
    child = os.fork() if wanted > 0 else -1
    if child == 0:
        try:
            memory = mmap.mmap(-1, wanted)
            for start in range(0, wanted, LARGEST_MADVISE):
                memory.madvise(MADV_POPULATE_WRITE, start, LARGEST_MADVISE)
        finally:
            os._exit(0)
    if child > 0:
        os.waitpid(child, 0)
