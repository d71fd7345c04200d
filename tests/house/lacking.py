# SPDX-License-Identifier: LGPL-2.1-or-later
"""What it may be built without is left out where it is missing: lacking.py SOURCE"""
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'session'))
from tap import equal, fact, main  # noqa: E402

SOURCE = pathlib.Path(sys.argv.pop(1))


def configure(folder, missing):
    """meson where pkg-config does not know what is missing."""
    known = folder / 'pkgconfig'
    known.mkdir()
    places = os.environ.get('PKG_CONFIG_LIBDIR') or subprocess.run(
        ['pkg-config', '--variable=pc_path', 'pkg-config'], stdout=subprocess.PIPE, check=True, text=True).stdout
    for place in places.strip().split(':'):
        for path in pathlib.Path(place).glob('*.pc'):
            if path.stem != missing and not (known / path.name).exists():
                (known / path.name).symlink_to(path)
    return subprocess.run(['meson', 'setup', '-Dtests=false', folder / 'build', SOURCE], stdout=subprocess.PIPE,
                          env=os.environ | {'PKG_CONFIG_LIBDIR': str(known), 'PKG_CONFIG_PATH': ''},
                          check=False, text=True)


@fact('/house/without-xkbcommon-it-is-built-without-wayland')
def without_xkbcommon():
    with tempfile.TemporaryDirectory() as folder:
        done = configure(pathlib.Path(folder), 'xkbcommon')
    equal(done.returncode, 0, f'exit status of meson: {done.stdout[-500:]}')
    lines = [line.split() for line in done.stdout.splitlines() if 'Wayland' in line]
    equal([line[-1] for line in lines], ['NO'], 'what its summary says')


main()
