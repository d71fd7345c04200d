# SPDX-License-Identifier: LGPL-2.1-or-later
"""CopyQ keeps a file for each tab, and exports some tabs into one: there they are byte arrays in a
map of Qt's, beside settings and commands, or, as the older versions had it, one tab follows on its
name. Either way a tab is a part of the file, with the newest item first. An item is a map of types
and bytes; what CopyQ itself remembers of it (tags, a note, a pin) has types of its own."""
import base64
import binascii
import os
import re
import zlib

import qt
from history import (MOST_BYTES, MOST_TAGS, Entry, Fault, Format, damaged, newest_last,
                     open_plain)
from qt import Stream

MARK = 'CopyQ v'
ENCRYPTED_TAB = 'CopyQ_encrypted_tab'.encode('utf-16-be')

# in the place of the number of values: of an item of the second version, and one that is a secret
VERSION_2, ENCRYPTED = 0xFFFFFFFE, 0xFFFFFFFD

MOST_DEPTH = 16
MIME_BYTES = 4096
REMARK_BYTES = 64 * 1024
SMALL_BYTES = 64 * 1024

OWN = 'application/x-copyq-'
NOTES = OWN + 'item-notes'

# the beginning of a type is one digit, of 16
BEGINNINGS = ['', OWN + 'owner-window-title', NOTES, OWN, 'text/plain', 'text/html',
              'text/uri-list', 'image/', 'text/', 'application/', 'audio/', 'video/']

FILE = 'FILE:'
FILE_NAME = re.compile(r'(?:[0-9a-fA-F]{16}/){3}[0-9a-fA-F]{16}\.dat\Z')

# --- where the tabs are: (name, begin, end); the one that everything copied goes to has no name ---


def plain_name(name):
    """An ampersand is before the letter that a key chooses a tab by."""
    name = name.replace('&', '')
    return '' if name == 'clipboard' else name


class Export:
    """What is known of an export so far."""

    def __init__(self, stream):
        self.stream = stream
        self.tabs = []
        self.n_expected = 0  # of tabs: their names come first, and then each of them in a map

    def pass_value(self, kind, depth):
        stream = self.stream
        if depth > MOST_DEPTH:
            raise damaged(stream.at, 'it is nested too deeply')
        if kind in (qt.MAP, qt.HASH):
            self.pass_map(depth + 1)
        elif kind == qt.LIST:
            for _ in range(stream.count(5)):
                kind = stream.u32()
                stream.u8()
                self.pass_value(kind, depth + 1)
        else:
            stream.pass_value(kind)

    def pass_map(self, depth):
        """What has a name and data is a tab."""
        found = {}
        try:
            for _ in range(self.stream.count(9)):
                self.pass_member(found, depth)
        finally:
            if 'name' in found and 'data' in found:
                self.tabs.append((plain_name(found['name']), *found['data']))

    def pass_member(self, found, depth):
        stream = self.stream
        key, kind, _ = stream.name(), stream.u32(), stream.u8()
        if kind == qt.STRING and key == 'name':
            found['name'] = stream.name()
        elif kind == qt.STRINGS and depth == 0 and key == 'tabs':
            self.n_expected = stream.pass_strings()
        elif kind == qt.BYTES and key == 'data':
            # one that breaks off is one as far as it goes
            found['data'] = min(stream.at + 4, stream.end), stream.end
            at, size = stream.span()
            found['data'] = at, at + size
        else:
            self.pass_value(kind, depth)


def find_tabs(file, tabs):
    """Adds them to a list, which has them, too, where the file turns out to be damaged."""
    stream = Stream(file)
    mark = stream.bytes(MIME_BYTES)[len(MARK):]
    if mark[:1] in (b'1', b'2'):
        tabs.append((plain_name(stream.name()), stream.at, stream.end))
        return
    if mark[:1] == b'5':
        raise damaged(0, 'it is encrypted: decrypt it in CopyQ first')
    if mark[:1] not in (b'3', b'4'):
        raise damaged(0, 'it is of a version that is not known')
    export = Export(stream)
    export.tabs = tabs
    export.pass_map(0)
    while stream.at < stream.end:
        export.pass_map(0)
    if len(tabs) < export.n_expected:
        raise damaged(stream.at, 'it breaks off')


# --- items ---


def inflated_size(data):
    return int.from_bytes(data[:4], 'big')


def inflate(data, at):
    """Of a number of bytes, the highest of which comes first, and a stream of zlib."""
    if not data:  # as the oldest version has what is empty
        return data
    size = inflated_size(data)
    try:
        inflater = zlib.decompressobj()
        inflated = inflater.decompress(data[4:], min(size, MOST_BYTES) + 1)
    except zlib.error:
        inflated = None
    if len(data) <= 4 or inflated is None or len(inflated) != size or not inflater.eof:
        raise damaged(at, 'what is compressed cannot be read')
    return inflated


def bytes_at(stream, at, limit):
    """Those that span() has passed over last."""
    stream.at = at - 4
    return stream.bytes(limit)


def named(file, path):
    """(descriptor, size) of the plain file of that path, or None. No link is followed at its end."""
    try:
        fd, status = open_plain(path, os.O_NOFOLLOW, file.folder)
    except (OSError, ValueError):
        return None
    return fd, status.st_size


def add_file(stream, entry, mime, at):
    """A file beside the tabs, where newer versions keep both, or where the item says: one name, a
    hash with three slashes in it."""
    path = bytes_at(stream, at, MIME_BYTES).split(b'\0')[0].decode(errors='replace')
    name = FILE_NAME.search(path)
    if name and name.start() > 0:
        found = stream.file.beside('items', *name[0].split('/')) or named(stream.file, path)
        if found:
            entry.add_part(mime, found[0], 0, found[1])
            return
    entry.incomplete = True


def add_remark(entry, mime, data):
    """What is not here means something to CopyQ only."""
    if mime == OWN + 'tags':
        tags = data.partition(b'\0')[0].decode(errors='ignore').split(',', MOST_TAGS)
        entry.tags = (entry.tags + tags)[:MOST_TAGS]
    elif mime == OWN + 'item-pinned':
        entry.pinned = True
    elif mime == NOTES and data:
        entry.add(mime, data, is_note=True)


def add_value(stream, entry, mime, is_packed, at, size):
    is_own = mime.startswith(OWN)
    is_remark = is_own and mime != NOTES
    if mime == OWN + 'secret':
        entry.secret = True
    if is_remark and size > REMARK_BYTES:
        return
    if not is_packed and not is_own and size > SMALL_BYTES:
        entry.add_part(mime, os.dup(stream.file.fd), at, size)
        return
    data = bytes_at(stream, at, MOST_BYTES)
    if is_packed and is_remark and inflated_size(data) > REMARK_BYTES:
        return
    if is_packed:
        data = inflate(data, at)
    if is_own:
        add_remark(entry, mime, data)
    else:
        entry.add(mime, data)


def read_mime(stream):
    at, name = stream.at, stream.name(MIME_BYTES)
    if not re.match('[0-9a-bA-B]', name):
        raise damaged(at, 'a type begins with something else than a digit')
    return BEGINNINGS[int(name[0], 16)] + name[1:]


def pass_item(stream, entry=None):
    """Adds it to an entry, where there is one, until that is a secret, as one with too many types
    may be. In the oldest version all is compressed."""
    begin, version = stream.at, stream.u32()
    if version == ENCRYPTED:
        raise damaged(begin, 'it is encrypted: decrypt it in CopyQ first')
    is_new = version == VERSION_2
    if not is_new:
        stream.at = begin
    for _ in range(stream.count(8)):
        mime = read_mime(stream) if is_new else stream.name(MIME_BYTES)
        is_packed = stream.u8() if is_new else True
        at, size = stream.span()
        if not entry or entry.secret:
            continue
        if is_new and mime.startswith(FILE):
            add_file(stream, entry, mime[len(FILE):], at)
        else:
            add_value(stream, entry, mime, is_packed, at, size)


def items(file, tabs, names, fault=None):
    """(begin, end) of each, and in names that of its tab, by where it begins. What is wrong with a
    tab is before those that come after it; what is wrong with the description of tabs (fault) behind
    those that were found."""
    for name, begin, end in tabs:
        stream = Stream(file, begin, end)
        for _ in range(stream.count(4)):
            begin = stream.at
            pass_item(stream)
            names.setdefault(begin, name)
            yield begin, stream.at
    if fault:
        raise fault


def all_entries(file, tabs, fault=None):
    names = {}

    def read_item(_, begin, end):
        entry = Entry(file.changed_us)
        entry.tags.append(names[begin])
        pass_item(Stream(file, begin, end), entry)
        return entry

    return newest_last(file, items(file, tabs, names, fault), read_item)


def export_entries(file):
    tabs, fault = [], None
    try:
        find_tabs(file, tabs)
    except Fault as error:
        fault = error
    return all_entries(file, tabs, fault)


def tab_entries(file):
    """The name of a tab stands in that of its file, in base64 with a - for each /."""
    if is_encrypted(file):
        raise damaged(0, 'it is encrypted: decrypt it in CopyQ first')
    code = file.stem().partition('_tab_')[2]
    try:
        name = base64.b64decode(code, b'+-').decode(errors='ignore')
    except (binascii.Error, ValueError):
        name = ''
    return all_entries(file, [(plain_name(name), 0, file.size)])


def is_encrypted(file):
    """As a whole, by the plugin that did it before CopyQ itself could."""
    return file.head[4:].startswith(ENCRYPTED_TAB)


def is_export(file):
    return file.head[4:].startswith(MARK.encode())


def is_tab(file):
    """How many items, and the version of the first one."""
    return int.from_bytes(file.head[4:8], 'big') in (VERSION_2, ENCRYPTED) or is_encrypted(file)


FORMATS = [
    Format('copyq', 'CopyQ', is_export, export_entries, '*.cpq'),
    Format('copyq', 'CopyQ', is_tab, tab_entries, '*_tab_*.dat'),
]
