# SPDX-License-Identifier: LGPL-2.1-or-later
"""A text field of Qt 5 or 6, for keys to type, copy and paste in: qtfield.py 5|6 line|rich

It speaks as gtkfield.py does. "rich" holds text in bold from the start, and says {"html": HTML}, too.
"""
import importlib
import json
import sys

MAJOR, KIND = sys.argv[1:3]
widgets = importlib.import_module(f'PyQt{MAJOR}.QtWidgets')
gui = importlib.import_module(f'PyQt{MAJOR}.QtGui')
core = importlib.import_module(f'PyQt{MAJOR}.QtCore')


def say(**words):
    print(json.dumps(words), flush=True)


class Field:
    def __init__(self):
        self.is_ready = False
        if KIND == 'line':
            self.widget = widgets.QLineEdit()
            self.widget.textChanged.connect(lambda text: say(text=text))
        else:
            self.widget = widgets.QTextEdit()
            self.widget.setHtml('plain and <b>bold</b>')
            self.widget.textChanged.connect(self.on_rich_text)
        self.widget.setWindowTitle('field')
        self.widget.resize(400, 200)
        self.widget.show()
        self.widget.setFocus()
        app.applicationStateChanged.connect(self.on_state)
        self.notifier = core.QSocketNotifier(sys.stdin.fileno(), core.QSocketNotifier.Type.Read)
        self.notifier.activated.connect(self.on_words)

    def on_rich_text(self):
        say(text=self.widget.toPlainText(), html=self.widget.toHtml())

    def on_state(self, state):
        if state == core.Qt.ApplicationState.ApplicationActive and not self.is_ready:
            self.is_ready = True
            say(ready=core.qVersion())

    def on_words(self, *_):
        verb, _, path = sys.stdin.readline().rstrip('\n').partition(' ')
        clipboard = app.clipboard()
        if verb == 'copy-image':
            clipboard.setImage(gui.QImage(path))
        elif verb == 'paste-image':
            image = clipboard.image()
            say(image=None if image.isNull() else [image.width(), image.height()])
        else:
            app.quit()


app = widgets.QApplication(['field'])
field = Field()
app.exec()
