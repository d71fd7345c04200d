# SPDX-License-Identifier: LGPL-2.1-or-later
"""The shape of what is in the house: a function fits a screen, and a name is used once, so that a
reader finds his way by names alone. A file is as long as its noun.

    shape.py SOURCE
"""
import collections
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'session'))
from tap import Missing, equal, fact, main, true  # noqa: E402

SOURCE = pathlib.Path(sys.argv.pop(1)).resolve()

FOLDERS = ('daemon', 'client', 'tests')
WRITTEN = ('.c', '.h', '.def', '.py', '.sql', '.t', '.build')

LONGEST_FUNCTION = 60  # lines
LONGEST_LINE = 90  # columns; what clang-format breaks is code, not comments


def files(*suffixes):
    """(path below the source folder, its lines)"""
    for folder in FOLDERS:
        for path in sorted((SOURCE / folder).rglob('*')):
            if path.is_file() and (path.suffix in suffixes or path.name in suffixes):
                yield path.relative_to(SOURCE), path.read_text().splitlines()


def functions(lines):
    """(the number of the line that a function's body begins in, how many it has)"""
    start = None
    for number, line in enumerate(lines, 1):
        if line == '{':
            start = number
        elif line.startswith('}'):
            if start and line == '}':
                yield start, number - start + 1
            start = None


@fact('/shape/no-function-is-longer-than-60-lines')
def no_long_function():
    found = [(path, start, n) for path, lines in files('.c') for start, n in functions(lines)]
    true(found, 'there are functions to look at')
    equal([f'{path}:{start}: {n}' for path, start, n in found if n > LONGEST_FUNCTION], [],
          'longer functions')


@fact('/shape/no-line-is-longer-than-90-columns')
def no_long_line():
    found = [(path, number, len(line)) for path, lines in files('.c', '.h')
             for number, line in enumerate(lines, 1)]
    true(found, 'there are lines to look at')
    equal([f'{path}:{number}: {n}' for path, number, n in found if n > LONGEST_LINE], [],
          'longer lines')


@fact('/shape/every-file-names-its-licence')
def every_file_names_its_licence():
    equal([str(path) for path, lines in files(*WRITTEN)
           if not any('SPDX-License-Identifier: LGPL-2.1-or-later' in line for line in lines[:3])],
          [], 'files without')


@fact('/shape/no-name-of-a-source-is-used-twice')
def no_name_twice():
    names = collections.Counter(path.name for path, _ in files('.c', '.h'))
    equal([name for name, n in names.items() if n > 1], [], 'names')


# what a type is defined by: its members, or its arguments
TYPE = re.compile(r'^(?:\} (Clip\w+);|struct _?(Clip\w+)\n\{|typedef [^;{(]*\(\*(Clip\w+)\))', re.M)


@fact('/shape/no-type-is-named-twice')
def no_type_twice():
    names = collections.Counter()
    for path, lines in files('.c', '.h'):
        names.update(a or b or c for a, b, c in TYPE.findall('\n'.join(lines)))
    true(names, 'there are types to look at')
    equal([name for name, n in names.items() if n > 1], [], 'types')


def formatter():
    """clang-format of the version that .clang-format was written for: others see it otherwise."""
    version = re.search(r'# clang-format (\d+)', (SOURCE / '.clang-format').read_text())[1]
    for program in (f'clang-format-{version}', 'clang-format'):
        if shutil.which(program):
            said = subprocess.run([program, '--version'], capture_output=True, text=True,
                                  check=True).stdout
            if f'version {version}.' in said:
                return program
    raise Missing(f'clang-format {version}')


def parts(name):
    """What has to be written somewhere for a fact of that name: facts are named in pieces."""
    head, _, tail = name.rpartition('/')
    return [part for part in tail.split('…') if part] or [head + '/']


@fact('/shape/each-test-that-security-names-is-there')
def tests_are_there():
    named = re.findall(r'`(/[a-z0-9-]+/[^`]+)`', (SOURCE / 'SECURITY.md').read_text())
    # a transcript's name has its blanks, and no path
    written = '\n'.join(line for path, lines in files('.c', '.py', '.t') for line in lines
                        if path.parts[0] == 'tests').replace(' ', '-')
    true(len(named) > 30, 'there are names to look for')
    equal([name for name in named if not all(part in written for part in parts(name))], [],
          'names of no test')


@fact('/shape/sources-are-formatted')
def sources_are_formatted():
    program = formatter()
    paths = [str(path) for path, _ in files('.c', '.h')]
    true(paths, 'there are files to look at')
    done = subprocess.run([program, '-n', *paths], cwd=SOURCE, capture_output=True, text=True,
                          check=True)
    equal(sorted(set(re.findall(r'^(\S+?):\d+:\d+: warning', done.stderr, re.M))), [],
          f'files that `{program} -i` changes')


main()
