/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-mutter-remnant.h"

/* what Mutter keeps, the best one last */
static const char *const ranks[] = {
  "image/tiff",    "image/bmp",  "image/gif",
  "image/jpeg",    "image/webp", "image/png",
  "image/svg+xml", "text/plain", "text/plain;charset=utf-8",
};

/**
 * clip_mutter_remnant_type:
 *
 * Returns: (nullable): which of these types Mutter reads and keeps, one of a few
 * constants
 */
const char *
clip_mutter_remnant_type (const char *const *mimes)
{
  for (guint i = G_N_ELEMENTS (ranks); i > 0; i--)
    if (g_strv_contains (mimes, ranks[i - 1]))
      return ranks[i - 1];
  return NULL;
}

/**
 * clip_mutter_remnant_hear:
 * @mimes: (nullable): what is selected now; %NULL = nothing
 * @now_us: monotonic time
 *
 * Call it with every change.
 *
 * Returns: whether no program has copied this: it is all that Mutter has of the copy
 * before
 */
gboolean
clip_mutter_remnant_hear (ClipMutterRemnant *self,
                          const char *const *mimes,
                          gint64 now_us)
{
  gboolean is_remnant = self->kept && self->emptied_us != 0 && mimes && mimes[0] &&
                        !mimes[1] && g_str_equal (mimes[0], self->kept) &&
                        now_us - self->emptied_us < CLIP_MUTTER_REMNANT_US;

  self->emptied_us = mimes ? 0 : now_us;
  if (mimes)
    self->kept = clip_mutter_remnant_type (mimes);
  return is_remnant;
}

/**
 * clip_mutter_remnant_miss:
 *
 * From now on nothing is heard for a while: the owner may go meanwhile.
 */
void
clip_mutter_remnant_miss (ClipMutterRemnant *self)
{
  self->emptied_us = G_MAXINT64;
}
