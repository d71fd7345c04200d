/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* so soon after a clipboard became empty Mutter offers what it has kept itself: at once,
 * as we would hear on a machine that has nothing else to do */
#define CLIP_MUTTER_REMNANT_US (250 * G_TIME_SPAN_MILLISECOND)

/* Tells a copy from what Mutter itself offers when an owner has gone: it reads one type
 * of each selection and keeps it. */
typedef struct
{
  const char *kept; /* interned: the type that it has read, NULL = none */
  gint64 emptied_us;
} ClipMutterRemnant;

const char *clip_mutter_remnant_type (const char *const *mimes);
gboolean clip_mutter_remnant_hear (ClipMutterRemnant *self,
                                   const char *const *mimes,
                                   gint64 now_us);
void clip_mutter_remnant_miss (ClipMutterRemnant *self);

G_END_DECLS
