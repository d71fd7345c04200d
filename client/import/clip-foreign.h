/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* Another program's history, while a program of ours makes an archive of it. What is in
 * it may come from anywhere, so it is read by a process of its own, never by the
 * daemon. */
typedef struct ClipForeign ClipForeign;

/* how many entries of a history are not in its archive */
typedef struct
{
  guint64 n_left_out;   /* secret or empty */
  guint64 n_incomplete; /* a file of it is missing */
} ClipForeignCounts;

gboolean clip_foreign_start (const char *path,
                             const char *name,
                             ClipForeign **out_foreign,
                             GError **error);
void clip_foreign_free (ClipForeign *self);

const char *clip_foreign_name (const ClipForeign *self);
const char *clip_foreign_title (const ClipForeign *self);
int clip_foreign_fd (const ClipForeign *self);
gboolean clip_foreign_end (ClipForeign *self,
                           ClipForeignCounts *out_counts,
                           GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipForeign, clip_foreign_free)

G_END_DECLS
