/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The headers of a tar archive (POSIX ustar and pax), and no more of it than an archive
 * of ours has, or gets when tar itself packs its members again. A library would read the
 * members through a buffer of its own, and then no payload could go from the pipe into a
 * file without passing through it.
 *
 * No name is ever used as a path: only what stands behind its last slash counts, to be
 * compared with what is expected.
 */
#include "clip-tar.h"

#include "clip-error.h"

#include <string.h>

/* where the fields of a header are */
enum
{
  NAME = 0,
  MODE = 100,
  UID = 108,
  GID = 116,
  SIZE = 124,
  MTIME = 136,
  CHECKSUM = 148,
  TYPE = 156,
  MAGIC = 257,
};

#define NAME_BYTES 100
#define ID_BYTES 8
#define NUMBER_BYTES 12
#define CHECKSUM_BYTES 8

/* what eleven octal digits hold */
#define MAX_OCTAL ((G_GINT64_CONSTANT (1) << 33) - 1)

/* no file is larger, and a sum of two does not overflow */
#define MAX_SIZE (G_MAXINT64 / 4)

static guint
sum_of (const guint8 *block)
{
  guint sum = 0;

  for (guint i = 0; i < CLIP_TAR_BLOCK; i++)
    sum += i >= CHECKSUM && i < CHECKSUM + CHECKSUM_BYTES ? ' ' : block[i];
  return sum;
}

static void
append_block (GString *out, const char *name, char type, gint64 size, gint64 mtime_s)
{
  char block[CLIP_TAR_BLOCK] = { 0 };

  g_strlcpy (block + NAME, name, NAME_BYTES);
  g_snprintf (block + MODE, ID_BYTES, "%07o", 0600u);
  g_snprintf (block + UID, ID_BYTES, "%07o", 0u);
  g_snprintf (block + GID, ID_BYTES, "%07o", 0u);
  g_snprintf (block + SIZE, NUMBER_BYTES, "%011" G_GINT64_MODIFIER "o",
              (guint64) MIN (size, MAX_OCTAL));
  g_snprintf (block + MTIME, NUMBER_BYTES, "%011" G_GINT64_MODIFIER "o",
              (guint64) CLAMP (mtime_s, 0, MAX_OCTAL));
  block[TYPE] = type;
  memcpy (block + MAGIC, "ustar\00000", 8);
  g_snprintf (block + CHECKSUM, CHECKSUM_BYTES, "%06o", sum_of ((guint8 *) block));
  block[CHECKSUM + CHECKSUM_BYTES - 1] = ' ';
  g_string_append_len (out, block, sizeof block);
}

/* a record says its own length, too: "30 size=12345678901\n" */
static void
append_size_record (GString *out, gint64 size)
{
  g_autofree char *rest = g_strdup_printf (" size=%" G_GINT64_FORMAT "\n", size);

  g_string_append_printf (out, "%" G_GSIZE_FORMAT "%s", strlen (rest) + 2, rest);
}

/**
 * clip_tar_append_header:
 * @name: of the member, below 100 bytes
 * @size: of its bytes, which follow
 * @mtime_s: seconds since the epoch
 */
void
clip_tar_append_header (GString *out, const char *name, gint64 size, gint64 mtime_s)
{
  if (size > MAX_OCTAL)
    {
      g_autoptr (GString) record = g_string_new (NULL);

      append_size_record (record, size);
      append_block (out, name, 'x', (gint64) record->len, mtime_s);
      g_string_append_len (out, record->str, (gssize) record->len);
      clip_tar_append_padding (out, (gint64) record->len);
    }
  append_block (out, name, '0', size, mtime_s);
}

/* how many bytes follow on a member of @size, up to the next header */
gint64
clip_tar_padding (gint64 size)
{
  return -size & (CLIP_TAR_BLOCK - 1);
}

static void
append_zeros (GString *out, gsize n)
{
  gsize length = out->len;

  g_string_set_size (out, length + n);
  memset (out->str + length, 0, n);
}

void
clip_tar_append_padding (GString *out, gint64 size)
{
  append_zeros (out, (gsize) clip_tar_padding (size));
}

void
clip_tar_append_end (GString *out)
{
  append_zeros (out, 2 * CLIP_TAR_BLOCK);
}

static gboolean
fail (GError **error, const char *what)
{
  g_set_error_literal (error, CLIP_ERROR, CLIP_ERROR_CORRUPT, what);
  return FALSE;
}

/* digits, within spaces, up to a NUL */
static gboolean
read_octal (const guint8 *field, gsize length, gint64 *out)
{
  gsize i = 0;
  gsize start;

  *out = 0;
  while (i < length && field[i] == ' ')
    i++;
  for (start = i; i < length && field[i] >= '0' && field[i] <= '7'; i++)
    *out = *out * 8 + (field[i] - '0');
  return i > start && (i == length || field[i] == ' ' || field[i] == '\0');
}

/* as GNU tar writes what octal digits do not hold: big-endian, behind a byte of 0x80; a
 * negative one begins with 0xff, and is none for us */
static gboolean
read_binary (const guint8 *field, gsize length, gint64 *out)
{
  *out = 0;
  for (gsize i = 1; i < length; i++)
    {
      if (*out > MAX_SIZE >> 8)
        return FALSE;
      *out = *out << 8 | field[i];
    }
  return field[0] == 0x80;
}

static gboolean
read_number (const guint8 *field, gsize length, gint64 *out)
{
  return field[0] & 0x80 ? read_binary (field, length, out)
                         : read_octal (field, length, out);
}

/**
 * clip_tar_set_name:
 * @path: of the member, not NUL-terminated: only what follows its last slash is taken,
 * and of that what may be shown
 */
void
clip_tar_set_name (ClipTarHeader *self, const char *path, gsize length)
{
  gsize n = 0;

  for (gsize i = 0; i < length && path[i]; i++)
    if (path[i] == '/')
      n = 0;
    else if (n < sizeof self->name - 1)
      self->name[n++] = g_ascii_isprint (path[i]) ? path[i] : '?';
  self->name[n] = '\0';
}

static gboolean
read_kind (guint8 type, ClipTarHeader *out, GError **error)
{
  switch (type)
    {
    case '\0':
    case '0':
    case '7':
      out->kind = CLIP_TAR_FILE;
      return TRUE;
    case 'x':
      out->kind = CLIP_TAR_EXTENDED;
      return TRUE;
    case 'L':
      out->kind = CLIP_TAR_LONG_NAME;
      return TRUE;
    case '5':
    case 'g':
    case 'K':
      out->kind = CLIP_TAR_IGNORED;
      return TRUE;
    default:
      g_set_error (error, CLIP_ERROR, CLIP_ERROR_CORRUPT,
                   "a member of type 0x%02x has no place in an export", type);
      return FALSE;
    }
}

static gboolean
is_empty (const guint8 *block)
{
  for (guint i = 0; i < CLIP_TAR_BLOCK; i++)
    if (block[i])
      return FALSE;
  return TRUE;
}

/* by what a file of theirs begins with */
static const struct
{
  const char *magic;
  const char *packer;
} packed[] = {
  { "\x1f\x8b", "gzip" },         { "BZh", "bzip2" },      { "\xfd\x37zXZ", "xz" },
  { "\x28\xb5\x2f\xfd", "zstd" }, { "PK\x03\x04", "zip" }, { "7z\xbc\xaf\x27\x1c", "7z" },
};

/**
 * clip_tar_check_start:
 * @start: what there is of the first %CLIP_TAR_BLOCK bytes
 *
 * A file that is no archive is called that, and not where it is damaged.
 *
 * Errors: %CLIP_ERROR_CORRUPT.
 */
gboolean
clip_tar_check_start (const guint8 *start, gsize length, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (packed); i++)
    {
      gsize n = strlen (packed[i].magic);

      if (length < n || memcmp (start, packed[i].magic, n) != 0)
        continue;
      g_set_error (error, CLIP_ERROR, CLIP_ERROR_CORRUPT,
                   "it is packed by %s: unpack it first", packed[i].packer);
      return FALSE;
    }
  if (length == 0)
    return fail (error, "it is empty");
  if (length < CLIP_TAR_BLOCK)
    return fail (error, "it is too short to be an archive");
  return TRUE;
}

/**
 * clip_tar_read_header:
 * @block: %CLIP_TAR_BLOCK bytes
 *
 * Errors: %CLIP_ERROR_CORRUPT.
 */
gboolean
clip_tar_read_header (const guint8 *block, ClipTarHeader *out, GError **error)
{
  gint64 sum;

  *out = (ClipTarHeader){ .kind = CLIP_TAR_END };
  if (is_empty (block))
    return TRUE;
  if (!read_octal (block + CHECKSUM, CHECKSUM_BYTES, &sum) || sum != sum_of (block))
    return fail (error, "the header of a tar member is damaged, or is none");
  if (!read_number (block + SIZE, NUMBER_BYTES, &out->size) || out->size > MAX_SIZE)
    return fail (error, "the size of a tar member is no number");
  clip_tar_set_name (out, (const char *) block + NAME, NAME_BYTES);
  return read_kind (block[TYPE], out, error);
}

/* "LENGTH KEY=VALUE\n"; @out_length: of all of it */
static gboolean
read_record (const char *record,
             gsize left,
             gsize *out_length,
             const char **out_key,
             const char **out_value)
{
  gsize length = 0;
  gsize i = 0;

  for (; i < left && g_ascii_isdigit (record[i]) && length <= left; i++)
    length = length * 10 + (gsize) (record[i] - '0');
  if (i == 0 || i + 2 > left || record[i] != ' ' || length > left || length <= i + 2 ||
      record[length - 1] != '\n')
    return FALSE;
  *out_length = length;
  *out_key = record + i + 1;
  *out_value = memchr (*out_key, '=', length - i - 2);
  if (!*out_value)
    return FALSE;
  (*out_value)++;
  return TRUE;
}

static gboolean
read_size_record (const char *value, const char *end, gint64 *out_size)
{
  g_autofree char *text = g_strndup (value, (gsize) (end - value));
  guint64 size;

  if (!g_ascii_string_to_unsigned (text, 10, 0, MAX_SIZE, &size, NULL))
    return FALSE;
  *out_size = (gint64) size;
  return TRUE;
}

/**
 * clip_tar_read_extension:
 * @records: what followed on a header of %CLIP_TAR_EXTENDED
 * @next: (inout): gets what they say of the size and the name of the next member, and
 * keeps what they do not speak of
 *
 * Errors: %CLIP_ERROR_CORRUPT.
 */
gboolean
clip_tar_read_extension (const char *records,
                         gsize length,
                         ClipTarHeader *next,
                         GError **error)
{
  gsize n;

  for (gsize at = 0; at < length; at += n)
    {
      const char *key;
      const char *value;
      const char *end;

      if (!read_record (records + at, length - at, &n, &key, &value))
        return fail (error, "what extends the header of a tar member is damaged");
      end = records + at + n - 1;
      if (g_str_has_prefix (key, "path="))
        clip_tar_set_name (next, value, (gsize) (end - value));
      if (g_str_has_prefix (key, "size=") && !read_size_record (value, end, &next->size))
        return fail (error, "the size of a tar member is no number");
      if (g_str_has_prefix (key, "GNU.sparse."))
        return fail (error, "a sparse member has no place in an export");
    }
  return TRUE;
}
