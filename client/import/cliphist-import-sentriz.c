/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * cliphist-import-sentriz PATH [PROGRAM]
 *
 * The database of the existing tool as an archive, as clip-foreign.c asks for it. The one
 * in its own place is taken over by the first write, without being asked.
 */
#include "clip-archive-writer.h"
#include "clip-bolt.h"
#include "clip-detect.h"
#include "clip-error.h"
#include "clip-fd.h"
#include "clip-mime.h"
#include "clip-pump.h"
#include "clip-tar.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define EXIT_UNKNOWN 3
#define TITLE "sentriz/cliphist"

/* of the folder that the tool keeps it in */
#define FILE_NAME "db"

/* what an archive can say; larger ids are not kept in any case */
#define MAX_ID ((G_GINT64_CONSTANT (1) << 53) - 1)

/* the daemon may have to wait for its disk, and for another caller */
#define NO_DEADLINE 0

typedef struct
{
  int fd; /* of the database */
  gint64 copied_us;
  ClipArchiveWriter *writer;
  GString *buffer;
  guint64 n_left_out;
} Sentriz;

static gboolean
write_buffer (Sentriz *self, GError **error)
{
  gboolean fine =
      clip_write_all (STDOUT_FILENO, self->buffer->str, self->buffer->len, error);

  g_string_truncate (self->buffer, 0);
  return fine;
}

/* the line of the entry, and its bytes as a member of their own */
static gboolean
write_file (Sentriz *self, const ClipBoltEntry *entry, GError **error)
{
  gint64 size = (gint64) entry->size;
  g_autoptr (ClipPump) pump = NULL;

  clip_archive_writer_flush (self->writer, self->buffer);
  clip_archive_writer_begin_file (self->writer, self->buffer, size);
  if (!write_buffer (self, error))
    return FALSE;
  if (lseek (self->fd, entry->offset, SEEK_SET) < 0)
    return clip_set_errno (error, errno, "read file");
  pump = clip_pump_new (self->fd, STDOUT_FILENO, size, size);
  if (!clip_pump_run (pump, NO_DEADLINE, error))
    return FALSE;
  clip_tar_append_padding (self->buffer, size);
  return TRUE;
}

static gboolean
read_head (const Sentriz *self,
           const ClipBoltEntry *entry,
           char **out_head,
           gsize *out_length,
           GError **error)
{
  *out_length = entry->size <= CLIP_ARCHIVE_INLINE_BYTES ? entry->size : CLIP_HEAD_BYTES;
  *out_head = g_malloc (*out_length);
  return clip_read_exactly (self->fd, *out_head, *out_length, entry->offset, error);
}

/* it says nothing of when an entry was copied, nor of what type it is */
static gboolean
add_entry (Sentriz *self, const ClipBoltEntry *entry, GError **error)
{
  gint64 size = (gint64) entry->size;
  g_autofree char *head = NULL;
  const char *mime;
  gsize length;
  ClipRow row = { .id = entry->id <= MAX_ID ? entry->id : 0,
                  .first_us = self->copied_us,
                  .last_us = self->copied_us,
                  .copies = 1 };

  if (!read_head (self, entry, &head, &length, error))
    return FALSE;
  mime = clip_detect_mime (head, length, length == entry->size);
  row.kind = clip_mime_class (mime);
  clip_archive_writer_begin_entry (self->writer, &row, NULL);
  if (length == entry->size)
    clip_archive_writer_add_bytes (self->writer, mime, head, length);
  else
    clip_archive_writer_add_file (self->writer, mime, size, NULL);
  clip_archive_writer_set_guessed (self->writer);
  clip_archive_writer_end_entry (self->writer);
  if (length < entry->size)
    return write_file (self, entry, error);
  if (clip_archive_writer_is_full (self->writer))
    clip_archive_writer_flush (self->writer, self->buffer);
  return write_buffer (self, error);
}

static gboolean
add_all (Sentriz *self, ClipBolt *bolt, GError **error)
{
  g_autoptr (GError) local = NULL;
  ClipBoltEntry entry;

  while (clip_bolt_next (bolt, &entry, &local))
    if (entry.size == 0)
      self->n_left_out++;
    else if (!add_entry (self, &entry, error))
      return FALSE;
  clip_archive_writer_flush (self->writer, self->buffer);
  clip_archive_writer_end (self->writer, self->buffer);
  if (!write_buffer (self, error))
    return FALSE;
  if (local)
    g_propagate_error (error, g_steal_pointer (&local));
  return !*error;
}

/* Returns: the status to exit with */
static int
run (int fd, const struct stat *status)
{
  Sentriz self = { .fd = fd };
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipBolt) bolt = clip_bolt_open (fd, &error);
  gint64 changed_us =
      (gint64) status->st_mtim.tv_sec * G_USEC_PER_SEC + status->st_mtim.tv_nsec / 1000;

  self.copied_us = CLAMP (changed_us, 0, g_get_real_time ());
  self.writer = clip_archive_writer_new (g_get_real_time ());
  self.buffer = g_string_new (NULL);
  clip_archive_writer_begin (self.writer, self.buffer);
  if (bolt)
    add_all (&self, bolt, &error);
  fprintf (stderr, "left-out %" G_GUINT64_FORMAT "\n", self.n_left_out);
  if (error)
    fprintf (stderr, "fault " TITLE ", %s\n", error->message);
  clip_archive_writer_free (self.writer);
  g_string_free (self.buffer, TRUE);
  return error ? 1 : 0;
}

int
main (int argc, char *argv[])
{
  g_autofree char *path = argc > 1 ? g_strdup (argv[1]) : g_strdup ("");
  gboolean is_named = argc > 2;
  struct stat status;
  clip_autofd int fd = -1;

  if (g_file_test (path, G_FILE_TEST_IS_DIR))
    {
      char *folder = path;

      path = g_build_filename (folder, FILE_NAME, NULL);
      g_free (folder);
      is_named = FALSE;
    }
  fd = open (path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  if (fd < 0 || fstat (fd, &status) < 0 || !S_ISREG (status.st_mode) ||
      !(is_named || clip_bolt_is_one (fd)))
    return EXIT_UNKNOWN;
  fputs ("is sentriz " TITLE "\n", stderr);
  return run (fd, &status);
}
