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

/* How a picker searches more than it shows. */
typedef enum
{
  CLIP_HIDDEN_NONE,
  CLIP_HIDDEN_ROFI, /* in a field that it does not show */
  CLIP_HIDDEN_FAR,  /* so far to the right that it is not seen */
} ClipHidden;

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
  char separator;  /* between id and preview */
  GArray *ids;     /* (nullable): gets the id of each row, which is not shown then */
  gboolean speaks; /* to people: age, what it is, and a mark of a pinned one */
  ClipHidden hidden;
  ClipRowsFunc write;
  gpointer user_data;
} ClipPickerRows;

gboolean clip_icons_from_name (const char *name, ClipIcons *out_icons);
gboolean clip_picker_rows_write (const ClipPickerRows *self,
                                 ClipQuery *query,
                                 GError **error);

G_END_DECLS
