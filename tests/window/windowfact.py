# SPDX-License-Identifier: LGPL-2.1-or-later
"""Which facts of the window a desktop has, and what more than one kind of them needs."""
import subprocess
import sys

from tap import fact
from windowdesk import NAME, until

KIND = sys.argv.pop(1)
IS_ALL = {'all': True, 'own': False}[sys.argv.pop(1)]
GTK_MINOR = int(subprocess.run(['pkg-config', '--modversion', 'gtk4'], check=True, stdout=subprocess.PIPE,
                               text=True).stdout.split('.')[1])
NO_ANSWER = 'The clipboard history does not answer: “cliphist doctor” in a terminal says why.'
# on GNOME: the window that has the focus
FOCUS = 'global.display.focus_window?.get_wm_class()'
# where the window presses keys by itself; on KWin a portal does, which these sessions lack
HAS_HANDS = KIND in ('openbox', 'bare', 'sway', 'gnome')


def with_hands(words):
    """A fact for which keys are pressed, and the window presses some."""
    return fact(name(words)) if HAS_HANDS else lambda function: function


def with_pointer(words):
    return with_hands(words) if KIND != 'gnome' else lambda function: function


def with_keyboard(words):
    """A fact for which keys are pressed, and the window presses none."""
    return fact(name(words)) if HAS_HANDS or KIND == 'kwin' else lambda function: function


def anywhere(words):
    """A fact with keys, that has little to do with the desktop."""
    return with_hands(words) if IS_ALL else lambda function: function


def of_size(words):
    """A fact that takes long, and is the same everywhere."""
    return fact(name(words)) if KIND == 'bare' else lambda function: function


def name(words):
    return f'/window/{KIND}/{words}'


def log_keys(session):
    """The window keeps what it asks of the program that presses keys in the file keys."""
    folder = session.folder / 'libexec'
    folder.mkdir()
    programs = session.programs.cliphist.parent
    (folder / 'cliphist-key').write_text(f'#!/bin/sh\necho $1 >>{session.folder}/keys\n'
                                         f'exec {programs}/cliphist-key "$@"\n')
    (folder / 'cliphist-key').chmod(0o755)
    session.make_activatable(NAME, '/usr/bin/env', f"CLIPHIST_LIBEXEC={folder}:{session.env['CLIPHIST_LIBEXEC']}",
                             programs / 'window' / 'cliphist-window', '--gapplication-service')


def unhurried(session, *variables):
    """What was deleted can be taken back, however slow the machine is."""
    program = session.programs.cliphist.parent.parent / 'tests/window/window-unhurried'
    session.make_activatable(NAME, '/usr/bin/env', *variables, program, '--gapplication-service')


def start_mako(d):
    screen = d.session.start('mako', '--default-timeout=0')
    d.session.wait_for(screen, lambda: d.session.has_owner('org.freedesktop.Notifications'), 'mako is there')


def wait_menu_gone(d, name):
    """A menu was closed by a key, and what has that name has the focus then."""
    if KIND == 'kwin':
        # which calls the window inactive until a key comes
        until(lambda: not d.everything(role='menu item'), 'the menu is gone')
    else:
        d.wait_focus(name)


def says_status(d, words):
    """GTK 4.18 calls no status by its words; they stand in it."""
    nodes = d.everything(role='status bar')
    inside = [child for node in nodes for child in node['children']] if GTK_MINOR >= 18 else []
    return any(words in node['name'] for node in nodes + inside)


def about(*parts):
    """What is said of an entry: each part reads for itself, from the left or from the right."""
    return ' · '.join(f'\u2068{part}\u2069' for part in parts)


def chosen(d, words):
    until(lambda: [row.startswith(words) for row in d.selected()] == [True], f'{words} is chosen')


def luminance(colour):
    parts = [part / 255 for part in colour]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(part * weight for part, weight in zip(linear, (0.2126, 0.7152, 0.0722)))


def contrast(colours):
    """As WCAG has it, from 1 to 21."""
    all_of_them = [luminance(colour) for colour in colours]
    return (max(all_of_them) + 0.05) / (min(all_of_them) + 0.05)
