# SPDX-License-Identifier: LGPL-2.1-or-later
"""LibreOffice Calc copies a large range, and answers while that is captured: calc.py x11|sway [FACT...]

A call through its own API (UNO) needs the one lock under which Calc does everything, so how long
it takes is how long a user would look at a window that stands still.
"""
import sys
import threading
import time

from appdesk import desk, documented, version_of, wanted
from session import Broken, until
from tap import Missing, equal, fact, main, note, true

DISPLAY = sys.argv.pop(1)
ROWS, COLUMNS = 10000, 10
TEXT = 'text/plain;charset=utf-8'
PATIENCE = 60  # seconds in which it answers, on whatever machine


def call_uno():
    try:
        import uno
    except ImportError:
        raise Missing('python3-uno is not installed') from None
    return uno


class Office:
    def __init__(self, d):
        program = wanted('soffice', 'libreoffice-calc')
        self.version = version_of(program, '--version')
        self.d, self.uno = d, call_uno()
        self.process = d.start(
            program, '--norestore', '--nologo', '--nofirststartwizard', '--calc',
            f'-env:UserInstallation=file://{d.session.folder}/office',
            f'--accept=pipe,name=cliphist-{d.session.folder.name};urp',
            env={'SAL_USE_VCLPLUGIN': 'gtk3' if d.is_wayland else 'gen'})
        here = self.uno.getComponentContext()
        resolver = here.ServiceManager.createInstance('com.sun.star.bridge.UnoUrlResolver')
        url = (f'uno:pipe,name=cliphist-{d.session.folder.name};urp;'
               'StarOffice.ComponentContext')

        def reach():
            try:
                return resolver.resolve(url)
            except Exception:  # com.sun.star.connection.NoConnectException
                return None
        context = until(reach, 'LibreOffice answers', 120)
        desktop = context.ServiceManager.createInstance('com.sun.star.frame.Desktop')
        self.document = until(desktop.getCurrentComponent, 'there is a spreadsheet', 60)
        self.sheet = self.document.Sheets.getByIndex(0)
        d.hands.wait_focus('Calc', 120)

    def range(self, words):
        return self.sheet.getCellRangeByName(words)

    def select(self, words):
        self.document.CurrentController.select(self.range(words))

    def answer(self):
        """How long it takes to tell what is selected."""
        start = time.monotonic()
        self.document.CurrentController.getSelection().getRangeAddress()
        return time.monotonic() - start


class Answers:
    """Asks one question after the other in a thread of its own."""

    def __init__(self, office):
        self.office, self.times, self.is_over = office, [], threading.Event()
        self.thread = threading.Thread(target=self._ask, daemon=True)

    def _ask(self):
        while not self.is_over.wait(0.02):
            self.times.append(self.office.answer())

    def __enter__(self):
        self.times.append(self.office.answer())
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.is_over.set()
        self.thread.join(PATIENCE)
        if self.thread.is_alive():
            raise Broken(f'LibreOffice has not answered for {PATIENCE} s')


def name(words):
    return f'/apps/calc-{DISPLAY}/{words}'


@fact(name('a-range-is-copied-and-pasted'))
def cells():
    with desk(DISPLAY) as d:
        office = Office(d)
        office.range('A1:B2').setDataArray((('left', 1.0), ('right', 2.0)))
        office.select('A1:B2')
        number, read = d.capture(lambda: d.hands.press('ctrl+c'), again=15)
        equal(d.content(number, TEXT), b'left\t1\nright\t2\n', 'the text')
        d.row('LibreOffice Calc', office.version, 'four cells', number, read)
        # the next owner tells it what there is to paste; it does not ask again for seconds
        d.select_again(number, b'left\t1\nright\t2\n')
        office.select('F1')
        d.hands.press('ctrl+v')
        until(lambda: office.range('G2').Value == 2.0, 'the numbers are in cells')
        equal(office.range('F1:G2').getDataArray(), (('left', 1.0), ('right', 2.0)), 'cells')


@fact(name('a-formula-that-is-pasted-is-a-formula'))
def formula():
    with desk(DISPLAY) as d:
        office = Office(d)
        # what is a file has its path in the name of a type, which is longer than one may be
        office.document.storeAsURL(f'file://{d.session.folder}/{"budget-" * 20}.ods', ())
        office.range('A1').setFormula('=3+4')
        office.select('A1')
        number, _read = d.capture(lambda: d.hands.press('ctrl+c'), again=15)
        d.select_again(number, d.content(number, TEXT))
        office.select('F1')
        d.hands.press('ctrl+v')
        until(lambda: office.range('F1').String == '7', 'it is pasted')
        equal(office.range('F1').getFormula(), '=3+4', 'the formula')


@fact(name('a-text-is-pasted'))
def text():
    with desk(DISPLAY) as d:
        office = Office(d)
        d.other_copy('from elsewhere')
        d.select_again(d.newest()['id'], b'from elsewhere')
        office.select('D1')
        d.hands.press('ctrl+v')
        until(lambda: office.range('D1').String == 'from elsewhere', 'the text is in a cell')


def capture_whole(d, tries=3):
    """What takes it seconds to make without a first byte is left out of the entry: a machine that has
    something else to do gets several tries."""
    while True:
        number, read = d.capture(lambda: d.hands.press('ctrl+c'), seconds=180, again=60)
        tries -= 1
        if tries == 0 or len(d.stored(number)) == 3:
            return number, read
        d.other_copy(f'{tries} tries are left')


@fact(name('a-hundred-thousand-cells-are-captured-while-it-answers'))
def many_cells():
    with desk(DISPLAY) as d:
        office = Office(d)
        last = f'J{ROWS}'
        rows = tuple(tuple(float(row * COLUMNS + column) for column in range(COLUMNS))
                     for row in range(ROWS))
        office.range(f'A1:{last}').setDataArray(rows)
        office.select(f'A1:{last}')
        with Answers(office) as answers:
            number, read = capture_whole(d)
        note(f'{len(answers.times)} answers, the slowest after {max(answers.times):.2f} s')
        true(max(answers.times) < PATIENCE, f'it has not answered for {max(answers.times):.1f} s')
        text = ''.join('\t'.join(f'{cell:.0f}' for cell in row) + '\n' for row in rows)
        equal(d.content(number, TEXT).decode(), text, 'the text')
        equal([mime for mime in read if mime.startswith('image/')], [], 'images that were drawn')
        d.row('LibreOffice Calc', office.version, '100,000 cells', number, read)
        note(', '.join(f'{mime}: {len(d.content(number, mime))} bytes' for mime in d.stored(number)))


documented(name('is-in-the-table'))
main()
