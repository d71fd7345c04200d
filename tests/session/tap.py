# SPDX-License-Identifier: LGPL-2.1-or-later
"""TAP for tests written in python: a test is a function whose name is a fact.

    @fact('/sway/two-hundred-copies-in-a-row')
    def two_hundred_copies():
        equal(count(), 200)

    main()

Names of facts as arguments, or parts of names, mean these alone; a first argument `1/2` means each second
fact, from the first one on.

A fact holds unless its function raises. What a test needs and the machine lacks is a failure that
names the package; only what a whole program of facts is about may be Missing, an application or a
right that this user does not have, and then each of them counts as skipped.
"""
import signal
import sys
import time
import traceback

_facts = []


class Missing(Exception):
    """What the facts are about is not here; the message names its package, or the right."""


def fact(name):
    def register(function):
        _facts.append((name, function))
        return function
    return register


def equal(got, wanted, what='value'):
    if got != wanted:
        raise AssertionError(f'{what}: got {got!r}, wanted {wanted!r}')


def true(condition, what):
    if not condition:
        raise AssertionError(what)


def note(text):
    for line in str(text).splitlines():
        print('#', line, flush=True)


def _holds(function):
    try:
        function()
    except Missing:
        raise
    except Exception as error:  # a test may raise anything; all of it is a failure
        note(f'{type(error).__name__}: {error}')
        if not getattr(error, 'plain', False):
            note(''.join(traceback.format_tb(error.__traceback__)))
        return False
    return True


def _on_signal(number, _frame):
    sys.exit(128 + number)  # unwinds the sessions, which end what they started


def main():
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, _on_signal)
    part = [int(n) for n in sys.argv.pop(1).split('/')] if sys.argv[1:] and sys.argv[1][0].isdigit() else [1, 1]
    wanted = sys.argv[1:]
    facts = [f for f in _facts[part[0] - 1::part[1]] if not wanted or any(w in f[0] for w in wanted)]
    print(f'1..{len(facts)}', flush=True)
    failed = 0
    for number, (name, function) in enumerate(facts, 1):
        start = time.monotonic()
        try:
            held, why = _holds(function), ''
        except Missing as words:
            held, why = True, f' # SKIP {words}'
        failed += not held
        note(f'{time.monotonic() - start:.2f} s')
        print('ok' if held else 'not ok', number, name + why, flush=True)
    sys.exit(1 if failed or not facts else 0)
