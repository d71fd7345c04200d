# SPDX-License-Identifier: LGPL-2.1-or-later
"""Looks into the daemon for what must not be there any more.

    memory.py BUILD
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'session'))
import memory  # noqa: E402
from clients import DataControl, TEXT  # noqa: E402
from session import BUS_NAME, BUS_PATH, Programs, Session, until  # noqa: E402
from tap import equal, fact, main, true  # noqa: E402

PROGRAMS = Programs(sys.argv.pop(1))
CANARY = b'canary-%s-7f3a9c52e1'
HINT = 'x-kde-passwordManagerHint'


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


def ask(session, method, *args):
    return session.call(BUS_NAME, BUS_PATH, f'{BUS_NAME}.{method}', *args)


@fact('/memory/what-is-deleted')
def deleted():
    with Session('none', programs=PROGRAMS) as session:
        session.start_daemon()
        needle = CANARY % b'deleted'
        session.cliphist('store', data=b'before ' + needle + b' behind')
        session.cliphist('store', data=b'something else')
        true(needle in session.listed(), 'it is there')
        true(needle.decode() in ask(session, 'List', '{}'), 'it is listed')
        true(needle.decode() in ask(session, 'List', "{'match': <['canary']>}"), 'it is found')
        true(needle.decode() in ask(session, 'Lookup', '1'), 'it is looked up')
        session.cliphist('delete', data=b'1')
        assert_gone(session, needle)


@fact('/memory/a-marked-copy')
def marked():
    with Session('ext', programs=PROGRAMS) as session:
        session.start_daemon(env={'G_MESSAGES_DEBUG': 'clip-history'})
        session.wait_backend('ext')
        needle = CANARY % b'marked'
        DataControl(session).copy_types({TEXT: b'before ' + needle + b' behind', HINT: b'secret'})
        until(lambda: 'a secret: will be known again' in session.log('cliphistd'), 'it is learnt')
        assert_gone(session, needle)
        equal(session.listed(), b'', 'list')


main()
