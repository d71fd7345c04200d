#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The names of the tests that wait for something to become true, a line each: waiting.py BUILD

They are the ones that a slow machine can break. To see them hold, run them a few times beside some busy loops:

    meson test -C build --no-rebuild -t 5 $(tests/house/waiting.py build)
"""
import json
import pathlib
import re
import subprocess
import sys

BUILD = sys.argv[1]
WAITS = re.compile(r'\b(until|wait_until|wait_for\w*)\s*\(')


def introspect(what):
    said = subprocess.run(['meson', 'introspect', f'--{what}', BUILD], stdout=subprocess.PIPE, check=True)
    return json.loads(said.stdout)


def sources():
    """By the path of a program: the C files that it is made of."""
    return {target['filename'][0]: [path for part in target['target_sources'] for path in part['sources']]
            for target in introspect('targets') if target['type'] == 'executable'}


def main():
    made_of = sources()
    for test in introspect('tests'):
        files = [path for word in test['cmd'] for path in made_of.get(word, [word])]
        texts = [pathlib.Path(path).read_text(errors='replace') for path in files
                 if path.endswith(('.c', '.py')) and pathlib.Path(path).is_file()]
        if any(WAITS.search(text) for text in texts):
            print(test['name'])


main()
