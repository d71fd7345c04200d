/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Flatpak puts a file into the root of what it runs, and into that of the proxy that
 * speaks to the bus in its place; snapd gives a label of AppArmor and a control group.
 * The file lies in a file system that any user may serve, and to open it may take for
 * ever; so first comes what the kernel alone says. Flatpak takes from its programs, for
 * good, the right to gain privileges: who still has it is not one of them, also where the
 * root of the process may not be looked into.
 */
#include "clip-confinement.h"

#include "clip-fd.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define MAX_BYTES 65535

/* (nullable) (transfer full): all of a short file; errno says why not */
static char *
read_text (int dir_fd, const char *path)
{
  clip_autofd int fd =
      openat (dir_fd, path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
  g_autofree char *text = NULL;
  gsize length = 0;
  ssize_t n = 1;

  if (fd < 0)
    return NULL;
  text = g_malloc (MAX_BYTES + 1);
  while (length < MAX_BYTES && n > 0)
    {
      n = read (fd, text + length, MAX_BYTES - length);
      if (n < 0 && errno != EINTR)
        return NULL;
      length += (gsize) MAX (n, 0);
      n = n < 0 ? 1 : n;
    }
  text[length] = '\0';
  return g_steal_pointer (&text);
}

/* "snap.NAME.APP" */
static char *
name_of_snap (const char *words)
{
  const char *name = words + strlen ("snap.");

  return g_strndup (name, strcspn (name, ". \n/"));
}

/**
 * clip_confinement_snap_of_label:
 * @label: (nullable): the security label of a process
 * @out_is_known: whether it is one of AppArmor: any other says nothing of snaps
 *
 * Returns: (nullable) (transfer full): the name of the snap that is confined. A classic
 * one is not: its profile only complains.
 */
char *
clip_confinement_snap_of_label (const char *label, gboolean *out_is_known)
{
  *out_is_known =
      label && (strncmp (label, "unconfined", 10) == 0 ? !strchr (label, ':')
                                                       : !!strstr (label, " ("));
  if (!*out_is_known || !g_str_has_prefix (label, "snap.") ||
      strstr (label, "(complain)") || strstr (label, "(unconfined)"))
    return NULL;
  return name_of_snap (label);
}

/**
 * clip_confinement_snap_of_cgroup:
 * @cgroup: /proc/PID/cgroup
 *
 * Returns: (nullable) (transfer full): the name of the snap whose group that is
 */
char *
clip_confinement_snap_of_cgroup (const char *cgroup)
{
  const char *found = strstr (cgroup, "/snap.");

  return found ? name_of_snap (found + 1) : NULL;
}

/* @status: /proc/PID/status. What says nothing excludes nothing */
gboolean
clip_confinement_may_be_flatpak (const char *status)
{
  return !strstr (status, "\nNoNewPrivs:\t0\n");
}

static int
open_process (gint64 pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%" G_GINT64_FORMAT, pid);

  return open (path, O_DIRECTORY | O_RDONLY | O_CLOEXEC);
}

static char *
find_snap (int process_fd, const char *label)
{
  g_autofree char *own = label ? NULL : read_text (process_fd, "attr/apparmor/current");
  g_autofree char *cgroup = NULL;
  gboolean is_known;
  char *snap = clip_confinement_snap_of_label (label ?: own, &is_known);

  if (is_known)
    return snap;
  cgroup = read_text (process_fd, "cgroup");
  return cgroup ? clip_confinement_snap_of_cgroup (cgroup) : NULL;
}

/**
 * clip_confinement_glance:
 * @pid: a process
 * @label: (nullable): its security label, from who knows it better than /proc
 * @out_app: (out) (transfer full): what it is called there
 *
 * Looks at what the kernel has on a process, which takes no time.
 *
 * Returns: %CLIP_CONFINEMENT_UNKNOWN for one that clip_confinement_look() has to look at
 */
ClipConfinement
clip_confinement_glance (gint64 pid, const char *label, char **out_app)
{
  clip_autofd int process_fd = open_process (pid);
  g_autofree char *status = process_fd < 0 ? NULL : read_text (process_fd, "status");

  *out_app = status ? find_snap (process_fd, label) : NULL;
  if (*out_app)
    return CLIP_CONFINEMENT_SNAP;
  if (!status || clip_confinement_may_be_flatpak (status))
    return CLIP_CONFINEMENT_UNKNOWN;
  return CLIP_CONFINEMENT_NONE;
}

static char *
name_of_flatpak (const char *info)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  char *name = NULL;

  if (g_key_file_load_from_data (file, info, (gsize) -1, G_KEY_FILE_NONE, NULL))
    name = g_key_file_get_string (file, "Application", "name", NULL);
  return name ?: g_strdup ("");
}

/* by errno */
static ClipConfinement
unknown (void)
{
  return errno == EMFILE || errno == ENFILE ? CLIP_CONFINEMENT_UNSEEN
                                            : CLIP_CONFINEMENT_UNKNOWN;
}

/**
 * clip_confinement_look:
 * @out_app: (out) (transfer full): what it is called there; "" where that is not known
 *
 * Looks into the root of a process, which may wait for a file system: not on the main
 * loop.
 */
ClipConfinement
clip_confinement_look (gint64 pid, char **out_app)
{
  clip_autofd int process_fd = open_process (pid);
  clip_autofd int root_fd =
      process_fd < 0
          ? -1
          : openat (process_fd, "root", O_DIRECTORY | O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  g_autofree char *info = NULL;

  *out_app = NULL;
  if (root_fd < 0)
    return unknown ();
  info = read_text (root_fd, ".flatpak-info");
  if (info)
    {
      *out_app = name_of_flatpak (info);
      return CLIP_CONFINEMENT_FLATPAK;
    }
  return errno == ENOENT ? CLIP_CONFINEMENT_NONE : unknown ();
}

/**
 * clip_confinement_lists:
 * @globs: words, with * and ? for what varies; "none" names no program
 * @app: (nullable): what a sandboxed program is called; %NULL where it is not known
 *
 * Returns: whether one of the words is its name; "*" is everybody's
 */
gboolean
clip_confinement_lists (const char *globs, const char *app)
{
  g_auto (GStrv) words = g_strsplit_set (globs, " \t", -1);

  for (guint i = 0; words[i]; i++)
    if (*words[i] && !g_str_equal (words[i], "none") &&
        g_pattern_match_simple (words[i], app ?: ""))
      return TRUE;
  return FALSE;
}
