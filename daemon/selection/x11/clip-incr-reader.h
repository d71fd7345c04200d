/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-x11-display.h"
G_BEGIN_DECLS

typedef enum
{
  CLIP_INCR_CHUNK,  /* bytes are there: take them, then step again */
  CLIP_INCR_WAIT,   /* the owner's next chunk has to come first */
  CLIP_INCR_END,    /* that was all, and the owner said so */
  CLIP_INCR_FAILED, /* the error is set */
} ClipIncrStep;

/* Reads what an owner puts into a property of ours, all at once or by INCR. */
typedef struct ClipIncrReader ClipIncrReader;

ClipIncrReader *clip_incr_reader_new (ClipX11Display *display, xcb_window_t window);
void clip_incr_reader_free (ClipIncrReader *self);
gboolean clip_incr_reader_notify (ClipIncrReader *self, const xcb_generic_event_t *event);
ClipIncrStep clip_incr_reader_step (ClipIncrReader *self,
                                    const guint8 **out_data,
                                    gsize *out_length,
                                    GError **error);
guint32 clip_incr_reader_at_least (const ClipIncrReader *self);
gboolean clip_incr_reader_is_incr (const ClipIncrReader *self);
gboolean clip_incr_reader_has_ended (const ClipIncrReader *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipIncrReader, clip_incr_reader_free)

G_END_DECLS
