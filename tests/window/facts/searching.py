# SPDX-License-Identifier: LGPL-2.1-or-later
"""What is typed is searched for, and a key that comes before the rows is for those that are meant."""
import json
import os
import signal

from clients import png
from tap import equal, true
from windowdesk import until, window_desk
from windowfact import KIND, NO_ANSWER, anywhere, chosen, contrast, log_keys, of_size, unhurried, with_hands


@with_hands('what-is-typed-is-searched-for-and-enter-pastes-it')
def types():
    with window_desk(KIND) as d:
        d.store('an apple', 'a pear', 'another apple')
        d.focused_field()
        d.open()
        d.hands.type('app an ')
        d.wait_rows('another apple', 'an apple')
        d.hands.press('Down')
        chosen(d, 'an apple')
        d.hands.press('Return')
        d.pasted('an apple')
        d.wait_closed()


@with_hands('enter-means-what-was-searched-for-however-late-it-comes')
def type_ahead():
    with window_desk(KIND) as d:
        d.store('older', 'old', 'newer')
        d.focused_field()
        for words, keys, wanted in (('old', ['Return'], 'old'), ('old', ['Down', 'Return'], 'older')):
            d.open()
            d.session.daemon.send_signal(signal.SIGSTOP)
            d.hands.type(words)
            for key in keys:
                d.hands.press(key)
            d.session.daemon.send_signal(signal.SIGCONT)
            d.pasted(wanted)
            d.wait_closed()
            d.field.clear()


@anywhere('where-the-search-is-emptied-the-first-row-is-chosen-and-no-row-out-of-sight')
def emptied_search():
    with window_desk(KIND) as d:
        d.store('oldest', *(f'entry {number:02}' for number in range(1, 16)))
        d.focused_field()
        for keys in (['Escape'], ['BackSpace'] * len('oldest'), ['ctrl+a', 'BackSpace']):
            d.open()
            d.hands.type('oldest')
            d.wait_rows('oldest')
            for key in keys:
                d.hands.press(key)
            until(lambda: len(d.rows()) > 10, 'all rows are there that are seen')
            d.hands.press('Return')
            d.pasted('entry 15')
            d.wait_closed()
            d.field.clear()


@with_hands('what-waits-for-rows-is-done-once')
def done_once():
    with window_desk(KIND, prepare=log_keys) as d:
        d.store('older', 'old', 'newer')
        d.focused_field()
        for keys in (['Return', 'Return'], ['Return', 'Down', 'Return'], ['Return', 'Delete']):
            d.open()
            d.session.daemon.send_signal(signal.SIGSTOP)
            d.hands.type('old')
            for key in keys:
                d.hands.press(key)
            d.session.daemon.send_signal(signal.SIGCONT)
            d.pasted('old')
            d.wait_closed()
            d.field.clear()
        # what was left of them would have been done by now
        d.open()
        d.hands.type('newer')
        d.hands.press('Return')
        d.pasted('newer')
        asked = (d.session.folder / 'keys').read_text().split()
        equal(asked, ['which', 'ctrl+v'] * 4, 'what was asked of the helper for keys')
        equal(sorted(row['preview'] for row in d.newest()), ['newer', 'old', 'older'], 'the entries')


@anywhere('delete-in-the-search-waits-for-no-rows')
def delete_in_search():
    with window_desk(KIND) as d:
        d.store('older', 'old', 'newer')
        d.focused_field()
        d.open()
        chosen(d, 'newer')
        d.session.daemon.send_signal(signal.SIGSTOP)
        d.hands.type('old')
        d.hands.press('ctrl+a')
        d.hands.press('Delete')
        d.hands.type('new')
        d.session.daemon.send_signal(signal.SIGCONT)
        d.wait_rows('newer')
        d.toggle()  # what was deleted goes now
        d.wait_closed()
        equal([row['preview'] for row in d.newest()], ['newer', 'old', 'older'], 'the entries')


@anywhere('enter-takes-no-row-that-is-not-seen')
def error_page():
    with window_desk(KIND) as d:
        d.store('one', 'two /[')
        field = d.focused_field()
        d.open()
        chosen(d, 'two /[')
        d.hands.type('/[')
        d.wait_rows('two /[')
        d.hands.type('/')
        until(lambda: any(node['name'].startswith('This cannot be searched for: regular expression, at 1:')
                          for node in d.everything(role='label')), 'it says what is wrong')
        d.hands.press('Return')
        d.hands.press('ctrl+a')
        d.hands.type('one')
        d.wait_rows('one')
        true(d.showing(), 'the window is there')
        equal(field.text(), '', 'what is pasted')


@of_size('what-was-typed-behind-enter-is-searched-for-where-that-fails')
def behind_a_failure():
    with window_desk(KIND) as d:
        d.store('older', 'old', 'newer')
        field = d.focused_field()
        d.open()
        chosen(d, 'newer')
        d.session.daemon.send_signal(signal.SIGSTOP)
        d.hands.type('old')
        d.hands.press('Return')
        d.hands.type('er')
        # GDBus waits for 25 s, and then once more
        until(lambda: d.shows(NO_ANSWER), 'both searches have failed')
        d.session.daemon.send_signal(signal.SIGCONT)
        d.store('another')
        d.wait_rows('older')
        true(d.showing(), 'the window is there')
        equal(field.text(), '', 'what is pasted')


@anywhere('what-is-no-filter-is-told-of')
def no_filter():
    with window_desk(KIND) as d:
        d.store('one')
        d.focused_field()
        for words in ('kind:foo', 'since:xyz', 'since:2026-13-45'):
            d.open(words)
            until(lambda words=words: d.shows(f'No entry matches this search. “{words}” is no filter: F1 shows those '
                                              'that there are.'), f'{words}: it says so')
            d.toggle()
            d.wait_closed()


@anywhere('who-searches-for-the-name-of-a-kind-is-told-its-filter')
def name_of_kind():
    with window_desk(KIND) as d:
        d.store('one', png(300, 200))
        d.focused_field()
        for words, wanted in (('Image', 'kind:image'), ('picture', 'kind:image'), ('files', 'kind:files'),
                              ('Image 300', 'kind:image'), ('image 300×200', 'kind:image')):
            d.open(words)
            until(lambda wanted=wanted: d.shows(f'No entry matches this search. “{wanted}” finds all entries of this '
                                                'kind.'), f'{words}: it says so')
            d.toggle()
            d.wait_closed()


@anywhere('who-searches-for-pinned-is-told-that-it-is-a-filter')
def word_pinned():
    with window_desk(KIND) as d:
        d.store('pinned roses')
        d.focused_field()
        d.open('pinned roses')
        until(lambda: d.shows('No entry matches this search. “pinned” finds only what is pinned; in quotation marks it is '
                              'a word.'), 'it says so')
        d.toggle()
        d.wait_closed()
        d.open('"pinned" roses')
        d.wait_rows('pinned roses')
        d.hands.type(' red')
        until(lambda: d.shows('No entry matches this search.'), 'it says nothing of a word')


@anywhere('who-searches-for-a-tag-as-rows-show-it-is-told-its-filter')
def name_of_tag():
    with window_desk(KIND) as d:
        d.store('one', '#include <work>')
        d.session.cliphist('tag', '1', 'work')
        d.focused_field()
        d.open('#inc')
        d.wait_rows('#include')
        d.toggle()
        d.wait_closed()
        d.open('#work')
        until(lambda: d.shows('No entry matches this search. “tag:work” finds all entries that have this tag.'), 'it says so')
        d.toggle()
        d.wait_closed()
        d.open('tag:work')
        d.wait_rows('one')


@with_hands('what-is-typed-behind-enter-is-no-part-of-the-search')
def behind_enter():
    with window_desk(KIND) as d:
        d.store('older', 'old', 'newer')
        d.focused_field()
        d.open()
        d.session.daemon.send_signal(signal.SIGSTOP)
        d.hands.type('old')
        d.hands.press('Return')
        d.hands.type('er')
        d.session.daemon.send_signal(signal.SIGCONT)
        d.pasted('old')
        d.wait_closed()


@anywhere('what-is-pressed-behind-a-key-that-waits-waits-too')
def waits_behind():
    with window_desk(KIND, prepare=unhurried) as d:
        d.store('older', 'old', 'newer')
        d.focused_field()
        d.open()
        chosen(d, 'newer')
        d.session.daemon.send_signal(signal.SIGSTOP)
        d.hands.type('old')
        d.hands.press('Delete')
        d.hands.press('ctrl+z')
        d.session.daemon.send_signal(signal.SIGCONT)
        d.wait_rows('old', 'older')
        chosen(d, 'old')
        d.hands.press('Escape')
        d.wait_rows('newer', 'old', 'older')
        d.session.daemon.send_signal(signal.SIGSTOP)
        d.hands.type('older')
        d.hands.press('Return')
        d.hands.press('ctrl+Tab')
        d.hands.press('ctrl+Tab')
        d.session.daemon.send_signal(signal.SIGCONT)
        d.pasted('older')
        d.wait_closed()
        equal(sorted(row['preview'] for row in d.newest()), ['newer', 'old', 'older'], 'the entries')


@with_hands('escape-takes-back-an-enter-that-waits')
def escape_behind_enter():
    with window_desk(KIND) as d:
        d.store('older', 'old', 'newer')
        field = d.focused_field()
        d.open()
        d.wait_rows('newer', 'old', 'older')
        d.session.daemon.send_signal(signal.SIGSTOP)
        d.hands.type('old')
        until(lambda: d.text_of('Search the clipboard history') == 'old', 'it is typed')
        d.hands.press('Return')
        d.hands.press('Escape')
        until(lambda: d.text_of('Search the clipboard history') == '', 'the window has heard Escape')
        d.session.daemon.send_signal(signal.SIGCONT)
        d.hands.type('older')
        d.wait_rows('older')
        true(d.showing(), 'the window is there')
        equal(field.text(), '', 'what is pasted')


@with_hands('the-first-of-what-was-searched-for-is-chosen')
def first_found():
    with window_desk(KIND) as d:
        d.store('apple pie', 'cherry pie', 'cherry')
        d.focused_field()
        d.open()
        d.hands.type('apple')
        d.wait_rows('apple pie')
        chosen(d, 'apple pie')
        d.hands.press('ctrl+a')
        d.hands.type('p')
        d.wait_rows('cherry pie', 'apple pie')
        chosen(d, 'cherry pie')


if KIND in ('bare', 'openbox'):
    @anywhere('a-letter-and-enter-in-one-go-are-a-search')
    def in_one_go():
        with window_desk(KIND) as d:
            d.store('banana', 'apple')
            d.focused_field()
            d.open()
            chosen(d, 'apple')
            window = d.pid()
            os.kill(window, signal.SIGSTOP)
            d.session.run('xdotool', 'keydown', 'b', 'keydown', 'Return', 'keyup', 'b', 'keyup', 'Return')
            os.kill(window, signal.SIGCONT)
            d.pasted('banana')
            d.wait_closed()


@anywhere('kinds-and-numbers')
def kinds():
    with window_desk(KIND) as d:
        d.store('one', 'two', png())
        d.focused_field()
        d.open()
        d.wait_rows('Image 64×48', 'two', 'one')
        d.hands.press('ctrl+Tab')
        d.wait_rows('two', 'one')
        d.hands.press('ctrl+2')
        d.pasted('one')
        d.wait_closed()


@with_hands('what-is-pinned-has-a-place-of-its-own')
def pinned_ones():
    with window_desk(KIND) as d:
        d.store('one', 'two', 'one more')
        for number in ('1', '2'):
            d.session.cliphist('pin', number)
        d.focused_field()
        d.open()
        d.wait_rows('one more', 'two', 'one')
        d.hands.press('ctrl+shift+Tab')
        d.wait_rows('two', 'one')
        d.hands.type('one')
        d.wait_rows('one')
        d.hands.press('Return')
        d.pasted('one')
        d.wait_closed()
        d.open()
        d.wait_rows('one', 'one more', 'two')


@anywhere('the-match-is-marked')
def marked():
    with window_desk(KIND) as d:
        d.store('an <apple> pie')
        d.focused_field()
        d.open()
        d.hands.type('APPLE')
        until(lambda: d.ask('marked an <apple> pie') == ['apple'], 'what is found is marked')


@anywhere('every-word-is-marked-and-the-preview-shows-the-first')
def marked_words():
    with window_desk(KIND) as d:
        d.store('an <apple> pie, an \u00c4pple, Stra\u00dfe', '\n' * 1000 + 'the pie\nis of an apple' + '\n' * 1000)
        d.focused_field()
        d.open()
        d.hands.press('Tab')
        preview = 'Preview of the entry'
        until(lambda: (d.text_of(preview) or '').startswith('\n'), 'the preview is there')
        equal(d.ask(f'marked {preview}'), [], 'what is marked without a search')

        def is_blank():
            x, y, width, height = d.box('text', preview)
            return contrast(d.colours((x + 1, y + 1, width // 2, height - 2))) < 4.5
        true(KIND not in ('openbox', 'bare') or is_blank(), 'of the preview a blank beginning is seen')
        d.hands.type('PIE apple')
        until(lambda: d.ask(f'marked {preview}') == ['pie', 'apple'], 'the preview marks each word')
        until(lambda: KIND not in ('openbox', 'bare') or not is_blank(), 'it shows them')
        for words, row, text in (('', [], []), ('PIE apple', ['apple', 'pie', '\u00c4pple'], ['pie', 'apple']),
                                 ('/p[a-z]+,/', ['pie,'], ['pie,'])):
            d.toggle()
            d.wait_closed()
            d.open(words)
            until(lambda row=row: d.ask('marked an <apple> pie, an \u00c4pple, Stra\u00dfe') == row, f'a row marks {row}')
            until(lambda text=text: d.ask(f'marked {preview}') == text, f'the preview marks {text}')


@of_size('of-many-letters-the-last-counts')
def superseded():
    with window_desk(KIND) as d:
        d.store(*[f'entry {number} abcdefgh' for number in range(40)], 'entry abcdefgh only')
        d.focused_field()
        d.open()
        for _ in range(5):
            d.hands.type('entry abcdefgh only')
            d.wait_rows('entry abcdefgh only')
            d.hands.press('Escape')
            until(lambda: len(d.rows()) > 10, 'all are there again')
            chosen(d, 'entry abcdefgh only')


@of_size('a-hundred-thousand-entries')
def many():
    with window_desk(KIND) as d:
        records = [{'value': f'entry {number:06}', 'recorded': '2025-01-01 10:00:00.000000000', 'filePath': 'null',
                    'pinned': False} for number in range(100_000, 0, -1)]
        archive = d.session.folder / 'many.json'
        archive.write_text(json.dumps({'clipboardHistory': records}))
        d.session.cliphist('config', 'max-items', '200000')
        d.session.cliphist('import', '--from', 'clipse', archive, seconds=300)
        d.focused_field()
        d.open()
        chosen(d, 'entry 100000')
        d.hands.press('End')
        until(lambda: [row.startswith('entry 100000') for row in d.selected()] == [False], 'it is at the end of a page')
        d.hands.type('000001')
        d.wait_rows('entry 000001')
        d.session.cliphist('wipe', seconds=300)
        d.wait_rows()
        d.hands.press('Escape')
        d.wait_rows()
