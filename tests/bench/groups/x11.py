# SPDX-License-Identifier: LGPL-2.1-or-later
"""How quick a copy may follow another on X11, where what was replaced cannot be asked for.

One program copies short texts and waits for nobody; what is missing in the list was lost.
"""
from rows import Figure

DISPLAY = 'x11'

COPIES = 1000


def lost(bench, pace_us):
    bench.session.cliphist('wipe')
    bench.session.run(*bench.tool('x11-copies', COPIES, pace_us), seconds=120)
    return COPIES - len(bench.session.cliphist('list').stdout.splitlines())


def rows(bench):
    bench.session.wait_backend('x11')
    for pace_us in (10_000, 5_000, 2_000, 1_000):
        figure = Figure(f'lost of {COPIES:,} copies, {pace_us / 1000:g} ms apart', 'copies',
                        most=0 if pace_us >= 5_000 else None)
        figure.values = [lost(bench, pace_us) for _ in range(3)]
        yield [figure]
