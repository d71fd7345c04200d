# SPDX-License-Identifier: LGPL-2.1-or-later
"""Dark, mirrored, in large text, on a small screen: nothing is cut off or pale."""
import os
import pathlib
import re
import subprocess
import sys

from clients import png
from tap import equal, fact, true
from windowdesk import until, window_desk
from windowfact import KIND, about, chosen, contrast, luminance, name, of_size, says_status

APPEARANCE = pathlib.Path(__file__).resolve().parents[1] / 'appearance.py'


def in_hebrew(session):
    session.run('localedef', '-i', 'he_IL', '-f', 'UTF-8', session.folder / 'he_IL.UTF-8')
    session.env |= {'LOCPATH': str(session.folder), 'LC_ALL': 'he_IL.UTF-8'}
    session.share_environment('LOCPATH', 'LC_ALL')


def end_of(box):
    return box[0] + box[2]


def nothing_sticks_out(d):
    found = d.ask('boxes')
    _, _, frame = found[0]
    equal([box for box in found if box[2][0] < 0 or end_of(box[2]) > frame[2]], [], f'is not within {frame}')


def with_large_text(session):
    session.run('xprop', '-root', '-f', 'RESOURCE_MANAGER', '8s', '-set', 'RESOURCE_MANAGER', 'Xft.dpi:\t192\n')


def with_low_rows(session):
    folder = pathlib.Path(session.env['XDG_CONFIG_HOME']) / 'gtk-4.0'
    folder.mkdir()
    (folder / 'gtk.css').write_text('entry-row { padding: 2px; font-size: 4px; }\n')


def with_wide_letters(session):
    """As wide as those of other languages, or wider."""
    folder = pathlib.Path(session.env['XDG_CONFIG_HOME']) / 'gtk-4.0'
    folder.mkdir()
    (folder / 'settings.ini').write_text('[Settings]\ngtk-font-name=Monospace 11\n')


def with_high_contrast(session):
    folder = pathlib.Path(session.env['XDG_CONFIG_HOME']) / 'gtk-4.0'
    folder.mkdir()
    (folder / 'settings.ini').write_text('[Settings]\ngtk-theme-name=HighContrast\n')


if KIND == 'openbox':
    @fact(name('it-is-no-larger-than-the-screen'))
    def fits_the_screen():
        with window_desk(KIND) as d:
            d.session.env['GDK_SCALE'] = '2'
            d.session.share_environment('GDK_SCALE')
            d.store('one')
            d.focused_field()
            d.open()
            d.session.run('xdotool', 'search', '--sync', '--onlyvisible', '--name', '^Clipboard history$')

            def fits():
                words = d.session.run('xdotool', 'search', '--onlyvisible', '--name', '^Clipboard history$',
                                      'getwindowgeometry', '--shell').stdout.decode().split()
                size = dict(word.split('=') for word in words)
                return int(size['WIDTH']) == 1280 and int(size['HEIGHT']) <= 720
            until(fits, 'it fits the screen')

    @fact(name('where-rows-are-low-the-list-is-full'))
    def low_rows():
        with window_desk(KIND, prepare=with_low_rows) as d:
            d.store(*[f'text {number}' for number in range(60)])
            d.focused_field()
            d.open()

            def end_of_last(role):
                _, y, _, height = [box for _, box in d.boxes(role)][-1]
                return y + height
            until(lambda: end_of_last('list item') >= end_of_last('list'), 'the rows reach the end of the list')


if KIND == 'bare':
    @fact(name('it-is-dark-where-the-desktop-is'))
    def dark():
        with window_desk(KIND) as d:
            portal = d.session.start(sys.executable, APPEARANCE, name='appearance', stdin=subprocess.PIPE,
                                     stdout=subprocess.PIPE)
            d.session.first_line(portal.stdout, 'the portal')
            d.store('one')
            d.focused_field()
            d.open()

            x, y, width, height = d.box('list', 'Entries')

            def background():
                return [luminance(colour) for colour in d.colours((x + width // 2, y + height - 20, 9, 9))]
            until(lambda: max(background()) < 0.1, 'it is dark')
            os.write(portal.stdin.fileno(), b'0\n')
            until(lambda: min(background()) > 0.5, 'it is light')


@of_size('where-people-write-from-the-right-all-is-mirrored')
def mirrored():
    with window_desk(KIND, prepare=in_hebrew) as d:
        d.store('one', 'two', png())
        d.focused_field()
        d.open()
        d.wait_rows('Image', 'two', 'one')
        nothing_sticks_out(d)
        frame, search = d.box('frame', ''), d.box('entry', 'Search')
        title, below = d.box('label', 'one'), d.box('label', about('Text'))
        # or the size, whose word is written from the right, would be shown as the age
        parts = re.escape(about('Text', 'x', 'x')).replace('x', '[^\u2069]+')
        true(re.search(f'^one, {parts}$', d.rows()[2]), f'each part reads for itself: {d.rows()}')
        true(end_of(d.box('button', 'Menu')) < search[0], 'the menu is left of the search')
        true(frame[2] - end_of(title) > title[0], f'the picture is right of {title}')
        equal(end_of(below), end_of(title), 'where what is said of it ends')
        d.hands.press('Down')
        chosen(d, 'two')
        d.hands.press('Tab')
        until(lambda: d.text_of('Preview of the entry') == 'two', 'the preview is there')
        true(end_of(d.box('text', 'Preview of')) <= d.box('list', 'Entries')[0], 'the preview is left of the list')
        nothing_sticks_out(d)
        d.hands.press('F1')
        d.wait_focus('All keys')
        true(end_of(d.box('label', 'Paste into')) < d.box('label', 'Shift+Enter')[0], 'keys are right of what they do')
        nothing_sticks_out(d)
        d.hands.press('Escape')
        d.wait_focus('Search the clipboard history')
        d.hands.press('Return')
        d.pasted('two')


@of_size('text-of-twice-the-size-is-not-cut-off')
def large_text():
    with window_desk(KIND, prepare=with_large_text) as d:
        d.store('one', 'two')
        d.focused_field()
        d.open()
        d.wait_rows('two', 'one')
        title, said, below = d.box('label', 'two'), d.box('label', about('Text')), d.box('label', 'one')
        # ten points and more
        true(title[3] >= 26, f'the text is large: {title}')
        true(title[1] + title[3] <= said[1] and said[1] + said[3] <= below[1], f'{title}, {said}, {below}: in rows')
        frame = d.box('frame', '')
        true(1000 <= frame[2] <= 1280 and frame[3] <= 648, f'it is larger, and leaves room for a bar: {frame}')
        nothing_sticks_out(d)
        for opens, page in ((lambda: d.hands.press('F1'), 'All keys'),
                            (lambda: d.choose_in_menu('s'), 'Entries kept (0: none)'),
                            (lambda: d.choose_in_menu('v'), 'Cancel')):
            opens()
            d.wait_focus(page)
            nothing_sticks_out(d)
            d.hands.press('Escape')
            d.wait_focus('Search the clipboard history')


@of_size('so-it-is-where-the-screen-is-as-small-as-screens-are')
def large_text_small_screen():
    with window_desk(KIND, prepare=with_large_text, x_options=('-screen', '0', '640x480x24')) as d:
        d.store('one', 'two')
        d.focused_field()
        d.open()
        d.wait_rows('two', 'one')
        for opens, page in ((lambda: d.hands.press('F1'), 'All keys'),
                            (lambda: d.choose_in_menu('s'), 'Entries kept (0: none)'),
                            (lambda: d.choose_in_menu('v'), 'Cancel'),
                            (lambda: d.choose_in_menu('w'), 'The key that opens this window')):
            opens()
            d.wait_focus(page)
            width, height = d.box('frame', '')[2:]
            true(width == 640 and height <= 480, f'of the window with {page!r}: {width}x{height}')
            nothing_sticks_out(d)
            d.hands.press('Escape')
            d.wait_focus('Search the clipboard history')


@of_size('what-is-told-in-the-place-of-rows-makes-it-no-wider')
def long_words():
    with window_desk(KIND) as d:
        d.store('one')
        d.focused_field()
        d.open()
        d.wait_rows('one')
        size = d.box('frame', '')
        d.hands.type('kind:' + 'w' * 120)
        until(lambda: [node for node in d.everything(role='label') if 'is no filter' in node['name']], 'it says so')
        equal(d.box('frame', ''), size, 'the window')
        nothing_sticks_out(d)


@of_size('no-page-and-no-text-makes-it-wider')
def wide_pages():
    with window_desk(KIND, prepare=with_wide_letters) as d:
        d.store('a text that is long ' * 40)
        d.focused_field()
        d.open()
        d.wait_rows('a text')
        size = d.box('frame', '')
        d.session.cliphist('pause', '1h')
        until(lambda: [name for name, _ in d.boxes('label') if name.startswith('Copies are not kept until')], 'it is paused')
        wider = []

        def open_settings():
            d.choose_in_menu('s')
            d.wait_focus('Entries kept (0: none)')
            d.hands.type('w' * 120)
            d.hands.press('Return')
            until(lambda: says_status(d, 'invalid value'), 'it is told as wrong')
        for opens, page in ((lambda: None, 'Search the clipboard history'),
                            (lambda: d.hands.press('F2'), 'The text of the entry. Ctrl+Enter saves.'),
                            (lambda: d.hands.press('ctrl+t'), 'Tags, with blanks between them. Enter saves.'),
                            (lambda: d.hands.press('F1'), 'All keys'),
                            (open_settings, 'Entries kept (0: none)'),
                            (lambda: d.choose_in_menu('v'), 'Cancel'),
                            (lambda: d.choose_in_menu('w'), 'The key that opens this window')):
            opens()
            d.wait_focus(page)
            if d.box('frame', '') != size:
                wider.append((page, d.box('frame', '')))
            if page != 'Search the clipboard history':
                d.hands.press('Escape')
                d.wait_focus('Search the clipboard history')
        equal(wider, [], f'what is not as {size}')


@of_size('what-is-pale-beside-the-list-is-to-be-read')
def pale():
    with window_desk(KIND) as d:
        d.store('one')
        d.focused_field()
        d.open()
        d.wait_rows('one')

        def wait_read(words):
            until(lambda: contrast(d.colours([box for called, box in d.boxes('label') if called.startswith(words)][-1])) >= 4.5,
                  f'{words!r} is to be read')
        d.hands.press('Tab')
        until(lambda: d.text_of('Preview of the entry') == 'one', 'the preview is there')
        wait_read(about('Text'))
        d.hands.press('F2')
        d.wait_focus('The text of the entry. Ctrl+Enter saves.')
        wait_read('one')
        d.hands.press('Escape')
        d.wait_focus('Search the clipboard history')
        d.hands.type('two')
        until(lambda: d.shows('No entry matches this search.'), 'it says so')
        wait_read('No entry matches')


@of_size('in-high-contrast-no-text-is-pale')
def high_contrast():
    with window_desk(KIND, prepare=with_high_contrast) as d:
        d.store('one', 'two')
        d.focused_field()
        d.open()
        d.wait_rows('two', 'one')
        # the first row is chosen, and the second one is not
        for words in ('two', 'one', about('Text'), 'Everything'):
            until(lambda: contrast(d.colours(d.box('label', words))) >= 4.5, f'{words!r} is to be read')
