# SPDX-License-Identifier: LGPL-2.1-or-later
"""What GNOME Shell shows of the history: its search, and notifications.

With $CLIP_PICTURES a picture of each goes into that folder.
"""
import contextlib
import os
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'session'))
from clients import TEXT, MutterClient  # noqa: E402
from gnome import evaluate  # noqa: E402
from session import PACKAGES, Programs, Session, need, until  # noqa: E402
from tap import equal, fact, main, note, true  # noqa: E402

BUILD, DATA = pathlib.Path(sys.argv.pop(1)), pathlib.Path(sys.argv.pop(1))
PROGRAMS = Programs(BUILD)
PACKAGES['convert'] = 'imagemagick'
WINDOW = 'org.cliphist.Cliphist'
PROVIDER = f'{WINDOW}.desktop'

SETTINGS = 'org.gnome.desktop.search-providers'
HELPER = 'org.gnome.Shell.Notifications'

CONTROLS = 'Main.overview._overview._controls'
# our results as the shell shows them: what each is called, and what is beside it
OURS = f"""{CONTROLS}._searchController._searchResults._providers
    .find(p => p.appInfo && p.appInfo.get_id() === '{PROVIDER}')"""
RESULTS = f"""(() => {{
  const ours = {OURS};
  if (!ours) return 'off';
  const icon = a => a.gicon ? a.gicon.to_string() : a.get_children().map(icon).find(i => i);
  const shown = ours.display.visible ? Object.values(ours.display._resultDisplays) : [];
  return shown.map(r => r.metaInfo.name + '|' + icon(r)).join('#');
}})()"""
BANNER = 'Main.messageTray._notification ? Main.messageTray._notification.title : ""'
NOTES = 'Main.messageTray.getSources().flatMap(s => s.notifications)'


class Installed(Session):
    """A GNOME session in which the desktop files are installed, as the package does it."""

    def _make_environment(self):
        super()._make_environment()
        share = self.folder / 'share'
        for source, folder in (
                (DATA / 'search' / 'org.cliphist.Cliphist.search-provider.ini',
                 'gnome-shell/search-providers'),
                (BUILD / 'data' / 'desktop' / PROVIDER, 'applications'),
                (DATA / 'icons' / 'org.cliphist.Cliphist.svg', 'icons/hicolor/scalable/apps')):
            (share / folder).mkdir(parents=True)
            shutil.copy(source, share / folder)
        # a desktop knows no program that is not there
        entry = share / 'applications' / PROVIDER
        lines = [f'Exec={self.programs.cliphist} pick' if line.startswith('Exec=') else line
                 for line in entry.read_text().splitlines()]
        entry.write_text('\n'.join(lines) + '\n')
        self.env['XDG_DATA_DIRS'] = f'{share}:{self.env["XDG_DATA_DIRS"]}'

    def start_display(self):
        # the part of the shell that takes notifications is a program of its own
        self.make_activatable(HELPER, need('gjs'), f'/usr/share/gnome-shell/{HELPER}')
        super().start_display()


def ask(session, script):
    """A text that a script gives inside the shell."""
    return evaluate(session, script).strip('"')


@contextlib.contextmanager
def shell(**settings):
    with Installed('gnome', programs=PROGRAMS) as session:
        session.start_daemon(env={f'CLIPHIST_{key}': value for key, value in settings.items()})
        session.wait_backend('mutter')
        yield session


def switch_on(session):
    evaluate(session, f"new imports.gi.Gio.Settings({{schema_id: '{SETTINGS}'}})"
                      f".set_strv('enabled', ['{PROVIDER}'])")
    until(lambda: ask(session, RESULTS) != 'off', 'the shell knows our provider')


def search(session, words):
    evaluate(session, 'Main.overview.show()')
    until(lambda: evaluate(session, 'Main.overview.visible') == 'true', 'the overview is there')
    evaluate(session, f"Main.overview.searchEntry.set_text('{words}')")


def results(session):
    """Name and icon of each."""
    shown = ask(session, RESULTS)
    return dict(part.rsplit('|', 1) for part in shown.split('#') if '|' in part)


def take_picture(session, name, area, colours):
    folder = os.environ.get('CLIP_PICTURES')
    if not folder:
        return
    path = pathlib.Path(folder).resolve() / name
    session.call('org.gnome.Shell.Screenshot', '/org/gnome/Shell/Screenshot',
                 'org.gnome.Shell.Screenshot.ScreenshotArea', *map(str, area), 'false', str(path))
    session.run('convert', path, '-strip', '+dither', '-colors', str(colours), f'png8:{path}')
    note(f'{path.name} is in {folder}')


def store(session, *texts):
    for text in texts:
        session.cliphist('store', data=text.encode())


@fact('/overview/nothing-is-asked-before-it-is-switched-on')
def off():
    with shell() as session:
        store(session, 'red apple')
        equal(ask(session, RESULTS), 'off', 'our provider')
        switch_on(session)
        search(session, 'apple')
        until(lambda: results(session), 'it is found once it is on')


@fact('/overview/doctor-says-how-it-is-switched-on')
def told():
    with shell() as session:
        env = {'XDG_CURRENT_DESKTOP': 'GNOME', 'GSETTINGS_BACKEND': 'keyfile'}
        said = session.cliphist('doctor', env=env).stdout.decode()
        line, = (line for line in said.splitlines() if line.startswith('mend with '))
        session.run('sh', '-c', line.removeprefix('mend with '), env=env)
        until(lambda: ask(session, RESULTS) != 'off', 'the shell knows our provider')
        said = session.cliphist('doctor', env=env).stdout.decode()
        true('search' not in said, said)


@fact('/overview/a-search-shows-texts-and-thumbnails')
def finds():
    with shell() as session:
        store(session, 'cliphist list --json >entries.json', 'Send the png, not the jpeg')
        image = session.run('convert', '-size', '320x320', 'gradient:orange-purple', 'png:-').stdout
        session.cliphist('store', data=image)
        store(session, 'https://www.w3.org/TR/png-3/')
        switch_on(session)
        search(session, 'png')
        shown = until(lambda: len(found := results(session)) == 3 and found, 'three are shown')
        true('Send the png, not the jpeg' in shown, f'what is shown: {shown}')
        true(any('thumbnails' in icon for icon in shown.values()), f'the icons: {shown}')
        take_picture(session, 'search-gnome.png', (100, 30, 1080, 240), 64)


@fact('/overview/what-is-chosen-is-on-the-clipboard')
def chosen():
    with shell() as session:
        store(session, 'red apple', 'plum')
        switch_on(session)
        search(session, 'apple')
        until(lambda: results(session), 'it is shown')
        evaluate(session, f'{CONTROLS}._searchController._searchResults.activateDefault()')
        until(lambda: 'uint64 1>' in session.get_property('Current'), 'it is on the clipboard')
        until(lambda: 'on the clipboard' in evaluate(session, BANNER), 'a banner says so')


@fact('/overview/a-copy-is-told-by-a-banner')
def copied():
    with shell(NOTIFY_COPIES='yes') as session:
        MutterClient(session).copy_types({TEXT: b'a word'})
        until(lambda: 'Copied' in evaluate(session, BANNER), 'of a copy')
        session.cliphist('pause')
        until(lambda: 'paused' in evaluate(session, BANNER), 'and of a pause')


@fact('/overview/its-name-opens-the-window-that-searches-on')
def searches_on():
    with shell() as session:
        session.make_activatable(WINDOW, session.programs.cliphist.parent / 'window' / 'cliphist-window',
                                 '--gapplication-service')
        store(session, 'red apple', 'plum')
        # as the desktop has told it by then
        session.run('dbus-update-activation-environment', 'WAYLAND_DISPLAY', 'XDG_CURRENT_DESKTOP')
        # the first start is over
        (pathlib.Path(session.env['XDG_STATE_HOME']) / 'cliphist' / 'window-seen').touch()
        switch_on(session)
        search(session, 'apple')
        until(lambda: results(session), 'it is shown')
        evaluate(session, f'{OURS}.display.providerInfo.emit("clicked", 0)')
        until(lambda: ask(session, 'global.display.focus_window ? global.display.focus_window.title : ""')
              == 'Clipboard history', 'the window has the focus')


@fact('/overview/a-copy-that-was-too-large-is-kept-by-a-click')
def too_large():
    with shell(MAX_STORE_SIZE='64KiB') as session:
        text = b'too much ' * 10000
        MutterClient(session).copy_types({TEXT: text})
        until(lambda: 'too large' in evaluate(session, f'{NOTES}.map(n => n.title).join()'),
              'the shell shows it')
        equal(ask(session, f'{NOTES}[0].actions.map(a => a.label).join()'), 'Keep anyway',
              'what can be clicked')
        if os.environ.get('CLIP_PICTURES'):
            evaluate(session, 'Main.messageTray._banner.expand(false)')
            take_picture(session, 'notification-gnome.png', (340, 0, 600, 200), 64)
        evaluate(session, f'{NOTES}[0].actions[0].callback()')
        until(session.listed, 'it is in the list')
        equal(session.cliphist('decode', '1').stdout, text, 'what was kept')


@fact('/overview/a-setting-that-can-do-nothing-here-is-told-of-when-it-is-set')
def idle_setting():
    with shell() as session:
        titles = f'{NOTES}.map(n => n.title + n.bannerBodyText).join()'
        session.cliphist('config', 'primary', 'yes')
        until(lambda: 'primary: GNOME' in evaluate(session, titles), 'the shell shows it')
        true('off on this desktop' in evaluate(session, titles), 'its title')
        session.cliphist('config', 'primary', 'no')
        # as the daemon connects anew for the change before
        config = pathlib.Path(session.env['XDG_CONFIG_HOME']) / 'cliphist' / 'config'
        config.write_text('ignore-app gedit\n')
        until(lambda: 'ignore-app: GNOME' in evaluate(session, titles), 'a rule of privacy, too')
        true('primary' not in evaluate(session, titles), 'the other one is taken back')


main()
