# SPDX-License-Identifier: LGPL-2.1-or-later
"""The history of another program as an archive, on standard output.

    python3 -IB cliphist-import PATH [PROGRAM]

PATH is a file, or the folder that a program keeps its history in. What `cliphist` is to know comes
on standard error, a line each:

    is NAME TITLE   whose history it is
    left-out N      how many entries are not in the archive: secret or empty
    incomplete N    the same: a file that they refer to is missing
    fault TEXT      what is wrong with it, the first of that; what else is read is in the archive

The status is 0, 1 with a fault, or where the archive has no reader any more, or 3 where PATH is no
history that is known.
"""
import fnmatch
import os
import resource
import signal
import sys

import archive
import clipse
import copyq
import gpaste
import history
import klipper
import ringboard

DONE, FAILED, UNKNOWN = 0, 1, 3

# what Python makes of the bytes of one entry, and of what has no limit of its own
MOST_MEMORY = 8 * history.MOST_BYTES

FORMATS = gpaste.FORMATS + klipper.FORMATS + copyq.FORMATS + clipse.FORMATS + ringboard.FORMATS


def say(*words):
    line = ' '.join(map(str, words)).replace('\n', ' ') + '\n'
    os.write(sys.stderr.fileno(), line.encode(errors='replace'))


def find_format(file, formats, is_named):
    for form in formats:
        if form.is_one(file):
            return form
    # what is damaged at its very beginning is read as what it is said to be; the older of two
    # formats is the one with the weaker beginning
    return formats[-1] if is_named else None


def open_folder(path, formats):
    """(format, files), the one first that was written first"""
    for form in formats:
        files = []
        for name in sorted(os.listdir(path)):
            if not form.pattern or not fnmatch.fnmatchcase(name, form.pattern) or \
                    len(files) == history.MOST_FILES:
                continue
            try:
                file = history.File(os.path.join(path, name))
            except OSError:
                continue  # it is none of the history's
            if form.is_one(file):
                files.append(file)
            else:
                file.close()
        if files:
            return form, sorted(files, key=lambda file: file.changed_us)
    return None, []


def find(path, name):
    formats = [form for form in FORMATS if name in (None, form.name)]
    if os.path.isdir(path):
        return open_folder(path, formats)
    file = history.File(path)
    return find_format(file, formats, name is not None), [file]


class Run:
    def __init__(self, form, files):
        self.form, self.files = form, files
        self.archive = archive.Archive(sys.stdout.fileno())
        self.n_left_out = 0
        self.n_incomplete = 0

    def take(self, entry):
        if entry.incomplete:
            self.n_incomplete += 1
        elif entry.secret or entry.is_empty():
            self.n_left_out += 1
        else:
            self.archive.add(entry)
        entry.close()

    def read(self, file):
        for entry in self.form.entries(file):
            self.take(entry)
        if not self.form.is_live and file.has_changed():
            raise history.Fault('it was changed while it was read: end that program, and try again')

    def all(self):
        """What is wrong first, or nothing. A fault costs no other file; anything else may have left
        an entry half in the archive."""
        first = None
        for file in self.files:
            try:
                self.read(file)
            except history.Fault as fault:
                place = f"'{os.path.basename(file.path)}', " if len(self.files) > 1 else ''
                first = first or f'{self.form.title}, {place}{fault}'
            except MemoryError:
                return first or f'{self.form.title}, {history.TOO_MUCH_MEMORY}'
            except OSError as error:
                if isinstance(error, BrokenPipeError):
                    raise
                return first or f'{self.form.title}, {os.strerror(error.errno or 0)}'
        return first

    def run(self):
        fault = self.all()
        self.archive.end()
        say('left-out', self.n_left_out)
        say('incomplete', self.n_incomplete)
        if fault:
            say('fault', fault)
        return FAILED if fault else DONE


def main(path, name=None):
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if resource.getrlimit(resource.RLIMIT_AS)[0] == resource.RLIM_INFINITY:
        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    form, files = find(path, name)
    if not form:
        return UNKNOWN
    say('is', form.name, form.title)
    try:
        return Run(form, files).run()
    except BrokenPipeError:
        return FAILED
    except EOFError:
        say('fault', f'{form.title}, a file has become shorter while it was read')
        return FAILED


# nothing that a history holds is to be seen in a traceback
try:
    status = main(*sys.argv[1:])
except Exception as error:  # any other is a fault of ours, or memory that is short
    say('fault', f'the reader failed: {type(error).__name__}')
    status = FAILED
sys.exit(status)
