# SPDX-License-Identifier: LGPL-2.1-or-later
"""What a history costs that grows: from 100 entries to a million (`--most-entries`).

Texts of 100 to 200 bytes, the same ones for everybody. Each size has a session of its own with
its daemon, so that all of them are run in turn; `--plot` draws the cost against the size.
"""
import contextlib
import os
import pathlib
import shutil
import subprocess
import time

import bolt
import figure
from bench import Bench
from groups.peers import Missing
from ringboard import Ringboard
from rows import Figure, Row, percentile
from session import BUS_NAME, Broken
from timing import Pipeline, Result, opened

DISPLAY = 'none'
ENOUGH_S = 2
SIZES = [100, 1_000, 10_000, 100_000, 1_000_000]

# at least how many times as fast as sentriz/cliphist
LIST_GOALS = {1_000: 3.5, 10_000: 9, 100_000: 12}
DECODE_GOAL = 0.87  # 1 / 1.15
STORE_GOAL = 0.56  # 1 / 1.8
SAME_STORE_GOAL = 0.91  # 1 / 1.1

# of the million, and of Ringboard's: which does not fold the case of words
BOTH_SEARCH = [
    ('a word', [], '0x7f3a'),
    ('two characters, nowhere', [], 'zq'),
    ('a regex with a literal', ['--regex'], r'https?://www\.conbar\S+'),
    ('a regex without one, nowhere', ['--regex'], '[xyz][0-9]q'),
    ('a class alone, nowhere', ['--regex'], '[w-z]{4}'),
    ('two classes, nowhere', ['--regex'], '[0-9]{5}[a-f]{3}'),
]

FIRST_LINE = ['sh', '-c', '"$0" "$@" 2>/dev/null | head -n 1']

CALLS = 1000
IDLE_S = 10

# until the first one is found, or nothing
SEARCHES = [
    ('a word, nowhere', [], 'zzqqzz'),
    ('a word', [], '0x7f3a'),
    ('two words that are common', [], 'hol deba'),
    ('a regex with a literal', ['--regex'], r'https?://www\.conbar\S+'),
    ('a regex without one, nowhere', ['--regex'], '[xyz][0-9]q'),
]

# milliseconds that a search for a word which is nowhere may take
SEARCH_MOST = {10_000: 6, 100_000: 100, 1_000_000: 600}


class Place:
    """A session whose history has so many entries, and the same ones for the peer."""

    def __init__(self, bench, count):
        self.bench, self.count = bench, count
        self.state = bench.folder / 'state' / 'cliphist'
        self.peer_db = bench.folder / 'sentriz.db'
        self.text = bench.folder / 'text'
        self.payload = 0

    def fill(self, peer):
        session = self.bench.session
        session.stop(session.daemon)
        shutil.rmtree(self.state, ignore_errors=True)
        if not self.restore():
            session.run(*self.bench.tool('fill-history', self.state, max(1, self.count)),
                        seconds=600)
        if peer:
            texts = self.texts()
            self.payload = sum(map(len, texts))
            bolt.write(self.peer_db, texts)
        self.start()

    def texts(self):
        return self.bench.session.run(
            *self.bench.tool('fill-history', '--texts', max(1, self.count)),
            seconds=60).stdout.split(b'\0')[:-1]

    def restore(self):
        """From an earlier run: a million entries take a minute."""
        kept = self.bench.args.histories
        if not kept:
            return False
        source = pathlib.Path(kept) / str(self.count)
        if not source.exists():
            self.bench.session.run(*self.bench.tool('fill-history', source, max(1, self.count)),
                                   seconds=600)
        shutil.copytree(source, self.state)
        os.sync()
        return True

    def start(self):
        self.bench.session.start_daemon()
        self.bench.daemon = self.bench.session.daemon.pid

    def run(self, *command, **options):
        return Pipeline([command], self.bench.env, **options).run()

    def ours(self, *words):
        return lambda: self.run(self.bench.cliphist, *words)

    def first_line(self):
        return self.run(*FIRST_LINE, self.bench.cliphist, 'list')

    def different(self):
        self.bench.copies += 1
        self.text.write_text(f'{self.bench.copies} {self.count} {time.monotonic_ns()} ' * 6)
        return self.text

    def store(self, *command):
        with opened(self.different()) as fd:
            return self.run(*command, stdin=fd)

    def store_ours(self):
        return self.store(self.bench.cliphist, 'store')

    def peer(self):
        program = dict(self.bench.args.peer).get('sentriz')
        return program and [program, '-db-path', self.peer_db, '-max-items', 2_000_000]

    def beside(self, name, *words):
        peer = self.peer()
        return {name: lambda: self.run(*peer, *words)} if peer else {}

    def calls(self):
        """Milliseconds of one Store after the other, from the call until it is durable; of a bare
        service's, in turn with it, and of the disk alone."""
        bench = self.bench
        command = bench.tool('store-run', CALLS, bench.folder / 'page')
        with bench.bare_server(bench.folder / 'bare'):
            done = bench.session.run(*command, seconds=120)
        lines = [line.split() for line in done.stdout.decode().splitlines()]
        return [[int(line[which]) / 1000 for line in lines] for which in range(3)]


def count_name(count):
    return f'{count:,}'


def peer_rows(place):
    if not place.peer():
        return []
    count, name = count_name(place.count), 'sentriz/cliphist'
    found = [Row(f'decode, of {count} entries', 0, place.ours('decode', '1'),
                 place.beside(name, 'decode', '1'), {name: DECODE_GOAL})]
    if place.count in LIST_GOALS:
        found.append(Row(f'list of {count} entries', 0, place.ours('list'),
                         place.beside(name, 'list'), {name: LIST_GOALS[place.count]}))
    return found


def first_page_rows(large, small):
    name = f'of {count_name(small.count)}'
    many = count_name(large.count)
    return [
        Row(f'list --limit 50, of {many}', 0, large.ours('list', '--limit', '50'),
            {name: small.ours('list', '--limit', '50')}, {name: 1}),
        Row(f'list | head -n 1, of {many}', 0, large.first_line, {name: small.first_line},
            {name: 1}),
    ]


def whole_list_row(place):
    plain = place.bench.tool('plain-rows', place.state / 'history.db')
    return Row(f'list of {count_name(place.count)} entries', 0, place.ours('list'),
               {'bare rows of SQLite': lambda: place.run(*plain)})


def list_figures(place):
    wall = Figure(f'list of {count_name(place.count)} entries', 's', most=0.5)
    memory = Figure(f'list of {count_name(place.count)} entries, memory', 'MiB', most=8)
    for _ in range(place.bench.runs):
        wall.values.append(place.ours('list')().wall)
        memory.values.append(most_memory_mib(place))
    return [wall, memory]


def most_memory_mib(place):
    """What a list needs at most, as it is seen whenever some of it comes."""
    most = 0
    with subprocess.Popen([place.bench.cliphist, 'list'], env=place.bench.env,
                          stdout=subprocess.PIPE) as process:
        while process.stdout.read1(1 << 20):
            with open(f'/proc/{process.pid}/status', encoding='ascii') as file:
                most = max([most, *(int(line.split()[1]) for line in file
                                    if line.startswith('VmHWM'))])
    return most / 1024


def large_row(place, like):
    """One entry of 4 GiB more: a file with a hole, which is read like any other."""
    size = min(4 << 30, place.bench.args.max_size)
    path = place.bench.folder / 'large'
    with open(path, 'wb') as file:
        file.truncate(size)
    place.bench.store(path)
    path.unlink()
    return Row(f'list of {count_name(place.count)}, one of {size >> 20:,} MiB', 0,
               place.ours('list'), {'without it': like.ours('list')}, {'without it': 1})


def store_rows(large, small):
    found = [Row(f'store, of {count_name(large.count)} entries', 0, large.store_ours,
                 {'of one entry': small.store_ours}, {'of one entry': SAME_STORE_GOAL})]
    for place in (large, small):
        peer = place.peer()
        if peer:
            found.append(Row(
                f'store, of {count_name(max(1, place.count))} entries', 0, place.store_ours,
                {'sentriz/cliphist': lambda place=place, peer=peer: place.store(*peer, 'store')},
                {'sentriz/cliphist': STORE_GOAL}))
    return found


def call_figures(large, small):
    """Beside them what the bus and the disk take, in turn with each call."""
    many = count_name(large.count)
    kinds = [f'Store over D-Bus, of {many}', 'Store of a bare service, which syncs a page',
             'write and fdatasync of 4 KiB']
    parts = {'p50': 0.5, 'p99': 0.99}
    found = [[Figure(f'{kind}, {name}', 'ms',
                     most=2 if kind == kinds[0] and name == 'p99' else None) for name in parts]
             for kind in kinds]
    for _ in range(large.bench.runs):
        for figures, idle, busy in zip(found, small.calls(), large.calls()):
            for shown, part in zip(figures, parts.values()):
                shown.idle.append(percentile(idle, part))
                shown.values.append(percentile(busy, part))
    return [shown for figures in found for shown in figures]


def search_figures(place):
    """In turn with a bare loop: the least that looking at all texts can take."""
    found = []
    for number, (name, options, needle) in enumerate(SEARCHES):
        command = place.bench.tool('search-run', place.state, *options, needle)
        line = place.bench.session.run(*command).stdout.decode().splitlines()[-1]
        count, first, _, whole = line.split()[-4:]
        is_first = number > 0 and int(count) > 0  # a small history may not have it
        shown = Figure(f'search of {count_name(place.count)} for {name}: '
                       f'{"first" if is_first else "to the end"}', 'ms',
                       most=SEARCH_MOST.get(place.count) if number == 0 else None)
        shown.values.append(float(first if is_first else whole))
        if not options:
            bare = place.bench.tool('bare-search', place.state / 'history.db', needle)
            shown.idle.append(float(place.bench.session.run(*bare).stdout))
        found.append(shown)
    return found


def open_ringboard(place):
    program = dict(place.bench.args.peer).get('ringboard')
    if not program:
        return None
    kept = place.bench.args.histories
    data = pathlib.Path(kept) / f'ringboard-{place.count}' if kept else (
        place.bench.folder / 'ringboard')
    peer = Ringboard(place.bench, program, data)
    peer.fill(place.texts())
    return peer


def search_rows(place):
    """Until the first one is printed, and until all are."""
    peer = open_ringboard(place)
    if not peer:
        return [Missing('Ringboard', 'no --peer ringboard=PROGRAM')]
    found = []
    for name, options, needle in BOTH_SEARCH:
        ours = [place.bench.cliphist, 'search', *(options or ['--']), needle]
        other = peer.search(options, needle)
        for moment, head in (('to the end', []), ('first', FIRST_LINE)):
            if not head or 'nowhere' not in name:
                found.append(Row(
                    f'search for {name}: {moment}', 0,
                    lambda command=(*head, *ours): place.run(*command),
                    {'Ringboard': lambda command=(*head, *other): peer.run(*command)},
                    {'Ringboard': 1}))
    return found


def owned_ms(place):
    """From the start of the daemon until it has its name."""
    session = place.bench.session
    session.stop(session.daemon)
    place.bench.bus()
    start = time.monotonic()
    process = session.start(session.programs.cliphistd, name='cliphistd')
    while not has_owner(place.bench.bus()):
        if process.poll() is not None or time.monotonic() - start > 20:
            raise Broken('the daemon does not start')
    wall = (time.monotonic() - start) * 1000
    session.daemon = process
    place.bench.daemon = process.pid
    return wall


def has_owner(bus):
    from gi.repository import Gio, GLib
    return bus.call_sync('org.freedesktop.DBus', '/', 'org.freedesktop.DBus', 'NameHasOwner',
                         GLib.Variant('(s)', (BUS_NAME,)), None, Gio.DBusCallFlags.NONE, -1,
                         None)[0]


def sleeps(pid):
    """How often each of its threads has gone to sleep so far."""
    found = {}
    for task in os.listdir(f'/proc/{pid}/task'):
        with open(f'/proc/{pid}/task/{task}/status', encoding='ascii') as file:
            found[task] = sum(int(line.split()[1]) for line in file
                              if line.startswith('voluntary_ctxt_switches'))
    return found


def wake_ups(before, after):
    """A thread that has ended meanwhile was awake for it."""
    return (sum(count - before.get(task, 0) for task, count in after.items()) +
            len(before.keys() - after.keys()))


def daemon_figures(large, small):
    many = count_name(large.count)
    start = Figure(f'the daemon has its name, of {many}', 'ms')
    memory = Figure(f'private dirty memory of the daemon, of {many}', 'KiB')
    idle = Figure(f'wake-ups in {IDLE_S} s, of {many}', '', most=0)
    for _ in range(large.bench.runs):
        for place, into in ((small, lambda figure: figure.idle),
                            (large, lambda figure: figure.values)):
            into(start).append(owned_ms(place))
            place.bench.session.wait_backend('x11')
            time.sleep(0.5)  # what is left of its start
            into(memory).append(place.bench.memory_kib())
    start.most = min(start.idle) + 20
    memory.most = min(memory.idle) + 1536
    time.sleep(16)  # threads of a pool that have nothing to do end by and by
    before = [sleeps(place.bench.daemon) for place in (small, large)]
    time.sleep(IDLE_S)
    after = [sleeps(place.bench.daemon) for place in (small, large)]
    idle.idle.append(wake_ups(before[0], after[0]))
    idle.values.append(wake_ups(before[1], after[1]))
    return [start, memory, idle]


def disk_figures(place):
    total = sum(path.stat().st_size for path in place.state.rglob('*') if path.is_file())
    shown = Figure(f'{count_name(place.count)} entries on the disk', 'x', most=1.5)
    shown.values.append(total / place.payload)
    return [shown]


CURVES = {
    'list --limit 50': lambda place: place.ours('list', '--limit', '50'),
    'decode': lambda place: place.ours('decode', '1'),
    'search, the oldest found': lambda place: place.ours('search', '--limit', '1', place.oldest),
    'store': lambda place: place.store_ours,
}


def curve_rows(places):
    """Against the smallest history, so that the ratio says what a larger one costs."""
    smallest = places[0]
    for place in places:
        lines = place.bench.session.cliphist('decode', '1').stdout.decode().split()
        place.oldest = max(lines, key=len)
    return [Row(f'{name}, of {count_name(place.count)} entries', 0, way(place),
                {f'of {count_name(smallest.count)}': way(smallest)})
            for name, way in CURVES.items() for place in places[1:]]


def open_place(stack, args, count, display='none'):
    place = Place(stack.enter_context(Bench(display, args)), count)
    place.fill(True)
    return place


def rows(bench):
    sizes = [size for size in SIZES if size <= bench.args.most_entries]
    with contextlib.ExitStack() as stack:
        places = [open_place(stack, bench.args, size) for size in sizes[:-1]]
        # without a display the daemon looks for one every few seconds
        places.append(open_place(stack, bench.args, sizes[-1], 'x11'))
        empty = open_place(stack, bench.args, 0, 'x11')
        small, large = places[0], places[-1]
        bench.place = Place(bench, places[min(1, len(places) - 1)].count)
        bench.place.fill(False)
        yield disk_figures(large)
        if not large.peer():
            yield [Missing('sentriz/cliphist', 'no --peer sentriz=PROGRAM')]
        for place in places:
            yield peer_rows(place)
        yield first_page_rows(large, small)
        yield [whole_list_row(large)]
        yield list_figures(large)
        yield [large_row(bench.place, places[min(1, len(places) - 1)])]
        yield store_rows(large, empty)
        yield call_figures(large, empty)
        for place in places:
            if place.count in SEARCH_MOST:
                yield search_figures(place)
        yield search_rows(large)
        yield daemon_figures(large, empty)
        yield curve_rows(places)


def lines_of(found):
    """name -> points (entries, milliseconds)"""
    lines = {name: {} for name in CURVES}
    for row in found:
        name, _, count = row.get('task', '').partition(', of ')
        if name not in lines or row.get('against') != f'of {count_name(SIZES[0])}':
            continue
        entries = int(count.split()[0].replace(',', ''))
        lines[name][entries] = row['cliphist']['median_s'] * 1000
        lines[name][SIZES[0]] = row['other']['median_s'] * 1000
    return {name: sorted(points.items()) for name, points in lines.items() if points}


def mark_name(value):
    return f'{value / 1_000_000:g} M' if value >= 1_000_000 else f'{value:,.0f}'


def draw(found, path):
    scale = figure.Scale('Cost against the size of the history', 'entries in the history',
                         mark_name, lambda value: f'{value:g} ms', 10, 2)
    with open(path, 'w', encoding='utf-8') as file:
        file.write(figure.draw([('time of a command', lines_of(found))], scale))
