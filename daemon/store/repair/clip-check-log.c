/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The write-ahead log. SQLite reads it, after a crash, up to the first frame whose
 * checksum is wrong, and takes that for the end. It is the end where a crash came in the
 * middle of a commit: that one was never acknowledged. But a commit begins only when the
 * one before is on the disk: so frames of a further one behind the wrong frame mean that it was
 * right once, and that what was acknowledged is out of sight.
 */
#include "clip-check-private.h"

#include "clip-error.h"
#include "clip-fd.h"
#include "clip-paths.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#define HEADER_BYTES 32
#define FRAME_HEADER_BYTES 24
#define MAGIC 0x377f0682u /* the last bit: checksums of big-endian words */
#define MAX_PAGE_BYTES 65536
#define USUAL_PAGE_BYTES 4096

/* the same log looked at again: one that is written to meanwhile changes at its end */
#define N_LOOKS 3

typedef struct
{
  int fd;
  gsize page_bytes;
  gboolean is_big_endian;
  guint8 salts[8];
  guint32 sums[2]; /* as of the frame before */
  guint8 *frame;
  gint64 bad; /* the first frame that is wrong, from 1; 0 = none */
  gint64 n_lost;
} Log;

static guint32
get_word (const Log *self, const guint8 *bytes)
{
  guint32 word;

  memcpy (&word, bytes, sizeof word);
  return self->is_big_endian ? GUINT32_FROM_BE (word) : GUINT32_FROM_LE (word);
}

static guint32
get_number (const guint8 *bytes)
{
  guint32 word;

  memcpy (&word, bytes, sizeof word);
  return GUINT32_FROM_BE (word);
}

static void
add_sums (Log *self, const guint8 *bytes, gsize length)
{
  for (gsize i = 0; i < length; i += 8)
    {
      self->sums[0] += get_word (self, bytes + i) + self->sums[1];
      self->sums[1] += get_word (self, bytes + i + 4) + self->sums[0];
    }
}

/* afterwards the sums are those that stand there, so that what follows is judged by itself
 */
static gboolean
take_sums (Log *self, const guint8 *stored)
{
  guint32 first = get_number (stored), second = get_number (stored + 4);
  gboolean fits = self->sums[0] == first && self->sums[1] == second;

  self->sums[0] = first;
  self->sums[1] = second;
  return fits;
}

static gboolean
read_header (Log *self)
{
  guint8 header[HEADER_BYTES];

  if (!clip_read_exactly (self->fd, header, sizeof header, 0, NULL))
    return FALSE;
  self->is_big_endian = get_number (header) & 1;
  self->page_bytes = get_number (header + 8);
  memcpy (self->salts, header + 16, sizeof self->salts);
  self->sums[0] = self->sums[1] = 0;
  add_sums (self, header, 24);
  return take_sums (self, header + 24) && (get_number (header) & ~1u) == MAGIC &&
         self->page_bytes >= 512 && self->page_bytes <= MAX_PAGE_BYTES;
}

static gboolean
read_frame (Log *self, gint64 number)
{
  gsize length = FRAME_HEADER_BYTES + self->page_bytes;

  return clip_read_exactly (self->fd, self->frame, length,
                            HEADER_BYTES + (number - 1) * (gint64) length, NULL);
}

/* walks to the end of the file; what comes behind a wrong frame counts only where a whole
 * commit lies in between */
static void
walk (Log *self)
{
  gboolean committed = FALSE;

  self->bad = self->n_lost = 0;
  for (gint64 i = 1; read_frame (self, i); i++)
    {
      gboolean ours = memcmp (self->frame + 8, self->salts, sizeof self->salts) == 0;
      gboolean fits;

      add_sums (self, self->frame, 8);
      add_sums (self, self->frame + FRAME_HEADER_BYTES, self->page_bytes);
      fits = take_sums (self, self->frame + 16) && ours;
      if (!fits && self->bad == 0)
        self->bad = i;
      if (self->bad == 0 || !ours)
        continue;
      self->n_lost += committed;
      committed = committed || get_number (self->frame + 4) != 0;
    }
}

static gboolean
look (Log *self)
{
  struct stat status;

  if (fstat (self->fd, &status) < 0 || status.st_size <= HEADER_BYTES)
    return TRUE;
  if (!read_header (self))
    {
      self->bad = 0;
      self->n_lost = 1;
      return FALSE;
    }
  walk (self);
  return self->n_lost == 0;
}

/* where the header is lost, as this program writes it; the first frame cannot be judged */
static void
guess_header (Log *self)
{
  guint8 salts[8] = { 0 };

  self->is_big_endian = FALSE;
  self->page_bytes = USUAL_PAGE_BYTES;
  clip_read_exactly (self->fd, salts, sizeof salts, HEADER_BYTES + 8, NULL);
  memcpy (self->salts, salts, sizeof salts);
}

/* the frame of the last commit; 0 = there is none */
static gint64
find_end (Log *self)
{
  gint64 end = 0;

  for (gint64 i = 1; read_frame (self, i); i++)
    if (memcmp (self->frame + 8, self->salts, sizeof self->salts) == 0 &&
        get_number (self->frame + 4) != 0)
      end = i;
  return end;
}

/**
 * clip_log_apply:
 * @path: of a log; where there is none nothing is done
 * @fd: a copy of its database
 *
 * Carries over what is committed, frame by frame, all that are whole: SQLite stops at the first
 * one that is not.
 */
gboolean
clip_log_apply (const char *path, int fd, GError **error)
{
  clip_autofd int log_fd = open (path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  g_autofree guint8 *frame = g_malloc (FRAME_HEADER_BYTES + MAX_PAGE_BYTES);
  Log log = { .fd = log_fd, .frame = frame };
  gint64 end;

  if (log_fd < 0)
    return errno == ENOENT || clip_set_errno (error, errno, "open '%s'", path);
  if (!read_header (&log))
    guess_header (&log);
  end = find_end (&log);
  for (gint64 i = 1; i <= end && read_frame (&log, i); i++)
    {
      gint64 number = get_number (log.frame);
      gboolean ours = memcmp (log.frame + 8, log.salts, sizeof log.salts) == 0;

      add_sums (&log, log.frame, 8);
      add_sums (&log, log.frame + FRAME_HEADER_BYTES, log.page_bytes);
      if (!take_sums (&log, log.frame + 16) || !ours || number == 0)
        continue;
      if (pwrite (fd, log.frame + FRAME_HEADER_BYTES, log.page_bytes,
                  (number - 1) * (gint64) log.page_bytes) != (gssize) log.page_bytes)
        return clip_set_errno (error, errno, "copy pages");
    }
  return TRUE;
}

/**
 * clip_check_log:
 * @path: of the log; where there is none nothing is wrong with it
 *
 * Errors: %G_FILE_ERROR.
 */
gboolean
clip_check_log (const char *path, ClipReport *report, GError **error)
{
  clip_autofd int fd = open (path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  g_autofree guint8 *frame = g_malloc (FRAME_HEADER_BYTES + MAX_PAGE_BYTES);
  Log log = { .fd = fd, .frame = frame };
  gint64 bad = -1;

  if (fd < 0)
    return errno == ENOENT || clip_set_errno (error, errno, "open '%s'", path);
  for (guint i = 0; i < N_LOOKS; i++)
    {
      if (look (&log) || (bad >= 0 && bad != log.bad))
        return TRUE;
      bad = log.bad;
    }
  if (bad == 0)
    clip_report_add (report, CLIP_FINDING_LOG, 0, CLIP_DATABASE_NAME "-wal",
                     "its header is damaged");
  else
    clip_report_add (report, CLIP_FINDING_LOG, 0, CLIP_DATABASE_NAME "-wal",
                     "frame %" G_GINT64_FORMAT
                     " is damaged, and at least %" G_GINT64_FORMAT
                     " behind it are out of sight",
                     bad, log.n_lost);
  return TRUE;
}
