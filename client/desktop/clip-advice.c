/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A service manager does what it can for good; elsewhere the daemon itself is the
 * command, to be put where the desktop starts its programs.
 */
#include "clip-advice.h"

#include "clip-display-name.h"
#include "clip-facts.h"
#include "clip-terminal.h"
#include "clip-words.h"

#include <string.h>
#include <unistd.h>

#define UNIT "cliphistd.service"
#define ENABLE "systemctl --user enable --now " UNIT

/* below a folder of data */
#define PROVIDER "gnome-shell/search-providers/org.cliphist.Cliphist.search-provider.ini"

/* by their package managers, up to the name of a package */
static const struct
{
  const char *program;
  const char *command;
} installers[] = {
  { "apt-get", "sudo apt-get install" },
  { "dnf", "sudo dnf install" },
  { "pacman", "sudo pacman -S" },
  { "zypper", "sudo zypper install" },
  { "apk", "sudo apk add" },
};

/* (nullable) */
static const char *
find_installer (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (installers); i++)
    {
      g_autofree char *path = g_find_program_in_path (installers[i].program);

      if (path)
        return installers[i].command;
    }
  return NULL;
}

/* @name: below a folder of data */
static gboolean
is_in_system (const char *name)
{
  const char *const *folders = g_get_system_data_dirs ();
  gboolean is_found = FALSE;

  for (; *folders && !is_found; folders++)
    {
      g_autofree char *path = g_build_filename (*folders, name, NULL);

      is_found = access (path, F_OK) == 0;
    }
  return is_found;
}

static gboolean
is_gnome (void)
{
  const char *desktop = g_getenv ("XDG_CURRENT_DESKTOP");

  return desktop && strstr (desktop, "GNOME");
}

/* (transfer full) (nullable): ours, where it lies in a folder of the user's, in which
 * GNOME Shell does not look, and in none of the system's */
static char *
find_unshared_provider (void)
{
  g_autofree char *own = g_build_filename (g_get_user_data_dir (), PROVIDER, NULL);

  return is_gnome () && access (own, F_OK) == 0 && !is_in_system (PROVIDER)
             ? g_steal_pointer (&own)
             : NULL;
}

/* Returns: whether this is GNOME, and its shell finds our search provider */
gboolean
clip_around_finds_provider (void)
{
  return is_gnome () && is_in_system (PROVIDER);
}

/**
 * clip_around_finds_portal:
 * @desktop: `gnome`, `kde`
 *
 * Returns: whether its portal is installed (portals.conf(5))
 */
gboolean
clip_around_finds_portal (const char *desktop)
{
  g_autofree char *name =
      g_strdup_printf ("xdg-desktop-portal/portals/%s.portal", desktop);

  return is_in_system (name);
}

/* by the user; of a mask that is root's, the service manager says that it is one */
static gboolean
is_masked (void)
{
  g_autofree char *path =
      g_build_filename (g_get_user_config_dir (), "systemd", "user", UNIT, NULL);
  g_autofree char *target = g_file_read_link (path, NULL);

  return g_strcmp0 (target, "/dev/null") == 0;
}

/* what the environment says; of the daemon nothing but whether @program is there */
void
clip_around_look (ClipAround *self)
{
  self->has_display = clip_has_display ();
  self->has_manager = clip_has_user_manager ();
  self->is_masked = is_masked ();
  self->lacks_program = access (self->program, X_OK) != 0;
  self->installer = find_installer ();
  self->unshared = find_unshared_provider ();
}

static char *
start_command (const ClipAround *around, const char *with_manager, const char *option)
{
  return around->has_manager ? g_strdup (with_manager)
                             : g_strdup_printf ("%s%s &", around->program, option);
}

/* (transfer full): the command that has the daemon begin anew */
char *
clip_advice_restart (const ClipAround *around)
{
  return start_command (around, "systemctl --user restart " UNIT, " --replace");
}

/* (transfer full) (nullable) */
static char *
install_command (const ClipAround *around, const char *package)
{
  return around->installer ? g_strdup_printf ("%s %s", around->installer, package) : NULL;
}

static ClipAdvice
advise_bus (const ClipAround *around)
{
  return (ClipAdvice){
    .missing = _ ("a session bus, so no program can reach the daemon"),
    .why = around->compositor
               ? _ ("Programs reach the daemon over the bus that a session starts. Start "
                    "the next session with the command.")
               : _ ("Programs reach the daemon over the bus that a session starts. The "
                    "command starts a shell with one, for what is started from it."),
    .mend = g_strconcat ("dbus-run-session ", around->compositor ?: "\"$SHELL\"", NULL)
  };
}

/* the daemon of the present one is out of reach */
static ClipAdvice
advise_earlier_login (void)
{
  return (ClipAdvice){
    .missing = _ ("a login that goes on: the display and the bus of this shell are gone"),
    .why = _ ("It has the environment of an earlier login, as tmux keeps it. In a new "
              "terminal “cliphist doctor” says whether what you copy is kept.")
  };
}

static ClipAdvice
advise_program (void)
{
  return (ClipAdvice){ .missing = _ ("the program of the daemon: what you copy is not "
                                     "kept"),
                       .why = _ ("cliphist is not installed completely: install it "
                                 "again.") };
}

static ClipAdvice
advise_daemon (const ClipAround *around)
{
  const char *with_manager =
      around->is_masked ? "systemctl --user unmask " UNIT " && " ENABLE : ENABLE;

  return (ClipAdvice){
    .missing = _ ("the daemon: what you copy is not kept"),
    .why =
        around->has_manager
            ? _ ("Nothing else sees what you copy. The command starts it now; with the "
                 "next session it starts by itself.")
            : _ ("Nothing else sees what you copy. The command starts it now."),
    .mend = start_command (around, with_manager, "")
  };
}

/* as a backup, or a root shell, may leave it */
static ClipAdvice
advise_rights (const char *path, const char *missing)
{
  g_autofree char *quoted = g_shell_quote (path);

  return (ClipAdvice){
    .missing = missing,
    .why =
        _ ("It belongs to another user, or its mode forbids that. The command makes it "
           "yours."),
    .mend = g_strdup_printf ("sudo chown -R \"$(id -u)\" %s && chmod -R u+rwX,go-rwx %s",
                             quoted, quoted)
  };
}

/* as the kernel mounts it anew after an error: what mends that, it does not say */
static ClipAdvice
advise_read_only (void)
{
  return (ClipAdvice){ .missing =
                           _ ("a disk that can be written: what you copy is not kept"),
                       .why = _ ("The file system of the history may only be read, as "
                                 "after an error of its disk: “dmesg” may say why.") };
}

static ClipAdvice
advise_in_the_way (const ClipAround *around)
{
  g_autofree char *path = g_shell_quote (around->in_the_way);
  g_autofree char *moved = g_strconcat (around->in_the_way, ".old", NULL);
  g_autofree char *target = g_shell_quote (moved);

  return (ClipAdvice){
    .missing = _ ("a folder of the history: what you copy is not kept"),
    .why = _ ("Something else has its place. The command moves that away."),
    .mend = g_strdup_printf ("mv %s %s", path, target)
  };
}

static ClipAdvice
advise_shared (const ClipAround *around)
{
  g_autofree char *path = g_shell_quote (around->shared);

  return (ClipAdvice){
    .missing = _ ("a history that nobody else may write to: what you copy is not kept"),
    .why = _ ("Other users may change it, so it is not read. The command keeps them "
              "out."),
    .mend = g_strdup_printf ("chmod -R go-rwx %s", path)
  };
}

/* to read it, as doctor did, a version may be older than to change it */
static ClipAdvice
advise_newer (void)
{
  return (ClipAdvice){ .missing = _ ("the newer version of cliphist that wrote the "
                                     "history: what you copy is not kept"),
                       .why = _ ("This version can read it, and not write it. Install "
                                 "the newer one again.") };
}

/* a daemon reads more at its start than a command that lists */
static ClipAdvice
advise_damaged (void)
{
  return (ClipAdvice){
    .missing = _ ("a history that is whole: what you copy is not kept"),
    .why = _ ("The daemon may not start with one that is damaged. The command saves what "
              "can be read of it."),
    .mend = g_strdup ("cliphist doctor --repair")
  };
}

/* its folder would be below a file, or in a folder of another user */
static ClipAdvice
advise_folder (void)
{
  return (ClipAdvice){
    .missing = _ ("a folder for the history: what you copy is not kept"),
    .why = _ ("It is not there, and cannot be made. “cliphist status” says which. Make "
              "it, or name another with db-path.")
  };
}

/* one that is there has kept some for itself */
static ClipAdvice
advise_room (void)
{
  return (ClipAdvice){ .missing = _ ("room on the disk: what you copy is not kept"),
                       .why = _ ("The disk is full, so no history can begin there, and "
                                 "the daemon does not start. Make room.") };
}

/* who has its name taken away ends once it goes on */
static ClipAdvice
advise_silent (const ClipAround *around)
{
  return (ClipAdvice){
    .missing = _ ("an answer of the daemon: what you copy is not kept"),
    .why = _ ("It runs, but stands still: it is stopped, or its disk does not answer. "
              "The command replaces it."),
    .mend = clip_advice_restart (around)
  };
}

static ClipAdvice
advise_display (const ClipAround *around)
{
  return (ClipAdvice){
    .missing = _ ("a display that the daemon can watch: what you copy is not kept"),
    .why = _ ("The daemon runs, but does not know this display, or may not watch it. The "
              "command restarts it with the display of this shell. A Wayland compositor "
              "has to offer ext-data-control or wlr-data-control."),
    .mend = start_command (around,
                           "systemctl --user import-environment WAYLAND_DISPLAY "
                           "DISPLAY XAUTHORITY; systemctl --user restart " UNIT,
                           " --replace")
  };
}

static ClipAdvice
advise_other_display (const ClipAround *around)
{
  ClipAdvice advice = advise_display (around);

  advice.missing = _ ("a daemon on this display: what you copy here is not kept");
  advice.why = _ ("Logins that share a session bus share its daemon, which watches one "
                  "display. Give each a bus of its own, or have the command watch this "
                  "display instead.");
  return advice;
}

static ClipAdvice
advise_version (const ClipAround *around)
{
  return (ClipAdvice){
    .missing = _ ("the daemon of this version: another one is running"),
    .why = _ ("cliphist was updated while the daemon ran, and the old one goes on until "
              "it is restarted."),
    .mend = clip_advice_restart (around)
  };
}

static ClipAdvice
advise_elsewhere (const ClipAround *around)
{
  return (ClipAdvice){
    .missing = _ ("the history that db-path names: the daemon keeps another one"),
    .why =
        _ ("db-path was set while the daemon ran, and it goes on in the old place until "
           "it is restarted."),
    .mend = clip_advice_restart (around)
  };
}

static ClipAdvice
advise_picker (const ClipAround *around)
{
  return (ClipAdvice){
    .missing = around->has_window
                   ? _ ("a picker, for “cliphist pick”; “cliphist window” needs none")
                   : _ ("a picker, for “cliphist pick”"),
    .why =
        _ ("It shows the history, and what you choose there is on the clipboard. rofi, "
           "fuzzel, wofi, bemenu, dmenu and fzf are known; the first three show images."),
    .mend = install_command (around, around->has_layers ? "fuzzel" : "rofi")
  };
}

/* A bus that is older than the compositor starts a portal that knows no display. */
static ClipAdvice
advise_silent_portal (const ClipAround *around)
{
  return (ClipAdvice){
    .missing = _ ("an answer of the desktop's portal: what you choose is copied, and not "
                  "pasted"),
    .why = _ ("Here only that (RemoteDesktop) presses keys for other programs. It is "
              "installed, and does not answer: log in again, or try the command."),
    .mend = g_strdup (around->has_manager
                          ? "systemctl --user restart xdg-desktop-portal.service"
                          : "dbus-update-activation-environment --all")
  };
}

/* a compositor without a virtual keyboard leaves it to the portal of its desktop */
static ClipAdvice
advise_portal (const ClipAround *around)
{
  g_autofree char *package = g_strconcat ("xdg-desktop-portal-", around->portal, NULL);

  return (ClipAdvice){
    .missing = _ ("a way to press keys: what you choose is copied, and not pasted"),
    .why = _ ("Here only the desktop's portal (RemoteDesktop) presses keys for other "
              "programs, and it does not answer. Once the package is installed, log in "
              "again."),
    .mend = install_command (around, package)
  };
}

static ClipAdvice
advise_provider (const ClipAround *around)
{
  return (ClipAdvice){ .missing = _ ("the history in the search of GNOME Shell"),
                       .why = _ ("GNOME Shell looks for search providers only in the "
                                 "folders of the system, and not in yours."),
                       .mend = g_strdup_printf (
                           "sudo install -Dm644 %s /usr/local/share/" PROVIDER,
                           around->unshared) };
}

static ClipAdvice
advise_search (const ClipAround *around)
{
  return (ClipAdvice){ .missing = _ ("the history in the search of GNOME Shell"),
                       .why = _ ("It is off there until you switch it on, in Settings, "
                                 "Search, or by the command."),
                       .mend = g_strdup (around->search_switch) };
}

static ClipAdvice
advise_notifications (const ClipAround *around)
{
  return (ClipAdvice){
    .missing = _ ("a program that shows notifications"),
    .why = _ ("What goes wrong with a key is told in a notification: without one it is "
              "not seen. dunst shows them on every desktop that has none of its own."),
    .mend = install_command (around, "dunst")
  };
}

/**
 * clip_advise:
 *
 * Returns: whether anything is missing. Where no program can copy, as over ssh,
 * nothing is
 */
gboolean
clip_advise (const ClipAround *around, ClipAdvice *out_advice)
{
  if (!around->has_display)
    return FALSE;
  if (around->in_the_way)
    *out_advice = advise_in_the_way (around);
  else if (around->unwritable && around->is_read_only)
    *out_advice = advise_read_only ();
  else if (around->unwritable)
    *out_advice =
        advise_rights (around->unwritable,
                       _ ("the right to write the history: what you copy may be lost"));
  else if (around->shared)
    *out_advice = advise_shared (around);
  else if (around->is_newer)
    *out_advice = advise_newer ();
  else if (around->is_damaged)
    *out_advice = advise_damaged ();
  else if (around->lacks_folder)
    *out_advice = advise_folder ();
  else if (around->lacks_room)
    *out_advice = advise_room ();
  else if (around->is_of_earlier_login)
    *out_advice = advise_earlier_login ();
  else if (!around->has_bus)
    *out_advice = advise_bus (around);
  else if (around->is_silent)
    *out_advice = advise_silent (around);
  else if (!around->version && around->lacks_program)
    *out_advice = advise_program ();
  else if (!around->version)
    *out_advice = advise_daemon (around);
  else if (!around->watches)
    *out_advice = advise_display (around);
  else if (around->other_display)
    *out_advice = advise_other_display (around);
  else if (around->unread)
    *out_advice =
        advise_rights (around->unread, _ ("the right to read the configuration"));
  else if (!g_str_equal (around->version, CLIP_VERSION))
    *out_advice = advise_version (around);
  else if (around->is_elsewhere)
    *out_advice = advise_elsewhere (around);
  else if (around->portal && around->has_portal)
    *out_advice = advise_silent_portal (around);
  else if (around->portal)
    *out_advice = advise_portal (around);
  else if (!around->has_picker)
    *out_advice = advise_picker (around);
  else if (around->unshared)
    *out_advice = advise_provider (around);
  else if (around->lacks_notifications)
    *out_advice = advise_notifications (around);
  else if (around->search_switch)
    *out_advice = advise_search (around);
  else
    return FALSE;
  return TRUE;
}

/* a line, one more with a command that mends it, and with @explains; or none */
void
clip_advice_append (GString *out, const ClipAround *around, gboolean explains)
{
  g_autofree char *mend = NULL;
  ClipAdvice advice;

  if (!clip_advise (around, &advice))
    return;
  mend = advice.mend;
  clip_facts_append (out, _ ("missing"), advice.missing);
  if (explains)
    clip_facts_append (out, _ ("why"), advice.why);
  if (mend)
    clip_facts_append (out, _ ("mend with"), mend);
}
