// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The clipboard history by libcliphist, in Vala.
//
//   valac --pkg cliphist-1 library.vala
//
//   library list [WORD…]   the newest entries that have all the words: id, kind, preview
//   library follow         how many entries the list has, after each change, until ^C
//   library read ID        a content, on standard output
//   library store TEXT     TEXT becomes an entry; prints its id
Cliphist.History history;

async void show_list (string[] words) throws Error {
    history.query = new Cliphist.Query (words);
    history.notify["loading"].connect (() => {
        if (!history.loading)
            show_list.callback ();
    });
    yield;
    if (history.error != null)
        throw history.error;
    for (var i = 0; i < history.get_n_items (); i++) {
        var entry = (Cliphist.Entry) history.get_item (i);
        var kind = entry.kind == Cliphist.Kind.TEXT ? "text" : "other";
        print ("%llu\t%s\t%s\n", entry.id, kind, entry.preview);
    }
}

async void follow () {
    history.items_changed.connect (() => {
        print ("%u\n", history.get_n_items ());
        stdout.flush ();
    });
    yield;
}

// whatever its size, it passes through; one that ends early is an error
async void read_content (uint64 id) throws Error {
    var content = yield history.open_async (id, null, null, null);
    var output = File.new_for_path ("/dev/stdout").append_to (FileCreateFlags.NONE);
    yield output.splice_async (content, OutputStreamSpliceFlags.CLOSE_SOURCE);
}

// what the settings do not want to have kept is dropped, and no error
async void store_text (string text) throws Error {
    string? dropped;
    var id = yield history.store_bytes_async (null, new Bytes (text.data), false, null, out dropped);
    if (id != 0)
        print ("%llu\n", id);
    else
        printerr ("not kept: %s\n", dropped);
}

async void run (string verb, string[] words) throws Error {
    if (verb == "list")
        yield show_list (words);
    else if (verb == "follow")
        yield follow ();
    else if (verb == "read")
        yield read_content (uint64.parse (words[0] ?? ""));
    else if (verb == "store")
        yield store_text (words[0] ?? "");
    else
        throw new IOError.INVALID_ARGUMENT ("list [WORD…] | follow | read ID | store TEXT");
}

int main (string[] args) {
    Intl.setlocale ();
    var loop = new MainLoop ();
    var status = 0;

    history = new Cliphist.History ();
    run.begin (args[1] ?? "", args.length > 2 ? args[2:args.length] : new string[0], (_, result) => {
        try {
            run.end (result);
        } catch (Error error) {
            printerr ("%s\n", error.message);
            status = 1;
        }
        loop.quit ();
    });
    loop.run ();
    return status;
}
