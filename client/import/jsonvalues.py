# SPDX-License-Identifier: LGPL-2.1-or-later
"""The objects of a JSON file, one after the other, so that a history is never in memory as a
whole."""
import json
import re

from history import MOST_BYTES, Bytes, damaged

BLANKS = b' \t\r\n'
OUTSIDE = re.compile(rb'["{}\[\],]')
IN_STRING = re.compile(rb'["\\]')

# no program writes more
MOST_DEPTH = 32
MOST_DIGITS = 18
MOST_VALUES = 8192


def begins(file, form):
    """Whether the file begins with these bytes, where blanks do not count."""
    return file.head.translate(None, BLANKS).startswith(form)


class Values(Bytes):
    def next_byte(self):
        """The next one that is not blank, which stays; nothing at the end."""
        while True:
            piece = self.peek()
            rest = piece.lstrip(BLANKS)
            self.at += len(piece) - len(rest)
            if rest or not piece:
                return rest[:1]

    def take(self, expected):
        found = self.next_byte()
        if found != expected:
            raise damaged(self.at, 'it is malformed' if found else 'it breaks off')
        self.at += 1

    def skip_object(self):
        """Passes over what begins with a { here."""
        start, depth, n_values, pattern = self.at, 0, 0, OUTSIDE
        while True:
            piece, here = self.peek(), 0
            if not piece:
                raise damaged(self.end, 'it breaks off')
            while match := pattern.search(piece, here):
                here, what = match.end(), match[0]
                if what == b'"':
                    pattern = OUTSIDE if pattern is IN_STRING else IN_STRING
                elif what == b'\\':
                    here += 1
                elif what in b'}]':
                    depth -= 1
                else:
                    depth += what != b','
                    n_values += 1
                if depth > MOST_DEPTH or n_values > MOST_VALUES:
                    raise damaged(start, 'it is malformed')
                if depth == 0:
                    self.at += here
                    return
            self.at += max(here, len(piece))
            if self.at - start > MOST_BYTES:
                raise damaged(start, 'it is too long')


def read_object(file, begin, end):
    try:
        return json.loads(file.read(begin, end - begin).decode(), parse_int=to_int)
    except UnicodeDecodeError as error:
        raise damaged(begin + error.start, 'it is not UTF-8') from None
    except ValueError:
        raise damaged(begin, 'it is malformed') from None


def to_int(digits):
    return int(digits) if len(digits) <= MOST_DIGITS else -1


def to_bytes(text, at):
    """A text as UTF-8; half a pair of surrogates, which JSON can have, is none."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise damaged(at, 'it is malformed') from None
