# SPDX-License-Identifier: LGPL-2.1-or-later
"""Pasting from the daemon in a headless sway, and from `wl-copy`.

`wl-paste` hands the daemon a pipe, waits until it has been filled and lets `cat` carry it on to
its stdout; so the bare loop is followed by a `cat`, too.
"""
import subprocess

from clients import TEXT
from rows import Row
from session import until

DISPLAY = 'sway'
SINKS = {'splicing sink': 'splice-sink', 'reading sink': 'read-sink'}


def own_by_daemon(bench, number):
    bench.session.cliphist('copy', number)
    until(lambda: TEXT in paste_types(bench), 'the daemon owns the clipboard')


def paste_types(bench):
    done = bench.session.run('wl-paste', '--list-types', check=False)
    return done.stdout.decode(errors='replace').split('\n')


def own_by_wl_copy(bench, path):
    """The daemon hears of it, and need not keep it again: it is paused."""
    with open(path, 'rb') as file:
        bench.session.run('wl-copy', '--type', TEXT, stdin=file, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL)


class Owners:
    """Who holds the clipboard; it changes hands outside of what is timed."""

    def __init__(self, bench, number, blob):
        self.bench = bench
        self.take = {'daemon': lambda: own_by_daemon(bench, number),
                     'wl-copy': lambda: own_by_wl_copy(bench, blob)}
        self.present = None

    def paste(self, owner, sink):
        if self.present != owner:
            self.take[owner]()
            self.present = owner
        return self.bench.serve(['wl-paste', '--no-newline', '--type', TEXT], sink,
                                daemon=owner == 'daemon')


def rows(bench):
    bench.session.wait_backend('wlr')
    path = bench.make_text(bench.size)
    number = bench.store(path)
    path.unlink()
    blob = bench.blob(bench.size)
    bench.session.cliphist('pause')
    owners = Owners(bench, number, blob)
    batch = []
    for name, sink in SINKS.items():
        end = bench.tool(sink)
        batch.append(Row(
            f'wl-paste from the daemon, {name}', bench.size,
            lambda end=end: owners.paste('daemon', end), {
                'a bare splice loop | cat': lambda end=end: bench.serve(
                    bench.tool('bare-splice', blob), ['cat'], end, counted=2),
                'cat | cat': lambda end=end: bench.serve(
                    ['cat', blob], ['cat'], end, counted=2),
                'wl-paste from wl-copy': lambda end=end: owners.paste('wl-copy', end),
            }, {'a bare splice loop | cat': 0.9}))
    yield batch
