# SPDX-License-Identifier: LGPL-2.1-or-later
"""The same image, six by four pixels of one colour, in the formats that people copy."""
import base64
import pathlib
import struct
import sys
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'session'))
from clients import png  # noqa: E402

WIDTH, HEIGHT, COLOUR = 6, 4, b'\x20\x80\xc0'

JPEG = base64.b64decode(
    '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABQODxIPDRQSEBIXFRQYHjIhHhwcHj0sLiQySUBMS0dARkVQWnNiUFVtVk'
    'VGZIhlbXd7gYKBTmCNl4x9lnN+gXz/2wBDARUXFx4aHjshITt8U0ZTfHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8'
    'fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHz/wAARCAAEAAYDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAT/xA'
    'AUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFAEBAAAAAAAAAAAAAAAAAAAABf/EABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAM'
    'AwEAAhEDEQA/AJwCQt//2Q==')
WEBP = base64.b64decode('UklGRh4AAABXRUJQVlA4TBEAAAAvBcAAAAdQwIIUuP+BiOh/AAA=')
GIF = base64.b64decode('R0lGODlhBgAEAPAAACCAwAAAACH5BAAAAAAALAAAAAAGAAQAAAIEhI+pVwA7')


def bmp():
    row = COLOUR[::-1] * WIDTH
    rows = (row + bytes(-len(row) % 4)) * HEIGHT
    head = struct.pack('<IIIHHIIIIII', 40, WIDTH, HEIGHT, 1, 24, 0, len(rows), 0, 0, 0, 0)
    return b'BM' + struct.pack('<IHHI', 54 + len(rows), 0, 0, 54) + head + rows


def tiff():
    """Its directory comes last, as most programs write it."""
    pixels = COLOUR * WIDTH * HEIGHT
    entries = [(256, 4, 1, WIDTH), (257, 4, 1, HEIGHT), (258, 3, 1, 8), (259, 3, 1, 1),
               (262, 3, 1, 2), (273, 4, 1, 8), (277, 3, 1, 3), (278, 4, 1, HEIGHT),
               (279, 4, 1, len(pixels))]
    directory = b''.join(struct.pack('<HHII', *entry) for entry in entries)
    return (b'II*\0' + struct.pack('<I', 8 + len(pixels)) + pixels +
            struct.pack('<H', len(entries)) + directory + bytes(4))


FORMATS = {'png': png(WIDTH, HEIGHT, COLOUR), 'jpeg': JPEG, 'gif': GIF, 'bmp': bmp(),
           'tiff': tiff(), 'webp': WEBP}


def long_gif(frames):
    """The GIF, and then that many red ones."""
    at = GIF.index(b',', 19)
    head, pixels = GIF[at:at + 9], GIF[at + 10:-1]
    return GIF[:-1] + (head + b'\x80' + b'\xff\0\0' * 2 + pixels) * frames + GIF[-1:]


def black_png(width, height):
    """One bit a pixel, so that a file of some KiB asks for any memory."""
    def chunk(kind, body):
        return (struct.pack('>I', len(body)) + kind + body +
                struct.pack('>I', zlib.crc32(kind + body)))
    squeezer = zlib.compressobj(9)
    row = bytes(1 + (width + 7) // 8)
    data = b''.join(squeezer.compress(row) for _ in range(height)) + squeezer.flush()
    return (b'\x89PNG\r\n\x1a\n' +
            chunk(b'IHDR', struct.pack('>IIBBBBB', width, height, 1, 0, 0, 0, 0)) +
            chunk(b'IDAT', data) + chunk(b'IEND', b''))


def pam_pixels(pam):
    """(width, height, bytes) of what `cliphist-thumbnail pam` writes"""
    head, pixels = pam.split(b'ENDHDR\n', 1)
    fields = dict(line.split(b' ') for line in head.splitlines()[1:])
    if (fields[b'DEPTH'], fields[b'TUPLTYPE']) != (b'4', b'RGB_ALPHA'):
        raise ValueError(head)
    return int(fields[b'WIDTH']), int(fields[b'HEIGHT']), pixels
