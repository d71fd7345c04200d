# SPDX-License-Identifier: LGPL-2.1-or-later
"""Pins, tags, and a text that is edited in its place."""
import os
import signal

from clients import png
from session import BUS_NAME, BUS_PATH
from tap import equal, true
from windowdesk import NAME, until, window_desk
from windowfact import KIND, about, anywhere, chosen, of_size, says_status, unhurried, with_keyboard

DRAFT = 'What you typed into an entry is not saved yet.'
NOT_YET = 'The history does not answer yet: what was asked is done when it does.'


def sees(d, words):
    return words in [name for name, _ in d.boxes('label')]


@anywhere('pins-and-tags')
def pins():
    with window_desk(KIND) as d:
        d.store('one', 'two')
        d.focused_field()
        d.open()
        d.wait_rows('two', 'one')
        d.hands.press('ctrl+p')
        until(lambda: d.newest()[0]['pinned'], 'it is pinned')
        until(lambda: d.rows()[0].endswith(', Pinned: it stays'), 'its row says so')
        d.hands.press('ctrl+t')
        until(lambda: d.everything(role='label', name='Tags, with blanks between them. Enter saves.'),
              'the tags are asked for')
        d.hands.type('x' * 257)
        d.hands.press('Return')
        until(lambda: d.everything(role='label', name='One of the tags is too long.'), 'it says so')
        d.hands.press('ctrl+a')
        d.hands.type('mine #yours')
        d.hands.press('Return')
        until(lambda: len(d.newest('--tag', 'mine')) == 1, 'it has its tag')
        until(lambda: d.rows() and about('#mine') + ' ' + about('#yours') in d.rows()[0], 'its row says so')
        d.toggle()
        d.wait_closed()
        d.open('tag:mine')
        d.wait_rows('two')


def type_behind_tags(d, words):
    """Of the one entry that there is."""
    d.focused_field()
    d.open()
    chosen(d, 'one')
    d.hands.press('ctrl+t')
    d.wait_focus('Tags, with blanks between them. Enter saves.')
    d.hands.type(words)
    d.hands.press('Return')
    d.wait_focus('Search the clipboard history')


@with_keyboard('a-tag-that-is-typed-behind-others-is-one-of-its-own')
def second_tag():
    with window_desk(KIND) as d:
        d.store('one')
        d.session.cliphist('tag', '1', 'mail')
        type_behind_tags(d, 'work')
        until(lambda: d.newest()[0]['tags'] == ['mail', 'work'], f'it has two tags: {d.newest()}')


@with_keyboard('a-tag-with-a-blank-or-a-sign-stays-one')
def odd_tags():
    with window_desk(KIND) as d:
        d.store('one')
        d.session.call(BUS_NAME, BUS_PATH, f'{BUS_NAME}.SetTags', '1', "['#mine', 'work sig']", '{}')
        type_behind_tags(d, 'x')
        equal(d.newest()[0]['tags'], ['#mine', 'work-sig', 'x'], 'its tags')


@anywhere('of-several-that-are-chosen-none-is-edited-and-it-says-so')
def edits_one():
    with window_desk(KIND) as d:
        d.store('one', 'two', png())
        d.focused_field()
        d.open()
        d.wait_rows('Image', 'two', 'one')
        d.hands.press('Home')
        d.hands.press('shift+Down')
        until(lambda: len(d.selected()) == 2, 'two are chosen')
        for key, words in (('F2', 'Only one entry at a time can be edited or tagged.'),
                           ('Return', 'Only texts, or only files, can be joined.'),
                           ('ctrl+t', 'Only one entry at a time can be edited or tagged.')):
            d.hands.press(key)
            until(lambda words=words: says_status(d, words), f'{key}: it says: {words}')
            true(len(d.selected()) == 2 and not d.shows('Back'), 'they are chosen still')
        d.hands.press('ctrl+p')
        until(lambda: [row['pinned'] for row in d.newest()] == [True, True, False], 'both are pinned')
        true(not says_status(d, 'Only'), 'what was said of another key is gone')


@anywhere('enter-twice-behind-tags-leaves-only-them')
def saved_twice():
    with window_desk(KIND) as d:
        d.store('one')
        d.focused_field()
        d.open()
        chosen(d, 'one')
        d.hands.press('ctrl+t')
        d.wait_focus('Tags, with blanks between them. Enter saves.')
        d.hands.type('mine')
        d.session.daemon.send_signal(signal.SIGSTOP)
        for _ in range(2):
            d.hands.press('Return')
        d.hands.type('x')
        until(lambda: d.text_of('Tags, with blanks between them. Enter saves.') == 'minex', 'both have come')
        d.session.daemon.send_signal(signal.SIGCONT)
        d.wait_focus('Search the clipboard history')
        until(lambda: d.rows() and d.rows()[0].endswith(about('#mine')), 'its row has the tag')


@anywhere('a-screen-reader-is-told-of-pins-and-of-what-goes-and-comes-back')
def told_changes():
    with window_desk(KIND, prepare=unhurried) as d:
        d.store(*[f'text {number}' for number in range(30)])
        d.focused_field()
        d.open()
        chosen(d, 'text 29')
        told = d.ask('listen')

        def wait_told(key, words):
            told[:] = d.ask('listen')
            d.hands.press(key)
            until(lambda: words in d.ask('listen')[len(told):], f'{key}: it is told: {words}')
        for words in ('1 entry is pinned.', '1 entry is not pinned.', '1 entry is pinned.'):
            wait_told('ctrl+p', words)
            end = ', Pinned: it stays'
            until(lambda words=words: ['not' not in words] == [row.endswith(end) for row in d.selected()], 'so says its row')
        d.hands.press('Down')
        chosen(d, 'text 28')
        wait_told('ctrl+p', '1 entry is pinned.')
        for key, words in (('Delete', '1 entry is deleted.'), ('Delete', '2 entries are deleted.')):
            wait_told(key, words)
            until(lambda words=words: says_status(d, words), 'so says the status')
        for _ in range(2):
            wait_told('ctrl+z', '1 entry is back.')


@anywhere('a-text-is-edited-in-place')
def edits():
    with window_desk(KIND) as d:
        d.store('one', 'two')
        d.session.cliphist('pin', '1')
        d.focused_field()
        d.open()
        d.wait_rows('two', 'one')
        d.hands.press('Down')
        chosen(d, 'one')
        d.hands.press('F2')
        until(lambda: d.everything(role='label', name='The text of the entry. Ctrl+Enter saves.'),
              'the text is there')
        d.hands.press('Tab')
        d.hands.type('more')
        d.hands.press('ctrl+Return')
        until(lambda: d.newest()[0]['preview'] == 'one more', 'it is changed')
        text = d.session.cliphist('decode', str(d.newest()[0]['id'])).stdout
        equal(text, b'one\tmore', 'the text, with what Tab is there')
        true(d.newest()[0]['pinned'], 'it is still pinned')
        equal(len(d.newest()), 2, 'entries')
        d.wait_rows('one more', 'two')
        chosen(d, 'one more')
        d.store('three')
        d.hands.press('Down')
        chosen(d, 'two')
        d.wait_rows('one more', 'two')


@anywhere('whose-formatting-goes-is-told-where-one-edits')
def edits_formatted():
    with window_desk(KIND) as d:
        d.store('one')
        d.store_types({'text/plain;charset=utf-8': b'plain', 'text/html': b'<b>rich</b>'})
        d.focused_field()
        d.open()
        chosen(d, 'plain')
        for words in ('The text of the entry. Ctrl+Enter saves it, without its formatting.',
                      'The text of the entry. Ctrl+Enter saves.'):
            d.hands.press('F2')
            until(lambda words=words: d.everything(role='label', name=words), f'it says: {words}')
            d.hands.press('Escape')
            d.wait_focus('Search the clipboard history')
            d.hands.press('Down')


@anywhere('escape-keeps-a-draft-and-cancel-gives-it-up')
def kept_draft():
    with window_desk(KIND) as d:
        d.store('one')
        d.session.cliphist('tag', '1', 'mine')
        d.focused_field()
        d.open()
        for edit, heading, was in (('F2', 'The text of the entry. Ctrl+Enter saves.', 'one'),
                                   ('ctrl+t', 'Tags, with blanks between them. Enter saves.', 'mine ')):
            for key, words in (('Escape', was + 'more'), ('Return', was)):
                d.hands.press(edit)
                until(lambda: (d.text_of(heading) or '').startswith(was), f'{was} is there')
                if key == 'Escape':
                    d.hands.press('ctrl+End')
                    d.hands.type('more')
                else:
                    d.hands.press('ctrl+Tab')
                    d.wait_focus('Cancel')
                d.hands.press(key)
                d.wait_focus('Search the clipboard history')
                d.hands.press('F1')
                d.wait_focus('All keys')
                d.act('Back')
                d.wait_focus('Search the clipboard history')
                d.hands.press(edit)
                until(lambda: d.text_of(heading) == words, f'{words} is there')
                d.hands.press('Escape')
                d.wait_focus('Search the clipboard history')
        equal([(row['preview'], row['tags']) for row in d.newest()], [('one', ['mine'])], 'the entries')


@anywhere('a-draft-is-saved-or-given-up-before-another-entry-is-edited')
def draft_of_another():
    with window_desk(KIND) as d:
        d.store('one', 'two')
        d.focused_field()
        d.open()
        chosen(d, 'two')
        edited, kept = 'The text of the entry. Ctrl+Enter saves.', 'What was typed before is not saved yet: save it, or cancel.'
        d.hands.press('F2')
        until(lambda: d.text_of(edited) == 'two', 'the text is there')
        d.hands.press('ctrl+End')
        d.hands.type('more')
        until(lambda: sees(d, 'two'), 'whose text it is')
        d.hands.press('Escape')
        d.wait_focus('Search the clipboard history')
        until(lambda: sees(d, DRAFT), 'that there is a draft')
        d.hands.press('Escape')
        d.wait_closed()
        d.open()
        until(lambda: sees(d, DRAFT), 'that there is one still')
        d.act('Continue')
        d.wait_focus(edited)
        equal(d.text_of(edited), 'twomore', 'the draft')
        d.hands.press('Escape')
        d.wait_focus('Search the clipboard history')
        d.hands.press('Down')
        chosen(d, 'one')
        for key in ('ctrl+t', 'F2'):
            d.hands.press(key)
            until(lambda key=key: d.text_of(kept) == 'twomore', f'{key}: the draft is there, and it says so')
            true(sees(d, 'two'), 'whose text it is')
            if key == 'ctrl+t':
                d.hands.press('Escape')
                d.wait_focus('Search the clipboard history')
        d.hands.press('ctrl+Return')
        d.wait_rows('twomore', 'one')
        d.hands.press('Down')
        chosen(d, 'one')
        d.hands.press('F2')
        until(lambda: d.text_of(edited) == 'one', 'the other one is edited')
        until(lambda: sees(d, 'one'), 'whose text it is')
        d.hands.press('Escape')
        d.wait_focus('Search the clipboard history')
        true(not sees(d, DRAFT), 'nothing is left')


@with_keyboard('that-a-text-is-blank-is-told-until-more-is-typed')
def blank_text():
    edited, blank = 'The text of the entry. Ctrl+Enter saves.', 'There is nothing but blanks in this text: it cannot be kept.'
    with window_desk(KIND) as d:
        d.store('one')
        d.focused_field()
        d.open()
        chosen(d, 'one')
        d.hands.press('F2')
        until(lambda: d.text_of(edited) == 'one', 'the text is there')
        d.hands.press('ctrl+a')
        d.hands.press('Delete')
        until(lambda: d.text_of(edited) == '', 'it is empty')
        d.hands.press('ctrl+Return')
        until(lambda: d.text_of(blank) == '', 'it says so')
        d.hands.type('new')
        until(lambda: d.text_of(edited) == 'new', 'what was said is gone')
        d.hands.press('ctrl+Return')
        d.wait_rows('new')


@anywhere('that-an-entry-has-gone-meanwhile-is-told-in-words')
def gone_meanwhile():
    with window_desk(KIND) as d:
        d.store('one')
        d.focused_field()
        d.open()
        chosen(d, 'one')
        d.hands.press('ctrl+t')
        d.wait_focus('Tags, with blanks between them. Enter saves.')
        d.hands.type('mine')
        d.session.cliphist('remove', '1')
        d.hands.press('Return')
        d.wait_focus('The entry that was chosen has gone.')


@anywhere('a-draft-outlives-a-look-at-something-else')
def draft():
    with window_desk(KIND) as d:
        d.store('one')
        d.focused_field()
        d.open()
        d.hands.press('F2')
        until(lambda: d.everything(role='label', name='The text of the entry. Ctrl+Enter saves.'),
              'the text is there')
        d.click_field()
        d.wait_closed()  # nothing was typed
        d.open()
        d.hands.press('F2')
        until(lambda: d.everything(role='label', name='The text of the entry. Ctrl+Enter saves.'),
              'the text is there')
        d.hands.type('more')
        d.click_field()
        d.wait_closed()
        d.open()
        d.hands.type(' words')
        d.toggle()
        d.wait_closed()
        d.open()
        d.hands.press('ctrl+Return')
        until(lambda: d.newest()[0]['preview'] == 'onemore words', 'the draft is saved')
        d.wait_rows('onemore words')
        d.hands.press('F2')
        until(lambda: d.everything(role='label', name='The text of the entry. Ctrl+Enter saves.'),
              'the text is there')
        d.hands.type('again')
        os.kill(d.pid(), signal.SIGTERM)
        until(lambda: not d.session.has_owner(NAME), 'told to end it does so')

def tell_late(d, asks, wanted):
    """While the daemon stands still, after what a person does then, and when it goes on."""
    d.session.daemon.send_signal(signal.SIGSTOP)
    asks()
    until(lambda: sees(d, NOT_YET), 'it says that the history does not answer')
    d.session.daemon.send_signal(signal.SIGCONT)
    until(wanted, 'what was asked is done')
    until(lambda: not sees(d, NOT_YET), 'it says so no more')


@of_size('that-the-history-does-not-answer-is-told')
def not_yet():
    with window_desk(KIND) as d:
        d.store('one', 'two', 'three')
        d.focused_field()
        d.open()
        chosen(d, 'three')
        tell_late(d, lambda: d.hands.press('ctrl+p'), lambda: d.rows()[0].endswith(', Pinned: it stays'))
        d.hands.press('ctrl+t')
        d.wait_focus('Tags, with blanks between them. Enter saves.')
        d.hands.type('mine')
        tell_late(d, lambda: d.hands.press('Return'), lambda: d.rows() and about('#mine') in d.rows()[0])
        d.wait_focus('Search the clipboard history')
        tell_late(d, lambda: d.choose_in_menu('u'), lambda: sees(d, 'Copies are not kept at the moment.'))
        tell_late(d, lambda: d.hands.type('two'), lambda: [row.startswith('two') for row in d.rows()] == [True])
        tell_late(d, lambda: d.hands.press('Delete'), lambda: [row['preview'] for row in d.newest()] == ['three', 'one'])


@of_size('a-change-that-failed-is-told-by-its-name')
def named_failures():
    for asks, words in ((lambda d: d.hands.press('ctrl+p'), 'An entry was not pinned'),
                        (lambda d: (d.hands.press('End'), d.hands.press('ctrl+p')), 'An entry is still pinned'),
                        (lambda d: d.choose_in_menu('u'), 'The pause was not set')):
        with window_desk(KIND) as d:
            d.store('one', 'two')
            d.session.cliphist('pin', '1')
            d.focused_field()
            d.open()
            d.wait_rows('two', 'one')
            d.ask('listen')
            d.session.daemon.send_signal(signal.SIGSTOP)
            asks(d)
            until(lambda d=d: sees(d, NOT_YET), 'it says that the history does not answer')
            d.session.kill(d.session.daemon)
            failed = f'{words}: “cliphist doctor” in a terminal may say why.'
            until(lambda d=d, failed=failed: sees(d, failed), f'it says: {failed}')
            equal([said for said in d.ask('listen') if said.endswith('pinned.')], [], 'what is told to be done')
            d.session.start_daemon()
