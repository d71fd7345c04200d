# SPDX-License-Identifier: LGPL-2.1-or-later
"""The table, for people, and the same for programs."""
import json
import os
import platform
import sys

COLUMNS = '{:<44} {:<30} {:>7} {:>7} {:>21} {:>21} {:>15}'


def milliseconds(found):
    return f'{found["median_s"] * 1000:,.1f} ({found["best_s"] * 1000:,.1f})'


def times(value):
    if value is None:
        return ''
    return f'{value:.2f}' if value < 10 else f'{value:.1f}'


def goal(value, sign):
    return '' if value is None else f'{sign}{value:g}'


def cpu(found):
    value = found['cpu_s_per_gib']
    return '-' if value is None else f'{value:.3f}'


def print_row(row, title):
    print(COLUMNS.format(
        title, row['against'], times(row['ratio']), goal(row['goal'], '>='),
        milliseconds(row['cliphist']), milliseconds(row['other']),
        f'{cpu(row["cliphist"])} : {cpu(row["other"])}'))
    if row.get('cpu_goal'):
        print(COLUMNS.format('', f'{row["against"]}, in CPU', times(row['cpu_ratio']),
                             goal(row['cpu_goal'], '>='), '', '', ''))


def print_figure(row):
    bound = goal(row['most'], '<=') or goal(row['least'], '>=')
    idle = '' if row['idle'] is None else f'idle: {row["idle"]:.2f} {row["unit"]}'
    print(COLUMNS.format(row['task'], '', '', bound, f'{row["value"]:.2f} {row["unit"]}', idle,
                         ''))


def print_group(name):
    print(f'\n{name}')
    print(COLUMNS.format('', 'against', 'ratio', 'goal', 'cliphist ms (best)',
                         'other ms (best)', 'CPU s/GiB'))


def print_batch(summaries):
    last = None
    for row in summaries:
        if 'note' in row:
            print(row['note'])
        elif 'against' in row:
            print_row(row, '' if row['task'] == last else row['task'])
            last = row['task']
        else:
            print_figure(row)
    sys.stdout.flush()


def machine():
    return {
        'cores': os.cpu_count(), 'kernel': platform.release(),
        'memory_gib': round(os.sysconf('SC_PHYS_PAGES') * os.sysconf('SC_PAGE_SIZE') / 2**30, 1),
        'load': os.getloadavg()[0],
    }


def print_head(runs):
    found = machine()
    print(f'Medians of at least {runs} interleaved runs (the best in brackets) on '
          f'{found["cores"]} cores, {found["memory_gib"]} GiB, Linux {found["kernel"]}, load '
          f'{found["load"]:.1f}.\nA ratio is how many times as fast as the other cliphist is; '
          'CPU is that of command and daemon, in seconds for each GiB.')


def print_json(summaries, runs):
    json.dump({'machine': machine(), 'runs': runs, 'groups': summaries}, sys.stdout, indent=2)
    print()
