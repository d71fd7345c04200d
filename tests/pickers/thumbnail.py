# SPDX-License-Identifier: LGPL-2.1-or-later
"""The program that decodes images: what it writes, and that a hostile one costs it alone.

    thumbnail.py BUILD
"""
import ctypes
import os
import pathlib
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'session'))
from images import COLOUR, FORMATS, HEIGHT, JPEG, WIDTH, black_png, long_gif, pam_pixels  # noqa: E402
from clients import png  # noqa: E402
from session import Programs, tied, until  # noqa: E402
from tap import Missing, equal, fact, main, true  # noqa: E402

PROGRAM = Programs(sys.argv.pop(1)).cliphistd.parent / 'cliphist-thumbnail'
MOST_MEMORY = 768 << 20

# newer ones decode in programs of their own, each in a sandbox, and not in ours
APART = hasattr(ctypes.CDLL('libgdk_pixbuf-2.0.so.0'), 'gly_loader_new')


def run(words, data, status=0):
    done = subprocess.run([PROGRAM, *words.split()], input=data, capture_output=True,
                          timeout=60, preexec_fn=tied())
    equal(done.returncode, status, f'exit status of {words}')
    return done.stdout


def size_of_png(data):
    equal(data[:8], b'\x89PNG\r\n\x1a\n', 'signature')
    return struct.unpack('>II', data[16:24])


def register_formats():
    for name, data in FORMATS.items():
        def decodes(data=data):
            equal(size_of_png(run('png 256', data)), (WIDTH, HEIGHT), 'size of the PNG')
            equal(run('size 1', data), b'%dx%d\n' % (WIDTH, HEIGHT), 'size')
            width, height, pixels = pam_pixels(run('pam 256', data))
            equal((width, height), (WIDTH, HEIGHT), 'size of the PAM')
            equal(len(pixels), 4 * width * height, 'bytes of the PAM')
            for got, wanted in zip(pixels, b'\x20\x80\xc0\xff' * width * height):
                true(abs(got - wanted) < 8, f'{pixels!r} are of that colour')
        fact(f'/thumbnail/{name}-is-decoded')(decodes)


@fact('/thumbnail/no-side-is-longer-than-asked')
def no_side_is_longer():
    equal(size_of_png(run('png 256', png(1000, 500))), (256, 128), 'wide')
    equal(size_of_png(run('png 256', png(500, 1000))), (128, 256), 'high')
    equal(size_of_png(run('png 16', png(2000, 1))), (16, 1), 'a line')
    equal(pam_pixels(run('pam 3', JPEG))[:2], (3, 2), 'scaled by the format')


@fact('/thumbnail/what-is-no-image-is-refused')
def no_image():
    for data in (b'', b'text', b'<svg xmlns="http://www.w3.org/2000/svg"/>', bytes(1000),
                 png()[:20], b'GIF89a', FORMATS['webp'][:20]):
        equal(run('png 256', data, status=1), b'', f'output for {data[:20]!r}')


@fact('/thumbnail/misuse-is-said')
def misuse():
    for words in ('', 'png', 'png 0', 'png 256 x', 'png 256 0', 'png 256 3 4', 'png 9999', 'gif 3', 'png x'):
        equal(run(words, b'', status=2), b'', 'output')


@fact('/thumbnail/an-image-that-wants-too-much-memory-is-refused')
def too_much_memory():
    image = black_png(40000, 10000)
    equal(run('size 1', image), b'40000x10000\n', 'size')
    equal(run('png 256', image, status=1), b'', 'output')


@fact('/thumbnail/of-a-hundred-thousand-frames-the-first-is-read')
def first_frame():
    with tempfile.TemporaryFile() as file:
        file.write(long_gif(100_000))
        whole = file.tell()
        file.seek(0)
        done = subprocess.run([PROGRAM, 'pam', '256'], stdin=file, capture_output=True,
                              timeout=60, preexec_fn=tied())
        equal(done.returncode, 0, 'exit status')
        equal(pam_pixels(done.stdout), (WIDTH, HEIGHT, (COLOUR + b'\xff') * WIDTH * HEIGHT),
              'the first frame')
        true(APART or file.seek(0, os.SEEK_CUR) < whole / 10, 'the others are not read')


@fact('/thumbnail/damage-ends-that-process-alone')
def damage():
    for data in FORMATS.values():
        for at in range(8, len(data), 29):
            broken = data[:at] + bytes([data[at] ^ 0xff]) + data[at + 1:]
            done = subprocess.run([PROGRAM, 'png', '256'], input=broken, capture_output=True,
                                  timeout=60, preexec_fn=tied())
            true(done.returncode in (0, 1) or done.returncode < 0, f'{done.returncode} at {at}')


def status_of(process, field):
    text = pathlib.Path(f'/proc/{process.pid}/status').read_text()
    return re.search(rf'^{field}:\s*(.*)$', text, re.M).group(1)


def until_confined(process):
    if APART:
        until(lambda: status_of(process, 'NoNewPrivs') == '1', 'the limits are set')
    else:
        until(lambda: status_of(process, 'Seccomp') == '2', 'the filter is set')


@fact('/thumbnail/limits-and-filter-are-there-before-the-image-is-looked-at')
def limits_and_filter():
    with subprocess.Popen([PROGRAM, 'png', '256'], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, preexec_fn=tied()) as process:
        process.stdin.write(b'\x89PNG\r\n\x1a\n')
        process.stdin.flush()
        until_confined(process)
        equal(status_of(process, 'NoNewPrivs'), '1', 'no new privileges')
        limits = pathlib.Path(f'/proc/{process.pid}/limits').read_text()
        for name, most in (('address space', MOST_MEMORY), ('cpu time', 5),
                           ('core file size', 0), *([] if APART else [('open files', 0)])):
            found = re.search(rf'^Max {name} +(\d+) +(\d+) ', limits, re.M)
            true(found and int(found[2]) <= most, f'limit of {name}: {limits}')
        timers = pathlib.Path(f'/proc/{process.pid}/timers')
        true(not timers.exists() or re.search(rf'^signal: {signal.SIGKILL}/', timers.read_text(), re.M),
             'its time ends by what cannot be ignored')
        process.stdin.close()
        equal(process.wait(20), 1, 'exit status')


@fact('/thumbnail/what-decodes-apart-does-so-in-a-sandbox-or-not-at-all')
def no_bubblewrap():
    if not APART:
        raise Missing('a gdk-pixbuf that decodes in programs of its own')
    hidden = ['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c',
              'mount --bind /bin/false /usr/bin/bwrap && exec "$@"', 'sh']
    for words, status in (([], 0), (hidden, 1)):
        done = subprocess.run([*words, PROGRAM, 'png', '256'], input=FORMATS['png'],
                              capture_output=True, timeout=60, preexec_fn=tied())
        equal((done.returncode, bool(done.stdout)), (status, not status), 'whether it decoded')


PARENT = """
import os, subprocess, sys
process = subprocess.Popen([sys.argv[1], 'png', '256', str(os.getpid())], stdin=0)
print(process.pid, flush=True)
sys.stdin.read()
"""


@fact('/thumbnail/it-ends-with-its-parent')
def ends_with_parent():
    reader, writer = os.pipe()
    with subprocess.Popen([sys.executable, '-c', PARENT, PROGRAM], stdin=reader,
                          stdout=subprocess.PIPE, preexec_fn=tied()) as parent:
        child = os.pidfd_open(int(parent.stdout.readline()))
        parent.kill()
        true(select.select([child], [], [], 10)[0], 'it has ended, and the pipe has not')
    for fd in (reader, writer, child):
        os.close(fd)


@fact('/thumbnail/one-whose-parent-has-gone-before-does-nothing')
def parent_gone_before():
    equal(run(f'png 256 {os.getppid()}', FORMATS['png'], status=1), b'', 'output')


@fact('/thumbnail/a-reader-that-leaves-ends-it')
def reader_leaves():
    with subprocess.Popen([PROGRAM, 'pam', '4000'], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, preexec_fn=tied()) as process:
        process.stdout.close()
        process.stdin.write(png(2000, 1000))
        process.stdin.close()
        true(process.wait(20) in (1, -signal.SIGPIPE), f'it ended: {process.returncode}')


register_formats()
main()
