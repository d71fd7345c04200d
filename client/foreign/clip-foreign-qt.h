/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What Qt writes into a QDataStream, for the readers of programs that use it. */
#pragma once
#include "clip-foreign-bytes.h"
G_BEGIN_DECLS

/* where something with a length lies, and how long it is */
typedef struct
{
  goffset at;
  goffset size;
} ClipForeignSpan;

/* of the types that a QVariant may have */
enum
{
  CLIP_QT_MAP = 8,
  CLIP_QT_LIST = 9,
  CLIP_QT_STRING = 10,
  CLIP_QT_STRINGS = 11,
  CLIP_QT_BYTES = 12,
  CLIP_QT_HASH = 28,
};

gboolean clip_foreign_qt_u8 (ClipForeignBytes *bytes, guint8 *out, GError **error);
gboolean clip_foreign_qt_u32 (ClipForeignBytes *bytes, guint32 *out, GError **error);
gboolean clip_foreign_qt_count (ClipForeignBytes *bytes,
                                guint each,
                                guint32 *out,
                                GError **error);
gboolean clip_foreign_qt_span (ClipForeignBytes *bytes,
                               ClipForeignSpan *out,
                               GError **error);
GBytes *clip_foreign_qt_bytes (ClipForeignBytes *bytes, gsize limit, GError **error);
GBytes *clip_foreign_qt_text (ClipForeignBytes *bytes, gsize limit, GError **error);
char *clip_foreign_qt_name (ClipForeignBytes *bytes, gsize limit, GError **error);
gboolean clip_foreign_qt_pass_value (ClipForeignBytes *bytes,
                                     guint32 type,
                                     GError **error);

G_END_DECLS
