# SPDX-License-Identifier: LGPL-2.1-or-later
"""Makes the completions of a shell from the tables of the command.

    completions.py TABLES cliphist.SHELL.in >…

The line `@tables@` of the file stands for functions in the language of that shell: which verbs
and flags there are, which options a verb has, and what kind of word stands in which place. How
words of a kind are found is written in the file itself.
"""
import json
import pathlib
import re
import sys

def kinds(words):
    """`[FILE [ID…]]` as FILE ID*: the kind of each place; * for all places from there on."""
    words = re.sub(r'\|?\s*<\s*[A-Z]+', '', words)
    words = re.sub(r'[][]', ' ', words).split()
    return [word.split('|')[0].replace('…', '*') for word in words]


def values(row):
    """What the value of an option or a flag is: words to choose from, or their kind."""
    if row['choices']:
        return row['choices']
    parts = row['value'].split('|')
    return ' '.join(parts) if parts[0].islower() else parts[0]


def quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


class Posix:
    """bash and zsh: a function is a `case` that prints."""

    def function(self, name, cases):
        yield f'{name}() {{'
        yield '  case $1 in'
        for case, text in cases:
            yield f'    {case}) printf "%s\\n" {" ".join(map(quoted, text))} ;;'
        yield '  esac'
        yield '}'

    def list(self, name, items):
        yield f'{name}() {{'
        for item in items:
            yield f'  printf "%s\\n" {quoted(item)}'
        yield '}'


class Fish:
    def _quoted(self, text):
        return "'" + text.replace('\\', '\\\\').replace("'", "\\'") + "'"

    def function(self, name, cases):
        yield f'function {name}'
        yield '    switch $argv[1]'
        for case, text in cases:
            yield '        case ' + ' '.join(case.split('|'))
            yield '            printf "%s\\n" ' + ' '.join(map(self._quoted, text))
        yield '    end'
        yield 'end'

    def list(self, name, items):
        yield f'function {name}'
        for item in items:
            yield f'    printf "%s\\n" {self._quoted(item)}'
        yield 'end'


def functions(tables, shell):
    options = {row['name']: row for row in tables['options']}
    verbs = tables['verbs']
    yield from shell.list('__cliphist_verbs',
                          [f'{row["name"]}\t{row["summary"]}' for row in verbs])
    yield from shell.list('__cliphist_flags',
                          [f'-{row["name"]}\t{row["summary"]}' for row in tables['settings']])
    yield from shell.function('__cliphist_kinds', [
        (row['name'], kinds(row['words'])) for row in verbs if kinds(row['words'])])
    yield from shell.function('__cliphist_options', [
        (row['name'], [f'--{name}\t{options[name]["summary"]}' for name in row['options']])
        for row in verbs])
    yield from shell.function('__cliphist_values', [
        *((f'--{row["name"]}', values(row).split()) for row in tables['options']
          if row['value']),
        *((f'-{row["name"]}|--{row["name"]}', values(row).split())
          for row in tables['settings'] if not row['switch'])])


def main(tables, source):
    text = pathlib.Path(source).read_text('utf-8')
    tables = json.loads(pathlib.Path(tables).read_text('utf-8'))
    shell = Fish() if source.endswith('.fish.in') else Posix()
    print(text.replace('@tables@', '\n'.join(functions(tables, shell))), end='')


main(*sys.argv[1:])
