# SPDX-License-Identifier: LGPL-2.1-or-later
"""`pick` in GNOME Shell, which has no layers: keys are typed, and the field behind the picker says
what it heard of them: pick.py gnome-xwayland|new-gnome-xwayland [FACT...]"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'session'))
import gnome  # noqa: E402
from clients import TextField  # noqa: E402
from session import Programs, Session, descendants, need, until  # noqa: E402
from tap import equal, fact, main, true  # noqa: E402

KIND = sys.argv.pop(1)
PROGRAMS = Programs()
# the window that has the focus
FOCUS = 'global.display.focus_window ? global.display.focus_window.get_wm_class() : ""'


def focused(session):
    return gnome.evaluate(session, FOCUS).lower()


def name_of(pid):
    try:
        return pathlib.Path(f'/proc/{pid}/comm').read_text().strip()
    except OSError:
        return ''


@fact(f'/{KIND}/pick-shows-a-window-that-has-the-keyboard')
def pick():
    # one that needs layers is there, too, and would come first
    need('fuzzel')
    need('rofi')
    with Session(KIND, programs=PROGRAMS) as session:
        session.start_daemon()
        session.wait_backend('mutter')
        for text in (b'alpha', b'beta', b'gamma'):
            session.cliphist('store', data=text)
        field = TextField(session)
        field.clear()
        behind = until(lambda: focused(session), 'the field has the focus')
        process = session.start(PROGRAMS.cliphist, 'pick', name='pick')
        session.wait_for(process, lambda: focused(session) not in ('', behind),
                         'the picker has the focus')
        equal([name for pid in descendants(process.pid)
               if (name := name_of(pid)) in ('rofi', 'fuzzel', 'wofi', 'bemenu')], ['rofi'],
              'what is shown')
        session.keyboard.type('alp')
        session.keyboard.type('\r')
        equal(process.wait(20), 0, 'exit status')
        session.started.remove(process)
        until(lambda: focused(session) == behind, 'the field has the focus again')
        equal(field.text(), '', 'what the field behind it has heard')
        until(lambda: field.paste() == 'alpha', 'the field pastes it')


@fact(f'/{KIND}/doctor-recommends-what-works-there')
def doctor():
    with Session(KIND, programs=PROGRAMS) as session:
        session.start_daemon()
        session.wait_backend('mutter')
        folder = session.folder / 'few'
        folder.mkdir()
        for program in ('fuzzel', 'bemenu', 'apt-get'):
            (folder / program).symlink_to(need(program))
        words = session.run(PROGRAMS.cliphist, 'doctor', env={'PATH': str(folder)},
                            check=False).stdout.decode()
        true('apt-get install rofi' in words and 'fuzzel\n' not in words, words)


main()
