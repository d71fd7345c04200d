# SPDX-License-Identifier: LGPL-2.1-or-later
"""A real `systemd --user` for one test, on a machine that may have been started by anything else.

    enter()                       # once, before anything else: systemd wants its folder in /run
    with Manager('wlr') as session:
        session.systemctl('start', 'test-session.target')

Only root can do that, where the kernel lets it: else every Manager is Missing, and says why.

The manager brings the session bus with it, and sees only the units that are written here and the
ones that systemd and D-Bus install for every user. It has a cgroup of its own: without one, a
manager that root runs takes every process of ours into a group of its own.
"""
import os
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'session'))
from session import Session, listens, need, until  # noqa: E402
from tap import Missing  # noqa: E402

MARK = pathlib.Path('/run/systemd/system')
GROUPS = pathlib.Path('/sys/fs/cgroup')
UNIT = 'cliphistd.service'

# systemd looks for MARK; of mixed groups, of both versions, it is shown the two trees that it needs
# to track its units, as it would take its processes out of all the others
ENTER = r'''
mount -t tmpfs tmpfs /run/systemd && mkdir /run/systemd/system || exit 1
mkdir -p /run/log && mount -t tmpfs tmpfs /run/log || exit 1
c=/sys/fs/cgroup
if [ -d $c/unified ] && [ -d $c/systemd ]; then
  mkdir /run/systemd/one /run/systemd/two &&
  mount --bind $c/systemd /run/systemd/one && mount --bind $c/unified /run/systemd/two &&
  mount -t tmpfs tmpfs $c && mkdir $c/systemd $c/unified &&
  mount --move /run/systemd/one $c/systemd && mount --move /run/systemd/two $c/unified || exit 1
fi
exec "$@"
'''

SESSION_TARGET = """[Unit]
Description=A session, as a compositor makes one
BindsTo=graphical-session.target
Before=graphical-session.target
"""


def _trees():
    """The roots of the control groups that systemd tracks its units in."""
    unified = (GROUPS / 'cgroup.controllers').exists()
    return [GROUPS] if unified else [GROUPS / 'systemd', GROUPS / 'unified']


def _refusal():
    """Why there can be no manager of our own here, or None."""
    if os.geteuid() != 0:
        return 'a service manager of its own needs root'
    unshared = subprocess.run([need('unshare'), '--mount', '--propagation', 'private', 'true'],
                              check=False, capture_output=True)
    if unshared.returncode != 0:
        return f'a mount namespace is refused: {unshared.stderr.decode().strip()}'
    for tree in _trees():
        if not os.access(tree, os.W_OK) or os.statvfs(tree).f_flag & os.ST_RDONLY:
            return f'{tree}: no control group can be made here'
    return None


def enter(alone=False):
    """Goes on in a mount namespace where systemd finds what it looks for, even where it would find
    that anyway, if it is to be ALONE there: without the machine's own journal."""
    entered = os.environ.pop('CLIP_ENTERED', None)
    if not entered and _refusal():
        return
    if not MARK.is_dir() or (alone and not entered):
        os.environ['CLIP_ENTERED'] = '1'
        MARK.parent.mkdir(exist_ok=True)
        os.execv(need('unshare'), ['unshare', '--mount', '--propagation', 'private', '--', '/bin/sh',
                                   '-c', ENTER, 'sh', sys.executable, *sys.orig_argv[1:]])


class Manager(Session):
    """A session whose programs are started by systemd, from the unit of a build."""

    def __init__(self, display, programs, build):
        refusal = _refusal()
        if refusal:
            raise Missing(refusal)
        super().__init__(display, bus=False, programs=programs)
        self.data = pathlib.Path(build) / 'data'
        self.groups = []

    def _open(self):
        super()._open()
        self.env['XDG_DATA_DIRS'] = str(self.folder / 'none')
        self.daemon_path = self.folder / 'libexec' / 'cliphistd'
        self.daemon_path.parent.mkdir()
        shutil.copy2(self.programs.cliphistd, self.daemon_path)
        self._write_units()
        self._start_manager()

    def _installed(self, path):
        """A file of the build, with our copy of the daemon in it."""
        lines = path.read_text().splitlines(keepends=True)
        start = next(line for line in lines if line.startswith(('Exec=', 'ExecStart=')))
        wanted = f'{start.partition("=")[0]}={self.daemon_path}\n'
        return ''.join(wanted if line == start else line for line in lines)

    def _write_units(self):
        units = self.folder / 'data' / 'systemd' / 'user'
        services = self.folder / 'data' / 'dbus-1' / 'services'
        units.mkdir(parents=True)
        services.mkdir(parents=True)
        (units / UNIT).write_text(self._installed(self.data / 'systemd' / UNIT))
        (units / 'test-session.target').write_text(SESSION_TARGET)
        name = 'org.cliphist.History1.service'
        (services / name).write_text(self._installed(self.data / 'activation' / name))
        self.autostart = self.folder / 'autostart.desktop'
        self.autostart.write_text(self._installed(self.data / 'desktop' / 'autostart' / 'org.cliphist.Cliphist.desktop'))

    def _start_manager(self):
        self.groups = [tree / self.folder.name for tree in _trees()]
        for group in self.groups:
            group.mkdir()
        # what a sanitizer cannot do in a sandbox: look at itself from outside
        self.env['ASAN_OPTIONS'] = 'detect_leaks=0'
        join = 'while [ "$1" != -- ]; do echo $$ >"$1/cgroup.procs" || exit 1; shift; done; shift; exec "$@"'
        process = self.start('/bin/sh', '-c', join, 'sh', *self.groups, '--',
                             '/lib/systemd/systemd', '--user', name='systemd',
                             env={'SYSTEMD_LOG_TARGET': 'console'})
        bus = self.folder / 'run' / 'bus'
        self.wait_for(process, lambda: bus.exists() and listens(bus), 'the manager has a bus')
        self.wait_for(process, self._is_up, 'the manager is up')
        self.env['DBUS_SESSION_BUS_ADDRESS'] = f'unix:path={bus}'

    def _is_up(self):
        done = self.systemctl('is-system-running', check=False)
        return done.stdout.strip() in (b'running', b'degraded')

    def close(self):
        if self.env.get('DBUS_SESSION_BUS_ADDRESS'):
            self.systemctl('stop', UNIT, check=False)
        super().close()
        for group in self.groups:
            for folder, _, _ in os.walk(group, topdown=False):
                until(lambda folder=folder: _removed(folder), f'{folder} is empty')

    # what a test asks

    def systemctl(self, *words, check=True):
        return self.run('systemctl', '--user', *words, check=check)

    def value(self, key):
        """A property of our unit."""
        return self.systemctl('show', '--value', f'--property={key}', UNIT).stdout.decode().strip()

    def is_active(self):
        return self.value('ActiveState') == 'active'

    def pid(self):
        return int(self.value('MainPID'))

    def begin(self):
        """The unit is enabled, and a graphical session begins."""
        self.systemctl('enable', UNIT)
        self.systemctl('start', 'test-session.target')
        return until(lambda: self.is_active() and self.pid(), 'the session starts the daemon')


def _removed(folder):
    try:
        os.rmdir(folder)
    except OSError:
        return False
    return True


