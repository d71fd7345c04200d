# SPDX-License-Identifier: LGPL-2.1-or-later
"""What another program of the same user sees of a daemon from outside. For a user who is not root:
root becomes nobody.

    look.py BUILD
"""
import ctypes
import os
import pathlib
import sys

if os.geteuid() == 0:
    os.execvp('setpriv', ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups',
                          sys.executable, *sys.argv])

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'session'))
from session import Programs, Session  # noqa: E402
from tap import equal, fact, main, true  # noqa: E402

PROGRAMS = Programs(sys.argv.pop(1))
PTRACE_ATTACH = 16


def is_refused(look):
    try:
        look()
    except PermissionError:
        return True
    return False


def attach(pid):
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.ptrace(PTRACE_ATTACH, pid, None, None) < 0:
        raise OSError(ctypes.get_errno(), 'ptrace')


@fact('/attack/look/nobody-looks-into-the-daemon')
def nobody_looks():
    with Session('none', programs=PROGRAMS) as session:
        pid = session.start_daemon().pid
        session.cliphist('store', data=b'word')
        for name in ('mem', 'maps', 'environ', 'smaps', 'auxv'):
            true(is_refused(lambda: open(f'/proc/{pid}/{name}', 'rb').close()), name)
        for name in ('exe', 'cwd', 'root'):
            true(is_refused(lambda: os.readlink(f'/proc/{pid}/{name}')), name)
        true(is_refused(lambda: os.listdir(f'/proc/{pid}/fd')), 'fd')
        true(is_refused(lambda: attach(pid)), 'ptrace')


@fact('/attack/look/no-core-and-no-privileges-outside-the-unit-either')
def no_core():
    with Session('none', programs=PROGRAMS) as session:
        folder = pathlib.Path(f'/proc/{session.start_daemon().pid}')
        true('\nNoNewPrivs:\t1\n' in (folder / 'status').read_text(), 'no new privileges')
        core = next(line for line in (folder / 'limits').read_text().splitlines()
                    if line.startswith('Max core file size'))
        equal(core.split()[4:6], ['0', '0'], 'limit of core files')


main()
