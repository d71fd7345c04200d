# SPDX-License-Identifier: LGPL-2.1-or-later
"""The main job in a real GNOME Shell, headless: through Mutter's own clipboard, without an extension
and without Xwayland; and through Xwayland where Mutter refuses: gnome.py gnome|new-gnome [FACT...]"""
import contextlib
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'session'))
import gnome  # noqa: E402
from clients import (TEXT, MutterClient, TextField, WlClipboard, Xclip, file_digest,  # noqa: E402
                     png, write_text)
from session import Programs, Session, until  # noqa: E402
from tap import equal, fact, main, true  # noqa: E402

KIND = sys.argv.pop(1)
PROGRAMS = Programs()


class Desk:
    def __init__(self, session):
        self.session = session
        self.client = WlClipboard(session)

    def list(self):
        return [line.split('\t', 1)[1] for line in
                self.session.listed().decode().split('\n')[:-1]]

    def wait_preview(self, preview):
        until(lambda: self.list()[:1] == [preview], f'{preview!r} is the newest entry')

    def copy_text(self, text):
        self.client.copy_bytes(text.encode())
        self.wait_preview(text)

    def wait_paste(self, data, mime=TEXT):
        until(lambda: self.client.paste_bytes(mime) == data, f'{mime} is pasted')

    def status(self):
        return self.session.cliphist('status').stdout.decode()


@contextlib.contextmanager
def desk():
    with Session(KIND, programs=PROGRAMS) as session:
        session.start_daemon(env={'G_MESSAGES_DEBUG': 'clip-selection'})
        session.wait_backend('mutter')
        yield Desk(session)
        equal(session.stop(session.daemon), 0, 'exit status of the daemon')


def name(words):
    return f'/{KIND}/{words}'


@fact(name('copies-are-in-the-list'))
def copies():
    with desk() as d:
        d.copy_text('grüße')
        d.copy_text('another')
        d.client.copy_bytes(png(), 'image/png')
        d.wait_preview(f'[[ binary data {len(png())} B png 64x48 ]]')
        equal(d.session.cliphist('decode', '3').stdout, png(), 'the image')
        true('by Mutter' in d.status(), 'what status says')


@fact(name('what-it-cannot-do-is-said'))
def said():
    with desk() as d:
        d.copy_text('a text')
        true('off here' not in d.status(), 'as it comes all is on')
        config = pathlib.Path(d.session.env['XDG_CONFIG_HOME']) / 'cliphist' / 'config'
        config.parent.mkdir(parents=True, exist_ok=True)
        config.write_text('ignore-app gedit\nprimary yes\n')
        for verb in ('status', 'doctor'):
            seen = d.session.cliphist(verb, check=False)
            words = seen.stdout.decode()
            true('ignore-app: GNOME' in words and 'primary: GNOME' in words, words)
            true('and PRIMARY' not in words, words)
        equal(seen.returncode, 1, 'exit status of doctor')
        d.copy_text('another')
        seen = d.session.cliphist('insert', '--key', 'shift+insert', '1', check=False)
        equal((seen.returncode, seen.stderr), (1, b'It is on the clipboard. shift+insert pastes what is selected, '
                                               b'which cannot be set on GNOME.\n'), 'of a key that pastes the selection')
        d.wait_paste(b'a text')


@fact(name('a-text-field-copies-and-pastes'))
def text_field():
    with desk() as d:
        field = TextField(d.session)
        field.copy('typed into a field')
        d.wait_preview('typed into a field')
        d.copy_text('another')
        d.session.cliphist('copy', '1')
        until(lambda: field.paste() == 'typed into a field', 'the field has pasted')


@fact(name('all-types-outlive-their-owner'))
def outlives():
    with desk() as d:
        owner = MutterClient(d.session)
        owner.copy_types({'text/html': b'<b>bold</b>', TEXT: b'bold'})
        d.wait_preview('bold')
        owner.end_owners()
        d.wait_paste(b'<b>bold</b>', 'text/html')
        d.wait_paste(b'bold')
        equal(d.list(), ['bold'], 'the list')


@fact(name('what-can-be-pasted-once-can-be-pasted-all-the-same'))
def pasted_once():
    with desk() as d:
        d.client.copy_in_a_row(b'for one paste')
        d.wait_preview('for one paste')
        for _ in range(2):
            d.wait_paste(b'for one paste')
        equal(d.list(), ['for one paste'], 'the list')


@fact(name('copies-that-never-end-give-way-to-the-next'))
def lingering():
    with desk() as d:
        owner = MutterClient(d.session)
        owner.linger(40)
        d.copy_text('a copy')
        owner.end_owners()


@fact(name('a-large-clip-is-whole'))
def large():
    with desk() as d:
        path = write_text(d.session.folder / 'large', 16)
        d.client.copy(path)
        wanted = file_digest(path), path.stat().st_size
        until(lambda: len(d.list()) == 1, 'it is in the list', 60)
        d.client.end_owners()
        # until it is ours GNOME Shell offers the first 4 MiB itself, and 50.5 stands still for whoever
        # pastes more than a pipe holds of that before he reads, as wl-paste does
        until(lambda: any('cliphist' in mime for mime in d.client.types()), 'it is ours')
        equal(d.client.paste(), wanted, 'what is pasted')


@fact(name('a-secret-is-nowhere-also-when-its-owner-has-gone'))
def secret():
    with desk() as d:
        owner = MutterClient(d.session)
        owner.copy_types({TEXT: b'hunter2-hunter2', 'x-kde-passwordManagerHint': b'secret'})
        until(lambda: TEXT in d.client.types(), 'the secret is offered')
        owner.end_owners()
        # the shell goes on offering the text, and not the hint
        until(lambda: d.client.types() == [TEXT], 'what the shell has kept is offered')
        d.copy_text('after the secret')
        equal(d.list(), ['after the secret'], 'the list')


@fact(name('goes-on-after-the-screen-was-locked'))
def locked():
    with desk() as d:
        d.copy_text('before')
        gnome.lock(d.session)
        until(lambda: 'the session was closed' in d.session.log('cliphistd'), 'it is closed')
        gnome.unlock(d.session)
        d.session.keyboard = gnome.Keyboard(d.session)  # it was closed as well
        until(lambda: 'open again' in d.session.log('cliphistd'), 'it is open again')
        d.copy_text('after')
        equal(d.list(), ['after', 'before'], 'the list')


@fact(name('what-was-ours-is-ours-again-after-the-lock'))
def ours_again():
    with desk() as d:
        MutterClient(d.session).copy_types({'text/html': b'<b>bold</b>', TEXT: b'bold'})
        d.wait_preview('bold')
        d.copy_text('another')
        d.session.cliphist('copy', '1')
        d.wait_paste(b'<b>bold</b>', 'text/html')
        gnome.lock(d.session)
        until(lambda: 'the session was closed' in d.session.log('cliphistd'), 'it is closed')
        gnome.unlock(d.session)
        d.session.keyboard = gnome.Keyboard(d.session)
        d.wait_paste(b'<b>bold</b>', 'text/html')
        equal(d.list(), ['another', 'bold'], 'the list')


@fact(name('goes-on-after-the-shell-was-killed'))
def killed():
    with Session(KIND, programs=PROGRAMS) as session:
        session.start_daemon()
        session.wait_backend('mutter')
        Desk(session).copy_text('before')
        session.kill(session.server)
        until(lambda: 'mutter' not in session.get_property('Backends'), 'the shell has gone')
        session.start_display()
        session.wait_backend('mutter')
        Desk(session).copy_text('after')


@fact(name('xwayland-where-mutter-refuses'))
def refused():
    with Session(f'{KIND}-xwayland', programs=PROGRAMS) as session:
        gnome.lock(session)
        session.start_daemon()
        session.wait_backend('x11')
        d = Desk(session)
        d.client = Xclip(session)
        d.copy_text('through Xwayland')
        true('inhibited' in d.status(), f'status says why: {d.status()}')
        d.copy_text('another')
        session.cliphist('copy', '1')
        d.wait_paste(b'through Xwayland')


main()
