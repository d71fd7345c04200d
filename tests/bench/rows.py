# SPDX-License-Identifier: LGPL-2.1-or-later
"""Rows of the table: what is compared, how often it is run, and what comes of it.

All ways of all rows of a batch are run in turn, in another order each round, so that a slow
moment of the machine falls on all of them; the first round does not count.
"""
import os
import statistics
import time

GIB = 1 << 30

# short tasks are run more often than asked for, until a batch has taken so many seconds
ENOUGH_S = 8
MOST_RUNS = 25


def percentile(values, part):
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * part))]


class Way:
    """One way to do a task: each call of `action` does it once and returns a Result."""

    def __init__(self, action):
        self.action = action
        self.results = []

    def summary(self, size):
        walls = [result.wall for result in self.results]
        cpu = statistics.median(result.cpu for result in self.results)
        return {
            'median_s': statistics.median(walls),
            'best_s': min(walls),
            'worst_s': max(walls),
            'runs': len(walls),
            'cpu_s_per_gib': cpu * GIB / size if size else None,
            'gib_per_s': size / GIB / statistics.median(walls) if size else None,
        }


class Row:
    """A task: what cliphist does, and the same work done by others.

    `goals` and `cpu_goals` say, for some of the others, at least how many times as fast, or as
    cheap, cliphist ought to be; `cpu_most` is in seconds per GiB.
    """

    def __init__(self, title, size, ours, others, goals=None, cpu_goals=None, cpu_most=None):
        self.title = title
        self.size = size
        self.ours = Way(ours)
        self.others = {name: Way(action) for name, action in others.items()}
        self.goals = goals or {}
        self.cpu_goals = cpu_goals or {}
        self.cpu_most = cpu_most

    def ways(self):
        return [self.ours, *self.others.values()]

    def summaries(self):
        """One for each of the others: a ratio and the figures behind it."""
        ours = self.ours.summary(self.size)
        for name, way in self.others.items():
            other = way.summary(self.size)
            found = {
                'task': self.title, 'against': name, 'bytes': self.size,
                'ratio': other['median_s'] / ours['median_s'],
                'ratio_of_best': other['best_s'] / ours['best_s'],
                'goal': self.goals.get(name), 'cliphist': ours, 'other': other,
            }
            if ours['cpu_s_per_gib'] and other['cpu_s_per_gib']:
                found['cpu_ratio'] = other['cpu_s_per_gib'] / ours['cpu_s_per_gib']
                found['cpu_goal'] = self.cpu_goals.get(name)
                found['cpu_s_per_gib_goal'] = self.cpu_most
            yield found


class Figure:
    """What has no counterpart: a value of ours, how it is without the load, and what it may be."""

    def __init__(self, title, unit, most=None, least=None):
        self.title = title
        self.unit = unit
        self.most = most
        self.least = least
        self.values = []
        self.idle = []

    def summaries(self):
        yield {
            'task': self.title, 'unit': self.unit, 'most': self.most, 'least': self.least,
            'value': statistics.median(self.values), 'values': self.values,
            'idle': statistics.median(self.idle) if self.idle else None,
        }


def take_turns(rows, number):
    ways = [way for row in rows for way in row.ways()]
    turn = number % len(ways)
    for way in ways[turn:] + ways[:turn]:
        result = way.action()
        if number > 0:
            way.results.append(result)


def measure(rows, runs, enough_s=ENOUGH_S):
    """Fills the rows of a batch. What is not a Row has been measured by its maker."""
    rows = [row for row in rows if isinstance(row, Row)]
    if not rows:
        return
    os.sync()  # what was left to be written is not the next one's to pay for
    take_turns(rows, 0)
    start = time.monotonic()
    number = 0
    while number < runs or (number < MOST_RUNS and time.monotonic() - start < enough_s):
        number += 1
        take_turns(rows, number)
