# SPDX-License-Identifier: LGPL-2.1-or-later
"""Entries as an archive (data/export-format.md), for a pipe that `cliphist` gives to the daemon.

It has no hashes, as both ends are ours. Every content is marked as offered: which ones are kept,
and what marks a secret, is for the daemon to say.
"""
import base64
import json
import os
import re
import tarfile
import time

from history import MOST_TAGS, is_text

# as the daemon's own archives have it
LINES_BYTES = 256 * 1024
INLINE_BYTES = 64 * 1024
LINE_BYTES = 512 * 1024

MOST_TAG_BYTES = 255

COPY_BYTES = 1 << 20
BLOCK = tarfile.BLOCKSIZE


class Archive:
    def __init__(self, fd):
        self.fd = fd
        self.number = 0  # of the next member
        self.lines = []
        self.length = 0
        self.time_s = int(time.time())
        created = {'cliphist-export': 1, 'created': self.time_s * 1000000}
        self._write_member('.json', json.dumps(created).encode() + b'\n')

    def add(self, entry):
        """Writes an entry, which has at least one content."""
        line, files = self._line(entry)
        self.lines.append(line)
        self.length += len(line)
        if files or self.length >= LINES_BYTES:
            self._flush()
        for content in files:
            self._write_file(content)

    def end(self):
        self._flush()
        self._write(bytes(2 * BLOCK))

    def _line(self, entry):
        contents, files, length = [], [], 0
        for content in entry.contents:
            one = {'type': content.mime}
            if not content.is_note and not entry.guessed:
                one['offered'] = True
            if content.size > INLINE_BYTES or length + content.size > LINE_BYTES:
                files.append(content)
                # the member of the lines themselves is the next one
                name = f'{self.number + len(files):010}.bin'
                one.update(size=content.size, member=name)
            else:
                one.update(inline(data_of(content)))
                length += content.size
            contents.append(one)
        line = {'first': min(entry.last if entry.first is None else entry.first, entry.last),
                'last': entry.last, 'copies': 1, 'contents': contents}
        if entry.pinned:
            line['pinned'] = True
        if entry.guessed:
            line['guessed'] = True
        tags = [tag for tag in map(as_word, entry.tags)
                if tag and '\0' not in tag and len(tag.encode(errors='replace')) <= MOST_TAG_BYTES]
        if tags:
            line['tags'] = tags[:MOST_TAGS]
        text = json.dumps(line, ensure_ascii=False, separators=(',', ':'))
        return text.encode(errors='replace') + b'\n', files

    def _flush(self):
        if self.lines:
            self._write_member('.jsonl', b''.join(self.lines))
        self.lines, self.length = [], 0

    def _header(self, suffix, size):
        member = tarfile.TarInfo(f'cliphist-export/{self.number:010}{suffix}')
        member.size, member.mtime, member.mode = size, self.time_s, 0o600
        self.number += 1
        return member.tobuf(tarfile.PAX_FORMAT)

    def _write_member(self, suffix, data):
        self._write(self._header(suffix, len(data)) + data + padding(len(data)))

    def _write_file(self, content):
        """A file that has become shorter ends the archive: its size is said already."""
        self._write(self._header('.bin', content.size))
        if content.data is not None:
            self._write(content.data)
        else:
            self._copy(content)
        self._write(padding(content.size))

    def _copy(self, content):
        at, end = content.offset, content.offset + content.size
        while at < end:
            piece = os.pread(content.fd, min(end - at, COPY_BYTES), at)
            if not piece:
                raise EOFError
            self._write(piece)
            at += len(piece)

    def _write(self, data):
        data = memoryview(data)
        while data:
            data = data[os.write(self.fd, data):]


def as_word(tag):
    """As a tag is typed: without blanks and commas."""
    return '-'.join(re.findall(r'[^\s,]+', tag))


def padding(size):
    return bytes(-size % BLOCK)


def data_of(content):
    if content.data is not None:
        return content.data
    data = os.pread(content.fd, content.size, content.offset)
    if len(data) != content.size:
        raise EOFError
    return data


def inline(data):
    """As text where it is one, which JSON gives back byte for byte, else in base64."""
    return {'text': data.decode()} if is_text(data) else \
        {'base64': base64.b64encode(data).decode()}
