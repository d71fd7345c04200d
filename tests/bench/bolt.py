# SPDX-License-Identifier: LGPL-2.1-or-later
"""Writes the database of sentriz/cliphist: a bbolt file with one bucket, keys that count up.

Its own `store` would need minutes for 100,000 entries. The pages are full, which those of a file
that grew are not: there is less for it to read than usual.
"""
import os
import struct

PAGE = 4096
LEAF, BRANCH, META, FREELIST = 2, 1, 4, 16
MAGIC, VERSION = 0xED0CDAED, 2
BUCKET = b'b'
IS_BUCKET = 1


def fnv(data):
    value = 0xcbf29ce484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001b3 & 0xffffffffffffffff
    return value


def page(number, kind, count, body):
    used = 16 + len(body)
    pages = -(-used // PAGE)
    header = struct.pack('<QHHI', number, kind, count, pages - 1)
    return header + body + bytes(pages * PAGE - used)


def elements(records, head):
    """The table of a page, and behind it what it points at."""
    table, data = b'', b''
    for number, record in enumerate(records):
        at = 16 * (len(records) - number) + len(data)
        table += head(at, record)
        data += b''.join(part for part in record if isinstance(part, bytes))
    return table + data


def leaf(number, records, flags=0):
    body = elements(records, lambda at, record: struct.pack(
        '<IIII', flags, at, len(record[0]), len(record[1])))
    return page(number, LEAF, len(records), body)


def branch(number, records):
    body = elements(records, lambda at, record: struct.pack(
        '<IIQ', at, len(record[0]), record[1]))
    return page(number, BRANCH, len(records), body)


def groups(records, size_of):
    """As many in each as a page has room for."""
    group, used = [], 16
    for record in records:
        size = 16 + size_of(record)
        if group and used + size > PAGE:
            yield group
            group, used = [], 16
        group.append(record)
        used += size
    yield group


def meta(number, root, last, pages):
    body = struct.pack('<IIIIQQQQQ', MAGIC, VERSION, PAGE, 0, root, 0, 2, pages, number)
    return page(number, META, 0, body + struct.pack('<Q', fnv(body)))


def write(path, texts):
    """A database with these texts, the first one with the id 1."""
    last = 0

    def records():
        nonlocal last
        for text in texts:
            last += 1
            yield struct.pack('>Q', last), text
    with open(path, 'wb') as file:
        file.truncate(3 * PAGE)
        file.seek(3 * PAGE)
        level = []

        def put(make, group):
            number = file.tell() // PAGE
            level.append((group[0][0], number))
            file.write(make(number, group))
        for group in groups(records(), lambda record: len(record[0]) + len(record[1])):
            put(leaf, group)
        while len(level) > 1:
            below, level = level, []
            for group in groups(below, lambda record: len(record[0])):
                put(branch, group)
        root = file.tell() // PAGE
        file.write(leaf(root, [(BUCKET, struct.pack('<QQ', level[0][1], last))], IS_BUCKET))
        pages = file.tell() // PAGE
        file.seek(0)
        file.write(meta(0, root, last, pages) + meta(1, root, last, pages) +
                   page(2, FREELIST, 0, b''))
    os.chmod(path, 0o600)
