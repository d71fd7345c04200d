# SPDX-License-Identifier: LGPL-2.1-or-later
"""Each system call that touches the disk fails, waits, or is the last: injections.py BUILD LIBRARY few|all

A case is one change. It is traced once; then it is made again and again, each time with another
call of it tampered with. strace counts the calls of each thread, so that one run may meet the call
of that number in several.
"""
import collections
import itertools
import pathlib
import re
import shutil
import sys

_TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(_TESTS / 'session'), str(_TESTS / 'transfers')]
from account import KIB, Account, Clip  # noqa: E402
from faultcase import FaultSession, faulty_env, said, says_why  # noqa: E402
from load import check_account  # noqa: E402
from session import BUS_NAME, Broken, Programs, until  # noqa: E402
from straced import Trace  # noqa: E402
from tap import equal, fact, main, note, true  # noqa: E402

PROGRAMS = Programs(sys.argv.pop(1))
LIBRARY = pathlib.Path(sys.argv.pop(1)).resolve()
IS_ALL = {'few': False, 'all': True}[sys.argv.pop(1)]

CALLS = ('fsync', 'fdatasync', 'pwrite64', 'ftruncate', 'linkat', 'unlinkat', 'renameat2', 'splice',
         'copy_file_range', 'mkdirat', 'fchmod')
ERRORS = {'EIO': 'error=EIO', 'ENOSPC': 'error=ENOSPC'}
KILL = {'SIGKILL': 'signal=KILL'}
DELAY = {'delay': 'delay_enter=40000'}

# SQLite writes dozens of pages for each change: of these every so many
STRIDE = {'pwrite64': 5}

SMALL, INLINE = Clip('small', 200), Clip('inline', 20 * KIB)
LARGE, OTHER = Clip('large', 300 * KIB), Clip('other', 200 * KIB)
NEW, NEW_LARGE = Clip('new', 300), Clip('new large', 700 * KIB)
HUGE = Clip('huge', 20 * 1024 * KIB)  # so that its write-back is waited for while it comes
ROUNDS = 10


class Case:
    """One change, by a command: its words, what it reads, and what it means to the account."""

    def __init__(self, words, clip, ask, by_file=False):
        self.words = words
        self.clip = clip
        self.ask = ask
        self.by_file = by_file


def _delete(account):
    return account.delete(next(r for r in account if r.clip is LARGE))


CASES = {
    'storing-a-small-clip': Case(['store'], NEW, lambda a: a.store(NEW)),
    'storing-a-large-clip': Case(['store'], NEW_LARGE, lambda a: a.store(NEW_LARGE)),
    'storing-a-file': Case(['store'], NEW_LARGE, lambda a: a.store(NEW_LARGE), by_file=True),
    'storing-a-large-clip-again': Case(['store'], OTHER, lambda a: a.store(OTHER)),
    'deleting-a-large-clip': Case(['delete'], None, _delete),
    'wiping': Case(['wipe'], None, lambda a: a.wipe()),
}


class History:
    """A history that each run begins with: four clips, one of them pinned."""

    def __init__(self, session):
        self.session = session
        self.template = session.folder / 'template'
        for clip in (SMALL, INLINE, LARGE, OTHER):
            session.cliphist('store', data=clip.data)
        session.cliphist('pin', '2')
        shutil.copytree(session.history, self.template)

    def begin(self):
        shutil.rmtree(self.session.history)
        shutil.copytree(self.template, self.session.history)
        account = Account()
        for number, clip in enumerate((SMALL, INLINE, LARGE, OTHER), 1):
            account.store(clip)(True, number)
        account.pin(next(r for r in account if r.clip is INLINE))(True)
        return account


def run_case(session, case, wrapper=(), env=None):
    data = case.clip.data if case.clip else b'3\tx\n'
    words = [*wrapper, PROGRAMS.cliphist, *case.words]
    if not case.by_file:
        return session.run(*words, data=data, env=env, check=False)
    path = session.history.parent / 'source'
    path.write_bytes(data)
    with open(path, 'rb') as file:
        return session.run(*words, stdin=file, env=env, check=False)


def conclude(session, account, done, end, may_fail=True):
    """After the run: what it said, what is there, and that the history goes on."""
    words = done.stderr.decode(errors='replace')
    if done.returncode == 0:
        said(words)
    elif done.returncode == 1 and may_fail:
        says_why(words)
    elif done.returncode > 0 or not may_fail:
        raise Broken(f'exit status {done.returncode}: {words}')
    end(done.returncode == 0)
    session.start_daemon()
    check_account(session, account, session.disk)
    after = Clip('afterwards', 100)
    session.cliphist('store', data=after.data)
    session.stop(session.daemon)
    true(session.cliphist('paste').stdout == after.data, 'it goes on')


def counts(path):
    """How often a thread has made each call, at most."""
    calls = collections.Counter(re.findall(r'^(\d+) +(\w+)\(', path.read_text(errors='replace'),
                                           re.M))
    most = {}
    for (_, call), count in calls.items():
        most[call] = max(count, most.get(call, 0))
    return most


def tamper(session, history, case, call, number, how, env=None):
    account = history.begin()
    trace = Trace(session, '-e', f'inject={call}:{how}:when={number}', calls=call)
    options = ':'.join([trace.env['ASAN_OPTIONS'], (env or {}).get('ASAN_OPTIONS', '')])
    end = case.ask(account)
    done = run_case(session, case, trace.wrapper(), {**(env or {}), 'ASAN_OPTIONS': options})
    trace.path.unlink()
    conclude(session, account, done, end, may_fail=not how.startswith('delay'))


def faults_at(call):
    """(name, how) of what happens at a call."""
    if not IS_ALL:
        return {'EIO': ERRORS['EIO'], **KILL}.items()
    return {**ERRORS, **KILL, **({} if call == 'pwrite64' else DELAY)}.items()


def moments(most):
    """Which calls are tampered with, and how."""
    for call, count in most.items():
        if not IS_ALL:
            yield call, 1, 'EIO', ERRORS['EIO']
            yield call, count, 'SIGKILL', KILL['SIGKILL']
            continue
        for number in range(1, count + 1, STRIDE.get(call, 1)):
            for name, how in faults_at(call):
                yield call, number, name, how


def inject_everywhere(words, fault=None):
    case = CASES[words]
    with FaultSession(PROGRAMS) as session:
        history = History(session)
        env = faulty_env(session, LIBRARY, fault) if fault else {}
        history.begin()
        trace = Trace(session, calls=','.join(CALLS))
        options = ':'.join([trace.env['ASAN_OPTIONS'], env.get('ASAN_OPTIONS', '')])
        run_case(session, case, trace.wrapper(), {**env, 'ASAN_OPTIONS': options})
        most = counts(trace.path)
        n_runs = 0
        for call, number, name, how in moments(most):
            try:
                tamper(session, history, case, call, number, how, env)
            except Exception as error:
                raise Broken(f'{name} at {call} {number}: {error}') from error
            n_runs += 1
        note(f'{n_runs} runs: {most}')
        true(n_runs > 5, 'calls were found')


for _words in CASES:
    if IS_ALL or _words in ('storing-a-large-clip', 'deleting-a-large-clip'):
        fact(f'/inject/{_words}')(lambda words=_words: inject_everywhere(words))


@fact('/inject/storing-a-large-clip-where-files-need-names')
def named():
    inject_everywhere('storing-a-large-clip', 'named')


def on_faulty_disk(fault, may_fail, **more):
    with FaultSession(PROGRAMS) as session:
        history = History(session)
        env = faulty_env(session, LIBRARY, fault, **more)
        for case in CASES.values():
            account = history.begin()
            end = case.ask(account)
            conclude(session, account, run_case(session, case, env=env), end, may_fail=may_fail)


@fact('/inject/a-write-back-that-fails-fails-the-store')
def write_back():
    """The kernel says it once, and a sync afterwards succeeds."""
    waited = False
    for _ in range(ROUNDS):  # where the processor is busy, all may have come before the disk is waited for
        with FaultSession(PROGRAMS) as session:
            account = History(session).begin()
            end = account.store(HUGE)
            trace = Trace(session, '-e', 'inject=sync_file_range:error=EIO', calls='sync_file_range')
            done = run_case(session, Case(['store'], HUGE, None), trace.wrapper(), trace.env)
            waited = 'SYNC_FILE_RANGE_WAIT_BEFORE' in trace.path.read_text()
            equal(done.returncode, int(waited), 'exit status')
            conclude(session, account, done, end)
        if waited:
            break
    true(waited, 'it is waited for')


@fact('/inject/every-write-is-short')
def short_writes():
    on_faulty_disk('short', False)


@fact('/inject/no-write-to-a-file-succeeds')
def unwritten():
    on_faulty_disk('unwritten', True)


@fact('/inject/a-sync-that-fails-has-lost-the-blob')
def lost():
    on_faulty_disk('lost', True)


HOWS = ('EIO', 'ENOSPC', 'SHORT', 'DELAY', 'KILL')


def write_case(session, history, case, number, how):
    """Whether there was a write of this number to tamper with."""
    met = session.folder / 'met'
    met.unlink(missing_ok=True)
    env = faulty_env(session, LIBRARY, 'write', CLIP_FAULT_AT=str(number), CLIP_FAULT_HOW=how,
                     CLIP_FAULT_MET=str(met))
    account = history.begin()
    end = case.ask(account)
    done = run_case(session, case, env=env)
    conclude(session, account, done, end, may_fail=how not in ('SHORT', 'DELAY'))
    return met.exists()


def each_write():
    """In the command and in its private daemon, each of which counts its own."""
    with FaultSession(PROGRAMS) as session:
        history = History(session)
        n_runs = 0
        for words, case in CASES.items():
            for how in HOWS:
                for number in itertools.count(1):
                    try:
                        met = write_case(session, history, case, number, how)
                    except Exception as error:
                        raise Broken(f'{words}: {how} at write {number}: {error}') from error
                    n_runs += met
                    if not met:
                        break
        note(f'{n_runs} writes were tampered with')
        true(n_runs > 0, 'there are writes')


if IS_ALL:
    fact('/inject/each-write-to-a-file-in-turn')(each_write)


def start_or_not(session, wrapper, env):
    """Starts the daemon; whether it came as far as its name."""
    session.daemon = session.start(*wrapper, PROGRAMS.cliphistd, name='cliphistd', env=env)
    until(lambda: session.daemon.poll() is not None or session.has_owner(BUS_NAME),
          'the daemon is there, or has given up')
    return session.daemon.poll() is None


def daemon_case(session, history, call, number, how):
    """All changes in a row, with the session's daemon; whether the call was met."""
    account = history.begin()
    trace = Trace(session, '-e', f'inject={call}:{how}:when={number}', calls=call)
    if start_or_not(session, trace.wrapper(), trace.env):
        for case in CASES.values():
            end = case.ask(account)
            # without the name on the bus the command goes on by itself
            done = run_case(session, case)
            end(done.returncode == 0)
            if done.returncode:
                said(done.stderr.decode(errors='replace'))
    trace.end(session.daemon)
    session.started.remove(session.daemon)
    said(session.log('cliphistd'))
    n_calls = counts(trace.path).get(call, 0)
    trace.path.unlink()
    session.start_daemon()
    check_account(session, account, session.disk)
    session.stop(session.daemon)
    return n_calls >= number


@fact('/inject/the-session-daemon')
def session_daemon():
    with FaultSession(PROGRAMS) as session:
        history = History(session)
        n_runs = 0
        for call in CALLS:
            for name, how in faults_at(call) - DELAY.items():
                stride = 11 if call == 'pwrite64' else 1
                for number in itertools.count(1, stride):
                    try:
                        met = daemon_case(session, history, call, number, how)
                    except Exception as error:
                        raise Broken(f'{name} at {call} {number}: {error}') from error
                    n_runs += 1
                    if not met or not IS_ALL:
                        break
        note(f'{n_runs} runs')


main()
