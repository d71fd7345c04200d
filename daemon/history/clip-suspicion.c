/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-suspicion.h"

#include "clip-policy.h"

void
clip_suspicion_set (ClipSuspicion *self, gboolean held)
{
  if (self->held && !held)
    self->until_us = g_get_monotonic_time () + CLIP_POLICY_SECRET_US;
  self->held = held;
}

/* what has gone already turns out to have been one */
void
clip_suspicion_recall (ClipSuspicion *self)
{
  self->until_us = g_get_monotonic_time () + CLIP_POLICY_SECRET_US;
}

/* so long after a secret, what an old watcher beside us stores may still be that secret
 */
gboolean
clip_suspicion_lasts (const ClipSuspicion *self)
{
  return self->held || g_get_monotonic_time () < self->until_us;
}

/**
 * clip_suspicion_meets:
 *
 * A desktop may go on offering a part of a copy whose owner has gone; of a secret, without
 * its mark.
 *
 * Returns: whether @offer is that: the clipboard holds the secret again then
 */
gboolean
clip_suspicion_meets (ClipSuspicion *self, ClipOffer *offer)
{
  if (!clip_offer_is_kept (offer) || !clip_suspicion_lasts (self))
    return FALSE;
  clip_suspicion_set (self, TRUE);
  return TRUE;
}
