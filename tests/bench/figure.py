# SPDX-License-Identifier: LGPL-2.1-or-later
"""Figures against size as a picture: SVG, both axes logarithmic, one panel beside the other.

The colours of text and grid follow the reader's scheme, light or dark; those of the lines are
readable on both, and each line differs from the others by its dashes as well.
"""
import html
import math
from typing import Callable, NamedTuple

WIDTH, HEIGHT = 980, 420
TOP, BOTTOM, LEFT, RIGHT, GAP = 46, 104, 74, 16, 74

LINES = [('#2f6fde', ''), ('#d9480f', '7 4'), ('#2b8a3e', '2 4'), ('#9c36b5', '9 3 2 3')]

STYLE = """
  text { font: 12px sans-serif; fill: #24292f }
  .title { font-weight: bold }
  .grid { stroke: #24292f; stroke-opacity: .14 }
  .frame { stroke: #24292f; stroke-opacity: .5; fill: none }
  .paper { fill: #ffffff }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 }
    .grid, .frame { stroke: #e6edf3 }
    .paper { fill: #0d1117 }
  }
"""

UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB']


def label(value):
    power = min(int(math.log2(value)) // 10, len(UNITS) - 1)
    return f'{value / 1024 ** power:g} {UNITS[power]}'


class Scale(NamedTuple):
    """What the axes are of: x from `x_base` to the power of `x_step` to the next mark, y by four."""
    title: str
    x_name: str
    x_label: Callable
    y_label: Callable
    x_base: int
    y_base: int


THROUGHPUT = Scale('Throughput against size', 'size of the clip', label,
                   lambda value: f'{label(value)}/s', 16, 4)


class Axis:
    """Powers of a number on a line of the picture, a mark at each of them."""

    def __init__(self, values, start, end, base):
        self.base = base
        self.low = math.floor(round(math.log(min(values), base), 9))
        self.high = max(math.ceil(round(math.log(max(values), base), 9)), self.low + 1)
        self.start, self.end = start, end

    def at(self, value):
        part = (math.log(value, self.base) - self.low) / (self.high - self.low)
        return self.start + part * (self.end - self.start)

    def marks(self):
        return [float(self.base) ** power for power in range(self.low, self.high + 1)]


def text(x, y, words, anchor='middle', kind=''):
    return (f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"'
            f'{f" class={chr(34)}{kind}{chr(34)}" if kind else ""}>{html.escape(words)}</text>')


def line(x1, y1, x2, y2, kind):
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{kind}"/>'


def grid(x_axis, y_axis, scale):
    for mark in x_axis.marks():
        x = x_axis.at(mark)
        yield line(x, y_axis.start, x, y_axis.end, 'grid')
        yield text(x, y_axis.start + 18, scale.x_label(mark))
    for mark in y_axis.marks():
        y = y_axis.at(mark)
        yield line(x_axis.start, y, x_axis.end, y, 'grid')
        yield text(x_axis.start - 6, y + 4, scale.y_label(mark), 'end')
    yield (f'<rect x="{x_axis.start}" y="{y_axis.end}" width="{x_axis.end - x_axis.start}" '
           f'height="{y_axis.start - y_axis.end}" class="frame"/>')


def curve(points, x_axis, y_axis, colour, dashes):
    places = [(x_axis.at(x), y_axis.at(y)) for x, y in points]
    path = ' L'.join(f'{x:.1f},{y:.1f}' for x, y in places)
    yield (f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="2.2"'
           f'{f" stroke-dasharray={chr(34)}{dashes}{chr(34)}" if dashes else ""}/>')
    for x, y in places:
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.6" fill="{colour}"/>'


def legend(names, left, top):
    for number, name in enumerate(names):
        colour, dashes = LINES[number % len(LINES)]
        x, y = left + number % 2 * 190, top + number // 2 * 20
        yield (f'<line x1="{x}" y1="{y}" x2="{x + 30}" y2="{y}" stroke="{colour}" '
               f'stroke-width="2.2" stroke-dasharray="{dashes or "none"}"/>')
        yield text(x + 36, y + 4, name, 'start')


def panel(title, lines, left, right, scale):
    points = [point for found in lines.values() for point in found]
    x_axis = Axis([x for x, _ in points], left, right, scale.x_base)
    y_axis = Axis([y for _, y in points], HEIGHT - BOTTOM, TOP, scale.y_base)
    yield text((left + right) / 2, TOP - 14, title, kind='title')
    yield from grid(x_axis, y_axis, scale)
    for number, found in enumerate(lines.values()):
        yield from curve(found, x_axis, y_axis, *LINES[number % len(LINES)])
    yield text((left + right) / 2, HEIGHT - BOTTOM + 38, scale.x_name)
    yield from legend(lines, left, HEIGHT - BOTTOM + 62)


def draw(panels, scale=THROUGHPUT):
    """An SVG of panels: (title, {name: [(x, y), ...]})."""
    panels = [(title, lines) for title, lines in panels if lines]
    width = (WIDTH - LEFT - RIGHT - GAP * (len(panels) - 1)) / max(1, len(panels))
    parts = []
    for number, (title, lines) in enumerate(panels):
        left = LEFT + number * (width + GAP)
        parts += panel(title, lines, round(left, 1), round(left + width, 1), scale)
    body = '\n'.join(parts)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
            f'width="{WIDTH}" height="{HEIGHT}" role="img">\n'
            '<!-- SPDX-License-Identifier: LGPL-2.1-or-later; made by tests/bench/run -->\n'
            f'<title>{scale.title}</title>\n<style>{STYLE}</style>\n'
            f'<rect width="{WIDTH}" height="{HEIGHT}" class="paper"/>\n{body}\n</svg>\n')
