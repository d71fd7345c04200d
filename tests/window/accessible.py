# SPDX-License-Identifier: LGPL-2.1-or-later
"""What a screen reader is told of the window: answers each line of standard input with a line of JSON.

    tree      every accessible of the window: {"role", "name", "description", "states", "children"}
    frame     the window alone
    focus     whether something in it has the focus
    rows      the rows of its list
    text NAME        the text of the accessible of that name
    marked NAME      what is underlined in the label, or else the text, of that name
    press NAME       does what the button of that name does
    open             opens the combo box
    do ACTION        does what the window can do by that name
    listen           the descriptions that it was told of since this was asked first
    boxes            what is to be seen: [role, name, [x, y, width, height]], from the corner of the window

The window answers each question itself, and of all accessibles that takes it a while: what is asked
again and again asks for little.
"""
import json
import sys

import gi

gi.require_version('Atspi', '2.0')
from gi.repository import Atspi, GLib  # noqa: E402

# of its own accord it waits 0.8 s for each answer, which beside others may come later
Atspi.set_timeout(20000, 20000)

APPLICATION = 'org.cliphist.Cliphist'
STATES = {'focused': Atspi.StateType.FOCUSED, 'selected': Atspi.StateType.SELECTED,
          'showing': Atspi.StateType.SHOWING, 'checked': Atspi.StateType.CHECKED,
          'pressed': Atspi.StateType.PRESSED, 'sensitive': Atspi.StateType.SENSITIVE,
          # of a wrong entry GTK 4.8 tells the first of these; the second is made for it
          'invalid': Atspi.StateType.INVALID, 'invalid entry': Atspi.StateType.INVALID_ENTRY}


def application():
    desktop = Atspi.get_desktop(0)
    for i in range(desktop.get_child_count()):
        child = desktop.get_child_at_index(i)
        if child and child.get_name() == APPLICATION:
            return child
    return None


def children_of(node):
    node.clear_cache()
    children = (node.get_child_at_index(i) for i in range(node.get_child_count()))
    return [child for child in children if child]


def states_of(node):
    states = node.get_state_set()
    return [name for name, state in STATES.items() if states.contains(state)]


def words_of(node):
    return text(node) if node.get_text_iface() else ''


def name_of(node):
    # GTK 4.18 gives the words of a status as its text alone, those of a menu item as the text of its label
    name, role = node.get_name(), node.get_role_name()
    if not name and role == 'status bar':
        return words_of(node)
    if not name and role == 'menu item':
        return ''.join(words_of(relation.get_target(0)) for relation in node.get_relation_set()
                       if relation.get_relation_type() == Atspi.RelationType.LABELLED_BY)
    return name


def described(node, is_whole=True):
    node.clear_cache()
    return {'role': node.get_role_name(), 'name': name_of(node), 'states': states_of(node),
            'description': node.get_description(),
            'children': [described(child) for child in children_of(node)] if is_whole else []}


def has_focus(node):
    node.clear_cache()
    return 'focused' in states_of(node) or any(has_focus(child) for child in children_of(node))


def rows(window):
    entries = named(window, 'Entries')
    return [described(row, False) for row in children_of(entries)] if entries else []


def find(node, name):
    # GTK 4.8 names a button twice, by its label and by the text in it; newer libraries say 'button'
    if node.get_role_name() in ('push button', 'button', 'toggle button') and node.get_name().endswith(name):
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


def marked(window, name):
    node = of_role(window, 'label', name) or of_role(window, 'text', name)
    found, at, end = [], 0, Atspi.Text.get_character_count(node) if node else 0
    while at < end:
        attributes = Atspi.Text.get_attribute_run(node, at, False)
        start, stop = attributes[1], attributes[2]
        if attributes[0].get('underline', 'none') != 'none':
            found.append(Atspi.Text.get_text(node, start, stop))
        at = max(stop, at + 1)
    return found


def of_role(node, role, name=None):
    """The one of that name, not its label, nor what it is in."""
    if node.get_role_name() == role and name in (None, node.get_name()):
        return node
    return next((found for found in (of_role(child, role, name) for child in children_of(node)) if found), None)


def pressed(window, name):
    target = find(window, name)
    return bool(target) and target.get_action_iface().do_action(0)


def opened(window):
    # its name is that of what is chosen, by GTK 4.18; so is that of the button in it
    box = of_role(window, 'combo box')
    return bool(box) and pressed(box, '')


def text_of(window, name):
    node = of_role(window, 'text', name) or of_role(window, 'entry', name)
    return text(node) if node else None


def done(window, name):
    action = window.get_action_iface()
    found = [i for i in range(action.get_n_actions()) if Atspi.Action.get_action_name(action, i) == name]
    return bool(found) and action.do_action(found[0])


def boxes(node):
    node.clear_cache()
    try:
        at = node.get_extents(Atspi.CoordType.WINDOW)
        own = [[node.get_role_name(), name_of(node), [at.x, at.y, at.width, at.height]]] if at.width > 0 else []
    except GLib.Error:  # a page of a stack
        own = []
    return own + [box for child in children_of(node) for box in boxes(child)]


heard = None


def on_event(event):
    heard.append(event.any_data)


def listened(_):
    global heard
    if heard is None:
        heard = []
        listener = Atspi.EventListener.new(on_event)
        listener.register('object:property-change:accessible-description')
    while GLib.MainContext.default().iteration(False):
        pass
    return heard


VERBS = {'tree': described, 'frame': lambda window: described(window, False), 'focus': has_focus, 'rows': rows,
         'marked': marked, 'text': text_of, 'press': pressed, 'open': opened,
         'do': done, 'boxes': boxes, 'listen': listened}


def answer(verb, words):
    found = application()
    windows = children_of(found) if found else []
    return VERBS[verb](windows[0], *words) if windows else None


print('ready', flush=True)
for line in sys.stdin:
    verb, *words = line.rstrip('\n').split(' ', 1)
    try:
        told = answer(verb, words)
    except (GLib.Error, AttributeError):  # it changes while it is looked at: a child of it has gone
        told = None
    print(json.dumps(told), flush=True)
