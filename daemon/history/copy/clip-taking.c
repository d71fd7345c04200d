/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-taking.h"

#include <string.h>

/* a program names itself, and may write anything there */
#define MAX_APP_BYTES 255

/* (transfer full): where the entry says that it comes from */
static char *
make_origin (ClipBackend *backend, ClipOffer *offer)
{
  const char *named = clip_offer_app (offer);
  g_autofree char *app =
      named ? g_utf8_make_valid (named, (gssize) strnlen (named, MAX_APP_BYTES)) : NULL;
  const char *selection =
      clip_offer_selection (offer) == CLIP_SELECTION_PRIMARY ? "primary" : "clipboard";

  return g_strjoin (" ", clip_backend_name (backend), selection, app, NULL);
}

/**
 * clip_taking_prepare:
 *
 * Returns: (transfer full): a capture of @offer, which is yet to be run
 */
ClipCapture *
clip_taking_prepare (const ClipTaking *self, ClipBackend *backend, ClipOffer *offer)
{
  g_autofree char *origin = make_origin (backend, offer);
  g_autoptr (ClipIntake) intake =
      clip_intake_new (self->store, self->transfers, self->settings, origin);
  ClipCapture *capture;

  clip_intake_set_patience (intake, CLIP_POLICY_FIRST_MS, CLIP_POLICY_IDLE_MS);
  clip_intake_set_unwritten (intake, CLIP_POLICY_UNWRITTEN_BYTES);
  if (clip_offer_is_initial (offer))
    clip_intake_set_initial (intake);
  capture = clip_capture_new (backend, offer, intake, self->transfers);
  clip_capture_set_guards (capture, self->ignore, self->secrets);
  if (self->traffic)
    clip_intake_set_gauge (intake,
                           clip_traffic_join (self->traffic, CLIP_TRAFFIC_IN, capture));
  return capture;
}
