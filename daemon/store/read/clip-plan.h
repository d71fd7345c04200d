/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-database.h"
#include "clip-terms.h"
G_BEGIN_DECLS

/* ids from first to last; last is 0 where there are none */
typedef struct
{
  gint64 first;
  gint64 last;
} ClipStretch;

/* Which entries may hold what is searched, as far as the index knows. */
typedef struct ClipPlan ClipPlan;

ClipPlan *clip_plan_new (ClipTerms *terms_take);
void clip_plan_free (ClipPlan *self);
gboolean clip_plan_next (ClipPlan *self,
                         ClipDatabase *database,
                         gint64 before,
                         gint64 after,
                         ClipStretch *out_stretch,
                         GError **error);
guint clip_plan_n_loaded (const ClipPlan *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipPlan, clip_plan_free)

G_END_DECLS
