/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * An archive into the history, on a thread of its own: some entries are read, then added.
 * A store in between comes first: the writer then commits what it has of them, and goes
 * on with the rest later. A large content goes from the descriptor into its stage as a
 * capture does, by the kernel.
 *
 * What is wrong with an archive ends the import there: what came before is kept, and
 * importing again adds the rest, because what is there already is found.
 */
#define G_LOG_DOMAIN "clip-history"
#include "clip-import.h"

#include "clip-archive-reader.h"
#include "clip-call-descriptor.h"
#include "clip-detect.h"
#include "clip-encoding.h"
#include "clip-end.h"
#include "clip-error.h"
#include "clip-fd.h"
#include "clip-hash.h"
#include "clip-history-private.h"
#include "clip-ignore.h"
#include "clip-mime.h"
#include "clip-policy.h"
#include "clip-pump.h"
#include "clip-secrecy.h"

#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#define IDLE_MS 30000

/* as much of a content as is looked at of a copy */
#define LOOKED_AT_BYTES CLIP_IGNORE_TEXT_BYTES
G_STATIC_ASSERT (LOOKED_AT_BYTES == CLIP_SECRET_FINGERPRINTS_MAX_BYTES);

/* the thread's, until the task returns */
typedef struct
{
  ClipStore *store;
  ClipPipes *pipes;
  ClipPipeLoan large_pipe;
  ClipLimits limits;
  int fd;
  ClipEnd end; /* of fd, where it is no file */
  int stop_fd;
  ClipTransferProgress *progress; /* (nullable) */
  goffset read;                   /* bytes of the archive */
  ClipStage *stage;               /* what a pump fills at present; borrowed */
  ClipArchiveReader *reader;
  ClipImportBatch *batch; /* in the making */
  ClipImported imported;  /* by the batches before it */
  gint64 n_skipped;
  ClipIgnore *ignore;
  GPtrArray *texts;  /* (element-type GBytes): of the entry, where there are patterns */
  GPtrArray *others; /* as these, of what is called no text, and reads as one */
  ClipSecretFingerprints *fingerprints;
  gboolean is_known_secret; /* the entry */
} Import;

static void
import_free (Import *self)
{
  g_object_unref (self->store);
  clip_fd_clear_foreign (&self->fd);
  clip_transfer_progress_unref (self->progress);
  clip_archive_reader_free (self->reader);
  clip_import_batch_free (self->batch);
  clip_ignore_unref (self->ignore);
  g_ptr_array_unref (self->texts);
  g_ptr_array_unref (self->others);
  clip_secret_fingerprints_unref (self->fingerprints);
  g_free (self);
}

static gboolean
add_batch (Import *self, GError **error)
{
  ClipOutcome outcome;
  gboolean fine;

  if (clip_import_batch_length (self->batch) == 0)
    return TRUE;
  if (!clip_import_batch_prepare (self->batch, error))
    return FALSE;
  fine = clip_store_change_wait (
      self->store,
      clip_change_import (g_steal_pointer (&self->batch), &self->imported, &self->limits),
      &outcome, error);
  self->imported = outcome.imported;
  self->batch = clip_import_batch_new ();
  return fine;
}

/* --- contents --- */

static void
on_read (goffset bytes, gpointer user_data)
{
  Import *self = user_data;

  self->read = bytes;
  clip_transfer_progress_advance (self->progress, bytes);
}

static void
on_moved (goffset moved, gpointer user_data)
{
  Import *self = user_data;

  clip_stage_advance (self->stage, moved);
  clip_transfer_progress_advance (self->progress, self->read + moved);
}

static gboolean
pump_into (Import *self, ClipStage *stage, gint64 size, GError **error)
{
  g_autoptr (ClipPump) pump = clip_pump_new (self->fd, clip_stage_fd (stage), size, size);

  clip_pipes_enlarge (self->pipes, self->fd, size <= CLIP_SHORT_BYTES, &self->large_pipe);
  self->stage = stage;
  clip_pump_set_progress (pump, on_moved, self);
  return clip_pump_run_until (pump, IDLE_MS, self->stop_fd, error);
}

/* what is on the disk meanwhile stops at the floor, too */
static gboolean
check_floor (Import *self, ClipStage *stage, goffset size, GError **error)
{
  struct statvfs disk;

  if (fstatvfs (clip_stage_fd (stage), &disk) < 0 || disk.f_blocks == 0 ||
      (goffset) (disk.f_bavail * disk.f_frsize) - size >=
          clip_limits_floor (&self->limits, (goffset) (disk.f_blocks * disk.f_frsize)))
    return TRUE;
  g_set_error (error, CLIP_ERROR, CLIP_ERROR_NO_SPACE, "the disk is almost full");
  return FALSE;
}

static gboolean
check_hash (const ClipArchiveContent *content, const ClipHash *hash, GError **error)
{
  if (!content->has_hash ||
      memcmp (content->hash, hash->bytes, sizeof content->hash) == 0)
    return TRUE;
  g_set_error_literal (error, CLIP_ERROR, CLIP_ERROR_CORRUPT,
                       "its bytes are not those that its line speaks of");
  return FALSE;
}

/* @head: the first bytes of @content */
static const char *
name_of (const ClipArchiveContent *content, GBytes *head)
{
  gsize length;
  const void *data = g_bytes_get_data (head, &length);

  return content->offered ? clip_mime_filed (content->mime, data, length,
                                             length == (gsize) content->size)
                          : content->mime;
}

/* whether it is a secret that comes back; texts are looked through for what the user does
 * not want once all of the entry is there */
static void
look_at (Import *self, const char *mime, GBytes *bytes)
{
  const char *data = g_bytes_get_data (bytes, NULL);
  const gsize length = MIN (g_bytes_get_size (bytes), LOOKED_AT_BYTES);

  self->is_known_secret |= clip_secret_fingerprints_knows (
      self->fingerprints, data, length, g_get_monotonic_time ());
  if (clip_ignore_has_patterns (self->ignore) && clip_mime_is_text (mime))
    g_ptr_array_add (self->texts, g_bytes_new_from_bytes (bytes, 0, length));
  else if (clip_ignore_has_patterns (self->ignore) && clip_mime_stands_alone (mime) &&
           clip_encoding_is_utf8 (data, length, TRUE))
    g_ptr_array_add (self->others, g_bytes_new_from_bytes (bytes, 0, length));
}

static void
add_bytes (Import *self,
           const ClipArchiveContent *content,
           GBytes *bytes,
           ClipDraft *draft)
{
  const char *mime = name_of (content, bytes);

  look_at (self, mime, bytes);
  clip_draft_add_bytes (draft, mime, bytes);
}

/* where it ends up in a file, too */
static gboolean
add_stage (Import *self,
           const ClipArchiveContent *content,
           ClipStage *stage,
           ClipDraft *draft,
           GError **error)
{
  g_autoptr (GBytes) head = NULL;
  const char *mime;

  if (!clip_stage_seal (stage, content->size, error) ||
      !check_hash (content, clip_stage_hash (stage), error))
    return FALSE;
  head = clip_stage_head (stage, LOOKED_AT_BYTES, error);
  if (!head)
    return FALSE;
  mime = name_of (content, head);
  look_at (self, mime, head);
  clip_draft_add (draft, mime, stage, content->size);
  return TRUE;
}

static gboolean
add_head (Import *self,
          const ClipArchiveContent *content,
          ClipStage *stage,
          ClipDraft *draft,
          GError **error)
{
  g_autoptr (GBytes) bytes = clip_stage_head (stage, (gsize) content->size, error);
  ClipHash hash;

  if (!bytes)
    return FALSE;
  hash = clip_hash_of (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  if (!check_hash (content, &hash, error))
    return FALSE;
  add_bytes (self, content, bytes, draft);
  return TRUE;
}

static gboolean
take_file (Import *self,
           const ClipArchiveContent *content,
           ClipDraft *draft,
           GError **error)
{
  g_autoptr (ClipStage) stage = clip_store_stage (self->store, error);
  gboolean is_large = content->size > CLIP_INLINE_BYTES;

  if (!stage || !clip_archive_reader_open_file (self->reader, content, error) ||
      (is_large && (clip_stage_spill (stage, error) < 0 ||
                    !check_floor (self, stage, content->size, error))) ||
      !pump_into (self, stage, content->size, error) ||
      !(is_large ? add_stage (self, content, stage, draft, error)
                 : add_head (self, content, stage, draft, error)))
    return FALSE;
  return clip_archive_reader_close_file (self->reader, error);
}

/* what a line holds though it is too large for a row */
static gboolean
take_bytes (Import *self,
            const ClipArchiveContent *content,
            ClipDraft *draft,
            GError **error)
{
  g_autoptr (ClipStage) stage = NULL;
  gsize length;
  const void *data = g_bytes_get_data (content->bytes, &length);

  if (length <= CLIP_INLINE_BYTES)
    {
      add_bytes (self, content, content->bytes, draft);
      return TRUE;
    }
  stage = clip_store_stage (self->store, error);
  if (!stage || clip_stage_spill (stage, error) < 0 ||
      !clip_write_all (clip_stage_fd (stage), data, length, error))
    return FALSE;
  return add_stage (self, content, stage, draft, error);
}

/* --- what is kept of an entry --- */

static const ClipArchiveContent *
find_content (const ClipArchiveEntry *entry, const char *mime)
{
  for (guint i = 0; i < entry->contents->len; i++)
    {
      const ClipArchiveContent *content = entry->contents->pdata[i];

      if (content->mime == mime)
        return content;
    }
  return NULL;
}

/* as of a copy: the policy is the same for every source */
static void
choose_offered (const ClipArchiveEntry *entry, GPtrArray *kept, guint *out_n_offered)
{
  g_autofree const char **offered = g_new0 (const char *, entry->contents->len + 1);
  g_autoptr (GPtrArray) names = NULL;
  guint n = 0;

  for (guint i = 0; i < entry->contents->len; i++)
    {
      const ClipArchiveContent *content = entry->contents->pdata[i];

      *out_n_offered += content->offered;
      if (content->offered && content->size > 0)
        offered[n++] = content->mime;
    }
  names = clip_mime_choose (offered);
  for (guint i = 0; i < names->len; i++)
    g_ptr_array_add (kept, (gpointer) find_content (entry, names->pdata[i]));
}

/* Returns: (transfer container): the contents to keep, the primary one first; none where
 * it is empty, nothing that was offered is of use, or all of it is ignored */
static GPtrArray *
choose (Import *self, const ClipArchiveEntry *entry)
{
  GPtrArray *kept = g_ptr_array_new ();
  guint n_offered = 0;

  choose_offered (entry, kept, &n_offered);
  for (guint i = 0; i < entry->contents->len; i++)
    {
      ClipArchiveContent *content = entry->contents->pdata[i];

      if (!content->offered && (kept->len > 0 || n_offered == 0))
        g_ptr_array_add (kept, content);
    }
  for (guint i = kept->len; i-- > 0;)
    if (clip_ignore_mime (self->ignore,
                          ((const ClipArchiveContent *) kept->pdata[i])->mime))
      g_ptr_array_remove_index (kept, i);
  if (kept->len > 0 && ((const ClipArchiveContent *) kept->pdata[0])->size == 0)
    g_ptr_array_set_size (kept, 0);
  return kept;
}

/* --- entries --- */

static gboolean
is_secret (const ClipArchiveEntry *entry)
{
  guint n_hints = 0;

  for (guint i = 0; i < entry->contents->len; i++)
    {
      const ClipArchiveContent *content = entry->contents->pdata[i];
      ClipSecrecy secrecy = clip_secrecy_of_name (content->mime);
      gsize length = 0;
      const void *data =
          content->bytes ? g_bytes_get_data (content->bytes, &length) : NULL;

      if (secrecy == CLIP_SECRECY_SECRET)
        return TRUE;
      if (secrecy == CLIP_SECRECY_ASK &&
          (++n_hints > CLIP_SECRECY_MAX_HINTS ||
           clip_secrecy_refuses (content->mime, data, length)))
        return TRUE;
    }
  return FALSE;
}

static gboolean
has_expired (const ClipArchiveEntry *entry)
{
  return entry->expires_us > 0 && !entry->pinned &&
         entry->expires_us <= g_get_real_time ();
}

/* where the entry says which program it was copied from */
static gboolean
is_of_ignored_app (Import *self, const ClipArchiveEntry *entry)
{
  g_auto (GStrv) words = NULL;

  if (!clip_ignore_has_apps (self->ignore))
    return FALSE;
  words = g_strsplit (entry->origin ?: "", " ", 3);
  return g_strv_length (words) == 3 && clip_ignore_app (self->ignore, words[2]);
}

static gboolean
take_content (Import *self,
              const ClipArchiveContent *content,
              ClipDraft *draft,
              GError **error)
{
  return content->bytes ? take_bytes (self, content, draft, error)
                        : take_file (self, content, draft, error);
}

static gboolean
pass_content (Import *self, const ClipArchiveContent *content, GError **error)
{
  return content->bytes || clip_archive_reader_pass_file (self->reader, content, error);
}

/* in the order of the archive, in which the members are */
static gboolean
take_contents (Import *self,
               const ClipArchiveEntry *entry,
               GPtrArray *kept,
               ClipDraft *draft,
               GError **error)
{
  guint n_taken = 0;
  guint primary = 0;

  for (guint i = 0; i < entry->contents->len; i++)
    {
      const ClipArchiveContent *content = entry->contents->pdata[i];
      guint rank;
      gboolean is_kept = g_ptr_array_find (kept, content, &rank);

      if (!(is_kept ? take_content (self, content, draft, error)
                    : pass_content (self, content, error)))
        return FALSE;
      if (is_kept && rank == 0)
        primary = n_taken;
      n_taken += is_kept;
    }
  clip_draft_set_primary (draft, primary);
  return TRUE;
}

static gboolean
take_entry (Import *self, const ClipArchiveEntry *entry, GPtrArray *kept, GError **error)
{
  g_autoptr (ClipDraft) draft = clip_draft_new (entry->origin);
  const ClipCourse course = { .id = entry->id,
                              .copies = entry->copies,
                              .expires_us = entry->expires_us,
                              .pinned = entry->pinned,
                              .tags = entry->tags };

  gboolean is_ignored;

  g_ptr_array_set_size (self->texts, 0);
  g_ptr_array_set_size (self->others, 0);
  self->is_known_secret = FALSE;
  clip_draft_set_times (draft, entry->first_us, entry->last_us);
  if (!take_contents (self, entry, kept, draft, error) ||
      !clip_ignore_look_on_thread (self->ignore,
                                   self->texts->len > 0 ? self->texts : self->others,
                                   &is_ignored, error))
    return FALSE;
  if (is_ignored || self->is_known_secret)
    {
      self->n_skipped++;
      return TRUE;
    }
  if (entry->guessed)
    clip_draft_set_guessed (draft);
  clip_import_batch_add (self->batch, g_steal_pointer (&draft), &course);
  return TRUE;
}

/* FALSE without an error: there are no more */
static gboolean
take_next (Import *self, GError **error)
{
  g_autoptr (ClipArchiveEntry) entry = NULL;
  g_autoptr (GPtrArray) kept = NULL;

  if (!clip_archive_reader_next (self->reader, &entry, error) || !entry)
    return FALSE;
  kept = choose (self, entry);
  if (kept->len > 0 && !is_secret (entry) && !has_expired (entry) &&
      !is_of_ignored_app (self, entry))
    return take_entry (self, entry, kept, error);
  self->n_skipped++;
  return clip_archive_reader_pass_files (self->reader, entry, error);
}

static gboolean
take_all (Import *self, GError **error)
{
  g_autoptr (GError) local = NULL;

  while (take_next (self, &local))
    if (clip_import_batch_is_full (self->batch) && !add_batch (self, error))
      return FALSE;
  if (!local)
    {
      clip_archive_reader_drain (self->reader);
      return TRUE;
    }
  clip_archive_reader_locate (self->reader, &local);
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

/* another reader of the same pipe may take what poll(2) has seen */
static gssize
read_archive (void *buffer, gsize length, gpointer user_data)
{
  Import *self = user_data;

  return self->end.kind == CLIP_END_FILE ? read (self->fd, buffer, length)
                                         : clip_end_read (&self->end, buffer, length, 0);
}

static gboolean
import_on_thread (gpointer source, int stop_fd, GError **error)
{
  Import *self = source;
  ClipArchiveSource archive = { .fd = self->fd,
                                .read = read_archive,
                                .read_data = self,
                                .stop_fd = stop_fd,
                                .idle_ms = IDLE_MS,
                                .progress = on_read,
                                .progress_data = self };
  gboolean all_read, all_added;

  self->stop_fd = stop_fd;
  clip_end_init_source (&self->end, self->fd);
  self->reader = clip_archive_reader_new (&archive);
  all_read = take_all (self, error);
  /* what was read whole is kept, even if it failed */
  all_added = add_batch (self, all_read ? error : NULL);
  clip_pipes_release (self->pipes, &self->large_pipe);
  clip_end_clear (&self->end);
  clip_fd_clear_foreign (&self->fd);
  if (all_read && all_added)
    clip_transfer_progress_end (self->progress);
  else if (self->imported.n_added > 0)
    g_prefix_error (error,
                    "%" G_GINT64_FORMAT " were added before: ", self->imported.n_added);
  return all_read && all_added;
}

static void
on_run (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  const Import *self = g_task_get_task_data (task);
  ClipImportResult outcome = { .n_added = self->imported.n_added,
                               .n_known = self->imported.n_known,
                               .n_skipped = self->n_skipped,
                               .n_tags_left = self->imported.n_tags_left };
  GError *error = NULL;

  if (clip_streams_run_finish (result, &error) < 0)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, g_memdup2 (&outcome, sizeof outcome), g_free);
}

/* 0 where it is no file, and its size is unknown */
static goffset
expected_bytes (int fd)
{
  ClipFdLook look;

  return clip_fd_look (fd, &look) && S_ISREG (look.mode) ? MAX (look.size - look.at, 0)
                                                         : 0;
}

static Import *
import_new (ClipHistory *history,
            int fd_take,
            const ClipSettings *settings,
            ClipTransferProgress *progress)
{
  Import *self = g_new0 (Import, 1);
  ClipLimits limits = clip_policy_limits (settings);

  self->store = g_object_ref (clip_history_store (history));
  self->fd = fd_take;
  self->progress = clip_transfer_progress_ref (progress);
  self->batch = clip_import_batch_new ();
  self->imported.begun_us = g_get_monotonic_time ();
  self->ignore = clip_ignore_new_for_call (settings, clip_history_settings (history));
  self->texts = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  self->others = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  self->fingerprints = clip_secret_fingerprints_ref (
      clip_privacy_fingerprints (clip_clipboard_privacy (history->clipboard)));
  self->limits = (ClipLimits) CLIP_NO_LIMITS;
  self->limits.min_free_bytes = limits.min_free_bytes;
  self->limits.min_free_percent = limits.min_free_percent;
  clip_transfer_progress_expect (progress, expected_bytes (fd_take));
  return self;
}

/**
 * clip_import_async:
 * @fd_take: where the archive comes from: a pipe, a file, a socket; its flags stay as
 * they are
 * @settings: of these, how much room is to stay free, and what is not to be kept
 * @cancellable: ends it when the caller goes away; what was added by then stays
 *
 * Adds the entries of an archive. None is trimmed for them, and neither a secret nor what
 * is ignored is one of them.
 *
 * Errors: %CLIP_ERROR_CORRUPT where the archive is damaged, with the place;
 * %CLIP_ERROR_CANCELLED where the history was wiped meanwhile;
 * %CLIP_ERROR_INVALID_ARGUMENT, %CLIP_ERROR_NO_SPACE, %CLIP_ERROR_STALLED,
 * %CLIP_ERROR_LIMITS, %G_IO_ERROR_CANCELLED, %G_FILE_ERROR.
 */
void
clip_import_async (ClipHistory *history,
                   int fd_take,
                   const ClipSettings *settings,
                   ClipTransferProgress *progress,
                   GCancellable *cancellable,
                   GAsyncReadyCallback callback,
                   gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (history, cancellable, callback, user_data);
  ClipStreams *streams = history->streams;
  Import *self = import_new (history, fd_take, settings, progress);
  ClipStreamJob job = {
    .run = import_on_thread, .source = self, .sink_fd = -1, .progress = progress
  };
  GError *error = NULL;

  g_task_set_source_tag (task, clip_import_async);
  g_task_set_task_data (task, self, (GDestroyNotify) import_free);
  if (!clip_call_check_source (fd_take, &error))
    g_task_return_error (task, error);
  else if (!streams)
    g_task_return_new_error (task, CLIP_ERROR, CLIP_ERROR_CANCELLED,
                             "the history is closed");
  else
    {
      self->pipes = clip_transfers_pipes (history->transfers);
      clip_streams_run_async (streams, &job, cancellable, on_run,
                              g_steal_pointer (&task));
    }
}

/* FALSE with the error set: what was added before stays */
gboolean
clip_import_finish (GAsyncResult *result, ClipImportResult *out_result, GError **error)
{
  g_autofree ClipImportResult *outcome =
      g_task_propagate_pointer (G_TASK (result), error);

  if (!outcome)
    return FALSE;
  *out_result = *outcome;
  return TRUE;
}
