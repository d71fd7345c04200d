# SPDX-License-Identifier: LGPL-2.1-or-later
"""Programs that copy as fast, as much and as stubbornly as nobody does by hand, on each display.

A copy is a pair: its number, and when it was made (CLOCK_MONOTONIC, in seconds).
"""
import json
import os
import select
import subprocess
import sys
import time

from session import HERE, Broken, until

# each copy from inside the shell, which has the text in its memory: nobody is quicker there; with the
# priority that the shell gives to what Wayland's programs ask of it
PACE_IN_GNOME = """
(function () {
  const St = imports.gi.St, GLib = imports.gi.GLib;
  const stamps = global.clipStamps = [];
  const board = St.Clipboard.get_default();
  function copy() {
    stamps.push(GLib.get_monotonic_time());
    board.set_text(St.ClipboardType.CLIPBOARD, `copy number ${stamps.length}`);
    if (stamps.length < COUNT)
      GLib.timeout_add(GLib.PRIORITY_DEFAULT + 1, GAP / 1000, copy);
    return GLib.SOURCE_REMOVE;
  }
  copy();
})()
"""


class Copier:
    """copier.py or x11-copier in a session; what it is told is in their first lines."""

    def __init__(self, session, *words):
        if 'WAYLAND_DISPLAY' in session.env:
            command = sys.executable, HERE / 'copier.py'
        else:
            command = (session.programs.copier,)
        self.session = session
        # on a busy machine many copies wait: none must come too late for want of a processor; whoever
        # waits until he is asked cannot be too quick, and would wait for ever beside others
        is_quick = words[0] == 'pace' and 'asked' not in words
        gently = ['chrt', '--idle', '0'] if is_quick else []
        self.process = session.start(*gently, *command, *words, name=f'copier-{time.monotonic_ns()}',
                                     stdout=subprocess.PIPE)
        self.ahead = b''
        self.unasked = set()  # the copies that nobody has asked for while they were there

    def line(self, seconds=120):
        """The next line that it says."""
        pipe, end = self.process.stdout.fileno(), time.monotonic() + seconds
        while b'\n' not in self.ahead:
            if not select.select([pipe], [], [], max(0, end - time.monotonic()))[0]:
                raise Broken(f'the copier has said nothing for {seconds} s')
            more = os.read(pipe, 65536)
            if not more:
                raise Broken('the copier has ended')
            self.ahead += more
        line, _, self.ahead = self.ahead.partition(b'\n')
        return line.decode()

    def copies(self, count, seconds=120):
        """The next so many copies."""
        lines = [self.line(seconds).split() for _ in range(count)]
        self.unasked |= {int(words[0]) for words in lines if words[2:]}
        return [(int(words[0]), int(words[1]) / 1e9) for words in lines]

    def end(self):
        """It ends, as an application does when it is closed."""
        self.session.stop(self.process)
        self.process.stdout.close()


def pace(session, count, gap_us, *manner):
    """Makes so many copies, and returns them once the last one is made; and who holds it. With
    'asked' each waits until somebody has asked for the one before."""
    if 'gnome' in session.display:
        return pace_in_gnome(session, count, gap_us), None
    copier = Copier(session, 'pace', count, gap_us, *manner)
    # it tells of all of them at the end
    return copier.copies(count, 120 + count * gap_us / 1e6), copier


def pace_in_gnome(session, count, gap_us):
    import gnome  # only a few have it installed
    script = PACE_IN_GNOME.replace('COUNT', str(count)).replace('GAP', str(gap_us))
    gnome.evaluate(session, script)
    until(lambda: gnome.evaluate(session, 'global.clipStamps.length') == str(count),
          f'there were {count} copies', 20 + count * gap_us / 500_000)
    stamps = json.loads(gnome.evaluate(session, 'global.clipStamps'))
    return [(number, stamp / 1e6) for number, stamp in enumerate(stamps, 1)]
