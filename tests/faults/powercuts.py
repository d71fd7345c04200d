# SPDX-License-Identifier: LGPL-2.1-or-later
"""The power fails at any moment of a mixed load: powercuts.py BUILD LIBRARY all [FACT...], as root"""
import os
import pathlib
import random
import signal
import sys

_TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(_TESTS / 'session'), str(_TESTS / 'transfers')]
from faultcase import FaultSession, faulty_env, kill_below  # noqa: E402
from images import Image  # noqa: E402
from load import Load, check  # noqa: E402
from mounts import enter_namespace  # noqa: E402
from ports import BusPort, CommandPort  # noqa: E402
from session import Broken, Programs  # noqa: E402
from tap import fact, main, note, true  # noqa: E402

PROGRAMS = Programs(sys.argv.pop(1))
LIBRARY = pathlib.Path(sys.argv.pop(1)).resolve()
del sys.argv[1]

MOMENTS = 50
# how many of them meet commands with private daemons
PRIVATE_EVERY = 4
SECONDS = 0.15

WRITERS = {'cliphistd', 'cliphist', 'cliphist-session'}


def one_cut(session, image, load, rng, is_private, env):
    """The power fails, and comes back: what was acknowledged is there."""
    if is_private:
        load.run(CommandPort(session), 3 * rng.random() * SECONDS)
    else:
        session.start_daemon(env=env)
        load.run(BusPort(session), rng.random() * SECONDS)
    kill_below(WRITERS, signal.SIGSTOP)
    image.cut(rng)
    kill_below(WRITERS, signal.SIGKILL)
    load.end()
    load.port.close()
    if not is_private:
        session.kill(session.daemon)
    image.unmount()
    image.mount()
    session.start_daemon(env=env)
    check(session, load, session.disk)
    session.kill(session.daemon)


def power_cuts(kind, moments, by_server=False, env=None):
    rng = random.Random(f'power {kind} {by_server}')
    load = Load(rng, rich=True)
    with FaultSession(PROGRAMS) as session, Image(session, kind, by_server) as image:
        session.env['XDG_STATE_HOME'] = os.fspath(image.path)
        for number in range(moments):
            is_private = number % PRIVATE_EVERY == PRIVATE_EVERY - 1
            load.rich = not is_private
            try:
                one_cut(session, image, load, rng, is_private, env(session) if env else None)
            except Broken as error:
                raise Broken(f'moment {number}: {error}') from error
        note(f'{moments} cuts, {load.account.n_acknowledged} changes acknowledged, '
             f'{load.n_clips} clips')
        true(load.account.n_acknowledged > moments, 'something was acknowledged')


@fact('/power/ext4-shuts-down')
def ext4():
    power_cuts('ext4', MOMENTS)


@fact('/power/xfs-shuts-down')
def xfs():
    power_cuts('xfs', MOMENTS)


@fact('/power/the-disk-of-btrfs-forgets-what-was-not-synced')
def btrfs():
    power_cuts('btrfs', MOMENTS, by_server=True)


@fact('/power/the-disk-of-ext4-forgets-what-was-not-synced')
def ext4_disk():
    power_cuts('ext4', MOMENTS // 2, by_server=True)


@fact('/power/a-daemon-that-does-not-sync-is-found-out')
def unsynced():
    """That these tests would notice: for each file system, without a single sync."""
    for kind, by_server in (('ext4', False), ('xfs', False), ('btrfs', True)):
        try:
            power_cuts(kind, 12, by_server,
                       lambda session: faulty_env(session, LIBRARY, 'unsynced'))
        except Broken as error:
            note(f'{kind}: {error}')
            continue
        raise Broken(f'on {kind} nothing was lost without a sync')


enter_namespace()
main()
