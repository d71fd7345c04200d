/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * One thread looks whether a thumbnail is there; what is missing waits for one of two
 * others, each of which an image may keep busy for half a minute. The next one is that of
 * the process that has kept the two busy for the least time, and every fourth time the
 * one that has waited longest: each waits for a few of others, and none for ever.
 */
#include "clip-bus-thumbnail.h"

#include "clip-error.h"
#include "clip-fd.h"
#include "clip-thumbnail-program.h"
#include "clip-thumbnails.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#define MOST_MAKING 2

/* a PNG of so few pixels has a quarter of that */
#define MAX_KEPT_BYTES (1024 * 1024)

typedef struct
{
  char *store_dir;
  gint64 id;
  guint pixels;
  gint64 pid;
} Wanted;

static GMutex makers_mutex;
static GQueue waiting; /* GTask */
static guint n_making, n_taken;
static GHashTable *spent; /* (nullable): gint64 of ours, a process -> gint64, us */

static void
wanted_free (Wanted *self)
{
  g_free (self->store_dir);
  g_free (self);
}

static gboolean
is_kept (const Wanted *wanted)
{
  return wanted->pixels <= CLIP_BUS_THUMBNAIL_PIXELS;
}

static gboolean
check_image (ClipReader *reader, gint64 id, GError **error)
{
  g_autoptr (ClipEntry) entry = clip_reader_lookup (reader, id, error);

  if (!entry)
    return FALSE;
  if (entry->row.kind == CLIP_CLASS_IMAGE)
    return TRUE;
  g_set_error (error, CLIP_ERROR, CLIP_ERROR_NO_SUCH_FORMAT,
               "entry %" G_GINT64_FORMAT " is no image", id);
  return FALSE;
}

static void
return_fd (GTask *task, int fd, GError *error_take)
{
  if (fd >= 0)
    g_task_return_int (task, fd);
  else
    g_task_return_error (task, error_take);
}

/* The bytes, and not the file: who has that may open it to write, by /proc, also from a
 * sandbox where the folder is not seen. */
static int
read_kept (const char *path, GError **error)
{
  clip_autofd int fd = open (path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  g_autoptr (GBytes) png = NULL;
  const void *data;
  gsize length;

  if (fd < 0)
    clip_set_errno (error, errno, "open a thumbnail");
  png = fd < 0 ? NULL : clip_read_to_end (fd, MAX_KEPT_BYTES, error);
  if (!png)
    return -1;
  data = g_bytes_get_data (png, &length);
  return clip_sealed_memory (data, length, error);
}

/* --- what is made --- */

static int
make_kept (const Wanted *wanted, ClipThumbnails *thumbnails, GError **error)
{
  const char *path;

  clip_thumbnails_ask (thumbnails, wanted->id);
  path = clip_thumbnails_await (thumbnails, wanted->id);
  if (path)
    return read_kept (path, error);
  /* of one that cannot be decoded it is known by now */
  if (clip_thumbnails_look (thumbnails, wanted->id))
    g_set_error_literal (error, CLIP_ERROR, CLIP_ERROR_FAILED,
                         "the thumbnail cannot be made now");
  else
    g_set_error_literal (error, CLIP_ERROR, CLIP_ERROR_CORRUPT,
                         "the image cannot be decoded");
  return -1;
}

/* it does not change after that */
static gboolean
seal (int fd, GError **error)
{
  if (lseek (fd, 0, SEEK_SET) == 0 &&
      fcntl (fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL) ==
          0)
    return TRUE;
  return clip_set_errno (error, errno, "seal a thumbnail");
}

static int
make_large (const Wanted *wanted, ClipReader *reader, GError **error)
{
  g_autoptr (ClipPayload) payload =
      clip_reader_open_content (reader, wanted->id, NULL, error);
  clip_autofd int fd = -1;
  GPid pid;

  if (!payload)
    return -1;
  fd = memfd_create ("cliphist-thumbnail", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (fd < 0)
    {
      clip_set_errno (error, errno, "make room for a thumbnail");
      return -1;
    }
  pid = clip_thumbnail_program_start (payload, CLIP_THUMBNAIL_PNG, wanted->pixels, fd,
                                      error);
  if (!pid || !clip_thumbnail_program_finish (pid, error) || !seal (fd, error))
    return -1;
  return g_steal_fd (&fd);
}

static void
make (GTask *task)
{
  const Wanted *wanted = g_task_get_task_data (task);
  g_autoptr (ClipReader) reader = NULL;
  GError *error = NULL;
  int fd = -1;

  if (g_task_return_error_if_cancelled (task))
    return;
  reader = clip_reader_open (wanted->store_dir, &error);
  if (reader && is_kept (wanted))
    {
      g_autoptr (ClipThumbnails) thumbnails =
          clip_thumbnails_new (wanted->store_dir, reader, CLIP_THUMBNAIL_FILE);

      fd = make_kept (wanted, thumbnails, &error);
    }
  else if (reader)
    fd = make_large (wanted, reader, &error);
  return_fd (task, fd, error);
}

static gint64
spent_by (gint64 pid)
{
  const gint64 *us = spent ? g_hash_table_lookup (spent, &pid) : NULL;

  return us ? *us : 0;
}

static void
spend (gint64 pid, gint64 us)
{
  gint64 sum = spent_by (pid) + us;

  if (!spent)
    spent = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  g_hash_table_replace (spent, g_memdup2 (&pid, sizeof pid),
                        g_memdup2 (&sum, sizeof sum));
}

/* (transfer full) */
static GTask *
take_waiting (void)
{
  GList *best = waiting.head;
  GTask *task;

  for (GList *link = n_taken++ % 4 != 0 ? best->next : NULL; link; link = link->next)
    {
      const Wanted *one = g_task_get_task_data (link->data);
      const Wanted *other = g_task_get_task_data (best->data);

      if (spent_by (one->pid) < spent_by (other->pid))
        best = link;
    }
  task = best->data;
  g_queue_delete_link (&waiting, best);
  return task;
}

/* one of those that wait, for each call */
static void
make_next (gpointer data G_GNUC_UNUSED, gpointer user_data G_GNUC_UNUSED)
{
  g_autoptr (GTask) task = NULL;
  gint64 pid, begun_us = g_get_monotonic_time ();

  g_mutex_lock (&makers_mutex);
  task = take_waiting ();
  pid = ((const Wanted *) g_task_get_task_data (task))->pid;
  spend (pid, 1); /* its next one waits for others, too */
  n_making++;
  g_mutex_unlock (&makers_mutex);
  make (task);
  g_mutex_lock (&makers_mutex);
  spend (pid, g_get_monotonic_time () - begun_us);
  if (--n_making == 0 && waiting.length == 0)
    g_clear_pointer (&spent, g_hash_table_unref);
  g_mutex_unlock (&makers_mutex);
}

/* takes @data. Threads that have nothing to do end */
static void
push (gsize *pool, GFunc work, int most, gpointer data)
{
  if (g_once_init_enter (pool))
    g_once_init_leave (pool, (gsize) g_thread_pool_new (work, NULL, most, FALSE, NULL));
  g_thread_pool_push ((GThreadPool *) *pool, data, NULL);
}

static void
push_to_make (GTask *task_take)
{
  static gsize makers;

  g_mutex_lock (&makers_mutex);
  g_queue_push_tail (&waiting, task_take);
  g_mutex_unlock (&makers_mutex);
  push (&makers, make_next, MOST_MAKING, &waiting);
}

/* --- what is there --- */

static void
look (gpointer data, gpointer user_data G_GNUC_UNUSED)
{
  g_autoptr (GTask) task = data;
  const Wanted *wanted = g_task_get_task_data (task);
  GError *error = NULL;
  g_autoptr (ClipReader) reader = clip_reader_open (wanted->store_dir, &error);
  g_autoptr (ClipThumbnails) thumbnails = NULL;
  const char *path;

  if (!reader || !check_image (reader, wanted->id, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  thumbnails = clip_thumbnails_new (wanted->store_dir, reader, CLIP_THUMBNAIL_FILE);
  if (!is_kept (wanted) || clip_thumbnails_look (thumbnails, wanted->id))
    {
      push_to_make (g_steal_pointer (&task));
      return;
    }
  path = clip_thumbnails_await (thumbnails, wanted->id);
  if (path)
    return_fd (task, read_kept (path, &error), error);
  else
    g_task_return_new_error (task, CLIP_ERROR, CLIP_ERROR_CORRUPT,
                             "the image cannot be decoded");
}

/**
 * clip_bus_thumbnail_async:
 * @store_dir: the folder of the history
 * @id: of an image
 * @pixels: what no side is longer than. Up to %CLIP_BUS_THUMBNAIL_PIXELS it is the one
 * that is kept, which has as many
 * @pid: of the caller; 0 where it is unknown
 * @cancellable: of the call: it counts until no thread works for it
 *
 * Finds the thumbnail of an image, or has it made.
 */
void
clip_bus_thumbnail_async (const char *store_dir,
                          gint64 id,
                          guint pixels,
                          gint64 pid,
                          GCancellable *cancellable,
                          GAsyncReadyCallback callback,
                          gpointer user_data)
{
  static gsize lookers;
  GTask *task = g_task_new (NULL, cancellable, callback, user_data);
  Wanted *wanted = g_new0 (Wanted, 1);

  wanted->store_dir = g_strdup (store_dir);
  wanted->id = id;
  wanted->pixels = pixels;
  wanted->pid = pid;
  g_task_set_source_tag (task, clip_bus_thumbnail_async);
  g_task_set_check_cancellable (task, FALSE); /* that would lose the descriptor */
  g_task_set_task_data (task, wanted, (GDestroyNotify) wanted_free);
  push (&lookers, look, 1, task);
}

/**
 * clip_bus_thumbnail_finish:
 *
 * Returns: a descriptor of a PNG, at its beginning, which cannot be written through; -1
 * on failure
 * Errors: %CLIP_ERROR_NOT_FOUND, %CLIP_ERROR_NO_SUCH_FORMAT where it is no image,
 * %CLIP_ERROR_CORRUPT where it cannot be decoded, %CLIP_ERROR_LIMITS where that takes
 * more than it may, %CLIP_ERROR_FAILED, %G_IO_ERROR_CANCELLED.
 */
int
clip_bus_thumbnail_finish (GAsyncResult *result, GError **error)
{
  return (int) g_task_propagate_int (G_TASK (result), error);
}
