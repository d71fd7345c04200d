# SPDX-License-Identifier: LGPL-2.1-or-later
"""The folder of the history is taken away while the session's daemon runs.

    moved.py BUILD
"""
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'session'))
from session import Programs, Session  # noqa: E402
from tap import equal, fact, main, true  # noqa: E402

PROGRAMS = Programs(sys.argv.pop(1))
LARGE = b'large ' * 33_334


def run(session, *argv, data=b'', status=0):
    done = session.run(PROGRAMS.cliphist, *argv, data=data, check=False)
    equal(done.returncode, status, f'exit status of {argv}: {done.stderr}')
    return done


def stored_and_gone(session):
    """A daemon that has stored; the folder that it stores in."""
    session.start_daemon()
    run(session, 'store', data=b'before')
    run(session, 'store', data=LARGE[:-1])
    return session.folder / 'state' / 'cliphist'


def keeps(session):
    run(session, 'store', data=b'a word')
    run(session, 'store', data=LARGE)
    lines = run(session, 'list').stdout.decode().splitlines()
    equal([line.split('\t')[0] for line in lines], ['2', '1'], 'ids')
    equal(lines[1], '1\ta word')
    equal(run(session, 'decode', '2').stdout, LARGE)


@fact('/moved/to-where-nothing-can-be-written')
def read_only():
    """A file that is immutable is found in the same way: its mode says nothing of it."""
    with Session('none', bus=False, programs=PROGRAMS) as session:
        run(session, 'store', data=b'one')
        store = session.folder / 'state' / 'cliphist'
        done = session.run('unshare', '--map-root-user', '--mount', 'sh', '-c',
                           'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"',
                           store, PROGRAMS.cliphist, 'doctor', check=False)
        equal(done.returncode, 1, f'exit status: {done.stderr}')
        true(f"'{store}/history.db': Read-only file system" in done.stdout.decode(), done.stdout)


@fact('/moved/removed')
def removed():
    with Session('none', programs=PROGRAMS) as session:
        shutil.rmtree(stored_and_gone(session))
        keeps(session)


@fact('/moved/large-one-first')
def large_one_first():
    with Session('none', programs=PROGRAMS) as session:
        shutil.rmtree(stored_and_gone(session))
        run(session, 'store', data=LARGE)
        equal(run(session, 'decode', '1').stdout, LARGE)


@fact('/moved/moved-away')
def moved_away():
    with Session('none', programs=PROGRAMS) as session:
        folder = stored_and_gone(session)
        folder.rename(folder.with_name('old'))
        keeps(session)
        equal(sorted(path.name for path in folder.parent.iterdir()), ['cliphist', 'old'])


@fact('/moved/removed-and-made-again')
def removed_and_made_again():
    with Session('none', programs=PROGRAMS) as session:
        folder = stored_and_gone(session)
        shutil.rmtree(folder)
        folder.mkdir()
        keeps(session)


@fact('/moved/nowhere-to-begin')
def nowhere_to_begin():
    with Session('none', programs=PROGRAMS) as session:
        folder = stored_and_gone(session)
        shutil.rmtree(folder)
        folder.write_bytes(b'in the way')
        for data in (b'a word', LARGE):
            lines = run(session, 'store', data=data, status=1).stderr.decode().splitlines()
            equal(len(lines), 1, f'lines of {lines}')
            true(str(folder) in lines[0], lines[0])
        folder.unlink()
        keeps(session)


main()
