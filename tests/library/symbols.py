# SPDX-License-Identifier: LGPL-2.1-or-later
"""What the headers declare, what the map names, and what the library gives are the same functions.

    symbols.py LIBRARY SOURCE
"""
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'session'))
from tap import equal, fact, main, note, true  # noqa: E402

LIBRARY, SOURCE = (pathlib.Path(sys.argv.pop(1)).resolve() for _ in range(2))
VERSION = 'LIBCLIPHIST_0'
MOST_FUNCTIONS = 60
NOT_INSTALLED = ('cliphist-call.h', 'cliphist-private.h', 'cliphist-rows.h', 'cliphist-stream.h')


def mapped():
    text = (SOURCE / 'cliphist.map').read_text()
    true(f'{VERSION} {{' in text, 'the map names the version')
    return sorted(re.findall(r'^  (cliphist_\w+);$', text, re.M))


def declared():
    functions, types = set(), set()
    for path in SOURCE.glob('*.h'):
        if path.name in NOT_INSTALLED:
            continue
        text = path.read_text()
        functions |= set(re.findall(r'\b(cliphist_\w+) \(', text))
        # the enumerations have theirs in a header that is generated
        types |= set(re.findall(r'^} Cliphist(\w+);$', text, re.M))
    return sorted(functions | {f'cliphist_{snake(name)}_get_type' for name in types})


def snake(name):
    return re.sub(r'(?<=[a-z])(?=[A-Z])', '_', name).lower()


def exported():
    done = subprocess.run(['nm', '-D', '--defined-only', '--with-symbol-versions', LIBRARY],
                          text=True, capture_output=True, check=True)
    names = [line.split()[-1] for line in done.stdout.splitlines()]
    return sorted(name for name in names if name != f'{VERSION}@@{VERSION}' and name != VERSION)


@fact('/library/headers-and-map')
def headers_and_map():
    equal(mapped(), declared(), 'functions of the map')


@fact('/library/map-and-library')
def map_and_library():
    equal(exported(), [f'{name}@@{VERSION}' for name in mapped()], 'functions of the library')


@fact('/library/at-most-60-functions')
def few_functions():
    note(f'{len(mapped())} functions')
    true(len(mapped()) <= MOST_FUNCTIONS, f'{len(mapped())} functions')


@fact('/library/every-function-is-documented')
def documented():
    text = ''.join(path.read_text() for path in SOURCE.glob('*.c'))
    equal([name for name in mapped()
           if not name.endswith('_get_type') and f'\n * {name}:\n' not in text], [], 'without')


main()
