# SPDX-License-Identifier: LGPL-2.1-or-later
"""What a person hears who types a verb, and a script does not: said.py BUILD [FACT...]"""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'session'))
from session import Programs, Session, until  # noqa: E402
from tap import equal, fact, main, true  # noqa: E402
from terminal import typed  # noqa: E402

PROGRAMS = Programs(sys.argv.pop(1))


class Desk(Session):
    def __init__(self):
        super().__init__('none', programs=PROGRAMS)

    def __enter__(self):
        super().__enter__()
        self.start_daemon()
        for n in range(1, 5):
            self.cliphist('store', data=b'entry %d' % n)
        return self

    def type(self, *words, **keys):
        return typed(self, PROGRAMS.cliphist, *words, **keys).replace('\r\n', '\n')


@fact('/said/what-a-verb-has-changed')
def changed():
    with Desk() as desk:
        for words, answer in ((('pin', '1', '2'), '2 entries are pinned.\n'),
                              (('expire', '1', '2h'), 'Entry 1 is pinned, and stays until it is not.\n'),
                              (('unpin', '2'), '1 entry is not pinned.\n'),
                              (('tag', '1', 'a', 'b'), 'Tags of entry 1: a, b\n'),
                              (('untag', '1'), 'Entry 1 has no tags.\n'),
                              (('expire', '3', '2h'), 'Entry 3 expires in 2h.\n'),
                              (('expire', '3', 'never'), 'Entry 3 no longer expires.\n'),
                              (('pause', '10m'), 'Nothing that is copied is kept for 10m.\n'),
                              (('resume',), 'What is copied is kept again.\n'),
                              (('remove', '3', '4'), '2 entries were deleted.\n'),
                              (('delete-query', 'entry 2'), '1 entry was deleted.\n')):
            equal(desk.type(*words), answer, ' '.join(words))
        # a script hears none of it
        equal(desk.cliphist('unpin', '1').stderr, b'', 'what a script hears')


@fact('/said/how-much-compact-has-given-back')
def compacted():
    with Desk() as desk:
        for letter in b'abcd':
            desk.cliphist('store', data=bytes([letter]) * 60000)
        desk.cliphist('compact')
        equal(desk.type('compact'), 'given back to the disk: 0 B\n', 'where nothing is unused')
        desk.cliphist('wipe')
        full = on_disk(desk)
        size = re.fullmatch(r'given back to the disk: (\d+) (B|KiB)\n', seen := desk.type('compact'))
        given = int(size[1]) * {'B': 1, 'KiB': 1024}[size[2]] if size else None
        # the daemon may have given a part of it back by itself before that
        true(size and given <= full - on_disk(desk) + 512, f'{full} before, {on_disk(desk)} after: {seen}')
        equal(desk.cliphist('compact').stderr, b'', 'what a script hears')


def on_disk(desk):
    """Bytes that the database and its log take."""
    folder = desk.folder / 'state' / 'cliphist'
    return sum(path.stat().st_blocks * 512 for path in folder.glob('history.db*'))


@fact('/said/wipe-all-asks-and-wipe-does-not')
def wiped():
    with Desk() as desk:
        desk.cliphist('pin', '1')
        seen = desk.type('wipe', '--all', answer=b'n\n')
        true('pinned ones too? [y/N]' in seen and 'Nothing was deleted.' in seen and 'were deleted' not in seen, seen)
        seen = desk.type('wipe', '--since', '1h', '--all', answer=b'n\n')
        true('Delete what was copied since then, pinned entries too? [y/N]' in seen, seen)
        equal(len(desk.listed().splitlines()), 4, 'entries')
        equal(desk.type('wipe'), '3 entries were deleted.\n', 'wipe')
        true(desk.type('wipe', '--all', answer=b'y\n').endswith('1 entry was deleted.\n'), 'a yes counts')
        desk.cliphist('store', data=b'another')
        equal(desk.type('wipe', '--all', '--yes'), '1 entry was deleted.\n', 'wipe --all --yes')


@fact('/said/what-was-typed-before-the-question-is-no-answer')
def typed_ahead():
    with Desk() as desk:
        for words in (('wipe', '--all'), ('wipe', '10m'), ('delete-query', 'entry', '4')):
            seen = desk.type(*words, keys=b'yum install x\n', answer=b'n\n')
            true('Nothing was deleted.' in seen, seen)
        equal(len(desk.listed().splitlines()), 4, 'entries')


@fact('/said/wipe-asks-where-a-word-behind-it-means-nothing')
def wiped_with_words():
    with Desk() as desk:
        seen = desk.type('wipe', '10m', answer=b'n\n')
        true("'10m' means nothing here" in seen and 'that are not pinned? [y/N]' in seen and
             'Nothing was deleted.' in seen, seen)
        equal(len(desk.listed().splitlines()), 4, 'entries')
        true(desk.type('wipe', '10m', answer=b'y\n').endswith('4 entries were deleted.\n'), 'a yes counts')
        desk.cliphist('store', data=b'another')
        desk.cliphist('wipe', '10m')  # as ever
        equal(desk.listed(), b'', 'what a script has left')


@fact('/said/delete-query-asks-where-a-word-behind-it-means-nothing')
def deleted_with_words():
    with Desk() as desk:
        seen = desk.type('delete-query', 'entry', '4', answer=b'n\n')
        true("'4' means nothing here" in seen and "Delete all entries with 'entry'? [y/N]" in seen and
             'Nothing was deleted.' in seen, seen)
        true(desk.type('delete-query', 'entry 4').endswith('1 entry was deleted.\n'), 'with quotes')
        equal(len(desk.listed().splitlines()), 3, 'entries')
        true(desk.type('delete-query', 'entry', '4', answer=b'y\n').endswith('3 entries were deleted.\n'), 'a yes counts')
        desk.cliphist('store', data=b'entry')
        desk.cliphist('delete-query', 'entry', '4')  # as ever
        equal(desk.listed(), b'', 'what a script has left')


@fact('/said/a-window-that-is-not-installed-and-the-picker-in-its-place')
def no_window():
    with Desk() as desk:
        picker = desk.folder / 'rofi'
        picker.write_text('#!/bin/sh\ncat >rows\nexit 1\n')
        picker.chmod(0o755)
        env = {'PATH': f"{desk.folder}:{desk.env['PATH']}", 'DISPLAY': ':77'}
        done = desk.run(PROGRAMS.cliphist, 'window', env=env, check=False)
        equal(done.stderr.decode().splitlines()[0],
              'the window is not installed (its package is cliphist-window): a picker takes its place',
              'what is said')
        true((desk.folder / 'rows').read_text().count('entry'), 'the picker has the rows')


@fact('/said/the-window-shows-no-other-history')
def other_history():
    with Desk() as desk:
        done = desk.run(PROGRAMS.cliphist, '-db-path', desk.folder / 'other', 'window', check=False)
        equal((done.returncode, done.stderr.decode().splitlines()[0]),
              (2, "window: the window shows the daemon's history alone: “cliphist pick” shows another one"), 'what is said')
        usual = pathlib.Path(desk.env['XDG_CACHE_HOME']) / 'cliphist' / 'db'
        done = desk.run(PROGRAMS.cliphist, '-db-path', usual, 'window', check=False)
        true('not installed' in done.stderr.decode(), 'of its own history')


@fact('/said/h-is-help')
def helped():
    with Desk() as desk:
        for verb in ('store', 'list', 'pin'):
            equal(desk.type(verb, '-h'), desk.type(verb, '--help'), verb)
        desk.cliphist('store', '-h', data=b'a text')  # as ever
        equal(desk.listed().count(b'a text'), 1, 'what a script stores')


@fact('/said/words-that-mean-nothing')
def vain():
    with Desk() as desk:
        for words, answer in (
                (('list', '--limt', '3'), "'--limt' means nothing here, and is ignored. "
                                          "Did you mean '--limit'?\n"),
                (('list', '5'), "'5' means nothing here, and is ignored.\n"),
                (('list', '-n', '2'), "'-n' means nothing here, and is ignored.\n")):
            seen = desk.type(*words)
            true(answer in seen and seen.count('entry') == 4, seen)
        seen = typed(desk, 'sh', '-c', f'printf "entry 4" | {PROGRAMS.cliphist} store word')
        true("'word' means nothing here" in seen, seen)
        done = desk.cliphist('list', '--limt', '3')
        equal((done.stderr, done.stdout.count(b'\n')), (b'', 4), 'what a script hears')


@fact('/said/what-was-meant-by-a-slip')
def meant():
    with Desk() as desk:
        true("Did you mean 'list'?" in desk.type('lst'), 'a verb')
        true("Did you mean '--limit'?" in desk.type('search', '--limti', '3', 'x'), 'an option')
        for words in (('decode', 'abc'), ('decode', 'abc\tdef'), ('delete', 'abc')):
            equal(desk.type(*words), "'abc' is not an id\n", ' '.join(words))
        true('Did you mean' not in desk.type('emacs'), 'a word that is none')


@fact('/said/what-is-wrong-in-the-configuration-once')
def once():
    with Desk() as desk:
        config = pathlib.Path(desk.env['XDG_CONFIG_HOME']) / 'cliphist' / 'config'
        config.parent.mkdir(exist_ok=True)
        config.write_text('max-itms 5\n')
        equal(desk.type('list').count("unknown key 'max-itms'"), 1, 'how often')


@fact('/said/that-there-is-nothing-yet')
def nothing():
    with Session('none', programs=PROGRAMS) as session:
        true('Nothing has been copied yet.' in typed(session, PROGRAMS.cliphist, 'list'), 'list')
        # what scripts look for
        done = session.cliphist('list', check=False)
        equal(done.stderr, b'opening db: please store something first\n', 'what a script hears')


@fact('/said/that-a-search-finds-nothing')
def nothing_found():
    with Desk() as desk:
        for verb in (['search', 'word'], ['list', '--tag', 'word']):
            equal(desk.type(*verb), 'No entry matches.\n', ' '.join(verb))
        equal(desk.type('list', '--type', 'image'),
              'No entry matches: a type is like image/png, and image/* means all images.\n', 'a type that is none')
        equal(desk.cliphist('search', 'word').stderr, b'', 'what a script hears')


@fact('/said/what-an-edit-has-changed')
def edited():
    with Desk() as desk:
        desk.env['VISUAL'] = 'true'
        # which it may only say of one that ends within two seconds
        until(lambda: desk.type('edit', '1').startswith('Nothing was changed. If the editor is open now'), 'it says so')
        desk.env['VISUAL'] = 'sed -i s/entry/text/'
        equal(desk.type('edit', '1'), '5\nEntry 5 has the new text, and takes the place of entry 1.\n', 'what it says')
        desk.env['VISUAL'] = f'{PROGRAMS.cliphist} wipe; echo late >'
        equal(desk.type('edit', '2').splitlines()[-1],
              'Entry 6 has the new text. It takes the place of no other: there is no entry 2 any more.',
              'what it says behind a wipe')


@fact('/said/how-many-entries-were-exported')
def exported():
    with Desk() as desk:
        equal(desk.type('export', 'some.tar', '1', '2'), "2 entries were written to 'some.tar'\n", 'two of them')
        equal(desk.type('export', 'one.tar', '1'), "1 entry was written to 'one.tar'\n", 'one')
        equal(desk.cliphist('export', 'all.tar').stderr, b'', 'what a script hears')


@fact('/said/that-a-text-is-to-be-typed')
def typed_text():
    with Desk() as desk:
        for verb in ('store', 'copy'):
            seen = desk.type(verb, keys=b'typed by hand\n\x04')
            true('Type a text, and end it with Ctrl+D' in seen, seen)
        true(b'typed by hand' in desk.listed(), 'it is kept')


@fact('/said/that-an-id-is-to-be-typed')
def typed_id():
    with Desk() as desk:
        for verb, answer in (('decode', 'entry 1'), ('delete', '1 entry was deleted.')):
            seen = desk.type(verb, keys=b'1\n\x04')
            true('Type an id, and end it with Ctrl+D' in seen and answer in seen, seen)


@fact('/said/that-no-entry-has-a-tag')
def no_tags():
    with Desk() as desk:
        equal(desk.type('tags'), 'No entry has a tag.\n', 'tags')
        equal(desk.cliphist('tags').stderr, b'', 'what a script hears')


@fact('/said/which-setting-was-meant')
def setting():
    with Desk() as desk:
        true("there is no setting 'max-item'. Did you mean 'max-items'?" in desk.type('config', 'max-item'), 'a slip')
        true('cliphist config' in desk.type('config', 'colour'), 'where they all are')


@fact('/said/that-nothing-is-left')
def nothing_left():
    with Desk() as desk:
        desk.cliphist('wipe')
        for verb in (['list'], ['search', 'word']):
            seen = desk.type(*verb)
            true('The history is empty.' in seen, f'{verb}: {seen}')
        equal(desk.cliphist('list').stderr, b'', 'what a script hears of that')


main()
