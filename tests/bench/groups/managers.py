# SPDX-License-Identifier: LGPL-2.1-or-later
"""What watching the clipboard costs: the processor time of ours and of other managers for the same
small copies, in the same session, each while no other is at work; and how many it has kept of them."""
import pathlib
import shutil
import time

from copiers import pace
from rows import Figure
from session import descendants, until
from timing import cpu_clock

DISPLAYS = ['sway', 'x11']
BACKENDS = {'sway': 'wlr', 'x11': 'x11'}
COPIES = 1000
APART_US = 20_000


class Ours:
    title = 'cliphist'

    def __init__(self, bench):
        self.bench = bench

    def __enter__(self):
        self.bench.session.cliphist('wipe')
        return self

    def __exit__(self, *_):
        pass

    def pids(self):
        return [self.bench.daemon]

    def count(self):
        return len(self.bench.session.listed().splitlines())


class Other:
    """Another manager in the same session, while ours is paused."""

    def __init__(self, bench, command):
        self.bench = bench
        self.command = command

    def ask(self, *words):
        """What its command says, or nothing."""
        done = self.bench.session.run(*words, check=False)
        return done.stdout.decode() if done.returncode == 0 else ''

    def __enter__(self):
        self.bench.session.cliphist('pause')
        self.process = self.bench.session.start(
            *self.command, name=pathlib.Path(self.command[0]).name, env={'QT_QPA_PLATFORM': self.qt()})
        until(self.is_ready, f'{self.title} is ready')
        self.wipe()
        return self

    def qt(self):
        return 'xcb' if self.bench.session.display == 'x11' else 'wayland'

    def __exit__(self, *_):
        self.bench.session.stop(self.process)
        self.bench.session.cliphist('resume')

    def pids(self):
        return [self.process.pid, *descendants(self.process.pid)]


class CopyQ(Other):
    title = 'CopyQ'

    def is_ready(self):
        return self.ask('copyq', 'size')

    def wipe(self):
        self.ask('copyq', 'config', 'maxitems', '2000')

    def count(self):
        return int(self.ask('copyq', 'size') or 0)


class GPaste(Other):
    title = 'GPaste'

    def is_ready(self):
        return self.ask('gpaste-client', 'history-size')

    def wipe(self):
        self.ask('gpaste-client', 'empty')

    def count(self):
        return int(self.ask('gpaste-client', 'history-size') or 0)


def managers(bench):
    yield Ours(bench)
    if shutil.which('copyq'):
        yield CopyQ(bench, ['copyq'])
    for path in sorted(pathlib.Path('/usr/libexec').rglob('gpaste-daemon')):
        if bench.session.display == 'x11':  # it knows no other display
            yield GPaste(bench, [path])


def cost(bench, manager):
    """CPU time in milliseconds of a manager's processes for the copies, and how many it kept."""
    with manager:
        before = {pid: cpu_clock(pid) for pid in manager.pids()}
        first = manager.count()
        _, copier = pace(bench.session, COPIES, APART_US)
        time.sleep(1)  # what it puts off is its own, too
        spent = sum(cpu_clock(pid) - before.get(pid, 0) for pid in manager.pids())
        kept = manager.count() - first
        copier.end()
    return spent * 1000, kept


def rows(bench):
    display = bench.session.display
    bench.session.wait_backend(BACKENDS[display])
    found = {manager.title: [] for manager in managers(bench)}
    for _ in range(2):
        for manager in managers(bench):
            found[manager.title].append(cost(bench, manager))
    for title, results in found.items():
        spent = Figure(f'{display}: CPU of {title}', 'ms')
        spent.values = [cpu for cpu, _ in results]
        kept = Figure(f'{display}: of {COPIES:,} copies {title} keeps', 'copies')
        kept.values = [count for _, count in results]
        yield [spent, kept]
