# SPDX-License-Identifier: LGPL-2.1-or-later
"""What the unit says at the highest level, as a real journald has it: journal.py BUILD [FACT...]

As root: the journal is one of this test alone, in a mount namespace.
"""
import contextlib
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
from usermanager import UNIT, Manager, enter  # noqa: E402

enter(alone=True)

sys.path.insert(0, str(HERE.parent / 'display'))
from cage import (CANARY, LOUD, Cage, capture, check_logs, move, said_of_it,  # noqa: E402
                  use)
from session import Programs  # noqa: E402
from tap import equal, fact, main, true  # noqa: E402

BUILD = pathlib.Path(sys.argv.pop(1)).resolve()
PROGRAMS = Programs(BUILD)
JOURNALD = '/lib/systemd/systemd-journald'
SOCKETS = pathlib.Path('/run/systemd/journal')
# nothing of the kernel's, and nothing is left out because there is much of it
CONFIGURATION = """[Journal]
Storage=volatile
ReadKMsg=no
Audit=no
ForwardToWall=no
RateLimitIntervalSec=0
MaxLevelStore=debug
"""


class Journal(Manager):
    """A manager whose units write into a journal, and ours says everything."""

    def _start_manager(self):
        folder = SOCKETS.with_name('journald.conf.d')
        folder.mkdir(exist_ok=True)
        (folder / 'test.conf').write_text(CONFIGURATION)
        SOCKETS.mkdir(exist_ok=True)
        pathlib.Path('/run/log/journal').mkdir(exist_ok=True)
        journald = self.start(JOURNALD, name='journald')
        self.wait_for(journald, lambda: (SOCKETS / 'stdout').exists() and
                      (SOCKETS / 'socket').exists(), 'the journal is open')
        super()._start_manager()

    def _write_units(self):
        super()._write_units()
        folder = self.folder / 'data' / 'systemd' / 'user' / f'{UNIT}.d'
        folder.mkdir()
        words = ' '.join(f'"{key}={value}"' for key, value in LOUD.items())
        (folder / 'loud.conf').write_text(f'[Service]\nEnvironment={words}\n')

    def journal(self):
        """All of it, every field of every message."""
        self.run('journalctl', '--sync')
        return self.run('journalctl', '--directory=/run/log/journal', '--output=export',
                        '--all').stdout

    def log(self, name):
        if name != 'cliphistd':
            return super().log(name)
        return self.journal().decode(errors='replace')


@contextlib.contextmanager
def cage():
    with Journal('x11', PROGRAMS, BUILD) as session:
        session.begin()
        session.wait_backend('x11')
        yield Cage(session)


@fact('/service/the-journal-has-nothing-of-what-is-copied')
def nothing_in_the_journal():
    with cage() as c:
        capture(c)
        move(c, use(c))
        c.session.systemctl('stop', UNIT)
        journal = c.session.journal()
        true(b'\nPRIORITY=7\n' in journal, 'even what is said for debugging is there')
        true(b'\nGLIB_DOMAIN=clip-history\n' in journal, 'the daemon says it there')
        equal([line for line in journal.split(b'\n') if CANARY.encode() in line], [],
              'lines of the journal')
        check_logs(c)
        equal(said_of_it(c), [], 'the words')


main()
