# SPDX-License-Identifier: LGPL-2.1-or-later
"""Ringboard with the same texts: its server takes them, and its command searches by itself."""
import json
import os
import pathlib
import shutil

from session import Broken, until
from timing import Pipeline

MOST_ENTRIES = 1_048_574  # that its rings can have
MAIN_RING = 1 << 32  # the ring is in the upper half of an id


class Ringboard:
    def __init__(self, bench, program, data):
        self.bench = bench
        self.program = pathlib.Path(program)
        self.data = pathlib.Path(data)
        self.socket = bench.folder / 'ringboard.sock'
        self.env = {'XDG_DATA_HOME': str(self.data), 'RINGBOARD_SOCK': str(self.socket)}

    def server(self):
        beside = self.program.with_name('ringboard-server')
        found = str(beside) if beside.exists() else shutil.which('ringboard-server')
        if not found:
            raise Broken('no ringboard-server beside ringboard, nor in PATH')
        return found

    def fill(self, texts):
        """What an earlier run has filled is taken as it is."""
        session = self.bench.session
        if (self.data / 'whole').exists():
            return
        shutil.rmtree(self.data, ignore_errors=True)
        self.data.mkdir(parents=True)
        dump = self.bench.folder / 'texts.json'
        with open(dump, 'w', encoding='utf-8') as file:
            for text in texts:
                json.dump({'id': MAIN_RING, 'kind': 'Human', 'data': text.decode()}, file,
                          ensure_ascii=False)
                file.write('\n')
        session.run(self.program, 'configure', 'server', '--max-main-entries', MOST_ENTRIES,
                    env=self.env)
        server = session.start(self.server(), env=self.env)
        until(self.socket.exists, 'ringboard-server listens')
        session.run(self.program, 'import', 'json', dump, env=self.env, seconds=600)
        session.stop(server)
        dump.unlink()
        (self.data / 'whole').touch()
        os.sync()

    def search(self, options, needle):
        return [self.program, 'search', *options, '--', needle]

    def run(self, *command):
        return Pipeline([command], {**self.bench.env, **self.env}).run()
