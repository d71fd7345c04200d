#!/usr/bin/gjs -m
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The clipboard history from a program of your own, in JavaScript with GJS; what is here works in
// an extension of GNOME Shell, too, if it is made asynchronous.
//
//   history.js list            the newest entries: id, class, size, preview
//   history.js follow          what is added, moved, removed, changed, until ^C
//   history.js read ID [TYPE]  a content, on standard output
//   history.js store [TYPE]    standard input becomes an entry; prints its id
//   history.js select ID       puts an entry on the clipboard
//
// It is a module: execute it, or run it by `gjs -m history.js`.
//
// A content never travels in a message. "read" gets a pipe that the daemon fills, "store" sends
// its own standard input along, which the daemon reads.
import Gio from 'gi://Gio';
import GLib from 'gi://GLib';
import {exit, programArgs} from 'system';

const NAME = 'org.cliphist.History1';
const PATH = '/org/cliphist/History1';
const NO_TIME_OUT = GLib.MAXINT32; // what is stored, read or sent may be large

const bus = Gio.bus_get_sync(Gio.BusType.SESSION, null);

// the results, and the descriptors that came with them
function call(method, signature, args, fds = null) {
    const [reply, came] = bus.call_with_unix_fd_list_sync(NAME, PATH, NAME, method,
        new GLib.Variant(signature, args), null, Gio.DBusCallFlags.NONE, NO_TIME_OUT, fds, null);
    return [reply.recursiveUnpack(), came];
}

// for more, ask again with 'before' set to the last id, until a page is empty
function list() {
    const [[entries]] = call('List', '(a{sv})', [{limit: GLib.Variant.new_uint32(20)}]);
    for (const entry of entries)
        print([entry.id, entry.class, entry.size, entry.preview].join('\t'));
}

// the match is there when the next call has been answered
function follow() {
    bus.signal_subscribe(NAME, NAME, null, PATH, null, Gio.DBusSignalFlags.NONE,
        (_bus, _sender, _path, _interface, name, args) => print(name, args.print(false)));
    call('List', '(a{sv})', [{limit: GLib.Variant.new_uint32(1)}]);
    print('following');
    new GLib.MainLoop(null, false).run();
}

// type '' is the primary one; Lookup says which there are
function read(id, type = '') {
    const [[handle, size], fds] = call('Open', '(tsa{sv})', [Number(id), type, {}]);
    const pipe = new Gio.UnixInputStream({fd: fds.get(handle), close_fd: true});
    const out = new Gio.UnixOutputStream({fd: 1, close_fd: false});
    const got = out.splice(pipe, Gio.OutputStreamSpliceFlags.CLOSE_SOURCE, null);
    // fewer bytes than announced are not the content: it is damaged, or the daemon has ended
    if (got < size)
        throw new Error(`only ${got} bytes`);
}

// type '' is found out from the bytes. Several types of one copy are several pairs
function store(type = '') {
    const fds = new Gio.UnixFDList();
    const [[id, details]] = call('Store', '(a(sh)a{sv})', [[[type, fds.append(0)]], {}], fds);
    if (id)
        print(id);
    else
        printerr('not kept:', details.dropped);
}

function select(id) {
    call('Select', '(ta{sv})', [Number(id), {}]);
}

const [verb, ...words] = programArgs;
try {
    const verbs = {list, follow, read, store, select};
    if (!(verb in verbs))
        throw new Error('list | follow | read ID [TYPE] | store [TYPE] | select ID');
    verbs[verb](...words);
} catch (error) {
    // the name says what to do, the text is for people
    const name = error instanceof GLib.Error ? Gio.DBusError.get_remote_error(error) : null;
    if (name)
        Gio.DBusError.strip_remote_error(error);
    printerr(name ? `${name}: ${error.message}` : error.message);
    exit(1);
}
