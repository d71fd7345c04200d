/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * An archive is a tar of numbered members. A header of 512 bytes for each of a million
 * words would be four times what they are: so entries are lines of JSON, many in a
 * member, with their small contents in them. A large content is a member of its own, and
 * follows on the member whose last line refers to it: a program that reads the archive as
 * it comes knows by then what it belongs to, and has to remember one entry at most.
 */
#include "clip-archive-writer.h"

#include "clip-archive-entry.h"
#include "clip-archive-names.h"
#include "clip-row.h"
#include "clip-tar.h"

#include <string.h>
#include <xxhash.h>

struct ClipArchiveWriter
{
  GString *lines;
  guint n_lines;
  gsize entry;             /* where the line of the present entry begins */
  guint n_contents;        /* of it */
  gboolean guessed;        /* of it: see clip_archive_writer_set_guessed() */
  guint64 number;          /* of the last member that was begun */
  guint64 referred;        /* of the last member that a line refers to */
  guint64 referred_before; /* by the lines before the present one */
  gint64 now_us;
};

/**
 * clip_archive_writer_new:
 * @now_us: when the archive is made, which is also how old its members are
 */
ClipArchiveWriter *
clip_archive_writer_new (gint64 now_us)
{
  ClipArchiveWriter *self = g_new0 (ClipArchiveWriter, 1);

  self->lines =
      g_string_sized_new (CLIP_ARCHIVE_LINES_BYTES + CLIP_ARCHIVE_LINES_BYTES / 2);
  self->now_us = now_us;
  return self;
}

void
clip_archive_writer_free (ClipArchiveWriter *self)
{
  if (!self)
    return;
  g_string_free (self->lines, TRUE);
  g_free (self);
}

static void
append_member_header (ClipArchiveWriter *self,
                      GString *out,
                      const char *suffix,
                      gint64 size)
{
  g_autofree char *name = g_strdup_printf (
      CLIP_ARCHIVE_FOLDER "/" CLIP_ARCHIVE_NUMBER "%s", self->number++, suffix);

  clip_tar_append_header (out, name, size, self->now_us / G_USEC_PER_SEC);
}

/* what an archive begins with */
void
clip_archive_writer_begin (ClipArchiveWriter *self, GString *out)
{
  g_autofree char *text = g_strdup_printf ("{\"" CLIP_ARCHIVE_MARK
                                           "\":%d,\"created\":%" G_GINT64_FORMAT "}\n",
                                           CLIP_ARCHIVE_VERSION, self->now_us);
  gint64 size = (gint64) strlen (text);

  append_member_header (self, out, CLIP_ARCHIVE_HEAD_SUFFIX, size);
  g_string_append (out, text);
  clip_tar_append_padding (out, size);
}

/* what it ends with; flushed before */
void
clip_archive_writer_end (ClipArchiveWriter *self G_GNUC_UNUSED, GString *out)
{
  clip_tar_append_end (out);
}

static void
append_number (GString *out, const char *name_part, gint64 value)
{
  /* what would be refused when it is read again */
  value = CLAMP (value, 0, CLIP_ARCHIVE_MAX_NUMBER);
  g_string_append (out, name_part);
  g_string_append_printf (out, "%" G_GINT64_FORMAT, value);
}

static void
append_tags (GString *out, const char *const *tags)
{
  g_string_append (out, ",\"tags\":[");
  for (guint i = 0; tags[i]; i++)
    {
      if (i > 0)
        g_string_append_c (out, ',');
      clip_json_append_string (out, tags[i], -1);
    }
  g_string_append_c (out, ']');
}

/**
 * clip_archive_writer_begin_entry:
 * @row: the course of the entry, without an id where that is 0; its contents are added
 * behind it, the primary one first
 * @tags: (nullable)
 */
void
clip_archive_writer_begin_entry (ClipArchiveWriter *self,
                                 const ClipRow *row,
                                 const char *const *tags)
{
  GString *out = self->lines;

  self->entry = out->len;
  self->n_contents = 0;
  self->guessed = FALSE;
  self->referred_before = self->referred;
  g_string_append_c (out, '{');
  if (row->id > 0)
    append_number (out, "\"id\":", row->id);
  append_number (
      out, row->id > 0 ? ",\"first\":" : "\"first\":", MIN (row->first_us, row->last_us));
  append_number (out, ",\"last\":", row->last_us);
  append_number (out, ",\"copies\":", row->copies);
  if (row->pinned)
    g_string_append (out, ",\"pinned\":true");
  if (row->expires_us > 0)
    append_number (out, ",\"expires\":", row->expires_us);
  g_string_append_printf (out, ",\"class\":\"%s\"", clip_class_name (row->kind));
  if (row->origin && *row->origin)
    {
      g_string_append (out, ",\"origin\":");
      clip_json_append_string (out, row->origin, -1);
    }
  if (tags && tags[0])
    append_tags (out, tags);
  g_string_append (out, ",\"contents\":[");
}

/* whether a content of @size bytes is to stand in the line of the present entry */
gboolean
clip_archive_writer_has_room (const ClipArchiveWriter *self, gint64 size)
{
  return size <= CLIP_ARCHIVE_INLINE_BYTES &&
         self->lines->len - self->entry + (gsize) size <= CLIP_ARCHIVE_LINE_BYTES;
}

static void
begin_content (ClipArchiveWriter *self, const char *mime)
{
  g_string_append (self->lines, self->n_contents++ > 0 ? ",{\"type\":" : "{\"type\":");
  clip_json_append_string (self->lines, mime, -1);
}

static void
append_base64 (GString *out, const void *data, gsize length)
{
  gsize start = out->len;
  int state = 0;
  int save = 0;
  gsize n;

  g_string_set_size (out, start + (length / 3 + 1) * 4 + 4);
  n = g_base64_encode_step (data, length, FALSE, out->str + start, &state, &save);
  n += g_base64_encode_close (FALSE, out->str + start + n, &state, &save);
  g_string_set_size (out, start + n);
}

/**
 * clip_archive_writer_add_bytes:
 *
 * A content that stands in the line: as text where it is UTF-8 without a NUL, which JSON
 * gives back byte for byte, else in base64.
 */
void
clip_archive_writer_add_bytes (ClipArchiveWriter *self,
                               const char *mime,
                               const void *data,
                               gsize length)
{
  begin_content (self, mime);
  if (g_utf8_validate_len (data, length, NULL))
    {
      g_string_append (self->lines, ",\"text\":");
      clip_json_append_string (self->lines, data, (gssize) length);
      g_string_append_c (self->lines, '}');
      return;
    }
  g_string_append (self->lines, ",\"base64\":\"");
  append_base64 (self->lines, data, length);
  g_string_append (self->lines, "\"}");
}

/**
 * clip_archive_writer_add_file:
 * @hash: (nullable): XXH3-128 of its bytes, canonical, in hexadecimal
 *
 * A content that follows as a member of its own: when the entry has ended and was
 * flushed, in the order in which they were added.
 */
void
clip_archive_writer_add_file (ClipArchiveWriter *self,
                              const char *mime,
                              gint64 size,
                              const char *hash)
{
  GString *out = self->lines;

  /* the member of the lines themselves is the next one */
  self->referred = MAX (self->referred, self->number) + 1;
  begin_content (self, mime);
  append_number (out, ",\"size\":", size);
  g_string_append_printf (
      out, ",\"member\":\"" CLIP_ARCHIVE_NUMBER CLIP_ARCHIVE_FILE_SUFFIX "\"",
      self->referred);
  if (hash)
    g_string_append_printf (out, ",\"xxh3\":\"%s\"", hash);
  g_string_append_c (out, '}');
}

/* within an entry: there is no name for the type of its primary content, which is what
 * its bytes look like */
void
clip_archive_writer_set_guessed (ClipArchiveWriter *self)
{
  self->guessed = TRUE;
}

void
clip_archive_writer_end_entry (ClipArchiveWriter *self)
{
  g_string_append (self->lines, self->guessed ? "],\"guessed\":true}\n" : "]}\n");
  self->n_lines++;
}

/* as if it had not been begun; before its end */
void
clip_archive_writer_drop_entry (ClipArchiveWriter *self)
{
  g_string_truncate (self->lines, self->entry);
  self->referred = self->referred_before;
}

/* whether it is to be flushed before the next entry */
gboolean
clip_archive_writer_is_full (const ClipArchiveWriter *self)
{
  return self->lines->len >= CLIP_ARCHIVE_LINES_BYTES || self->referred > self->number;
}

/* a line that says how many came before it, and what their bytes are */
static void
append_seal (ClipArchiveWriter *self)
{
  guint64 hash = XXH3_64bits (self->lines->str, self->lines->len);

  g_string_append_printf (self->lines,
                          "{\"lines\":%u,\"xxh3\":\"%016" G_GINT64_MODIFIER "x\"}\n",
                          self->n_lines, hash);
}

/* appends the member that holds the entries since the last time, if there are any */
void
clip_archive_writer_flush (ClipArchiveWriter *self, GString *out)
{
  gint64 size;

  if (self->n_lines == 0)
    return;
  append_seal (self);
  size = (gint64) self->lines->len;
  append_member_header (self, out, CLIP_ARCHIVE_LINES_SUFFIX, size);
  g_string_append_len (out, self->lines->str, (gssize) self->lines->len);
  clip_tar_append_padding (out, size);
  g_string_truncate (self->lines, 0);
  self->n_lines = 0;
}

/* what goes before the bytes of the next content that was added as a file; behind them
 * goes clip_tar_append_padding() */
void
clip_archive_writer_begin_file (ClipArchiveWriter *self, GString *out, gint64 size)
{
  append_member_header (self, out, CLIP_ARCHIVE_FILE_SUFFIX, size);
}
