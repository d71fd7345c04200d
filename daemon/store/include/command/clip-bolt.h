/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* The database of the existing tool, a bbolt file, read and never written: its entries,
 * oldest first. One thread at a time. */
typedef struct ClipBolt ClipBolt;

typedef struct
{
  gint64 id; /* grows from one entry to the next */
  goffset offset;
  gsize size; /* of the bytes at that place of the file */
} ClipBoltEntry;

gboolean clip_bolt_is_one (int fd);
ClipBolt *clip_bolt_open (int fd, GError **error);
void clip_bolt_free (ClipBolt *self);
gboolean clip_bolt_next (ClipBolt *self, ClipBoltEntry *out_entry, GError **error);
gint64 clip_bolt_last_id (const ClipBolt *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipBolt, clip_bolt_free)

G_END_DECLS
