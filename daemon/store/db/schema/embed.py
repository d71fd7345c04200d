# SPDX-License-Identifier: LGPL-2.1-or-later
"""Prints the scripts given as arguments as C strings: schema_history is history.sql."""

import json
import pathlib
import sys

print("/* SPDX-License-Identifier: LGPL-2.1-or-later */")
for path in map(pathlib.Path, sys.argv[1:]):
    print(f"static const char schema_{path.stem.replace('-', '_')}[] =")
    for line in path.read_text(encoding="ascii").splitlines(keepends=True):
        statement = line.split("--")[0].rstrip()
        if statement:
            print("  " + json.dumps(statement + "\n"))
    print("  ;")
