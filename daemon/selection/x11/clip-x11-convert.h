/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-x11-display.h"
G_BEGIN_DECLS

/* One question to the owner of a selection, on a window of its own. */
typedef struct ClipX11Convert ClipX11Convert;

typedef enum
{
  CLIP_X11_PENDING, /* no answer yet */
  CLIP_X11_GIVEN,   /* the answer is in the property */
  CLIP_X11_REFUSED, /* the owner has no such target */
  CLIP_X11_SILENT,  /* no answer in time */
} ClipX11Answer;

typedef void (*ClipX11AnswerFunc) (ClipX11Answer answer, gpointer user_data);

ClipX11Convert *clip_x11_convert_new (ClipX11Display *display,
                                      xcb_atom_t selection,
                                      xcb_atom_t target,
                                      xcb_timestamp_t when,
                                      guint wait_ms,
                                      ClipX11AnswerFunc on_answer,
                                      gpointer user_data);
void clip_x11_convert_free (ClipX11Convert *self);
void clip_x11_convert_listen (ClipX11Convert *self,
                              ClipX11AnswerFunc on_answer,
                              gpointer user_data);
gboolean clip_x11_convert_is_open (const ClipX11Convert *self);
gboolean clip_x11_convert_is_after (ClipX11Convert *self, guint32 sequence);
xcb_window_t clip_x11_convert_steal_window (ClipX11Convert *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipX11Convert, clip_x11_convert_free)

G_END_DECLS
