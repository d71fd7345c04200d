/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-join.h"
#include "clip-reader.h"
G_BEGIN_DECLS

/* The history, or some of its entries, as an archive. */
typedef struct ClipExport ClipExport;

/* Which entries: everything unset selects all of them. Borrowed until the export ends. */
typedef struct
{
  const GArray *ids; /* (nullable) (element-type gint64): these, ascending */
  gint64 since_us;   /* last copied not before; 0 = any */
  gboolean pinned;   /* only pinned ones */
  const char *tag;
} ClipExportFilter;

ClipExport *clip_export_new (const ClipExportFilter *filter, gint64 now_us);
void clip_export_free (ClipExport *self);
gboolean clip_export_next (ClipExport *self,
                           ClipReader *reader,
                           ClipPart *out_part,
                           gboolean *out_more,
                           GError **error);
gint64 clip_export_gathered (const ClipExport *self);
gulong clip_export_count (const ClipExport *self);
const GArray *clip_export_left_out (const ClipExport *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipExport, clip_export_free)

G_END_DECLS
