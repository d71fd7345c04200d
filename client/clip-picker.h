/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-picker-rows.h"
G_BEGIN_DECLS

/* What a picker that people have can do, and how it is asked for it. */
typedef struct
{
  const char *name;
  const char *const *argv; /* up to where a call adds its own */
  guint displays;          /* where it can show itself: CLIP_ON_… */
  ClipIcons icons;
  gboolean says_number; /* of the row, instead of printing it: ids need not be shown */
  gboolean says_key; /* in a line before the row; others have an exit status for a key */
} ClipPicker;

enum
{
  CLIP_ON_WAYLAND = 1 << 0,
  CLIP_ON_X11 = 1 << 1,
  CLIP_ON_TERMINAL = 1 << 2,
};

typedef enum
{
  CLIP_PICKED_NOTHING,
  CLIP_PICKED_ROW,
  CLIP_PICKED_DELETE,
  CLIP_PICKED_PIN,
} ClipPickedKind;

typedef struct
{
  ClipPickedKind kind;
  gint64 number; /* of the row, from 0; or the one that it begins with; 0 for nothing */
} ClipPicked;

typedef gboolean (*ClipPickerFill) (int fd, gpointer user_data, GError **error);

const ClipPicker *clip_picker_find (const char *name);
const ClipPicker *clip_picker_default (void);
gboolean clip_picker_run (const ClipPicker *self,
                          const char *preview,
                          ClipPickerFill fill,
                          gpointer user_data,
                          ClipPicked *out_picked,
                          GError **error);

G_END_DECLS
