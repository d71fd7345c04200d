/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Walks over the members of an archive. Never a byte more is read than the next step
 * needs, so that the bytes of a large content are still in the descriptor when the
 * caller wants to move them from there. A member of lines is read as a whole, which is
 * why its size has a bound, and checked against its seal before any of its entries is
 * handed out.
 */
#include "clip-archive-reader.h"

#include "clip-archive-names.h"
#include "clip-error.h"
#include "clip-fd.h"
#include "clip-tar.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

/* ours have a quarter of a mebibyte and a line; so there is room for others' */
#define MAX_LINES_BYTES (4 * 1024 * 1024)
#define MAX_EXTENSION_BYTES (64 * 1024)

/* what tar fills its last record up with */
#define MAX_FILLING_BYTES (1024 * 1024)
#define FILLING_MS 1000

#define PASSED_OVER_BYTES (64 * 1024)

/* what becomes of one that was unpacked and packed again in the order of a folder */
#define WRONG_ORDER "an archive is packed in the order of its names (tar --sort=name)"

struct ClipArchiveReader
{
  ClipArchiveSource source;
  gboolean is_file;
  goffset offset; /* of the next byte to be read */
  goffset place;  /* of what is being looked at */
  ClipTarHeader member;
  gboolean has_head; /* the archive is one of ours */
  gboolean has_ended;
  GByteArray *buffer; /* the present member of lines, or a part of it */
  gsize lines_end;    /* without the seal */
  gsize next_line;
  guint line; /* its number, from 1; 0 = not among lines */
};

ClipArchiveReader *
clip_archive_reader_new (const ClipArchiveSource *source)
{
  ClipArchiveReader *self = g_new0 (ClipArchiveReader, 1);
  ClipFdLook look;

  self->source = *source;
  self->is_file = clip_fd_look (source->fd, &look) && clip_fd_is_file (&look);
  self->buffer = g_byte_array_new ();
  return self;
}

void
clip_archive_reader_free (ClipArchiveReader *self)
{
  if (!self)
    return;
  g_byte_array_unref (self->buffer);
  g_free (self);
}

/* --- bytes --- */

/* a file is always ready, and to poll it may take as long as its server likes */
static gboolean
wait_for_input (const ClipArchiveReader *self, GError **error)
{
  const int idle_ms = self->source.idle_ms > 0 ? self->source.idle_ms : -1;
  struct pollfd pollers[] = { { .fd = self->is_file ? -1 : self->source.fd,
                                .events = POLLIN },
                              { .fd = self->source.stop_fd, .events = POLLIN } };
  int n;

  do
    n = poll (pollers, 2, self->is_file ? 0 : idle_ms);
  while (n < 0 && errno == EINTR);
  if (n < 0)
    return clip_set_errno (error, errno, "wait for the archive");
  if (pollers[1].revents)
    {
      g_set_error_literal (error, CLIP_ERROR, CLIP_ERROR_CANCELLED,
                           "read archive: stopped");
      return FALSE;
    }
  if (n > 0 || self->is_file)
    return TRUE;
  g_set_error (error, CLIP_ERROR, CLIP_ERROR_STALLED,
               "read archive: no byte came for %d ms", self->source.idle_ms);
  return FALSE;
}

static gssize
read_some (const ClipArchiveReader *self, void *data, gsize length)
{
  return self->source.read ? self->source.read (data, length, self->source.read_data)
                           : read (self->source.fd, data, length);
}

/* Returns: the bytes read, fewer than @length only at the end; -1 with the error set */
static gssize
read_up_to (ClipArchiveReader *self, void *data, gsize length, GError **error)
{
  gsize done = 0;

  while (done < length)
    {
      gssize n;

      if (!wait_for_input (self, error))
        return -1;
      n = read_some (self, (char *) data + done, length - done);
      if (n < 0 && (errno == EINTR || errno == EAGAIN))
        continue;
      if (n < 0)
        {
          clip_set_errno (error, errno, "read archive");
          return -1;
        }
      if (n == 0)
        break;
      done += (gsize) n;
      self->offset += n;
      if (self->source.progress)
        self->source.progress (self->offset, self->source.progress_data);
    }
  return (gssize) done;
}

static gboolean
read_all (ClipArchiveReader *self, void *data, gsize length, GError **error)
{
  gssize n = read_up_to (self, data, length, error);

  if (n < 0 || n == (gssize) length)
    return n >= 0;
  self->place = self->offset;
  return clip_archive_fail (error, "the archive breaks off");
}

static gboolean
pass_over (ClipArchiveReader *self, gint64 size, GError **error)
{
  g_autofree char *bytes = g_malloc (PASSED_OVER_BYTES);

  while (size > 0)
    {
      gsize n = (gsize) MIN (size, PASSED_OVER_BYTES);

      if (!read_all (self, bytes, n, error))
        return FALSE;
      size -= (gint64) n;
    }
  return TRUE;
}

/* into the buffer, and a NUL behind it */
static gboolean
read_member (ClipArchiveReader *self, gint64 max_size, GError **error)
{
  gsize size = (gsize) self->member.size;
  gsize padded = size + (gsize) clip_tar_padding (self->member.size);

  if (self->member.size > max_size)
    return clip_archive_fail (
        error, "a member of this kind has %" G_GINT64_FORMAT " bytes at most", max_size);
  g_byte_array_set_size (self->buffer, (guint) padded + 1);
  if (!read_all (self, self->buffer->data, padded, error))
    return FALSE;
  g_byte_array_set_size (self->buffer, (guint) size + 1);
  self->buffer->data[size] = '\0';
  return TRUE;
}

/* --- members --- */

static gboolean
read_block (ClipArchiveReader *self, guint8 *block, GError **error)
{
  gssize n;

  if (self->offset > 0)
    return read_all (self, block, CLIP_TAR_BLOCK, error);
  n = read_up_to (self, block, CLIP_TAR_BLOCK, error);
  return n >= 0 && clip_tar_check_start (block, (gsize) n, error);
}

static gboolean
read_header (ClipArchiveReader *self, ClipTarHeader *out, GError **error)
{
  guint8 block[CLIP_TAR_BLOCK];

  self->place = self->offset;
  self->line = 0;
  *self->member.name = '\0';
  return read_block (self, block, error) && clip_tar_read_header (block, out, error);
}

/* what is said of the next member, before it */
static gboolean
read_remark (ClipArchiveReader *self, ClipTarHeader *next, GError **error)
{
  const char *text;
  gsize length;

  if (self->member.kind == CLIP_TAR_IGNORED)
    return pass_over (self, self->member.size + clip_tar_padding (self->member.size),
                      error);
  if (!read_member (self, MAX_EXTENSION_BYTES, error))
    return FALSE;
  text = (const char *) self->buffer->data;
  length = self->buffer->len - 1;
  if (self->member.kind == CLIP_TAR_EXTENDED)
    return clip_tar_read_extension (text, length, next, error);
  clip_tar_set_name (next, text, length);
  return TRUE;
}

/* the next file, or the end, is the present member */
static gboolean
next_member (ClipArchiveReader *self, GError **error)
{
  ClipTarHeader said = { .size = -1 };

  do
    {
      if (!read_header (self, &self->member, error))
        return FALSE;
      if (self->member.kind == CLIP_TAR_END || self->member.kind == CLIP_TAR_FILE)
        break;
    }
  while (read_remark (self, &said, error));
  if (self->member.kind != CLIP_TAR_END && self->member.kind != CLIP_TAR_FILE)
    return FALSE;
  if (said.size >= 0)
    self->member.size = said.size;
  if (*said.name)
    memcpy (self->member.name, said.name, sizeof said.name);
  return TRUE;
}

/* --- lines --- */

static gboolean
has_line (const ClipArchiveReader *self)
{
  return self->next_line < self->lines_end;
}

/* the next line of the buffer that is not empty; FALSE at the end */
static gboolean
take_line (ClipArchiveReader *self, const char **out_line, gsize *out_length)
{
  const char *text = (const char *) self->buffer->data;

  while (has_line (self))
    {
      const char *line = text + self->next_line;
      const char *end = memchr (line, '\n', self->lines_end - self->next_line);
      gsize length = end ? (gsize) (end - line) : self->lines_end - self->next_line;

      self->next_line += length + 1;
      self->line++;
      *out_line = line;
      *out_length = length;
      if (length > 0)
        return TRUE;
    }
  return FALSE;
}

static gsize
last_line_start (const char *text, gsize length)
{
  const char *end = length > 0 ? memrchr (text, '\n', length - 1) : NULL;

  return end ? (gsize) (end - text) + 1 : 0;
}

static guint
count_lines (const char *text, gsize length)
{
  guint n = 0;

  for (gsize i = 0; i < length; i++)
    n += text[i] == '\n';
  return n;
}

/* a member that has no seal was written by hand: then nothing is known of it */
static gboolean
check_seal (ClipArchiveReader *self, gsize length, GError **error)
{
  const char *text = (const char *) self->buffer->data;
  gsize start = last_line_start (text, length);
  gsize seal = length - start - (length > start && text[length - 1] == '\n');
  ClipArchiveLine line;
  guint n_lines;

  if (!g_str_has_prefix (text + start, "{\"lines\":"))
    return TRUE;
  n_lines = count_lines (text, start);
  self->line = n_lines + 1;
  if (!clip_archive_line_parse (text + start, seal, &line, error))
    return FALSE;
  if (line.n_lines != (gint64) n_lines || line.hash != XXH3_64bits (text, start))
    return clip_archive_fail (error, "the lines before it are damaged");
  self->line = 0;
  self->lines_end = start;
  return TRUE;
}

static gboolean
begin_lines (ClipArchiveReader *self, GError **error)
{
  self->next_line = self->lines_end = 0;
  if (!read_member (self, MAX_LINES_BYTES, error))
    return FALSE;
  self->lines_end = self->buffer->len - 1;
  return check_seal (self, self->lines_end, error);
}

static gboolean
read_head (ClipArchiveReader *self, GError **error)
{
  ClipArchiveLine line = { 0 };
  const char *text;
  gsize length;

  if (g_str_has_suffix (self->member.name, CLIP_ARCHIVE_LINES_SUFFIX) ||
      g_str_has_suffix (self->member.name, CLIP_ARCHIVE_FILE_SUFFIX))
    return clip_archive_fail (error, WRONG_ORDER);
  if (!g_str_has_suffix (self->member.name, CLIP_ARCHIVE_HEAD_SUFFIX))
    return clip_archive_fail (error, "it is no export of a history");
  if (!begin_lines (self, error))
    return FALSE;
  if (!take_line (self, &text, &length) ||
      !clip_archive_line_parse (text, length, &line, NULL) || line.version == 0)
    {
      clip_archive_entry_free (line.entry);
      return clip_archive_fail (error, "it is no export of a history");
    }
  if (line.version > CLIP_ARCHIVE_VERSION)
    return clip_archive_fail (error, "it is of version %d, and this program reads %d",
                              line.version, CLIP_ARCHIVE_VERSION);
  self->next_line = self->lines_end;
  self->has_head = TRUE;
  return TRUE;
}

static gboolean
next_lines (ClipArchiveReader *self, GError **error)
{
  if (!next_member (self, error))
    return FALSE;
  if (self->member.kind == CLIP_TAR_END)
    {
      self->has_ended = TRUE;
      return self->has_head || clip_archive_fail (error, "it is no export of a history");
    }
  if (!self->has_head)
    return read_head (self, error);
  if (g_str_has_suffix (self->member.name, CLIP_ARCHIVE_LINES_SUFFIX))
    return begin_lines (self, error);
  return clip_archive_fail (error,
                            "no line before it speaks of this member: " WRONG_ORDER);
}

static gboolean
take_entry (ClipArchiveReader *self, ClipArchiveEntry **out_entry, GError **error)
{
  ClipArchiveLine line;
  const char *text;
  gsize length;

  if (!take_line (self, &text, &length))
    return TRUE;
  if (!clip_archive_line_parse (text, length, &line, error))
    return FALSE;
  if (!line.entry)
    return clip_archive_fail (error, "it is no entry");
  *out_entry = line.entry;
  if (!clip_archive_entry_has_files (line.entry) || !has_line (self))
    return TRUE;
  g_clear_pointer (out_entry, clip_archive_entry_free);
  return clip_archive_fail (error, "members belong to it, and it is not the last line");
}

/**
 * clip_archive_reader_next:
 * @out_entry: (out): the next entry, or %NULL at the end. Where some of its contents are
 * members, these are to be opened and closed, in their order, before the next call.
 *
 * Errors: %CLIP_ERROR_CORRUPT, %CLIP_ERROR_STALLED, %CLIP_ERROR_CANCELLED, %G_FILE_ERROR;
 * clip_archive_reader_locate() says where.
 */
gboolean
clip_archive_reader_next (ClipArchiveReader *self,
                          ClipArchiveEntry **out_entry,
                          GError **error)
{
  *out_entry = NULL;
  while (!*out_entry && !self->has_ended)
    if (!(has_line (self) ? take_entry (self, out_entry, error)
                          : next_lines (self, error)))
      return FALSE;
  return TRUE;
}

/* --- contents that are members --- */

static const char *
base_name (const char *path)
{
  const char *slash = strrchr (path, '/');

  return slash ? slash + 1 : path;
}

/**
 * clip_archive_reader_open_file:
 * @content: the next one of the last entry that is a member
 *
 * Leaves the descriptor at the first byte of the content. The caller moves its bytes
 * from there, neither more nor less than its size, and then calls
 * clip_archive_reader_close_file().
 *
 * Errors: those of clip_archive_reader_next().
 */
gboolean
clip_archive_reader_open_file (ClipArchiveReader *self,
                               const ClipArchiveContent *content,
                               GError **error)
{
  if (!next_member (self, error))
    return FALSE;
  if (self->member.kind == CLIP_TAR_END ||
      strcmp (self->member.name, base_name (content->member)) != 0)
    return clip_archive_fail (error,
                              "it is not the member that belongs to the entry before it");
  if (self->member.size == content->size)
    return TRUE;
  return clip_archive_fail (
      error, "it has %" G_GINT64_FORMAT " bytes, and its line says %" G_GINT64_FORMAT,
      self->member.size, content->size);
}

/* whose bytes have been moved; a pipe is behind them already, a file is read by offset */
gboolean
clip_archive_reader_close_file (ClipArchiveReader *self, GError **error)
{
  if (self->is_file && lseek (self->source.fd, self->member.size, SEEK_CUR) < 0)
    return clip_set_errno (error, errno, "read archive");
  self->offset += self->member.size;
  return pass_over (self, clip_tar_padding (self->member.size), error);
}

/* instead of opening and closing the member of @content */
gboolean
clip_archive_reader_pass_file (ClipArchiveReader *self,
                               const ClipArchiveContent *content,
                               GError **error)
{
  return clip_archive_reader_open_file (self, content, error) &&
         pass_over (self, content->size + clip_tar_padding (content->size), error);
}

/* instead of opening and closing the members of the last entry */
gboolean
clip_archive_reader_pass_files (ClipArchiveReader *self,
                                const ClipArchiveEntry *entry,
                                GError **error)
{
  for (guint i = 0; i < entry->contents->len; i++)
    {
      const ClipArchiveContent *content = entry->contents->pdata[i];

      if (!content->bytes && !clip_archive_reader_pass_file (self, content, error))
        return FALSE;
    }
  return TRUE;
}

/**
 * clip_archive_reader_drain:
 *
 * After the last entry: reads what fills the archive up to a whole record, so that
 * its writer does not find its reader gone. All that counts is there already.
 */
void
clip_archive_reader_drain (ClipArchiveReader *self)
{
  g_autofree char *bytes = g_malloc (PASSED_OVER_BYTES);
  gssize n = PASSED_OVER_BYTES;

  self->source.idle_ms = FILLING_MS;
  for (gsize done = 0; n == PASSED_OVER_BYTES && done < MAX_FILLING_BYTES;
       done += (gsize) n)
    n = read_up_to (self, bytes, PASSED_OVER_BYTES, NULL);
}

/**
 * clip_archive_reader_locate:
 * @error: (nullable): is prefixed with the place of the archive that was looked at
 */
void
clip_archive_reader_locate (const ClipArchiveReader *self, GError **error)
{
  if (*self->member.name && self->line > 0)
    g_prefix_error (error,
                    "archive, at byte %" G_GOFFSET_FORMAT ", line %u of member '%s': ",
                    self->place, self->line, self->member.name);
  else if (*self->member.name)
    g_prefix_error (error,
                    "archive, at byte %" G_GOFFSET_FORMAT ", member '%s': ", self->place,
                    self->member.name);
  else
    g_prefix_error (error, "archive, at byte %" G_GOFFSET_FORMAT ": ", self->place);
}
