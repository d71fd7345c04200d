# SPDX-License-Identifier: LGPL-2.1-or-later
"""Terminals, in which a program writes down what is pasted: terminals.py foot|xterm x11|sway [FACT...]"""
import base64
import sys

from appdesk import desk, documented, version_of, wanted
from clients import png
from session import until
from tap import equal, fact, main

TERMINAL, DISPLAY = sys.argv.pop(1), sys.argv.pop(1)
NEEDLE = 'needleinahaystack'
# what it prints is there to be selected; what is pasted it writes down, without a Return
SHELL = '''printf '%s\\n' {needle}
read -r line
printf '{control}'
stty raw -echo
cat >{out}'''
# xterm has no key that pastes the clipboard unless it is told so
OPTIONS = ['-xrm', '*selectToClipboard: true', '-xrm', '*disallowedWindowOps: 20']
FOOT = '[main]\nselection-target=none\n[scrollback]\nlines=100\n'


class Terminal:
    def __init__(self, d, control='', options=OPTIONS):
        program = wanted(TERMINAL, TERMINAL)
        self.version = version_of(program, '--version' if TERMINAL == 'foot' else '-version')
        self.d = d
        self.out = d.session.folder / 'pasted'
        shell = SHELL.format(needle=NEEDLE, control=control, out=self.out)
        if TERMINAL == 'foot':
            config = d.session.folder / 'foot.ini'
            config.write_text(FOOT)
            words = [f'--config={config}', '--title=terminal', 'sh', '-c', shell]
        else:
            words = [*options, '-T', 'terminal', '-e', 'sh', '-c', shell]
        self.process = d.start(program, *words)
        d.hands.wait_focus('terminal')

    def copy(self):
        """A word is selected, and copied: with the mouse, or by a search."""
        if TERMINAL == 'xterm':
            window = self.d.session.run('xdotool', 'getactivewindow').stdout.decode().strip()
            self.d.session.run('xdotool', 'mousemove', '--window', window, '40', '8',
                               'click', '--repeat', '2', '--delay', '20', '1')
            return
        hands = self.d.hands
        hands.press('Escape')
        hands.press('ctrl+shift+r')
        hands.type(NEEDLE)
        hands.press('Return')
        hands.press('ctrl+shift+c')

    def paste(self, text):
        """Pastes, until the program in the terminal has read the text."""
        self.d.hands.press('shift+Insert' if TERMINAL == 'xterm' else 'ctrl+shift+v')
        self.reads(text)

    def reads(self, text):
        until(lambda: self.out.exists() and self.out.read_text().endswith(text),
              f'the program in the terminal has read {text!r}')


def name(words):
    return f'/apps/{TERMINAL}-{DISPLAY}/{words}'


@fact(name('a-word-is-copied-and-pasted'))
def word():
    with desk(DISPLAY) as d:
        terminal = Terminal(d)
        number, read = d.capture(terminal.copy, again=3)
        equal(d.newest()['preview'], NEEDLE, 'the entry')
        d.row(TERMINAL, terminal.version, 'selected text', number, read)
        d.hands.press('Return')
        d.other_copy('from elsewhere')
        terminal.paste('from elsewhere')
        d.select_again(number, NEEDLE.encode())
        terminal.paste(NEEDLE)
        d.end(terminal.process)
        d.wait_paste(NEEDLE.encode())


@fact(name('a-program-inside-copies'))
def inside():
    with desk(DISPLAY) as d:
        code = base64.b64encode('grüße'.encode()).decode()
        terminal = Terminal(d, f'\\033]52;c;{code}\\a')
        number, read = d.capture(lambda: d.hands.press('Return'))
        equal(d.newest()['preview'], 'grüße', 'the entry')
        d.row(TERMINAL, terminal.version, 'by a program inside (OSC 52)', number, read)


@fact(name('an-entry-is-inserted-without-a-word-about-keys'))
def inserted():
    with desk(DISPLAY) as d:
        older = d.other_copy('an older entry')
        newer = d.other_copy('a newer entry')
        terminal = Terminal(d, options=[])
        d.hands.press('Return')
        for number, text in ((older, 'an older entry'), (newer, 'a newer entry')):
            d.session.cliphist('insert', number)
            terminal.reads(text)


@fact(name('shift-insert-inserts-too'))
def inserted_by_shift_insert():
    with desk(DISPLAY) as d:
        older = d.other_copy('an older entry')
        d.other_copy('a newer entry')
        terminal = Terminal(d, options=[])
        d.hands.press('Return')
        d.session.cliphist('insert', '--key', 'shift+insert', older)
        terminal.reads('an older entry')


if TERMINAL == 'xterm':
    @fact(name('what-was-selected-before-is-not-pasted-for-an-image'))
    def image():
        with desk(DISPLAY) as d:
            text = d.other_copy('selected before')
            d.session.cliphist('store', data=png())
            terminal = Terminal(d, options=[])
            d.hands.press('Return')
            d.session.cliphist('insert', text)
            terminal.reads('selected before')
            refused = d.session.cliphist('insert', '--key', 'shift+insert', d.newest()['id'], check=False)
            equal(refused.returncode, 1, refused.stderr)
            d.hands.type('next')
            terminal.reads('selected beforenext')


documented(name('is-in-the-table'))
main()
