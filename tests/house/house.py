# SPDX-License-Identifier: LGPL-2.1-or-later
"""The house stands as it was drawn: no room can include a header from above or beside it.

For every room the preprocessor is asked, with exactly the flags that the build gives to that
room's own sources, which headers it finds: none of a room that it must not know; all of its own,
which proves that the flags, and so the answers, are real. Each of these compiles by itself: the
build has shown it of one that its own source includes before anything else.

    house.py BUILD SOURCE
"""
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'session'))
from tap import equal, fact, main, note, true  # noqa: E402

# each room, and the rooms whose headers it may include beside its own; what is not here is shut
ROOMS = {
    'daemon/base': [],
    'daemon/content': ['daemon/base'],
    'daemon/transfer': ['daemon/base'],
    'daemon/archive': ['daemon/base', 'daemon/content'],
    'daemon/store/include/command': [],
    'daemon/store/include': [],
    'daemon/store': ['daemon/base', 'daemon/content', 'daemon/archive', 'daemon/store/include/command',
                     'daemon/store/include'],
    'daemon/selection/include': [],
    'daemon/selection': ['daemon/base', 'daemon/content', 'daemon/selection/include'],
    'daemon/thumbnail': ['daemon/base', 'daemon/content'],
    'daemon/history/include': [],
    'daemon/history': ['daemon/base', 'daemon/content', 'daemon/transfer', 'daemon/archive',
                       'daemon/store/include/command', 'daemon/store/include',
                       'daemon/selection/include', 'daemon/history/include'],
    'daemon/lock': [],
    'daemon/bus/include': [],
    'daemon/bus': ['daemon/bus/include', 'daemon/lock', 'daemon/base', 'daemon/content', 'daemon/transfer', 'daemon/archive',
                   'daemon/store/include/command', 'daemon/store/include', 'daemon/selection/include',
                   'daemon/history/include'],
    'client': ['daemon/base', 'daemon/content', 'daemon/transfer', 'daemon/archive',
               'daemon/store/include/command'],
    'client/library': [],
    'client/window': ['client', 'client/library', 'daemon/lock'],
}

# who has to start fast, and so does without GIO (a folder, or how the name of a file begins)
WITHOUT_GIO = ['daemon/base', 'daemon/content', 'daemon/archive', 'daemon/store/read',
               'daemon/store/include/command', 'daemon/store/repair/clip-check',
               'daemon/store/repair/clip-report', 'daemon/store/db/clip-statements',
               'daemon/store/db/clip-read-sql', 'daemon/store/blob/clip-hash',
               'daemon/store/blob/clip-blob-file', 'daemon/store/compat/clip-bolt',
               'daemon/store/compat/clip-db-file',
               'daemon/transfer/clip-pump.']

# the folders of the command, which have one include path: each may include those before it
CLIENT = ['print', 'command', 'pick', 'remote', 'scratch', 'repair', 'import', 'key', 'desktop',
          'verbs']

BUILD = pathlib.Path(sys.argv.pop(1)).resolve()
SOURCE = pathlib.Path(sys.argv.pop(1)).resolve()


def room_of(path):
    """The innermost room that a file lies in."""
    parents = [str(parent) for parent in pathlib.PurePath(path).parents]
    return next((parent for parent in parents if parent in ROOMS), None)


# programs that the build itself runs: they take sources of several rooms, and are not installed
OF_THE_BUILD = ['client/print-tables.p']


def compile_commands():
    """(path below the source folder, object below the build folder, words of the command)"""
    for entry in json.loads((BUILD / 'compile_commands.json').read_text()):
        if os.path.dirname(entry['output']) in OF_THE_BUILD:
            continue
        path = os.path.relpath(os.path.join(entry['directory'], entry['file']), SOURCE)
        if not path.startswith('..'):
            yield path, BUILD / entry['output'], shlex.split(entry['command'])


def flags_of(words):
    """Compiler and flags, without the file that is compiled and those that are written."""
    kept, words = [], iter(words)
    for word in words:
        if word in ('-o', '-MF', '-MQ', '-c'):
            next(words)
        elif word != '-MD':
            kept.append(word)
    return tuple(kept)


def room_flags():
    """room -> the different sets of flags that its sources are compiled with"""
    flags = {}
    for path, output, words in compile_commands():
        own = str(output.parent.relative_to(BUILD))
        kept = tuple(w for w in flags_of(words) if w != f'-I{own}')
        if room_of(path):
            flags.setdefault(room_of(path), set()).add(kept)
    return flags


def headers():
    found = {}
    for top in ('daemon', 'client'):
        for path in sorted((SOURCE / top).rglob('*.h')):
            room = room_of(path.relative_to(SOURCE))
            if room:
                found.setdefault(room, []).append(path.name)
    return found


def compiles(flags, header):
    """Whether a file that only includes this header compiles, and what the compiler said."""
    with tempfile.NamedTemporaryFile('w', suffix='.c', dir=BUILD) as file:
        file.write(f'#include "{header}"\n')
        file.flush()
        done = subprocess.run([*flags, '-fsyntax-only', file.name], cwd=BUILD,
                              capture_output=True, text=True, check=False)
    return done.returncode == 0, done.stderr


def is_first(room, header):
    """Whether the source of the same name includes it before anything else."""
    name = pathlib.Path(header).with_suffix('.c').name
    source = next((SOURCE / room).rglob(name), None)
    first = re.search(r'^#\s*include\s*(\S+)', source.read_text(), re.M) if source else None
    return bool(first) and first[1] == f'"{header}"'


def seen(flags, names):
    """Those of the headers that a source with these flags could include."""
    lines = [f'#if __has_include("{name}")\nseen {name}\n#endif\n' for name in names]
    with tempfile.NamedTemporaryFile('w', suffix='.c', dir=BUILD) as file:
        file.writelines(lines)
        file.flush()
        done = subprocess.run([*flags, '-E', '-P', file.name], cwd=BUILD, capture_output=True,
                              text=True, check=True)
    return [line.split()[1] for line in done.stdout.splitlines() if line.startswith('seen ')]


def check_room(room, flag_sets, all_headers):
    own = all_headers.get(room, [])
    for flags in flag_sets:
        equal(seen(flags, own), own, f'headers of its own that {room} can include')
        for other in ROOMS:
            if other != room and other not in ROOMS[room]:
                equal(seen(flags, all_headers.get(other, [])), [],
                      f'headers of {other} that {room} can include')
    for header in (name for name in own if not is_first(room, name)):
        good, words = compiles(min(flag_sets), header)
        true(good, f'{header} of {room} needs another one before it: {words}')


def sources_of(places):
    for top in ('daemon', 'client'):
        for path in sorted((SOURCE / top).rglob('*.[ch]')):
            name = str(path.relative_to(SOURCE))
            if any(name.startswith(place) for place in places):
                yield name, path.read_text()


def exported_by_gio():
    folder = subprocess.run(['pkg-config', '--variable=libdir', 'gio-2.0'], text=True,
                            capture_output=True, check=True).stdout.strip()
    return symbols('-D', '--defined-only', f'{folder}/libgio-2.0.so')


def symbols(*args):
    done = subprocess.run(['nm', '--format=posix', *args], text=True, capture_output=True,
                          check=True)
    return {line.split()[0].split('@')[0] for line in done.stdout.splitlines() if line}


def register_rooms():
    all_headers = headers()
    for room, flag_sets in room_flags().items():
        def check(room=room, flag_sets=flag_sets):
            check_room(room, flag_sets, all_headers)
            note(f'{len(flag_sets)} sets of flags')
        fact(f'/house/{room}/sees-only-what-is-below')(check)


@fact('/house/every-room-is-built')
def every_room_is_built():
    empty = [room for room in ROOMS if not any((SOURCE / room).rglob('*.c'))]
    note(f'without a source: {empty}')
    equal(sorted(room_flags()), sorted(set(ROOMS) - set(empty)), 'rooms')


@fact('/house/no-include-climbs-out-of-its-folder')
def no_include_climbs():
    for name, text in sources_of(['daemon', 'client']):
        true(not re.search(r'#\s*include\s*"(\.\./|/)', text), f'{name} includes by path')


@fact('/house/client/no-folder-includes-a-later-one')
def client_is_in_order():
    folders = {path.name: path.parent.name for path in (SOURCE / 'client').glob('*/*.h')}
    for name, text in sources_of([f'client/{folder}/' for folder in CLIENT]):
        later = CLIENT[CLIENT.index(pathlib.Path(name).parent.name) + 1:]
        included = re.findall(r'#\s*include\s*"([^"/]+)"', text)
        equal([header for header in included if folders.get(header) in later], [],
              f'{name} includes')


@fact('/house/what-starts-fast-includes-no-gio')
def includes_no_gio():
    for name, text in sources_of(WITHOUT_GIO):
        true(not re.search(r'#\s*include\s*<gio/', text), f'{name} includes GIO')


@fact('/house/what-starts-fast-calls-no-gio')
def calls_no_gio():
    gio = exported_by_gio()
    true('g_task_new' in gio, 'the symbols of GIO are known')
    objects = [(p, o) for p, o, _ in compile_commands()
               if any(p.startswith(place) for place in WITHOUT_GIO)]
    true(objects, 'there are objects to look at')
    for path, output in objects:
        equal(sorted(symbols('-u', str(output)) & gio), [], f'GIO symbols in {path}')


register_rooms()
main()
