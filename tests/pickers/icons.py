# SPDX-License-Identifier: LGPL-2.1-or-later
"""`list --with-icons`: what pickers get, and what is kept of it.

    icons.py BUILD [--bus]
"""
import pathlib
import re
import shutil
import stat
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'session'))
from clients import png  # noqa: E402
from images import FORMATS, black_png  # noqa: E402
from session import BUS_NAME, Programs, Session  # noqa: E402
from tap import equal, fact, main, true  # noqa: E402

PROGRAMS = Programs(sys.argv.pop(1))
WITH_BUS = sys.argv[1:] == ['--bus']
del sys.argv[1:]
ICON = b'\0icon\x1f'


class Desk(Session):
    """A session in which copies are stored by hand."""

    def __init__(self):
        super().__init__('none', bus=WITH_BUS, programs=PROGRAMS)

    def __enter__(self):
        super().__enter__()
        if WITH_BUS:
            self.make_activatable(BUS_NAME, self.programs.cliphistd)
        return self

    def store(self, *clips):
        for data in clips:
            self.cliphist('store', data=data)

    def rows(self, picker='rofi', *flags):
        return self.cliphist(*flags, 'list', '--with-icons', picker).stdout.splitlines()

    def thumbnails(self):
        return sorted((self.folder / 'state' / 'cliphist' / 'thumbnails').glob('*'))


def split(row):
    line, _, icon = row.partition(ICON)
    return line, pathlib.Path(icon.decode()) if icon else None


@fact('/icons/whoever-decodes-an-image-has-nothing-of-our-environment')
def no_environment():
    with Desk() as desk:
        folder = desk.folder / 'libexec'
        folder.mkdir()
        program = folder / 'cliphist-thumbnail'
        program.write_text('#!/bin/sh\necho all:; cat /proc/$$/environ\n')
        program.chmod(0o755)
        desk.env['CLIPHIST_LIBEXEC'] = ':'.join(map(str, [folder, *desk.programs.libexec]))
        desk.store(png(1, 1))
        _, icon = split(desk.rows()[0])
        equal(icon.read_bytes(), b'all:\n', 'environment')


@fact('/icons/an-image-has-its-thumbnail-beside-it')
def beside_it():
    with Desk() as desk:
        desk.store(png(800, 400), b'some text')
        text, image = desk.rows()
        equal(text, b'2\tsome text', 'the line of a text')
        line, icon = split(image)
        true(re.fullmatch(rb'1\t\[\[ binary data .* png 800x400 \]\]', line), line)
        equal([icon], desk.thumbnails(), 'the file')
        true(icon.read_bytes().startswith(b'\x89PNG'), 'a PNG')
        equal(stat.S_IMODE(icon.stat().st_mode), 0o600, 'its mode')
        equal(stat.S_IMODE(icon.parent.stat().st_mode), 0o700, 'the mode of its folder')
        equal(desk.rows('fuzzel'), [text, image], 'fuzzel reads the same')


@fact('/icons/every-format')
def every_format():
    with Desk() as desk:
        for name, data in FORMATS.items():
            # without its name the smallest TIFF is none, as for the existing tool
            desk.cliphist('store', data=data, env={'CLIPBOARD_TYPE': f'image/{name}'})
        for row, name in zip(desk.rows(), reversed(FORMATS)):
            line, icon = split(row)
            true(line.endswith(f' {name} 6x4 ]]'.encode()), line)
            true(icon and icon.stat().st_size > 0, f'{name} has a thumbnail')


@fact('/icons/made-once')
def made_once():
    with Desk() as desk:
        desk.store(png(), b'GIF89a that is none\0')
        rows = desk.rows()
        before = [(path.stat().st_ino, path.stat().st_mtime_ns) for path in desk.thumbnails()]
        equal(len(before), 2, 'files: one stands for an image that cannot be decoded')
        equal(split(rows[0])[1], None, 'the icon of that')
        equal(desk.rows(), rows, 'rows')
        equal([(path.stat().st_ino, path.stat().st_mtime_ns) for path in desk.thumbnails()],
              before, 'files')


@fact('/icons/one-that-wants-too-much-costs-nothing-else')
def wants_too_much():
    with Desk() as desk:
        desk.store(png(), black_png(40000, 10000), b'text')
        icons = [split(row)[1] for row in desk.rows()]
        true(icons[0] is None and icons[1] is None and icons[2], icons)


@fact('/icons/wofi-gets-a-list-of-names-and-values')
def wofi():
    with Desk() as desk:
        desk.store(png(), b'a:img:/etc/passwd:text:b')
        text, image = desk.rows('wofi')
        equal(text.decode(), '2\ta∶img∶/etc/passwd∶text∶b', 'a text that could be one')
        path = str(desk.thumbnails()[0]).encode()
        true(image.startswith(b'img:' + path + b':text:1\t[[ binary data '), image)


@fact('/icons/what-a-picker-prints-is-a-line')
def decodable():
    with Desk() as desk:
        desk.store(png(), b'text')
        for picker in ('rofi', 'fuzzel', 'wofi'):
            for row, data in zip(desk.rows(picker), (b'text', png())):
                line = row.partition(ICON)[0]
                equal(desk.cliphist('decode', data=line + b'\n').stdout, data, picker)
        desk.cliphist('delete', data=b'\n'.join(desk.rows('wofi')) + b'\n')
        equal(desk.listed(), b'', 'list')


@fact('/icons/gone-with-the-entry')
def gone_with_the_entry():
    with Desk() as desk:
        desk.store(png(1, 1), png(2, 2), png(3, 3))
        desk.rows()
        equal(len(desk.thumbnails()), 3, 'files')
        desk.cliphist('delete', data=b'1\n')
        equal(len(desk.thumbnails()), 2, 'files after delete')
        desk.cliphist('-max-items', '2', 'store', data=b'text')
        equal(len(desk.thumbnails()), 1, 'files after an entry too many')
        desk.cliphist('wipe')
        equal(desk.thumbnails(), [], 'files after wipe')


@fact('/icons/another-history-has-its-own')
def another_history():
    with Desk() as desk:
        desk.cliphist('-db-path', desk.folder / 'other', 'store', data=png())
        row = desk.rows('rofi', '-db-path', desk.folder / 'other')[0]
        equal(split(row)[1].parent, desk.folder / 'other.d' / 'thumbnails', 'folder')
        equal(desk.thumbnails(), [], 'files of the usual one')


@fact('/icons/what-came-with-a-folder-is-not-shown')
def came_with_a_folder():
    with Desk() as desk:
        desk.store(png())
        _, icon = split(desk.rows()[0])
        given = icon.parent.rename(icon.parent.with_name('given'))
        shutil.copytree(given, icon.parent)
        icon.write_bytes(b'no picture of ours')
        _, icon = split(desk.rows()[0])
        true(icon.read_bytes().startswith(b'\x89PNG'), 'the picture')


@fact('/icons/without-the-program-there-are-none')
def without_the_program():
    with Desk() as desk:
        desk.store(png())
        rows = desk.cliphist('list', '--with-icons', 'rofi',
                             env={'CLIPHIST_LIBEXEC': '/nowhere'}).stdout
        equal(rows, desk.listed(), 'rows')
        equal(desk.thumbnails(), [], 'files')
        true(split(desk.rows()[0])[1], 'made the next time')


@fact('/icons/misuse-is-said')
def misuse():
    with Desk() as desk:
        desk.store(b'text')
        for words in (['--with-icons', 'dmenu'], ['--with-icons', 'rofi', '--json'],
                      ['--with-icons=rofi', '-0'], ['--with-icons']):
            equal(desk.cliphist('list', *words, check=False).returncode, 2, str(words))


main()
