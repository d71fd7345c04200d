/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A thumbnail is a file named by its image, in a folder of the history: equal images have
 * one, and it stays right when the entry gets another id. One that is empty
 * stands for an image that cannot be decoded, so that nobody tries again. The daemon
 * removes it with the entry; see clip-thumbnail-sweep.c for how that and we do not miss
 * each other.
 */
#include "clip-thumbnails.h"

#include "clip-fd.h"
#include "clip-ownership.h"
#include "clip-thumbnail-program.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MOST_ASKED 1000
#define MOST_RUNNING 2

/* somebody waits for a picker to be filled: what is not made by then is made the next
   time */
#define MAKING_US (3 * G_USEC_PER_SEC)

static const struct
{
  ClipThumbnailForm form;
  guint pixels; /* of the longer side */
} kinds[] = {
  [CLIP_THUMBNAIL_FILE] = { CLIP_THUMBNAIL_PNG,
                            256 }, /* what file managers call "large" */
  [CLIP_THUMBNAIL_PIXELS] = { CLIP_THUMBNAIL_PAM,
                              64 }, /* twice what lists have for an icon */
};

typedef struct
{
  GPid pid;
  int end_fd; /* becomes readable when the process ends; -1 where the kernel has none */
  gint64 id;
  int fd;
  char name[CLIP_THUMBNAIL_NAME_BYTES];
  char part[CLIP_THUMBNAIL_PART_BYTES]; /* the name until it is whole */
} Job;

struct ClipThumbnails
{
  char *dir;
  int dir_fd; /* -1 until one is asked for */
  ClipReader *reader;
  ClipThumbnailKind kind;
  ClipThumbnailsFunc found; /* (nullable) */
  gpointer found_data;
  GHashTable *paths; /* gint64 of ours -> path */
  GQueue running;    /* Job */
  guint n_asked;
  gint64 end_us;
};

ClipThumbnails *
clip_thumbnails_new (const char *store, ClipReader *reader, ClipThumbnailKind kind)
{
  ClipThumbnails *self = g_new0 (ClipThumbnails, 1);

  self->dir = g_build_filename (store, CLIP_THUMBNAILS_DIR, NULL);
  self->dir_fd = -1;
  self->reader = reader;
  self->kind = kind;
  self->paths = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  self->end_us = g_get_monotonic_time () + MAKING_US;
  return self;
}

/* @found: told of each one in the moment that it is there */
void
clip_thumbnails_watch (ClipThumbnails *self, ClipThumbnailsFunc found, gpointer user_data)
{
  self->found = found;
  self->found_data = user_data;
}

static gboolean
is_there (ClipThumbnails *self, gint64 id)
{
  g_autoptr (ClipEntry) entry = clip_reader_lookup (self->reader, id, NULL);

  return entry != NULL;
}

static void
note_path (ClipThumbnails *self, gint64 id, const char *name)
{
  char *path = g_build_filename (self->dir, name, NULL);

  g_hash_table_insert (self->paths, g_memdup2 (&id, sizeof id), path);
  if (self->found)
    self->found (id, path, self->found_data);
}

/* one that was made while its entry was deleted goes again */
static void
keep (ClipThumbnails *self, const Job *job, gboolean whole)
{
  if ((!whole && ftruncate (job->fd, 0) < 0) ||
      renameat (self->dir_fd, job->part, self->dir_fd, job->name) < 0)
    unlinkat (self->dir_fd, job->part, 0);
  else if (!is_there (self, job->id))
    unlinkat (self->dir_fd, job->name, 0);
  else if (whole)
    note_path (self, job->id, job->name);
}

/* (transfer full): the one that ends first; none waits behind one that is slow */
static Job *
take_next (ClipThumbnails *self)
{
  struct pollfd ends[MOST_RUNNING];
  guint n = 0, n_known = 0;
  int n_ended = 0;

  for (GList *link = self->running.head; link; link = link->next)
    {
      ends[n] = (struct pollfd){ .fd = ((Job *) link->data)->end_fd, .events = POLLIN };
      n_known += ends[n++].fd >= 0;
    }
  while (n_known > 0 && (n_ended = poll (ends, n, -1)) < 0 && errno == EINTR)
    ;
  for (guint i = 0; n_ended > 0 && i < n; i++)
    if (ends[i].revents)
      return g_queue_pop_nth (&self->running, i);
  return g_queue_pop_head (&self->running);
}

static void
finish_next (ClipThumbnails *self)
{
  g_autofree Job *job = take_next (self);
  gboolean whole = clip_thumbnail_program_finish (job->pid, NULL);

  keep (self, job, whole);
  clip_fd_clear (&job->end_fd);
  clip_fd_clear (&job->fd);
}

void
clip_thumbnails_free (ClipThumbnails *self)
{
  if (!self)
    return;
  while (self->running.length > 0)
    finish_next (self);
  clip_fd_clear (&self->dir_fd);
  g_hash_table_unref (self->paths);
  g_free (self->dir);
  g_free (self);
}

/* whoever deletes the entry from here on sees the file that there is */
static gboolean
begin (ClipThumbnails *self, Job *job, const ClipPayload *payload)
{
  if (!is_there (self, job->id))
    return FALSE;
  job->pid = clip_thumbnail_program_start (payload, kinds[self->kind].form,
                                           kinds[self->kind].pixels, job->fd, NULL);
  if (!job->pid)
    self->end_us = 0; /* the program is missing, and will be for all the others */
  else
    job->end_fd = (int) syscall (SYS_pidfd_open, job->pid, 0);
  return job->pid != 0;
}

static void
start (ClipThumbnails *self, gint64 id, const char *name, const ClipPayload *payload)
{
  g_autofree Job *job = g_new0 (Job, 1);

  while (self->running.length >= MOST_RUNNING)
    finish_next (self);
  if (g_get_monotonic_time () > self->end_us)
    return;
  job->id = id;
  g_strlcpy (job->name, name, sizeof job->name);
  clip_thumbnail_part_name (name, job->part);
  job->fd = openat (self->dir_fd, job->part, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (job->fd < 0)
    return;
  if (begin (self, job, payload))
    {
      g_queue_push_tail (&self->running, g_steal_pointer (&job));
      return;
    }
  unlinkat (self->dir_fd, job->part, 0);
  clip_fd_clear (&job->fd);
}

/* FALSE = there is none yet */
static gboolean
find (ClipThumbnails *self, gint64 id, const char *name)
{
  struct stat status;

  if (fstatat (self->dir_fd, name, &status, AT_SYMLINK_NOFOLLOW) < 0)
    return FALSE;
  if (S_ISREG (status.st_mode) && status.st_size > 0)
    note_path (self, id, name);
  return TRUE;
}

static gboolean
is_making (ClipThumbnails *self, const char *name)
{
  for (GList *link = self->running.head; link; link = link->next)
    if (strcmp (((const Job *) link->data)->name, name) == 0)
      return TRUE;
  return FALSE;
}

/* (transfer full) (nullable): the image to make it of, where there is none yet */
static ClipPayload *
open_missing (ClipThumbnails *self, gint64 id, char out_name[CLIP_THUMBNAIL_NAME_BYTES])
{
  g_autoptr (ClipPayload) payload = NULL;
  ClipHash hash;

  if (self->dir_fd < 0)
    self->dir_fd = clip_ownership_make_inner_folder (self->dir, NULL);
  if (self->dir_fd >= 0)
    payload = clip_reader_open_content (self->reader, id, NULL, NULL);
  if (!payload)
    return NULL;
  hash = clip_payload_hash (payload);
  clip_thumbnail_name (self->dir_fd, &hash, clip_payload_mark (payload), self->kind,
                       out_name);
  return find (self, id, out_name) ? NULL : g_steal_pointer (&payload);
}

/**
 * clip_thumbnails_look:
 * @id: of an entry whose primary content is an image
 *
 * Finds its thumbnail, and begins nothing.
 *
 * Returns: whether there is one to be made
 */
gboolean
clip_thumbnails_look (ClipThumbnails *self, gint64 id)
{
  char name[CLIP_THUMBNAIL_NAME_BYTES];
  g_autoptr (ClipPayload) payload = open_missing (self, id, name);

  return payload != NULL;
}

/**
 * clip_thumbnails_ask:
 * @id: of an entry whose primary content is an image
 *
 * Finds its thumbnail, or begins to make it; not for more than a thousand entries, and
 * none after a few seconds.
 */
void
clip_thumbnails_ask (ClipThumbnails *self, gint64 id)
{
  char name[CLIP_THUMBNAIL_NAME_BYTES];
  g_autoptr (ClipPayload) payload = NULL;

  if (self->n_asked++ >= MOST_ASKED)
    return;
  payload = open_missing (self, id, name);
  if (payload && !is_making (self, name))
    start (self, id, name, payload);
}

/**
 * clip_thumbnails_await:
 * @id: that clip_thumbnails_ask() was called for
 *
 * Returns: (nullable): the path of its thumbnail, as long as @self lives
 */
const char *
clip_thumbnails_await (ClipThumbnails *self, gint64 id)
{
  const char *path;

  while (!(path = g_hash_table_lookup (self->paths, &id)) && self->running.length > 0)
    finish_next (self);
  return path;
}
