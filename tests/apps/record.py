#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""What applications offered and what was stored of it: rows of data/applications.md.

    record.py BUILD    writes what the tests in BUILD have seen into the table

The tests check that each row that they see is there.
"""
import json
import os
import pathlib
import re
import sys

DOCUMENT = pathlib.Path(__file__).resolve().parents[2] / 'data' / 'applications.md'
BEGIN, END = '<!-- begin: {} -->', '<!-- end: {} -->'


def folder(build):
    return pathlib.Path(build) / 'tests' / 'apps' / 'rows'


def names(types, read=()):
    """Names of types as a cell; those that were read in bold."""
    cells = []
    for mime in types:
        # parameters of LibreOffice: names for people, sizes, numbers of the process
        text = re.sub(r'(;windows_formatname|(?<=internal-id)-\d).*', '…', mime).replace('|', '\\|')
        cells.append(f'**`{text}`**' if mime in read else f'`{text}`')
    return ', '.join(cells) or 'nothing'


def key(row):
    return f'| {row["application"]} | {row["display"]} | {row["copied"]} |'


def line(row):
    return f'{key(row)} {names(row["offered"], row["read"])} | {names(row["stored"])} |'


def version_line(row):
    return f'| {row["application"]} | {row["version"]} |'


def save(row):
    rows = folder(os.environ['CLIP_TEST_BUILD'])
    rows.mkdir(parents=True, exist_ok=True)
    name = re.sub(r'[^a-z0-9]+', '-', ' '.join(row[k] for k in ('application', 'display', 'copied')).lower())
    (rows / f'{name}.json').write_text(json.dumps(row))


def check(rows):
    """What is wrong with the table, and what may be because the version is another, as sentences."""
    lines = DOCUMENT.read_text().splitlines()
    wrong, other = [], []
    for row in rows:
        if not any(known.startswith(key(row)) for known in lines):
            wrong.append(f'not in the table: {line(row)}')
        elif line(row) not in lines:
            known = version_line(row) in lines
            (wrong if known else other).append(f'otherwise in the table: {line(row)}')
    return wrong, other


def between(text, name, lines):
    begin, end = BEGIN.format(name), END.format(name)
    before, rest = text.split(begin)
    return before + begin + '\n\n' + '\n'.join(lines) + '\n\n' + end + rest.split(end)[1]


def main():
    rows = [json.loads(path.read_text()) for path in sorted(folder(sys.argv[1]).glob('*.json'))]
    text = DOCUMENT.read_text()
    text = between(text, 'versions', ['| application | version |', '|---|---|',
                                      *sorted({version_line(row) for row in rows})])
    text = between(text, 'rows', [
        '| application | display | copied | offered, in this order; **read** | stored |',
        '|---|---|---|---|---|', *sorted(line(row) for row in rows)])
    DOCUMENT.write_text(text)


if __name__ == '__main__':
    main()
