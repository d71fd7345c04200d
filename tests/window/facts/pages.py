# SPDX-License-Identifier: LGPL-2.1-or-later
"""Its menu, its buttons, its settings, and the page of its keys."""
import fcntl
import os
import pathlib
import re

from tap import equal, fact, true
from windowdesk import until, window_desk
from windowfact import GTK_MINOR, KIND, anywhere, chosen, name, says_status, start_mako, unhurried, wait_menu_gone, with_keyboard


if KIND == 'openbox':
    @fact(name('its-menu-is-whole-on-a-small-screen'))
    def menu_on_small_screen():
        with window_desk(KIND, x_options=('-screen', '0', '960x540x24')) as d:
            d.store('one')
            d.focused_field()
            d.open()
            d.hands.press('F10')
            d.wait_focus_on('menu item')
            until(lambda: d.boxes('menu item'), 'its items are there')
            _, menu_y, _, menu_height = d.boxes('menu')[0][1]
            _, y, _, height = d.boxes('menu item')[-1][1]
            true(y + height <= menu_y + menu_height, 'the last item is to be seen')


@anywhere('its-menu-pauses-and-wipes-after-a-question')
def menu():
    with window_desk(KIND) as d:
        d.store('one', 'two')
        d.session.cliphist('pin', '1')
        d.focused_field()
        d.open()
        d.wait_rows('two', 'one')
        d.choose_in_menu('u')
        until(lambda: d.shows('Copies are not kept at the moment.'), 'it says that it is paused')
        d.store('while it is paused')
        d.choose_in_menu('a')
        until(lambda: not d.shows('Copies are not kept at the moment.'), 'it is paused no more')
        d.choose_in_menu('1')
        until(lambda: any(re.fullmatch('Copies are not kept until [0-9]{4}-[0-9-]+ [0-9:]{8}[.]', node['name'])
                          for node in d.everything(role='label')), 'it says for how long it is paused')
        d.act('Keep copies again')
        until(lambda: not d.shows('Copies are not kept at the moment.'), 'it is paused no more')
        d.wait_focus('Search the clipboard history')
        for answer, left in ((lambda: d.hands.press('Return'), ['two', 'one']), (lambda: d.act('Delete'), ['one'])):
            d.choose_in_menu('v')
            d.wait_focus('Cancel')
            answer()
            d.wait_focus('Search the clipboard history')
            d.wait_rows(*left)
        equal([row['preview'] for row in d.newest()], ['one'], 'what is left')


@with_keyboard('a-menu-that-closes-leaves-the-focus-where-one-types')
def menu_closes():
    with window_desk(KIND) as d:
        d.store('one', 'two')
        d.focused_field()
        d.open()
        for opens, role, wanted in ((lambda: d.hands.press('F10'), 'menu item', 'one'),
                                    (lambda: true(d.ask('open'), 'the kinds are opened'), 'list item', 'two')):
            d.wait_rows('two', 'one')
            opens()
            d.wait_focus_on(role)
            d.hands.press('Escape')
            wait_menu_gone(d, 'Search the clipboard history')
            d.hands.type(wanted)
            d.wait_rows(wanted)
            d.hands.press('Escape')


@anywhere('its-settings-are-those-of-the-file')
def settings():
    with window_desk(KIND) as d:
        d.store('one')
        d.session.cliphist('config', 'max-items', '300')
        d.focused_field()
        d.open()
        d.choose_in_menu('s')
        d.wait_focus('Entries kept (0: none)')
        until(lambda: d.text_of('Entries kept (0: none)') == '300', 'it shows what is set')
        d.hands.press('ctrl+a')
        d.hands.type('many')
        d.hands.press('Return')
        until(lambda: d.shows('invalid value "many" for “Entries kept (0: none)”: a number is like 500'), 'it says what is wrong')
        d.hands.press('ctrl+a')
        d.hands.type('400')
        d.hands.press('Return')
        until(lambda: d.shows('Saved.'), 'it is saved')
        d.hands.press('ctrl+a')
        d.hands.type('500')
        d.hands.press('Tab')
        file = pathlib.Path(d.session.env['XDG_CONFIG_HOME']) / 'cliphist' / 'config'
        until(lambda: 'max-items 500\n' in file.read_text(), 'to leave a field saves it')
        equal(file.read_text().count('max-items'), 1, 'lines of the file')
        d.hands.press('Escape')
        d.wait_focus('Search the clipboard history')


@anywhere('that-the-file-is-locked-is-told-and-the-next-enter-saves')
def locked_file():
    with window_desk(KIND) as d:
        d.store('one')
        d.session.cliphist('config', 'max-items', '300')
        d.focused_field()
        d.open()
        d.choose_in_menu('s')
        d.wait_focus('Entries kept (0: none)')
        d.hands.press('ctrl+a')
        d.hands.type('400')
        folder = os.open(pathlib.Path(d.session.env['XDG_CONFIG_HOME']) / 'cliphist', os.O_RDONLY)
        fcntl.flock(folder, fcntl.LOCK_EX)
        d.hands.press('Return')
        until(lambda: [node for node in d.everything() if 'keeps its folder locked' in node['name']], 'it is told')
        os.close(folder)
        d.hands.press('Return')
        until(lambda: d.shows('Saved.'), 'it is saved')


@anywhere('what-is-typed-as-a-setting-is-saved-by-all-but-escape')
def typed_settings():
    kept = 'Entries kept (0: none)'
    with window_desk(KIND) as d:
        d.store('one')
        d.session.cliphist('config', 'max-items', '300')
        d.focused_field()

        def type_over(was, text):
            d.choose_in_menu('s')
            d.wait_focus(kept)
            until(lambda: d.text_of(kept) == was, f'it shows {was}')
            true(d.shows('What you type is saved when you leave the field, but not by Esc.'), 'what saves is said')
            d.hands.press('ctrl+a')
            d.hands.type(text)
            until(lambda: d.text_of(kept) == text, 'it is typed')

        def is_set(value):
            until(lambda: d.session.cliphist('config', 'max-items').stdout.strip() == value.encode(), f'it is {value}')

        d.open()
        type_over('300', '2')
        d.hands.press('Escape')
        d.wait_focus('Search the clipboard history')
        # of a field that has not the focus when the page is shown again
        d.session.cliphist('config', 'max-age', '30d')
        d.choose_in_menu('s')
        d.wait_focus(kept)
        d.hands.press('Tab')
        until(lambda: not d.focuses(kept), 'the next field has the focus')
        d.hands.press('ctrl+a')
        d.hands.type('1h')
        d.hands.press('Escape')
        d.wait_focus('Search the clipboard history')
        type_over('300', '400')
        equal(d.session.cliphist('config', 'max-age').stdout.strip(), b'30d', 'what Escape gave up')
        d.act('Back')
        d.wait_focus('Search the clipboard history')
        is_set('400')
        type_over('400', '500')
        d.toggle()
        d.wait_closed()
        is_set('500')
        d.open()
        d.wait_focus('Search the clipboard history')
        type_over('500', '600')
        d.click_field()
        d.wait_closed()
        is_set('600')
        d.open()
        d.wait_focus('Search the clipboard history')


@anywhere('a-wrong-setting-is-told-of-and-stays-to-be-mended')
def wrong_setting():
    kept, wrong = 'Entries kept (0: none)', 'invalid value "many" for “Entries kept (0: none)”: a number is like 500'
    with window_desk(KIND) as d:
        d.store('one')
        d.session.cliphist('config', 'max-items', '300')
        d.focused_field()
        d.open()
        d.choose_in_menu('s')
        d.wait_focus(kept)
        until(lambda: d.text_of(kept) == '300', 'it shows what is set')
        d.hands.press('ctrl+a')
        d.hands.type('many')
        d.act('Back')
        until(lambda: d.shows(wrong), 'it says what is wrong')
        d.wait_focus(kept)
        d.click_field()
        d.wait_closed()
        d.open()
        d.wait_focus(kept)
        equal((d.text_of(kept), d.shows(wrong)), ('many', True), 'what was typed, and what is said of it')
        d.hands.press('ctrl+a')
        d.hands.type('400')
        d.act('Back')
        d.wait_focus('Search the clipboard history')
        equal(d.session.cliphist('config', 'max-items').stdout.strip(), b'400', 'what is set')


@anywhere('a-wrong-setting-is-marked-and-told-of-while-others-are-saved')
def marked_setting():
    kept, age, size = 'Entries kept (0: none)', 'For how long (90d; 0: for ever)', 'How large all of them may be'
    wrong = 'invalid value "2 weeks" for'
    with window_desk(KIND) as d:
        d.store('one')
        d.focused_field()

        def is_marked():
            return age in [node['name'] for node in d.everything() if {'invalid', 'invalid entry'} & set(node['states'])]

        def type_into(name, text):
            until(lambda: d.focuses(name), f'{name!r} has the focus')
            d.hands.press('ctrl+a')
            d.hands.type(text)
            d.hands.press('Tab')
        d.open()
        d.choose_in_menu('s')
        d.wait_focus(kept)
        type_into(kept, '400')
        type_into(age, '2 weeks')
        until(lambda: says_status(d, wrong) and is_marked(), 'it is told, and marked')
        type_into(size, '5GiB')
        until(lambda: d.session.cliphist('config', 'max-total-size').stdout.strip() == b'5GiB', 'the other is saved')
        until(lambda: not d.focuses(size), 'it is left')
        true(says_status(d, wrong) and is_marked(), 'it is told still, and marked')
        d.hands.press('shift+Tab')
        d.hands.press('shift+Tab')
        type_into(age, '14d')
        until(lambda: says_status(d, 'Saved.') and not is_marked(), 'it is mended')
        d.hands.press('shift+Tab')
        type_into(age, '2 weeks')
        until(is_marked, 'it is wrong again')
        d.hands.press('Escape')
        d.wait_focus('Search the clipboard history')
        d.choose_in_menu('s')
        d.wait_focus(kept)
        until(lambda: d.text_of(age) == '14d', 'it shows what is set')
        true(not is_marked() and not says_status(d, wrong), 'what was given up')


if KIND == 'sway':
    @fact(name('a-wrong-setting-is-told-of-in-the-page-and-once-where-that-has-gone'))
    def told_once():
        kept, wrong = 'Entries kept (0: none)', 'invalid value "%s" for “Entries kept (0: none)”: a number is like 500'
        with window_desk(KIND) as d:
            start_mako(d)
            d.store('one')
            d.session.cliphist('config', 'max-items', '300')
            d.focused_field()
            d.open()
            d.choose_in_menu('s')
            d.wait_focus(kept)
            until(lambda: d.text_of(kept) == '300', 'it shows what is set')
            d.hands.press('ctrl+a')
            d.hands.type('many')
            d.hands.press('Tab')
            until(lambda: d.shows(wrong % 'many'), 'it is told')
            for _ in range(3):
                d.hands.press('Tab')
            d.hands.press('F10')
            d.wait_focus_on('menu item')
            for key in ('Down', 'Down', 'Escape'):
                d.hands.press(key)
            until(lambda: not d.everything(role='menu item'), 'the menu is closed')
            d.toggle()
            d.wait_closed()
            d.open()
            d.wait_focus(kept)
            true('a number is like' not in d.session.shown_by_mako(), 'no notification tells of it again')
            d.hands.press('ctrl+a')
            d.hands.type('4')
            until(lambda: d.shows('What you type is saved when you leave the field, but not by Esc.'),
                  'what was said of the old value is gone')
            d.hands.type('x')
            d.toggle()
            d.wait_closed()
            until(lambda: d.session.shown_by_mako().count((wrong % '4x').replace('"', '\\"')) == 1,
                  'a notification tells of the new one')
            equal(d.session.cliphist('config', 'max-items').stdout.strip(), b'300', 'what is set')


@anywhere('shift-tab-leads-to-what-has-a-name')
def shift_tab():
    with window_desk(KIND) as d:
        d.store('one', 'two')
        d.focused_field()
        d.open()
        d.wait_rows('two', 'one')
        # GTK 4.8 calls what has no name by its type
        equal([name for name, _ in d.boxes('label') if name.startswith('Gtk')], [], 'labels without words')
        for _ in range(2):
            d.hands.press('shift+Tab')
            until(lambda: not d.focuses('Search the clipboard history'), 'something else has the focus')
            equal([node for node in d.everything() if 'focused' in node['states'] and node['name'][:3] in ('', 'Gtk')], [],
                  'what has the focus, and no name')
            d.hands.press('Tab')
            d.wait_focus('Search the clipboard history')
            d.hands.press('Tab')  # the preview, too


@anywhere('a-screen-reader-is-told-which-kind-is-shown-where-that-is-chosen')
def told_kind():
    with window_desk(KIND) as d:
        d.store('one')
        d.focused_field()
        d.open()
        chosen(d, 'one')

        def is_told(node, kind):
            """GTK 4.18 has what is chosen as the name, and the tooltip as the description."""
            name, description = node['name'], node['description']
            return (name, description) == ('Kind of entry', kind) or name == kind and description.startswith('Kind of entry')
        for kind in ('Everything', 'Text'):
            until(lambda kind=kind: [node for node in d.everything() if node['role'] != 'combo box' and is_told(node, kind)],
                  f'its button says that it is {kind}')
            d.hands.press('ctrl+Tab')


@anywhere('each-key-is-on-one-page')
def keys():
    with window_desk(KIND) as d:
        d.store('one')
        d.focused_field()
        d.open()
        d.hands.press('F1')
        d.wait_focus('All keys')
        names = {node['name'] for node in d.everything(role='label')}
        equal({'Enter', 'Shift+Enter', 'Ctrl+Enter, Ctrl+C', 'Tab', 'Ctrl+P', 'Ctrl+T', 'Delete', 'Ctrl+Z', 'F10', 'Esc',
               'tag:work', 'kind:image', 'from:firefox', 'since:2h', 'pinned', '/a.*b/', 'a regular expression; case counts'} - names, set(), 'are missing')
        def choose_kind():
            true(d.ask('open'), 'the kinds are opened')
            d.wait_focus_on('list item')
            d.hands.press('Down')
            d.hands.press('Return')
        for leave in (lambda: d.hands.press('Escape'), lambda: d.act('Back'), choose_kind):
            leave()
            d.wait_focus('Search the clipboard history')
            until(lambda: not d.shows('Back'), 'the list is there')
            d.hands.press('F1')
            d.wait_focus('All keys')


@anywhere('keys-change-no-row-that-a-page-hides')
def behind_a_page():
    with window_desk(KIND) as d:
        d.store('one', 'two')
        field = d.focused_field()
        d.open()
        chosen(d, 'two')
        d.hands.press('F1')
        d.wait_focus('All keys')
        for _ in range(12):
            if d.focuses('Search the clipboard history'):
                break
            d.hands.press('Tab')
        for key in ('ctrl+p', 'Delete', 'ctrl+c', 'ctrl+t', 'Return'):
            d.hands.press(key)
        d.hands.press('Escape')
        until(lambda: not d.shows('Back'), 'the list is there')
        d.wait_rows('two', 'one')
        d.toggle()
        d.wait_closed()
        equal([(row['preview'], row['pinned']) for row in d.newest()], [('two', False), ('one', False)], 'the entries')
        equal((field.text(), d.current()), ('', 0), 'what is pasted, and copied')


@anywhere('it-is-worked-by-its-buttons')
def buttons():
    with window_desk(KIND, prepare=unhurried) as d:
        d.store('one', 'two')
        d.focused_field()
        d.open()
        d.wait_rows('two', 'one')
        d.hands.press('Delete')
        d.wait_rows('one')
        # not by a letter that is underlined, nor twice; GTK 4.18 tells of those alone that are seen
        def buttons_now():
            names = [node['name'] for role in ('push button', 'button') for node in d.everything(role=role)]
            hidden = {'Cancel', 'Save', 'Delete', 'Show the history'} if GTK_MINOR < 18 else set()
            return names if {'Undo', 'Preview', 'Menu'} | hidden <= set(names) else None
        names = until(buttons_now, 'the buttons are there')
        equal([name for name in names if '_' in name], [], 'what buttons are called')
        d.act('Undo')
        d.wait_rows('two', 'one')
