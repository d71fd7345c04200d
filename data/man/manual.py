# SPDX-License-Identifier: LGPL-2.1-or-later
"""Makes a manual page from prose that people write and tables that the program has.

    manual.py VERSION TABLES INTERFACE PAGE.in >PAGE

A page is mdoc(7). Three of its lines stand for what is made here:

    @verbs … @end       a section for each verb, in the order of the table; in between `@ NAME`
                        begins what is to be said of that verb beyond the table
    @settings … @end    likewise an item for each setting
    @flags              the settings as flags of the command, in short
    @interface          the D-Bus interface: its description, methods, signals, properties

What is written of a verb or a setting that is not there ends the build. What is there and not
written of is printed from the table alone; a test complains.
"""
import json
import pathlib
import re
import sys

import interface
from roff import example, literal, prose


def words_of(text):
    """`[FILE [ID…]]` as the words of a macro line."""
    marks = {'[': 'Oo', ']': 'Oc', '|': '|', '<': '<'}
    for word in re.findall(r'[][|<]|[^][|<\s]+', text):
        if word in marks:
            yield marks[word]
        else:
            yield 'Ar' if word.isupper() or '…' in word else 'Cm'
            yield word.replace('…', ' ...')


def option_words(row):
    value = f' Ar {row["value"]}' if row['value'] else ''
    letter = f'Fl {row["letter"]} , ' if row['letter'] else ''
    return letter + r'Fl \-' + literal(row['name']) + value


def synopsis(verb, options):
    yield '.Nm cliphist'
    yield f'.Cm {literal(verb["name"])}'
    for name in verb['options']:
        if name != 'help':
            yield '.Op ' + option_words(options[name]).replace(' , ', ' | ')
    if verb['words']:
        first, *rest = words_of(verb['words'])
        yield '.' + ' '.join(['No <' if first == '<' else first, *rest])


def option_list(verb, options):
    rows = [options[name] for name in verb['options'] if name != 'help']
    if rows:
        yield '.Bl -tag -width Ds'
        for row in rows:
            yield f'.It {option_words(row)}'
            yield from prose(sentence(row['summary']))
        yield '.El'


def sentence(text):
    return text[0].upper() + text[1:] + '.'


def verb_section(verb, options, written):
    yield f'.Ss {literal(verb["name"])}'
    yield '.Bd -ragged -offset indent -compact'
    yield from synopsis(verb, options)
    yield '.Ed'
    yield '.Pp'
    yield from prose(sentence(verb['summary']))
    yield from written
    yield from option_list(verb, options)
    yield '.Pp'
    yield 'Example:'
    yield from example(verb['example'])


def value_of(row):
    return row['value'].replace('|', ' | ')


def flag_item(row):
    between = 'Ns = Ns Ar' if row['value'] == 'yes|no' else 'Ar'
    yield f'.It Fl {literal(row["name"])} {between} {value_of(row)}'
    yield from prose(sentence(row['summary']))


def setting_item(row, written):
    yield f'.It Cm {literal(row["name"])} Ar {value_of(row)}'
    yield from prose(sentence(row['summary']))
    yield from written
    if row['default']:
        yield 'Default:'
        yield f'.Cm {literal(row["default"])} .'


def blocks_of(lines):
    """What is written between the lines `@ NAME`, by name."""
    blocks = {}
    for line in lines:
        if line.startswith('@ '):
            block = blocks.setdefault(line[2:], [])
        else:
            block.append(line)
    return blocks


def take(blocks, rows):
    for row in rows:
        yield row, blocks.pop(row['name'], [])
    if blocks:
        sys.exit(f'there is no {" nor ".join(blocks)}')


def expand(lines, tables, xml):
    options = {row['name']: row for row in tables['options']}
    for line in lines:
        if line == '@interface':
            yield from interface.page(xml)
        elif line == '@flags':
            for row in tables['settings']:
                yield from flag_item(row)
        elif line in ('@verbs', '@settings'):
            blocks = blocks_of(iter(lines.__next__, '@end'))
            for row, written in take(blocks, tables[line[1:]]):
                yield from (verb_section(row, options, written) if line == '@verbs'
                            else setting_item(row, written))
        else:
            yield line


def main(version, tables, xml, page):
    text = pathlib.Path(page).read_text('utf-8').replace('@version@', version)
    tables = json.loads(pathlib.Path(tables).read_text('utf-8'))
    for line in expand(iter(text.splitlines()), tables, xml):
        print(line)


main(*sys.argv[1:])
