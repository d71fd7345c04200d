/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * make-history KIND N [SEED [BYTES]] >ARCHIVE
 *
 * Writes a history of N entries as an archive that `cliphist import` takes; the same
 * bytes for the same words.
 *   small  texts of 100 to 200 bytes: words by Zipf's law, links, numbers, line ends
 *   mixed  texts up to 2 KiB, HTML with its text, pictures up to 128 KiB, lists of files
 *   huge   contents of BYTES each (4 GiB), which begin differently and go on with zeros
 */
#include "clip-archive-writer.h"
#include "clip-fd.h"
#include "clip-mime.h"
#include "clip-tar.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* when the first one was copied, and how long after it the second was */
#define FIRST_US (G_GINT64_CONSTANT (1700000000) * G_USEC_PER_SEC)
#define STEP_US (7 * G_USEC_PER_SEC)

#define DEFAULT_HUGE_BYTES (G_GINT64_CONSTANT (4) * 1024 * 1024 * 1024)
#define ZEROS_BYTES (1024 * 1024)
#define PNG_MIN_BITS 10
#define PNG_MAX_BITS 17

typedef struct
{
  ClipArchiveWriter *writer;
  GString *out;
  GString *text;   /* of an entry in the making */
  GString *beside; /* and what stands beside it */
  guint64 state;
  gint64 bytes; /* of a huge one */
} Maker;

typedef void (*MakeEntry) (Maker *self, ClipRow *row);

/* xorshift64*: the same everywhere */
static guint64
draw (Maker *self)
{
  self->state ^= self->state >> 12;
  self->state ^= self->state << 25;
  self->state ^= self->state >> 27;
  return self->state * G_GUINT64_CONSTANT (0x2545F4914F6CDD1D) >> 8;
}

static guint
draw_below (Maker *self, guint end)
{
  return (guint) (draw (self) % end);
}

/* as many of 16 to 31 as of 32 to 63 */
static gsize
draw_size (Maker *self, guint min_bits, guint max_bits)
{
  guint bits = min_bits + draw_below (self, max_bits - min_bits);

  return ((gsize) 1 << bits) + draw_below (self, 1u << bits);
}

static void
put (Maker *self)
{
  g_autoptr (GError) error = NULL;

  if (!clip_write_all (STDOUT_FILENO, self->out->str, self->out->len, &error))
    {
      fprintf (stderr, "make-history: %s\n", error->message);
      exit (1);
    }
  g_string_truncate (self->out, 0);
}

/* of 65,536 words, one of twice the rank is half as likely */
static void
add_word (Maker *self, GString *text)
{
  static const char *const parts[] = {
    "a",  "in", "ter", "na",  "men",  "t", "or", "pre", "ci", "sion", "wa",   "lo",
    "ck", "er", "s",   "dis", "cuss", "é", "ün", "ß",   "но", "ва",   "日本", "🙂",
  };
  guint rank = draw_below (self, 1u << (4 + draw_below (self, 13)));

  for (rank += 7; rank > 0; rank /= G_N_ELEMENTS (parts))
    g_string_append (text, parts[rank % G_N_ELEMENTS (parts)]);
}

static void
add_path (Maker *self, GString *text, const char *before, const char *after)
{
  g_string_append (text, before);
  add_word (self, text);
  g_string_append_printf (text, "/%u-", draw_below (self, 10000));
  add_word (self, text);
  g_string_append (text, after);
}

static void
fill_text (Maker *self, gsize length)
{
  GString *text = self->text;

  g_string_truncate (text, 0);
  while (text->len < length)
    {
      guint kind = draw_below (self, 64);

      if (kind == 0)
        add_path (self, text, "https://www.", ".html");
      else if (kind < 3)
        g_string_append_printf (text, "%u.%02u", draw_below (self, 1000000),
                                draw_below (self, 100));
      else
        add_word (self, text);
      g_string_append (text, kind == 63 ? "\n" : kind == 62 ? "\r\n\t" : " ");
    }
}

static void
add_text (Maker *self, const char *mime, const GString *text)
{
  clip_archive_writer_add_bytes (self->writer, mime, text->str, text->len);
}

static void
add_page (Maker *self)
{
  g_string_assign (self->beside, "<!DOCTYPE html><html><body><p class=\"copied\">");
  for (gsize i = 0; i < self->text->len; i++)
    if (self->text->str[i] == '\n')
      g_string_append (self->beside, "</p>\n<p style=\"margin: 0\">");
    else
      g_string_append_c (self->beside, self->text->str[i]);
  g_string_append (self->beside, "</p></body></html>");
  add_text (self, CLIP_MIME_TEXT, self->text);
  add_text (self, CLIP_MIME_HTML, self->beside);
}

static void
add_files (Maker *self)
{
  g_string_truncate (self->text, 0);
  for (guint n = 1 + draw_below (self, 8); n > 0; n--)
    add_path (self, self->text, "file:///home/me/", ".pdf\r\n");
  add_text (self, CLIP_MIME_URI_LIST, self->text);
}

static void
append_big_endian (GString *out, guint32 number)
{
  number = GUINT32_TO_BE (number);
  g_string_append_len (out, (const char *) &number, sizeof number);
}

/* a signature, a size, and what looks compressed */
static void
fill_picture (Maker *self, gsize length)
{
  GString *out = self->text;

  g_string_truncate (out, 0);
  g_string_append_len (out, "\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16);
  append_big_endian (out, 16 + draw_below (self, 4000));
  append_big_endian (out, 16 + draw_below (self, 4000));
  g_string_append_len (out, "\x08\x06\0\0\0", 5);
  append_big_endian (out, (guint32) crc32 (0, (const Bytef *) out->str + 12, 17));
  while (out->len < length)
    {
      guint64 noise = GUINT64_TO_LE (draw (self));

      g_string_append_len (out, (const char *) &noise, sizeof noise);
    }
}

static void
end_entry (Maker *self)
{
  clip_archive_writer_end_entry (self->writer);
  if (!clip_archive_writer_is_full (self->writer))
    return;
  clip_archive_writer_flush (self->writer, self->out);
  put (self);
}

static void
make_picture (Maker *self)
{
  fill_picture (self, draw_size (self, PNG_MIN_BITS, PNG_MAX_BITS));
  if (clip_archive_writer_has_room (self->writer, (gint64) self->text->len))
    {
      add_text (self, "image/png", self->text);
      end_entry (self);
      return;
    }
  clip_archive_writer_add_file (self->writer, "image/png", (gint64) self->text->len,
                                NULL);
  end_entry (self);
  clip_archive_writer_begin_file (self->writer, self->out, (gint64) self->text->len);
  g_string_append_len (self->out, self->text->str, (gssize) self->text->len);
  clip_tar_append_padding (self->out, (gint64) self->text->len);
}

static void
make_small (Maker *self, ClipRow *row)
{
  row->kind = CLIP_CLASS_TEXT;
  clip_archive_writer_begin_entry (self->writer, row, NULL);
  fill_text (self, 100 + draw_below (self, 90));
  add_text (self, CLIP_MIME_TEXT, self->text);
  end_entry (self);
}

static void
make_mixed (Maker *self, ClipRow *row)
{
  static const char *const tags[] = { "work", NULL };
  guint kind = draw_below (self, 10);

  row->kind = kind == 0   ? CLIP_CLASS_IMAGE
              : kind == 1 ? CLIP_CLASS_FILES
                          : CLIP_CLASS_TEXT;
  row->copies = 1 + (draw_below (self, 8) == 0 ? draw_below (self, 20) : 0);
  row->first_us -= row->copies > 1 ? STEP_US : 0;
  row->pinned = draw_below (self, 500) == 0;
  row->origin = draw_below (self, 2) ? "wayland clipboard org.example.Writer" : "";
  clip_archive_writer_begin_entry (self->writer, row,
                                   draw_below (self, 50) == 0 ? tags : NULL);
  if (kind == 0)
    {
      make_picture (self);
      return;
    }
  fill_text (self, draw_size (self, 5, 11));
  if (kind == 1)
    add_files (self);
  else if (kind < 4)
    add_page (self);
  else
    add_text (self, CLIP_MIME_TEXT, self->text);
  end_entry (self);
}

static void
make_huge (Maker *self, ClipRow *row)
{
  static const char zeros[ZEROS_BYTES];

  row->kind = CLIP_CLASS_OTHER;
  clip_archive_writer_begin_entry (self->writer, row, NULL);
  clip_archive_writer_add_file (self->writer, CLIP_MIME_OCTETS, self->bytes, NULL);
  end_entry (self);
  clip_archive_writer_begin_file (self->writer, self->out, self->bytes);
  fill_text (self, 4096);
  g_string_truncate (self->text, (gsize) MIN (self->bytes, 4096));
  g_string_append_len (self->out, self->text->str, (gssize) self->text->len);
  for (gint64 left = self->bytes - (gint64) self->text->len; left > 0;)
    {
      gint64 n = MIN (left, ZEROS_BYTES);

      g_string_append_len (self->out, zeros, n);
      put (self);
      left -= n;
    }
  clip_tar_append_padding (self->out, self->bytes);
}

static void
make (Maker *self, MakeEntry make_entry, gint64 n)
{
  clip_archive_writer_begin (self->writer, self->out);
  for (gint64 i = 1; i <= n; i++)
    {
      gint64 now_us = FIRST_US + i * STEP_US;
      ClipRow row = {
        .id = i, .first_us = now_us, .last_us = now_us, .copies = 1, .origin = ""
      };

      make_entry (self, &row);
    }
  clip_archive_writer_flush (self->writer, self->out);
  clip_archive_writer_end (self->writer, self->out);
  put (self);
}

static MakeEntry
find_kind (const char *name)
{
  if (g_str_equal (name, "small"))
    return make_small;
  if (g_str_equal (name, "mixed"))
    return make_mixed;
  return g_str_equal (name, "huge") ? make_huge : NULL;
}

int
main (int argc, char *argv[])
{
  MakeEntry make_entry = argc > 2 ? find_kind (argv[1]) : NULL;
  Maker self = {
    .writer = clip_archive_writer_new (FIRST_US),
    .out = g_string_new (NULL),
    .text = g_string_new (NULL),
    .beside = g_string_new (NULL),
    .state = argc > 3 ? strtoull (argv[3], NULL, 10) : 1,
    .bytes = argc > 4 ? strtoll (argv[4], NULL, 10) : DEFAULT_HUGE_BYTES,
  };

  if (!make_entry)
    {
      fprintf (stderr, "usage: make-history small|mixed|huge N [SEED [BYTES]]\n");
      return 2;
    }
  self.state = self.state * G_GUINT64_CONSTANT (0x9E3779B97F4A7C15) | 1;
  make (&self, make_entry, strtoll (argv[2], NULL, 10));
  clip_archive_writer_free (self.writer);
  g_string_free (self.out, TRUE);
  g_string_free (self.text, TRUE);
  g_string_free (self.beside, TRUE);
  return 0;
}
