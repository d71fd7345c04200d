# SPDX-License-Identifier: LGPL-2.1-or-later
"""What Ringboard dumps: a list of JSON objects, or, as its own import wants them, the objects one
after the other; the favourites, and then the others, the oldest first. It says nothing of when
they were copied."""
import base64
import re

from history import Entry, Format, damaged, each, guess
from jsonvalues import Values, begins, read_object, to_bytes

# the number of a ring stands above that of a place in it
RING_SHIFT = 32
RING_OF_FAVOURITES = 0

BASE64 = re.compile(r'[A-Za-z0-9+/]*')


def is_one(file):
    return any(begins(file, form) for form in (b'[{"kind":"', b'{"kind":"')) or \
        re.match(rb'\[?{"id":\d+,"kind":"', file.head.translate(None, b' \t\r\n')) is not None


def parts(values):
    """(begin, end) of each"""
    first = values.next_byte()
    if first not in (b'[', b'{'):
        raise damaged(values.at, 'it is malformed' if first else 'it breaks off')
    is_list = first == b'['
    values.at += is_list
    has_begun = False
    while values.next_byte() != (b']' if is_list else b''):
        if is_list and has_begun:
            values.take(b',')
        has_begun = True
        begin = values.at
        if values.next_byte() not in (b'{', b''):
            raise damaged(begin, 'there is something else than an entry')
        values.take(b'{')
        begin = values.at = values.at - 1
        values.skip_object()
        yield begin, values.at


def data_of(item, begin):
    """Bytes, or None. What is in base64 lacks its padding."""
    data = item.get('data')
    if not isinstance(data, str):
        return None
    if item.get('kind') == 'Human':
        return to_bytes(data, begin)
    if item.get('kind') != 'Bytes' or not BASE64.fullmatch(data) or len(data) % 4 == 1:
        return None
    return base64.b64decode(data + '=' * (-len(data) % 4))


def read_item(file, begin, end):
    item = read_object(file, begin, end)
    data = data_of(item, begin)
    if data is None:
        raise damaged(begin, 'there is something else than an entry')
    number, mime = item.get('id'), item.get('mime_type')
    entry = Entry(file.changed_us)
    entry.pinned = isinstance(number, int) and number >= 0 and \
        number >> RING_SHIFT == RING_OF_FAVOURITES
    entry.guessed = not isinstance(mime, str) or not mime
    entry.add(guess(data) if entry.guessed else mime, data)
    return entry


def entries(file):
    return each(file, parts(Values(file)), read_item)


FORMATS = [Format('ringboard', 'Ringboard', is_one, entries)]
