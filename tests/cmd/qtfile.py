# SPDX-License-Identifier: LGPL-2.1-or-later
"""Histories as programs of Qt have them: Klipper's list, CopyQ's tabs and exports.

    qtfile.py [packed] KIND FILE [ITEM...]

KIND: klipper, copyq-tab, copyq-2, copyq-3, copyq-4. The oldest item comes first. An ITEM is a text,
or MIME=TEXT, and MIME=TEXT of other types of it behind a +; a TEXT that begins with @ is the name
of a file that holds it. With `packed` all is compressed.
"""
import pathlib
import struct
import sys
import zlib


def u32(value):
    return struct.pack('>I', value)


def sized(data):
    return u32(len(data)) + data


def string(text):
    return sized(text.encode('utf-16-be'))


# --- Klipper: of an item only the first content counts ---


def klipper_item(mime, data):
    if mime.startswith('image/'):
        return string('image') + u32(1) + data
    if mime == 'text/uri-list':
        urls = data.split(b'\n')
        return string('url') + u32(len(urls)) + b''.join(map(sized, urls)) + \
            u32(1) + string('a key') + string('its value') + u32(1)
    return string('string') + string(data.decode())


def signed(data):
    """With a checksum that is that of its bytes."""
    return u32(zlib.crc32(data[8:])) + data[4:]


def klipper(items):
    """items: the newest first; each a list of (mime, bytes)"""
    body = sized(b'5.27.5\0') + b''.join(klipper_item(*item[0]) for item in items)
    return signed(bytes(4) + sized(body))


# --- CopyQ ---


def content(mime, data, packed):
    name = '8' + mime[len('text/'):] if mime.startswith('text/') else '0' + mime
    return string(name) + bytes([packed]) + \
        sized(u32(len(data)) + zlib.compress(data) if packed else data)


def tab(items, packed=False):
    return u32(len(items)) + b''.join(
        u32(0xFFFFFFFE) + u32(len(item)) + b''.join(content(*one, packed) for one in item)
        for item in items)


def value(key, kind, data):
    return string(key) + u32(kind) + b'\0' + data


# values of some types, which are passed over
SETTINGS = value('settings', 8, u32(4) + value('a', 1, b'\1') + value('b', 2, u32(42))
                 + value('c', 11, u32(1) + string('text')) + value('data', 12, sized(b'no tab')))


def export(version, items, packed=False):
    mark = sized(f'CopyQ v{version}'.encode())
    if version == 2:
        return mark + string('&clipboard') + tab(items, packed)
    one = u32(3) + value('name', 10, string('Wo&rk')) + value('icon', 10, string('')) + \
        value('data', 12, sized(tab(items, packed)))
    tabs = value('tabs', 9, u32(1) + u32(8) + b'\0') if version == 3 else \
        value('tabs', 11, u32(1) + string('Wo&rk'))
    return mark + u32(2) + SETTINGS + tabs + one


def make(kind, items, packed=False):
    if kind == 'klipper':
        return klipper(items)
    if kind == 'copyq-tab':
        return tab(items, packed)
    return export(int(kind.removeprefix('copyq-')), items, packed)


def item_of(word):
    item = []
    for part in word.split('+'):
        mime, equals, text = part.partition('=')
        if not equals:
            mime, text = 'text/plain', part
        data = pathlib.Path(text[1:]).read_bytes() if text.startswith('@') else text.encode()
        item.append((mime, data))
    return item


def main(words):
    packed = words[0] == 'packed'
    kind, path, *items = words[packed:]
    made = make(kind, [item_of(word) for word in reversed(items)], packed)
    pathlib.Path(path).write_bytes(made)


if __name__ == '__main__':
    main(sys.argv[1:])
