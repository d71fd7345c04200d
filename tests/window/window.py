# SPDX-License-Identifier: LGPL-2.1-or-later
"""The window on a desktop: window.py openbox|bare|sway|kwin|gnome all|own [PART/PARTS] [FACT...]

`own`: only what a desktop may do in its own way; the rest is the same on each.
"""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE / 'facts'), str(HERE.parent / 'session')]
import opening  # noqa: E402, F401
import searching  # noqa: E402, F401
import choosing  # noqa: E402, F401
import pasting  # noqa: E402, F401
import deleting  # noqa: E402, F401
import editing  # noqa: E402, F401
import previewing  # noqa: E402, F401
import pages  # noqa: E402, F401
import daemonless  # noqa: E402, F401
import looks  # noqa: E402, F401
from tap import main  # noqa: E402

main()
