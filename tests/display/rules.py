# SPDX-License-Identifier: LGPL-2.1-or-later
"""What a compositor and its programs may do to a clipboard manager, with the daemon and the tests' own
compositor, which does it: rules.py ext|wlr [FACT...]
"""
import contextlib
import pathlib
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'session'))
from clients import MIB, TEXT, DataControl, file_digest, write_text  # noqa: E402
from session import BUS_NAME, Programs, Session, until  # noqa: E402
from tap import equal, fact, main, true  # noqa: E402

KIND = sys.argv.pop(1)
PROGRAMS = Programs()
HTML = 'text/html'


class Desk:
    def __init__(self, session):
        self.session = session
        self.client = DataControl(session)
        self.tell = session.tell_compositor

    def previews(self):
        lines = self.session.listed().decode().split('\n')[:-1]
        return [line.split('\t', 1)[1] for line in lines]

    def offer(self, *pairs, seat=1):
        self.tell(' '.join([f'seat {seat} offer', *pairs]))

    def wait_newest(self, preview):
        until(lambda: self.previews()[:1] == [preview], f'{preview!r} is the newest entry')

    def kept(self, text, *pairs, seat=1):
        """Somebody copies a text; it is kept."""
        self.offer(f'{TEXT}={text}', *pairs, seat=seat)
        self.wait_newest(text)

    def types(self, number):
        return self.session.cliphist('types', number).stdout.decode().split('\n')[:-1]

    def asked(self):
        """The types that were asked for since the last time."""
        return self.tell('asked').split()

    def owner(self):
        return self.tell('types').split()[0]

    def current(self):
        """The entry that is on the clipboard, as the daemon knows; 0 where it is none."""
        return int(self.session.get_property('Current').split()[1].strip('>,)'))


@contextlib.contextmanager
def desk(env=None):
    with Session(KIND, programs=PROGRAMS) as session:
        session.start_daemon(env=env)
        session.wait_backend(KIND)
        yield Desk(session)
        equal(session.stop(session.daemon), 0, 'exit status of the daemon')


def name(words):
    return f'/rules/{KIND}/{words}'


@fact(name('of-256-types-the-text-is-taken'))
def many_types():
    with desk() as d:
        others = [f'application/x-test-{number:03}=x' for number in range(255)]
        d.kept('one-of-many', *others)
        d.offer(*others, f'{TEXT}=the-last-of-many')
        d.wait_newest('the-last-of-many')
        d.tell('offer-many 256 40')
        d.kept('still-watching')


@fact(name('names-of-4-kib-are-left-out'))
def long_names():
    with desk() as d:
        d.kept('beside-long-names', *[f'test/{number:0>3990}=x' for number in range(8)])
        equal(d.types(1), [TEXT], 'types')
        equal(d.asked(), [TEXT], 'asked for')


@fact(name('one-type-is-read-after-the-other'))
def sequential():
    with desk() as d:
        d.offer(f'{TEXT}=!stall@2:sequential', f'{HTML}=<b>sequential</b>')
        first = until(d.asked, 'a type is asked for')
        d.session.cliphist('status')
        equal((len(first), d.asked()), (1, []), 'asked for while that one is read')
        d.tell('release')
        second = until(d.asked, 'the next one is asked for')
        equal(sorted(first + second), sorted([TEXT, HTML]), 'types')
        d.wait_newest('se')  # it would be newer than what comes next, if it came in later
        d.offer(f'{TEXT}=!stall@2:replaced', f'{HTML}=!stall@2:replaced')
        until(d.asked, 'a type is asked for')
        d.kept('next')
        equal(d.asked(), [TEXT], 'nothing more of what was replaced')


@fact(name('who-sends-no-byte-and-who-stops-sending-hold-up-nothing'))
def unanswered():
    with desk() as d:
        for content in ('!stall:silent', '!stall@3:stopped'):
            d.offer(f'{TEXT}={content}', f'{HTML}=<b>of the same</b>')
            until(d.asked, 'a type is asked for')
        d.kept('after-them')
        equal(d.previews(), ['after-them'], 'the list')


@fact(name('a-paste-goes-on-while-a-copy-comes-in-and-takes-the-clipboard'))
def paste_and_capture():
    with desk() as d:
        path = write_text(d.session.folder / 'large', 16)
        d.offer(f'{TEXT}=@{path}')
        until(lambda: d.session.listed() != b'', 'it is kept')
        d.session.cliphist('copy', 1)
        with subprocess.Popen([str(word) for word in d.client.paste_command(TEXT)],
                              env=d.session.env, stdout=subprocess.PIPE, bufsize=0) as paste:
            begin = paste.stdout.read(1)
            d.offer(f'{TEXT}=!stall@4:cancels')
            until(d.asked, 'it is being taken')
            equal(d.owner(), 'script', 'who owns the clipboard')
            rest = paste.stdout.read(1) + b''.join(iter(lambda: paste.stdout.read(MIB), b''))
        equal(len(begin + rest), path.stat().st_size, 'bytes pasted')
        (d.session.folder / 'pasted').write_bytes(begin + rest)
        equal(file_digest(d.session.folder / 'pasted'), file_digest(path), 'what was pasted')
        d.kept('and-goes-on')


@fact(name('what-klipper-offers-again-is-nothing-new'))
def reassertion():
    with desk() as d:
        d.kept('copied')
        d.tell('seat-add')
        for mark in ('onlyReplaceEmpty', 'syncselection'):
            d.asked()
            d.offer(f'{TEXT}=again', f'application/x-kde-{mark}=1')
            d.kept(f'after-{mark}', seat=2)
            equal(d.asked(), [TEXT], 'asked for')
        equal(d.previews(), ['after-syncselection', 'after-onlyReplaceEmpty', 'copied'], 'the list')


@fact(name('an-empty-selection-is-filled-and-a-secret-is-not-brought-back'))
def emptied():
    with desk({'G_MESSAGES_DEBUG': 'clip-history'}) as d:
        d.kept('left-behind')
        d.tell('clear')
        until(lambda: d.owner() == 'client', 'it is offered again')
        equal(d.client.paste_bytes(TEXT), b'left-behind', 'what is pasted')
        d.offer(f'{TEXT}=hunter2', 'x-kde-passwordManagerHint=secret')
        # one that goes before it could be read is expected back: so a text that follows at once is
        until(lambda: 'will be known again' in d.session.log('cliphistd'), 'it is read once')
        d.tell('clear')
        d.tell('clear')
        d.kept('next')
        equal(d.previews(), ['next', 'left-behind'], 'the list')


def stored(d, bus, text, state=None):
    """What `cliphist store` says, which succeeds."""
    env = {'DBUS_SESSION_BUS_ADDRESS': bus, 'XDG_STATE_HOME': state or d.session.env['XDG_STATE_HOME']}
    return d.session.cliphist('store', data=text.encode(), env=env).stderr.decode()


@fact(name('store-says-that-it-kept-nothing-beside-a-secret'))
def stored_beside():
    with desk() as d:
        d.kept('before')
        d.offer(f'{TEXT}=hunter2', 'x-kde-passwordManagerHint=secret')
        address = d.session.env['DBUS_SESSION_BUS_ADDRESS']
        # an address that is not plain is for the program that has GIO
        for bus in (address, address.replace('=/', '=%2f')):
            until(lambda bus=bus: 'holds or held a secret' in stored(d, bus, 'word'), 'it is said')
        # where a home folder is a link, it has another name for some
        linked = d.session.folder / 'linked'
        linked.symlink_to(d.session.env['XDG_STATE_HOME'])
        true('holds or held a secret' in stored(d, address, 'linked', str(linked)), 'by another name')
        said = d.session.cliphist('status', env={'XDG_STATE_HOME': str(linked)}).stdout.decode()
        true('but keeps' not in said, said)
        d.kept('next')
        # a moment later an older watcher may still be storing it
        until(lambda: stored(d, address, 'other') == '', 'nothing is said when it is kept')
        equal([text for text in d.previews() if text != 'word'], ['other', 'next', 'before'],
              'the list')


@fact(name('store-keeps-nothing-until-a-display-that-was-lost-is-there-again'))
def stored_when_lost():
    """What it held may be a secret, which a watcher may still be storing."""
    with desk() as d:
        d.kept('before')
        d.session.kill(d.session.server)
        until(lambda: KIND not in d.session.get_property('Backends'), 'it is lost')
        address = d.session.env['DBUS_SESSION_BUS_ADDRESS']
        said = stored(d, address, 'hunter2')
        true('does not say what it holds' in said, f'it is said: {said!r}')
        d.session.start_display()
        d.session.wait_backend(KIND)
        equal(stored(d, address, 'after'), '', 'what is said when it is kept')
        equal(d.previews(), ['after', 'before'], 'the list')


@fact(name('what-is-found-on-a-display-that-was-lost-again-and-again-is-not-kept'))
def found_when_lost_again():
    """A secret may have been copied there meanwhile, and offered by another manager."""
    with desk() as d:
        d.kept('before')

        def lose_and_offer(text):
            d.session.daemon.send_signal(signal.SIGSTOP)
            d.tell('error')
            d.offer(f'{TEXT}={text}')
            d.session.daemon.send_signal(signal.SIGCONT)
        lose_and_offer('found-after-one-loss')
        d.wait_newest('found-after-one-loss')
        lose_and_offer('hunter2')
        until(lambda: 'is not kept: the display was lost' in d.session.log('cliphistd'), 'it is said')
        said = stored(d, d.session.env['DBUS_SESSION_BUS_ADDRESS'], 'hunter2')
        true('holds or held a secret' in said, f'nor is it stored: {said!r}')
        d.kept('after')
        equal(d.previews(), ['after', 'found-after-one-loss', 'before'], 'the list')


@fact(name('a-watcher-that-starts-us-stores-no-secret'))
def started_by_watcher():
    with Session(KIND, programs=PROGRAMS) as session:
        session.share_environment(*[key for key in session.env if key != 'PATH'])
        session.make_activatable(BUS_NAME, PROGRAMS.cliphistd)
        d = Desk(session)
        d.offer(f'{TEXT}=hunter2', 'x-kde-passwordManagerHint=secret')
        said = session.cliphist('store', data=b'hunter2').stderr.decode()
        true('holds or held a secret' in said, 'it is said')
        equal(d.previews(), [], 'the list')


@fact(name('what-can-be-pasted-once-can-be-pasted-all-the-same'))
def pasted_once():
    """The daemon has had that one paste, and has it for the next."""
    with desk() as d:
        d.client.copy_types({TEXT: b'for one paste'}, 'once')
        d.wait_newest('for one paste')
        for _ in range(2):
            until(lambda: d.client.paste_bytes(TEXT) == b'for one paste', 'it is pasted')
        equal(d.owner(), 'client', 'who owns it')
        equal(d.previews(), ['for one paste'], 'the list')


@fact(name('what-has-gone-stays-gone-where-nothing-is-to-persist'))
def persist_never():
    with desk({'CLIPHIST_PERSIST': 'never'}) as d:
        d.kept('goes-with-its-owner')
        d.tell('clear')
        until(lambda: d.current() == 0, 'the daemon has heard it')
        end = time.monotonic() + 0.6  # six times what it would wait
        while time.monotonic() < end:
            equal(d.owner(), 'none', 'who owns the clipboard')
        d.session.cliphist('copy', 1)
        equal(d.client.paste_bytes(TEXT), b'goes-with-its-owner', 'what is pasted when asked for')


@fact(name('a-secret-that-comes-back-without-its-mark-is-one'))
def laundered():
    """As another clipboard manager would bring it back once it was cleared."""
    with desk({'G_MESSAGES_DEBUG': 'clip-history'}) as d:
        d.offer(f'{TEXT}=hunter2', f'{HTML}=<b>hunter2</b>', 'x-kde-passwordManagerHint=secret')
        until(lambda: 'will be known again' in d.session.log('cliphistd'), 'it is read once')
        d.kept('in-between')
        d.asked()
        d.offer(f'{TEXT}=hunter2')
        until(lambda: TEXT in d.asked(), 'it is looked at')
        d.kept('next')
        equal(d.previews(), ['next', 'in-between'], 'the list')


@fact(name('a-pause-with-a-time-is-kept-over-a-restart'))
def paused():
    with desk() as d:
        d.kept('before')
        d.session.cliphist('pause', '1h')
        equal(d.session.stop(d.session.daemon), 0, 'exit status of the daemon')
        d.offer(f'{TEXT}=copied-meanwhile')
        d.session.start_daemon()
        d.session.wait_backend(KIND)
        d.offer(f'{TEXT}=copied-in-the-pause')
        d.session.cliphist('resume')
        d.kept('after')
        equal(d.previews(), ['after', 'before'], 'the list')


@fact(name('seats-come-and-go-and-each-has-a-clipboard'))
def seats():
    with desk() as d:
        d.kept('first')
        d.tell('seat-add')
        d.kept('second', seat=2)
        d.session.cliphist('copy', 1)
        until(lambda: d.tell('seat 2 types').startswith('client'), 'it is on the second seat')
        equal(d.owner(), 'client', 'on the first seat')
        d.tell('finished')
        d.kept('third', seat=2)
        d.tell('seat 1 seat-remove')
        d.tell('seat-add')
        d.kept('fourth', seat=3)
        d.tell('seat 2 seat-remove')
        d.kept('fifth', seat=3)
        equal(d.previews(), ['fifth', 'fourth', 'third', 'second', 'first'], 'the list')


main()
