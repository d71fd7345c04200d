/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-x11-property.h"
G_BEGIN_DECLS

/* Writes a content, chunk by chunk, into a property of another program's window. */
typedef struct ClipIncrWriter ClipIncrWriter;

ClipIncrWriter *clip_incr_writer_begin (ClipX11Display *display,
                                        const ClipX11Property *place,
                                        xcb_atom_t type,
                                        guint32 at_least_bytes);
void clip_incr_writer_free (ClipIncrWriter *self);
gboolean clip_incr_writer_notify (ClipIncrWriter *self, const xcb_generic_event_t *event);
gboolean clip_incr_writer_is_ready (const ClipIncrWriter *self);
gboolean clip_incr_writer_put (ClipIncrWriter *self, gconstpointer bytes, gsize n_bytes);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipIncrWriter, clip_incr_writer_free)

G_END_DECLS
