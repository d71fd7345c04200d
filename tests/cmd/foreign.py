# SPDX-License-Identifier: LGPL-2.1-or-later
"""The programs that read other managers' histories: whole ones, cut anywhere, and with other bytes
than they were written with.

    foreign.py BUILD SOURCE
"""
import contextlib
import json
import os
import pathlib
import random
import resource
import signal
import sqlite3
import subprocess
import sys
import tempfile
import zlib

BUILD = sys.argv.pop(1)
SOURCE = pathlib.Path(sys.argv.pop(1))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'session'))
sys.path.insert(0, str(SOURCE / 'client' / 'import'))
sys.dont_write_bytecode = True

import clipse  # noqa: E402
import copyq  # noqa: E402
import gpaste  # noqa: E402
import history  # noqa: E402
import klipper  # noqa: E402
import qtfile  # noqa: E402
import ringboard  # noqa: E402
from session import Programs, Session  # noqa: E402
from tap import equal, fact, main, true  # noqa: E402

PROGRAMS = Programs(BUILD)
READER = [sys.executable, '-ISB', str(SOURCE / 'client' / 'import')]
WORDS = [b'one', b'two', b'three']
NEWEST_FIRST = [[('text/plain', word)] for word in reversed(WORDS)]
SEED = 19
N_RANDOM = 300

GPASTE = (b'<?xml version="1.0"?>\n<history version="2.0">\n'
          b'<item kind="Text"><value><![CDATA[three]]></value></item>\n'
          b'<item kind="Text"><value><![CDATA[two]]></value></item>\n'
          b'<item kind="Text"><value>one</value></item>\n</history>')
CLIPSE = (b'{\n  "clipboardHistory": [\n    { "value": "three", "recorded": '
          b'"2024-05-06 07:08:09.5", "filePath": "null", "pinned": true },\n'
          b'    { "value": "two", "recorded": "", "filePath": "null" },\n'
          b'    { "value": "one", "filePath": "null" }\n  ]\n}')
RINGBOARD = (b'[{"id":5,"kind":"Human","data":"one"},{"id":4294967296,"kind":"Bytes","data":"dHdv",'
             b'"mime_type":"image/x-two"},{"id":4294967297,"kind":"Human","data":"three"}]')

# name of the file, format, bytes, and what makes the bytes right again after a change
CASES = [
    ('history.xml', gpaste.FORMATS[0], GPASTE, bytes),
    ('clipboard_history.json', clipse.FORMATS[0], CLIPSE, bytes),
    ('dump.json', ringboard.FORMATS[0], RINGBOARD, bytes),
    ('history2.lst', klipper.FORMATS[1], qtfile.make('klipper', NEWEST_FIRST), qtfile.signed),
    ('a.cpq', copyq.FORMATS[0], qtfile.make('copyq-4', NEWEST_FIRST), bytes),
    ('b.cpq', copyq.FORMATS[0], qtfile.make('copyq-3', NEWEST_FIRST), bytes),
    ('copyq_tab_Zg==.dat', copyq.FORMATS[1], qtfile.make('copyq-tab', NEWEST_FIRST), bytes),
    ('copyq_tab_Zw==.dat', copyq.FORMATS[1], qtfile.make('copyq-tab', NEWEST_FIRST, True), bytes),
]


@contextlib.contextmanager
def written(name, data):
    with tempfile.TemporaryDirectory(prefix='foreign-', dir='/dev/shm') as folder:
        path = pathlib.Path(folder, name)
        path.write_bytes(data)
        yield path


def read_all(form, path):
    """(the texts, what is wrong or None). Anything but a Fault is a fault of the reader."""
    texts, file = [], history.File(str(path))
    try:
        for entry in form.entries(file):
            texts += [content.data for content in entry.contents[:1] if content.data is not None]
            entry.close()
    except history.Fault as fault:
        return texts, str(fault)
    finally:
        file.close()
    return texts, None


def run(path, *words, **options):
    """(archive, the lines on standard error, status)"""
    done = subprocess.run([*READER, str(path), *words], capture_output=True, check=False, **options)
    return done.stdout, done.stderr.decode().splitlines(), done.returncode


@fact('/foreign/a-whole-one-is-read-oldest-first')
def whole():
    for name, form, data, _ in CASES:
        with written(name, data) as path:
            equal(read_all(form, path), (WORDS, None), name)
            equal([line for line in run(path)[1] if line.startswith('is ')],
                  [f'is {form.name} {form.title}'], f'{name}, what it is taken for')


@fact('/foreign/by-its-folder')
def by_folder():
    for name, form, data, _ in CASES:
        with written(name, data) as path:
            said = run(path.parent)[1:]
            equal(said, ([f'is {form.name} {form.title}', 'left-out 0', 'incomplete 0'], 0)
                  if form.pattern else ([], 3), name)


@fact('/foreign/cut-anywhere-what-was-whole-is-read')
def cut():
    for name, form, data, _ in CASES:
        most = 0
        with written(name, b'') as path:
            for n in range(len(data)):
                path.write_bytes(data[:n])
                texts, fault = read_all(form, path)
                true(fault and 'at byte ' in fault, f'{name}, {n} bytes: {fault}')
                is_oldest_first = form is ringboard.FORMATS[0]
                equal(texts, WORDS[:len(texts)] if is_oldest_first
                      else WORDS[len(WORDS) - len(texts):], f'{name}, {n} bytes')
                true(len(texts) >= most, f'{name}, {n} bytes: fewer than before')
                most = len(texts)
        true(most > 0, name)


@fact('/foreign/changed-anywhere-it-ends')
def changed():
    for name, form, data, repair in CASES:
        with written(name, b'') as path:
            for i in range(len(data)):
                path.write_bytes(repair(data[:i] + bytes([data[i] ^ 0x81]) + data[i + 1:]))
                read_all(form, path)


@fact('/foreign/changed-at-random-it-ends')
def at_random():
    chance = random.Random(SEED)
    for name, form, data, repair in CASES:
        with written(name, b'') as path:
            for _ in range(N_RANDOM):
                bad = bytearray(data)
                for _ in range(chance.randint(1, 6)):
                    at = chance.randrange(len(bad))
                    length = chance.choice([0, 1, 1, 4])
                    bad[at:at + length] = chance.randbytes(chance.randint(0, 5))
                path.write_bytes(repair(bytes(bad)))
                read_all(form, path)


def make_klipper(path):
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.executescript(
            'PRAGMA page_size = 512;'
            'CREATE TABLE main (uuid char(40) primary key, added_time real, last_used_time real,'
            ' mimetypes text, text ntext, starred boolean);'
            'CREATE TABLE aux (uuid char(40), mimetype text, data_uuid char(40));')
        for n, word in enumerate(WORDS):
            database.execute('INSERT INTO main VALUES (?, ?, NULL, "", ?, 0)',
                             (f'{n:040}', n + 1.5, word.decode()))
            database.execute('INSERT INTO aux VALUES (?, "text/plain", ?)',
                             (f'{n:040}', f'{n:040}'))
        database.commit()


@fact('/foreign/a-database-changed-at-random-it-ends')
def database_at_random():
    chance = random.Random(SEED)
    with written('history3.sqlite', b'') as path:
        path.unlink()
        make_klipper(path)
        data = path.read_bytes()
        equal(read_all(klipper.FORMATS[0], path), (WORDS, None), 'unchanged')
        for _ in range(N_RANDOM):
            bad = bytearray(data)
            for _ in range(chance.randint(1, 6)):
                bad[chance.randrange(len(bad))] = chance.randrange(256)
            path.write_bytes(bad)
            read_all(klipper.FORMATS[0], path)


@fact('/foreign/what-is-wrong-with-an-entry-costs-that-one')
def wrong_one():
    """The second of three; most of them have half a pair of surrogates."""
    for (name, form, data, _), good, bad in (
            (CASES[0], b'<![CDATA[two]]>', b'&#xD800;'),
            (CASES[1], b'"two"', b'"\\ud800"'),
            (CASES[2], b'"Bytes","data":"dHdv"', b'"Human","data":"\\ud800"'),
            (CASES[7], zlib.compress(b'two'), b'bad'.ljust(len(zlib.compress(b'two'))))):
        true(good in data, name)
        with written(name, data.replace(good, bad)) as path:
            texts, fault = read_all(form, path)
            equal(texts, [WORDS[0], WORDS[2]], name)
            true('at byte ' in str(fault), f'{name}: {fault}')
            archive, _, status = run(path)
            equal((b'three' in archive, status), (True, 1), f'{name}, its archive')
    with written('a.xml', GPASTE[:-1]) as path:  # of two files the newer one is whole
        os.utime(path, (0, 0))
        path.with_name('b.xml').write_bytes(GPASTE.replace(b'one', b'four'))
        archive, said, _ = run(path.parent)
        equal((b'four' in archive, said[-1]), (True, f"fault GPaste, 'a.xml', at byte "
              f'{len(GPASTE) - 1}: it breaks off'), 'of a folder')


@fact('/foreign/texts-come-byte-for-byte')
def byte_for_byte():
    text = 'tab\t cr\r\n bell\a esc\x1b[31m del\x7f &lt; ünï 😀'
    item = text.replace('&', '&amp;').replace('>', '&gt;')
    data = '<history version="2.0"><item kind="Text"><value><![CDATA[' + item + \
        ']]></value></item></history>'
    with written('history.xml', data.encode()) as path:
        equal(read_all(gpaste.FORMATS[0], path), ([text.encode()], None), 'GPaste')
    data = json.dumps({'clipboardHistory': [{'value': text, 'filePath': 'null'}]})
    with written('clipboard_history.json', data.encode()) as path:
        equal(read_all(clipse.FORMATS[0], path), ([text.encode()], None), 'clipse')


def steps_of_klipper(path, n, types):
    """How many steps SQLite takes, in thousands, for so many rows that no index leads to."""
    steps, is_sound = [], klipper.is_sound
    path.unlink()
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.execute('CREATE TABLE main (uuid, added_time, last_used_time, text, starred)')
        database.execute('CREATE TABLE aux (uuid, mimetype, data_uuid)')
        uuids = [f'{i:040}' for i in range(n)]
        database.executemany('INSERT INTO main VALUES (?, 1, 1, "text", 0)', zip(uuids))
        database.executemany('INSERT INTO aux VALUES (?, "text/plain", ?)',
                             zip(uuids if types else ['none'] * n, uuids))
        database.commit()

    def count(database):
        database.set_progress_handler(lambda: steps.append(1), 1000)
        return is_sound(database)
    klipper.is_sound = count
    try:
        equal(read_all(klipper.FORMATS[0], path), ([b'text'] * n, None), 'texts')
    finally:
        klipper.is_sound = is_sound
    return len(steps)


@fact('/foreign/a-database-without-an-index-is-read-once')
def without_index():
    with written('history3.sqlite', b'') as path:
        for types in (True, False):
            once, twice = (steps_of_klipper(path, n, types) for n in (1000, 2000))
            true(twice < 3 * once, f'{once} steps, {twice} for twice as many rows')


@fact('/foreign/a-table-of-a-module-is-none')
def table_of_a_module():
    """What it reads may be a view without an end."""
    with written('history3.sqlite', b'') as path:
        path.unlink()
        with contextlib.closing(sqlite3.connect(path)) as database:
            database.execute('CREATE TABLE aux (uuid, mimetype, data_uuid)')
            database.execute('CREATE VIRTUAL TABLE main USING rtree(uuid, added_time, starred)')
        equal(klipper.is_database(history.File(str(path))), False, 'whether it is one')


def share_a_page(path, table):
    """All that the first page of a table leads to is one page, as often as there were some."""
    with contextlib.closing(sqlite3.connect(path)) as database:
        root, = database.execute('SELECT rootpage FROM sqlite_master WHERE name = ?', (table,)).fetchone()
        size, = database.execute('PRAGMA page_size').fetchone()
    data = bytearray(path.read_bytes())
    begin = (root - 1) * size
    n_cells = int.from_bytes(data[begin + 3:begin + 5], 'big')
    equal((data[begin], n_cells > 1), (5, True), 'it leads to some')
    for cell in range(n_cells):
        at = begin + int.from_bytes(data[begin + 12 + 2 * cell:begin + 14 + 2 * cell], 'big')
        data[at:at + 4] = data[begin + 8:begin + 12]
    path.write_bytes(data)


@fact('/foreign/a-page-in-two-places-is-damage')
def page_in_two_places():
    """Of three such pages on top of each other a small file has rows without end."""
    with written('history3.sqlite', b'') as path:
        path.unlink()
        make_klipper(path)
        with contextlib.closing(sqlite3.connect(path)) as database:
            database.executemany('INSERT INTO aux VALUES (?, "text/plain", ?)',
                                 [(f'{n:040}', f'{n:040}') for n in range(1000)])
            database.commit()
        share_a_page(path, 'aux')
        equal(read_all(klipper.FORMATS[0], path),
              ([], 'after 0 rows: database disk image is malformed'), 'what is read')


def damage_index(path):
    """Of main, which is not used."""
    with contextlib.closing(sqlite3.connect(path)) as database:
        root, = database.execute("SELECT rootpage FROM sqlite_master WHERE type = 'index'").fetchone()
    data = bytearray(path.read_bytes())
    data[(root - 1) * 512:root * 512] = b'\xff' * 512
    path.write_bytes(data)


@fact('/foreign/damage-elsewhere-costs-no-entry')
def damage_elsewhere():
    with written('history3.sqlite', b'') as path:
        path.unlink()
        make_klipper(path)
        damage_index(path)
        equal(read_all(klipper.FORMATS[0], path), (WORDS, None), 'what is read')


@fact('/foreign/a-schema-without-an-end-is-none')
def endless_schema():
    with written('history3.sqlite', b'') as path:
        path.unlink()
        make_klipper(path)
        with contextlib.closing(sqlite3.connect(path)) as database:
            database.execute('PRAGMA writable_schema = ON')
            database.executemany(
                "INSERT INTO sqlite_master VALUES ('view', ?, ?, 0, 'CREATE VIEW ' || ? || ' AS SELECT 1')",
                [(f'v{n}',) * 3 for n in range(30000)])
            database.commit()
        equal(klipper.is_database(history.File(str(path))), False, 'whether it is one')


@fact('/foreign/of-a-database-in-use-both-tables-are-of-one-moment')
def one_moment():
    """An entry without its types might be a secret."""
    read_types = klipper.read_types

    def read_and_wait(database):
        types = read_types(database)
        writer.execute('INSERT INTO main VALUES (?, 9, NULL, "", "later", 0)', (f'{9:040}',))
        writer.commit()
        return types
    with written('history3.sqlite', b'') as path:
        path.unlink()
        make_klipper(path)
        with contextlib.closing(sqlite3.connect(path)) as writer:
            writer.execute('PRAGMA journal_mode = WAL')
            writer.execute('UPDATE main SET starred = 1')
            writer.commit()
            klipper.read_types = read_and_wait
            try:
                equal(read_all(klipper.FORMATS[0], path), (WORDS, None), 'texts')
            finally:
                klipper.read_types = read_types


@fact('/foreign/a-change-that-was-broken-off-is-named')
def broken_off():
    with written('history3.sqlite', b'') as path:
        path.unlink()
        make_klipper(path)
        data = path.read_bytes()
        path.write_bytes(data[:1024] + bytes(len(data) - 1024))
        equal(run(path)[1][-1], 'fault Klipper, after 0 rows: database disk image is malformed', 'without it')
        path.with_name('history3.sqlite-journal').write_bytes(klipper.JOURNAL_MAGIC + bytes(504))
        equal(run(path)[1][-1], 'fault Klipper, after 0 rows: its last change was broken off '
              '(history3.sqlite-journal): let Klipper open it once', 'what is said')


@fact('/foreign/of-an-entry-that-comes-twice-one-is-read')
def comes_twice():
    with written('history3.sqlite', b'') as path:
        path.unlink()
        with contextlib.closing(sqlite3.connect(path)) as database:
            database.execute('CREATE TABLE main (uuid, added_time, last_used_time, text, starred)')
            database.execute('CREATE TABLE aux (uuid, mimetype, data_uuid)')
            for text in ('one', 'two'):
                database.execute('INSERT INTO main VALUES (?, 1, 1, ?, 0)', ('0' * 40, text))
            database.commit()
        equal(run(path)[1][1:], ['left-out 0', 'incomplete 1'], 'what is said')


@fact('/foreign/what-may-hide-a-mark-of-a-secret-is-left-out')
def hidden_marks():
    many = [(f'text/x-{n}', b'x') for n in range(300)] + [('x-kde-passwordManagerHint', b'secret')]
    for item in (many, [('text/plain', b'hush'), ('x' * 300 + 'passwordManagerHint', b'secret')],
                 [('text/plain', b'hush'), ('x-kde-passwordManagerHint\t', b'secret')]):
        with written('copyq_tab_Zg==.dat', qtfile.tab([item])) as path:
            archive, said, status = run(path)
            equal((said[1], status), ('left-out 1', 0), 'what is said')
            true(b'hush' not in archive, 'the archive has nothing of it')
    for kind in ('Password', 'password'):
        data = f'<history version="2.0"><item kind="{kind}"><value>hush</value></item></history>'
        with written('history.xml', data.encode()) as path:
            archive, said, status = run(path)
            equal((said[1], status), ('left-out 1', 0), f'what is said of a {kind}')
            true(b'hush' not in archive, f'the archive has nothing of a {kind}')


def measured(path, *words):
    """(status, KiB of memory at the most, the lines on standard error) of a reader; a child counts
    what we have in memory as its own"""
    with subprocess.Popen([*READER, str(path), *words], stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE) as child:
        said = child.stderr.read().decode().splitlines()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    return child.returncode, usage.ru_maxrss, said


@fact('/foreign/a-large-history-takes-little-memory')
def memory():
    """Of 100 MB, in items of 10 KB."""
    item = json.dumps({'value': 'x' * 10000, 'recorded': '', 'filePath': 'null'})
    with written('clipboard_history.json', b'') as path:
        with open(path, 'w', encoding='utf-8') as file:
            file.write('{"clipboardHistory":[')
            for _ in range(9999):  # a child counts what we have in memory as its own
                file.write(item + ',')
            file.write(item + ']}')
        status, kib, said = measured(path)
        equal(status, 0, f'status, with {said}')
        true(kib < 64 * 1024, f'{kib} KiB')


@fact('/foreign/a-bomb-of-zlib-goes-no-further-than-it-says')
def bomb():
    packer = zlib.compressobj()  # in pieces: here nothing takes the memory that is measured
    packed = qtfile.u32(5) + \
        b''.join(packer.compress(bytes(1_000_000)) for _ in range(200)) + packer.flush()
    item = qtfile.u32(0xFFFFFFFE) + qtfile.u32(1) + qtfile.string('4') + b'\1' + \
        qtfile.sized(packed)
    with written('copyq_tab_Zg==.dat', qtfile.u32(1) + item) as path:
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        texts, fault = read_all(copyq.FORMATS[1], path)
        after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    equal((texts, 'what is compressed cannot be read' in fault), ([], True), fault)
    true(after - before < 50 * 1024, f'{after - before} KiB more')


@contextlib.contextmanager
def bounded(**bounds):
    """Limits of history.py that a small file reaches."""
    before = {name: getattr(history, name) for name in bounds}
    try:
        for name, bound in bounds.items():
            setattr(history, name, bound)
        yield
    finally:
        for name, bound in before.items():
            setattr(history, name, bound)


@fact('/foreign/the-contents-of-an-entry-have-one-limit')
def one_limit():
    """As values that are small where they are compressed, and as types of one text."""
    many = [(f'text/x-{n}', bytes(1000)) for n in range(20)]
    with bounded(MOST_BYTES=10_000), \
            written('copyq_tab_Zg==.dat', qtfile.tab([many], True)) as path:
        equal(read_all(copyq.FORMATS[1], path), ([], 'an entry is too large'), 'CopyQ')
    with bounded(MOST_BYTES=30), written('history3.sqlite', b'') as path:
        path.unlink()
        make_klipper(path)
        with contextlib.closing(sqlite3.connect(path)) as database:
            database.executemany('INSERT INTO aux VALUES (?, ?, ?)',
                                 [(f'{2:040}', f'text/plain;x={n}', f'{n:040}') for n in range(9)])
            database.commit()
        equal(read_all(klipper.FORMATS[0], path), (WORDS[:2], 'an entry is too large'), 'Klipper')


@fact('/foreign/parts-without-number-take-little-memory')
def parts_without_number():
    """Values of an item, its tags, and names of tabs that are not there."""
    many = [(f'text/x-{n}', b'x') for n in range(300)]
    with written('copyq_tab_Zg==.dat', qtfile.tab([many])) as path:
        entry, = copyq.FORMATS[1].entries(history.File(str(path)))
        equal((len(entry.contents), entry.secret), (history.MOST_CONTENTS, True), 'of 300')
    tag = qtfile.string('3tags') + b'\1' + \
        qtfile.sized(qtfile.u32(65536) + zlib.compress(b',' * 65536))
    tags = qtfile.u32(1) + qtfile.u32(0xFFFFFFFE) + qtfile.u32(300) + tag * 300
    names = qtfile.value('tabs', 11, qtfile.u32(1_000_000) + bytes(4_000_000))
    export = qtfile.sized(b'CopyQ v4') + qtfile.u32(1) + names
    for name, data in (('copyq_tab_Zg==.dat', tags), ('a.cpq', export)):
        with written(name, data) as path:
            kib = measured(path)[1]
            true(kib < 64 * 1024, f'{name}: {kib} KiB')


@fact('/foreign/values-without-number-are-read-once-and-up-to-the-last-that-counts')
def values_without_number():
    """Each of eleven bytes, and behind them one that cannot be read."""
    value = qtfile.string('4') + b'\0' + qtfile.sized(b'')
    bad = qtfile.string('4') + b'\1' + qtfile.sized(b'bad')
    data = qtfile.u32(1) + qtfile.u32(0xFFFFFFFE) + qtfile.u32(301) + value * 300 + bad
    reads = []
    with written('copyq_tab_Zg==.dat', data) as path:
        file = history.File(str(path))
        read = file.read
        file.read = lambda at, length: reads.append(length) or read(at, length)
        entry, = copyq.FORMATS[1].entries(file)
        file.close()
    equal((len(entry.contents), entry.secret), (history.MOST_CONTENTS, True), 'of 300')
    true(sum(reads) < 4 * len(data), f'{sum(reads)} bytes are read of {len(data)}')


@fact('/foreign/of-an-object-values-are-few')
def values_of_an_object():
    """Each two bytes of it would take hundreds; what stands in a text is none."""
    for form, begin in ((clipse.FORMATS[0], '{"clipboardHistory":[{"filePath":"null","value":"one",'),
                        (ringboard.FORMATS[0], '[{"kind":"Human","data":"one",')):
        for value, fault in (('[' + '[],' * 5000 + '0]', 'it is malformed'),
                             ('[' + '0,' * 9000 + '0]', 'it is malformed'),
                             ('[' + '0,' * 8000 + '0]', None), ('"' + '[],' * 5000 + '"', None)):
            end = '}]}' if form is clipse.FORMATS[0] else '}]'
            with written('history.json', f'{begin}"more":{value}{end}'.encode()) as path:
                texts, found = read_all(form, path)
                equal((texts, found and found.split(': ')[1]), ([] if fault else [b'one'], fault),
                      f'{form.title}, {len(value)} bytes')


@fact('/foreign/of-very-many-entries-the-newest-come')
def very_many():
    for name, form, data, _ in CASES:
        if form is not ringboard.FORMATS[0]:  # of which none is in memory when it has been read
            with bounded(MOST_ENTRIES=2), written(name, data) as path:
                equal(read_all(form, path), (WORDS[1:], 'it has more than 2 entries'), name)
    with bounded(MOST_ENTRIES=2), written('history3.sqlite', b'') as path:
        path.unlink()
        make_klipper(path)
        equal(read_all(klipper.FORMATS[0], path), ([], 'it has more than 2 entries'), 'Klipper')


@fact('/foreign/memory-without-a-limit-of-its-own-has-one')
def all_memory():
    """Of 20 MB of attributes Python makes gigabytes."""
    item = '<item kind="Text"><value>' + 'x' * 1_000_000 + '</value></item>'
    with written('history.xml', f'<history version="2.0">{item}</history>'.encode()) as path, \
            subprocess.Popen([*READER, str(path)], stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL) as child:
        child.stdout.read(1)
        limit = resource.prlimit(child.pid, resource.RLIMIT_AS)
        child.stdout.read()
    equal(limit, 2 * (8 * history.MOST_BYTES,), 'limit')
    newest = '<item kind="Text"><value>newest</value></item>'
    item = '<item kind="Text"' + ' a=""' * 1_000_000 + '><value>x</value></item>'
    with written('history.xml', f'<history version="2.0">{newest}{item}</history>'.encode()) as path:
        room = 200_000_000
        written_tar, *said = run(
            path, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (room, room)))
        true(b'newest' in written_tar, 'what came before it is there')
        equal(tuple(said), (['is gpaste GPaste', 'left-out 0', 'incomplete 0',
                      'fault GPaste, an entry takes too much memory'], 1), 'what is said')


@fact('/foreign/deep-nesting-is-no-recursion')
def deep():
    for text in ('[' * 100000, '{"a":' * 100000, '{"kind":"Human","data":' + '[' * 100000):
        with written('dump.json', text.encode()) as path:
            said, status = run(path, 'ringboard')[1:]
            true(status == 1 and said[-1].startswith('fault Ringboard, at byte '), said)


@fact('/foreign/nobody-reads-it-and-it-ends')
def nobody_reads():
    with written('history.xml', GPASTE) as path:
        read, write = os.pipe()
        os.close(read)
        done = subprocess.run([*READER, str(path)], stdout=write, stderr=subprocess.PIPE,
                              check=False)
        os.close(write)
        equal((done.returncode, done.stderr), (1, b'is gpaste GPaste\n'), 'status and words')


@fact('/foreign/without-python-one-line-says-so')
def without_python():
    with Session('none', bus=False, programs=PROGRAMS) as session, \
            written('history.xml', GPASTE) as path:
        session.env['PATH'] = str(session.folder)
        done = session.run(PROGRAMS.cliphist, 'import', path, check=False)
        equal(done.returncode, 1, 'status')
        lines = done.stderr.decode().splitlines()
        true(len(lines) == 1 and 'python3' in lines[0], lines)


def with_reader(session, script):
    """A folder of programs, of which the reader of histories is this script."""
    libexec = session.folder / 'libexec'
    (libexec / 'cliphist-import').mkdir(parents=True)
    (libexec / 'cliphist-import' / '__main__.py').write_text(script)
    session.env['CLIPHIST_LIBEXEC'] = ':'.join(map(str, [libexec, *PROGRAMS.libexec]))


def failed_import(script):
    with Session('none', bus=False, programs=PROGRAMS) as session, \
            written('history.xml', GPASTE) as path:
        with_reader(session, script)
        done = session.run(PROGRAMS.cliphist, 'import', path, check=False)
        listed = session.run(PROGRAMS.cliphist, 'list', check=False).stdout.decode()
        equal(done.returncode, 1, 'status')
        return done.stderr.decode().splitlines(), listed


@fact('/foreign/a-reader-that-crashes-is-named-and-none-of-its-words')
def crashes():
    lines, listed = failed_import('raise Exception("hunter2")')
    true(len(lines) == 1 and 'failed (status 1)' in lines[0], lines)
    lines, listed = failed_import('import os, sys\nsys.stderr.write("is x X\\n")\nos.abort()')
    true(len(lines) == 2 and f'status {128 + signal.SIGABRT}' in lines[1], lines)
    equal(listed, '', 'entries')


main()
