/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* A private folder for another program to work in, which goes with all that is in it,
 * also when a signal ends us while the program runs. There is one at a time. */
typedef struct ClipScratch ClipScratch;

ClipScratch *clip_scratch_new (GError **error);
void clip_scratch_free (ClipScratch *self);

char *clip_scratch_file (const ClipScratch *self, const char *name);
void clip_scratch_leave (ClipScratch *self);
gboolean clip_scratch_run (ClipScratch *self,
                           const char *const *argv,
                           int *out_status,
                           GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipScratch, clip_scratch_free)

G_END_DECLS
