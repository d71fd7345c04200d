#!/usr/bin/gjs -m
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The clipboard history by libcliphist, in JavaScript with GJS.
//
//   library.js list [WORD…]   the newest entries that have all the words: id, kind, preview
//   library.js follow         how many entries the list has, after each change, until ^C
//   library.js read ID        a content, on standard output
//   library.js store TEXT     TEXT becomes an entry; prints its id
import Cliphist from 'gi://Cliphist?version=1';
import Gio from 'gi://Gio';
import GLib from 'gi://GLib';
import {exit, programArgs} from 'system';

for (const name of ['open', 'store_bytes'])
    Gio._promisify(Cliphist.History.prototype, `${name}_async`, `${name}_finish`);
Gio._promisify(Gio.OutputStream.prototype, 'splice_async', 'splice_finish');

const history = new Cliphist.History();

function list(...words) {
    history.query = new Cliphist.Query({words});
    return new Promise((resolve, reject) => {
        history.connect('notify::loading', () => {
            if (history.loading)
                return;
            if (history.error)
                reject(history.error);
            for (let i = 0; i < history.get_n_items(); i++) {
                const {id, kind, preview} = history.get_item(i);
                print([id, kind === Cliphist.Kind.TEXT ? 'text' : 'other', preview].join('\t'));
            }
            resolve();
        });
    });
}

function follow() {
    history.connect('items-changed', () => print(history.get_n_items()));
    return new Promise(() => {});
}

// whatever its size, it passes through; one that ends early is an error
async function read(id) {
    const [content] = await history.open_async(Number(id), null, null);
    const out = Gio.File.new_for_path('/dev/stdout').append_to(Gio.FileCreateFlags.NONE, null);
    await out.splice_async(content, Gio.OutputStreamSpliceFlags.CLOSE_SOURCE,
        GLib.PRIORITY_DEFAULT, null);
}

// what the settings do not want to have kept is dropped, and no error
async function store(text) {
    const bytes = new GLib.Bytes(new TextEncoder().encode(text));
    const [id, dropped] = await history.store_bytes_async(null, bytes, false, null);
    if (id)
        print(id);
    else
        printerr('not kept:', dropped);
}

const loop = new GLib.MainLoop(null, false);
const verbs = {list, follow, read, store};
const [verb, ...words] = programArgs;
let status = 0;

if (!(verb in verbs)) {
    printerr('list [WORD…] | follow | read ID | store TEXT');
    exit(2);
}
verbs[verb](...words).catch(error => {
    printerr(error.message);
    status = 1;
}).finally(() => loop.quit());
loop.run();
exit(status);
