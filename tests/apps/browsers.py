# SPDX-License-Identifier: LGPL-2.1-or-later
"""Browsers, in a fresh profile: browsers.py firefox|chromium x11|sway [FACT...]

What a page holds is said in its title, which is that of the window.
"""
import contextlib
import os
import re
import shutil
import sys

from appdesk import desk, documented, version_of, wanted
from clients import png
from session import Broken, until
from tap import equal, fact, main, true

BROWSER, DISPLAY = sys.argv.pop(1), sys.argv.pop(1)
NAME = BROWSER.capitalize()
TEXT = 'text/plain;charset=utf-8'
STARTING = 120
HINT = 'x-kde-passwordManagerHint'

PREFERENCES = """user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("browser.startup.homepage_override.mstone", "ignore");
user_pref("browser.aboutwelcome.enabled", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("datareporting.policy.dataSubmissionPolicyBypassNotification", true);
user_pref("toolkit.telemetry.reportingpolicy.firstRun", false);
user_pref("browser.tabs.warnOnClose", false);
user_pref("app.update.enabled", false);
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
user_pref("browser.safebrowsing.downloads.remote.enabled", false);
user_pref("services.settings.server", "data:,");
user_pref("browser.privatebrowsing.enable-new-indicator", false);
"""

FIELD = """<!doctype html><meta charset="utf-8"><title>empty</title>
<textarea id="field" autofocus></textarea><script>
field.oninput = () => document.title = 'holds: ' + field.value;
onload = () => { field.focus(); document.title = 'the page is there'; };
</script>"""
FORMATTED = """<!doctype html><meta charset="utf-8"><title>the page is there</title>
<body><p>plain and <b>bold</b></p></body>"""
IMAGE = """<!doctype html><meta charset="utf-8"><title>empty</title>
<img id="image" src="needle.png" tabindex="0"><script>
onload = () => { image.focus(); document.title = 'the page is there'; };
</script>"""


class Browser:
    def __init__(self, d, page, *words):
        self.d = d
        folder = d.session.folder / 'pages'
        folder.mkdir()
        (folder / 'needle.png').write_bytes(png(160, 90))
        (folder / 'page.html').write_text(page)
        url = f'file://{folder}/page.html'
        profile = d.session.folder / 'profile'
        profile.mkdir()
        start = self._firefox if BROWSER == 'firefox' else self._chromium
        program, options, env = start(profile)
        self.version = version_of(program, '--version')
        self.process = d.start(program, *options, *words, url, env=env)
        d.hands.wait_focus('the page is there', STARTING)

    def _firefox(self, profile):
        program = wanted(shutil.which('firefox-esr') or 'firefox', 'firefox-esr')
        (profile / 'user.js').write_text(PREFERENCES)
        return program, ['--no-remote', '--new-instance', '--profile', profile], {
            'MOZ_ENABLE_WAYLAND': '1' if self.d.is_wayland else '0',
            'MOZ_CRASHREPORTER_DISABLE': '1', **self._own_runtime_folder(profile)}

    def _own_runtime_folder(self, profile):
        """Firefox leaves where that is another user's; sway does not run as root."""
        if not self.d.is_wayland:
            return {}
        env = self.d.session.env
        (profile / 'run').mkdir(mode=0o700)
        return {'XDG_RUNTIME_DIR': str(profile / 'run'),
                'WAYLAND_DISPLAY': f'{env["XDG_RUNTIME_DIR"]}/{env["WAYLAND_DISPLAY"]}'}

    def _chromium(self, profile):
        program = wanted(shutil.which('chromium') or 'chromium-browser', 'chromium')
        # root has no namespaces for its sandbox
        options = ['--no-sandbox'] if os.geteuid() == 0 else []
        return program, [
            *options, f'--user-data-dir={profile}', '--no-first-run', '--no-default-browser-check',
            '--password-store=basic', '--disable-gpu', '--disable-dev-shm-usage',
            '--disable-background-networking', '--disable-component-update', '--disable-sync',
            f'--ozone-platform={"wayland" if self.d.is_wayland else "x11"}'], {}

    def type(self, text):
        """Types until the field holds the text: what comes first after a start may get lost."""
        def is_typed():
            self.d.hands.press('ctrl+a')
            self.d.hands.type(text)
            with contextlib.suppress(Broken):
                return self.d.hands.wait_focus(f'holds: {text}', 10)
        until(is_typed, 'the field holds what is typed', 60)

    def copy_all(self):
        self.d.hands.press('ctrl+a')
        self.d.hands.press('ctrl+c')

    def copy_image(self):
        """The menu of the image that has the focus: Copy Image."""
        self.d.hands.press('Escape')
        shown = self._menus()
        self.d.hands.press('Menu')
        if self.d.is_wayland:
            until(lambda: self._menus() > shown, 'the menu is there')
        self.d.hands.press('y')

    def _menus(self):
        """How often a menu was placed."""
        return len(re.findall(r'xdg_popup[@#]\d+\.configure', self.d.session.log(self.d.app_log)))

    def paste(self, text):
        """Pastes over all that is in the field, until it holds the text."""
        self.d.hands.press('ctrl+a')
        self.d.hands.press('ctrl+v')
        self.d.hands.wait_focus(f'holds: {text}')


def name(words):
    return f'/apps/{BROWSER}-{DISPLAY}/{words}'


@fact(name('text-is-copied-and-pasted'))
def text():
    with desk(DISPLAY) as d:
        browser = Browser(d, FIELD)
        browser.type('typed into a page')
        number, read = d.capture(browser.copy_all, again=10)
        equal(d.newest()['preview'], 'typed into a page', 'the entry')
        d.row(NAME, browser.version, 'text in a field', number, read)
        d.other_copy('from elsewhere')
        browser.paste('from elsewhere')
        d.select_again(number, b'typed into a page')
        browser.paste('typed into a page')


@fact(name('formatted-text-is-copied'))
def formatted():
    with desk(DISPLAY) as d:
        browser = Browser(d, FORMATTED)
        number, read = d.capture(browser.copy_all, again=10)
        equal(d.content(number, TEXT).strip(), b'plain and bold', 'the text')
        html = d.content(number, 'text/html')
        true(b'bold</b>' in html or 'bold</b>'.encode('utf-16-le') in html, 'the looks')
        d.row(NAME, browser.version, 'text with formatting', number, read)
        d.end(browser.process)
        d.wait_paste(html, 'text/html')


@fact(name('an-image-is-copied'))
def image():
    with desk(DISPLAY) as d:
        browser = Browser(d, IMAGE)
        number, read = d.capture(browser.copy_image, again=10)
        true(d.content(number, 'image/png').startswith(b'\x89PNG'), 'it is a PNG')
        d.row(NAME, browser.version, 'an image', number, read)


if BROWSER == 'firefox':
    @fact(name('what-is-copied-in-a-private-window-never-arrives'))
    def private():
        secret = 'typed in private'
        with desk(DISPLAY, env={'G_MESSAGES_DEBUG': 'all'}) as d:
            d.other_copy('before it')
            browser = Browser(d, FIELD, '--private-window')
            browser.type(secret)
            before = len(d.asked())

            def is_marked():
                browser.copy_all()
                with contextlib.suppress(Broken):
                    return until(lambda: HINT in d.client.types(), 'it is copied', 10)
            until(is_marked, 'the copy is marked', 60)
            # the mark, and the text once, of which a hash in memory is kept
            until(lambda: len(set(d.asked()[before:])) == 2, 'the daemon has asked')
            equal(d.client.paste_bytes(), secret.encode(), 'what is on the clipboard')
            d.note(NAME, browser.version, 'text in a private window', d.client.types(),
                   list(dict.fromkeys(d.asked()[before:])), [])
            d.end(browser.process)
            d.never(lambda: secret.encode() in d.client.paste_bytes(), 'it is pasted again')
            equal(d.canary_in_history(secret.encode()), [], 'where it is')
            equal(d.newest()['preview'], 'before it', 'the newest entry')
else:
    @fact(name('an-incognito-window-marks-nothing'))
    def incognito():
        with desk(DISPLAY) as d:
            browser = Browser(d, FIELD, '--incognito')
            browser.type('typed in private')
            number, read = d.capture(browser.copy_all, again=10)
            d.row(NAME, browser.version, 'text in an incognito window', number, read)


documented(name('is-in-the-table'))
main()
