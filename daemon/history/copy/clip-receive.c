/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * One content from whoever has it: from a descriptor into a stage, or from a display,
 * where it ends twice. The pipe comes to its end, and the display says what it knows
 * about that end; only both together are an answer, for a copy, for a password hint and
 * for a secret that is read to be known again alike.
 *
 * What fits a row is received in memory,
 * and the disk hears of it when the entry is committed: ten copies in a row do not wait
 * for a journal ten times. What turns out to be larger goes on where that ended, in a
 * file beside the blobs. A file is known to be large beforehand, and is received in one
 * go, because the kernel can share its blocks. Little in a memory file that nobody can
 * change is the content as it stands.
 *
 * What goes to the disk stops where that comes to its floor of free space: nothing is
 * deleted for bytes of which nobody knows whether their end ever comes. A file says how
 * long it is, and may go below the floor by as much: it is made up for when it has come
 * whole.
 */
#define G_LOG_DOMAIN "clip-history"
#include "clip-receive.h"

#include "clip-error.h"
#include "clip-fd.h"
#include "clip-pump.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

typedef struct
{
  ClipReceived *received;
  ClipStore *store;
  ClipTransfers *transfers;
  ClipReceiveTerms terms;
  GCancellable *cancellable;
  ClipReceivedFunc done;
  gpointer user_data;
  int source_fd;      /* ours, for what comes after the part in memory */
  goffset before;     /* bytes that were there when the present transfer began */
  gboolean is_file;   /* read by offset, each time from its start */
  gboolean may_spill; /* the limit of the present transfer is none of the content's */
  goffset size;       /* as the source says; 0 = it does not */
} Reception;

/* frees one that is nobody's; NULL is none */
void
clip_received_free (ClipReceived *self)
{
  if (!self)
    return;
  g_free (self->mime);
  clip_stage_unref (self->stage);
  g_free (self);
}

static void
reception_free (Reception *self)
{
  clip_received_free (self->received);
  g_clear_object (&self->store);
  g_clear_object (&self->cancellable);
  clip_gauge_unref (self->terms.gauge);
  clip_fd_clear_foreign (&self->source_fd);
  g_free (self);
}

/* the descriptor is closed before anybody hears of it */
static void
finish (Reception *self, const GError *error)
{
  clip_fd_clear_foreign (&self->source_fd);
  self->done (error ? NULL : g_steal_pointer (&self->received), error, self->user_data);
  reception_free (self);
}

static void
fail (Reception *self, GError *error_take)
{
  g_autoptr (GError) error = error_take;

  finish (self, error);
}

static void spill (Reception *self);
static void go_on_in_file (Reception *self);

static void
on_progress (goffset moved, gpointer user_data)
{
  Reception *self = user_data;

  clip_stage_advance (self->received->stage, self->before + moved);
  clip_gauge_advance (self->terms.gauge, self->terms.gauged + self->before + moved);
}

static void
on_received (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer user_data)
{
  Reception *self = user_data;
  g_autoptr (GError) error = NULL;
  goffset bytes = clip_transfers_finish (result, NULL, &error);

  if (self->may_spill && g_error_matches (error, CLIP_ERROR, CLIP_ERROR_TOO_LARGE))
    {
      self->may_spill = FALSE;
      go_on_in_file (self);
      return;
    }
  self->received->size = self->before + bytes;
  finish (self, error);
}

/* how much of the disk is to stay free meanwhile; 0 = nothing of it goes there */
static goffset
find_floor (const Reception *self)
{
  int fd = clip_stage_fd (self->received->stage);
  struct statvfs disk;

  if (clip_stage_is_in_memory (self->received->stage) || fstatvfs (fd, &disk) < 0)
    return 0;
  return clip_limits_floor (&self->terms.limits,
                            (goffset) (disk.f_blocks * disk.f_frsize)) -
         (self->size > 0 ? self->size + CLIP_LIMITS_WORKING_BYTES : 0);
}

/* what the source has behind that which is in the stage */
static void
receive (Reception *self, goffset limit)
{
  ClipTransferJob job = {
    .source_fd = fcntl (self->source_fd, F_DUPFD_CLOEXEC, 0),
    .sink_fd = fcntl (clip_stage_fd (self->received->stage), F_DUPFD_CLOEXEC, 0),
    .size = CLIP_TO_END,
    .limit = limit,
    .first_ms = self->before > 0 ? self->terms.idle_ms : self->terms.first_ms,
    .idle_ms = self->terms.idle_ms,
    .sink_in_memory = clip_stage_is_in_memory (self->received->stage),
    .progress = on_progress,
    .progress_data = self,
    .keep_free = find_floor (self),
  };

  clip_transfers_capture_async (self->transfers, &job, self->cancellable, on_received,
                                self);
}

static void
on_spilled (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer user_data)
{
  Reception *self = user_data;
  GError *error = NULL;

  self->before = g_task_propagate_int (G_TASK (result), &error);
  if (error)
    fail (self, error);
  else
    receive (self, self->terms.limit > 0 ? self->terms.limit - self->before : 0);
}

static void
spill_on_thread (GTask *spilling,
                 gpointer source G_GNUC_UNUSED,
                 gpointer stage,
                 GCancellable *cancellable G_GNUC_UNUSED)
{
  GError *error = NULL;
  goffset bytes = clip_stage_spill (stage, &error);

  if (bytes < 0)
    g_task_return_error (spilling, error);
  else
    g_task_return_int (spilling, bytes);
}

static void
spill (Reception *self)
{
  g_autoptr (GTask) spilling = g_task_new (NULL, NULL, on_spilled, self);

  g_task_set_source_tag (spilling, spill);
  g_task_set_task_data (spilling, clip_stage_ref (self->received->stage),
                        (GDestroyNotify) clip_stage_unref);
  g_task_run_in_thread (spilling, spill_on_thread);
}

static void
fail_too_large (Reception *self, goffset limit)
{
  fail (self,
        g_error_new (CLIP_ERROR, CLIP_ERROR_TOO_LARGE,
                     "receive content: larger than %" G_GOFFSET_FORMAT " bytes", limit));
}

/* what is larger than its file said begins anew: a file is read from its start */
static void
go_on_in_file (Reception *self)
{
  GError *error = NULL;

  if (self->is_file)
    {
      clip_stage_unref (self->received->stage);
      self->received->stage = clip_store_stage (self->store, &error);
    }
  if (error)
    fail (self, error);
  else
    spill (self);
}

/* One byte beyond that limit is in the stage when it shows, and a transfer knows no limit
 * of no byte: where the content's own is next to it, that is the limit from the start. */
static void
receive_in_memory (Reception *self, goffset limit)
{
  self->may_spill = limit > CLIP_INLINE_BYTES + 1;
  receive (self, self->may_spill ? CLIP_INLINE_BYTES : limit);
}

/* whether there is nothing to receive: it is all there, and stays as it is */
static gboolean
is_full (int fd, const ClipFdLook *look, goffset limit)
{
  return look->size > 0 && look->size <= MIN (limit, (goffset) CLIP_SEALED_BYTES) &&
         look->at == 0 && clip_is_sealed (fd);
}

static void
take_full (Reception *self, goffset size)
{
  self->received->stage =
      clip_store_stage_full (self->store, g_steal_fd (&self->source_fd));
  self->received->size = size;
  on_progress (size, self);
  finish (self, NULL);
}

static void
begin (Reception *self)
{
  goffset limit = self->terms.limit > 0 ? self->terms.limit : G_MAXINT64;
  ClipFdLook look;
  gboolean is_of_file;
  goffset size;
  GError *error = NULL;

  clip_fd_look (self->source_fd, &look);
  self->is_file = is_of_file = clip_fd_is_file (&look);
  size = is_of_file ? MAX (look.size - look.at, 0) : 0;
  if (is_of_file && is_full (self->source_fd, &look, limit))
    {
      take_full (self, size);
      return;
    }
  self->size = size;
  self->received->stage = clip_store_stage (self->store, &error);
  if (error)
    {
      fail (self, error);
      return;
    }
  clip_stage_set_unwritten (self->received->stage, self->terms.unwritten);
  if (!is_of_file)
    receive_in_memory (self, limit);
  else if (size > limit)
    fail_too_large (self, limit);
  else if (size > 0 && size <= CLIP_INLINE_BYTES)
    receive_in_memory (self, limit);
  else
    spill (self); /* nor does a file of /proc say how much there is */
}

/**
 * clip_receive_fd:
 * @transfers: outlives the reception
 * @mime: type of what comes; "" where unknown
 * @source_fd_take: what it comes from: a pipe, a file, a socket, a terminal; closed
 * before @done is called
 * @terms: copied; its gauge is referenced
 *
 * Receives one content, which may be empty. What breaks off leaves nothing.
 *
 * Errors: %CLIP_ERROR_TOO_LARGE, %CLIP_ERROR_STALLED, %CLIP_ERROR_NO_SPACE,
 * %G_IO_ERROR_CANCELLED, %G_FILE_ERROR.
 */
void
clip_receive_fd (ClipStore *store,
                 ClipTransfers *transfers,
                 const char *mime,
                 int source_fd_take,
                 const ClipReceiveTerms *terms,
                 GCancellable *cancellable,
                 ClipReceivedFunc done,
                 gpointer user_data)
{
  Reception *self = g_new0 (Reception, 1);

  self->received = g_new0 (ClipReceived, 1);
  self->received->mime = g_strdup (mime);
  self->store = g_object_ref (store);
  self->transfers = transfers;
  self->terms = *terms;
  self->terms.gauge = clip_gauge_ref (terms->gauge);
  self->source_fd = source_fd_take;
  g_set_object (&self->cancellable, cancellable);
  self->done = done;
  self->user_data = user_data;
  begin (self);
}

/* --- of a display --- */

typedef struct
{
  ClipReceipt receipt;
  ClipOffer *offer; /* keeps @mime */
  const char *mime;
  ClipStore *store; /* (nullable): the content goes into memory */
  ClipTransfers *transfers;
  ClipReceiveTerms terms; /* of a content */
  ClipReceivePart part;   /* of bytes */
  gsize limit;
  guint idle_ms;
  GCancellable *caller; /* (nullable) */
  GCancellable *asking; /* also when what came of it cannot be kept */
  gulong cancelled_id;
  guint n_pending;
  ClipReceiptFunc done;
  gpointer user_data;
} Request;

static void
request_free (Request *self)
{
  /* from within that signal, too */
  if (self->caller)
    g_clear_signal_handler (&self->cancelled_id, self->caller);
  g_clear_object (&self->caller);
  g_object_unref (self->asking);
  g_object_unref (self->offer);
  g_clear_object (&self->store);
  clip_gauge_unref (self->terms.gauge);
  clip_received_free (self->receipt.content);
  g_clear_pointer (&self->receipt.bytes, g_bytes_unref);
  g_clear_error (&self->receipt.error);
  g_free (self);
}

static void
end_one (Request *self)
{
  if (--self->n_pending > 0)
    return;
  self->done (&self->receipt, self->user_data);
  request_free (self);
}

static void
set_error (Request *self, const GError *error)
{
  g_clear_error (&self->receipt.error);
  self->receipt.error = g_error_copy (error);
  g_cancellable_cancel (self->asking);
}

static void
on_content (ClipReceived *received_take, const GError *error, gpointer user_data)
{
  Request *self = user_data;

  self->receipt.content = received_take;
  if (error)
    set_error (self, error);
  end_one (self);
}

static void
on_bytes (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer user_data)
{
  Request *self = user_data;
  g_autoptr (GError) error = NULL;

  self->receipt.bytes = clip_transfers_read_finish (result, &error);
  if (error)
    set_error (self, error);
  end_one (self);
}

static void
on_opened (int source_fd_take, gpointer user_data)
{
  Request *self = user_data;

  self->receipt.is_open = TRUE;
  self->n_pending++;
  if (self->store)
    clip_receive_fd (self->store, self->transfers, self->mime, source_fd_take,
                     &self->terms, self->asking, on_content, self);
  else if (self->part == CLIP_RECEIVE_ALL)
    clip_transfers_read_async (self->transfers, source_fd_take, self->limit,
                               self->idle_ms, self->asking, on_bytes, self);
  else
    clip_transfers_read_head_async (self->transfers, source_fd_take, self->limit,
                                    self->idle_ms, self->asking, on_bytes, self);
}

static void
on_verdict (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Request *self = user_data;
  g_autoptr (GError) error = NULL;

  self->receipt.verdict =
      clip_backend_receive_finish (CLIP_BACKEND (source), result, &error);
  if (error)
    {
      self->receipt.verdict = CLIP_VERDICT_BROKEN;
      g_debug ("content broke off: %s", error->message);
      if (!self->receipt.is_open)
        self->receipt.error = g_steal_pointer (&error);
    }
  end_one (self);
}

static void
on_caller_cancelled (GCancellable *caller G_GNUC_UNUSED, gpointer user_data)
{
  g_cancellable_cancel (user_data);
}

static void
ask (ClipBackend *backend, Request *self, GCancellable *cancellable)
{
  self->n_pending = 1;
  self->asking = g_cancellable_new ();
  if (cancellable)
    {
      self->caller = g_object_ref (cancellable);
      self->cancelled_id =
          g_cancellable_connect (cancellable, G_CALLBACK (on_caller_cancelled),
                                 g_object_ref (self->asking), g_object_unref);
    }
  clip_backend_receive_async (backend, self->offer, self->mime, on_opened, self->asking,
                              on_verdict, self);
}

/**
 * clip_receive_content:
 * @mime: one of the types of @offer
 * @transfers: outlives the reception
 * @terms: copied; its gauge is referenced
 * @done: called once, and not from here
 *
 * Receives one content from whoever offers it, into a stage of @store.
 *
 * Errors: those of clip_receive_fd() and clip_backend_receive_async().
 */
void
clip_receive_content (ClipBackend *backend,
                      ClipOffer *offer,
                      const char *mime,
                      ClipStore *store,
                      ClipTransfers *transfers,
                      const ClipReceiveTerms *terms,
                      GCancellable *cancellable,
                      ClipReceiptFunc done,
                      gpointer user_data)
{
  Request *self = g_new0 (Request, 1);

  *self = (Request){ .offer = g_object_ref (offer),
                     .mime = mime,
                     .store = g_object_ref (store),
                     .transfers = transfers,
                     .terms = *terms,
                     .done = done,
                     .user_data = user_data };
  self->terms.gauge = clip_gauge_ref (terms->gauge);
  ask (backend, self, cancellable);
}

/**
 * clip_receive_bytes:
 * @mime: one of the types of @offer
 * @transfers: outlives the reception
 * @limit: bytes
 * @idle_ms: how long the owner may keep us waiting, milliseconds
 * @done: called once, and not from here
 *
 * Receives a small content, or how one begins, into memory.
 *
 * Errors: those of clip_transfers_read_async() and clip_backend_receive_async().
 */
void
clip_receive_bytes (ClipBackend *backend,
                    ClipOffer *offer,
                    const char *mime,
                    ClipTransfers *transfers,
                    ClipReceivePart part,
                    gsize limit,
                    guint idle_ms,
                    GCancellable *cancellable,
                    ClipReceiptFunc done,
                    gpointer user_data)
{
  Request *self = g_new0 (Request, 1);

  *self = (Request){ .offer = g_object_ref (offer),
                     .mime = mime,
                     .transfers = transfers,
                     .part = part,
                     .limit = limit,
                     .idle_ms = idle_ms,
                     .done = done,
                     .user_data = user_data };
  ask (backend, self, cancellable);
}
