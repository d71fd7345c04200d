# SPDX-License-Identifier: LGPL-2.1-or-later
"""What is shown of an entry, also of a hostile or a huge one."""
import os

from clients import png
from tap import equal, fact, true
from windowdesk import until, window_desk
from windowfact import KIND, about, anywhere, chosen, contrast, name, of_size


@anywhere('the-preview-shows-the-beginning-of-what-is-chosen')
def previews():
    with window_desk(KIND) as d:
        lines = 'line after line\n' * 20000
        d.store('first line\nsecond line', lines, 'x' * 300000)
        d.focused_field()
        d.open()
        d.wait_rows('xxx', 'line', 'first')
        d.hands.press('Tab')
        until(lambda: d.text_of('Preview of the entry') == 'x' * 2000 + '…', 'a long line is cut')
        d.hands.press('Down')
        until(lambda: d.text_of('Preview of the entry') == lines[:65536] + '…', 'it shows 64 KiB')
        d.hands.press('Down')
        until(lambda: d.text_of('Preview of the entry') == 'first line\nsecond line', 'it shows the text')


def copied(d):
    return d.session.run('xclip', '-selection', 'clipboard', '-out', check=False).stdout.decode()


if KIND == 'openbox':
    @fact(name('what-is-chosen-in-the-preview-is-copied-as-it-was'))
    def copies_of_preview():
        long_line = 'x y' * 16667
        for text in (f'one\ttwo\r\n{long_line}\n\x01end', long_line, 'line\tafter line\n' * 20000):
            with window_desk(KIND) as d:
                d.store(text)
                d.focused_field()
                d.open()
                d.hands.press('Tab')
                until(lambda d=d, text=text: (d.text_of('Preview of the entry') or '').startswith(text[:7]), 'it is shown')
                x, y, width, height = d.box('text', 'Preview of the entry')
                d.click_window(x + 30, y + 20, 1, '--repeat', 3, '--delay', 50)
                d.hands.press('ctrl+c')
                until(lambda d=d, text=text: 3 < len(copied(d)) < 100 and copied(d) in text, 'a line of it is copied')
                d.click_window(x + 30, y + 20, 3)
                until(lambda d=d: 'Select All' in [name for name, _ in d.boxes('menu item')], 'the menu is there')
                d.hands.press('a')
                until(lambda d=d: not d.boxes('menu item'), 'the menu is gone')
                d.hands.press('ctrl+c')
                until(lambda d=d, text=text: copied(d) == text, 'all of it is copied, as it was')
                if len(text) > 1 << 16:
                    d.wait_closed()


if KIND == 'openbox':
    @fact(name('what-is-found-on-the-first-screen-of-the-preview-scrolls-nothing'))
    def found_at_once():
        preview = 'Preview of the entry'
        with window_desk(KIND) as d:
            d.store('the order' + '\nline' * 12 + '\nand its total' + '\nline' * 100, 'Invoice of March\nsecond line')
            d.focused_field()
            d.open()

            def is_blank(at, height):
                x, y, width, _ = d.box('text', preview)
                return contrast(d.colours((x + 1, y + at, width // 2, height))) < 4.5
            # the first preview of the program is that of the first word
            for word, row, keys in (('Invoice', 'Invoice', ['Tab']), ('total', 'the order', [])):
                d.hands.press('ctrl+a')
                d.hands.type(word)
                d.wait_rows(row)
                for key in keys:
                    d.hands.press(key)
                until(lambda word=word: d.ask(f'marked {preview}') == [word], 'it is marked')
                until(lambda: not is_blank(1, 40), 'the preview is drawn')
                true(is_blank(1, 7), f'{word}: its margin is seen')


@anywhere('a-long-tag-makes-it-no-wider')
def long_tag():
    with window_desk(KIND) as d:
        d.store('one', 'two')
        d.session.cliphist('tag', '1', 'W' * 250)
        d.focused_field()
        d.open()
        d.hands.press('Tab')
        until(lambda: d.text_of('Preview of the entry') == 'two', 'it shows the text')
        before = d.box('button', 'Menu')
        d.hands.press('Down')
        until(lambda: d.text_of('Preview of the entry') == 'one', 'it shows that of the other')
        equal(d.box('button', 'Menu'), before, 'where the menu is')


@anywhere('a-new-tag-is-told-by-row-and-preview-before-the-program')
def new_tag():
    with window_desk(KIND) as d:
        field = d.focused_field()
        d.hands.wait_focus('text field')
        d.hands.type('word')
        until(lambda: field.text() == 'word', 'it is typed')
        d.hands.press('ctrl+a')
        d.hands.press('ctrl+c')
        until(lambda: len(d.newest()) == 1, 'it is copied')
        d.open()
        chosen(d, 'word')
        d.hands.press('Tab')
        until(lambda: d.text_of('Preview of the entry') == 'word', 'the preview is there')
        d.hands.press('ctrl+t')
        d.wait_focus('Tags, with blanks between them. Enter saves.')
        d.hands.type('mine')
        d.hands.press('Return')
        told = about('Text', '4 bytes', 'now', '#mine')
        until(lambda: len([name for name, _ in d.boxes('label') if name.startswith(told)]) == 2, f'both say {told}')


@anywhere('the-preview-shows-pictures-files-and-colours')
def previews_more():
    with window_desk(KIND) as d:
        d.store('no colour', ' #3080c0\n', png(1600, 900))
        d.store_types({'text/uri-list':
                       b'file:///tmp/a%20letter.txt\r\nfile:///tmp/b%0A%C3%BC.png\r\nfile://far/c%20d\r\n'})
        d.focused_field()
        d.open()
        d.wait_rows(f'a letter.txt, b ü.png, c d, {about("Files")}', f'Image 1600×900, {about("Image")}',
                    f'#3080c0, {about("Text")}', f'no colour, {about("Text")}')
        _, _, size = d.ask('boxes')[0]
        d.hands.press('Tab')
        paths = '/tmp/a letter.txt\n/tmp/b ü.png\nfile://far/c%20d\n'
        until(lambda: d.text_of('Preview of the entry') == paths, 'it shows the paths of the files')
        for words, has_picture in (('Image', True), ('#3080c0', True), ('no colour', False)):
            d.hands.press('Down')
            chosen(d, words)
            until(lambda: d.shows('Preview of the image') == has_picture, f'of {words}: a picture, or none')
            equal(d.ask('boxes')[0][2], size, 'of the window, whatever is shown')
            if words == 'Image':
                until(lambda: [box for _, called, box in d.ask('boxes')
                               if called == 'Preview of the image' and box[3] > 300], 'it has all of the room')


@anywhere('hostile-texts-are-shown-as-what-they-are')
def hostile():
    with window_desk(KIND) as d:
        d.store('<b>bold</b> &amp; <span foreground="red">', b'\x1b[31mred\x07\x00 \xff\xfe',
                '\u202edesrever', 'a\u0300' * 2000)
        d.session.cliphist('tag', '1', '<i>tag</i>')
        d.focused_field()
        d.open()
        until(lambda: len(d.rows()) == 4, 'all rows are there')
        true(d.rows()[3].startswith('<b>bold</b> &amp; <span foreground="red">'), d.rows()[3])
        true('#<i>tag</i>' in d.rows()[3], d.rows()[3])
        equal([row for row in d.rows() if '\x1b' in row or '\u202e' in row], [], 'control characters')
        d.hands.press('Tab')
        for _ in range(4):
            d.hands.press('Down')
        chosen(d, '<b>')


if KIND in ('openbox', 'bare'):
    @fact(name('signs-piled-on-a-letter-stay-in-their-row'))
    def piled_signs():
        with window_desk(KIND) as d:
            signs = ''.join(map(chr, range(0x300, 0x34f)))
            d.store('.' * 60 + 'a' + signs, 'cd', 'ab')
            d.focused_field()
            d.open()
            d.wait_rows('ab', 'cd', '.')

            def is_blank(row, at, rows):
                """Behind what a row says of itself."""
                x, y, width, _ = d.box('list item', row)
                return len(set(map(tuple, d.colours((x + width // 3, y + at, width // 3, rows))))) == 1
            until(lambda: not is_blank('.', 0, 12), 'the signs reach high in their row')
            true(is_blank('cd', 6, d.box('list item', 'cd')[3] - 12), 'the row above has none of them')


@anywhere('a-picture-that-breaks-its-decoder-is-an-icon')
def broken_picture():
    with window_desk(KIND) as d:
        d.store(png()[:60] + b'garbage' * 100, png())
        d.focused_field()
        d.open()
        d.hands.press('Tab')
        d.hands.press('Down')
        until(lambda: d.text_of('Preview of the entry') == 'There is no preview of this entry.', 'the preview says so')


@of_size('one-entry-of-a-gibibyte')
def huge():
    with window_desk(KIND) as d:
        source = d.session.folder / 'huge'
        with open(source, 'wb') as file:
            line = b'a line of a text that is long\n'
            for _ in range(int(os.environ.get('CLIP_LARGE_MIB', '1024'))):
                file.write((line * ((1 << 20) // len(line) + 1))[:1 << 20])
        with open(source, 'rb') as file:
            d.session.cliphist('store', stdin=file, seconds=300)
        d.store('small')
        d.focused_field()
        d.open()
        d.wait_rows('small', 'a line of a text')
        d.hands.press('Tab')
        d.hands.press('Down')
        until(lambda: (d.text_of('Preview of the entry') or '').startswith(line.decode() * 9), 'its beginning is shown')
        equal(len(d.text_of('Preview of the entry')), (1 << 16) + 1, 'of the preview, with the sign of what is cut')
        d.hands.type('text that')
        d.wait_rows('a line of a text')
        d.hands.press('Delete')
        d.wait_rows()
