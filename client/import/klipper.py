# SPDX-License-Identifier: LGPL-2.1-or-later
"""Klipper. Since Plasma 6.3: history3.sqlite, and a folder of files that hold the contents. Before:
history2.lst, a checksum and a QDataStream, the newest item first."""
import collections
import os
import re
import time
import urllib.parse
import zlib

from history import (MOST_BYTES, MOST_MIME_BYTES, TEXT, URI_LIST, Entry, Fault, Format, damaged,
                     limited, newest_last, open_plain)
from qt import Stream

MAGIC = b'SQLite format 3\0'
JOURNAL_MAGIC = b'\xd9\xd5\x05\xf9\x20\xa1\x63\xd7'
HASH = re.compile('[0-9a-fA-F]{40}')
PNG = b'\x89PNG\r\n\x1a\n'
CUT = 'application/x-kde-cutselection'
NAME_BYTES = 64
URL_BYTES = 1024 * 1024
LARGEST_VALUE = 256 * 1024 * 1024

# two tables, and no view that is called like one, nor a table of a module, nor a column that is
# computed, at any cost. SQLite itself holds a type and a name against the text
TABLES = ("SELECT count(*) FROM sqlite_master AS m WHERE type = 'table' AND name IN ('main', 'aux') "
          "AND sql LIKE 'CREATE TABLE %' AND NOT EXISTS (SELECT 1 FROM pragma_table_xinfo(m.name) "
          "WHERE hidden <> 0 OR name = 'rowid' COLLATE NOCASE)")

# what it takes to read the names of two tables, of some hundred others beside them
MOST_STEPS = 100_000
STEPS_AT_ONCE = 1000

# columns that SQLite computes when it looks at a row, of any table
COMPUTED = ('SELECT count(*) FROM sqlite_master AS m, pragma_table_xinfo(m.name) '
            "WHERE m.type = 'table' AND hidden > 1")
MOST_FAULTS = 1000

# each table is read once, and a row found by its number alone: no index can be relied on
ROWS = 'SELECT rowid, uuid, added_time, last_used_time, starred FROM main.main'
TYPES = 'SELECT uuid, mimetype, data_uuid FROM main.aux ORDER BY rowid'
TEXT_OF = 'SELECT text FROM main.main WHERE rowid = ?'

# --- the database: its writer is unknown. Its schema is not trusted, and every name that
# leads to a file is a hash ---


def connect(file):
    """Where there is no log no program has it open, and it is read without the files beside it that SQLite
    would make."""
    import sqlite3
    path = os.path.abspath(file.path)
    has_log = os.path.exists(path + '-wal') and os.path.getsize(path + '-wal') > 0
    uri = 'file:' + urllib.parse.quote(path) + ('?mode=ro' if has_log else '?mode=ro&immutable=1')
    database = sqlite3.connect(uri, uri=True, isolation_level=None)
    if hasattr(database, 'setlimit'):
        database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LARGEST_VALUE)
    database.execute('PRAGMA trusted_schema = OFF')
    database.execute('PRAGMA cell_size_check = ON')
    database.text_factory = bytes
    return database


def has_tables(database):
    """Pages of the schema may lead to each other, so that its rows have no end."""
    left = MOST_STEPS // STEPS_AT_ONCE

    def is_over():
        nonlocal left
        left -= 1
        return left < 0
    database.set_progress_handler(is_over, STEPS_AT_ONCE)
    n_tables = database.execute(TABLES).fetchone()[0]
    database.set_progress_handler(None, 0)
    return n_tables == 2


def is_sound(database):
    """No page is in two places, by which a small file would have rows without end. Other damage ends
    what is read where it is. What SQLite says of the pages comes first, and at once; its look into the
    rows behind that has to evaluate nothing."""
    database.execute('PRAGMA ignore_check_constraints = ON')
    if database.execute(COMPUTED).fetchone()[0]:
        return False
    said = database.execute(f'PRAGMA quick_check({MOST_FAULTS})').fetchone()[0]
    return b'2nd reference' not in said and said.count(b'\n') < MOST_FAULTS - 1


def is_database(file):
    if not file.head.startswith(MAGIC):
        return False
    import sqlite3
    try:
        return has_tables(connect(file))
    except (sqlite3.Error, UnicodeDecodeError):
        return False


def is_broken_off(file):
    """Whether what was being written when its program ended is still to be taken back: SQLite does so
    for a program that may write."""
    try:
        fd, _ = open_plain(os.path.abspath(file.path) + '-journal', os.O_NOFOLLOW)
        with open(fd, 'rb') as journal:
            return journal.read(len(JOURNAL_MAGIC)) == JOURNAL_MAGIC
    except OSError:
        return False


def to_text(value):
    return value.decode(errors='replace') if isinstance(value, bytes) else ''


def time_of(file, seconds):
    """A number with a fraction."""
    if not isinstance(seconds, (int, float)) or not 0 < seconds <= time.time():
        return file.changed_us
    return int(seconds * 1000000)


def read_types(database):
    """(type, name of its file or '') of each content, by the uuid of the entry"""
    types = collections.defaultdict(list)
    for uuid, mime, name in limited(database.execute(TYPES)):
        uuid, name = to_text(uuid), to_text(name)
        if HASH.fullmatch(uuid):
            # one that is too long stays so
            types[uuid].append((to_text(mime)[:MOST_MIME_BYTES + 1],
                                name if HASH.fullmatch(name) else ''))
    return types


def read_rows(file, database):
    """(last, first, number of the row, uuid or '', whether it has a star), the oldest first"""
    found, uuids = [], set()
    for number, uuid, added, used, starred in limited(database.execute(ROWS)):
        first, uuid = time_of(file, added), to_text(uuid)
        if not HASH.fullmatch(uuid) or uuid in uuids:
            uuid = ''
        uuids.add(uuid)
        found.append((first if used is None else time_of(file, used), first, number, uuid,
                      bool(starred)))
    return sorted(found)


def add_content(file, database, row, mime, name, entry):
    _, _, number, uuid, _ = row
    found = file.beside('data', uuid, name)
    if found:
        fd, size = found
        entry.add_part(mime, fd, 0, size)
    elif not mime.startswith('text/plain') or not add_text(database, number, mime, entry):
        entry.incomplete = True


def add_text(database, number, mime, entry):
    row = database.execute(TEXT_OF, (number,)).fetchone()
    if not row or row[0] is None:
        return False
    entry.add(mime, row[0] if isinstance(row[0], bytes) else str(row[0]).encode())
    return True


def make_entry(file, database, row, types):
    last, first, number, uuid, starred = row
    entry = Entry(last, first, starred)
    if not uuid:
        entry.incomplete = True
    elif not types:
        add_text(database, number, TEXT, entry)
    for mime, name in types:
        if mime and name:
            add_content(file, database, row, mime, name, entry)
        else:
            entry.incomplete = True
    return entry


def database_entries(file):
    import sqlite3
    n = 0
    try:
        database = connect(file)
        database.execute('BEGIN')  # all of it as it is at one moment
        if not has_tables(database):
            raise Fault('it has not the tables of a history')
        if not is_sound(database):
            raise sqlite3.DatabaseError
        types = read_types(database)
        for row in read_rows(file, database):
            entry = make_entry(file, database, row, types.get(row[3], ()))
            n += 1
            yield entry
    except (sqlite3.Error, UnicodeDecodeError) as error:  # the latter of a message of SQLite's
        # its words quote what is in the database
        is_other = isinstance(error, (sqlite3.OperationalError, sqlite3.InterfaceError))
        what = 'SQLite cannot read it' if is_other else 'database disk image is malformed'
        if is_broken_off(file):
            what = f'its last change was broken off ({os.path.basename(file.path)}-journal): let Klipper open it once'
        raise Fault(f'after {n} rows: {what}') from None


# --- the list ---


def is_list(file):
    """A checksum, how many bytes follow, and then the version of Klipper: its length, digits and
    dots, a NUL."""
    return re.match(rb'.{8}\0\0\0[\x02-\x40][0-9.]+\0', file.head, re.S) is not None and \
        file.head.find(b'\0', 12) == 11 + file.head[11]


def check_sum(stream, expected):
    at, total = stream.at, 0
    while piece := stream.peek():
        total = zlib.crc32(piece, total)
        stream.at += len(piece)
    if total != expected:
        raise damaged(0, 'its checksum is not that of its bytes')
    stream.at = at


def pass_png(stream):
    """An image is written as it is, without its length: PNG says itself where it ends."""
    at = stream.at
    if stream.read(len(PNG)) != PNG:
        raise damaged(at, 'an image is no PNG')
    kind = b''
    while kind != b'IEND':
        length = stream.u32()
        kind = stream.read(4)
        stream.skip(length + 4)


def read_urls(stream):
    urls = bytearray()
    for _ in range(stream.count(4)):
        urls += stream.bytes(URL_BYTES) + b'\r\n'
        if len(urls) > MOST_BYTES:
            raise damaged(stream.at, 'it is too long')
    return bytes(urls)


def pass_item(stream, entry=None):
    """Adds it to an entry, where there is one."""
    at, kind = stream.at, stream.name(NAME_BYTES)
    if kind == 'string':
        if entry:
            entry.add(TEXT, stream.text().encode())
        else:
            stream.span()
    elif kind == 'url':
        urls = read_urls(stream)
        for _ in range(2 * stream.count(8)):  # what other programs than KDE's do not understand
            stream.span()
        is_cut = stream.u32()
        if entry:
            entry.add(URI_LIST, urls)
            entry.add(CUT, b'1' if is_cut else b'0')
    elif kind == 'image':
        is_there, begin = stream.u32(), stream.at
        if is_there:
            pass_png(stream)
        if is_there and entry:
            entry.add_part('image/png', os.dup(stream.file.fd), begin, stream.at - begin)
    else:
        raise damaged(at, 'there is something else than an item')


def items(file):
    """(begin, end) of each. What a longer file was cut off from is still of use; what has other
    bytes than it was written with is not."""
    stream = Stream(file)
    expected, length = stream.u32(), stream.u32()
    is_cut = length > stream.end - stream.at
    if not is_cut:
        stream = Stream(file, stream.at, stream.at + length)
        check_sum(stream, expected)
    stream.span()
    while stream.at < stream.end:
        begin = stream.at
        pass_item(stream)
        yield begin, stream.at
    if is_cut:
        raise damaged(stream.at, 'it breaks off')


def read_item(file, begin, end):
    entry = Entry(file.changed_us)
    pass_item(Stream(file, begin, end), entry)
    return entry


def list_entries(file):
    return newest_last(file, items(file), read_item)


# a folder that has both was moved over by Klipper itself
FORMATS = [
    Format('klipper', 'Klipper', is_database, database_entries, 'history3.sqlite', is_live=True),
    Format('klipper', 'Klipper', is_list, list_entries, 'history2.lst'),
]
