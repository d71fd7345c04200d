# SPDX-License-Identifier: LGPL-2.1-or-later
"""The completions, by the shells that they are for: each is asked what it would offer.

    shells.py BUILD
"""
import contextlib
import io
import json
import os
import pathlib
import pty
import re
import select
import shlex
import sys
import tarfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'session'))
from session import Programs, Session, until  # noqa: E402
from tables import Tables, installed_files  # noqa: E402
from tap import equal, fact, main, true  # noqa: E402

BUILD = sys.argv.pop(1)
PROGRAMS = Programs(BUILD)
FILES = pathlib.Path(BUILD).resolve() / 'data' / 'completions'


@contextlib.contextmanager
def session_with_entries():
    """Two entries, with an escape sequence and with what a shell might take for its own; and
    another history with one."""
    with Session('none', bus=False, programs=PROGRAMS) as session:
        session.env['PATH'] = f'{PROGRAMS.cliphist.parent}:{session.env["PATH"]}'
        for text in ('red \033[31m: one', "$(touch hurt) `touch hurt` 'two' [x]"):
            session.run(PROGRAMS.cliphist, 'store', data=text.encode())
        session.run(PROGRAMS.cliphist, '-db-path', session.folder / 'other', 'store', data=b'elsewhere')
        yield session
        true(not (session.folder / 'hurt').exists(), 'no text was executed')


# names that any program on the display may give to what it offers
HOSTILE = ['image/$(touch hurt)', 'image/`touch hurt`', 'image/x;touch hurt', 'image/x|touch hurt',
           'image/<(touch hurt)', "image/'\"x", 'image/a b', 'image/*', 'image/{a,b}', 'image/$HOME',
           'image/!!', 'image/\\$(touch hurt)', 'image/$[$(touch hurt)]', 'image/x:y&']


def import_entry(session, types):
    """As an archive that was written by hand."""
    entry = {'id': 3, 'last': 1, 'contents': [{'type': name, 'text': 'x'} for name in types]}
    with tarfile.open(session.folder / 'hostile.tar', 'w') as archive:
        for name, text in (('1.json', '{"cliphist-export":1,"created":1}'),
                           ('2.jsonl', json.dumps(entry))):
            member = tarfile.TarInfo(f'cliphist-export/000000000{name}')
            member.size = len(text) + 1
            archive.addfile(member, io.BytesIO(f'{text}\n'.encode()))
    done = session.run(PROGRAMS.cliphist, 'import', 'hostile.tar')
    equal(done.returncode, 0, f'import: {done.stderr}')


class Shell:
    """Says what it offers for a line: a dictionary of what is inserted and what is shown of it."""

    def __init__(self, session):
        self.session = session

    def close(self):
        """What runs until it is told to end ends."""


class Bash(Shell):
    """Calls the function that is registered, as bash itself does."""

    SCRIPT = r'''
        source "$1"
        shift
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_TYPE=9
        spec=($(complete -p cliphist))
        ${spec[2]} 2>/dev/null
        ((${#COMPREPLY[@]})) && printf '%s\n' "${COMPREPLY[@]}"
        exit 0'''

    def offers(self, line):
        words = shlex.split(line) + [''] * line.endswith(' ')
        words = [part for word in words for part in re.split('(=)', word) if part or not word]
        words += [''] * line.endswith('=')
        done = self.session.run('bash', '--norc', '-c', self.SCRIPT, 'bash',
                                FILES / 'cliphist', *words)
        lines = done.stdout.decode().splitlines()
        return {self._read(line.split('  ')[0]): line.partition('  ')[2] for line in lines}

    def _read(self, word):
        """What bash makes of the word once it stands on the line: one word, and nothing is run."""
        done = self.session.run('bash', '--norc', '-c', rf"printf '%s\0' {word}")
        equal(done.stdout.count(b'\0'), 1, f'words in {word}')
        return done.stdout.decode()[:-1]


class Fish(Shell):
    def offers(self, line):
        script = f'source {FILES / "cliphist.fish"}; complete -C {shlex.quote(line)}'
        done = self.session.run('fish', '--no-config', '-c', script)
        lines = done.stdout.decode().splitlines()
        return {re.sub('^--[a-z]+=', '', line.split('\t')[0]): line.partition('\t')[2]
                for line in lines}


class Zsh(Shell):
    """A real one on a terminal, in which the key is pressed. What it is given to offer is written
    down on the way."""

    SETUP = r'''
        fpath=("$COMPLETIONS" $fpath) PS1=READY
        autoload -Uz compinit && compinit -D -u
        setopt no_auto_list no_auto_menu no_beep
        compadd() {
          local -a hits shown
          local i=${@[(i)-d]}
          if [[ -z ${@[(r)-[ADO]*]} ]]; then
            ((i >= $#)) || shown=("${(@P)@[i+1]}")
            builtin compadd -O hits "$@"
            ((${#shown} == ${#hits})) || shown=($hits)
            for i in {1..$#hits}; do offered+=("$hits[i]"$'\t'"$shown[i]"); done
          fi
          builtin compadd "$@"
        }
        start() { offered=() compprefuncs=(start) comppostfuncs=(finish) }
        finish() { print -rl -- "${offered[@]}" >offered.new; mv offered.new offered }
        start
        '''

    def __init__(self, session):
        super().__init__(session)
        self.folder = session.folder
        (self.folder / 'home' / '.zshrc').write_text(self.SETUP)
        mine, its = pty.openpty()
        self.terminal = mine
        self.process = session.start('zsh', '-i', env={'COMPLETIONS': str(FILES), 'TERM': 'dumb'},
                      stdin=its, stdout=its, name='zsh')
        os.close(its)
        self.seen = b''
        until(lambda: b'READY' in self._read(), 'the prompt of zsh')

    def _read(self):
        if select.select([self.terminal], [], [], 0)[0]:
            self.seen += os.read(self.terminal, 65536)
        return self.seen

    def close(self):
        os.close(self.terminal)  # which hangs up
        self.process.wait(20)

    def offers(self, line):
        answer = self.folder / 'offered'
        answer.unlink(missing_ok=True)
        os.write(self.terminal, b'\x15' + line.encode() + b'\t')
        until(lambda: self._read() and answer.exists(), f'completion of {line!r}')
        lines = answer.read_text().splitlines()
        return {line.split('\t')[0]: line.partition('\t')[2] for line in lines if line}


def verbs_are_offered(shell, session):
    verbs = Tables(session, PROGRAMS).verbs
    equal(sorted(shell.offers('cliphist ')), sorted(verbs), 'verbs')
    equal(sorted(shell.offers('cliphist -max-items 3 tr')), ['trim'], 'behind a flag')
    equal(sorted(shell.offers('cliphist help untag')), ['untag'], 'behind help')


def options_are_offered(shell, session):
    known = Tables(session, PROGRAMS)
    for verb in known.verbs:
        wanted = {'--help'} | {word for word in known.options(verb) if word.startswith('--')}
        got = {word.rstrip('=') for word in shell.offers(f'cliphist {verb} --')}
        equal(got, wanted, f'options of {verb}')


def flags_are_offered(shell, session):
    got = shell.offers('cliphist -')
    for name in Tables(session, PROGRAMS).settings:
        true(f'-{name}' in got, f'there is -{name}')


def ids_are_offered(shell, _session):
    for verb in ('decode', 'show', 'copy', 'pin 2', 'expire', 'join 1 2', 'untag', 'delete'):
        got = shell.offers(f'cliphist {verb} ')
        equal(list(got), ['2', '1'], f'ids for {verb}')
        true('touch hurt' in got['2'], 'the preview is shown')
        true('\033' not in got['1'] and ': one' in got['1'], 'and no control character')
    equal(list(shell.offers('cliphist -db-path other decode ')), ['1'], 'of another history')
    equal(shell.offers('cliphist show 1 '), {}, 'where no word may follow')
    equal(shell.offers('cliphist trim '), {}, 'where none is known')


def values_are_offered(shell, _session):
    classes = ['files', 'image', 'other', 'text']
    equal(sorted(shell.offers('cliphist search --class ')), classes, 'classes')
    equal(list(shell.offers('cliphist search --class=i')), ['image'], 'a class')
    types = ['text/plain;charset=utf-8']
    equal(list(shell.offers('cliphist paste 1 --type ')), types, 'types of the entry')
    equal(sorted(shell.offers('cliphist -persist ')), ['never', 'owner-exit'], 'words of a flag')
    equal(list(shell.offers('cliphist search --limit 3 --cl')), ['--class'], 'behind a value')


def tags_are_offered(shell, session):
    session.run(PROGRAMS.cliphist, 'tag', '1', 'sig', 'sign;here')
    for line in ('list --tag ', 'search --tag ', 'tag 2 ', 'untag 1 sig '):
        equal(len(shell.offers(f'cliphist {line}')), 2, f'tags behind {line}')
        true('sig' in shell.offers(f'cliphist {line}'), f'a tag behind {line}')
    equal(shell.offers('cliphist -db-path other list --tag '), {}, 'of another history')


def hostile_types_are_words(shell, session):
    """What an entry is offered as is the choice of the program that it was copied in."""
    import_entry(session, HOSTILE)
    got = shell.offers('cliphist copy 3 --type ')
    equal(sorted(got), sorted(HOSTILE), 'types of the entry')
    true(not (session.folder / 'hurt').exists(), 'nothing was executed')


def register(kind):
    name = kind.__name__.lower()

    def with_shell(check):
        def run():
            with session_with_entries() as session, contextlib.closing(kind(session)) as shell:
                check(shell, session)
        return run

    fact(f'/{name}/every-verb')(with_shell(verbs_are_offered))
    fact(f'/{name}/every-option-of-a-verb')(with_shell(options_are_offered))
    fact(f'/{name}/every-flag')(with_shell(flags_are_offered))
    fact(f'/{name}/ids-with-their-previews')(with_shell(ids_are_offered))
    fact(f'/{name}/values')(with_shell(values_are_offered))
    fact(f'/{name}/tags')(with_shell(tags_are_offered))
    fact(f'/{name}/hostile-names-of-types')(with_shell(hostile_types_are_words))


@fact('/shells/installed')
def installed():
    places = installed_files(BUILD)
    for place in ('/bash-completion/completions/cliphist', '/site-functions/_cliphist',
                  '/vendor_completions.d/cliphist.fish'):
        true(place in places, f'{place} is installed')


for each in (Bash, Fish, Zsh):
    register(each)
main()
