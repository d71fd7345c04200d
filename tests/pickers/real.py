# SPDX-License-Identifier: LGPL-2.1-or-later
"""`cliphist pick` with the real pickers: keys are sent, and the clipboard says what came of it.

    real.py BUILD PICKER draws|draws-not
"""
import contextlib
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'session'))
from clients import TextField, png  # noqa: E402
from driven import Desk  # noqa: E402
from session import Programs, need, until  # noqa: E402
from tap import equal, fact, main, true  # noqa: E402

PROGRAMS = Programs(sys.argv.pop(1))
PICKER = sys.argv.pop(1)
DRAWS = sys.argv.pop(1) == 'draws'
KEEPS_FILTER = ('rofi', 'fzf')
HAS_KEYS = ('rofi', 'bemenu', 'fzf')
CLIPS = [b'alpha, the oldest', png(160, 90, b'\xff\x00\x00'), b'beta',
         b'gamma: a longer text\nwith two lines']


def open_desk():
    return Desk(PICKER, PROGRAMS, CLIPS)


def choose(desk, text, *words):
    picker = desk.open(*words)
    picker.press(text, 'Return')
    return picker


@fact(f'/pick/{PICKER}-what-is-chosen-is-copied')
def chosen():
    with open_desk() as desk:
        if desk.display == 'none':
            picker = choose(desk, 'alpha', '--print')
            equal(picker.end(), 0, 'exit status')
            equal(picker.process.stdout.read(), CLIPS[0], 'what is printed')
            return
        picker = choose(desk, 'alpha')
        equal(picker.end(), 0, 'exit status')
        until(lambda: desk.clipboard() == CLIPS[0], 'it is on the clipboard')
        equal(desk.listed().splitlines()[:2],
              [b'5\talpha, the oldest', b'4\tgamma: a longer text with two lines'],
              'it has moved to the top')
        desk.env['CLIPHIST_CHOOSE_MOVES'] = 'no'
        picker = choose(desk, 'beta')
        equal(picker.end(), 0, 'exit status')
        until(lambda: desk.clipboard() == CLIPS[2], 'it is on the clipboard')
        equal(desk.listed().splitlines()[0], b'5\talpha, the oldest', 'what keeps its place')


@fact(f'/pick/{PICKER}-cancelled-changes-nothing')
def cancelled():
    with open_desk() as desk:
        before = desk.listed()
        picker = desk.open()
        picker.press('', 'Escape')
        equal(picker.end(), 1, 'exit status')
        equal(desk.listed(), before, 'list')
        if desk.display != 'none':
            equal(desk.clipboard(), b'', 'clipboard')


def no_match():
    with open_desk() as desk:
        picker = desk.open()
        if desk.display == 'none':
            os.write(picker.terminal, b'zzz')
            picker.until_seen(b'0/4')
            os.write(picker.terminal, b'\r')
            equal(picker.end(), 1, 'exit status')
            said = b''
            with contextlib.suppress(OSError):  # its side is closed
                while b'No entry matches.' not in said:
                    said += os.read(picker.terminal, 65536)
            true(b'No entry matches.' in said, 'it is said')
        else:
            picker.press('zzz', 'Return')
            equal(picker.end(), 1, 'exit status')
            equal(desk.log('pick'), 'No entry matches.\n', 'what it says')


def behind_it():
    """With a window manager, which gives the focus back when the picker is gone."""
    with open_desk() as desk:
        if desk.display == 'x11':
            desk.start(need('openbox'), '--sm-disable')
            until(lambda: b'# 0x' in desk.run('xprop', '-root', '_NET_SUPPORTING_WM_CHECK').stdout,
                  'a window manager runs')
        field = TextField(desk)
        field.clear()
        until(field.has_focus, 'the field has the focus')
        picker = desk.open('--insert')
        if desk.display == 'sway':
            # what has changed on the screen may have been the field
            until(lambda: not field.has_focus(), 'the picker has the focus')
        picker.press('alpha', 'Return')
        equal(picker.end(), 0, 'exit status')
        text = CLIPS[0].decode()
        until(field.text, 'something is in the field behind it')
        equal(field.text(), text, 'what is in the field behind it')
        equal(desk.listed().splitlines()[0], b'5\talpha, the oldest', 'the newest entry')


def keys():
    with open_desk() as desk:
        picker = desk.open()
        picker.press('beta', 'alt+2')
        until(lambda: desk.cliphist('search', '--pinned').stdout == b'3\tbeta\n', 'it is pinned')
        picker.until_open_again()
        # what was typed is still there, in those that can be told
        picker.press('' if PICKER in KEEPS_FILTER else 'beta', 'alt+1')
        until(lambda: b'beta' not in desk.listed(), 'it is deleted')
        equal(len(desk.listed().splitlines()), 3, 'entries that are left')
        true(picker.process.poll() is None, 'the picker came up again')


def preview():
    with open_desk() as desk:
        desk.env.update(COLORTERM='truecolor', SHELL='/bin/sh')
        picker = desk.open()
        picker.until_seen(b'with two lines')
        os.write(picker.terminal, b'Image')
        picker.until_seen(b'160x90')
        if DRAWS:
            picker.until_matched(b'8;2;25[45];0;0')  # the colour of the picture, as versions round
        true(b'\x1b_G' not in picker.look(), 'characters, and no pixels')


def preview_of_hostile_path():
    """fzf puts parts of a row for what stands in braces, also inside quotes."""
    with open_desk() as desk:
        desk.env.update(SHELL='/bin/sh')
        path = desk.folder / "it's {2..} {+f}"
        desk.env['CLIPHIST_DB_PATH'] = str(path)
        desk.cliphist('store', data=b';touch hurt; alpha')
        picker = desk.open()
        os.write(picker.terminal, b'alpha')
        picker.until_seen(b'text/plain')
        true(not (desk.folder / 'hurt').exists(), 'nothing was executed')


def options_for_nuls():
    """Which FZF_DEFAULT_OPTS of a user may have, for what else fzf is used for."""
    with open_desk() as desk:
        desk.env['FZF_DEFAULT_OPTS'] = '--read0 --print0'
        picker = choose(desk, 'alpha', '--print')
        equal(picker.end(), 0, 'exit status')
        equal(picker.process.stdout.read(), CLIPS[0], 'what is printed')


if PICKER != 'rofi':  # in which Enter does nothing then
    fact(f'/pick/{PICKER}-says-that-nothing-matches')(no_match)
if PICKER != 'fzf':
    fact(f'/pick/{PICKER}-pastes-into-the-field-behind-it')(behind_it)
if PICKER == 'fzf':
    fact('/pick/fzf-reads-and-prints-lines')(options_for_nuls)
    fact('/pick/fzf-expands-nothing-in-a-path')(preview_of_hostile_path)
    fact('/pick/fzf-shows-text-and-pictures-beside-the-list')(preview)
if PICKER in HAS_KEYS:
    fact(f'/pick/{PICKER}-keys-delete-and-pin')(keys)
main()
