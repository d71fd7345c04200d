/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <gio/gio.h>
G_BEGIN_DECLS

/* Hears out the displays: once that has ended, whatever they know of the clipboard by now has been
 * told. */
typedef struct ClipHearing ClipHearing;

ClipHearing *clip_hearing_new (GPtrArray *backends);
void clip_hearing_free (ClipHearing *self);
void clip_hearing_expect (ClipHearing *self);
void clip_hearing_found (ClipHearing *self);
gboolean clip_hearing_is_needed (ClipHearing *self);
void clip_hearing_run_async (ClipHearing *self,
                             GAsyncReadyCallback callback,
                             gpointer user_data);
gboolean clip_hearing_finish (GAsyncResult *result, GError **error);

G_END_DECLS
