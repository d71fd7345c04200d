# SPDX-License-Identifier: LGPL-2.1-or-later
"""What is said to people is said in their language, and what programs read never changes with it.

    languages.py SOURCE TABLES

A catalogue made here turns every letter of every message into a wide one. A narrow letter in what
a program then says, beyond names and data, was never given to be translated.
"""
import atexit
import functools
import gettext
import io
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'session'))
from session import Programs, Session, need  # noqa: E402
from tap import equal, fact, main, true  # noqa: E402

SOURCE = pathlib.Path(sys.argv.pop(1))
TABLES = json.loads(pathlib.Path(sys.argv.pop(1)).read_text('utf-8'))
PO = SOURCE / 'po'
PROGRAMS = Programs()
LANGUAGES = [line for line in (PO / 'LINGUAS').read_text().split('\n')
             if line and not line.startswith('#')]
PSEUDO = 'en_XA'

WIDE = {ord(c): chr(ord(c) + 0xFEE0) for c in
        'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'}
# of printf and strftime, and what a string literal escapes
KEPT = re.compile(r'%[0-9*.]*l{0,2}[a-zA-Z%]|\\.')

# headings that scripts look for, and units
FIXED = {'usage', 'options', 'verbs', 'example', 'OPTIONS', 'VERB', 'WORDS', 'KiB', 'MiB', 'GiB'}

# what looks like prose and is none of ours: the words of the existing tool, which scripts read,
# commands to be typed, and what only a log or nobody hears
EXISTING_TOOL_FILES = ['clip-flags.c', 'clip-id.c', 'clip-size-fault.c']
NOT_SAID = {
    'invalid value \\"', '\\" for max-store-size: ', 'invalid max-store-size value: %s',
    'parse error', 'opening db: open db: open : no such file or directory',
    'opening db: please store something first', 'opening db: ', 'read stdin', 'extracting id: ',
    'id % not found', 'please provide a query',
    'open source db: open %s: no such file or directory',
    'read stdin: read /dev/stdin: is a directory',
    'writing out: write /dev/stdout: no space left on device',
    'it is no picture', 'is sentriz ', 'read file', 'already running?',
    'only its folder keeps others from the text: %s',
}
COMMAND = re.compile(r'(\w+=\S+ )?(cliphist|wl-paste|zstd|systemctl|sudo|riverctl|gsettings) |VISUAL=|<keybind ')
PROSE = re.compile(r'[A-Za-z]{2,}[,:…]? [a-z]{2,}')
CAPITALS = re.compile(r'(?<![A-Za-z])[A-Z]{2,}(?![A-Za-z])')
TOKEN = re.compile(r'/\*.*?\*/|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|\w+|\s+|.', re.S)


def run(*argv, data=None):
    return subprocess.run([need(argv[0]), *map(str, argv[1:])], input=data, check=True,
                          capture_output=True, cwd=SOURCE).stdout.decode()


def template():
    return run('sh', PO / 'extract')


def widen(text):
    """A message as it stands in a catalogue, with wide letters."""
    parts, at = [], 0
    for kept in KEPT.finditer(text):
        parts += [text[at:kept.start()].translate(WIDE), kept.group()]
        at = kept.end()
    return ''.join(parts) + text[at:].translate(WIDE)


def pseudo_catalogue():
    entries = []
    for block in run('msgcat', '--no-wrap', '-', data=template().encode()).split('\n\n')[1:]:
        key, texts = None, {}
        for line in block.splitlines():
            start = re.match(r'(msgid_plural|msgid|msgstr\S*) ', line)
            key = start.group(1) if start else key
            if key and not line.startswith('#'):
                texts[key] = texts.get(key, '') + line[line.index('"') + 1:-1]
        lines = [f'msgid "{texts["msgid"]}"']
        if 'msgid_plural' in texts:
            lines += [f'msgid_plural "{texts["msgid_plural"]}"',
                      f'msgstr[0] "{widen(texts["msgid"])}"',
                      f'msgstr[1] "{widen(texts["msgid_plural"])}"']
        else:
            lines.append(f'msgstr "{widen(texts["msgid"])}"')
        entries.append('\n'.join(lines))
    head = ('msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n'
            '"Plural-Forms: nplurals=2; plural=(n != 1);\\n"')
    return '\n\n'.join([head, *entries]) + '\n'


@functools.cache
def some_locale():
    """The C library translates nothing where the locale is C, nor, as of version 2.41, C.UTF-8."""
    folder = tempfile.mkdtemp(prefix='cliphist-locale-')
    atexit.register(shutil.rmtree, folder)
    run('localedef', '-i', 'en_US', '-f', 'UTF-8', f'{folder}/en_US.UTF-8')
    return {'LOCPATH': folder, 'LC_ALL': 'en_US.UTF-8'}


def put(session, language, catalogue):
    folder = session.folder / 'locale' / language / 'LC_MESSAGES'
    folder.mkdir(parents=True)
    run('msgfmt', '--check-format', '-o', folder / 'cliphist.mo', '-', data=catalogue.encode())
    return {'CLIPHIST_LOCALEDIR': str(session.folder / 'locale'), 'LANGUAGE': language,
            **some_locale()}


def translated(session):
    return put(session, PSEUDO, pseudo_catalogue())


def names():
    """The words of the tables that are no prose: names, values, examples."""
    found = set(FIXED)
    for kind, rows in TABLES.items():
        del kind
        for row in rows:
            for key, value in row.items():
                for text in value if isinstance(value, list) else [value]:
                    if key != 'summary' and isinstance(text, str):
                        found |= set(re.findall('[A-Za-z]{2,}', text))
    return found


def findings(text, allowed):
    text = re.sub(r'/\S+|--?[a-z][a-z-]*|\b[a-z]+/[a-z.+;=-]+\S*', ' ', text)
    return [word for word in re.findall('[A-Za-z]{2,}', text) if word not in allowed]


def unmarked(text):
    """The texts of a C source, joined as the compiler does, that no _ () is around."""
    callees, last, found = [], '', []
    for token in TOKEN.findall(text):
        if token.isspace() or token.startswith('/*'):
            continue
        if token[0] == '"' and last[:1] == '"':
            found[-1][1] += token[1:-1]
        elif token[0] == '"':
            found.append([bool(set(callees) & {'_', 'N_', 'P_', 'ngettext'}), token[1:-1]])
        elif token == '(':
            callees.append(last)
        elif token == ')' and callees:
            callees.pop()
        # a macro between two of them is a part of the text
        last = last if last[:1] == '"' and token.startswith('G_G') else token
    return [words for is_marked, words in found if not is_marked]


def say(session, env, *argv, data=b''):
    done = session.run(*argv, env=env, data=data, check=False)
    return done.stdout.decode(), done.stderr.decode()


@fact('/languages/nothing-in-help-is-left-untranslated')
def helps():
    with Session('none', bus=False, programs=PROGRAMS) as session:
        env, allowed, found = translated(session), names(), {}
        for words in [['help'], *[[row['name'], '--help'] for row in TABLES['verbs']]]:
            out, _ = say(session, env, PROGRAMS.cliphist, *words)
            left = findings(out, allowed)
            if left:
                found[' '.join(map(str, words))] = left
        equal(found, {}, 'left in English')


@fact('/languages/nothing-in-the-daemons-help-is-left-untranslated')
def daemon_help():
    with Session('none', bus=False, programs=PROGRAMS) as session:
        out, _ = say(session, translated(session), PROGRAMS.cliphistd, '--help')
        # the headings, and what it says of --help, are GLib's own
        lines = [line for line in out.splitlines()
                 if not re.match(r'(Usage|Help Options|Application Options):|  -h, --help', line)]
        equal(findings('\n'.join(lines), {'cliphistd', 'OPTION'}), [], 'left in English')


# names, and what the C library says in its own languages
DATA = set('utf text other cliphist id paused sentriz gpaste klipper copyq clipse ringboard'
           ' No such file or directory'.split())

# each says something of its own to people
SAID = [
    ['pin'], ['pin', 'word'], ['pin', '1', '--nonsense'], ['pin', '--json=1', '1'],
    ['search', '--limit'], ['search', '--limit', '0', 'x'], ['show', '1', '2'],
    ['wipe', '--since', 'tomorrow'], ['export', '--since', 'tomorrow'],
    ['status'], ['stats'], ['doctor'], ['trim', '--dry-run'], ['trim'], ['show', '1'],
    ['list', '--with-icons', 'x'], ['list', '--with-icons', 'rofi', '--json'],
    ['search', '--class', 'x', 'y'], ['search'], ['tag', '1', ''], ['expire', '1', 'x'],
    ['pause', 'x'], ['help', 'x'], ['copy', '--plain'], ['copy', '--type', 'x/y', '1'],
    ['copy', '--type', 'x'], ['join', '--separator', r'\q', '1'], ['import', ''],
    ['import', 'nowhere'], ['import', '--from', 'x', 'nowhere'], ['import', '.'],
    ['export', ''], ['pick', '--with', 'x'], ['edit', '2'], ['watch'],
]


@fact('/languages/nothing-in-what-verbs-say-is-left-untranslated')
def said():
    with Session('none', programs=PROGRAMS) as session:
        env, found = translated(session), {}
        session.start_daemon()
        session.cliphist('store', data=b'1234')
        session.cliphist('store', data=b'\xff')
        session.cliphist('pin', '1')
        session.cliphist('pause', '1h')
        for words in SAID:
            words = ['-db-path', session.folder / 'other'] + words if words == ['watch'] else words
            out, err = say(session, env, PROGRAMS.cliphist, *words)
            # quoted words, and the name of who speaks
            text = re.sub(r"'[^']*'|^\w+: ", ' ', f'{out}\n{err}', flags=re.M)
            left = findings(text, names() | DATA)
            if left or not (out or err):
                found[' '.join(map(str, words))] = left or 'nothing said'
        equal(found, {}, 'left in English')


@fact('/languages/every-text-of-the-command-is-given-to-be-translated')
def marked():
    found = {}
    command = [path for path in (SOURCE / 'client').rglob('*.c')
               if path.parent.name not in ('library', 'window')]
    for path in [*command, SOURCE / 'daemon/bus/notify/clip-notifier.c']:
        if path.name not in EXISTING_TOOL_FILES:
            left = [text for text in unmarked(path.read_text('utf-8'))
                    if PROSE.search(text) and text not in NOT_SAID and not COMMAND.match(text)]
            found.update({path.name: left} if left else {})
    equal('cmd-list.c' in [path.name for path in command], True, 'the verbs are looked at')
    equal(found, {}, 'not given to be translated')


# what programs read
READ = [
    ['list'], ['list', '-0'], ['list', '--json'], ['decode', '1'], ['paste', '2'],
    ['search', 'word'], ['search', '--json', 'word'], ['types', '1'], ['types', '--json', '1'],
    ['show', '--json', '1'], ['join', '1', '2'], ['trim', '--dry-run', '--json'],
    ['doctor', '--json'], ['status', '--json'], ['stats', '--json'], ['version'],
    ['decode', '77'], ['decode', 'word'],
    ['delete-query'], ['-max-items', 'x', 'list'], ['-nonsense', 'list'],
]


def catalogue_of(language):
    done = subprocess.run([need('msgfmt'), '-o', '-', PO / f'{language}.po'], check=True, capture_output=True)
    return gettext.GNUTranslations(io.BytesIO(done.stdout))


@fact('/languages/each-line-of-the-menu-has-a-letter-of-its-own')
def letters():
    window = (SOURCE / 'client/window/clip-history-window.ui').read_text('utf-8')
    lines = re.findall(r'<attribute name="label" translatable="yes">(.*)</attribute>', window)
    true(len(lines) > 10, 'the menu is found')
    for language in LANGUAGES:
        translate = catalogue_of(language).gettext
        for said in (lines, [translate(line) for line in lines]):
            found = [''.join(re.findall('_(.)', line)).lower() for line in said]
            equal([letter for letter in found if len(letter) != 1 or found.count(letter) > 1], [],
                  f'letters that are none, or of several, of {language}')


@fact('/languages/keys-have-the-names-that-the-keyboards-of-the-language-have')
def keys():
    left = [line.strip() for path in sorted((SOURCE / 'client/window').glob('*.ui'))
            for line in path.read_text('utf-8').splitlines()
            if re.search(r'name="label">[^<]*\b(Ctrl|Shift|Enter|Delete)\b', line)]
    equal(left, [], 'keys that no language can name')
    said = {words: text for words, text in catalogue_of('de')._catalog.items() if isinstance(words, str)}
    equal([text for text in said.values() if re.search(r'\b(Ctrl|Shift)\b', text)], [], 'in German')
    equal(said['Delete'], 'Entf', 'the key')


@fact('/languages/words-in-capitals-stay-as-they-are')
def capitals():
    """The syntax in front of a sentence says WORDS in every language."""
    messages = re.findall(r'^msgid "(.+)"$', run('msgcat', '--no-wrap', '-', data=template().encode()), re.M)
    messages = [text for text in messages if not text.isupper() and CAPITALS.search(text)]
    true(len(messages) > 10, 'there are some')
    for language in LANGUAGES:
        translate = catalogue_of(language).gettext
        equal([text for text in messages
               if not set(CAPITALS.findall(text)) <= set(CAPITALS.findall(translate(text)))], [],
              f'with a word of its own, of {language}')


@fact('/languages/what-programs-read-is-the-same-in-every-language')
def read():
    with Session('none', programs=PROGRAMS) as session:
        session.start_daemon()
        session.cliphist('store', data='wörd one'.encode())
        session.cliphist('store', data=b'\x89PNG\r\n\x1a\nno image')
        env = translated(session)
        for words in READ:
            plain = say_bytes(session, {}, words)
            equal(say_bytes(session, env, words), plain, ' '.join(words))


def say_bytes(session, env, words):
    """Behind an error there may be help, which is for people."""
    done = session.run(PROGRAMS.cliphist, *words, env=env, check=False)
    return done.returncode, done.stdout, done.stderr.partition(b'usage:')[0]


@fact('/languages/who-only-passes-bytes-on-looks-for-no-catalogue')
def lazy():
    with Session('none', programs=PROGRAMS) as session:
        env = translated(session)
        session.start_daemon()
        for words, data in ((['store'], b'a word'), (['decode', '1'], b''), (['list'], b'')):
            trace = session.folder / 'trace'
            session.run('strace', '-f', '-e', 'trace=open,openat', '-o', trace,
                        PROGRAMS.cliphist, *words, data=data,
                        env={**env, 'ASAN_OPTIONS': 'detect_leaks=0'})
            lines = trace.read_text().splitlines()
            true(lines, 'there is a trace')
            equal([line for line in lines if 'locale' in line], [], ' '.join(words))


@fact('/languages/every-catalogue-is-well-formed-and-complete')
def complete():
    with tempfile.TemporaryDirectory() as folder:
        pot = pathlib.Path(folder, 'cliphist.pot')
        pot.write_text(template())
        for language in LANGUAGES:
            merged = pathlib.Path(folder, language)
            run('msgmerge', '--quiet', '--no-fuzzy-matching', '-o', merged,
                PO / f'{language}.po', pot)
            run('msgfmt', '--check-format', '--check-domain', '-o', '/dev/null', merged)
            for state in ('--untranslated', '--only-fuzzy', '--only-obsolete'):
                left = run('msgattrib', state, '--no-wrap', merged)
                texts = re.findall(r'^(?:#~ )?msgid ((?:(?:#~ )?".*"\n)+)', left, re.M)
                equal([text for text in texts if text != '""\n'], [], f'{language}: {state}')


@fact('/languages/every-file-that-speaks-is-extracted')
def extracted():
    marked = [path for top in ('client', 'daemon') for kind in ('*.c', '*.def')
              for path in (SOURCE / top).rglob(kind) if path.name != 'clip-words.c'
              and re.search(r'\b[NP]?_ \("', path.read_text('utf-8'))]
    found = {word.partition(':')[0] for line in template().splitlines()
             if line.startswith('#: ') for word in line[3:].split()}
    true(len(marked) > 50, 'files that speak')
    equal([str(path.relative_to(SOURCE)) for path in marked
           if str(path.relative_to(SOURCE)) not in found], [], 'left out')


@fact('/languages/the-command-speaks-through-what-opens-its-catalogue')
def one_way():
    found = [path.name for path in (SOURCE / 'client').rglob('*.[ch]')
             if 'gi18n' in path.read_text('utf-8')]
    equal(found, [], 'without clip-words.h')


@fact('/languages/each-language-is-spoken')
def spoken():
    with Session('none', bus=False, programs=PROGRAMS) as session:
        _, english = say(session, {}, PROGRAMS.cliphist, 'pin')
        for language in LANGUAGES:
            env = put(session, language, (PO / f'{language}.po').read_text('utf-8'))
            _, words = say(session, env, PROGRAMS.cliphist, 'pin')
            true(words and words != english, f'{language}: {words}')
            true('ID' in words and 'cliphist pin --help' in words, f'{language}: {words}')


@fact('/languages/what-would-be-right-for-a-setting-is-said-in-each')
def hints():
    with Session('none', bus=False, programs=PROGRAMS) as session:
        spoken_ones = {language: put(session, language, (PO / f'{language}.po').read_text('utf-8'))
                       for language in LANGUAGES}
        for setting, value in (('max-items', '= 5'), ('max-items', 'many'), ('max-store-size', '5mbit'),
                               ('min-free-space', '500%'), ('max-age', '30days'), ('notify', 'maybe')):
            _, english = say(session, {}, PROGRAMS.cliphist, 'config', setting, value)
            invalid, hint = english.strip().split(': ', 1)
            for language, env in spoken_ones.items():
                _, words = say(session, env, PROGRAMS.cliphist, 'config', setting, value)
                true(setting in words and value in words, f'{language}: {words}')
                true(hint not in words and not words.startswith(invalid), f'{language}: {words}')
        doubt = say(session, {}, PROGRAMS.cliphist, 'config', 'max-items', '0')[1].strip().split(': ', 1)[1]
        for language, env in spoken_ones.items():
            _, words = say(session, env, PROGRAMS.cliphist, 'config', 'max-items', '0')
            true(words.startswith('max-items: 0 ') and doubt not in words, f'{language}: {words}')


main()
