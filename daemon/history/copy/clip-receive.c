/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * One content, from a descriptor (FdReceive) or from a display (DisplayReceive).
 *
 * A display's content ends twice: its pipe comes to an end, and the display gives its
 * verdict on that end. Only both together are an answer. Copies, password hints and
 * secrets that are read to be recognized later all come in this way.
 *
 * A content that fits a row is received in memory, and reaches the disk when its entry is
 * committed: ten copies in a row do not wait for a journal ten times. A larger one goes
 * on in a file beside the blobs, from the byte where memory ended. A file says its size
 * beforehand, and is received in one go, because the kernel can share its blocks. A small
 * sealed memory file is the content as it stands.
 *
 * A transfer to the disk stops at the floor of free space: no entry is deleted to make
 * room for bytes that may never come to their end. A file may go below the floor by its
 * own size, and down to half of it: room is made when it has come whole.
 */
#define G_LOG_DOMAIN "clip-history"
#include "clip-receive.h"

#include "clip-error.h"
#include "clip-fd.h"
#include "clip-pump.h"

#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* how long a display may take until bytes can be read from it: that of X11 asks the owner
 * first */
#define OPENING_MS 3000

typedef struct
{
  ClipStagedContent *content;
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
  goffset keep_free;  /* of the disk of the file; 0 = there is no file */
} FdReceive;

/* @self: (nullable) */
void
clip_staged_content_free (ClipStagedContent *self)
{
  if (!self)
    return;
  g_free (self->mime);
  clip_stage_unref (self->stage);
  g_free (self);
}

static void
fd_receive_free (FdReceive *self)
{
  clip_staged_content_free (self->content);
  g_clear_object (&self->store);
  g_clear_object (&self->cancellable);
  clip_transfer_progress_unref (self->terms.progress);
  clip_fd_clear_foreign (&self->source_fd);
  g_free (self);
}

/* the descriptor is closed before @done is called */
static void
finish (FdReceive *self, GError *error_take)
{
  g_autoptr (GError) error = error_take;
  ClipReceived received = { .content = error ? NULL : g_steal_pointer (&self->content),
                            .error = error };

  clip_fd_clear_foreign (&self->source_fd);
  self->done (&received, self->user_data);
  fd_receive_free (self);
}

static void spill (FdReceive *self);
static void go_on_in_file (FdReceive *self);

static void
on_progress (goffset moved, gpointer user_data)
{
  FdReceive *self = user_data;

  clip_stage_advance (self->content->stage, self->before + moved);
  clip_transfer_progress_advance (self->terms.progress,
                                  self->terms.counted + self->before + moved);
}

static void
on_received (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer user_data)
{
  FdReceive *self = user_data;
  GError *error = NULL;
  goffset bytes = clip_transfers_finish (result, NULL, &error);

  if (self->may_spill && g_error_matches (error, CLIP_ERROR, CLIP_ERROR_TOO_LARGE))
    {
      g_error_free (error);
      self->may_spill = FALSE;
      go_on_in_file (self);
      return;
    }
  self->content->size = self->before + bytes;
  finish (self, error);
}

/* what the source has behind that which is in the stage */
static void
receive (FdReceive *self, goffset limit)
{
  GError *error = NULL;
  clip_autofd int source_fd = clip_fd_dup (self->source_fd, &error);
  clip_autofd int sink_fd =
      error ? -1 : clip_fd_dup (clip_stage_fd (self->content->stage), &error);
  ClipTransferJob job = {
    .size = CLIP_TO_END,
    .limit = limit,
    .first_ms = self->before > 0 ? self->terms.idle_ms : self->terms.first_ms,
    .idle_ms = self->terms.idle_ms,
    .sink_in_memory = clip_stage_is_in_memory (self->content->stage),
    .on_moved = on_progress,
    .moved_data = self,
    .keep_free = self->keep_free,
  };

  if (error)
    {
      finish (self, error);
      return;
    }
  job.source_fd = g_steal_fd (&source_fd);
  job.sink_fd = g_steal_fd (&sink_fd);
  clip_transfers_capture_async (self->transfers, &job, self->cancellable, on_received,
                                self);
}

static void
on_spilled (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer user_data)
{
  FdReceive *self = user_data;
  GError *error = NULL;

  self->before = g_task_propagate_int (G_TASK (result), &error);
  if (error)
    finish (self, error);
  else
    receive (self, self->terms.limit > 0 ? self->terms.limit - self->before : 0);
}

/* how much of the disk is to stay free while the rest comes */
static goffset
find_floor_on_thread (const FdReceive *self)
{
  struct statvfs disk;
  goffset floor, half;

  if (fstatvfs (clip_stage_fd (self->content->stage), &disk) < 0)
    return 0;
  floor =
      clip_limits_floor (&self->terms.limits, (goffset) (disk.f_blocks * disk.f_frsize));
  half = floor / 2;
  if (self->size <= 0)
    return floor;
  /* (a size may be one with which a sum overflows) */
  return floor - MIN (MIN (self->size, half) + CLIP_LIMITS_WORKING_BYTES, half);
}

/* meanwhile nothing else looks at @data, the reception */
static void
spill_on_thread (GTask *spilling,
                 gpointer source G_GNUC_UNUSED,
                 gpointer data,
                 GCancellable *cancellable G_GNUC_UNUSED)
{
  FdReceive *self = data;
  GError *error = NULL;
  goffset bytes = clip_stage_spill (self->content->stage, &error);

  if (bytes < 0)
    {
      g_task_return_error (spilling, error);
      return;
    }
  self->keep_free = find_floor_on_thread (self);
  g_task_return_int (spilling, bytes);
}

static void
spill (FdReceive *self)
{
  g_autoptr (GTask) spilling = g_task_new (NULL, NULL, on_spilled, self);

  g_task_set_source_tag (spilling, spill);
  g_task_set_task_data (spilling, self, NULL);
  g_task_run_in_thread (spilling, spill_on_thread);
}

static void
fail_too_large (FdReceive *self, goffset limit)
{
  finish (self, g_error_new (CLIP_ERROR, CLIP_ERROR_TOO_LARGE,
                             "receive content: larger than %" G_GOFFSET_FORMAT " bytes",
                             limit));
}

/* what is larger than its file said begins anew: a file is read from its start */
static void
go_on_in_file (FdReceive *self)
{
  GError *error = NULL;

  if (self->is_file)
    {
      clip_stage_unref (self->content->stage);
      self->content->stage = clip_store_stage (self->store, &error);
    }
  if (error)
    finish (self, error);
  else
    spill (self);
}

/* One byte beyond that limit is in the stage when it shows, and a transfer knows no limit
 * of no byte: where the content's own is next to it, that is the limit from the start. */
static void
receive_in_memory (FdReceive *self, goffset limit)
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
take_full (FdReceive *self, goffset size)
{
  self->content->stage =
      clip_store_stage_full (self->store, g_steal_fd (&self->source_fd));
  self->content->size = size;
  on_progress (size, self);
  finish (self, NULL);
}

static void
begin (FdReceive *self)
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
  self->content->stage = clip_store_stage (self->store, &error);
  if (error)
    {
      finish (self, error);
      return;
    }
  clip_stage_set_unwritten (self->content->stage, self->terms.unwritten);
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
 * @source_fd_take: what it comes from: a pipe, a file, a socket; closed before
 * @done is called
 * @terms: copied; its progress is referenced
 *
 * Receives one content, which may be empty. One that breaks off leaves nothing.
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
  FdReceive *self = g_new0 (FdReceive, 1);

  self->content = g_new0 (ClipStagedContent, 1);
  self->content->mime = g_strdup (mime);
  self->store = g_object_ref (store);
  self->transfers = transfers;
  self->terms = *terms;
  self->terms.progress = clip_transfer_progress_ref (terms->progress);
  self->source_fd = source_fd_take;
  g_set_object (&self->cancellable, cancellable);
  self->done = done;
  self->user_data = user_data;
  begin (self);
}

/* --- of a display --- */

typedef struct
{
  ClipReceived received;
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
  guint opening_timer; /* until there is something to read from */
  ClipReceivedFunc done;
  gpointer user_data;
} DisplayReceive;

static void
display_receive_free (DisplayReceive *self)
{
  /* from within that signal, too */
  if (self->caller)
    g_clear_signal_handler (&self->cancelled_id, self->caller);
  g_clear_object (&self->caller);
  g_clear_handle_id (&self->opening_timer, g_source_remove);
  g_object_unref (self->asking);
  g_object_unref (self->offer);
  g_clear_object (&self->store);
  clip_transfer_progress_unref (self->terms.progress);
  clip_staged_content_free (self->received.content);
  g_clear_pointer (&self->received.bytes, g_bytes_unref);
  g_clear_error (&self->received.error);
  g_free (self);
}

static void
end_one (DisplayReceive *self)
{
  if (--self->n_pending > 0)
    return;
  if (self->received.error)
    g_clear_pointer (&self->received.content, clip_staged_content_free);
  self->done (&self->received, self->user_data);
  display_receive_free (self);
}

/* the first one says why */
static void
set_error (DisplayReceive *self, const GError *error)
{
  if (!self->received.error)
    self->received.error = g_error_copy (error);
  g_cancellable_cancel (self->asking);
}

static void
on_content (ClipReceived *received, gpointer user_data)
{
  DisplayReceive *self = user_data;

  self->received.content = g_steal_pointer (&received->content);
  if (received->error)
    set_error (self, received->error);
  end_one (self);
}

/* a display may wait for the rest of what is longer to be read */
static void
on_bytes (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer user_data)
{
  DisplayReceive *self = user_data;
  g_autoptr (GError) error = NULL;

  self->received.bytes = clip_transfers_read_finish (result, &error);
  if (error)
    set_error (self, error);
  else if (self->part == CLIP_RECEIVE_HEAD &&
           g_bytes_get_size (self->received.bytes) == self->limit)
    g_cancellable_cancel (self->asking);
  end_one (self);
}

static void
on_opened (int source_fd_take, gpointer user_data)
{
  DisplayReceive *self = user_data;

  self->received.is_open = TRUE;
  g_clear_handle_id (&self->opening_timer, g_source_remove);
  if (self->received.error)
    {
      clip_fd_clear_foreign (&source_fd_take);
      return;
    }
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
  DisplayReceive *self = user_data;
  g_autoptr (GError) error = NULL;

  self->received.verdict =
      clip_backend_receive_finish (CLIP_BACKEND (source), result, &error);
  if (error)
    {
      self->received.verdict = CLIP_VERDICT_BROKEN;
      g_debug ("content broke off: %s", error->message);
      if (!self->received.error &&
          (!self->received.is_open ||
           g_error_matches (error, CLIP_ERROR, CLIP_ERROR_STALLED)))
        self->received.error = g_steal_pointer (&error);
    }
  end_one (self);
}

static void
on_caller_cancelled (GCancellable *caller G_GNUC_UNUSED, gpointer user_data)
{
  g_cancellable_cancel (user_data);
}

static gboolean
on_not_opened (gpointer user_data)
{
  DisplayReceive *self = user_data;
  g_autoptr (GError) error =
      g_error_new (CLIP_ERROR, CLIP_ERROR_STALLED,
                   "receive '%s': the owner does not answer", self->mime);

  self->opening_timer = 0;
  set_error (self, error);
  return G_SOURCE_REMOVE;
}

static void
ask (ClipBackend *backend,
     DisplayReceive *self,
     guint opening_ms,
     GCancellable *cancellable)
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
  self->opening_timer = g_timeout_add (opening_ms, on_not_opened, self);
  clip_backend_receive_async (backend, self->offer, self->mime, on_opened, self->asking,
                              on_verdict, self);
}

/**
 * clip_receive_content:
 * @mime: one of the types of @offer
 * @transfers: outlives the reception
 * @terms: copied; its progress is referenced
 * @done: called once, and not from here
 *
 * Receives one content of @offer into a stage of @store.
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
                      ClipReceivedFunc done,
                      gpointer user_data)
{
  DisplayReceive *self = g_new0 (DisplayReceive, 1);

  *self = (DisplayReceive){ .offer = g_object_ref (offer),
                            .mime = mime,
                            .store = g_object_ref (store),
                            .transfers = transfers,
                            .terms = *terms,
                            .done = done,
                            .user_data = user_data };
  self->terms.progress = clip_transfer_progress_ref (terms->progress);
  ask (backend, self, terms->first_ms, cancellable);
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
                    ClipReceivedFunc done,
                    gpointer user_data)
{
  DisplayReceive *self = g_new0 (DisplayReceive, 1);

  *self = (DisplayReceive){ .offer = g_object_ref (offer),
                            .mime = mime,
                            .transfers = transfers,
                            .part = part,
                            .limit = limit,
                            .idle_ms = idle_ms,
                            .done = done,
                            .user_data = user_data };
  ask (backend, self, OPENING_MS, cancellable);
}
