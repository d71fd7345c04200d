/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* Whether a process is one of those that the user keeps away from their data. */
typedef enum
{
  CLIP_CONFINEMENT_NONE,
  CLIP_CONFINEMENT_FLATPAK,
  CLIP_CONFINEMENT_SNAP,
  CLIP_CONFINEMENT_UNKNOWN, /* it may be in one: that cannot be found out */
  CLIP_CONFINEMENT_UNSEEN,  /* the same, for now: there was nothing to look with, or at */
} ClipConfinement;

char *clip_confinement_snap_of_label (const char *label, gboolean *out_is_known);
char *clip_confinement_snap_of_cgroup (const char *cgroup);
gboolean clip_confinement_may_be_flatpak (const char *status);

ClipConfinement clip_confinement_glance (gint64 pid, const char *label, char **out_app);
ClipConfinement clip_confinement_look (gint64 pid, char **out_app);
gboolean clip_confinement_lists (const char *globs, const char *app);

G_END_DECLS
