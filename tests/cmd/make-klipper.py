# SPDX-License-Identifier: LGPL-2.1-or-later
"""Makes a folder as Klipper has it since Plasma 6.3.

    make-klipper.py [--log] FOLDER ENTRY…

An ENTRY is TEXT@SECONDS, or MIME=TEXT of some types, with commas between them, the first one that of
its row; the TEXT of an image is the name of a file. A star behind it is one. With --log the database
has its changes in its log, as when Klipper was killed.
"""
import hashlib
import os
import pathlib
import sqlite3
import sys


def digest(data):
    return hashlib.sha1(data).hexdigest()


def contents(words):
    for word in words.split(',') if '=' in words else ['text/plain=' + words]:
        mime, text = word.split('=', 1)
        is_file = mime.startswith('image/')
        yield mime, pathlib.Path(text).read_bytes() if is_file else text.encode()


def add(database, folder, entry):
    words, seconds = entry.rsplit('@', 1)
    parts = list(contents(words))
    uuid = digest(b''.join(data for _, data in parts))
    text = next((data.decode() for mime, data in parts if mime == 'text/plain'), '')
    database.execute('insert into main values (?, ?, ?, ?, ?, ?)',
                     (uuid, float(seconds.strip('*')), float(seconds.strip('*')),
                      ','.join(mime for mime, _ in parts), text, seconds.endswith('*')))
    place = folder / 'data' / uuid
    place.mkdir(parents=True)
    for mime, data in parts:
        database.execute('insert into aux values (?, ?, ?)', (uuid, mime, digest(data)))
        (place / digest(data)).write_bytes(data)


def main(words):
    has_log = words[0] == '--log'
    folder = pathlib.Path(words[has_log])
    folder.mkdir()
    database = sqlite3.connect(folder / 'history3.sqlite')
    if has_log:
        database.execute('pragma journal_mode = wal')
    database.execute('create table main (uuid char(40) primary key, added_time real not null, '
                     'last_used_time real, mimetypes text not null, text ntext, starred boolean)')
    database.execute('create table aux (uuid char(40) not null, mimetype text not null, '
                     'data_uuid char(40) not null, primary key (uuid, mimetype))')
    for entry in words[1 + has_log:]:
        add(database, folder, entry)
    database.commit()
    if has_log:
        os._exit(0)  # the log stays


main(sys.argv[1:])
