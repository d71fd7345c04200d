/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-check.h"
#include "clip-reader-private.h"
G_BEGIN_DECLS

/* A check under way. */
typedef struct
{
  const char *dir;
  const gint *stops; /* (nullable): atomic */
  ClipReader *reader;
  ClipReport *report;
} ClipCheck;

/* FALSE = the check cannot go on, with @error set */
gboolean clip_check_is_on (const ClipCheck *self, GError **error);
gboolean clip_check_take_error (ClipReport *report, GError *failure_take, GError **error);
gboolean clip_check_entries (ClipCheck *self, GError **error);
gboolean clip_check_contents (ClipCheck *self, GError **error);
gboolean clip_check_tables (ClipCheck *self, GError **error);
gboolean clip_check_blobs (ClipCheck *self, GError **error);
gboolean clip_check_files (ClipCheck *self, GError **error);
gboolean clip_check_gone (ClipCheck *self, GError **error);

G_END_DECLS
