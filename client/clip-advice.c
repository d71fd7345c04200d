/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Of all that may be missing only the first thing is told, because the others follow from it. A
 * service manager does what it can for good; elsewhere the daemon itself is the command, to be
 * put where the desktop starts its programs.
 */
#include "clip-advice.h"

#include "clip-facts.h"
#include "clip-words.h"

#include <unistd.h>

#define UNIT "cliphistd.service"

static gboolean
is_there (const char *name)
{
  g_autofree char *path = g_build_filename (g_get_user_runtime_dir (), name, NULL);

  return access (path, F_OK) == 0;
}

static gboolean
is_set (const char *variable)
{
  const char *value = g_getenv (variable);

  return value && *value;
}

/* what the environment says; nothing of the daemon */
void
clip_around_look (ClipAround *self)
{
  self->has_display = is_set ("WAYLAND_DISPLAY") || is_set ("DISPLAY");
  self->has_bus = is_set ("DBUS_SESSION_BUS_ADDRESS") || is_there ("bus");
  self->has_manager = is_there ("systemd/private");
}

static char *
start_command (const ClipAround *around, const char *with_manager, const char *option)
{
  return around->has_manager ? g_strdup (with_manager)
                             : g_strdup_printf ("%s%s &", around->program, option);
}

/**
 * clip_advise:
 * @out_missing: (out) (transfer none): a sentence
 * @out_mend: (out) (transfer full): a command line
 *
 * Returns: whether anything is missing. Where nobody can copy anything, as over ssh, nothing is
 */
gboolean
clip_advise (const ClipAround *around, const char **out_missing, char **out_mend)
{
  if (!around->has_display)
    return FALSE;
  if (!around->has_bus)
    {
      *out_missing = _ ("a session bus, so that nobody can call the daemon");
      *out_mend = g_strdup ("eval \"$(dbus-launch --sh-syntax)\"");
    }
  else if (!around->version)
    {
      *out_missing = _ ("the daemon: what you copy is not kept");
      *out_mend = start_command (around, "systemctl --user enable --now " UNIT, "");
    }
  else if (!around->watches)
    {
      *out_missing = _ ("a display that the daemon can watch: what you copy is not kept");
      *out_mend = start_command (around,
                                 "systemctl --user import-environment WAYLAND_DISPLAY "
                                 "DISPLAY XAUTHORITY; systemctl --user restart " UNIT,
                                 " --replace");
    }
  else if (!g_str_equal (around->version, CLIP_VERSION))
    {
      *out_missing = _ ("the daemon of this version: another one is running");
      *out_mend = start_command (around, "systemctl --user restart " UNIT, " --replace");
    }
  else
    return FALSE;
  return TRUE;
}

/* two lines, or none */
void
clip_advice_append (GString *out, const ClipAround *around)
{
  const char *missing;
  g_autofree char *mend = NULL;

  if (!clip_advise (around, &missing, &mend))
    return;
  clip_facts_append (out, _ ("missing"), missing);
  clip_facts_append (out, _ ("mend with"), mend);
}
