# SPDX-License-Identifier: LGPL-2.1-or-later
"""clipse: one JSON object with a list in it, the newest item first, and images as files."""
import datetime
import os
import re

from history import TEXT, Entry, Format, damaged, newest_last
from jsonvalues import Values, begins, read_object, to_bytes

LIST = b'{"clipboardHistory":['

# in the place of the name of a file, where there is none
NO_FILE = 'null'

TIME = re.compile(r'(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?')


def is_one(file):
    return begins(file, LIST[:-1])


def items(values):
    """(begin, end) of each"""
    for expected in (b'{', None, b':', b'['):
        if expected:
            values.take(expected)
        else:
            pass_key(values)
    while values.next_byte() != b']':
        begin = values.at
        if values.next_byte() not in (b'{', b''):
            raise damaged(begin, 'there is something else than an item')
        values.take(b'{')
        values.at = begin
        values.skip_object()
        yield begin, values.at
        if values.next_byte() != b']':
            values.take(b',')
            if values.next_byte() == b']':
                raise damaged(values.at, 'it is malformed')
    values.take(b']')
    values.take(b'}')


def pass_key(values):
    key = b'"clipboardHistory"'
    if values.next_byte() == b'"' and values.read(len(key)) != key:
        raise damaged(values.at, 'there is no history in it')


def check(item, begin):
    if not isinstance(item.get('filePath'), str) or not isinstance(item.get('value'), str):
        raise damaged(begin, 'there is something else than an item')
    to_bytes(item['value'], begin)


def time_of(file, recorded):
    """Local time; what is none leaves the time of the file."""
    match = TIME.match(recorded) if isinstance(recorded, str) else None
    try:
        when = datetime.datetime.fromisoformat(f'{match[1]}T{match[2]}')
        us = int(when.timestamp()) * 1000000 + int((match[3] or '').ljust(6, '0')[:6])
    except (TypeError, ValueError, OverflowError, OSError):
        return file.changed_us
    return us if 0 < us <= datetime.datetime.now().timestamp() * 1000000 else file.changed_us


def read_item(file, begin, end):
    item = read_object(file, begin, end)
    check(item, begin)
    path = item['filePath']
    entry = Entry(time_of(file, item.get('recorded')), pinned=item.get('pinned') is True)
    if path == NO_FILE:
        entry.add(TEXT, to_bytes(item['value'], begin))
    else:
        file.add_image(entry, ('tmp_files', os.path.basename(path)))
    return entry


def entries(file):
    return newest_last(file, items(Values(file)), read_item)


FORMATS = [Format('clipse', 'clipse', is_one, entries, 'clipboard_history.json')]
