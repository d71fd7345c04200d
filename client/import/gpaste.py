# SPDX-License-Identifier: LGPL-2.1-or-later
"""GPaste's history: an XML file, the newest item first, and a folder of images beside it.

It is no file for a parser of XML: texts stand in it as they were copied, with control characters,
which XML has not, and with line ends that it would change. What GPaste writes is little: an item
has its text in CDATA, where every > is encoded, so that </item> is the end of one.
"""
import base64
import binascii
import os
import re
import urllib.parse

from history import CHUNK_BYTES, MOST_BYTES, TEXT, URI_LIST, Entry, Format, damaged, newest_last

# what has a type in a value, as GPaste calls it and as everybody does
MIMES = {
    'gnome-copied-files': 'x-special/gnome-copied-files',
    'text-html': 'text/html',
    'text-html-utf8': 'text/html;charset=utf-8',
    'text-xml': 'text/xml',
    'text-xml-utf8': 'text/xml;charset=utf-8',
}
VERSIONS = (b'1.0', b'2.0')

ATTRIBUTES = r'''((?:\s+[\w:-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*'''
ATTRIBUTE = re.compile(r'''([\w:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')''')
HEAD = re.compile(rb'\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--(?:(?!-->).)*-->\s*)*<history'
                  + ATTRIBUTES.encode() + rb'(/?)>', re.S)
VERSION = re.compile(rb'''\sversion\s*=\s*["']([^"']*)["']''')
TOKEN = re.compile(r'<!\[CDATA\[(?P<cdata>.*?)\]\]>|<(?P<tag>/?(?:item|value))'
                   + ATTRIBUTES + r'>|(?P<text>[^<]+)', re.S)
END = b'</item>'
TAIL = re.compile(rb'\s*</history\s*>\s*\Z')
OTHER = re.compile(rb'\s*<(?!item\b|/history|/?\Z|/?[a-z]*\Z)')

ENTITY = re.compile(r'&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|(\w{1,8}));|(&)')
ENTITIES = {'amp': '&', 'lt': '<', 'gt': '>', 'quot': '"', 'apos': "'"}

# GPaste encodes these two in CDATA, too
TWICE = re.compile('&(gt|amp);')

URI_CHARACTERS = "!$&'()*+,;=:@~/-._"


def is_one(file):
    head = file.head
    first = head.find(b'<history')
    return head.startswith(b'<') and first >= 0 and b'version=' in head[first:] and \
        (b'<?xml' in head or first == 0)


def find_end(file, at):
    """Where the item that begins here ends, or None"""
    start, kept = at, b''
    while at < file.size:
        if at - start > MOST_BYTES:
            raise damaged(start, 'an item is too large')
        piece = kept + file.read(at, min(CHUNK_BYTES, file.size - at))
        found = piece.find(END)
        if found >= 0:
            return at - len(kept) + found + len(END)
        at += len(piece) - len(kept)
        kept = piece[1 - len(END):]
    return None


def items(file):
    """(begin, end) of each"""
    head = HEAD.match(file.read(0, min(file.size, CHUNK_BYTES)))
    if not head:
        raise damaged(0, 'it is malformed')
    version = VERSION.search(head[1])
    if not version or version[1] not in VERSIONS:
        raise damaged(head.end(), 'it is of a version that is not known')
    at = head.end()
    if head[2]:
        return
    while (end := find_end(file, at)) is not None:
        yield at, end
        at = end
    rest = file.read(at, min(CHUNK_BYTES, file.size - at))
    if OTHER.match(rest):
        raise damaged(at + len(rest) - len(rest.lstrip()),
                      'there is something else than an item')
    if not TAIL.match(rest):
        raise damaged(file.size, 'it breaks off')


def decode_entities(text, at):
    def one(match):
        decimal, hexadecimal, name, _ = match.groups()
        try:
            if name:
                return ENTITIES[name]
            one = chr(int(decimal) if decimal else int(hexadecimal, 16))
            one.encode()  # half a pair of surrogates is none
            return one
        except (KeyError, TypeError, ValueError, OverflowError):
            raise damaged(at, 'it is malformed') from None
    return ENTITY.sub(one, text)


def attributes_of(text, at):
    return {name: decode_entities(one or other, at)
            for name, one, other in ATTRIBUTE.findall(text or '')}


def tokens(text, at):
    """(kind, value, attributes); kind: text, or what a tag is called"""
    here = 0
    while here < len(text):
        match = TOKEN.match(text, here)
        if not match:
            raise damaged(at, 'there is something else than an item')
        here = match.end()
        if match['tag']:
            yield match['tag'], '', attributes_of(match[3], at)
        elif match['cdata'] is not None:
            yield 'text', match['cdata'], {}
        else:
            yield 'text', decode_entities(match['text'], at), {}


def parse(text, at):
    """(attributes of the item, [(the nick of its type or None, text)])"""
    item, values, path = {}, [], []
    for kind, value, attributes in tokens(text, at):
        if kind == 'text':
            if path == ['item', 'value']:
                values[-1][1].append(value)
            elif value.strip(' \t\r\n'):  # as the first version has it
                values.append((None, [value]))
        elif kind == '/' + (path[-1] if path else ''):
            path.pop()
        elif [*path, kind] == ['item']:
            path, item = ['item'], attributes
        elif [*path, kind] == ['item', 'value']:
            path.append(kind)
            values.append((attributes.get('mime'), []))
        else:
            raise damaged(at, 'there is something else than an item')
    return item, [(nick, ''.join(pieces)) for nick, pieces in values]


def to_uris(lines):
    """Paths or URIs, one a line."""
    uris = ['file://' + urllib.parse.quote(line, URI_CHARACTERS) if line.startswith('/') else line
            for line in lines.split('\n') if line]
    return ''.join(uri + '\r\n' for uri in uris)


def add_value(file, entry, kind, value):
    if kind == 'Image':  # in the folder of this history, or of all of them
        name = os.path.basename(value)
        file.add_image(entry, ('images', file.stem(), name), ('images', name))
    elif kind == 'Uris':
        entry.add(URI_LIST, to_uris(value).encode())
    else:
        entry.add(TEXT, value.encode())


def read_item(file, begin, end):
    data = file.read(begin, end - begin)
    try:
        item, values = parse(data.decode(), begin)
    except UnicodeDecodeError as error:
        raise damaged(begin + error.start, 'it is not UTF-8') from None
    entry = Entry(file.changed_us, pinned=item.get('favourite') == 'true')
    entry.secret = item.get('kind', '').lower() == 'password'
    date = item.get('date', '')
    if re.fullmatch(r'[0-9]{1,12}', date) and 0 < int(date) * 1000000 <= file.changed_us:
        entry.last = int(date) * 1000000
    own = None
    for nick, text in values:
        text = TWICE.sub(lambda match: ENTITIES[match[1]], text)
        if nick is None:
            own = text
        elif nick in MIMES:
            add_base64(entry, MIMES[nick], text)
    if own and not entry.secret:
        add_value(file, entry, item.get('kind', ''), own)
    return entry


def add_base64(entry, mime, text):
    try:
        data = base64.b64decode(text)
    except (binascii.Error, ValueError):
        return
    entry.add(mime, data)


def entries(file):
    return newest_last(file, items(file), read_item)


FORMATS = [Format('gpaste', 'GPaste', is_one, entries, '*.xml')]
