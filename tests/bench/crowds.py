# SPDX-License-Identifier: LGPL-2.1-or-later
"""Many at once, for the groups that measure what becomes of them and of others.

The readers and the sources of a crowd are threads of one program, so that what is measured is
the daemon and not a hundred starts.
"""
import contextlib
import os
import subprocess
import threading

from session import Broken
from timing import Result, cpu_clock

MIB = 1 << 20
READERS = 100
STALLED = 100
CAPTURES = 50


class Crowd:
    """A group's clips and the program that is many."""

    def __init__(self, bench):
        self.bench = bench
        self.large = self._store(bench.size)
        self.blob = bench.blob(bench.size)
        self.middle = self._store(MIB)
        self.word = self._store(100)

    def _store(self, size):
        path = self.bench.make_text(size)
        number = self.bench.store(path)
        path.unlink()
        return number

    def start(self, task, count, what, **options):
        words = [str(word) for word in self.bench.tool('crowd', task, count, what)]
        return subprocess.Popen(words, env=self.bench.env, stdout=subprocess.PIPE, **options)

    def run(self, task, count, what):
        """Seconds that it took, and the daemon's CPU."""
        before = cpu_clock(self.bench.daemon)
        with self.start(task, count, what) as process:
            words = process.stdout.read()
        if process.returncode:
            raise Broken(f'crowd {task} ended with status {process.returncode}')
        return Result(float(words), cpu_clock(self.bench.daemon) - before)

    def one_by_one(self, task, count, what):
        """What it would take one after the other, from one of them."""
        wall, cpu = self.run(task, 1, what)
        return Result(wall * count, cpu * count)

    @contextlib.contextmanager
    def stalled(self):
        with self.start('stalled', STALLED, self.large, stdin=subprocess.PIPE) as process:
            if process.stdout.readline() != b'ready\n':
                raise Broken('the stalled readers did not start')
            yield
            process.stdin.close()

    @contextlib.contextmanager
    def again_and_again(self, *tasks):
        """Keeps a load up until the end of the block."""
        done, running = threading.Event(), {}

        def keep(task):
            while not done.is_set():
                with self.start(*task) as process:
                    running[task] = process
        threads = [threading.Thread(target=keep, args=(task,)) for task in tasks]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            done.set()
            for thread in threads:
                while thread.is_alive():
                    for process in running.values():
                        process.kill()
                    thread.join(0.1)

    def wipe_captures(self):
        """What came after our own clips goes again."""
        lines = self.bench.session.cliphist('list').stdout.splitlines(keepends=True)
        captured = [line for line in lines if int(line.split(b'\t')[0]) > int(self.word)]
        self.bench.session.cliphist('delete', data=b''.join(captured))
        os.sync()
