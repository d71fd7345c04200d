# SPDX-License-Identifier: LGPL-2.1-or-later
"""Text as lines of mdoc(7), in ASCII."""
import re
import textwrap

WIDTH = 68


def literal(text):
    text = text.replace('\\', '\\e').replace('-', '\\-')
    return re.sub(r'[^\x00-\x7f]', lambda match: f'\\[u{ord(match[0]):04X}]', text)


def _plain(text):
    text = re.sub(r'(?<!\w)-|-(?=-)', r'\-', text.replace('\\', '\\e'))
    return re.sub(r'[^\x00-\x7f]', lambda match: f'\\[u{ord(match[0]):04X}]', text)


def _guarded(line):
    return '\\&' + line if line[0] in ".'" else line


def prose(text):
    """A paragraph: each sentence begins a line, as the formatter wants it."""
    for one in re.split(r'(?<=[.!?])\s+', ' '.join(text.split())):
        for line in textwrap.wrap(_plain(one), WIDTH, break_long_words=False,
                                  break_on_hyphens=False):
            yield _guarded(line)


def example(text):
    yield '.Bd -literal -offset indent'
    for line in text.splitlines():
        yield _guarded(literal(line))
    yield '.Ed'
