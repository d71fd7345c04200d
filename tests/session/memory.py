# SPDX-License-Identifier: LGPL-2.1-or-later
"""What a process has in its memory."""
import pathlib
import re


def find(pid, needle):
    """The mappings of a process that hold these bytes; what it only maps from a file is not asked."""
    found = []
    with open(f'/proc/{pid}/mem', 'rb', buffering=0) as memory:
        for line in pathlib.Path(f'/proc/{pid}/maps').read_text().splitlines():
            start, end, rights, name = re.match(
                r'([0-9a-f]+)-([0-9a-f]+) (\S+) \S+ \S+ \S+ *(.*)', line).groups()
            if not rights.startswith('rw') or name in ('[vvar]', '[vsyscall]'):
                continue
            first, last = int(start, 16), int(end, 16)
            try:
                memory.seek(first)
                text = memory.read(last - first)
            except OSError:
                continue  # it has gone meanwhile, or is no memory
            at = text.find(needle)
            if at >= 0:
                found.append(f'{start}+{at:x} {name or "anonymous"}: '
                             f'{text[max(0, at - 16):at + len(needle) + 16]!r}')
    return found
