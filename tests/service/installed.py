# SPDX-License-Identifier: LGPL-2.1-or-later
"""What is installed for a desktop, as the tools of the desktops see it: installed.py BUILD SOURCE

No daemon runs here: the tools read the files, with the paths of the build in them.
"""
import configparser
import contextlib
import json
import os
import pathlib
import pty
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from xml.etree import ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'session'))
from session import Broken, need  # noqa: E402
from tap import Missing, equal, fact, main, note, true  # noqa: E402

BUILD = pathlib.Path(sys.argv.pop(1)).resolve()
SOURCE = pathlib.Path(sys.argv.pop(1)).resolve()
UNIT = BUILD / 'data' / 'systemd' / 'cliphistd.service'
ACTIVATION = BUILD / 'data' / 'activation' / 'org.cliphist.History1.service'
AUTOSTART = BUILD / 'data' / 'desktop' / 'autostart' / 'org.cliphist.Cliphist.desktop'
DESKTOP = BUILD / 'data' / 'desktop'
FOR_KWIN = DESKTOP / 'org.cliphist.Cliphistd.desktop'
PACKAGES = SOURCE / 'data' / 'packages'
APPLICATION = 'org.cliphist.Cliphist'
DAEMON = BUILD / 'daemon' / 'cliphistd'
GENERATORS = ('/usr/lib/systemd/user-generators', '/lib/systemd/user-generators')


def keys(path):
    """The groups of a unit or desktop file; of a key that comes again all values."""
    class Values(dict):
        def __setitem__(self, key, value):
            if isinstance(value, list) and key in self:
                self[key].extend(value)
            else:
                super().__setitem__(key, value)
    parser = configparser.RawConfigParser(dict_type=Values, strict=False, delimiters='=',
                                          comment_prefixes='#')
    parser.optionxform = str
    parser.read_string(path.read_text())
    return parser


def run(*argv, env=None):
    done = subprocess.run([need(argv[0]), *map(str, argv[1:])], capture_output=True, text=True,
                          env={**os.environ, **(env or {})}, check=False, timeout=60)
    words = (done.stdout + done.stderr).strip()
    if done.returncode:
        raise Broken(f'{argv[0]}: exit {done.returncode}: {words}')
    return words


def analyze(folder, *words):
    """systemd-analyze for a user's units; it wants a runtime directory, but no manager."""
    run_dir = pathlib.Path(folder) / 'run'
    run_dir.mkdir(mode=0o700, exist_ok=True)
    return run('systemd-analyze', '--user', *words, env={'XDG_RUNTIME_DIR': str(run_dir)})


@fact('/service/systemd-finds-nothing-wrong-with-the-unit')
def the_unit_is_verified():
    with tempfile.TemporaryDirectory() as folder:
        unit = pathlib.Path(folder) / UNIT.name
        start = keys(UNIT)['Service']['ExecStart']
        unit.write_text(UNIT.read_text().replace(start, str(DAEMON)))
        words = analyze(folder, 'verify', '--man=no', unit)
        mine = [line for line in words.splitlines() if UNIT.name in line]
        equal(mine, [], 'complaints')


@fact('/service/what-the-unit-must-not-have')
def the_unit_has_no_ceiling():
    service = keys(UNIT)['Service']
    refused = [key for key in service
               if key.startswith(('Memory', 'Private', 'Protect', 'CapabilityBoundingSet'))]
    equal(refused, [], 'keys that a user manager cannot grant, or that a clip would meet')
    equal(service['Slice'], 'app.slice', 'slice')


@fact('/service/what-is-exposed-is-measured')
def exposure():
    with tempfile.TemporaryDirectory() as folder:
        words = analyze(folder, 'security', '--offline=yes', '--no-pager', '--threshold=100', UNIT)
    note(words.splitlines()[-1])
    true('SystemCallFilter=~@privileged' in words, 'the system calls were looked at')
    # bubblewrap, which some images are decoded in, makes namespaces
    if 'RestrictNamespaces' in keys(UNIT)['Service']:
        for line in words.splitlines():
            true('@privileged' not in line or line.startswith('✓'), line)


@fact('/service/the-bus-starts-the-unit')
def activation_names_the_unit():
    group = keys(ACTIVATION)['D-BUS Service']
    service = keys(UNIT)['Service']
    equal(group['SystemdService'], UNIT.name, 'unit')
    equal(group['Name'], service['BusName'], 'name on the bus')
    equal(group['Exec'], service['ExecStart'], 'program')


@fact('/service/the-autostart-entry-is-valid')
def autostart_is_valid():
    equal(run('desktop-file-validate', AUTOSTART), '', 'complaints')
    equal(keys(AUTOSTART)['Desktop Entry']['Exec'], keys(UNIT)['Service']['ExecStart'], 'program')


@fact('/service/systemd-makes-no-second-unit-of-the-autostart-entry')
def autostart_is_skipped():
    generator = next((path for path in (f'{folder}/systemd-xdg-autostart-generator'
                                        for folder in GENERATORS) if os.path.exists(path)), None)
    true(generator, 'systemd-xdg-autostart-generator is missing: install the package systemd')
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name in ('autostart', 'normal', 'early', 'late'):
            (root / name).mkdir()
        text = AUTOSTART.read_text().replace(keys(AUTOSTART)['Desktop Entry']['TryExec'], str(DAEMON))
        (root / 'autostart' / 'skipped.desktop').write_text(text)
        (root / 'autostart' / 'made.desktop').write_text(text.replace('X-systemd-skip=true', ''))
        run(generator, root / 'normal', root / 'early', root / 'late',
            env={'XDG_CONFIG_HOME': str(root), 'XDG_CONFIG_DIRS': str(root / 'none')})
        made = sorted({path.name for path in (root / 'late').rglob('app-*.service')})
    equal(made, ['app-made@autostart.service'], 'units')


@fact('/service/the-entry-of-the-menu-is-valid')
def menu_entry_is_valid():
    equal(run('desktop-file-validate', DESKTOP / f'{APPLICATION}.desktop'), '', 'complaints')
    group = keys(DESKTOP / f'{APPLICATION}.desktop')['Desktop Entry']
    equal(group['Icon'], APPLICATION, 'icon')
    equal(group['Icon'], keys(AUTOSTART)['Desktop Entry']['Icon'], 'icon of the autostart entry')


@fact('/service/kwin-finds-the-daemon-by-its-path')
def entry_for_kwin_is_valid():
    equal(run('desktop-file-validate', FOR_KWIN), '', 'complaints')
    group = keys(FOR_KWIN)['Desktop Entry']
    equal(group['Exec'], keys(UNIT)['Service']['ExecStart'], 'program')
    equal(group['NoDisplay'], 'true', 'whether no menu shows it')
    equal(group['X-KDE-Wayland-Interfaces'], 'org_kde_plasma_window_management', 'what it may see')


@fact('/service/the-entries-of-desktops-are-translated')
def entries_are_translated():
    languages = [line for line in (SOURCE / 'po' / 'LINGUAS').read_text().splitlines() if line[:1] != '#']
    for path in (AUTOSTART, DESKTOP / f'{APPLICATION}.desktop', FOR_KWIN,
                 BUILD / 'data' / 'search' / f'{APPLICATION}.desktop'):
        group = keys(path)['Desktop Entry']
        for language in languages:
            for key in ('Name', 'Comment'):
                true(group.get(f'{key}[{language}]'), f'{path.parent.name}: {key} in {language}')


@fact('/service/the-metainfo-is-valid')
def metainfo_is_valid():
    path = DESKTOP / f'{APPLICATION}.metainfo.xml'
    done = subprocess.run([need('appstreamcli'), 'validate', '--no-net', '--no-color', path],
                          capture_output=True, text=True, check=False, timeout=60)
    true('Validation' in done.stdout, done.stdout + done.stderr)
    # the project has no page of its own, which newer ones ask for
    equal([line for line in done.stdout.splitlines() if re.match('[EW]:', line)
           and not line.endswith(': url-homepage-missing')], [], 'complaints')
    root = ElementTree.parse(path).getroot()
    equal(root.findtext('id'), APPLICATION, 'id')
    version = run(BUILD / 'daemon' / 'cliphistd', '--version').split()[-1]
    equal(root.find('releases/release').get('version'), version, 'version')


@fact('/service/the-icons-are-there-and-square')
def icons_are_square():
    for name, side in ((APPLICATION, 128), (f'{APPLICATION}-symbolic', 16)):
        root = ElementTree.parse(SOURCE / 'data' / 'icons' / f'{name}.svg').getroot()
        equal(root.get('viewBox'), f'0 0 {side} {side}', f'view of {name}')
        true(len(root) > 0, f'{name} shows something')


def settings_with(config):
    """Every setting, as the command has it with this file."""
    done = subprocess.run([BUILD / 'client' / 'cliphist', '-config-path', config, 'version'],
                          capture_output=True, text=True, check=True, timeout=60,
                          env={'PATH': os.environ['PATH'], 'HOME': '/nonexistent'})
    return [line for line in done.stderr.splitlines() if not line.startswith(('config-path', 'db-path'))]


@fact('/service/the-sample-configuration-says-the-defaults')
def sample_is_the_defaults():
    sample = (BUILD / 'data' / 'configuration' / 'config').read_text()
    settings = json.loads((BUILD / 'client' / 'tables.json').read_text())['settings']
    lines = [line[1:] for line in sample.splitlines() if line.startswith('#') and line[1:2] not in ' ']
    equal(lines, [f'{row["name"]} {row["default"] or row["value"]}' for row in settings], 'keys')
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / 'config'
        path.write_text('\n'.join(line for line in lines if '-path' not in line) + '\n')
        taken, bare = settings_with(path), settings_with(path.with_name('none'))
        true(len(taken) > 5, taken)
        equal(taken, bare, 'settings')
        path.write_text(sample)
        equal(settings_with(path), bare, 'settings of the file as it is')


@fact('/service/the-sample-configuration-is-plain-text')
def sample_is_plain():
    sample = (BUILD / 'data' / 'configuration' / 'config').read_text()
    words = ' '.join(line.removeprefix('# ') for line in sample.splitlines())
    equal(re.findall(r'\.[A-Z][a-z]\b.*|\\.*', sample), [], 'what only a manual page is made of')
    equal(re.findall(r'cliphist[\w-]* \d', words), [], 'pages without parentheses')
    true('Where notify is off this is, too.' in words, words)
    true('see cliphist-dbus(5).' in words and 'the installed cliphistd(8) alone' in words, words)


@fact('/service/the-debian-package-has-the-version-of-the-program')
def package_version():
    first = (PACKAGES / 'debian' / 'changelog').read_text().splitlines()[0]
    version = run(DAEMON, '--version').split()[-1]
    true(f'({version}-' in first, f'{first} of {version}')


@fact('/service/a-program-that-no-list-names-is-missing')
def undeclared_is_missing():
    if not shutil.which('dpkg-query'):
        raise Missing('which package has a program: asked on Debian alone')
    with tempfile.TemporaryDirectory() as folder:
        packages = shutil.copytree(PACKAGES, pathlib.Path(folder) / 'packages')
        found = pathlib.Path(folder) / 'programs'
        run(packages / 'link-programs', found, 'tools', 'build', 'test')
        true((found / 'Xwayland').exists() and (found / 'gcc').exists(), 'what is named is there')
        names = packages / 'packages.txt'
        names.write_text(re.sub(r' xwayland\b', '', names.read_text()))
        run(packages / 'link-programs', found, 'tools', 'build', 'test')
        true((found / 'sway').exists() and not (found / 'Xwayland').exists(), 'Xwayland is missing')


@fact('/service/uninstall-takes-away-its-files-and-no-more')
def uninstalled():
    with tempfile.TemporaryDirectory() as folder:
        home = pathlib.Path(folder) / 'home'
        # alone it finds no file of ours that is for all users
        setup = shutil.copy(SOURCE / 'setup', folder)
        ours = [home / '.local' / 'bin' / 'cliphist', home / '.local' / 'share' / 'applications' / 'cliphist.desktop']
        theirs = home / '.local' / 'share' / 'theirs'
        settings = home / '.config' / 'cliphist' / 'config'
        manifest = home / '.local' / 'share' / 'cliphist' / 'installed-files'
        history = [home / '.cache' / 'cliphist' / 'db', home / '.local' / 'state' / 'cliphist' / 'history.db']
        # nobody's session: no bus, no manager
        env = {'HOME': str(home), 'XDG_RUNTIME_DIR': folder, 'DBUS_SESSION_BUS_ADDRESS': 'unix:path=/dev/null'}
        for others in ([history[0], settings, theirs, history[1]], []):
            for path in [*ours, *others, manifest]:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text('')
            manifest.write_text(''.join(f'{path}\n' for path in ours))
            clean = {key: value for key, value in os.environ.items()
                     if key not in ('XDG_DATA_HOME', 'XDG_CONFIG_HOME', 'XDG_STATE_HOME', 'XDG_CACHE_HOME', 'PREFIX')}
            done = subprocess.run(['sh', setup, 'uninstall'], env={**clean, **env}, capture_output=True,
                                  text=True, check=False, timeout=60)
            equal(done.returncode, 0, f'exit status: {done.stderr}')
            left = sorted(path for path in home.rglob('*') if not path.is_dir())
            equal(left, others, 'files that are left')
            equal('your settings' in done.stderr, bool(others), 'whether it says that they stay')
            # the daemon is gone that would empty the history once db is removed
            folders = f'{history[1].parent} {history[0].parent}' if others else history[1].parent
            true(f'what removes it:  rm -r {folders}\n' in done.stderr and 'empties' not in done.stderr,
                 done.stderr)
            for path in others:
                path.unlink()
                with contextlib.suppress(OSError):
                    os.removedirs(path.parent)
            home.mkdir(exist_ok=True)
        equal((home.is_dir(), list(home.iterdir())), (True, []), 'the home, which was empty before')


@fact('/service/uninstall-names-the-history-that-db-path-names')
def uninstalled_elsewhere():
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder)
        setup = shutil.copy(SOURCE / 'setup', folder)
        manifest = path / '.local' / 'share' / 'cliphist' / 'installed-files'
        program = path / '.local' / 'bin' / 'cliphist'
        for needed in (manifest, program):
            needed.parent.mkdir(parents=True)
        program.write_text(f'#!/bin/sh\n[ "$*" = "config db-path" ] && echo "{folder}/my hist"\n')
        program.chmod(0o755)
        manifest.write_text(f'{program}\n')
        (path / 'my hist.d').mkdir()
        env = {'HOME': folder, 'XDG_RUNTIME_DIR': folder, 'PREFIX': str(path / '.local'),
               'XDG_DATA_HOME': str(path / '.local' / 'share'), 'XDG_STATE_HOME': f'{folder}/state',
               'XDG_CACHE_HOME': f'{folder}/cache', 'DBUS_SESSION_BUS_ADDRESS': 'unix:path=/dev/null'}
        done = subprocess.run(['sh', setup, 'uninstall'], env={**os.environ, **env}, capture_output=True, text=True,
                              check=False, timeout=60)
        equal(done.returncode, 0, f'exit status: {done.stderr}')
        true(f"what removes it:  rm -r '{folder}/my hist.d' '{folder}/my hist'\n" in done.stderr, done.stderr)


# answers for the bus whose process has a name, and notes who was asked for
PLAYED_BUS = """#!/bin/sh
for name; do :; done
[ -e "$PIDS/$name" ] || exit 1
echo "$name" >>"$PIDS/asked"
echo "(uint32 $(cat "$PIDS/$name"),)"
"""


@fact('/service/uninstall-ends-the-window-before-the-daemon-that-it-would-start-anew')
def in_order():
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        path = pathlib.Path(folder)
        setup = shutil.copy(SOURCE / 'setup', folder)
        manifest = path / '.local' / 'share' / 'cliphist' / 'installed-files'
        manifest.parent.mkdir(parents=True)
        manifest.write_text('')
        played = path / 'bin' / 'gdbus'
        played.parent.mkdir()
        played.write_text(PLAYED_BUS)
        played.chmod(0o755)
        names = ['org.cliphist.Cliphist', 'org.cliphist.History1']
        # nobody's child, whose end nobody waits for
        for name in names:
            said = run('sh', '-c', 'sleep 60 >/dev/null 2>&1 & echo $!')
            (path / name).write_text(said)
            stack.callback(lambda pid=int(said): os.path.exists(f'/proc/{pid}') and os.kill(pid, signal.SIGTERM))
        env = {'HOME': folder, 'XDG_RUNTIME_DIR': folder, 'PIDS': folder, 'PREFIX': str(path / '.local'),
               'XDG_DATA_HOME': str(manifest.parent.parent), 'DBUS_SESSION_BUS_ADDRESS': 'unix:path=/dev/null',
               'PATH': f'{played.parent}:{os.environ["PATH"]}'}
        done = subprocess.run(['sh', setup, 'uninstall'], env={**os.environ, **env}, capture_output=True, text=True,
                              check=False, timeout=60)
        equal(done.returncode, 0, f'exit status: {done.stderr}')
        equal((path / 'asked').read_text().split(), names, 'the order')


PLAYED_SETTINGS = """#!/bin/sh
case $1 in get) cat "$PIDS/$3" ;; set) printf '%s' "$4" >"$PIDS/$3" ;; esac
"""
OF_A_PACKAGE = '/usr/share/gnome-shell/search-providers/org.cliphist.Cliphist.search-provider.ini'


@fact('/service/uninstall-switches-the-search-of-gnome-off')
def search_off():
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder)
        setup = shutil.copy(SOURCE / 'setup', folder)
        manifest = path / '.local' / 'share' / 'cliphist' / 'installed-files'
        played = path / 'bin' / 'gsettings'
        played.parent.mkdir()
        played.write_text(PLAYED_SETTINGS)
        played.chmod(0o755)
        env = {'HOME': folder, 'XDG_RUNTIME_DIR': folder, 'PIDS': folder, 'PREFIX': str(path / '.local'),
               'XDG_DATA_HOME': str(manifest.parent.parent), 'DBUS_SESSION_BUS_ADDRESS': 'unix:path=/dev/null',
               'PATH': f'{played.parent}:{os.environ["PATH"]}'}
        for before, after in (("['a.desktop', 'org.cliphist.Cliphist.desktop']", "['a.desktop']"),
                              ("['org.cliphist.Cliphist.desktop']", '[]'), ("['a.desktop']", "['a.desktop']")):
            if pathlib.Path(OF_A_PACKAGE).exists():
                after = before
            manifest.parent.mkdir(parents=True, exist_ok=True)
            manifest.write_text('')
            (path / 'enabled').write_text(before)
            done = subprocess.run(['sh', setup, 'uninstall'], env={**os.environ, **env}, capture_output=True, text=True,
                                  check=False, timeout=60)
            equal(done.returncode, 0, f'exit status: {done.stderr}')
            equal((path / 'enabled').read_text(), after, before)
            equal('search of GNOME' in done.stderr, before != after, f'whether it says so of {before}')


def set_up(folder, display, doctor='', stdin=subprocess.DEVNULL, services=()):
    """./setup where all that it calls is played; `doctor`: what that says; `services`: programs that start it."""
    path = pathlib.Path(folder)
    setup = shutil.copy(SOURCE / 'setup', folder)
    log = path / 'build-user' / 'meson-logs' / 'install-log.txt'
    log.parent.mkdir(parents=True)
    log.write_text('')
    for name in ('data/packages/install-packages', 'tests/build', 'tests/session/demo', 'bin/meson', 'bin/cliphist',
                 *services):
        played = path / name
        played.parent.mkdir(parents=True, exist_ok=True)
        played.write_text(f'#!/bin/sh\n[ "$1" != doctor ] || echo "{doctor}"\n')
        played.chmod(0o755)
    env = {'HOME': folder, 'XDG_RUNTIME_DIR': folder, 'XDG_DATA_HOME': str(path / 'share'), 'PREFIX': folder,
           'DBUS_SESSION_BUS_ADDRESS': 'unix:path=/dev/null', 'DISPLAY': display, 'WAYLAND_DISPLAY': '',
           'XDG_CURRENT_DESKTOP': '', 'PATH': f'{path}/bin:{os.environ["PATH"]}'}
    return subprocess.run(['sh', setup], env={**os.environ, **env}, capture_output=True, text=True, stdin=stdin,
                          check=False, timeout=60)


@fact('/service/what-setup-says-of-a-key-has-the-whole-path')
def whole_path():
    with tempfile.TemporaryDirectory() as folder:
        done = set_up(folder, '')
        equal(done.returncode, 0, f'exit status: {done.stderr}')
        true(f'{folder}/bin/cliphist insert tag:sig' in done.stderr, done.stderr)


@fact('/service/why-the-service-did-not-start-is-for-doctor-to-say')
def not_started():
    with tempfile.TemporaryDirectory() as folder:
        done = set_up(folder, ':93', 'missing   the newer version')
        equal(done.returncode, 1, f'exit status: {done.stderr}')
        true('missing   the newer version' in done.stderr and
             'the service did not start' in done.stderr, done.stderr)


@fact('/service/a-question-that-input-ends-at-is-a-no')
def input_ends():
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / 'config'
        file.write_text('')
        master, slave = pty.openpty()
        os.write(master, b'\x04')
        done = set_up(folder, ':93', f'at login   exec it\n  (a line of {file}, that starts the daemon)', slave,
                      ('bin/systemctl', 'bin/gdbus'))
        os.close(slave)
        os.close(master)
        equal(done.returncode, 0, f'exit status: {done.stderr}')
        true(f'This line does that, in {file}:' in done.stderr and 'What to do next:' in done.stderr, done.stderr)
        equal(file.read_text(), '', 'what was added')


@fact('/service/what-is-not-installed-cannot-be-uninstalled')
def not_installed():
    with tempfile.TemporaryDirectory() as folder:
        setup = shutil.copy(SOURCE / 'setup', folder)
        env = {'HOME': folder, 'XDG_DATA_HOME': f'{folder}/share'}
        done = subprocess.run(['sh', setup, 'uninstall'], env={**os.environ, **env}, capture_output=True, text=True,
                              check=False, timeout=60)
        equal((done.returncode, done.stderr),
              (1, f'setup: not installed by this: there is no {folder}/share/cliphist/installed-files\n'), 'what it says')


main()
