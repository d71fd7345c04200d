# SPDX-License-Identifier: LGPL-2.1-or-later
"""Two displays at once: sway, and the Xwayland that it runs. One copy is one entry, wherever its
program is, and what the bridge between them drops is asked of the program itself.
"""
import contextlib
import os
import pathlib
import signal
import sys

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS / 'session'), str(TESTS / 'attacks')]
from clients import TEXT, TextField, WlClipboard, Xclip, png  # noqa: E402
from offerers import OnX11  # noqa: E402
from session import Programs, Session, descendants, until  # noqa: E402
from tap import equal, fact, main, true  # noqa: E402

PROGRAMS = Programs()
HINT = 'x-kde-passwordManagerHint'


class Desk:
    def __init__(self, session):
        self.session = session
        self.wayland = WlClipboard(session)

    def previews(self):
        lines = self.session.listed().decode().split('\n')[:-1]
        return [line.split('\t', 1)[1] for line in lines]

    def wait_newest(self, preview):
        until(lambda: self.previews()[:1] == [preview], f'{preview!r} is the newest entry')

    def copy_on_wayland(self, text):
        self.wayland.copy_bytes(text.encode())
        self.wait_newest(text)

    def has_xwayland(self):
        words = [pathlib.Path(f'/proc/{pid}/comm') for pid in descendants(self.session.server.pid)]
        return any('Xwayland' in path.read_text() for path in words if path.exists())

    def x_field(self):
        """A program below Xwayland that has the focus, without which the bridge is shut."""
        self.session.open_xwayland()
        return TextField(self.session, 'x11')


@contextlib.contextmanager
def desk(env=None):
    with Session('sway-x11', programs=PROGRAMS) as session:
        session.start_daemon(env=env)
        session.wait_backend('wlr')
        yield Desk(session)
        equal(session.stop(session.daemon), 0, 'exit status of the daemon')


@fact('/beside/nobody-starts-an-x-server-for-us')
def no_server():
    with desk() as d:
        d.copy_on_wayland('on Wayland')
        true(not d.has_xwayland(), 'there is no Xwayland')


@fact('/beside/an-x-server-that-starts-is-watched')
def starting_server():
    with desk() as d:
        d.session.open_xwayland()
        d.session.wait_backend('x11')
        below = Xclip(d.session)
        for text in 'without focus', 'again':
            below.copy_bytes(text.encode())
            d.wait_newest(text)
        equal(d.previews(), ['again', 'without focus'], 'the list')


@fact('/beside/one-copy-is-one-entry')
def one_copy_one_entry():
    with desk() as d:
        field = d.x_field()
        field.offer({'UTF8_STRING': 'of an X program', 'text/html': '<b>of an X program</b>'})
        d.wait_newest('of an X program')
        d.session.wait_backend('x11')
        d.copy_on_wayland('of a Wayland program')
        field.offer({'UTF8_STRING': 'again', 'STRING': 'again'})
        d.wait_newest('again')
        equal(d.previews(), ['again', 'of a Wayland program', 'of an X program'], 'the list')
        log = d.session.log('cliphistd')
        true('lost' not in log, f'a copy was lost: {log}')


@fact('/beside/a-secret-that-the-bridge-does-not-mark-is-one')
def secret():
    with desk() as d:
        field = d.x_field()
        for number in range(5):
            field.offer({'UTF8_STRING': f'hunter2-{number}', 'text/plain': f'hunter2-{number}',
                         HINT: 'secret'})
            until(lambda: d.wayland.paste_bytes(TEXT) == f'hunter2-{number}'.encode(),
                  'it is on Wayland, too')
        true(HINT not in d.wayland.types(), 'the bridge drops the mark')

        def is_kept():
            # one that cuts off the last of them while it is read may be taken for it
            d.wayland.copy_bytes(b'no secret')
            return d.previews()[:1] == ['no secret']
        until(is_kept, 'what is copied afterwards is kept')
        equal(d.previews(), ['no secret'], 'the list')


# of a service of the session, whose environment was made before the compositor, or badly
NAMELESS = ('', ':77', 'unix/:1', ' :1')


@fact('/beside/a-secret-is-one-where-nobody-names-the-x-server')
def nameless():
    for name in NAMELESS:
        with desk(env={'DISPLAY': name, 'G_MESSAGES_DEBUG': 'clip-history'}) as d:
            d.x_field().offer({'UTF8_STRING': 'hunter2', HINT: 'secret'})
            # the next copy would hide the first of an X program that nobody has looked at
            until(lambda: 'copy dropped' in d.session.log('cliphistd'), 'it is dropped')
            until(lambda: d.wayland.paste_bytes(TEXT) == b'hunter2', 'it is on Wayland, too')
            keep_one(d)
            equal(d.previews(), ['kept'], f'the list with DISPLAY={name!r}')


@fact('/beside/a-secret-that-the-bridge-gives-for-the-copy-before-is-one')
def same_window():
    with desk(env={'G_MESSAGES_DEBUG': 'clip-history'}) as d:
        d.x_field().offer({'UTF8_STRING': 'kept'})
        d.wait_newest('kept')
        offerer = OnX11(d.session)

        for number in range(15):
            keep(d, f'kept {number}')
            offerer.offer([(b'UTF8_STRING', b'copy %d' % number)],
                          [(b'UTF8_STRING', b'hunter2-%d' % number), (HINT.encode(), b'secret')])
            until(lambda n=number: d.wayland.paste_bytes(TEXT) == b'hunter2-%d' % n, 'it is on Wayland, too')
        keep(d, 'last')
        equal([text for text in d.previews() if 'hunter2' in text], [], 'what was kept')


def is_stopped(pid):
    return pathlib.Path(f'/proc/{pid}/stat').read_text().rsplit(') ', 1)[1].startswith('T')


def keep(d, text):
    """Copies it until it is kept: the first copy behind a secret may be taken for one."""
    def is_kept():
        d.wayland.copy_bytes(text.encode())
        return d.previews()[:1] == [text]
    until(is_kept, f'{text!r} is kept')


@contextlib.contextmanager
def stopped(process):
    process.send_signal(signal.SIGSTOP)
    try:
        yield
    finally:
        process.send_signal(signal.SIGCONT)


def copy_unheard(d, secret, copy_next):
    """A program that is asked for its text copies a secret in its place, which is replaced before we hear of it."""
    offerer = OnX11(d.session).offer(
        [(b'UTF8_STRING', b'copied')], [(b'UTF8_STRING', secret), (HINT.encode(), b'secret')], words=('held',))
    until(lambda: is_stopped(offerer.pid), 'it is asked for its text')
    with stopped(d.session.daemon):
        os.kill(offerer.pid, signal.SIGCONT)
        until(lambda: d.wayland.paste_bytes(TEXT) == secret, 'it is on Wayland, too')
        copy_next()


@fact('/beside/a-secret-that-was-replaced-before-we-heard-of-it-is-one')
def unheard():
    with desk() as d:
        field = d.x_field()
        field.offer({'UTF8_STRING': 'kept'})
        d.wait_newest('kept')

        def copy_twice():
            for text in 'once', 'twice':
                field.offer({'UTF8_STRING': text})
        for number in range(6):
            copy_unheard(d, b'hunter2-%d' % number, lambda n=number: d.wayland.copy_bytes(b'kept %d' % n))
            keep(d, f'kept {number}')
            copy_unheard(d, b'hunter2-%d' % number, copy_twice)
            keep(d, f'kept again {number}')
        equal([text for text in d.previews() if 'hunter2' in text], [], 'what was kept')


@fact('/beside/store-keeps-none-that-nothing-was-copied-after')
def stored_first():
    with desk() as d:
        d.session.open_xwayland()
        OnX11(d.session).offer([(b'UTF8_STRING', b'hunter2'), (HINT.encode(), b'secret')])
        said = d.session.cliphist('store', data=b'hunter2').stderr.decode()
        true('holds or held a secret' in said, f'it says so: {said}')
        equal(d.previews(), [], 'the list')


@fact('/beside/a-mark-of-another-value-is-none')
def public():
    with desk() as d:
        d.x_field().offer({'UTF8_STRING': 'in the open', HINT: 'public'})
        d.wait_newest('in the open')
        equal(d.previews(), ['in the open'], 'the list')


@fact('/beside/a-clip-of-an-x-program-outlives-it')
def outlives():
    with desk() as d:
        field = d.x_field()
        field.offer({'UTF8_STRING': 'left behind', 'text/html': '<i>left behind</i>'})
        d.wait_newest('left behind')
        # the bridge is shut once the program has gone, as its focus goes with it
        until(lambda: d.wayland.paste_bytes(TEXT) == b'left behind', 'it is on Wayland, too')
        d.session.kill(field.process)
        until(lambda: d.wayland.paste_bytes(TEXT) == b'left behind', 'it is pasted')
        until(lambda: d.wayland.paste_bytes('text/html') == b'<i>left behind</i>', 'whole')
        equal(d.previews(), ['left behind'], 'the list')


def keep_one(d):
    def is_kept():
        d.wayland.copy_bytes(b'kept')
        return d.previews()
    until(is_kept, 'once its window has gone a copy is kept')


@fact('/beside/an-ignored-x-program-is-ignored')
def ignored():
    with desk(env={'CLIPHIST_IGNORE_APP': 'textfield.py'}) as d:
        field = d.x_field()
        field.offer({'UTF8_STRING': 'nobody asked for it'})
        until(lambda: d.wayland.paste_bytes(TEXT) == b'nobody asked for it', 'it is bridged')
        d.session.kill(field.process)  # while it has the focus, others are taken for it
        keep_one(d)
        equal(d.previews(), ['kept'], 'the list')


@fact('/beside/an-ignored-x-program-that-copies-many-times-is-ignored')
def ignored_often():
    with desk(env={'CLIPHIST_IGNORE_APP': 'textfield.py'}) as d:
        field = d.x_field()
        for number in range(20):
            field.offer({'UTF8_STRING': f'nobody asked for it {number}'})
        until(lambda: d.wayland.paste_bytes(TEXT) == b'nobody asked for it 19', 'it is bridged')
        d.session.kill(field.process)
        keep_one(d)
        equal(d.previews(), ['kept'], 'the list')


@fact('/beside/an-ignored-wayland-program-is-ignored-while-it-has-the-focus')
def ignored_on_wayland():
    with desk(env={'CLIPHIST_IGNORE_APP': 'text*.PY'}) as d:
        field = TextField(d.session, 'wayland')
        field.copy('nobody asked for it')
        until(lambda: d.wayland.paste_bytes(TEXT) == b'nobody asked for it', 'it is copied')
        d.session.kill(field.process)
        keep_one(d)
        equal(d.previews(), ['kept'], 'the list')


@fact('/beside/what-was-deleted-below-does-not-come-back')
def deleted_below():
    with Session('sway-x11', programs=PROGRAMS) as session:
        d = Desk(session)
        session.open_xwayland()
        below = Xclip(session)
        for number in range(3):
            session.start_daemon()
            session.wait_backend('x11')
            below.copy_bytes(f'of an X program {number}'.encode())
            d.wait_newest(f'of an X program {number}')
            # a text this soon would be taken for what the bridge carries over
            d.wayland.copy_bytes(png(64, 48 + number), 'image/png')
            until(lambda: f'64x{48 + number}' in d.previews()[0], 'the image is the newest')
            session.cliphist('delete-query', f'of an X program {number}')
            session.kill(session.daemon)
        session.start_daemon()
        session.wait_backend('x11')
        d.copy_on_wayland('the next one')
        true('of an X program' not in ''.join(d.previews()), f'the list: {d.previews()}')
        equal(len(d.previews()), 4, 'entries')
        equal(below.paste_bytes(), b'of an X program 2', 'what the X server holds')


@fact('/beside/others-are-not-ignored')
def not_ignored():
    with desk(env={'CLIPHIST_IGNORE_APP': 'another'}) as d:
        TextField(d.session, 'wayland').copy('of a field')
        d.wait_newest('of a field')


main()
