# SPDX-License-Identifier: LGPL-2.1-or-later
"""Prints the schema steps given as arguments as one C array, in their order."""

import json
import pathlib
import sys

print("/* SPDX-License-Identifier: LGPL-2.1-or-later */")
print("static const char *const schema_steps[] = {")
for number, path in enumerate(map(pathlib.Path, sys.argv[1:]), start=1):
    if int(path.name[:3]) != number:
        sys.exit(f"{path.name}: expected step {number:03}")
    print(f"  /* {path.name} */")
    for line in path.read_text(encoding="ascii").splitlines(keepends=True):
        statement = line.split("--")[0].rstrip()
        if statement:
            print("  " + json.dumps(statement + "\n"))
    print("  ,")
print("};")
