/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-secrecy.h"

#include <gio/gio.h>
G_BEGIN_DECLS

typedef enum
{
  CLIP_SELECTION_CLIPBOARD,
  CLIP_SELECTION_PRIMARY,
} ClipSelection;

/* What some program offers at the moment: a list of types, nothing read yet. An offer
 * that has been replaced stays valid as an object, but nothing new can be received from
 * it. A signal:
 *
 *   "announced" (gint64 bytes)   no less will come of the content that is being received,
 *                                as its owner says; not every display has a word for it
 */
#define CLIP_TYPE_OFFER (clip_offer_get_type ())
G_DECLARE_FINAL_TYPE (ClipOffer, clip_offer, CLIP, OFFER, GObject)

/* the most types of one offer that are kept; of so many more it is looked whether they
 * mark a secret, and what has yet more counts as one */
#define CLIP_OFFER_MAX_MIMES 256
#define CLIP_OFFER_MAX_DROPPED 4096

ClipOffer *clip_offer_new (ClipSelection selection, gboolean initial);
void clip_offer_add_mime (ClipOffer *self, const char *mime);
void clip_offer_set_selection (ClipOffer *self, ClipSelection selection);
void clip_offer_set_app (ClipOffer *self, const char *app);
void clip_offer_set_remnant (ClipOffer *self);
void clip_offer_set_bridged (ClipOffer *self);
void clip_offer_set_replaced (ClipOffer *self);
void clip_offer_announce (ClipOffer *self, goffset at_least_bytes);

ClipSelection clip_offer_selection (ClipOffer *self);
const char *const *clip_offer_mimes (ClipOffer *self);
gboolean clip_offer_has_mime (ClipOffer *self, const char *mime);
void clip_offer_set_silent (ClipOffer *self);
gboolean clip_offer_is_silent (ClipOffer *self);
ClipSecrecy clip_offer_secrecy (ClipOffer *self);
guint clip_offer_n_dropped (ClipOffer *self);
const char *clip_offer_app (ClipOffer *self);
gboolean clip_offer_is_initial (ClipOffer *self);
gboolean clip_offer_is_remnant (ClipOffer *self);
gboolean clip_offer_is_own (ClipOffer *self);
gboolean clip_offer_is_bridged (ClipOffer *self);
gboolean clip_offer_is_replaced (ClipOffer *self);

G_END_DECLS
