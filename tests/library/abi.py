# SPDX-License-Identifier: LGPL-2.1-or-later
"""The binary interface of the library is the one that is written down in libcliphist.abi: what was
there stays as it was, and what is new is written down, too.

    abi.py SOURCE BUILD             compares
    abi.py --write SOURCE BUILD     writes it down anew
"""
import contextlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'session'))
from tap import Missing, fact, main, true  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
STORED = HERE / 'libcliphist.abi'
WRITES = '--write' in sys.argv
if WRITES:
    sys.argv.remove('--write')
SOURCE, BUILD = (pathlib.Path(sys.argv.pop(1)).resolve() for _ in range(2))


def run(*argv, **options):
    done = subprocess.run(list(map(str, argv)), text=True, capture_output=True, check=False,
                          **options)
    return done.returncode, done.stdout + done.stderr


def need_debian_12():
    """Another compiler or libabigail describes the same library in other words."""
    with contextlib.suppress(OSError):
        system = dict(line.rstrip().split('=', 1) for line in open('/etc/os-release') if '=' in line)
        if (system.get('ID'), system.get('VERSION_ID')) == ('debian', '"12"') and \
                os.uname().machine == 'x86_64':
            if shutil.which('abidw'):
                return
            raise Missing('abigail-tools is not installed')
    raise Missing('the interface is described for Debian 12 on amd64')


def describe(folder):
    """Built apart: with all that debuggers read, and without what sanitizers add."""
    library, words = folder / 'libcliphist.so.0', folder / 'libcliphist.abi'
    _, flags = run('pkg-config', '--cflags', '--libs', 'gio-unix-2.0')
    status, said = run(
        'gcc', '-shared', '-fPIC', '-g', '-O0', '-std=gnu11', '-D_GNU_SOURCE', f'-I{SOURCE}',
        f'-I{BUILD}', *sorted(SOURCE.glob('*.c')), BUILD / 'cliphist-enums.c', *flags.split(),
        f'-Wl,--version-script={SOURCE / "cliphist.map"}', '-o', library)
    true(status == 0, said)
    status, said = run(
        'abidw', '--headers-dir', SOURCE, '--exported-interfaces-only', '--drop-private-types',
        '--no-show-locs', '--no-comp-dir-path', '--no-corpus-path', '--no-elf-needed',
        '--out-file', words, library)
    true(status == 0, said)
    words.write_text(re.sub(r"(path=')[^']*/", r'\1', words.read_text()))
    return words


@fact('/library/the-interface-is-the-one-that-is-written-down')
def is_written_down():
    need_debian_12()
    with tempfile.TemporaryDirectory() as folder:
        status, said = run('abidiff', STORED, describe(pathlib.Path(folder)))
    true(status == 0, f'{said}\nif nothing that was there has changed: abi.py --write')


if WRITES:
    with tempfile.TemporaryDirectory() as scratch:
        shutil.copy(describe(pathlib.Path(scratch)), STORED)
else:
    main()
