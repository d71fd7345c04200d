/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The way in, of one copy:
 *
 *   check     is it a secret? (clip-secret-check): one ends here
 *   receive   the wanted types, one request at a time, since their owner is a program of
 *             one thread (clip-receive), into the entry they make (clip-entry-builder);
 *             where these are blank or empty, the next best of what is offered
 *   conclude  all that comes is there: has what came before been heard, may it be kept?
 *   add       to the store
 *
 * A copy that is replaced meanwhile is finished and not cancelled: the pipe that is open
 * is drained, nothing further is asked for, and what arrived counts where its end can be
 * trusted.
 */
#define G_LOG_DOMAIN "clip-history"
#include "clip-capture.h"

#include "clip-error.h"
#include "clip-mime.h"
#include "clip-secret-check.h"

#include <string.h>
#include <sys/resource.h>

/* that come at once: large ones are few, but of a program that copies in a loop there are
 * as many as it made while the disk held us up. Each holds four descriptors or less, and
 * one of a program that offers all there is, or blanks in many types, sixteen. */
#define MOST_COMING 256

/* of what the process may have open: two selections, and room for all else */
#define FILES_FOR_ONE 32

/* when so many contents have come, and none is enough for an entry, none will be */
#define MOST_BLANK 4

/* a program names itself, and may write anything there */
#define MAX_APP_BYTES 255

struct _ClipCapture
{
  GObject parent_instance;
  ClipBackend *backend;
  ClipOffer *offer;
  ClipStore *store;
  ClipTransfers *transfers;
  ClipEntryBuilder *builder;
  ClipTransferProgress *progress; /* (nullable) */
  ClipIgnore *ignore;
  ClipSecretFingerprints *fingerprints;
  GPtrArray *mimes; /* borrowed from the offer */
  guint next;

  gboolean is_starting;  /* clip_capture_run() has not returned */
  gboolean is_receiving; /* a content */
  gboolean replaced;
  gboolean partial;
  GStrv types; /* (nullable): that have come, once all has */
  gboolean text_only;
  gboolean too_large;  /* a content that is not the first */
  GError *stalled;     /* (nullable): the owner did not hand over a content */
  guint n_holds;       /* nothing is kept before as many of clip_capture_let_go() */
  gboolean abandoned;  /* nothing is kept at all */
  ClipDrop why;        /* that is told then */
  gboolean waits;      /* for nothing but that */
  gboolean is_synced;  /* what came before the last byte has been heard */
  ClipBackend *origin; /* (nullable): what that knows of it has still to be heard */
  gboolean is_untold;  /* that does not know what was copied there a moment ago */

  GCancellable *cancellable; /* (nullable): of the caller */
  gulong cancelled_id;
  GCancellable *receiving; /* what is asked of the owner */
  ClipCaptureFunc done;
  gpointer user_data;
};

enum
{
  NO_SECRET, /* its owner says so, and is asked for its contents now */
  N_SIGNALS
};
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (ClipCapture, clip_capture, G_TYPE_OBJECT)

static void conclude (ClipCapture *self);

static void
clip_capture_dispose (GObject *object)
{
  ClipCapture *self = CLIP_CAPTURE (object);

  g_clear_object (&self->backend);
  g_clear_object (&self->offer);
  g_clear_object (&self->origin);
  g_clear_object (&self->store);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->receiving);
  g_clear_pointer (&self->builder, clip_entry_builder_free);
  g_clear_pointer (&self->progress, clip_transfer_progress_unref);
  g_clear_pointer (&self->mimes, g_ptr_array_unref);
  g_clear_pointer (&self->types, g_strfreev);
  g_clear_error (&self->stalled);
  g_clear_pointer (&self->ignore, clip_ignore_unref);
  g_clear_pointer (&self->fingerprints, clip_secret_fingerprints_unref);
  G_OBJECT_CLASS (clip_capture_parent_class)->dispose (object);
}

static void
clip_capture_class_init (ClipCaptureClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = clip_capture_dispose;
  signals[NO_SECRET] = g_signal_new ("no-secret", CLIP_TYPE_CAPTURE, G_SIGNAL_RUN_LAST, 0,
                                     NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
clip_capture_init (ClipCapture *self)
{
  self->receiving = g_cancellable_new ();
}

/* if further contents follow, their size is unknown */
static void
on_announced (ClipOffer *offer G_GNUC_UNUSED, goffset at_least_bytes, ClipCapture *self)
{
  if (self->is_receiving && self->next == self->mimes->len)
    clip_transfer_progress_expect (
        self->progress, clip_entry_builder_bytes (self->builder) + at_least_bytes);
}

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

static ClipEntryBuilder *
make_builder (ClipBackend *backend, ClipOffer *offer, const ClipCaptureTerms *terms)
{
  g_autofree char *origin = make_origin (backend, offer);
  ClipEntryBuilder *builder = clip_entry_builder_new (terms->settings, origin);

  clip_entry_builder_set_guards (builder, terms->ignore, terms->fingerprints);
  if (clip_offer_is_initial (offer))
    clip_entry_builder_set_initial (builder);
  return builder;
}

/* @offered: (element-type utf8): ends with %NULL. @ignore: (nullable): types that are not
 * to be kept. Returns: (transfer container): those of them to ask for */
static GPtrArray *
choose (ClipCapture *self, const char *const *offered, ClipIgnore *ignore)
{
  GPtrArray *mimes = clip_mime_choose (offered);

  for (guint i = mimes->len; i-- > 0;)
    if ((ignore && clip_ignore_mime (ignore, mimes->pdata[i])) ||
        (self->text_only && !clip_mime_is_plain (mimes->pdata[i])))
      g_ptr_array_remove_index (mimes, i);
  return mimes;
}

/* Returns: (transfer container): in which a secret is read: those to ask for, and then
 * those that would not be kept, in which it may come back */
static GPtrArray *
choose_all (ClipCapture *self)
{
  g_autoptr (GPtrArray) all = choose (self, clip_offer_mimes (self->offer), NULL);
  GPtrArray *mimes = g_ptr_array_copy (self->mimes, NULL, NULL);

  for (guint i = 0; i < all->len; i++)
    if (!g_ptr_array_find (mimes, all->pdata[i], NULL))
      g_ptr_array_add (mimes, all->pdata[i]);
  return mimes;
}

/**
 * clip_capture_new:
 * @terms: read during the call; its objects are referenced
 */
ClipCapture *
clip_capture_new (ClipBackend *backend, ClipOffer *offer, const ClipCaptureTerms *terms)
{
  ClipCapture *self = g_object_new (CLIP_TYPE_CAPTURE, NULL);

  self->backend = g_object_ref (backend);
  self->offer = g_object_ref (offer);
  self->store = g_object_ref (terms->store);
  self->transfers = terms->transfers;
  self->ignore = clip_ignore_ref (terms->ignore);
  self->fingerprints = clip_secret_fingerprints_ref (terms->fingerprints);
  self->builder = make_builder (backend, offer, terms);
  self->mimes = choose (self, clip_offer_mimes (self->offer), self->ignore);
  if (terms->long_transfers)
    self->progress = clip_transfer_progress_ref (
        clip_long_transfers_add (terms->long_transfers, CLIP_TRANSFER_IN, self));
  g_signal_connect_object (offer, "announced", G_CALLBACK (on_announced), self, 0);
  return self;
}

/* asks for the plain text alone; what has none is nothing */
void
clip_capture_set_text_only (ClipCapture *self)
{
  self->text_only = TRUE;
  g_ptr_array_unref (self->mimes);
  self->mimes = choose (self, clip_offer_mimes (self->offer), self->ignore);
}

/* another copy has been made: what is open is finished, nothing further is asked for */
void
clip_capture_set_replaced (ClipCapture *self)
{
  self->replaced = TRUE;
}

/**
 * clip_capture_hold:
 *
 * Takes in what there is, and keeps nothing before clip_capture_let_go(), once for each
 * hold, or clip_capture_abandon().
 */
void
clip_capture_hold (ClipCapture *self)
{
  self->n_holds++;
}

/* the display that it is of */
ClipBackend *
clip_capture_backend (ClipCapture *self)
{
  return self->backend;
}

/**
 * clip_capture_set_origin:
 * @origin: the display that a bridge may have brought the copy from
 *
 * Keeps nothing before all has been heard that happened there before the last byte: the
 * bridge gives what the program there has by then, which may be its next copy, a secret.
 */
void
clip_capture_set_origin (ClipCapture *self, ClipBackend *origin)
{
  g_set_object (&self->origin, origin);
}

/* --- its end --- */

typedef struct
{
  ClipCapture *capture;
  ClipCaptured captured;
  GError *error; /* (nullable) */
} Ending;

static gboolean
on_ended (gpointer user_data)
{
  g_autofree Ending *self = user_data;
  g_autoptr (ClipCapture) capture = self->capture;
  g_autoptr (GError) error = self->error;

  capture->done (capture, &self->captured, error, capture->user_data);
  return G_SOURCE_REMOVE;
}

static void
finish (ClipCapture *self, ClipCaptured captured, GError *error_take)
{
  Ending *ending = g_new (Ending, 1);

  *ending =
      (Ending){ self, captured, error_take }; /* the reference of clip_capture_run() */
  if (self->cancellable)
    g_clear_signal_handler (&self->cancelled_id, self->cancellable);
  if (self->is_starting)
    g_idle_add_full (G_PRIORITY_DEFAULT, on_ended, ending, NULL);
  else
    on_ended (ending);
}

static void
finish_dropped (ClipCapture *self, ClipDrop drop)
{
  finish (self, (ClipCaptured){ .drop = drop }, NULL);
}

/* one that is given up as a secret has not been compared with any */
static void
finish_abandoned (ClipCapture *self)
{
  finish (
      self,
      (ClipCaptured){ .drop = self->why, .is_unknown = self->why == CLIP_DROP_SECRET },
      NULL);
}

static void
fail (ClipCapture *self, GError *error_take)
{
  clip_policy_name_full_disk (error_take);
  finish (self, (ClipCaptured){ 0 }, error_take);
}

/* --- to the store --- */

static void
on_added (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ClipCapture) self = user_data;
  ClipCaptured captured = { 0 };
  GError *error = NULL;

  if (!clip_store_change_finish (CLIP_STORE (source), result, &captured.added, &error))
    {
      fail (self, error);
      return;
    }
  if (captured.added.is_late)
    {
      finish_dropped (self, CLIP_DROP_DELETED);
      return;
    }
  g_debug ("copy kept as entry %" G_GINT64_FORMAT, captured.added.id);
  captured.whole = captured.added.id != 0 && !self->partial;
  captured.types = (const char *const *) self->types;
  finish (self, captured, NULL);
}

/* what made it blank, or nothing at all, may be that the rest has not come */
static void
refuse (ClipCapture *self, ClipDrop drop)
{
  if (drop == CLIP_DROP_BLANK && self->stalled)
    fail (self, g_steal_pointer (&self->stalled));
  else if (drop == CLIP_DROP_BLANK && self->too_large)
    finish_dropped (self, CLIP_DROP_TOO_LARGE);
  else
    finish_dropped (self, drop);
}

static void
give_to_store (ClipCapture *self)
{
  ClipLimits limits = clip_entry_builder_limits (self->builder);
  GError *error = NULL;
  ClipDrop drop;
  ClipDraft *draft;

  self->types = clip_entry_builder_types (self->builder);
  draft = clip_entry_builder_finish (self->builder, &drop, &error);
  if (error)
    fail (self, error);
  else if (!draft)
    refuse (self, drop);
  else
    clip_store_change_async (self->store, clip_change_add (draft, &limits), on_added,
                             g_object_ref (self));
}

/* what it turned out to be meanwhile counts */
static void
on_looked (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ClipCapture) self = user_data;
  GError *error = NULL;

  if (!clip_entry_builder_look_finish (self->builder, result, &error))
    fail (self, error);
  else if (self->abandoned)
    finish_abandoned (self);
  else
    give_to_store (self);
}

static void
add (ClipCapture *self)
{
  if (clip_entry_builder_has_patterns (self->builder))
    clip_entry_builder_look_async (self->builder, on_looked, g_object_ref (self));
  else
    give_to_store (self);
}

static void
on_synced (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ClipCapture) self = user_data;

  clip_backend_sync_finish (CLIP_BACKEND (source), result);
  self->is_synced = TRUE;
  if (self->is_untold && clip_offer_is_replaced (self->offer))
    {
      g_debug ("what went untold on the other display may have come under this copy");
      clip_capture_abandon (self, CLIP_DROP_NONE);
    }
  conclude (self);
}

static void
on_origin_synced (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ClipCapture) self = user_data;

  self->is_untold = !clip_backend_sync_finish (CLIP_BACKEND (source), result);
  /* what went there, untold, has been replaced: here, too, once that is heard */
  self->is_synced = !self->is_untold;
  conclude (self);
}

static void
ask_origin (ClipCapture *self)
{
  g_autoptr (ClipBackend) origin = g_steal_pointer (&self->origin);

  clip_backend_sync_async (origin, on_origin_synced, g_object_ref (self));
}

/* Everything that comes is there: what becomes of it is for those to say who know more.
 * Some compositors answer for an old offer with what has replaced it, which may be a
 * secret: the display that tells of it first has us abandoned. Whose it is may have
 * become known only now. */
static void
conclude (ClipCapture *self)
{
  if (self->abandoned)
    clip_entry_builder_drop_all (self->builder);
  if (clip_backend_mirrors (self->backend) && !self->is_synced)
    {
      clip_backend_sync_async (self->backend, on_synced, g_object_ref (self));
      return;
    }
  self->waits = FALSE;
  if (self->abandoned)
    finish_abandoned (self);
  else if (clip_ignore_app (self->ignore, clip_offer_app (self->offer)))
    finish_dropped (self, CLIP_DROP_IGNORED);
  else if (self->origin)
    ask_origin (self);
  else if (self->n_holds > 0)
    self->waits = TRUE;
  else
    add (self);
}

/* ends clip_capture_hold(): what is there by now, or comes, is kept */
void
clip_capture_let_go (ClipCapture *self)
{
  self->n_holds--;
  if (self->waits && self->n_holds == 0)
    conclude (self);
}

/* ends it, without an entry, and without asking for anything further; what has been
 * handed to the store is kept. What has come goes at once, with its descriptors: the
 * display that is waited for may take its time. @why: what is said of it;
 * %CLIP_DROP_NONE: nothing */
void
clip_capture_abandon (ClipCapture *self, ClipDrop why)
{
  self->abandoned = self->replaced = TRUE;
  self->why = why;
  clip_entry_builder_drop_all (self->builder);
  if (self->is_receiving)
    g_cancellable_cancel (self->receiving);
  if (self->waits)
    conclude (self);
}

static guint
most_coming (ClipBackend *backend)
{
  const guint most = clip_backend_most_copies (backend) ?: MOST_COMING;
  struct rlimit files = { 0 };

  return getrlimit (RLIMIT_NOFILE, &files) < 0
             ? most
             : (guint) MIN (most, MAX (files.rlim_cur / FILES_FOR_ONE, 1));
}

/**
 * clip_capture_join:
 * @coming: (element-type ClipCapture): those of one selection that have not ended, oldest
 * first; holds @self, too, from now on
 *
 * An owner that was replaced, and sends on as slowly as it may, costs descriptors, of
 * which we have so many, and on a display perhaps more: of more than a few such copies
 * the oldest is given up.
 */
void
clip_capture_join (ClipCapture *self, GPtrArray *coming)
{
  const guint most = most_coming (self->backend);
  g_autoptr (ClipCapture) oldest = NULL;

  g_ptr_array_add (coming, g_object_ref (self));
  if (coming->len <= most)
    return;
  g_message ("a copy is given up: %u others have come since it began", most);
  oldest = g_object_ref (coming->pdata[coming->len - most - 1]);
  clip_capture_abandon (oldest, CLIP_DROP_NONE);
  g_cancellable_cancel (oldest->receiving); /* a secret that is read, too */
}

/* --- its contents --- */

static void receive_next (ClipCapture *self);

/* whether another type may be asked for in the place of what has come, or has not */
static gboolean
may_choose_again (ClipCapture *self)
{
  return clip_entry_builder_n_contents (self->builder) < MOST_BLANK &&
         !clip_entry_builder_has_primary (self->builder) &&
         clip_entry_builder_may_look_on (self->builder);
}

/* an owner that stalls has one more chance where nothing is there for an entry, and is
 * asked for nothing more else */
static void
on_content_failed (ClipCapture *self, GError *error_take)
{
  g_autoptr (GError) error = error_take;
  const gboolean too_large = g_error_matches (error, CLIP_ERROR, CLIP_ERROR_TOO_LARGE);
  const gboolean is_stalled = g_error_matches (error, CLIP_ERROR, CLIP_ERROR_STALLED);
  const gboolean is_primary = clip_entry_builder_n_contents (self->builder) == 0;

  self->partial = TRUE;
  if (self->abandoned)
    receive_next (self); /* which asks for none */
  else if (too_large && is_primary)
    finish_dropped (self, CLIP_DROP_TOO_LARGE);
  else if (too_large)
    {
      self->too_large = TRUE;
      receive_next (self);
    }
  else if (is_stalled && !self->stalled && may_choose_again (self))
    {
      self->stalled = g_steal_pointer (&error);
      receive_next (self);
    }
  else if (is_primary || g_error_matches (error, CLIP_ERROR, CLIP_ERROR_NO_SPACE))
    fail (self, g_steal_pointer (&error));
  else
    {
      self->replaced = TRUE;
      receive_next (self);
    }
}

/* Whether what came last may be believed to be whole, although its owner may have been
 * stopped: a picture shows its end, and what is small came in one piece */
static gboolean
seems_whole (ClipCapture *self)
{
  const ClipEnding ending = clip_entry_builder_last_ending (self->builder);

  return ending == CLIP_ENDING_THERE ||
         (ending == CLIP_ENDING_UNKNOWN &&
          clip_entry_builder_last_is_small (self->builder));
}

/* where nothing else makes an entry, it is told of */
static void
drop_last (ClipCapture *self)
{
  clip_entry_builder_drop_last (self->builder);
  self->partial = TRUE;
  if (!self->stalled)
    self->stalled = g_error_new (CLIP_ERROR, CLIP_ERROR_STALLED,
                                 "receive '%s': its owner stopped before its end",
                                 (const char *) self->mimes->pdata[self->next - 1]);
}

/* The end of a pipe is believed as long as its owner has what was copied: it is what a
 * paste gives. One that was replaced, or has gone, had reason to stop. */
static void
judge_end (ClipCapture *self, ClipVerdict verdict)
{
  const gboolean is_stopped =
      verdict == CLIP_VERDICT_EOF && self->replaced && !seems_whole (self);

  if (is_stopped || verdict == CLIP_VERDICT_BROKEN)
    drop_last (self);
  receive_next (self);
}

static void
on_end_synced (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ClipCapture) self = user_data;

  clip_backend_sync_finish (CLIP_BACKEND (source), result);
  if (self->abandoned)
    conclude (self);
  else
    judge_end (self, CLIP_VERDICT_EOF);
}

/* the end of a pipe is often seen before the news of what was its reason */
static gboolean
may_be_cut_off (ClipCapture *self, ClipVerdict verdict)
{
  return verdict == CLIP_VERDICT_EOF && !self->replaced && !seems_whole (self);
}

static void
on_received (ClipReceived *received, gpointer user_data)
{
  g_autoptr (ClipCapture) self = user_data;
  const gboolean is_empty = received->content && received->content->size == 0;

  self->is_receiving = FALSE;
  if (received->content)
    clip_entry_builder_add (self->builder, g_steal_pointer (&received->content));
  if (received->error)
    on_content_failed (self, g_steal_pointer (&received->error));
  else if (is_empty)
    {
      /* some programs offer types that they have nothing for (Inkscape its HTML): where
       * the display says that this is all, nothing is missing */
      self->partial |= received->verdict != CLIP_VERDICT_WHOLE;
      receive_next (self);
    }
  else if (may_be_cut_off (self, received->verdict))
    clip_backend_sync_async (self->backend, on_end_synced, g_object_ref (self));
  else
    judge_end (self, received->verdict);
}

static guint
patience_ms (ClipCapture *self)
{
  return self->stalled || clip_entry_builder_has_primary (self->builder)
             ? CLIP_POLICY_BESIDE_MS
             : CLIP_POLICY_FIRST_MS;
}

/* What was asked for is blank or empty, or has not been answered: the next best of what
 * is offered may be what was copied. The other names of a blank text are blank, too. */
static void
choose_again (ClipCapture *self)
{
  const char *const *offered = clip_offer_mimes (self->offer);
  const gboolean is_blank = clip_entry_builder_n_contents (self->builder) > 0;
  g_autoptr (GPtrArray) rest = g_ptr_array_new ();
  g_autoptr (GPtrArray) next = NULL;

  for (gsize i = 0; offered[i]; i++)
    if (!(is_blank && clip_mime_is_plain (offered[i])) &&
        !g_ptr_array_find_with_equal_func (self->mimes, offered[i], g_str_equal, NULL))
      g_ptr_array_add (rest, (gpointer) offered[i]);
  g_ptr_array_add (rest, NULL);
  next = choose (self, (const char *const *) rest->pdata, self->ignore);
  g_ptr_array_extend (self->mimes, next, NULL, NULL);
}

/* asks for the next type, or comes to the end where there is none, or none is to be asked
   for */
static void
receive_next (ClipCapture *self)
{
  ClipReceiveTerms terms = clip_entry_builder_terms (self->builder, self->progress);

  if (!self->replaced && self->next == self->mimes->len && may_choose_again (self))
    choose_again (self);
  if (terms.limit < 0 && self->next < self->mimes->len)
    self->too_large = self->replaced = TRUE;
  if (self->replaced || self->next == self->mimes->len)
    {
      self->partial |= self->next < self->mimes->len;
      conclude (self);
      return;
    }
  terms.first_ms = patience_ms (self);
  terms.idle_ms = CLIP_POLICY_IDLE_MS;
  terms.unwritten = CLIP_POLICY_UNWRITTEN_BYTES;
  self->is_receiving = TRUE;
  clip_receive_content (self->backend, self->offer,
                        g_ptr_array_index (self->mimes, self->next++), self->store,
                        self->transfers, &terms, self->receiving, on_received,
                        g_object_ref (self));
}

/* the one that cancelled us has let the transfers go; where it has been replaced, the
 * answer may be that of the next copy */
static void
on_checked (ClipSecretKind kind, gpointer user_data)
{
  g_autoptr (ClipCapture) self = user_data;
  GError *error = NULL;

  if (kind != CLIP_SECRET_NONE)
    finish (self,
            (ClipCaptured){ .drop = CLIP_DROP_SECRET,
                            .is_unknown = kind != CLIP_SECRET_KNOWN,
                            .is_doubtful = kind == CLIP_SECRET_DOUBTFUL },
            NULL);
  else if (g_cancellable_set_error_if_cancelled (self->cancellable, &error))
    fail (self, error);
  else
    {
      if (!self->replaced)
        g_signal_emit (self, signals[NO_SECRET], 0);
      receive_next (self);
    }
}

static void
on_caller_cancelled (GCancellable *cancellable G_GNUC_UNUSED, ClipCapture *self)
{
  g_cancellable_cancel (self->receiving);
}

/**
 * clip_capture_run:
 * @done: called once, and not from here
 *
 * Captures the offer. What is dropped on purpose is not an error.
 *
 * Errors: %CLIP_ERROR_STALLED, %CLIP_ERROR_NO_SPACE, %CLIP_ERROR_NO_BACKEND,
 * %G_IO_ERROR_CANCELLED, %G_FILE_ERROR; nothing is left behind then.
 */
void
clip_capture_run (ClipCapture *self,
                  GCancellable *cancellable,
                  ClipCaptureFunc done,
                  gpointer user_data)
{
  g_autoptr (GPtrArray) mimes = choose_all (self);

  self->done = done;
  self->user_data = user_data;
  self->is_starting = TRUE;
  self->cancellable = g_object_ref (cancellable);
  self->cancelled_id =
      g_signal_connect (cancellable, "cancelled", G_CALLBACK (on_caller_cancelled), self);
  if (g_cancellable_is_cancelled (cancellable))
    g_cancellable_cancel (self->receiving);
  g_object_ref (self);
  clip_secret_check (self->backend, self->offer, mimes, self->transfers,
                     self->fingerprints, self->receiving, on_checked,
                     g_object_ref (self));
  self->is_starting = FALSE;
}
