# SPDX-License-Identifier: LGPL-2.1-or-later
"""What a key is bound to has no terminal: what goes wrong is on the screen. unseen.py BUILD"""
import contextlib
import os
import pathlib
import shutil
import signal
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'session'))
from clients import png  # noqa: E402
from session import BUS_NAME, Programs, Session, until  # noqa: E402
from tap import equal, fact, main, true  # noqa: E402
from terminal import typed  # noqa: E402

NOTIFICATIONS = 'org.freedesktop.Notifications'
PROGRAMS = Programs(sys.argv.pop(1))


@contextlib.contextmanager
def desk(daemon=True, **pickers):
    """A session with mako, and played pickers; no real one is in PATH."""
    with Session('sway', programs=PROGRAMS) as session:
        folder = session.folder / 'pickers'
        folder.mkdir()
        for program in ('sh', 'cat', 'wl-paste', 'busctl'):
            (folder / program).symlink_to(shutil.which(program))
        for name, script in pickers.items():
            (folder / name).write_text(f'#!/bin/sh\n{script}\n')
            (folder / name).chmod(0o755)
        session.mako = mako = session.start('mako', '--default-timeout=0')
        session.wait_for(mako, lambda: session.has_owner(NOTIFICATIONS), 'mako is there')
        if daemon:
            session.start_daemon()
            session.wait_backend('wlr')
        session.env['PATH'] = str(folder)
        yield session


def press(session, *words):
    """As a compositor starts what a key is bound to."""
    return session.run(PROGRAMS.cliphist, *words, check=False).returncode


def said(session):
    words = session.shown_by_mako()
    return words if 'summary' in words else ''


@fact('/unseen/a-picker-that-fails-is-followed-by-the-next')
def followed():
    with desk(fuzzel='echo it is broken >&2; exit 1',
              wofi='cat >/dev/null; echo 1') as session:
        session.cliphist('store', data=b'chosen')
        session.cliphist('store', data=b'newer')
        equal(press(session, 'pick'), 0, 'exit status')
        equal(session.run('wl-paste', '-n').stdout, b'chosen', 'the clipboard')
        true('cannot be shown' not in said(session), 'nothing is said')


@fact('/unseen/a-picker-that-crashes-is-followed-by-the-next')
def crashed_picker():
    with desk(fuzzel='kill -SEGV $$', wofi='cat >/dev/null; echo 1') as session:
        session.cliphist('store', data=b'chosen')
        session.cliphist('store', data=b'newer')
        equal(press(session, 'pick'), 0, 'exit status')
        equal(session.run('wl-paste', '-n').stdout, b'chosen', 'the clipboard')
        equal(said(session), '', 'what is on the screen')
        done = session.run(PROGRAMS.cliphist, 'pick', '--print')
        equal((done.stdout, done.stderr), (b'newer', b'fuzzel has crashed (signal 11)\n'), 'what a script gets')


@fact('/unseen/one-that-is-open-already-is-told-and-no-other-comes-up')
def open_already():
    rofi = ("printf '\\n(process:7): Helper-WARNING **: Failed to set lock on pidfile: Rofi already running?\\n\\n"
            "(process:7): Helper-WARNING **: Got error: -1 Inappropriate ioctl for device\\n' >&2; exit 1")
    fuzzel = "echo 'err: main.c:383: /run/f.lock: failed to acquire lock: fuzzel already running?' >&2; exit 1"
    for script in (rofi, fuzzel):
        with desk(fuzzel=script, wofi=': >shown') as session:
            session.cliphist('store', data=b'a text')
            words = told_of(session, 'pick')
            true('fuzzel is open already' in words and 'ioctl' not in words and
                 'doctor' not in words, words)
            true(not (session.folder / 'shown').exists(), 'no other picker comes up')


@fact('/unseen/one-that-is-told-to-end-is-cancelled')
def told_to_end():
    with desk(fuzzel='kill -TERM $$', wofi=': >shown') as session:
        session.cliphist('store', data=b'a text')
        equal(press(session, 'pick'), 1, 'exit status')
        equal(said(session), '', 'what is on the screen')
        true(not (session.folder / 'shown').exists(), 'no other picker comes up')


@fact('/unseen/that-no-picker-comes-up-is-told')
def no_picker():
    with desk(fuzzel='kill -9 $$') as session:
        session.cliphist('store', data=b'a text')
        equal(press(session, 'pick'), 1, 'exit status')
        words = until(lambda: said(session), 'mako shows something')
        true('cannot be shown' in words and 'fuzzel has crashed (signal 9)' in words and
             'cliphist doctor' in words, words)


@fact('/unseen/that-fzf-has-no-terminal-is-told')
def no_terminal():
    with desk() as session:
        (session.folder / 'pickers' / 'fzf').symlink_to(shutil.which('fzf'))
        session.cliphist('store', data=b'a text')
        # without the terminal that the tests may have been started from
        alone = session.run(shutil.which('setsid'), '--wait', PROGRAMS.cliphist, 'pick', '--with',
                            'fzf', '--insert', data=b'', check=False)
        equal(alone.returncode, 1, 'exit status')
        words = until(lambda: said(session), 'mako shows something')
        true('cannot be shown' in words and 'fzf needs a terminal' in words, words)


@fact('/unseen/of-a-picker-that-was-asked-for-doctor-is-not-named')
def asked_for():
    played = {'fuzzel': 'kill -9 $$', 'dmenu': ': >shown', 'bemenu': 'exit 1'}
    for picker, why in (('fuzzel', 'has crashed'), ('bemenu', 'ended at once'), ('dmenu', 'on X11 alone'),
                        ('rofi', 'is not installed')):
        with desk(**played) as session:
            session.cliphist('store', data=b'a text')
            words = told_of(session, 'pick', '--with', picker)
            true('cannot be shown' in words and why in words and 'doctor' not in words, words)


@fact('/unseen/a-picker-that-was-to-paste-says-that-nothing-was-pasted')
def not_pasted():
    for chosen, why in (('0', 'plain text'), ('typed', 'No entry matches.')):
        with desk(fuzzel=f'cat >/dev/null; echo {chosen}') as session:
            session.cliphist('store', data=png())
            words = told_of(session, 'pick', '--insert', '--plain')
            true('Nothing was pasted' in words and why in words, words)


@fact('/unseen/what-is-no-entry-is-told-in-a-sentence')
def no_entry():
    with desk() as session:
        session.cliphist('store', data=b'a text')
        done = session.run(PROGRAMS.cliphist, 'delete', data=b'abc\n', check=False)
        equal(done.returncode, 1, 'exit status')
        true(b'strconv.Atoi' in done.stderr, 'what a script hears')
        words = until(lambda: said(session), 'mako shows something')
        true('Nothing was deleted' in words and 'What was chosen is not an entry of the list.' in words and
             'doctor' not in words and 'strconv' not in words, words)


@fact('/unseen/in-a-terminal-it-says-that-the-choice-is-on-the-clipboard')
def seen():
    with desk(fuzzel='cat >/dev/null; echo 0', fzf='cat >/dev/null; printf "\\n\\n1\\ta text\\n"') as session:
        session.cliphist('store', data=b'a text')
        for picker in ('fuzzel', 'fzf'):
            equal(typed(session, PROGRAMS.cliphist, 'pick', '--with', picker),
                  'It is on the clipboard.\r\n', picker)
        equal(said(session), '', 'what is on the screen')


@fact('/unseen/in-a-terminal-that-a-key-has-opened-it-is-told-too')
def own_terminal():
    for words, title, why in ((['copy', '99999'], 'Nothing was copied', 'id 99999 not found'),
                              (['pick', '--with', 'rofi'], 'cannot be shown', 'is not installed'),
                              (['windw'], 'cliphist has no such verb', 'Did you mean')):
        with desk() as session:
            session.cliphist('store', data=b'a text')
            seen = typed(session, PROGRAMS.cliphist, *words)
            true(why in seen and not said(session), f'{words}, typed into a shell: {seen}')
            seen = typed(session, PROGRAMS.cliphist, *words, shell=())
            true(why in seen and title in said(session) and why in said(session), f'{words}: {said(session)}')
            # at the other end of ssh there is no screen
            del session.env['WAYLAND_DISPLAY']
            typed(session, PROGRAMS.cliphist, *words, shell=())
            equal(said(session).count(title), 1, f'{words}: how often')


@fact('/unseen/who-says-no-in-a-terminal-that-a-key-has-opened-is-not-told-so')
def said_no():
    with desk() as session:
        session.cliphist('store', data=b'a text')
        for words in (['wipe', '--all'], ['wipe', 'everything'], ['delete-query', 'a', 'text']):
            seen = typed(session, PROGRAMS.cliphist, *words, answer=b'n\n', shell=())
            true('[y/N]' in seen and 'Nothing was deleted.' in seen, f'{words}: {seen}')
        equal(said(session), '', 'what is on the screen')
        true(session.listed(), 'the entry is there')


@fact('/unseen/what-is-chosen-in-a-terminal-that-a-key-has-opened-is-not-said-to-be-pasted')
def not_pasted_below():
    # an image, which a terminal would not take
    for words in (['pick', '--with', 'fzf', '--insert'], ['insert', '1']):
        with desk(fzf='cat >/dev/null; printf "\\n\\n1\\ta picture\\n"') as session:
            session.cliphist('store', data=png())
            libexec = session.folder / 'libexec'
            libexec.mkdir()
            (libexec / 'cliphist-key').write_text('#!/bin/sh\ncase $1 in which) echo ctrl+shift+v ;; esac\n')
            (libexec / 'cliphist-key').chmod(0o755)
            session.env['CLIPHIST_LIBEXEC'] = f"{libexec}:{session.env['CLIPHIST_LIBEXEC']}"
            seen = typed(session, PROGRAMS.cliphist, *words, shell=())
            true('Nothing was pasted' in said(session) and
                 'It is on the clipboard: paste it yourself.' in said(session), f'{words}: {seen} {said(session)}')
            equal(session.run('wl-paste', '-n').stdout, png(), 'the clipboard')


def told_of(session, *words):
    """What is told of a call that fails, where nothing was told before."""
    equal(press(session, *words), 1, 'exit status')
    return until(lambda: said(session), 'mako shows something')


@fact('/unseen/what-a-wipe-has-deleted-is-told')
def wiped():
    with desk() as session:
        session.cliphist('store', data=b'a text')
        session.cliphist('store', data=b'another')
        equal(press(session, 'wipe'), 0, 'exit status')
        words = until(lambda: said(session), 'mako shows something')
        true('2 entries were deleted.' in words and 'doctor' not in words, words)


@fact('/unseen/what-was-without-effect-is-told')
def without_effect():
    with desk() as session:
        session.cliphist('store', data=b'a text')
        equal(press(session, 'delete-query', 'text'), 0, 'exit status')
        session.cliphist('pause')
        equal(press(session, 'resume'), 0, 'exit status')
        true('were deleted' not in said(session) and 'not paused' not in said(session), 'what shows itself')
        equal(press(session, 'delete-query', 'no such text'), 0, 'exit status')
        until(lambda: '0 entries were deleted.' in said(session), 'it is told that none matches')
        equal(press(session, 'resume'), 0, 'exit status')
        until(lambda: 'The history was not paused.' in said(session), 'it is told that there was no pause')


@fact('/unseen/how-much-came-and-went-is-told')
def how_much():
    with desk() as session:
        session.cliphist('store', data=b'a text')
        session.cliphist('store', data=b'another')
        archive = session.folder / 'archive'
        session.cliphist('export', archive)
        equal(press(session, 'trim'), 0, 'exit status')
        equal(press(session, '-max-items', '1', 'trim'), 0, 'exit status')
        until(lambda: '1 entry removed' in said(session), 'trim')
        true('0 entries' not in said(session), 'nothing is told of a trim of nothing, as a timer has')
        equal(press(session, 'import', archive), 0, 'exit status')
        words = until(lambda: '1 entry was added' in said(session) and said(session), 'import')
        true('1 entry was there already' in words, words)
        equal(session.run(PROGRAMS.cliphist, 'delete', data=b'88').returncode, 0, 'exit status')
        until(lambda: '0 entries were deleted.' in said(session), 'delete of nothing')


@fact('/unseen/that-nothing-has-been-copied-yet-is-told')
def nothing_yet():
    with desk(fuzzel=': >shown') as session:
        words = told_of(session, 'pick')
        true('There is nothing to choose from' in words and
             'Nothing has been copied yet.' in words and 'doctor' not in words, words)
        true(not (session.folder / 'shown').exists(), 'no picker comes up')


@fact('/unseen/that-the-history-is-empty-is-told')
def empty():
    with desk(fuzzel=': >shown') as session:
        session.cliphist('store', data=b'a text')
        session.cliphist('wipe')
        words = told_of(session, 'pick')
        true('There is nothing to choose from' in words and
             'The history is empty.' in words and 'doctor' not in words, words)
        true(not (session.folder / 'shown').exists(), 'no picker comes up')


@fact('/unseen/doctor-and-status-say-where-nothing-can-be-told-on-the-screen')
def no_screen():
    with desk(fuzzel='exit 1') as session:
        session.env['PATH'] += ':/usr/bin'  # what installs is looked for
        seen = session.cliphist('doctor').stdout.decode()
        true('notifications' not in seen, seen)
        true('notifications' not in session.cliphist('status').stdout.decode(), 'status')
        session.stop(session.mako)
        for verb in ('doctor', 'status'):
            seen = session.cliphist(verb).stdout.decode()
            true('missing' in seen and 'a program that shows notifications' in seen, seen)
        session.env['CLIPHIST_NOTIFY'] = 'no'
        true('notifications' not in session.cliphist('status').stdout.decode(), 'who wants none')
        del session.env['CLIPHIST_NOTIFY']
        session.make_activatable(NOTIFICATIONS, shutil.which('false'))  # that of another desktop
        seen = session.cliphist('doctor').stdout.decode()
        true('a program that shows notifications' in seen, seen)


@fact('/unseen/a-program-that-shows-notifications-is-started-on-our-display')
def started_screen():
    with desk() as session:
        session.stop(session.mako)
        # the bus is older than the compositor
        session.make_activatable(NOTIFICATIONS, shutil.which('mako'), '--default-timeout=0')
        press(session, 'insert', 'tag:nosuch')
        words = until(lambda: said(session), 'mako shows something')
        true('Nothing was pasted' in words, words)


@fact('/unseen/doctor-says-that-there-is-no-picker')
def pickerless():
    with desk() as session:
        seen = session.cliphist('doctor').stdout.decode()
        true('a picker, for “cliphist pick”\n' in seen, seen)
        true('a picker' in session.cliphist('status').stdout.decode(), 'status')
        session.make_activatable('org.cliphist.Cliphist', shutil.which('false'))
        seen = session.cliphist('doctor').stdout.decode()
        true('a picker, for “cliphist pick”; “cliphist window” needs none\n' in seen, seen)
        true('missing' not in session.cliphist('status').stdout.decode(), 'status')


@fact('/unseen/a-slip-in-what-a-key-is-bound-to-is-told')
def slips():
    for words, title, why in (
            (['windw'], 'cliphist has no such verb', 'Did you mean'),
            (['pause', '10'], 'The pause was not set', 'pause: '),
            (['pause', '10', 'm'], 'The pause was not set', 'see cliphist pause --help'),
            (['wipe', '--al'], 'Nothing was deleted', '--al'),
            (['pin', '777'], 'Nothing was changed', 'Nothing has been copied yet.'),
            (['pin', 'opening db: please store something first'], 'Nothing was changed', 'is not an id'),
            (['insert', '1'], 'Nothing was pasted', 'id 1 not found'),
            (['--insert', 'pick'], 'The clipboard history cannot be shown', 'cliphist pick --insert'),
            (['--plain', 'insert', 'tag:sig'], 'Nothing was pasted', '-plain'),
            (['-max-items', 'x', 'copy', '3'], 'Nothing was copied', 'max-items'),
            (['config', 'max-items', 'abc'], 'The setting was not changed', 'a number is like'),
            (['config', 'nosuch', '3'], 'The setting was not changed', 'nosuch'),
            (['-bogus', 'config', 'max-items', '7'], 'The setting was not changed', '-bogus'),
            (['config', '--bogus', 'max-items', '7'], 'The setting was not changed', '--bogus'),
            (['copy', '-max-items', '5', '3'], 'Nothing was copied', 'has its place before the verb'),
            (['--tag', 'x', 'export'], 'An option of cliphist is wrong', 'has its place behind the verb'),
            (['trim', 'extra'], 'Nothing was deleted', 'extra'),
            (['edit', 'tag:sig'], 'Nothing was changed', 'set VISUAL or EDITOR'),
            (['untag', 'tag:sig', 'nosuch'], 'Nothing was changed', 'has no tag'),
            (['delete-query'], 'Nothing was deleted', 'please provide a query'),
            (['--bogus'], 'An option of cliphist is wrong', '-bogus')):
        with desk() as session:
            if 'tag:sig' in words[1:]:
                session.cliphist('store', data=b'a text')
                session.cliphist('tag', '1', 'sig')
            true(press(session, *words) != 0, f'{words}: exit status')
            text = until(lambda session=session: said(session), f'{words}: mako shows something')
            true(title in text and why in text and 'doctor' not in text, f'{words}: {text}')


@fact('/unseen/a-wrong-variable-or-file-of-the-settings-is-told')
def unsettled():
    for name, status in (('MAX_ITEMS', 2), ('MAX_STORE_SIZE', 1)):
        for words, title in ((['config', 'preview-width', '7'], 'The setting was not changed'),
                             (['copy', '1'], 'Nothing was copied')):
            with desk(daemon=False) as session:
                session.env[f'CLIPHIST_{name}'] = 'abc'
                equal(press(session, *words), status, f'{name} {words}: exit status')
                text = until(lambda session=session: said(session), f'{name} {words}: mako shows something')
                why = name if name == 'MAX_ITEMS' else 'max-store-size'
                true(title in text and why in text and 'abc' in text and 'doctor' not in text, text)
    with desk(daemon=False) as session:
        (pathlib.Path(session.env['XDG_CONFIG_HOME']) / 'cliphist' / 'config').mkdir(parents=True)
        words = told_of(session, 'config', 'preview-width', '7')
        true('The setting was not changed' in words and 'cliphist/config' in words and
             'Is a directory' in words, words)


@fact('/unseen/why-nothing-was-kept-is-told-and-not-doctor')
def dropped():
    def press_copy(session):
        return session.run(PROGRAMS.cliphist, 'copy', data=b'a long text', check=False).returncode

    for line, why in (('max-store-size 5', 'max-store-size'), ('ignore-pattern long', 'ignore-pattern'),
                      (None, 'cliphist resume')):
        with desk(daemon=False) as session:
            if line:
                config = pathlib.Path(session.env['XDG_CONFIG_HOME']) / 'cliphist' / 'config'
                config.parent.mkdir(exist_ok=True)
                config.write_text(f'{line}\n')
            session.start_daemon()
            session.wait_backend('wlr')
            if not line:
                session.cliphist('pause')
            equal(press_copy(session), 1, f'{line}: exit status')
            words = until(lambda session=session: 'Nothing was copied' in said(session) and said(session),
                          f'{line}: mako shows it')
            true(why in words and 'doctor' not in words, words)
    with desk() as session:
        equal(press(session, '-picker', 'nosuch', 'pick'), 2, 'exit status')
        words = until(lambda: said(session), 'mako shows something')
        true('picker is one of' in words and 'doctor' not in words, words)


@fact('/unseen/that-an-editor-changed-nothing-is-told')
def unchanged():
    with desk(hands_over='exit 0') as session:
        session.cliphist('store', data=b'a text')
        session.env['VISUAL'] = 'hands_over'

        def is_told():
            equal(press(session, 'edit', '1'), 0, 'exit status')
            words = said(session)
            # which it may only say of an editor that ends within two seconds
            return 'Nothing was changed.' in words and '--wait' in words
        until(is_told, 'mako shows it')


@fact('/unseen/where-an-edited-text-is-left-is-told-first')
def left():
    with desk(writes='echo a longer text >"$1"') as session:
        session.cliphist('store', data=b'a text')
        session.env['VISUAL'] = 'writes'
        words = told_of(session, '-max-store-size', '9', 'edit', '1')
        path = words.split("your text is in &apos;")[1].split('&apos;')[0]
        equal(pathlib.Path(path).read_text(), 'a longer text\n', 'what is there')
        true(words.index(path) < words.index('max-store-size'), words)


@fact('/unseen/that-an-edited-text-lost-its-expiry-is-told')
def lasting():
    with desk(deletes=f'{PROGRAMS.cliphist} delete 1; echo door >"$1"') as session:
        session.cliphist('store', data=b'the key')
        session.cliphist('expire', '1', '1h')
        session.env['VISUAL'] = 'deletes'
        equal(press(session, 'edit', '1'), 0, 'exit status')
        true('not the expiry of entry 1' in until(lambda: said(session), 'mako shows something'), said(session))


@fact('/unseen/an-archive-that-cannot-be-written-or-read-is-told')
def archives():
    for verb, title in (('export', 'The export failed'), ('import', 'The import failed')):
        with desk() as session:
            session.cliphist('store', data=b'a text')
            words = told_of(session, verb, session.folder / 'nowhere' / 'x.tar')
            true(title in words and 'No such file' in words and 'doctor' not in words, words)


@fact('/unseen/that-no-entry-was-exported-is-told')
def nothing_exported():
    with desk() as session:
        session.cliphist('store', data=b'a text')
        archive = session.folder / 'x.tar'
        equal(press(session, 'export', archive), 0, 'exit status of one that has an entry')
        equal(press(session, 'export', '--tag', 'nosuch', archive), 0, 'exit status of one without')
        words = until(lambda: said(session), 'mako shows something')
        true('0 entries were written' in words and '1 entry' not in words and 'doctor' not in words, words)


@fact('/unseen/a-window-that-does-not-start-is-told-and-a-picker-takes-its-place')
def broken_window():
    # as without a library that it needs; as one that is gone
    for script in ('exit 127', None):
        with desk(fuzzel='cat >rows; exit 1') as session:
            session.cliphist('store', data=b'a text')
            program = session.folder / 'window'
            if script:
                program.write_text(f'#!/bin/sh\n{script}\n')
                program.chmod(0o755)
            session.make_activatable('org.cliphist.Cliphist', program)
            equal(press(session, 'window'), 1, 'exit status of a picker that is cancelled')
            equal((session.folder / 'rows').read_bytes().count(b'a text'), 1, 'the picker has the row')
            words = until(lambda session=session: said(session), 'mako shows something')
            true('install cliphist-window again' in words and 'GDBus' not in words and 'doctor' not in words, words)


# what the bus answers for one that hangs, after 25 seconds
HANGS = '''
from gi.repository import Gio, GLib
bus = Gio.bus_get_sync(Gio.BusType.SESSION)
node = Gio.DBusNodeInfo.new_for_xml("""<node><interface name="org.freedesktop.Application">
<method name="ActivateAction"><arg type="s" direction="in"/><arg type="av" direction="in"/>
<arg type="a{sv}" direction="in"/></method></interface></node>""")
bus.register_object('/org/cliphist/Cliphist', node.interfaces[0],
                    lambda *call: call[-1].return_dbus_error('org.freedesktop.DBus.Error.TimedOut', 'Failed to activate'))
Gio.bus_own_name_on_connection(bus, 'org.cliphist.Cliphist', Gio.BusNameOwnerFlags.NONE)
GLib.MainLoop().run()
'''


@fact('/unseen/a-window-that-hangs-is-told-and-what-ends-that')
def hanging_window():
    with desk() as session:
        session.cliphist('store', data=b'a text')
        session.start(sys.executable, '-c', HANGS, name='window')
        until(lambda: session.has_owner('org.cliphist.Cliphist'), 'the window is there')
        words = told_of(session, 'window')
        true('cannot be shown' in words and 'end the program cliphist-window' in words and
             'GDBus' not in words and 'doctor' not in words, words)


@fact('/unseen/what-a-key-leaves-out-is-told')
def left_out():
    with desk() as session:
        session.cliphist('store', data=b'a text')
        for verb, title, why in (('copy', 'Nothing was copied', 'ID is missing'),
                                 ('export', 'The export failed', 'FILE is missing'),
                                 ('import', 'The import failed', 'FILE is missing')):
            done = session.run(PROGRAMS.cliphist, verb, check=False, stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL)
            equal(done.returncode, 2, f'{verb}: exit status')
            until(lambda title=title, why=why: title in said(session) and why in said(session),
                  f'{verb}: mako shows it')
            true('doctor' not in said(session), said(session))


@fact('/unseen/what-a-script-pipes-is-not-told')
def piped():
    with desk(daemon=False) as session:
        for words in (['--bogus', 'list'], ['-max-items', 'x', 'store'], ['config', 'nosuch']):
            equal(press(session, *words), 2, f'{words}: exit status')
        equal(said(session), '', 'what is on the screen')


@fact('/unseen/who-wants-no-notification-gets-none-of-a-wrong-option')
def switched_off():
    with desk(daemon=False) as session:
        session.cliphist('config', 'notify', 'no')
        equal(press(session, '--bogus', 'pick'), 2, 'exit status')
        equal(said(session), '', 'what is on the screen')


@fact('/unseen/that-the-daemon-does-not-answer-is-told')
def silent_daemon():
    with desk(fuzzel='cat >/dev/null; echo 0') as session:
        session.cliphist('store', data=b'a text')
        session.daemon.send_signal(signal.SIGSTOP)
        press(session, 'pick')
        words = until(lambda: 'Nothing was copied' in said(session) and said(session), 'mako shows it')
        session.daemon.send_signal(signal.SIGCONT)
        true('does not answer' in words, words)


@fact('/unseen/a-tag-that-there-is-not-is-told-and-no-way-to-mend-it')
def no_tag():
    with desk() as session:
        session.cliphist('store', data=b'a text')
        words = told_of(session, 'insert', 'tag:none')
        true('Nothing was pasted' in words and 'no entry has the tag' in words and
             'doctor' not in words, words)


@fact('/unseen/where-no-key-can-be-pressed-the-first-words-are-where-it-is')
def no_key():
    with desk(fuzzel='cat >/dev/null; echo 0') as session:
        session.cliphist('store', data=b'a text')
        libexec = session.folder / 'libexec'
        libexec.mkdir()
        (libexec / 'cliphist-key').write_text(
            '#!/bin/sh\ncase $1 in which) echo ctrl+v ;; layers) ;; '
            '*) echo there is none >&2; exit 1 ;; esac\n')
        (libexec / 'cliphist-key').chmod(0o755)
        session.env['CLIPHIST_LIBEXEC'] = f"{libexec}:{session.env['CLIPHIST_LIBEXEC']}"
        words = told_of(session, 'pick', '--insert')
        true('Nothing was pasted' in words and 'doctor' not in words and
             'It is on the clipboard: press ctrl+v' in words and 'there is none' in words, words)
        equal(session.run('wl-paste', '-n').stdout, b'a text', 'the clipboard')


@fact('/unseen/what-waits-for-an-answer-goes-with-it')
def answered():
    for end, left in (('exit 0', []), ('echo refused >&2; exit 1', ['Nothing was pasted', 'refused'])):
        with desk() as session:
            session.cliphist('store', data=b'a text')
            libexec = session.folder / 'libexec'
            libexec.mkdir()
            os.mkfifo(session.folder / 'answer')
            (libexec / 'cliphist-key').write_text(
                f'#!/bin/sh\ncase $1 in which) echo ctrl+v ;; *) echo asks; read answer <answer; {end} ;; esac\n')
            (libexec / 'cliphist-key').chmod(0o755)
            session.env['CLIPHIST_LIBEXEC'] = f"{libexec}:{session.env['CLIPHIST_LIBEXEC']}"
            insert = session.start(PROGRAMS.cliphist, 'insert', '1', name='insert')
            words = until(lambda session=session: said(session), f'{end}: mako shows something')
            true('waiting for your answer' in words, f'{end}: {words}')
            (session.folder / 'answer').write_text('yes\n')
            equal(insert.wait(20), 1 if left else 0, f'{end}: exit status')
            session.started.remove(insert)
            words = said(session)
            true('waiting for your answer' not in words, f'{end}: {words}')
            true(all(word in words for word in left) and bool(words) == bool(left), f'{end}: {words}')


@fact('/unseen/that-insert-was-given-no-id-is-told-of-a-key-and-not-of-a-picker')
def no_id():
    with desk() as session:
        session.cliphist('store', data=b'a text')
        equal(press(session, 'insert'), 1, 'exit status of an empty pipe')
        equal(said(session), '', 'what is on the screen')
        equal(session.run(PROGRAMS.cliphist, 'insert', check=False, stdin=subprocess.DEVNULL).returncode, 2,
              'exit status of a key')
        words = said(session)
        true('Nothing was pasted' in words and 'ID is missing' in words, words)


@fact('/unseen/a-key-that-cannot-be-set-is-told-as-that')
def no_bind():
    with desk() as session:
        equal(press(session, 'window', '--bind', 'v'), 2, 'exit status')
        words = until(lambda: said(session), 'mako shows something')
        true('The key was not set' in words and 'doctor' not in words, words)


@fact('/unseen/one-that-is-cancelled-is-no-failure')
def cancelled():
    with desk(fuzzel='echo it is broken >&2; exit 1', wofi='cat >/dev/null; exit 1') as session:
        session.cliphist('store', data=b'a text')
        equal(press(session, 'pick'), 1, 'exit status')
        # what is told of a later call is the first thing that is told
        equal(press(session, 'insert', '77'), 1, 'exit status')
        words = until(lambda: said(session), 'mako shows something')
        true('Nothing was pasted' in words and 'id 77 not found' in words and
             'cannot be shown' not in words, words)


@fact('/unseen/what-copy-and-clear-cannot-do-is-told')
def copy():
    with desk() as session:
        session.cliphist('store', data=b'a text')
        equal(press(session, 'copy', 'tag:none'), 1, 'exit status')
        words = until(lambda: said(session), 'mako shows something')
        true('Nothing was copied' in words and 'no entry has the tag' in words, words)
        # nobody is there whom it could be asked of, or who could do it
        session.env['CLIPHIST_LIBEXEC'] = str(PROGRAMS.cliphist.parent)
        session.kill(session.daemon)
        equal(press(session, 'clear'), 1, 'exit status')
        until(lambda: 'The clipboard was not emptied' in said(session), 'mako shows it')
        words = session.cliphist('doctor', check=False).stdout.decode()
        true('the program of the daemon: what you copy' in words and 'mend with' not in words, words)


@fact('/unseen/a-history-that-cannot-be-opened-is-told')
def unopened():
    with desk(daemon=False) as session:
        (pathlib.Path(session.env['XDG_STATE_HOME']) / 'cliphist' / 'history.db').mkdir(parents=True)
        equal(press(session, 'copy', '1'), 1, 'exit status')
        true('Nothing was copied' in said(session), 'what is on the screen')
        true('cannot be opened' in said(session), 'and why')
        for verb, title in (('trim', 'Nothing was deleted'), ('compact', 'No space was given back')):
            equal(press(session, verb), 1, f'{verb}: exit status')
            true(title in said(session), f'{verb}: what is on the screen')


@fact('/unseen/a-wrong-line-of-the-configuration-stops-no-key')
def wrong_line():
    with desk(fuzzel='cat >/dev/null; echo 0') as session:
        session.cliphist('store', data=b'a text')
        config = pathlib.Path(session.env['XDG_CONFIG_HOME']) / 'cliphist' / 'config'
        config.parent.mkdir(exist_ok=True)
        config.write_text('max-items = 5\nignore-pattern [\nmax-itms 5\n')
        words = until(lambda: said(session), 'mako shows something')
        true('ignore-pattern' in words and 'this rule is OFF' in words, words)
        equal(press(session, 'pick'), 0, 'exit status')
        equal(session.run('wl-paste', '-n').stdout, b'a text', 'the clipboard')
        true('cannot be shown' not in said(session), 'nothing else is said')


@fact('/unseen/that-nothing-watches-is-told-and-the-picker-comes-up')
def nothing_watches():
    with desk(daemon=False, fuzzel='cat >rows; exit 1') as session:
        session.cliphist('store', data=b'a text')
        equal(press(session, 'pick'), 1, 'exit status')
        words = until(lambda: said(session), 'mako shows something')
        true('does not work' in words and 'what you copy is not kept' in words, words)
        true('a text' in (session.folder / 'rows').read_text(), 'the picker has its rows')


@fact('/unseen/doctor-is-named-once')
def doctor_once():
    with desk(daemon=False) as session:
        session.cliphist('store', data=b'a text')
        words = told_of(session, 'insert', '1')
        equal(words.count('cliphist doctor'), 1, words)


@fact('/unseen/what-a-press-is-told-last-takes-the-place-of-what-it-was-told-before')
def one_for_a_press():
    with desk(daemon=False, fuzzel='cat >/dev/null; echo 0') as session:
        session.cliphist('store', data=b'a text')
        equal(press(session, 'pick'), 1, 'exit status')
        words = until(lambda: 'Nothing was copied' in said(session) and said(session), 'mako shows it')
        true('does not watch' in words and words.count('"summary"') == 1, words)
        session.cliphist('remove', '1')
        equal(press(session, 'pick'), 1, 'exit status')
        words = until(lambda: 'The history is empty.' in said(session) and said(session), 'mako shows it')
        true('Nothing watches' in words and words.count('"summary"') == 2, words)


@fact('/unseen/that-a-daemon-cannot-start-is-told-once-for-a-press')
def told_once():
    with desk(daemon=False) as session:
        (pathlib.Path(session.env['XDG_STATE_HOME']) / 'cliphist' / 'history.db').mkdir(parents=True)
        session.make_activatable(BUS_NAME, PROGRAMS.cliphistd)
        for n in (1, 2):
            press(session, 'status', '--quiet')
            equal(said(session).count('Nothing watches the clipboard'), n, 'how often it is told')


@fact('/unseen/a-daemon-that-has-crashed-is-back-with-the-next-pick')
def crashed():
    with desk(fuzzel='exec cat >/dev/null') as session:
        session.cliphist('store', data=b'a text')
        session.kill(session.daemon)
        # a bus that is older than the display, and knows nothing of it
        session.make_activatable(BUS_NAME, PROGRAMS.cliphistd)
        press(session, 'pick')
        true(session.has_owner(BUS_NAME), 'it is back')
        session.wait_backend('wlr')
        equal(said(session), '', 'what is told')


# what most keys are bound to that know nothing of `pick`
SCRIPT = '"$0" list | cat >rows'


@fact('/unseen/a-daemon-that-has-crashed-is-back-with-a-script-that-lists')
def crashed_under_script():
    with desk() as session:
        session.cliphist('store', data=b'a text')
        session.kill(session.daemon)
        session.make_activatable(BUS_NAME, PROGRAMS.cliphistd)
        session.run('sh', '-c', SCRIPT, PROGRAMS.cliphist)
        true('a text' in (session.folder / 'rows').read_text(), 'the rows are there')
        until(lambda: session.has_owner(BUS_NAME), 'it is back')
        session.wait_backend('wlr')
        equal(said(session), '', 'what is told')


@fact('/unseen/a-daemon-that-has-crashed-is-back-with-a-list-for-a-picker')
def crashed_under_list():
    for words, runs in (('list --with-icons rofi', lambda session, *argv: session.run(*argv)),
                        ('list', typed)):  # as in README: a person pipes it
        with desk() as session:
            session.cliphist('store', data=b'a text')
            session.kill(session.daemon)
            session.make_activatable(BUS_NAME, PROGRAMS.cliphistd)
            runs(session, 'sh', '-c', f'"$0" {words} | cat >rows', PROGRAMS.cliphist)
            until(lambda: session.has_owner(BUS_NAME), f'it is back with {words}')
            session.wait_backend('wlr')


@fact('/unseen/a-script-that-lists-starts-nothing-beside-a-daemon')
def beside_daemon():
    with desk() as session:
        session.cliphist('store', data=b'a text')
        libexec = session.folder / 'libexec'
        libexec.mkdir()
        (libexec / 'cliphist-session').write_text('#!/bin/sh\necho >>asked\n')
        (libexec / 'cliphist-session').chmod(0o755)
        session.env['CLIPHIST_LIBEXEC'] = str(libexec)
        session.run('sh', '-c', SCRIPT, PROGRAMS.cliphist)
        session.kill(session.daemon)
        session.run('sh', '-c', SCRIPT, PROGRAMS.cliphist)
        asked = session.folder / 'asked'
        until(lambda: asked.exists() and asked.read_text(), 'it is asked for once it is gone')
        equal(asked.read_text(), '\n', 'how often')


@fact('/unseen/a-script-that-lists-is-told-where-nothing-watches')
def script_without_daemon():
    with desk(daemon=False) as session:
        session.cliphist('store', data=b'a text')
        seen = session.run('sh', '-c', SCRIPT, PROGRAMS.cliphist)
        equal(seen.stderr, b'', 'what the script hears')
        words = until(lambda: said(session), 'mako shows something')
        true('does not work' in words and 'cliphist doctor' in words, words)


@fact('/unseen/where-db-path-says-the-history-is-kept-or-will-be')
def named_place():
    with desk(daemon=False) as session:
        config = session.folder / 'config' / 'cliphist' / 'config'
        config.parent.mkdir(parents=True)
        config.write_text(f'db-path {session.folder}/mine\n')
        session.start_daemon()
        session.wait_backend('wlr')
        session.start('wl-copy', '--foreground', 'mine')
        until(lambda: b'mine' in session.cliphist('list', check=False).stdout, 'it is in the list')
        true((session.folder / 'mine.d' / 'history.db').exists(), 'in the place that was named')
        config.write_text(f'db-path {session.folder}/other\n')
        until(lambda: f'{session.folder}/other.d, as db-path says' in said(session), 'the next place is told')
        doctor = session.run(PROGRAMS.cliphist, 'doctor', check=False)
        true(b'the history that db-path names' in doctor.stdout, doctor.stdout)
        equal(doctor.returncode, 1, 'its exit status')
        for verb in ('copy', 'pin'):
            asked = session.run(PROGRAMS.cliphist, verb, '1', check=False)
            equal(asked.returncode, 1, f'{verb}: exit status')
            lines = asked.stderr.decode().splitlines()
            true('please store something first' in lines[0] and 'db-path has changed' in lines[1], lines)
        words = until(lambda: 'Nothing was changed' in said(session) and said(session), 'mako shows it')
        true(words.count('db-path has changed') == 2 and 'Nothing has been copied' not in words, words)
        seen = session.run(PROGRAMS.cliphist, 'pick', check=False)
        true(b'db-path has changed' in seen.stderr and b'cliphistd --replace' in seen.stderr, seen.stderr)
        config.write_text(f'db-path {session.folder}/mine\n')
        until(lambda: 'stays where it is' not in said(session), 'it is taken back')


@fact('/unseen/a-history-that-does-not-open-is-told-to-a-server-that-comes-later')
def later_server():
    with desk(daemon=False) as session:
        session.stop(session.mako)
        history = session.folder / 'state' / 'cliphist'
        history.mkdir(parents=True)
        (history / 'history.db').write_bytes(b'no database' * 100)
        session.start(PROGRAMS.cliphistd, name='cliphistd')
        log = session.folder / 'log' / 'cliphistd'
        until(lambda: 'libnotify' in log.read_text(), 'no server is there')
        session.mako = mako = session.start('mako', '--default-timeout=0')
        session.wait_for(mako, lambda: session.has_owner(NOTIFICATIONS), 'mako is there')
        until(lambda: 'The clipboard history does not work' in said(session), 'it is told')


main()
