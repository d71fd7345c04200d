/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-reader.h"
#include "clip-row.h"
G_BEGIN_DECLS

/* How a picker reads the picture of a row. */
typedef enum
{
  CLIP_ICONS_NONE,
  CLIP_ICONS_ROFI, /* fuzzel's are the same */
  CLIP_ICONS_WOFI,
} ClipIcons;

typedef gboolean (*ClipRowsFunc) (const char *text,
                                  gsize length,
                                  gpointer user_data,
                                  GError **error);

typedef struct
{
  ClipReader *reader;
  const char *store; /* the folder of the history */
  ClipIcons icons;
  ClipRowFormat format; /* a line of text */
  gint64 width;
  char separator;     /* between id and preview */
  GArray *ids;        /* (nullable): gets the id of each row, which is not shown then */
  gboolean has_marks; /* pinned ones have one */
  ClipRowsFunc write;
  gpointer user_data;
} ClipPickerRows;

gboolean clip_icons_from_name (const char *name, ClipIcons *out_icons);
gboolean clip_picker_rows_write (const ClipPickerRows *self,
                                 ClipQuery *query,
                                 GError **error);

G_END_DECLS
