# SPDX-License-Identifier: LGPL-2.1-or-later
"""A QDataStream: numbers with their highest byte first, everything that has a length behind that
length. It is believed no further than the bytes go that are there."""
from history import MOST_BYTES, Bytes, damaged

# of the types that a QVariant may have
MAP, LIST, STRING, STRINGS, BYTES, HASH = 8, 9, 10, 11, 12, 28

# what has the same length each time: bool, int, unsigned int, both of 64 bits, double, QChar,
# QRect, QSize, QPoint
FIXED_SIZES = {1: 1, 2: 4, 3: 4, 4: 8, 5: 8, 6: 8, 7: 2, 19: 16, 21: 8, 25: 8}

# in the place of a length: there is nothing, which is not the same as nothing in it
NULL_LENGTH = 0xFFFFFFFF


class Stream(Bytes):
    def u8(self):
        return self.read(1)[0]

    def u32(self):
        return int.from_bytes(self.read(4), 'big')

    def count(self, each):
        """How many of something follow that takes so many bytes at least."""
        at, n = self.at, self.u32()
        if n * each > self.end - self.at:
            raise damaged(at, 'it announces more than the file holds')
        return n

    def span(self):
        """(where it begins, its size) of something with a length, which is passed over"""
        size = self.u32()
        at = self.at
        size = 0 if size == NULL_LENGTH else size
        self.skip(size)
        return at, size

    def bytes(self, limit=MOST_BYTES):
        begin = self.at
        at, size = self.span()
        if size > limit:
            raise damaged(begin, 'it is too long')
        self.at = at
        return self.read(size)

    def text(self, limit=MOST_BYTES):
        """Half of a pair without the other half becomes U+FFFD, as Qt has it."""
        at, data = self.at, self.bytes(limit)
        if len(data) % 2:
            raise damaged(at, 'a text is cut within a character')
        return data.decode('utf-16-be', 'replace')

    def name(self, limit=4096):
        return self.text(limit).split('\0')[0]

    def pass_strings(self):
        """How many there are."""
        n = self.count(4)
        for _ in range(n):
            self.span()
        return n

    def pass_value(self, kind):
        """Of a QVariant that is no map, list or hash. Of what is not known the length is not."""
        if kind in (STRING, BYTES):
            self.span()
        elif kind == STRINGS:
            self.pass_strings()
        elif kind in FIXED_SIZES:
            self.skip(FIXED_SIZES[kind])
        else:
            raise damaged(self.at, f'a value is of type {kind}, which is not known')
