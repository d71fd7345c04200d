# SPDX-License-Identifier: LGPL-2.1-or-later
"""What holds of each verb in the table: it explains itself, and what it prints for people it
prints for programs, too.

    everyverb.py BUILD
"""
import json
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'session'))
from session import Programs, Session  # noqa: E402
from tap import equal, fact, main, true  # noqa: E402

PROGRAMS = Programs(sys.argv.pop(1))

# what a verb is called with to print something, and the members that each line has then
JSON = {
    'list': ([], {'id', 'time', 'mime', 'size', 'preview'}),
    'search': (['one'], {'id', 'match', 'snippet'}),
    'show': (['1'], {'id', 'contents', 'tags'}),
    'types': (['1'], {'mime', 'size'}),
    'trim': ([], {'removed', 'dry_run'}),
    'status': ([], {'store', 'count', 'bytes', 'pinned', 'removing', 'daemon'}),
    'stats': ([], {'store', 'entries', 'classes', 'types', 'largest', 'days', 'disk', 'saved'}),
    'doctor': ([], {'ok', 'entries'}),
    'tags': ([], {'tag', 'count'}),
    'import': (['history.tar'], {'added', 'known', 'skipped', 'tags_left'}),
}
# the bytes of entries; lines of JSON in any case; help; the settings, as the existing tool has them
OTHERWISE = {'decode', 'paste', 'pick', 'join', 'export', 'watch', 'help', 'version', 'config'}
SILENT = {'clear', 'store', 'delete', 'delete-query', 'wipe', 'compact', 'copy', 'insert', 'pin', 'unpin',
          'tag', 'untag', 'expire', 'edit', 'remove', 'pause', 'resume', 'window'}


def call(session, *words, **options):
    return session.run(PROGRAMS.cliphist, *words, **options)


def verbs(session):
    return re.findall(r'^  ([a-z-]+)', call(session, 'help').stdout.decode().split('\n\n')[1],
                      re.M)


def filled(session):
    call(session, 'store', data=b'one')
    call(session, 'tag', '1', 'a-tag')
    call(session, 'store', data=b'two \x1b[31m \xff')
    call(session, 'export', 'history.tar')


@fact('/every-verb/is-known-here')
def known_here():
    """A new verb is to say which kind it is of."""
    with Session('none', bus=False, programs=PROGRAMS) as session:
        equal(set(verbs(session)), set(JSON) | OTHERWISE | SILENT, 'verbs')


@fact('/every-verb/has-help-with-an-example')
def has_help():
    with Session('none', bus=False, programs=PROGRAMS) as session:
        for verb in verbs(session):
            done = call(session, verb, '--help')
            text = done.stdout.decode()
            true(re.match(rf'usage:\n  cliphist {verb}\b', text), f'{verb}: {text}')
            true(re.search(r'\nexample:\n  .*\bcliphist\b', text), f'{verb} has an example')
            equal(done.stderr, b'', f'{verb}: standard error')
            equal(call(session, 'help', verb).stdout, done.stdout, f'help {verb}')
        equal(list((session.folder / 'state').iterdir()), [], 'what asking for help has made')


@fact('/every-verb/has-json-where-it-prints')
def has_json():
    with Session('none', bus=False, programs=PROGRAMS) as session:
        filled(session)
        for verb in verbs(session):
            offered = '--json' in call(session, verb, '--help').stdout.decode()
            equal(offered, verb in JSON, f'{verb} knows --json')
        for verb, (words, members) in JSON.items():
            lines = call(session, verb, '--json', *words).stdout.decode('utf-8').splitlines()
            true(lines, f'{verb} prints')
            for line in lines:
                found = json.loads(line)
                true(members <= set(found), f'{verb}: {sorted(members)} are in {line}')


@fact('/every-verb/json-of-nothing')
def json_of_nothing():
    """An empty history is no reason to print something else."""
    with Session('none', bus=False, programs=PROGRAMS) as session:
        filled(session)
        call(session, 'wipe')
        for verb in ('list', 'trim', 'status', 'stats', 'doctor'):
            for line in call(session, verb, '--json').stdout.decode().splitlines():
                true(JSON[verb][1] <= set(json.loads(line)), f'{verb}: {line}')


@fact('/every-verb/the-silent-ones-are')
def silent():
    with Session('none', bus=False, programs=PROGRAMS) as session:
        filled(session)
        words = {'delete': [], 'delete-query': ['no such text'], 'pin': ['1'], 'unpin': ['1'],
                 'tag': ['1', 'b'], 'untag': ['1', 'b'], 'expire': ['1', 'never'],
                 'edit': ['1'], 'remove': ['2']}
        # what needs a display is called beside one
        for verb in sorted(SILENT - {'clear', 'copy', 'insert', 'window', 'wipe'}) + ['wipe']:
            done = call(session, verb, *words.get(verb, []), env={'EDITOR': 'true'})
            equal(done.stdout + done.stderr, b'', verb)


main()
