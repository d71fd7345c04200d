# SPDX-License-Identifier: LGPL-2.1-or-later
"""Looks into the daemon for what must not be there any more.

    memory.py BUILD [ext] [x11]
"""
import contextlib
import functools
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'session'))
import memory  # noqa: E402
from clients import DataControl, TEXT, Xclip  # noqa: E402
from offerers import KINDS  # noqa: E402
from session import BUS_NAME, BUS_PATH, Programs, Session, until  # noqa: E402
from tap import equal, fact, main, true  # noqa: E402

PROGRAMS = Programs(sys.argv.pop(1))
DISPLAYS, sys.argv[1:] = sys.argv[1:], []
CANARY = b'canary-%s-7f3a9c52e1'
HINT = b'x-kde-passwordManagerHint'


def assert_gone(session, needle):
    """Threads that have just been told may still be about to clear theirs."""
    found = []

    def look():
        found[:] = memory.find(session.daemon.pid, needle)
        return not found
    try:
        until(look, 'it is gone', 5)
    except Exception:
        pass
    equal(found, [], 'where it still is')


def around(needle):
    """In the preview, and further on, where what is short does not go over it."""
    return b'before ' + needle + b' between ' * 20 + needle + b' behind'


def ask(session, method, *args):
    return session.call(BUS_NAME, BUS_PATH, f'{BUS_NAME}.{method}', *args)


@contextlib.contextmanager
def desk(kind):
    """A daemon, and who copies beside it."""
    offerer, display, backend = KINDS[kind]
    with Session(display, programs=PROGRAMS) as session:
        session.start_daemon(env={'G_MESSAGES_DEBUG': 'clip-history'})
        if backend:
            session.wait_backend(backend)
        yield session, offerer(session)


def touch_everything(session, kind, needle):
    """What a person and programs do with an entry."""
    true(needle in session.listed(), 'it is there')
    true(needle.decode() in ask(session, 'List', '{}'), 'it is listed')
    true(needle.decode() in ask(session, 'List', "{'match': <['canary']>}"), 'it is found')
    true(needle.decode() in ask(session, 'Lookup', '1'), 'it is looked up')
    if kind != 'store':
        session.cliphist('copy', '1')
        client = Xclip(session) if kind == 'x11' else DataControl(session)
        true(needle in client.paste_bytes(), 'it is pasted')


def removed(kind, word, remove):
    with desk(kind) as (session, offerer):
        needle = CANARY % word
        # what SQLite has of the one before it writes over with the other
        for text in around(needle), b'something else ' * 300:
            offerer.offer([(TEXT.encode(), text)])
            until(lambda: text[:14] in session.listed(), 'it is kept')
        touch_everything(session, kind, needle)
        remove(session)
        until(lambda: needle not in session.listed(), 'it is removed')
        assert_gone(session, needle)


def marked(kind):
    with desk(kind) as (session, offerer):
        needle = CANARY % b'marked'
        offerer.offer([(TEXT.encode(), around(needle)), (HINT, b'secret')])
        if offerer.IS_ASKED:
            until(lambda: 'a secret: will be known again' in session.log('cliphistd'), 'it is learnt')
        assert_gone(session, needle)
        equal(session.listed(), b'', 'list')


@fact('/memory/what-is-searched-for')
def searched():
    with desk('store') as (session, offerer):
        offerer.offer([(TEXT.encode(), b'a text')])
        until(lambda: b'a text' in session.listed(), 'it is kept')
        for option in "'words': <['%s']>", "'regex': <'%s'>":
            needle = CANARY % option[1:6].encode()
            ask(session, 'List', '{' + option % needle.decode() + '}')
            for number in range(4):  # what the bus still has of the call is written over
                session.cliphist('store', data=b'filler %d ' % number * 30)
            ask(session, 'List', '{}')
            assert_gone(session, needle)


for kind in ['store', *DISPLAYS]:
    fact(f'/memory/what-is-deleted-{kind}')(functools.partial(
        removed, kind, b'deleted', lambda session: session.cliphist('delete', data=b'1')))
    fact(f'/memory/what-is-wiped-{kind}')(functools.partial(
        removed, kind, b'wiped', lambda session: session.cliphist('wipe')))
    fact(f'/memory/a-marked-copy-{kind}')(functools.partial(marked, kind))


main()
