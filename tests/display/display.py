# SPDX-License-Identifier: LGPL-2.1-or-later
"""The main job on a real display, from end to end:

    display.py sway|ext|x11|kwin|new-kwin|new-sway [FACT...]

Programs that people use copy and paste in a private session, and the daemon is watched from
outside: what the list says, which bytes come back, what it costs.
"""
import contextlib
import os
import pathlib
import re
import signal
import sys
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'session'))
from clients import (MIB, TEXT, DataControl, TextField, WlClipboard, Xclip,  # noqa: E402
                     content_file, file_digest, png, write_text)
import compositors  # noqa: E402
from session import BUS_NAME, HERE, Programs, Session, descendants, end_all, until  # noqa: E402
from tap import Missing, equal, fact, main, note, true  # noqa: E402

KIND = sys.argv.pop(1)
IS_WAYLAND = KIND != 'x11'
LARGE_MIB = int(os.environ.get('CLIP_LARGE_MIB', {'sway': 256, 'ext': 256, 'x11': 64}.get(KIND, 1024)))
PROGRAMS = Programs()
# which of the two it is depends on their version
BACKEND = {'sway': 'wlr', 'ext': 'ext', 'x11': 'x11'}.get(KIND)
# has no keyboard to give a focus with
IS_BARE = KIND not in ('sway', 'x11')
HINT = 'x-kde-passwordManagerHint'


def _end_daemon(session):
    """One that the bus has started, as a crash would."""
    pid = int(session.call('org.freedesktop.DBus', '/org/freedesktop/DBus',
                           'org.freedesktop.DBus.GetConnectionUnixProcessID', BUS_NAME).split()[-1].strip('),'))
    os.kill(pid, signal.SIGKILL)
    until(lambda: not session.has_owner(BUS_NAME), 'the daemon has gone')


def _settled(session):
    """Until what was on the clipboard would be an entry: a copy that comes behind it is one."""
    Desk(session).copy_text('behind it')
    session.cliphist('delete-query', 'behind it')


class Desk:
    """A session whose daemon is watching, and the program that copies and pastes there."""

    def __init__(self, session, client=None):
        self.session = session
        kinds = {'sway': WlClipboard, 'x11': Xclip}
        self.client = client or kinds.get(KIND, DataControl)(session)

    def entries(self):
        """The whole list, newest first, as (id, preview)."""
        lines = self.session.listed().decode().split('\n')[:-1]
        return [(int(line.split('\t')[0]), line.split('\t', 1)[1]) for line in lines]

    def newest(self):
        entries = self.entries()
        return entries[0] if entries else (0, '')

    def wait_preview(self, preview, seconds=60):
        """Waits until the newest entry has this preview, and returns its id."""
        return until(lambda: self.newest()[1] == preview and self.newest()[0],
                     f'{preview!r} is the newest entry', seconds)

    def copy_text(self, text):
        self.client.copy_bytes(text.encode())
        return self.wait_preview(text)

    def wait_newer(self, number, seconds=120):
        return until(lambda: self.newest()[0] > number and self.newest()[0],
                     f'there is an entry after {number}', seconds)

    def types(self, number):
        return self.session.cliphist('types', number).stdout.decode().split('\n')[:-1]

    def decode(self, number):
        return self.session.cliphist('decode', number).stdout

    def wait_paste(self, data, mime=TEXT):
        """Waits until a paste brings these bytes."""
        until(lambda: self.client.paste_bytes(mime) == data, f'{mime} is pasted')

    def copy_types(self, types):
        """Offers several types in one copy; each value is bytes."""
        if IS_WAYLAND:
            DataControl(self.session).copy_types(types)
        else:
            self.field = TextField(self.session)
            names = {TEXT: 'UTF8_STRING'}
            self.field.offer({names.get(mime, mime): data.decode()
                              for mime, data in types.items()})

    def end_offer(self):
        """The program behind copy_types() ends."""
        if IS_WAYLAND:
            DataControl(self.session).end_owners()
        else:
            self.session.kill(self.field.process)

    def state_files(self):
        state = self.session.folder / 'state'
        return [path for path in state.rglob('*') if path.is_file()]

    def blobs(self):
        return [path for path in self.state_files() if 'blobs' in path.parts]


@contextlib.contextmanager
def desk(*wrapper, env=None, settings=None):
    with Session(KIND, programs=PROGRAMS) as session:
        if settings:
            folder = session.folder / 'config' / 'cliphist'
            folder.mkdir()
            (folder / 'config').write_text(settings)
        session.start_daemon(*wrapper, env=env)
        session.wait_backend(BACKEND)
        yield Desk(session)
        equal(session.stop(session.daemon), 0, 'exit status of the daemon')


class PrivateMemory:
    """The largest private memory of a process in a span of time, in bytes, above its start."""

    def __init__(self, pid):
        self.path = pathlib.Path(f'/proc/{pid}/smaps_rollup')
        self.is_over = threading.Event()
        self.thread = threading.Thread(target=self._watch)

    def now(self):
        match = re.search(r'^Private_Dirty:\s+(\d+) kB', self.path.read_text(), re.M)
        return int(match.group(1)) * 1024

    def _watch(self):
        while not self.is_over.wait(0.02):
            self.highest = max(self.highest, self.now())

    def __enter__(self):
        self.first = self.highest = self.now()
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.is_over.set()
        self.thread.join()
        self.growth = max(self.highest, self.now()) - self.first


def name(words):
    return f'/{KIND}/{words}'


@fact(name('two-hundred-copies-in-a-row-are-all-in-the-list'))
def two_hundred_copies():
    # what an owner leaves is not taken here: no compositor keeps us from taking the place of
    # a copy that is made in the same moment
    with desk(settings='persist never\n') as d:
        texts = [f'copy number {number}' for number in range(1, 201)]
        if IS_BARE:
            d.client.burst(200, 'copy number ')
        else:
            for text in texts:
                d.client.copy_in_a_row(text.encode())
        d.wait_preview('copy number 200', 60)
        listed = [preview for _, preview in reversed(d.entries())]
        if KIND != 'kwin':
            equal(listed, texts, 'the list')
            return
        equal(sorted(listed), sorted(texts), 'the list')
        equal(listed[-1], texts[-1], 'the newest')
        # of two that are read at the same time the later one may be through first
        far = [text for place, text in enumerate(texts) if abs(listed.index(text) - place) > 2]
        equal(far, [], 'far from their places')


if IS_WAYLAND and KIND != 'ext':
    @fact(name('each-of-two-hundred-copies-replaced-while-it-is-read-is-in-the-list'))
    def replaced_while_read():
        with desk() as d:
            DataControl(d.session).burst(200, 'copy number ')
            d.wait_preview('copy number 200', 60)
            equal(len(d.entries()), 200, 'entries')


@fact(name('a-large-clip-outlives-its-owner-and-costs-no-memory'))
def large_clip():
    # what AddressSanitizer keeps of freed memory is not the daemon's
    options = [os.environ.get('ASAN_OPTIONS'), 'quarantine_size_mb=0',
               'thread_local_quarantine_size_kb=0']
    with desk(env={'ASAN_OPTIONS': ':'.join(filter(None, options))}) as d:
        # what the first transfer in each direction allocates once is not the clip's
        path = write_text(d.session.folder / 'large', 8)
        first = paste_large(d, path, 0)
        write_text(path, LARGE_MIB)
        with PrivateMemory(d.session.daemon.pid) as memory:
            second = paste_large(d, path, first)
        note(f'private memory grew by {memory.growth / 1024:.0f} KiB')
        equal(second, first + 1, 'the id of the large clip')
        # without a sanitizer 256 KiB; with a new one its own books grow by 5 MiB
        true(memory.growth < 8 * MIB, f'private memory grew by {memory.growth} bytes')


def paste_large(d, path, before):
    """Copies a file, ends its owner, pastes what the daemon then offers; returns the id."""
    d.client.copy(path)
    number = d.wait_newer(before)
    d.client.end_owners()
    wanted = file_digest(path), path.stat().st_size
    until(lambda: d.client.paste() == wanted, 'the large clip is pasted as it was', 60)
    return number


if IS_WAYLAND:
    @contextlib.contextmanager
    def traced(calls):
        """A desk, and what its daemon has called: a text that is whole when it has ended."""
        with Session(KIND, programs=PROGRAMS) as session:
            path = session.folder / 'trace'
            # a process that is traced cannot look for its leaks
            session.start_daemon('strace', '-f', '--seccomp-bpf', '-e', f'trace={calls}',
                                 '-s', '0', '-o', path, env=without_leak_check(session))
            session.wait_backend(BACKEND)
            trace = []
            yield Desk(session), trace
            end_all([pid for pid in descendants(session.daemon.pid)])
            session.daemon.wait(20)
            trace.append(path.read_text())

    @fact(name('payload-moves-by-splice-alone'))
    def payload_moves_by_splice():
        with traced('read,write,pread64,pwrite64,readv,writev,preadv,pwritev,preadv2,pwritev2,'
                    'recvfrom,recvmsg,sendto,sendmsg,splice,vmsplice,sendfile,'
                    'copy_file_range') as (d, trace):
            paste_large(d, write_text(d.session.folder / 'large', 64), 0)
        moved = bytes_by_call(*trace)
        note(moved)
        true(moved['splice'] >= 2 * 64 * MIB, f'spliced {moved["splice"]} bytes')
        others = sum(count for call, count in moved.items() if call != 'splice')
        true(others < 2 * MIB, f'{others} bytes went through user space: {moved}')

    @fact(name('the-disk-begins-when-the-source-has-given-all'))
    def disk_begins_late():
        with traced('splice,sync_file_range') as (d, trace):
            d.client.copy(write_text(d.session.folder / 'large', 64))
            d.wait_newer(0)
        calls = re.findall(r'\b(splice|sync_file_range)\(', *trace)
        true('splice' in calls and 'sync_file_range' in calls, f'called: {sorted(set(calls))}')
        equal('splice' in calls[calls.index('sync_file_range'):], False, 'received after it')


def without_leak_check(session):
    return {'ASAN_OPTIONS': session.env.get('ASAN_OPTIONS', '') + ':detect_leaks=0'}


def bytes_by_call(trace):
    """What each system call moved in all, by the words of strace."""
    moved = {'splice': 0}
    for call, count in re.findall(r'(?:^\d+ +|<\.\.\. )(\w+)(?:\(| resumed).* = (\d+)$', trace,
                                  re.M):
        moved[call] = moved.get(call, 0) + int(count)
    return moved


@fact(name('an-image-comes-back-as-it-was'))
def image_comes_back():
    with desk() as d:
        d.client.copy_bytes(png(), 'image/png')
        number = d.wait_newer(0)
        size = len(png())
        equal(d.newest()[1], f'[[ binary data {size} B png 64x48 ]]', 'the line of the list')
        equal(d.decode(number), png(), 'what decode says')
        d.client.end_owners()
        d.wait_paste(png(), 'image/png')


@fact(name('html-and-text-are-one-entry'))
def html_and_text():
    with desk() as d:
        d.copy_types({'text/html': b'<b>bold</b>', TEXT: b'bold'})
        number = d.wait_preview('bold')
        equal(sorted(d.types(number)), ['text/html', TEXT], 'types')
        equal(len(d.entries()), 1, 'entries')
        d.end_offer()
        d.wait_paste(b'<b>bold</b>', 'text/html')
        d.wait_paste(b'bold')


@fact(name('a-secret-is-nowhere'))
def secret_is_nowhere():
    with desk(env={'G_MESSAGES_DEBUG': 'clip-history'}) as d:
        d.copy_types({TEXT: b'hunter2-hunter2', HINT: b'secret'})
        # what cuts off its reading may be the secret, from another manager
        until(lambda: 'copy dropped' in d.session.log('cliphistd'), 'the secret is dropped')
        # and so may be a bare text so soon behind it
        d.copy_types({'text/html': b'<b>after the secret</b>', TEXT: b'after the secret'})
        d.wait_preview('after the secret')
        equal([preview for _, preview in d.entries()], ['after the secret'], 'the list')
        for path in [*d.state_files(), d.session.folder / 'log' / 'cliphistd']:
            true(b'hunter2' not in path.read_bytes(), f'the secret is in {path.name}')


@fact(name('a-hint-of-another-value-is-no-secret'))
def other_hint():
    with desk() as d:
        d.copy_types({TEXT: b'in the open', HINT: b'public'})
        d.wait_preview('in the open')


@fact(name('an-entry-is-selected-again-and-offers-all-it-has'))
def selected_again():
    with desk() as d:
        d.copy_types({'text/html': b'<i>old</i>', TEXT: b'old'})
        old = d.wait_preview('old')
        d.copy_text('new')
        d.session.cliphist('copy', old)
        d.wait_paste(b'old')
        d.wait_paste(b'<i>old</i>', 'text/html')
        equal([preview for _, preview in d.entries()], ['new', 'old'], 'the list')
        d.session.cliphist('copy', '--plain', old)
        until(lambda: 'text/html' not in d.client.types(), 'it is plain text alone')
        d.wait_paste(b'old')
        d.copy_text('somebody else')
        d.wait_paste(b'somebody else')


@fact(name('a-text-from-standard-input-is-offered-without-an-older-formatting'))
def input_alone():
    with desk() as d:
        d.copy_types({'text/html': b'<i>old</i>', TEXT: b'old'})
        old = d.wait_preview('old')
        d.copy_text('new')
        d.session.cliphist('copy', data=b'old')
        d.wait_paste(b'old')
        true('text/html' not in d.client.types(), 'it is plain text alone')
        [number] = [number for number, preview in d.entries() if preview == 'old']
        true(number != old, 'it is the newest')
        equal(sorted(d.types(number)), ['text/html', TEXT], 'the entry has both')


if not IS_BARE:
    def select(d, text):
        """A program in which this is selected; it keeps it until it ends."""
        if IS_WAYLAND:
            return d.session.start('wl-copy', '--foreground', '--primary', text)
        path = d.session.folder / 'selected'
        path.write_text(text)
        return d.session.start('xclip', '-quiet', '-selection', 'primary', path)

    def selected(d):
        """What would be pasted with the middle button."""
        words = ['wl-paste', '--primary', '-n'] if IS_WAYLAND else ['xclip', '-o', '-selection', 'primary']
        return d.session.run(*words, check=False).stdout

    @fact(name('what-is-selected-is-kept-where-that-is-wanted-and-never-owned'))
    def primary():
        with desk(env={'CLIPHIST_PRIMARY': 'yes'}) as d:
            first = select(d, 'a word')
            number = d.wait_preview('a word')
            second = select(d, 'a word and more')
            d.wait_preview('a word and more')
            # the shorter one goes once the longer one is there
            until(lambda: [preview for _, preview in d.entries()] == ['a word and more'], 'it has grown')
            equal(d.decode(d.newest()[0]), b'a word and more', 'entry')
            true(d.newest()[0] > number, 'it is the newer one')
            d.session.kill(first)
            d.session.kill(second)
            until(lambda: selected(d) == b'', 'nothing is selected')
            d.copy_text('copied')
            equal(selected(d), b'', 'what is selected')
            equal([preview for _, preview in d.entries()], ['copied', 'a word and more'], 'the list')
        with desk() as d:
            select(d, 'not wanted')
            until(lambda: selected(d) == b'not wanted', 'it is selected')
            d.copy_text('copied')
            equal([preview for _, preview in d.entries()], ['copied'], 'the list')


@fact(name('what-was-ours-is-ours-again-after-a-restart'))
def ours_again():
    with Session(KIND, programs=PROGRAMS) as session:
        session.start_daemon()
        session.wait_backend(BACKEND)
        d = Desk(session)
        d.copy_types({'text/html': b'<i>kept</i>', TEXT: b'kept'})
        number = d.wait_preview('kept')
        d.copy_text('in between')
        session.cliphist('copy', number)
        d.wait_paste(b'kept')
        equal(session.stop(session.daemon), 0, 'exit status of the daemon')
        session.start_daemon()
        d.wait_paste(b'kept')
        d.wait_paste(b'<i>kept</i>', 'text/html')
        equal([preview for _, preview in d.entries()], ['in between', 'kept'], 'the list')


if not IS_BARE:
    @fact(name('a-text-field-copies-and-pastes'))
    def text_field():
        with desk() as d:
            field = TextField(d.session)
            field.copy('typed into a field')
            number = d.wait_preview('typed into a field')
            d.copy_text('another')
            d.session.cliphist('copy', number)
            until(lambda: field.paste() == 'typed into a field', 'the field has pasted')


if KIND == 'x11':
    @fact(name('what-a-program-saves-as-it-ends-is-there-when-it-has-ended'))
    def saved_at_the_end():
        with desk() as d:
            field = TextField(d.session)
            field.copy('saved at the end')
            true(field.save(), 'somebody keeps it')
            d.session.kill(field.process)
            equal([preview for _, preview in d.entries()], ['saved at the end'], 'the list')
            d.wait_paste(b'saved at the end')


if KIND == 'sway':
    @fact(name('copies-of-thousands-of-types-make-the-daemon-deaf-for-none'))
    def thousands_of_types():
        with desk() as d:
            path = content_file(d.session, b'x')
            words = ''.join(f'application/x-{number}-{200 * "y"}\0{path}\0' for number in range(4000))
            types = content_file(d.session, words.encode())
            for number in range(4):
                # more than goes into the socket of any client: sway may end this one, too
                hostile = d.session.start(sys.executable, HERE / 'datacontrol.py', 'offer',
                                          types, name=f'hostile-{number}')
                d.session.started.remove(hostile)
                until(lambda n=number, h=hostile: h.poll() is not None or 'ready' in d.session.log(f'hostile-{n}'),
                      'it has copied')

                def heard(text=f'copied behind {number}'):
                    d.client.copy_bytes(text.encode())
                    return d.newest()[1] == text
                until(heard, 'a copy is heard, where not the first, then the next')
                end_all([hostile.pid] if hostile.poll() is None else [])


if KIND == 'x11':
    @fact(name('store-says-that-the-program-that-has-the-clipboard-is-silent'))
    def silent_owner():
        with Session(KIND, programs=PROGRAMS) as session:
            d = Desk(session)
            path = session.folder / 'copied'
            path.write_text('before it hung')
            owner = session.start('xclip', '-quiet', '-selection', 'clipboard', path)
            d.wait_paste(b'before it hung')
            os.kill(owner.pid, signal.SIGSTOP)
            session.start_daemon()
            session.wait_backend(BACKEND)

            def said():
                return session.cliphist('store', data=b'word').stderr.decode()
            until(lambda: 'does not say what it holds' in said(), 'why nothing is kept')
            os.kill(owner.pid, signal.SIGCONT)
            until(lambda: said() == '', 'it is kept')
            equal([preview for _, preview in d.entries()], ['word', 'before it hung'], 'the list')


@fact(name('an-empty-copy-leaves-nothing'))
def empty_copy():
    with desk() as d:
        if IS_WAYLAND:
            d.copy_types({TEXT: b''})
        else:
            d.copy_types({TEXT: b'', 'text/html': b''})
        d.copy_text('something')
        equal(len(d.entries()), 1, 'entries')
        equal(d.blobs(), [], 'blobs')


@fact(name('a-clip-over-the-limit-leaves-nothing'))
def over_the_limit():
    with desk(env={'CLIPHIST_MAX_STORE_SIZE': '1MiB'}) as d:
        d.client.copy(write_text(d.session.folder / 'large', 4))
        d.copy_text('small enough')
        equal(len(d.entries()), 1, 'entries')
        until(lambda: d.blobs() == [], 'no blob is left')


if KIND == 'ext':
    @fact(name('a-source-that-stalls-keeps-nobody-waiting'))
    def stalled_source():
        with desk() as d:
            d.session.tell_compositor(f'offer {TEXT}=!stall@4:stalled')
            d.copy_text('next')
            d.session.tell_compositor(f'offer {TEXT}=!stall')
            d.copy_text('and one more')
            equal([preview for _, preview in d.entries()], ['and one more', 'next'], 'list')
            equal(d.blobs(), [], 'blobs')

    @fact(name('a-large-clip-that-is-replaced-half-way-leaves-nothing'))
    def replaced_half_way():
        with desk() as d:
            path = write_text(d.session.folder / 'large', 64)
            d.session.tell_compositor(f'offer {TEXT}=!stall@{32 * MIB}:@{path}')
            d.copy_text('a word')
            equal([preview for _, preview in d.entries()], ['a word'], 'the list')
            until(lambda: d.blobs() == [], 'no blob is left')

    @fact(name('an-image-whose-program-ends-half-way-leaves-nothing'))
    def broken_image():
        with desk() as d:
            path = d.session.folder / 'image'
            path.write_bytes(png(640, 480))
            d.session.tell_compositor(f'offer image/png=!stall@100:@{path}')
            until(lambda: d.session.tell_compositor('asked').split(), 'it is asked for')
            d.session.tell_compositor('clear')
            d.session.tell_compositor('release')
            until(lambda: 'copy lost' in d.session.log('cliphistd'), 'it is told of')
            d.copy_text('next')
            equal([preview for _, preview in d.entries()], ['next'], 'the list')
            d.session.tell_compositor(f'offer image/png=@{path}')
            d.wait_newer(1)

    @fact(name('an-image-without-its-end-is-kept-as-its-program-has-it'))
    def image_without_end():
        with desk() as d:
            path = d.session.folder / 'motion-photo'
            path.write_bytes(png(640, 480) + bytes(70000))
            d.session.tell_compositor(f'offer image/png=@{path}')
            equal(d.decode(d.wait_newer(0)), path.read_bytes(), 'it')

    @fact(name('a-seat-that-goes-and-another-that-comes'))
    def seats():
        with desk() as d:
            d.copy_text('first seat')
            d.session.tell_compositor('finished')
            d.session.tell_compositor('seat-add')
            d.session.tell_compositor('seat-remove')
            d.copy_text('still here')


if KIND == 'sway':
    @fact(name('a-seat-that-comes-has-a-clipboard-of-its-own'))
    def second_seat():
        with desk() as d:
            first = d.copy_text('on the first seat')
            d.session.run('swaymsg', 'seat', 'second', 'hide_cursor', '0')  # this makes it
            second = Desk(d.session, WlClipboard(d.session, seat='second'))
            second.copy_text('on the second')
            equal(d.client.paste_bytes(), b'on the first seat', 'what the first pastes')
            d.session.cliphist('copy', first)
            for desk_of_seat in (d, second):
                desk_of_seat.wait_paste(b'on the first seat')
            d.copy_text('again on the first')
            equal(second.client.paste_bytes(), b'on the first seat', 'what the second pastes')
            second.copy_text('again on the second')
            d.client.end_owners()  # of both; what was copied last is left
            second.wait_paste(b'again on the second')


@fact(name('a-display-that-appears-later-is-picked-up'))
def display_appears_later():
    with Session(KIND, programs=PROGRAMS) as session:
        session.kill(session.server)
        session.start_daemon()
        true(BACKEND not in session.get_property('Backends'), 'nothing is watched')
        equal(session.listed(), b'', 'the list')
        session.start_display()
        session.wait_backend(BACKEND)
        Desk(session).copy_text('after the display came')


@fact(name('a-display-that-comes-back-is-picked-up'))
def display_comes_back():
    with Session(KIND, programs=PROGRAMS) as session:
        session.start_daemon()
        session.wait_backend(BACKEND)
        d = Desk(session)
        d.copy_text('before')
        session.kill(session.server)
        until(lambda: BACKEND not in session.get_property('Backends'), 'the display has gone')
        session.start_display()
        session.wait_backend(BACKEND)
        d.copy_text('after')
        equal([preview for _, preview in d.entries()], ['after', 'before'], 'the list')


@fact(name('a-killed-daemon-has-kept-what-it-had-acknowledged'))
def killed_daemon():
    with Session(KIND, programs=PROGRAMS) as session:
        session.start_daemon()
        session.wait_backend(BACKEND)
        d = Desk(session)
        texts = [f'kept {number}' for number in range(20)]
        for text in texts:
            d.copy_text(text)
        d.client.copy(write_text(session.folder / 'large', 32))
        session.kill(session.daemon)
        equal([preview for _, preview in reversed(d.entries())][:20], texts, 'the list')
        session.start_daemon()
        session.wait_backend(BACKEND)
        d.copy_text('after the restart')
        equal([preview for _, preview in reversed(d.entries())][:20], texts, 'the list')


@fact(name('what-is-there-at-the-start-is-taken-once'))
def initial_selection():
    with Session(KIND, programs=PROGRAMS) as session:
        d = Desk(session)
        d.client.copy_bytes(b'there before')
        for _ in range(2):
            session.start_daemon()
            session.wait_backend(BACKEND)
            equal(d.wait_preview('there before'), 1, 'its id')
            equal(session.stop(session.daemon), 0, 'exit status of the daemon')


@fact(name('the-first-call-starts-the-daemon'))
def first_call_starts():
    with Session(KIND, programs=PROGRAMS) as session:
        session.share_environment(*[key for key in session.env if key != 'PATH'])
        session.make_activatable(BUS_NAME, PROGRAMS.cliphistd)
        session.cliphist('store', data=b'stored by command')
        session.wait_backend(BACKEND)
        true(session.has_owner(BUS_NAME), 'the daemon runs')
        d = Desk(session)
        d.copy_text('copied')
        equal([preview for _, preview in d.entries()], ['copied', 'stored by command'], 'list')


# what takes an entry away, which is still on the clipboard
TAKING_AWAY = (('wipe',), ('delete',), ('delete-query', 'kept'), ('-max-items', '1', 'trim'))


@fact(name('what-the-first-call-deletes-does-not-come-back'))
def first_call_deletes():
    with Session(KIND, programs=PROGRAMS) as session:
        session.share_environment(*[key for key in session.env if key != 'PATH'])
        session.make_activatable(BUS_NAME, PROGRAMS.cliphistd)
        d = Desk(session)
        for number, words in enumerate(TAKING_AWAY):
            session.cliphist('status')
            session.wait_backend(BACKEND)
            d.copy_text(f'kept {number}')
            session.cliphist('store', data=b'stored')
            listed = session.listed() if words == ('delete',) else None
            _end_daemon(session)
            session.cliphist(*words, data=listed)
            _settled(session)
            true(b'kept' not in session.listed(), f'after {words}: {session.listed()}')


@fact(name('what-has-expired-while-no-daemon-ran-does-not-come-back'))
def expired_meanwhile():
    with Session(KIND, programs=PROGRAMS) as session:
        session.start_daemon()
        session.wait_backend(BACKEND)
        d = Desk(session)
        number = d.copy_text('for a moment')
        session.cliphist('expire', number, '300ms')
        session.kill(session.daemon)
        until(lambda: b'for a moment' not in session.listed(), 'it has expired')
        for _ in range(2):
            session.start_daemon()
            session.wait_backend(BACKEND)
            _settled(session)
            equal(d.entries(), [], 'the list')
            equal(session.stop(session.daemon), 0, 'exit status of the daemon')



def find_backend():
    with contextlib.suppress(Missing), Session(KIND, programs=PROGRAMS) as session:
        session.start_daemon()
        return until(lambda: compositors.backend(session), 'the compositor is watched')
    return None


BACKEND = BACKEND or find_backend()
main()
