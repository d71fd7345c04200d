/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* What a text must hold: all of some words, a regular expression, or both. */
typedef struct ClipMatch ClipMatch;

ClipMatch *clip_match_new (const char *const *words, const char *regex, GError **error);
void clip_match_free (ClipMatch *self);
gboolean clip_match_is_for (const ClipMatch *self,
                            const char *const *words,
                            const char *regex);
void clip_match_set_deadline (ClipMatch *self, gint64 deadline_us);
gboolean clip_match_test (ClipMatch *self, const void *text, gsize length);
guint clip_match_n_given_up (const ClipMatch *self);
void clip_match_where (const ClipMatch *self, gsize *out_start, gsize *out_end);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipMatch, clip_match_free)

G_END_DECLS
