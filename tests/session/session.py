# SPDX-License-Identifier: LGPL-2.1-or-later
"""A private session for one test: folders, a bus, a display, the daemon.

    with Session('sway') as session:
        session.start_daemon()
        session.run('wl-copy', 'hello')

Everything lives in one scratch folder and sees nothing of the machine's own session: the
environment is made here, not inherited. Whatever is started below us ends with us, by its pid:
we are the subreaper of all that forks into the background, what we start ourselves dies with
us even when we are killed, and the scratch folder goes last.

Nothing here sleeps for luck: until() looks at a fact until it is true or its time is up.
"""
import contextlib
import ctypes
import itertools
import os
import pathlib
import select
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
BUS_NAME = 'org.cliphist.History1'
BUS_PATH = '/org/cliphist/History1'

NOBODY = 65534
PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36

# the Debian package of each program that a session may need, for the message when it is missing
PACKAGES = {
    'Xvfb': 'xvfb',
    'Xwayland': 'xwayland',
    'dbus-daemon': 'dbus-daemon',
    'dmenu': 'suckless-tools',
    'busctl': 'systemd',
    'gdbus': 'libglib2.0-bin',
    'gjs': 'gjs',
    'gnome-shell': 'gnome-shell',
    'grim': 'grim',
    'mako': 'mako-notifier',
    'mkfs.btrfs': 'btrfs-progs',
    'mkfs.ext4': 'e2fsprogs',
    'mkfs.xfs': 'xfsprogs',
    'mount': 'mount',
    'setpriv': 'util-linux',
    'unshare': 'util-linux',
    'strace': 'strace',
    'sway': 'sway',
    'wl-copy': 'wl-clipboard',
    'wl-paste': 'wl-clipboard',
    'wtype': 'wtype',
    'xclip': 'xclip',
    'xsel': 'xsel',
}

# what the programs of a session may know of the world outside: how they are to be checked
INHERITED = ('ASAN_OPTIONS', 'LSAN_OPTIONS', 'UBSAN_OPTIONS', 'TSAN_OPTIONS', 'G_DEBUG',
             'G_SLICE', 'LD_LIBRARY_PATH')

BUS_CONFIG = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
  "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:path={socket}</listen>
  <auth>EXTERNAL</auth>
  <servicedir>{services}</servicedir>
  <policy context="default">
    <allow own="*"/>
    <allow send_destination="*"/>
    <allow receive_sender="*"/>
  </policy>
</busconfig>
"""

SWAY_CONFIG = """xwayland {xwayland}
output HEADLESS-1 resolution 1280x720 position 0 0
default_border none
focus_follows_mouse no
exec printf '%s\\n%s\\n' "$WAYLAND_DISPLAY" "$DISPLAY" >{ready}.part && mv {ready}.part {ready}
"""

_libc = ctypes.CDLL(None, use_errno=True)
_servers = itertools.count()  # that this process has started


class Broken(Exception):
    """The session itself does not work; the message is the whole story."""
    plain = True


def need(program):
    """The path of a program, or a failure that says which package brings it."""
    path = shutil.which(program)
    if not path:
        package = PACKAGES.get(program, program)
        raise Broken(f'{program} is missing: install the package {package}')
    return path


def until(fact, what, seconds=60, pause=0.005):
    """Looks until fact() is neither None nor false, and returns it."""
    end = time.monotonic() + seconds
    while True:
        value = fact()
        if value or time.monotonic() > end:
            break
        select.select([], [], [], pause)
    if not value:
        raise Broken(f'{what}: not within {seconds} s')
    return value


def tied():
    """What a child of ours does first (preexec_fn): from then on it dies with us."""
    parent = os.getpid()

    def tie():
        _libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != parent:
            os._exit(127)
    return tie


def _stat(pid):
    """State and parent of a process, or None when it has gone."""
    try:
        fields = pathlib.Path(f'/proc/{pid}/stat').read_text().rpartition(')')[2].split()
    except OSError:
        return None
    return fields[0], int(fields[1])


def cpu_seconds(pid):
    """Processor time that a process has used."""
    words = pathlib.Path(f'/proc/{pid}/stat').read_text().rpartition(')')[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf('SC_CLK_TCK')


def descendants(pid):
    """Every living process below pid, the closest first."""
    children = {}
    for name in os.listdir('/proc'):
        found = _stat(name) if name.isdigit() else None
        if found:
            children.setdefault(found[1], []).append((int(name), found[0]))
    below, level = [], [pid]
    while level:
        found = [child for parent in level for child in children.get(parent, [])]
        # one whose first thread has ended, and not yet the others, still has its children
        level = [child for child, _ in found]
        below += [child for child, state in found if state != 'Z']
    return below


def running():
    """The names of all that this process has started, or those that it has started."""
    files = [pathlib.Path(f'/proc/{pid}/comm') for pid in descendants(os.getpid())]
    return [file.read_text().strip() for file in files if file.exists()]


def _reap(pid):
    try:
        return os.waitpid(pid, os.WNOHANG)[0] == pid
    except ChildProcessError:
        return False  # not a child of ours: its own parent does it


def _gone(pid):
    _reap(pid)
    found = _stat(pid)
    return not found or found[0] == 'Z'


def _signal_all(pids, number):
    for pid in pids:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, number)


def end_all(pids, seconds=5):
    """Ends processes, with force after a while."""
    _signal_all(pids, signal.SIGTERM)
    try:
        until(lambda: all([_gone(pid) for pid in pids]), 'processes have ended', seconds)
    except Broken:
        _signal_all(pids, signal.SIGKILL)
        until(lambda: all([_gone(pid) for pid in pids]), 'killed processes are gone', 20)


def listens(path):
    """Whether somebody accepts connections: a socket lies there before that."""
    with socket.socket(socket.AF_UNIX) as client:
        return client.connect_ex(str(path)) == 0


def plain_user():
    """What starts a program as nobody. New credentials forget the tie to the parent, so it is
    tied again."""
    return [need('setpriv'), f'--reuid={NOBODY}', f'--regid={NOBODY}', '--clear-groups',
            '--pdeathsig', 'KILL', '--']


def without_root():
    """What starts a program that gives up when it finds that it is root: as nobody in a user namespace.
    Seen from outside it is still our own user."""
    if os.geteuid() != 0:
        return []
    return [need('unshare'), '--user', f'--map-user={NOBODY}', f'--map-group={NOBODY}', '--']


def scratch_parent():
    """Where a session lives: on a disk rather than in memory, since clips of 1 GiB come by."""
    for folder in (os.environ.get('TMPDIR'), '/var/tmp', '/tmp'):
        if folder and os.access(folder, os.W_OK | os.X_OK):
            return folder
    raise Broken('neither $TMPDIR nor /var/tmp nor /tmp can be written')


class Programs:
    """The project's own programs: those of a build folder, or installed ones."""

    def __init__(self, build=None, prefix=None):
        build = build or os.environ.get('CLIP_TEST_BUILD')
        if prefix:
            root = pathlib.Path(prefix).resolve()
            self.cliphist = root / 'bin' / 'cliphist'
            self.cliphistd = root / 'libexec' / 'cliphistd'
            self.libexec = [root / 'libexec']
        elif build:
            root = pathlib.Path(build).resolve()
            self.cliphist = root / 'client' / 'cliphist'
            self.cliphistd = root / 'daemon' / 'cliphistd'
            self.libexec = [root / 'client', root / 'daemon']
        else:
            raise Broken('CLIP_TEST_BUILD does not name a build folder')
        self.compositor = root / 'tests' / 'compositor' / 'test-compositor'
        self.tools = root / 'tests' / 'cmd'
        self.copier = root / 'tests' / 'display' / 'x11-copier'
        self.hoarder = root / 'tests' / 'attacks' / 'hoarder'
        self.offerer = root / 'tests' / 'attacks' / 'x11-offerer'


class Session:
    """display is 'none', 'x11' (Xvfb), 'sway' (wlr-data-control), 'sway-x11' (with Xwayland), 'ext' and
    'wlr' (the tests' own compositor), 'kwin', 'gnome' and 'gnome-xwayland' (GNOME Shell, without and
    with an X server); 'new-kwin', 'new-sway', 'new-gnome' and 'new-gnome-xwayland' are those of a newer
    system, in a tree below /var/lib/machines."""

    patience = 5  # seconds that a program gets to end by itself

    def __init__(self, display='none', bus=True, programs=None):
        self.display = display
        self.has_bus = bus
        self.programs = programs
        self.started = []
        self.daemon = None

    def __enter__(self):
        _libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix='cliphist-', dir=scratch_parent()))
        try:
            self._open()
        except BaseException:
            self.__exit__(*sys.exc_info())
            raise
        return self

    def __exit__(self, kind, error, trace):
        if error and not isinstance(error, SystemExit):
            self._show_logs()
        self.close()

    def _open(self):
        self._make_environment()
        if self.has_bus:
            self._start_bus()
        self.start_display()

    def close(self):
        """Ends what was left in the background, then what we started, the last one first."""
        servers = [process.pid for process in self.started]
        self._end([pid for pid in descendants(os.getpid()) if pid not in servers])
        for process in reversed(self.started):
            self._end([process.pid])
            process.poll()
        self._end(descendants(os.getpid()))
        shutil.rmtree(self.folder, ignore_errors=True)

    def _end(self, pids):
        end_all(pids, self.patience)

    def _make_environment(self):
        names = {'HOME': 'home', 'XDG_RUNTIME_DIR': 'run', 'XDG_CONFIG_HOME': 'config',
                 'XDG_DATA_HOME': 'data', 'XDG_STATE_HOME': 'state', 'XDG_CACHE_HOME': 'cache',
                 'TMPDIR': 'tmp'}  # wl-copy leaves there what it offered
        for name in [*names.values(), 'log', 'services']:
            (self.folder / name).mkdir(mode=0o700)
        self.env = {key: os.environ[key] for key in INHERITED if key in os.environ}
        self.env.update({key: str(self.folder / name) for key, name in names.items()})
        self.env.update({
            'PATH': os.environ.get('PATH', os.defpath),
            'LANG': 'C.UTF-8',
            'LC_ALL': 'C.UTF-8',
            'XDG_DATA_DIRS': '/usr/local/share:/usr/share',
            'GSETTINGS_BACKEND': 'memory',
            'GTK_A11Y': 'none',
            'NO_AT_BRIDGE': '1',
        })
        if self.programs:
            self.env['CLIPHIST_LIBEXEC'] = ':'.join(map(str, self.programs.libexec))

    # processes

    def start(self, *argv, name=None, env=None, **options):
        """Starts a server of this session. Its words go into log/NAME."""
        name = name or pathlib.Path(argv[0]).name
        with open(self.folder / 'log' / name, 'ab') as log:
            options.setdefault('stdout', log)
            options.setdefault('stdin', subprocess.DEVNULL)
            process = subprocess.Popen(
                [need(argv[0]), *map(str, argv[1:])], env={**self.env, **(env or {})},
                stderr=log, cwd=self.folder, preexec_fn=tied(), **options)
        process.log_name = name
        self.started.append(process)
        return process

    def stop(self, process, seconds=60):
        """Asks a server to end, and returns its exit status (negative: the signal)."""
        self.started.remove(process)
        process.terminate()
        try:
            return process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise Broken(f'{process.log_name} did not end within {seconds} s') from None

    def kill(self, process):
        self.started.remove(process)
        process.kill()
        return process.wait()

    def run(self, *argv, data=None, seconds=60, check=True, env=None, **options):
        """Runs a program in the session to its end; its output are bytes."""
        options.setdefault('stdout', subprocess.PIPE)
        options.setdefault('stderr', subprocess.PIPE)
        if 'stdin' not in options:
            options['input'] = data if data is not None else b''
        done = subprocess.run([need(argv[0]), *map(str, argv[1:])], timeout=seconds,
                              env={**self.env, **(env or {})}, cwd=self.folder,
                              preexec_fn=tied(), **options)
        if check and done.returncode != 0:
            words = (done.stderr or b'').decode(errors='replace').strip()
            raise Broken(f'{" ".join(map(str, argv))[:200]}: exit {done.returncode}: {words}')
        return done

    def log(self, name):
        path = self.folder / 'log' / name
        return path.read_text(errors='replace') if path.exists() else ''

    def _show_logs(self):
        for path in sorted((self.folder / 'log').glob('*')):
            for line in path.read_text(errors='replace').splitlines()[-30:]:
                print(f'# {path.name}: {line}', flush=True)

    def _alive(self, process):
        if process.poll() is not None:
            raise Broken(f'{process.log_name} ended with status {process.returncode}')

    def wait_for(self, process, fact, what, seconds=60):
        """until(), but a server that has ended ends the waiting."""
        def look():
            value = fact()
            if not value:
                self._alive(process)
            return value
        return until(look, what, seconds)

    # the bus

    def _start_bus(self):
        need('dbus-daemon')
        address = self.folder / 'run' / 'bus'
        config = self.folder / 'bus.conf'
        config.write_text(BUS_CONFIG.format(socket=address, services=self.folder / 'services'))
        process = self.start('dbus-daemon', f'--config-file={config}', '--nofork',
                             '--nopidfile', '--nosyslog')
        self.wait_for(process, lambda: listens(address), 'the bus is there')
        self.env['DBUS_SESSION_BUS_ADDRESS'] = f'unix:path={address}'

    def make_activatable(self, name, *argv):
        """Lets the bus start a program for a name."""
        (self.folder / 'services' / f'{name}.service').write_text(
            f'[D-BUS Service]\nName={name}\nExec={" ".join(map(str, argv))}\n')
        self.call('org.freedesktop.DBus', '/org/freedesktop/DBus', 'org.freedesktop.DBus.ReloadConfig')

    def share_environment(self, *names):
        """Tells the bus what the programs that it starts are to see."""
        pairs = ', '.join(f"'{name}': '{self.env[name]}'" for name in names)
        self.call('org.freedesktop.DBus', '/org/freedesktop/DBus',
                  'org.freedesktop.DBus.UpdateActivationEnvironment', '{' + pairs + '}')

    def call(self, dest, path, method, *args, check=True):
        """A call as text, for what a test asks of the bus now and then."""
        done = self.run('gdbus', 'call', '--session', '--dest', dest, '--object-path', path,
                        '--method', method, *args, check=check)
        return done.stdout.decode()

    def shown_by_mako(self):
        """The words of what is on the screen: what its own command prints differs by version."""
        return self.run('busctl', '--user', '--json=short', 'call', 'org.freedesktop.Notifications',
                        '/fr/emersion/Mako', 'fr.emersion.Mako', 'ListNotifications').stdout.decode()

    def has_owner(self, name):
        return 'true' in self.call('org.freedesktop.DBus', '/org/freedesktop/DBus',
                                   'org.freedesktop.DBus.NameHasOwner', name)

    def get_property(self, name):
        return self.call(BUS_NAME, BUS_PATH, 'org.freedesktop.DBus.Properties.Get',
                         BUS_NAME, name, check=False)

    # displays

    def start_display(self):
        """Starts the display; again, under the same name, when it has been killed."""
        start = {'none': lambda: None, 'x11': self._start_xvfb, 'sway': self._start_sway,
                 'sway-x11': self._start_sway_and_xwayland,
                 'ext': self._start_compositor, 'wlr': self._start_compositor,
                 'kwin': self._start_kwin, 'new-kwin': self._start_kwin,
                 'new-sway': self._start_new_sway,
                 'gnome': self._start_gnome, 'gnome-xwayland': self._start_gnome,
                 'new-gnome': self._start_gnome, 'new-gnome-xwayland': self._start_gnome}
        self.server = start[self.display]()

    x_options = ()
    checks_permissions = False  # KWin: whom it tells what

    def _start_xvfb(self):
        reader, writer = os.pipe()
        # that of a server that has gone is left to it: the lowest one that is free would be another test's next
        wanted = self.env.get('DISPLAY') or f':{100 + (128 * os.getpid() + next(_servers)) % 50000}'
        try:
            process = self.start('Xvfb', wanted, '-displayfd', str(writer), '-screen', '0',
                                 '1280x720x24', '-nolisten', 'tcp', '-noreset',
                                 *self.x_options,
                                 pass_fds=[writer])
        finally:
            os.close(writer)
        with os.fdopen(reader, 'rb', buffering=0) as pipe:
            number = self.first_line(pipe, 'Xvfb')
        self._alive(process)
        self.env.update({'DISPLAY': f':{number}', 'GDK_BACKEND': 'x11',
                         'XDG_SESSION_TYPE': 'x11'})
        return process

    def _start_sway_and_xwayland(self):
        need('Xwayland')
        process = self._start_sway(xwayland='enable')
        words = (self.folder / 'run' / 'sway.ready').read_text().split()
        self.env['DISPLAY'] = words[1]
        return process

    def open_xwayland(self):
        """Has sway start Xwayland, which ends with its last client: this one stays."""
        number = self.env['DISPLAY'].removeprefix(':')
        self.client = socket.socket(socket.AF_UNIX)
        self.client.settimeout(60)
        try:
            self.client.connect(f'/tmp/.X11-unix/X{number}')
            self.client.sendall(struct.pack('<BxHHHHxx', ord('l'), 11, 0, 0, 0))
            answer = self.client.recv(1)
        except OSError as error:
            raise Broken(f'Xwayland does not answer: {error}') from error
        if answer != b'\1':
            raise Broken('Xwayland refuses')

    def _start_sway(self, xwayland='disable'):
        need('sway')
        run = self.folder / 'run'
        ready, config, ipc = run / 'sway.ready', run / 'sway.conf', run / 'sway'
        config.write_text(SWAY_CONFIG.format(ready=ready, xwayland=xwayland))
        ready.unlink(missing_ok=True)
        process = self.start(
            *without_root(), need('sway'), '-c', config, name='sway',
            env={'WLR_BACKENDS': 'headless', 'WLR_RENDERER': 'pixman',
                 'WLR_LIBINPUT_NO_DEVICES': '1', 'XDG_CURRENT_DESKTOP': 'sway',
                 'SWAYSOCK': str(ipc), 'HOME': str(run)})
        self.wait_for(process, ready.exists, 'sway is ready')
        self.use_wayland(ready.read_text().split()[0])
        self.env['SWAYSOCK'] = str(ipc)
        return process

    def _start_kwin(self):
        import compositors  # only a few have it installed
        return compositors.start_kwin(self, self.display == 'new-kwin')

    def _start_new_sway(self):
        import compositors
        return compositors.start_new_sway(self, SWAY_CONFIG)

    def _start_gnome(self):
        import gnome  # only a few have it installed
        return gnome.start(self, xwayland='xwayland' in self.display, is_new='new' in self.display)

    def _start_compositor(self):
        # it ends with its standard input, which takes the commands of tests (script.c)
        process = self.start(self.programs.compositor, f'--protocol={self.display}',
                             name='compositor', stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        line = self.first_line(process.stdout, 'test-compositor')
        self.use_wayland(line.removeprefix('WAYLAND_DISPLAY='))
        return process

    def tell_compositor(self, words):
        """Gives the tests' own compositor a command; what it answers after "ok"."""
        os.write(self.server.stdin.fileno(), words.encode() + b'\n')
        answer = self.first_line(self.server.stdout, 'test-compositor')
        if not answer.startswith('ok'):
            raise Broken(f'test-compositor: {words[:80]}: {answer}')
        return answer[3:]

    def use_wayland(self, name):
        self.env.update({'WAYLAND_DISPLAY': name, 'GDK_BACKEND': 'wayland',
                         'XDG_SESSION_TYPE': 'wayland'})

    @staticmethod
    def first_line(pipe, who, seconds=60):
        line = b''
        end = time.monotonic() + seconds
        while not line.endswith(b'\n'):
            left = max(0, end - time.monotonic())
            if not select.select([pipe], [], [], left)[0]:
                raise Broken(f'{who} is not ready after {seconds} s')
            more = os.read(pipe.fileno(), 256)
            if not more:
                raise Broken(f'{who} ended before it was ready')
            line += more
        return line.decode().strip()

    # the daemon

    def start_daemon(self, *wrapper, env=None, seconds=60):
        """Starts the daemon, perhaps under a wrapper (strace), and waits for its name."""
        self.daemon = self.start(*wrapper, self.programs.cliphistd, name='cliphistd', env=env)
        self.wait_for(self.daemon, lambda: self.has_owner(BUS_NAME),
                      'cliphistd owns its name', seconds)
        return self.daemon

    def wait_backend(self, name, seconds=60):
        """Waits until the daemon watches a display of a kind: 'ext', 'wlr', 'x11'. A newer sway has
        'ext' where an older one has 'wlr'."""
        names = ('wlr', 'ext') if name == 'wlr' and self.display.startswith('sway') else (name,)

        def watched():
            backends = self.get_property('Backends')
            return any(f"'{each}'" in backends for each in names)
        return until(watched, f'the daemon watches {name}', seconds)

    def cliphist(self, *args, **options):
        return self.run(self.programs.cliphist, *args, **options)

    def listed(self, *options):
        """What `cliphist list` prints: nothing where nothing was ever stored, which it says."""
        done = self.cliphist('list', *options, check=False)
        if done.returncode and b'please store something first' not in done.stderr:
            raise Broken(f'list: exit {done.returncode}: {done.stderr!r}')
        return done.stdout
