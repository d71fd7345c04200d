/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-suspicion.h"

#include "clip-mime.h"

/* another manager fills an empty clipboard at once */
#define BROUGHT_BACK_US G_USEC_PER_SEC

/* @held: whether the clipboard holds what may be a secret; after one it is suspected for a while yet */
void
clip_suspicion_set (ClipSuspicion *self, gboolean held)
{
  if (self->held && !held)
    self->until_us = g_get_monotonic_time () + CLIP_POLICY_SECRET_US;
  self->held = held;
  self->is_unread = FALSE;
}

/* @drop: what has become of what the clipboard holds; @is_unread: nobody knows what it was */
void
clip_suspicion_judge (ClipSuspicion *self, ClipDrop drop, gboolean is_unread)
{
  clip_suspicion_set (self, clip_drop_is_private (drop));
  self->is_unread = self->held && is_unread;
}

static void
expect_back (ClipSuspicion *self)
{
  self->unread_until_us = g_get_monotonic_time () + BROUGHT_BACK_US;
}

/* what has gone already turns out to have been one, perhaps */
void
clip_suspicion_recall (ClipSuspicion *self, ClipDrop drop, gboolean is_unread)
{
  if (!clip_drop_is_private (drop))
    return;
  self->until_us = g_get_monotonic_time () + CLIP_POLICY_SECRET_US;
  if (is_unread)
    expect_back (self);
}

/* its owner has gone, and nobody has taken its place */
void
clip_suspicion_clear (ClipSuspicion *self)
{
  if (self->is_unread)
    expect_back (self);
  clip_suspicion_set (self, FALSE);
}

/* so long after a secret, what an old watcher beside us stores may still be that one */
gboolean
clip_suspicion_lasts (const ClipSuspicion *self)
{
  return self->held || g_get_monotonic_time () < self->until_us;
}

/* as a manager offers what it has kept of a copy, and hardly any program what is copied there */
static gboolean
is_bare_text (ClipOffer *offer)
{
  const char *const *mimes = clip_offer_mimes (offer);

  return mimes[0] && !mimes[1] && clip_mime_is_plain (mimes[0]);
}

/**
 * clip_suspicion_meets:
 *
 * A desktop may go on offering a part of a copy whose owner has gone; of a secret, without
 * its mark. Another manager may do so, too: what was read is known by its bytes, and of what was
 * not, because it could be pasted once, nothing else tells.
 *
 * Returns: whether @offer is that: the clipboard holds the secret again then
 */
gboolean
clip_suspicion_meets (ClipSuspicion *self, ClipOffer *offer)
{
  const gboolean is_brought_back =
      g_get_monotonic_time () < self->unread_until_us && is_bare_text (offer);

  if (!is_brought_back && (!clip_offer_is_kept (offer) || !clip_suspicion_lasts (self)))
    return FALSE;
  clip_suspicion_set (self, TRUE);
  return TRUE;
}
