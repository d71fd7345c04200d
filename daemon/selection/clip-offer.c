/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-offer.h"

#include "clip-mime.h"
#include "clip-source.h"

struct _ClipOffer
{
  GObject parent_instance;
  ClipSelection selection;
  GPtrArray *mimes; /* NULL-terminated once read */
  char *app;
  guint n_dropped;
  gboolean is_silent;
  gboolean has_lost_mark; /* of a secret, among what was dropped */
  gboolean initial;
  gboolean is_remnant;
  gboolean own;
  gboolean bridged;
  gboolean replaced;
};

static guint announced_signal;

G_DEFINE_FINAL_TYPE (ClipOffer, clip_offer, G_TYPE_OBJECT)

static void
clip_offer_finalize (GObject *object)
{
  ClipOffer *self = CLIP_OFFER (object);

  g_ptr_array_unref (self->mimes);
  g_free (self->app);
  G_OBJECT_CLASS (clip_offer_parent_class)->finalize (object);
}

static void
clip_offer_class_init (ClipOfferClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = clip_offer_finalize;
  announced_signal = g_signal_new ("announced", CLIP_TYPE_OFFER, G_SIGNAL_RUN_LAST, 0,
                                   NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_INT64);
}

static void
clip_offer_init (ClipOffer *self)
{
  self->mimes = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (self->mimes, NULL);
}

/**
 * clip_offer_new:
 * @initial: whether it was there before we watched: such an offer is not a new copy
 */
ClipOffer *
clip_offer_new (ClipSelection selection, gboolean initial)
{
  ClipOffer *self = g_object_new (CLIP_TYPE_OFFER, NULL);

  self->selection = selection;
  self->initial = initial;
  return self;
}

/**
 * clip_offer_add_mime:
 * @mime: untrusted bytes from a peer
 *
 * Appends a type in the order offered. A name that is no MIME name, stands there already,
 * or comes after the first %CLIP_OFFER_MAX_MIMES is dropped and counted, when it has been
 * looked at: one that marks a secret is not forgotten, and one that cannot be asked
 * about is such a mark. Our own token marks the offer as our own (clip_source_token()).
 */
void
clip_offer_add_mime (ClipOffer *self, const char *mime)
{
  if (g_strcmp0 (mime, clip_source_token ()) == 0)
    {
      self->own = TRUE;
      return;
    }
  if (!clip_mime_is_offered (mime) || self->mimes->len > CLIP_OFFER_MAX_MIMES)
    {
      self->n_dropped++;
      self->has_lost_mark |= self->n_dropped > CLIP_OFFER_MAX_DROPPED ||
                             clip_secrecy_of_name (mime) != CLIP_SECRECY_NONE;
      return;
    }
  if (clip_offer_has_mime (self, mime))
    {
      self->n_dropped++;
      return;
    }
  g_ptr_array_insert (self->mimes, (int) self->mimes->len - 1, g_strdup (mime));
}

void
clip_offer_set_selection (ClipOffer *self, ClipSelection selection)
{
  self->selection = selection;
}

void
clip_offer_set_app (ClipOffer *self, const char *app)
{
  g_free (self->app);
  self->app = g_strdup (app);
}

/* no program has copied this: the desktop goes on offering a part of the copy before */
void
clip_offer_set_remnant (ClipOffer *self)
{
  self->is_remnant = TRUE;
}

/* what the compositor carries over from its other display: a watcher of that one has
   heard of it
 */
void
clip_offer_set_bridged (ClipOffer *self)
{
  self->bridged = TRUE;
}

/* another program owns the selection now: nothing new can be received from this offer */
void
clip_offer_set_replaced (ClipOffer *self)
{
  self->replaced = TRUE;
}

/* @at_least_bytes: of the one content that is being received */
void
clip_offer_announce (ClipOffer *self, goffset at_least_bytes)
{
  g_signal_emit (self, announced_signal, 0, at_least_bytes);
}

ClipSelection
clip_offer_selection (ClipOffer *self)
{
  return self->selection;
}

const char *const *
clip_offer_mimes (ClipOffer *self)
{
  return (const char *const *) self->mimes->pdata;
}

gboolean
clip_offer_has_mime (ClipOffer *self, const char *mime)
{
  return g_strv_contains (clip_offer_mimes (self), mime);
}

/* its program has not said what it has, or not so that it can be understood */
void
clip_offer_set_silent (ClipOffer *self)
{
  self->is_silent = TRUE;
}

gboolean
clip_offer_is_silent (ClipOffer *self)
{
  return self->is_silent;
}

/* what all names say that were offered, those that were dropped, too */
ClipSecrecy
clip_offer_secrecy (ClipOffer *self)
{
  return self->has_lost_mark ? CLIP_SECRECY_SECRET
                             : clip_secrecy_of_names (clip_offer_mimes (self));
}

guint
clip_offer_n_dropped (ClipOffer *self)
{
  return self->n_dropped;
}

/* (nullable): the program that copied, where the display tells */
const char *
clip_offer_app (ClipOffer *self)
{
  return self->app;
}

gboolean
clip_offer_is_initial (ClipOffer *self)
{
  return self->initial;
}

gboolean
clip_offer_is_remnant (ClipOffer *self)
{
  return self->is_remnant;
}

/* It is what we offer ourselves: never to be read, as we would wait for ourselves. Each
 * program is told our token, and we offer no mark. */
gboolean
clip_offer_is_own (ClipOffer *self)
{
  return self->own && clip_offer_secrecy (self) == CLIP_SECRECY_NONE;
}

gboolean
clip_offer_is_bridged (ClipOffer *self)
{
  return self->bridged;
}

gboolean
clip_offer_is_replaced (ClipOffer *self)
{
  return self->replaced;
}
