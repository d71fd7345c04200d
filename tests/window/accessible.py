# SPDX-License-Identifier: LGPL-2.1-or-later
"""What a screen reader is told of the window: answers each line of standard input with a line of JSON.

    tree      every accessible of the window: {"role", "name", "states", "children"}
    text NAME        the text of the accessible of that name
    press NAME       does what the button of that name does
"""
import json
import sys

import gi

gi.require_version('Atspi', '2.0')
from gi.repository import Atspi, GLib  # noqa: E402

APPLICATION = 'org.cliphist.Cliphist'
STATES = {'focused': Atspi.StateType.FOCUSED, 'selected': Atspi.StateType.SELECTED,
          'showing': Atspi.StateType.SHOWING, 'checked': Atspi.StateType.CHECKED,
          'pressed': Atspi.StateType.PRESSED}


def application():
    desktop = Atspi.get_desktop(0)
    for i in range(desktop.get_child_count()):
        child = desktop.get_child_at_index(i)
        if child and child.get_name() == APPLICATION:
            return child
    return None


def described(node):
    node.clear_cache()
    states = node.get_state_set()
    told = {'role': node.get_role_name(), 'name': node.get_name(),
            'states': [name for name, state in STATES.items() if states.contains(state)]}
    children = [node.get_child_at_index(i) for i in range(node.get_child_count())]
    told['children'] = [described(child) for child in children if child]
    return told


def find(node, name):
    # GTK 4.8 names a button twice, by its label and by the text in it; newer libraries say 'button'
    if node.get_role_name() in ('push button', 'button') and node.get_name().endswith(name):
        return node
    for i in range(node.get_child_count()):
        child = node.get_child_at_index(i)
        found = child and find(child, name)
        if found:
            return found
    return None


def text(node):
    return Atspi.Text.get_text(node, 0, Atspi.Text.get_character_count(node))


def named(node, name):
    if node.get_name() == name:
        return node
    children = (node.get_child_at_index(i) for i in range(node.get_child_count()))
    return next((found for found in (named(child, name) for child in children if child) if found), None)


def answer(verb, words):
    found = application()
    if verb == 'text':
        node = named(found, words) if found else None
        return text(node) if node else None
    if verb == 'tree':
        return described(found) if found else None
    target = find(found, words) if found else None
    return bool(target) and target.get_action_iface().do_action(0)


print('ready', flush=True)
for line in sys.stdin:
    verb, _, words = line.rstrip('\n').partition(' ')
    try:
        told = answer(verb, words)
    except GLib.Error as error:  # it changes while it is looked at
        told = {'error': error.message}
    print(json.dumps(told), flush=True)
