# SPDX-License-Identifier: LGPL-2.1-or-later
"""What is on the disk, read past the programs that wrote it: rows, files, and whether they fit."""
import contextlib
import ctypes
import sqlite3

from account import Found
from session import Broken, until

ENTRIES = 'SELECT id, pinned, extras, size, blob, preview, body FROM entry ORDER BY id DESC'
CONTENTS = 'SELECT entry, size, blob, body FROM content ORDER BY entry, position'

# each says how many rows do not fit
MISFITS = {
    'entries and their sum':
        'SELECT abs((SELECT count(*) FROM entry) - count) FROM totals',
    'bytes and their sum':
        'SELECT abs((SELECT ifnull(sum(size), 0) FROM entry) + '
        '(SELECT ifnull(sum(size), 0) FROM content) - bytes) FROM totals',
    'pinned entries and their sum':
        'SELECT abs((SELECT ifnull(sum(pinned), 0) FROM entry) - pinned) FROM totals',
    'ids above the last one':
        'SELECT count(*) FROM entry, totals WHERE entry.id > last_id',
    'unpinned entries below the first one':
        'SELECT count(*) FROM entry, totals WHERE entry.pinned = 0 AND entry.id < first_loose',
    'entries without a short hash':
        'SELECT count(*) FROM entry WHERE id NOT IN (SELECT entry FROM dup)',
    'short hashes without an entry':
        'SELECT count(*) FROM dup WHERE entry NOT IN (SELECT id FROM entry)',
    'contents without an entry':
        'SELECT count(*) FROM content WHERE entry NOT IN (SELECT id FROM entry)',
    'tags without an entry':
        'SELECT count(*) FROM tag WHERE entry NOT IN (SELECT id FROM entry)',
    'blobs that nothing refers to':
        'SELECT count(*) FROM blob WHERE id NOT IN (SELECT blob FROM entry WHERE blob NOT NULL '
        'UNION SELECT blob FROM content WHERE blob NOT NULL)',
}


class _Hash(ctypes.Structure):
    _fields_ = [('low', ctypes.c_uint64), ('high', ctypes.c_uint64)]


def _load_hash():
    function = ctypes.CDLL('libxxhash.so.0').XXH3_128bits
    function.restype = _Hash
    function.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
    return function


_hash = _load_hash()


def blob_name(data):
    value = _hash(data, len(data))
    text = f'{value.high:016x}{value.low:016x}'
    return f'{text[:2]}/{text[2:]}'


class Disk:
    """The folder of a history."""

    def __init__(self, folder):
        self.folder = folder

    def connect(self):
        connection = sqlite3.connect(f'file:{self.folder}/history.db?mode=ro', uri=True, timeout=20)
        return contextlib.closing(connection)

    def files(self):
        """The names of all files of blobs, unfinished ones too."""
        blobs = self.folder / 'blobs'
        return {str(path.relative_to(blobs)) for path in blobs.rglob('*') if path.is_file()}

    def blobs(self):
        with self.connect() as db:
            return {name: size for name, size in db.execute('SELECT name, size FROM blob')}

    def entries(self):
        """Every entry with its contents, from one moment."""
        with self.connect() as db:
            db.execute('BEGIN')
            blobs = {number: (name, size) for number, name, size in
                     db.execute('SELECT id, name, size FROM blob')}
            further = {}
            for entry, size, blob, body in db.execute(CONTENTS):
                data = self._content(f'entry {entry}', size, blobs.get(blob) if blob else None,
                                     body)
                further.setdefault(entry, []).append(data)
            return [self._entry(row, blobs, further) for row in db.execute(ENTRIES)]

    def _entry(self, row, blobs, further):
        number, pinned, extras, size, blob, preview, body = row
        # a preview of bytes is the beginning of the content
        inline = (preview if isinstance(preview, bytes) else b'') + (body or b'')
        contents = [self._content(f'entry {number}', size, blobs.get(blob) if blob else None,
                                  inline), *further.get(number, [])]
        if len(contents) != extras + 1:
            raise Broken(f'entry {number} has {len(contents)} contents, not {extras + 1}')
        return Found(number, bool(pinned), [('', data) for data in contents])

    def _content(self, label, size, blob, inline):
        data = inline or b''
        if blob:
            name, blob_size = blob
            data = (self.folder / 'blobs' / name).read_bytes()
            if blob_size != size or blob_name(data) != name.partition('.')[0]:
                raise Broken(f'{label}: blob {name} holds {len(data)} other bytes, not {size}')
        if len(data) != size:
            raise Broken(f'{label} has {len(data)} bytes, not {size}')
        return data

    def check_rows(self):
        with self.connect() as db:
            words = db.execute('PRAGMA integrity_check').fetchone()[0]
            if words != 'ok':
                raise Broken(f'integrity_check: {words}')
            for what, query in MISFITS.items():
                count = db.execute(query).fetchone()[0]
                if count:
                    raise Broken(f'{what}: {count} too many')

    def strays(self):
        """Files that no row refers to, and rows that refer to no file."""
        return self.files() ^ set(self.blobs())

    def await_sweep(self):
        """The session's daemon is there: what a fault has left goes soon."""
        try:
            until(lambda: not self.strays(), 'what was left is swept')
        except Broken as error:
            raise Broken(f'{error}: {sorted(self.strays())[:4]}') from None
