/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* What a desktop lacks for its copies to be kept, and the one command that mends it. */

/* what is there, as far as the command can see it */
typedef struct
{
  gboolean has_display; /* somebody can copy something here */
  gboolean has_bus;
  gboolean has_manager; /* a systemd that starts services for this user */
  const char *program;  /* the path of the daemon */
  const char *version;  /* (nullable): of the daemon that runs */
  gboolean watches;     /* whether it watches a display */
} ClipAround;

void clip_around_look (ClipAround *self);
gboolean clip_advise (const ClipAround *around,
                      const char **out_missing,
                      char **out_mend);
void clip_advice_append (GString *out, const ClipAround *around);

G_END_DECLS
