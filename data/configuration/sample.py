# SPDX-License-Identifier: LGPL-2.1-or-later
"""Makes the sample configuration from the settings of the program and what the manual says of them.

    sample.py TABLES cliphist-config.5.in >config

Every line is a comment: whoever copies the file changes nothing by that.
"""
import json
import re
import sys
import textwrap

HEAD = """SPDX-License-Identifier: LGPL-2.1-or-later

Settings of cliphist, each with its default: ~/.config/cliphist/config

Take away the # in front of what you change. Sizes have a unit (64KiB, 4GB), times as well (90d,
1h30m). The daemon reads the file again when it changes; cliphist-config(5) is the manual.
"""

# what only says how the words behind it look
MACROS = {'Ar', 'Cm', 'Ic', 'Li', 'Pa'}


def words(line):
    """A line of the manual as plain words."""
    if not line.startswith('.'):
        return line
    macro, _, rest = line[1:].partition(' ')
    if macro == 'Xr':
        return re.sub(r'^(\S+) (\d)', r'\1(\2)', rest)
    if macro not in MACROS:
        sys.exit(f'not known in a setting: {line}')
    return rest


def plain(lines):
    text = ' '.join(words(line) for line in lines)
    return re.sub(r' ([.,;:])', r'\1', re.sub(r'\s+', ' ', text.replace('\\-', '-').replace('\\&', '')))


def said_of(page):
    """name -> what the manual says of the setting"""
    body = page.split('@settings\n', 1)[1].split('@end', 1)[0]
    said = {}
    for line in body.splitlines():
        if line.startswith('@ '):
            lines = said.setdefault(line[2:], [])
        else:
            lines.append(line)
    return said


def comment(text):
    for line in textwrap.wrap(text, 96, break_on_hyphens=False):
        print(f'# {line}')


def main(tables, page):
    for line in HEAD.splitlines():
        print(f'# {line}'.rstrip())
    said = said_of(page)
    for row in json.loads(tables)['settings']:
        summary = row['summary']
        print()
        comment(f'{summary[0].upper()}{summary[1:]}. {plain(said.get(row["name"], []))}')
        # a key alone would mean "true"
        print(f'#{row["name"]} {row["default"] or row["value"]}')


main(*(open(path, encoding='utf-8').read() for path in sys.argv[1:]))
