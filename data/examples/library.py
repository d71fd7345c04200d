#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The clipboard history by libcliphist, in Python with PyGObject.

    library.py list [WORD…]   the newest entries that have all the words: id, kind, preview
    library.py follow         how many entries the list has, after each change, until ^C
    library.py read ID        a content, on standard output
    library.py store TEXT     TEXT becomes an entry; prints its id
"""
import sys

import gi
gi.require_version('Cliphist', '1')
from gi.repository import Cliphist, GLib  # noqa: E402

PART = 1 << 16


def end(loop, error=None):
    if error:
        print(error.message, file=sys.stderr)
        loop.failed = True
    loop.quit()


def show_list(history, loop, *words):
    def on_loaded(*_):
        if history.props.loading:
            return
        for entry in history if not history.props.error else ():
            print(entry.props.id, entry.props.kind.value_nick, entry.props.preview, sep='\t')
        end(loop, history.props.error)
    history.props.query = Cliphist.Query(words=words)
    history.connect('notify::loading', on_loaded)


def follow(history, _loop):
    history.connect('items-changed', lambda *_: print(len(history), flush=True))


def read(history, loop, id):
    """Whatever its size, it passes through; one that ends early is an error."""
    def on_part(content, result):
        try:
            part = content.read_bytes_finish(result).get_data()
        except GLib.Error as error:
            end(loop, error)
            return
        sys.stdout.buffer.write(part)
        sys.stdout.flush()
        if part:
            content.read_bytes_async(PART, GLib.PRIORITY_DEFAULT, None, on_part)
        else:
            end(loop)

    def on_opened(_, result):
        try:
            content, _size = history.open_finish(result)
        except GLib.Error as error:
            end(loop, error)
        else:
            content.read_bytes_async(PART, GLib.PRIORITY_DEFAULT, None, on_part)
    history.open_async(int(id), None, None, on_opened)


def store(history, loop, text):
    """What the settings do not want to have kept is dropped, and no error."""
    def on_stored(_, result):
        try:
            id, dropped = history.store_bytes_finish(result)
        except GLib.Error as error:
            end(loop, error)
        else:
            print(id or f'not kept: {dropped}', file=sys.stdout if id else sys.stderr)
            end(loop)
    history.store_bytes_async(None, GLib.Bytes(text.encode()), False, None, on_stored)


VERBS = {'list': show_list, 'follow': follow, 'read': read, 'store': store}


def main(verb='', *words):
    if verb not in VERBS:
        sys.exit(__doc__)
    loop = GLib.MainLoop()
    loop.failed = False
    VERBS[verb](Cliphist.History(), loop, *words)
    loop.run()
    sys.exit(loop.failed)


main(*sys.argv[1:])
