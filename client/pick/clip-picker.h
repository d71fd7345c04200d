/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-picker-rows.h"
G_BEGIN_DECLS

/* Where a picker can show itself. */
enum
{
  CLIP_ON_TERMINAL = 1 << 0,
  CLIP_ON_LAYER = 1 << 1,  /* above the windows of a Wayland compositor: layer shell */
  CLIP_ON_X11 = 1 << 2,    /* above those of an X server, whose keyboard it takes */
  CLIP_ON_WINDOW = 1 << 3, /* as a window: in a compositor that has no layers */
};

/* What a picker that people have can do, and how it is asked for it. */
typedef struct
{
  const char *name;
  const char *const *argv;      /* up to where a call adds its own */
  const char *const *as_window; /* (nullable): what makes it a window */
  const char *const
      *large;     /* (nullable): what makes its pictures as large as we want them */
  guint displays; /* where it can show itself: CLIP_ON_… */
  ClipIcons icons;
  ClipHidden hidden;
  gboolean says_number; /* of the row, instead of printing it: ids need not be shown */
  gboolean says_key; /* in a line before the row; others have an exit status for a key */
} ClipPicker;

/* one that is installed, and where it would show itself */
typedef struct
{
  const ClipPicker *picker;
  guint place;
} ClipPickerUse;

/* How it is to come up. */
typedef struct
{
  ClipPickerUse use;
  const char
      *preview; /* what is run to show an entry: a line for sh in which {1} is its id */
  const char *header; /* (nullable): what its keys do */
  const char *prompt; /* before what is typed, where it shows that */
  const char *filter; /* (nullable): what has been typed before */
  gint64 row;         /* that it begins at, from 0 */
  gboolean is_large;  /* with large pictures */
} ClipPickerCall;

typedef enum
{
  CLIP_PICKED_NOTHING,
  CLIP_PICKED_NO_MATCH, /* what was typed, and no row has it */
  CLIP_PICKED_ROW,
  CLIP_PICKED_DELETE,
  CLIP_PICKED_PIN,
} ClipPickedKind;

typedef struct
{
  ClipPickedKind kind;
  GArray *numbers; /* of gint64: of rows, from 0; or the ones that they begin with */
  char *filter;    /* (nullable): what was typed */
} ClipPicked;

typedef gboolean (*ClipPickerFill) (int fd, gpointer user_data, GError **error);

const ClipPicker *clip_picker_find (const char *name);
gboolean clip_picker_has_place (const ClipPicker *picker);
gboolean clip_picker_is_installed (const ClipPicker *picker);
GArray *clip_picker_list (const ClipPicker *first, gboolean with_terminal);
guint clip_picker_places (void);
gboolean clip_picker_run (const ClipPickerCall *call,
                          ClipPickerFill fill,
                          gpointer user_data,
                          ClipPicked *out_picked,
                          GError **error);
void clip_picked_clear (ClipPicked *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (ClipPicked, clip_picked_clear)

G_END_DECLS
