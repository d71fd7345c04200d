# SPDX-License-Identifier: LGPL-2.1-or-later
"""What the installed programs say of themselves, which manual and completions have to know."""
import json
import re
import subprocess

from session import need


def installed_files(build):
    """Where everything goes, as one text."""
    done = subprocess.run([need('meson'), 'introspect', '--installed', build],
                          check=True, capture_output=True, text=True)
    return '\n'.join(json.loads(done.stdout).values())


class Tables:
    """Read from the words of the programs, and not from what the manual was made from."""

    def __init__(self, session, programs):
        self._session = session
        self._cliphist = programs.cliphist
        self._cliphistd = programs.cliphistd
        overview = self._say('help')
        self.verbs = re.findall(r'^  ([a-z-]+)', overview.split('\n\n')[1], re.M)
        self.settings = dict(re.findall(r'^([a-z-]+)\t(.*)$', self._say('version'), re.M))
        del self.settings['version']

    def _say(self, *words):
        done = self._session.run(self._cliphist, *words)
        return (done.stdout or done.stderr).decode()

    def options(self, verb):
        """Those beside --help, as they are typed."""
        text = self._say(verb, '--help').split('options:\n')[1].split('\n\n')[0]
        return [word for line in text.splitlines()
                for word in re.findall(r'(?<![\w-])--?[a-z0-9][a-z-]*', line[:26])
                if word != '--help']

    def example(self, verb):
        return self._say(verb, '--help').split('example:\n')[1].strip()

    def daemon_options(self):
        text = self._session.run(self._cliphistd, '--help').stdout.decode()
        return re.findall(r'^  (?:-\w, )?(--[a-z-]+)', text, re.M)
