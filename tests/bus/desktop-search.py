# SPDX-License-Identifier: LGPL-2.1-or-later
"""What GNOME Shell and KRunner find in the history, asked as they ask.

    desktop-search.py DATA THUMBNAILS

DATA is data/search, THUMBNAILS yes where the build has the program that makes them.
"""
import configparser
import contextlib
import io
import json
import os
import pathlib
import subprocess
import sys
import tarfile
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'session'))
from clients import png  # noqa: E402
from session import BUS_NAME, BUS_PATH, Programs, Session, until  # noqa: E402
from tap import equal, fact, main, true  # noqa: E402

import gi  # noqa: E402
gi.require_version('Gio', '2.0')
from gi.repository import Gio, GLib  # noqa: E402

DATA = pathlib.Path(sys.argv.pop(1))
THUMBNAILS = sys.argv.pop(1) == 'yes'
PROGRAMS = Programs()
SHELL = 'org.gnome.Shell.SearchProvider2'
RUNNER = 'org.kde.krunner1'
LOCKERS = ['org.gnome.ScreenSaver', 'org.freedesktop.ScreenSaver', 'org.freedesktop.login1']


class Desk:
    def __init__(self, session):
        self.session = session
        self.bus = Gio.DBusConnection.new_for_address_sync(
            session.env['DBUS_SESSION_BUS_ADDRESS'],
            Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT |
            Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION, None, None)
        self.bus.set_exit_on_close(False)

    def _call(self, path, interface, method, signature, *arguments):
        reply = self.bus.call_sync(
            BUS_NAME, f'{BUS_PATH}/{path}', interface, method,
            GLib.Variant(signature, arguments) if signature else None, None,
            Gio.DBusCallFlags.NONE, 20000, None)
        return reply.unpack()

    def shell(self, method, signature, *arguments):
        return self._call('SearchProvider', SHELL, method, signature, *arguments)

    def runner(self, method, signature=None, *arguments):
        return self._call('Runner', RUNNER, method, signature, *arguments)

    def found(self, *terms):
        return self.shell('GetInitialResultSet', '(as)', terms)[0]

    def matches(self, query):
        return self.runner('Match', '(s)', query)[0]

    def store(self, *texts):
        for text in texts:
            self.session.cliphist('store', data=text.encode())

    def icons(self, *ids):
        """What is shown beside results: (kind, name)"""
        metas = self.shell('GetResultMetas', '(as)', ids)[0]
        return {meta['id']: (meta['icon'][0], meta['icon'][1]) for meta in metas}

    def current(self):
        return self.session.get_property('Current')


@contextlib.contextmanager
def desk(display='none', libexec=()):
    with Session(display, programs=PROGRAMS) as session:
        session.env['CLIPHIST_LIBEXEC'] = ':'.join(map(str, [*libexec, *PROGRAMS.libexec]))
        # logind is played on the same bus
        session.env['DBUS_SYSTEM_BUS_ADDRESS'] = session.env['DBUS_SESSION_BUS_ADDRESS']
        session.start_daemon()
        if display != 'none':
            session.wait_backend(display)
        yield Desk(session)


@contextlib.contextmanager
def locker(session, name, *manner):
    """Somebody who locks the screen; gives what tells it to do so."""
    script = pathlib.Path(__file__).resolve().parent / 'locker.py'
    process = session.start('/usr/bin/python3', script, name, *manner, name='locker',
                            stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def tell(word):
        os.write(process.stdin.fileno(), word.encode() + b'\n')
        equal(session.first_line(process.stdout, 'locker'), word, 'locker')
    equal(session.first_line(process.stdout, 'locker'), 'ready', 'locker')
    yield tell
    session.stop(process)


@fact('/desktop-search/shell/newest-first-and-all-words')
def shell_finds():
    with desk() as self:
        self.store('red apple', 'green apple', 'Apple pie', 'pear')
        equal(self.found('apple'), ['3', '2', '1'], 'apple')
        equal(self.found('apple', 'RED'), ['1'], 'apple RED')
        equal(self.found('apple', 'plum'), [], 'apple plum')
        equal(self.found(), [], 'no words')
        again = self.shell('GetSubsearchResultSet', '(asas)', ['3', '2'], ['apple', 'e'])
        equal(again[0], ['3', '2', '1'], 'a longer search')


def archive_of(texts):
    """What 'import' reads: {id: text}"""
    lines = [json.dumps({'id': id, 'last': id, 'contents': [{'type': 'text/plain', 'text': text}]})
             + '\n' for id, text in texts.items()]
    members = {'0000000001.json': '{"cliphist-export":1,"created":1}\n', '0000000002.jsonl': ''.join(lines)}
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode='w', format=tarfile.USTAR_FORMAT) as tar:
        for name, text in members.items():
            member = tarfile.TarInfo('cliphist-export/' + name)
            member.size = len(text)
            tar.addfile(member, io.BytesIO(text.encode()))
    return stream.getvalue()


@fact('/desktop-search/shell/a-short-word-is-found-however-old-it-is')
def shell_finds_short_words():
    with desk() as self:
        self.session.cliphist('import', data=archive_of({1: 'an ox', 20000: 'a cow'}))
        equal(self.found('ox'), ['1'], 'ox')


@fact('/desktop-search/shell/words-are-no-patterns')
def words_are_data():
    with desk() as self:
        self.store('a[b', 'a.c', '%_*')
        for text, wanted in (('[', ['1']), ('a.', ['2']), ('.*', []), ('%_', ['3'])):
            equal(self.found(text), wanted, text)


@fact('/desktop-search/shell/what-is-shown-of-a-result')
def shell_metas():
    with desk() as self:
        self.store('two\nlines \x1b[31m', 'x' * 1000)
        metas = self.shell('GetResultMetas', '(as)', ['1', '77', 'word', '2'])[0]
        metas = {meta['id']: meta for meta in metas}
        equal(sorted(metas), ['1', '2'], 'those that are there')
        true(metas['1']['name'].startswith('two lines'), metas['1']['name'])
        true('\x1b' not in metas['1']['name'], 'a control character is shown, not sent')
        true(len(metas['2']['name']) <= 101, 'a long text is cut off')
        true('KiB' in metas['2']['description'] or '1000' in metas['2']['description'],
             metas['2']['description'])
        equal(metas['1']['icon'][0], 'themed', 'icon')


@fact('/desktop-search/shell/an-image-has-its-thumbnail-beside-it')
def thumbnails():
    with desk() as self:
        self.session.cliphist('store', data=png(640, 480))
        self.session.cliphist('store', data=b'\x89PNG\r\n\x1a\n and no more of it',
                              env={'CLIPBOARD_TYPE': 'image/png'})
        self.session.cliphist('store', data=b'\x89PNG\r\n\x1a\n and a little more of it')
        self.store('a text')
        icons = self.icons('1', '2', '4')
        metas = self.shell('GetResultMetas', '(as)', ['1', '2', '3'])[0]
        equal({meta['id']: meta['name'] for meta in metas},
              {'1': 'Image: PNG, 640x480', '2': 'Image: PNG', '3': 'Image'}, 'their names')
        equal(icons['2'][0], 'themed', 'the icon of what cannot be decoded')
        equal(icons['4'][0], 'themed', 'the icon of a text')
        if not THUMBNAILS:
            equal(icons['1'][0], 'themed', 'the icon of an image')
            return
        # an answer waits for it, but not for long
        name = until(lambda: self.icons('1')['1'][0] == 'file' and self.icons('1')['1'][1],
                     'the icon of an image')
        path = pathlib.Path(GLib.filename_from_uri(name)[0])
        equal(path.parent, self.session.folder / 'state' / 'cliphist' / 'thumbnails', 'its folder')
        true(path.read_bytes().startswith(b'\x89PNG'), 'it is a picture')
        self.session.cliphist('remove', '1')
        until(lambda: not path.exists(), 'the thumbnail goes with its image')


@fact('/desktop-search/shell/who-makes-thumbnails-is-not-waited-for')
def slow_thumbnails():
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / 'cliphist-thumbnail'
        program.write_text('#!/bin/sh\nexec tail -f /dev/null\n')
        program.chmod(0o755)
        with desk(libexec=[folder]) as self:
            for width in range(1, 6):
                self.session.cliphist('store', data=png(width, 1))
                equal(self.icons(str(width))[str(width)][0], 'themed', 'its icon meanwhile')
            self.store('found all the same')
            equal(self.found('all', 'same'), ['6'], 'found')


def files_of_thumbnails(self):
    folder = self.session.folder / 'state' / 'cliphist' / 'thumbnails'
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else []


@contextlib.contextmanager
def hesitant_desk():
    """A desk whose thumbnails are never finished as long as there is a file of the name that it gives."""
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / 'cliphist-thumbnail'
        waits = pathlib.Path(folder) / 'waits'
        real = [path for libexec in PROGRAMS.libexec
                if (path := pathlib.Path(libexec) / 'cliphist-thumbnail').exists()]
        program.write_text('#!/bin/sh\n'
                           f'[ ! -e {waits} ] || exec tail -f /dev/null\n'
                           f'exec {real[0] if real else "false"} "$@"\n')
        program.chmod(0o755)
        with desk(libexec=[folder]) as self:
            yield self, waits


@fact('/desktop-search/shell/a-thumbnail-that-is-there-waits-for-no-other')
def ready_thumbnails():
    with hesitant_desk() as (self, waits):
        self.session.cliphist('store', data=png(1, 1))
        kind = 'file' if THUMBNAILS else 'themed'
        # an answer waits for it, but not for long
        ready = until(lambda: (icon := self.icons('1')['1'])[0] == kind and icon, 'its icon')
        waits.touch()
        for width in range(2, 6):
            self.session.cliphist('store', data=png(width, 1))
        for other in '2345':
            icons = self.icons('1', other)
            equal((icons['1'], icons[other][0]), (ready, 'themed'), f'beside {other}')



@fact('/desktop-search/a-thumbnail-that-is-being-made-goes-with-its-image')
def half_made():
    with hesitant_desk() as (self, waits):
        waits.touch()
        for width in (1, 2):
            self.session.cliphist('store', data=png(width, 1))
        self.icons('1', '2')
        self.matches('clip png')
        until(lambda: len(files_of_thumbnails(self)) == 4, 'both kinds are being made of both')
        self.session.cliphist('delete', data=b'1\t')
        equal(len(files_of_thumbnails(self)), 2, 'those of the other image')
        self.session.cliphist('wipe')
        equal(files_of_thumbnails(self), [], 'after a wipe')


@fact('/desktop-search/shell/activation-puts-it-on-the-clipboard')
def shell_activates():
    with desk('ext') as self:
        self.store('chosen', 'newest')
        self.shell('ActivateResult', '(sasu)', '1', ['cho'], 0)
        until(lambda: 'uint64 1>' in self.current(), 'the entry is on the clipboard')


@fact('/desktop-search/a-secret-is-not-found')
def secrets():
    with desk() as self:
        self.session.cliphist('store', data=b'password1', env={'CLIPBOARD_STATE': 'sensitive'})
        self.store('password of the guest network is on the wall')
        equal(self.found('password'), ['1'], 'found')
        equal([match[0] for match in self.matches('clip password')], ['1'], 'matches')


@fact('/desktop-search/nothing-while-the-screen-is-locked')
def locked():
    for name in LOCKERS:
        with desk() as self:
            self.store('apple')
            with locker(self.session, name) as tell:
                tell('lock')
                equal(self.found('apple'), [], f'found while {name} locks')
                equal(self.matches('clip apple'), [], f'matches while {name} locks')
                equal(self.shell('GetResultMetas', '(as)', ['1'])[0], [], f'metas, {name}')
                tell('unlock')
                until(lambda: self.found('apple') == ['1'], f'{name} has unlocked')
                tell('lock')
                until(lambda: self.found('apple') == [], f'{name} has locked again')
            until(lambda: self.found('apple') == ['1'], f'{name} has gone')


@fact('/desktop-search/nothing-while-nobody-says-whether-it-is-locked')
def mute():
    with desk() as self:
        self.store('apple')
        with locker(self.session, 'org.gnome.ScreenSaver', 'mute') as tell:
            equal(self.found('apple'), [], 'found')
            tell('answer')
            equal(self.found('apple'), ['1'], 'found once it answers')


@fact('/desktop-search/runner/only-behind-its-word')
def runner_matches():
    with desk() as self:
        self.store('red apple', 'green apple', 'eclipse')
        for query in ('apple', 'clip', 'clip  ', 'clipapple', 'eclip apple', ''):
            equal(self.matches(query), [], query)
        found = self.matches(' Clip  apple')
        equal([(match[0], match[1]) for match in found], [('2', 'green apple'), ('1', 'red apple')],
              'matches')
        true(found[0][4] > found[1][4] > 0, 'the newest is the first')
        true(found[0][5]['subtext'], 'there is something below it')
        equal([match[0] for match in self.matches('clip apple red')], ['1'], 'two words')


@fact('/desktop-search/runner/an-image-that-was-found-before-has-its-thumbnail')
def runner_thumbnails():
    with desk() as self:
        self.session.cliphist('store', data=png(640, 480))
        self.store('no png, a text')

        def found():
            return {match[0]: match for match in self.matches('clip png')}
        equal(found()['1'][2], 'image-x-generic', 'the icon without one')
        true('icon-data' not in found()['2'][5], 'a text has none')
        if not THUMBNAILS:
            return
        width, height, stride, alpha, bits, channels, pixels = until(
            lambda: found()['1'][5].get('icon-data'), 'there is a thumbnail')
        equal((width, height, stride, alpha, bits, channels), (64, 48, 256, True, 8, 4), 'its form')
        equal(len(pixels), 64 * 48 * 4, 'bytes of it')
        self.session.cliphist('wipe')
        equal(files_of_thumbnails(self), [], 'after a wipe')


@fact('/desktop-search/runner/a-match-goes-onto-the-clipboard')
def runner_runs():
    with desk('ext') as self:
        self.store('chosen', 'newest')
        self.runner('Run', '(ss)', '1', '')
        until(lambda: 'uint64 1>' in self.current(), 'the entry is on the clipboard')
        equal(self.runner('Actions')[0], [], 'actions')
        equal(self.runner('Teardown'), (), 'teardown')
        self.runner('SetActivationToken', '(s)', 'x')


def settings_of(path, section):
    parser = configparser.ConfigParser(interpolation=None)
    parser.optionxform = str
    parser.read(path)
    return parser[section]


@fact('/desktop-search/the-desktops-are-told-where-and-that-it-is-off')
def files():
    with desk() as self:
        ini = settings_of(DATA / 'org.cliphist.Cliphist.search-provider.ini',
                          'Shell Search Provider')
        entry = settings_of(DATA / 'org.cliphist.Cliphist.krunner.desktop', 'Desktop Entry')
        equal((ini['DefaultDisabled'], ini['Version']), ('true', '2'), 'the shell')
        equal(entry['X-KDE-PluginInfo-EnabledByDefault'], 'false', 'the runner')
        for name, path, interface in (
                (ini['BusName'], ini['ObjectPath'], SHELL),
                (entry['X-Plasma-DBusRunner-Service'], entry['X-Plasma-DBusRunner-Path'], RUNNER)):
            true(f'interface {interface} ' in self.session.run(
                'gdbus', 'introspect', '--session', '--dest', name, '--object-path',
                path).stdout.decode(), f'{interface} is there')
        config = self.runner('Config')[0]
        regex = entry['X-Plasma-Runner-Match-Regex'].replace('\\\\', '\\')
        equal(config['MatchRegex'], regex, 'the word in front')


main()
