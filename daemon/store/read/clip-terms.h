/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* What the index is asked for: trigrams that must all be there, by alternative. */
typedef struct
{
  GPtrArray *alternatives; /* GArray of guint32 */
} ClipTerms;

ClipTerms *clip_terms_new (const char *const *words, const char *regex);
void clip_terms_free (ClipTerms *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipTerms, clip_terms_free)

G_END_DECLS
