# SPDX-License-Identifier: LGPL-2.1-or-later
"""The manual pages: they are well formed, and know everything that the programs know.

    pages.py BUILD INTERFACE
"""
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'session'))
from session import Programs, Session, need  # noqa: E402
from tables import Tables, installed_files  # noqa: E402
from tap import equal, fact, main, true  # noqa: E402

BUILD = pathlib.Path(sys.argv.pop(1))
INTERFACE = pathlib.Path(sys.argv.pop(1))
SETTINGS = pathlib.Path(__file__).resolve().parents[2] / 'daemon/base/clip-settings.def'
PAGES = BUILD / 'data' / 'man'
PROGRAMS = Programs(BUILD)
NAMES = ['cliphist.1', 'cliphistd.8', 'cliphist-config.5', 'cliphist-dbus.5']
# the value of that depends on whose home it is
PATHS = ['db-path', 'config-path']


def mandoc(*words):
    done = subprocess.run([need('mandoc'), *words], stdin=subprocess.DEVNULL, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.stdout


def source(name):
    return (PAGES / name).read_text('ascii')


def shown(name):
    """The page as text, without overstriking."""
    return re.sub('.\b', '', mandoc('-T', 'utf8', '-O', 'width=200', PAGES / name))


def sections(text, indent):
    """What stands below each heading with that many blanks before it."""
    parts = re.split(rf'^ {{{indent}}}(?! )(.+)$', text, flags=re.M)
    return dict(zip(parts[1::2], parts[2::2]))


def words_in(text):
    return ' '.join(text.split())


@fact('/pages/nothing-to-complain-of')
def nothing_to_complain_of():
    for name in NAMES:
        lines = [line for line in mandoc('-T', 'lint', '-W', 'style', PAGES / name).splitlines()
                 if 'referenced manual not found' not in line]
        equal(lines, [], name)


@fact('/pages/what-they-refer-to-is-there')
def references():
    for name in NAMES:
        for page, section in re.findall(r'^\.Xr (\S+) (\d)', source(name), re.M):
            true(f'{page}.{section}' in NAMES, f'{name} refers to {page}({section})')


@fact('/pages/installed')
def installed():
    places = installed_files(BUILD)
    for name in NAMES:
        true(f'/man{name[-1]}/{name}' in places, f'{name} is installed')


@fact('/pages/every-verb-with-its-options-and-its-example')
def every_verb():
    with Session('none', bus=False, programs=PROGRAMS) as session:
        known = Tables(session, PROGRAMS)
        found = sections(shown('cliphist.1'), 3)
        equal([title for title in found if title in known.verbs], known.verbs, 'sections')
        for verb in known.verbs:
            true(f'cliphist {verb}' in found[verb], f'{verb} has a synopsis')
            true(known.example(verb).splitlines()[0] in found[verb], f'{verb} has its example')
            for option in known.options(verb):
                true(re.search(rf'(?<![\w-]){option}\b', found[verb]), f'{verb} has {option}')


@fact('/pages/every-verb-is-written-of')
def every_verb_is_written_of():
    """What the table says is one sentence; RESUME says everything in it."""
    with Session('none', bus=False, programs=PROGRAMS) as session:
        found = sections(shown('cliphist.1'), 3)
        for verb in Tables(session, PROGRAMS).verbs:
            paragraph = words_in(found[verb].strip().split('\n\n')[1])
            true(verb == 'resume' or '. ' in paragraph,
                 f'{verb} has more than the words of the table')


@fact('/pages/every-setting-with-its-default')
def every_setting():
    with Session('none', bus=False, programs=PROGRAMS) as session:
        settings = Tables(session, PROGRAMS).settings
        flags = shown('cliphist.1')
        found = sections(shown('cliphist-config.5'), 5)
        for name, default in settings.items():
            true(re.search(rf'^ +-{name}[ =]', flags, re.M), f'there is a flag -{name}')
            items = [text for title, text in found.items() if title.split()[0] == name]
            equal(len(items), 1, f'items for {name}')
            text = words_in(items[0])
            true(text.count('. ') > 1, f'{name} has more than the words of the table')
            true(name in PATHS or f'Default: {default or "none"}.' in text, f'the default of {name}')


@fact('/pages/every-option-of-the-daemon')
def every_option_of_the_daemon():
    with Session('none', bus=False, programs=PROGRAMS) as session:
        text = shown('cliphistd.8')
        for option in Tables(session, PROGRAMS).daemon_options():
            true(re.search(rf'^     (-\w, )?{option}\b', text, re.M), f'there is {option}')


@fact('/pages/every-member-of-the-interface-with-its-arguments')
def every_member():
    chapters = sections(shown('cliphist-dbus.5'), 0)
    kinds = {'method': 'METHODS', 'signal': 'SIGNALS', 'property': 'PROPERTIES'}
    for element in ElementTree.parse(INTERFACE).getroot().find('interface'):
        if element.tag == 'annotation':
            continue
        name = element.get('name')
        found = sections(chapters[kinds[element.tag]], 3)
        true(name in found, f'there is {name}')
        head = found[name].strip().split('\n\n')[0]
        for argument in element.iter('arg'):
            true(f'{argument.get("type")} {argument.get("name")}' in head,
                 f'{name} has {argument.get("name")}')


@fact('/pages/every-setting-that-a-call-carries-is-an-option-of-it')
def every_setting_of_a_call():
    rows = re.findall(r'^SETTING \(\w+, "([a-z-]+)".*?(LIMIT|REFUSAL|NONE),', SETTINGS.read_text(),
                      re.M | re.S)
    carried = [name for name, call in rows if call != 'NONE']
    true(len(carried) > 8, 'there are some')
    told = re.search(r'^ *Store:\n(.*?)-->', INTERFACE.read_text(), re.M | re.S)[1]
    equal([name for name in carried if not re.search(rf'(?<![\w-]){name} \(', told)], [],
          'not told of Store')


main()
