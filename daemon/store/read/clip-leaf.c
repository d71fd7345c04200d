/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A page of the table of entries, in the file format of SQLite (https://sqlite.org/fileformat.html,
 * which is promised not to change): behind the header the offsets of the rows, in their order; a
 * row is its length, its id and a record; a record is the types of its columns, then their values.
 * Whatever does not look like that is odd, and left to SQLite.
 */
#include "clip-leaf.h"

#define HEADER_BYTES 8

/* a longer row goes on in other pages */
#define MAX_ROW_BYTES (CLIP_LEAF_PAGE_BYTES - 35)

/* columns of the table, in their order; those before the preview are integers */
enum
{
  COLUMN_KIND = 6,
  COLUMN_BLOB = 11,
  COLUMN_PREVIEW = 12,
};

/* types of values: integers up to 9, from 12 on bytes or, where they are odd, text */
enum
{
  TYPE_NULL = 0,
  TYPE_BYTE = 1,
  TYPE_0 = 8,
  TYPE_1 = 9,
  N_INTEGERS = 10,
  TYPE_BYTES = 12,
};

static const guint8 integer_bytes[N_INTEGERS] = { 0, 1, 2, 3, 4, 6, 8, 8, 0, 0 };

/**
 * clip_leaf_number:
 * @end: of what may be read
 *
 * A number of one to nine bytes, the highest bits first: seven of each, and all of the ninth.
 */
gboolean
clip_leaf_number (const guint8 *bytes,
                  const guint8 *end,
                  guint64 *out_value,
                  const guint8 **out_end)
{
  guint64 value = 0;

  for (guint i = 0; i < 9 && bytes < end; i++, bytes++)
    {
      if (i < 8 && bytes[0] & 0x80)
        {
          value = value << 7 | (bytes[0] & 0x7F);
          continue;
        }
      *out_value = i < 8 ? value << 7 | bytes[0] : value << 8 | bytes[0];
      *out_end = bytes + 1;
      return TRUE;
    }
  return FALSE;
}

/* as clip_leaf_number(): hardly any is longer than three bytes */
static inline gboolean
take_number (const guint8 **at, const guint8 *end, guint64 *out_value)
{
  const guint8 *bytes = *at;
  guint32 value = 0;

  if (G_LIKELY (end - bytes >= 3))
    for (guint i = 0; i < 3; i++)
      {
        value = value << 7 | (bytes[i] & 0x7F);
        if (bytes[i] & 0x80)
          continue;
        *out_value = value;
        *at = bytes + i + 1;
        return TRUE;
      }
  return clip_leaf_number (bytes, end, out_value, at);
}

/* of what a kind may be, a byte is enough */
static gboolean
get_kind (guint8 type, const guint8 *data, gint64 *out_kind)
{
  if (type == TYPE_0 || type == TYPE_1)
    *out_kind = type == TYPE_1;
  else if (type == TYPE_BYTE)
    *out_kind = (gint8) data[0];
  else
    return FALSE;
  return TRUE;
}

/* @data: (inout): at the first of the values, then at the preview */
static gboolean
pass_integers (const guint8 *types, const guint8 **data, const guint8 **out_kind)
{
  for (guint i = 0; i < COLUMN_PREVIEW; i++)
    {
      if (types[i] >= N_INTEGERS)
        return FALSE;
      if (i == COLUMN_KIND)
        *out_kind = *data;
      *data += integer_bytes[types[i]];
    }
  return TRUE;
}

static gboolean
is_plain_preview (guint64 type)
{
  return type >= TYPE_BYTES;
}

static gboolean
is_plain_body (guint64 type)
{
  return type == TYPE_NULL || (type >= TYPE_BYTES && !(type & 1));
}

static gsize
get_length (guint64 type)
{
  return type == TYPE_NULL ? 0 : (gsize) (type - TYPE_BYTES) / 2;
}

/* what comes behind the body: whatever a later schema has there. @out_bytes: (out): of its values */
static gboolean
pass_rest (const guint8 *types, const guint8 *end, gsize *out_bytes)
{
  guint64 type;

  if (G_LIKELY (end - types == 1 && types[0] < N_INTEGERS))
    {
      *out_bytes = integer_bytes[types[0]];
      return TRUE;
    }
  *out_bytes = 0;
  while (types < end)
    {
      if (!take_number (&types, end, &type))
        return FALSE;
      if (type >= N_INTEGERS && type < TYPE_BYTES)
        return FALSE;
      *out_bytes += type < N_INTEGERS ? integer_bytes[type] : get_length (type);
    }
  return TRUE;
}

/* @end: of the record, no more than a page behind it */
static gboolean
read_record (const guint8 *record, const guint8 *end, ClipLeafRow *row)
{
  const guint8 *at = record, *types, *data, *kind = NULL;
  guint64 header_bytes, preview, body;
  gsize left, rest;

  if (!take_number (&at, end, &header_bytes) || header_bytes > (gsize) (end - record) ||
      at + COLUMN_PREVIEW > record + header_bytes)
    return FALSE;
  types = at;
  data = record + header_bytes;
  at += COLUMN_PREVIEW;
  if (!pass_integers (types, &data, &kind) || data > end ||
      !get_kind (types[COLUMN_KIND], kind, &row->kind) ||
      !take_number (&at, record + header_bytes, &preview) ||
      !take_number (&at, record + header_bytes, &body) || !is_plain_preview (preview) ||
      !is_plain_body (body) || !pass_rest (at, record + header_bytes, &rest))
    return FALSE;
  row->has_blob = types[COLUMN_BLOB] != TYPE_NULL;
  row->has_body = body != TYPE_NULL;
  row->is_line = preview & 1;
  row->preview = data;
  row->preview_bytes = get_length (preview);
  row->body_bytes = get_length (body);
  left = (gsize) (end - data);
  return row->preview_bytes <= left && row->body_bytes <= left - row->preview_bytes &&
         rest == left - row->preview_bytes - row->body_bytes;
}

/* what lies in its page of a row that goes on in others, which the last four bytes name */
static gsize
local_bytes (guint64 length)
{
  const gsize most = CLIP_LEAF_PAGE_BYTES - 4;
  const gsize least = (CLIP_LEAF_PAGE_BYTES - 12) * 32 / 255 - 23;
  gsize bytes = least + (gsize) ((length - least) % most);

  return (bytes <= MAX_ROW_BYTES ? bytes : least) + 4;
}

/* what a row takes of its page; @record: behind its length and its id */
static inline gsize
cell_bytes (const guint8 *page, guint index, const guint8 *record, guint64 length)
{
  gsize at = clip_leaf_get_16 (page + HEADER_BYTES + 2 * index);

  return (gsize) (record - page) - at +
         (G_LIKELY (length <= MAX_ROW_BYTES) ? MAX ((gsize) length, 2)
                                             : local_bytes (length));
}

/* the length and the id of a row; @out_record: what follows */
static gboolean
read_head (const guint8 *page,
           guint index,
           guint64 *out_length,
           guint64 *out_id,
           const guint8 **out_record)
{
  const guint8 *end = page + CLIP_LEAF_PAGE_BYTES;
  const guint8 *slot = page + HEADER_BYTES + 2 * index;

  if (slot + 2 > end)
    return FALSE;
  *out_record = page + clip_leaf_get_16 (slot);
  return take_number (out_record, end, out_length) &&
         take_number (out_record, end, out_id);
}

/**
 * clip_leaf_room:
 * @page: of a table
 * @cells: where their list begins
 * @out_bytes: (out): what all cells together take
 *
 * A page has no byte of which it does not say what it is for: a list, a gap, then cells, with free blocks
 * and single bytes between them.
 *
 * Returns: whether that can be so
 */
gboolean
clip_leaf_room (const guint8 *page, gsize cells, gsize *out_bytes)
{
  gsize start = clip_leaf_get_16 (page + 5), end = start, n_free = page[7];
  gsize block = clip_leaf_get_16 (page + 1);

  while (block != 0)
    {
      if (block < end || block + 4 > CLIP_LEAF_PAGE_BYTES)
        return FALSE;
      end = block + clip_leaf_get_16 (page + block + 2);
      if (end < block + 4 || end > CLIP_LEAF_PAGE_BYTES)
        return FALSE;
      n_free += end - block;
      block = clip_leaf_get_16 (page + block);
    }
  if (start < cells + 2 * clip_leaf_n_rows (page) ||
      start + n_free > CLIP_LEAF_PAGE_BYTES)
    return FALSE;
  *out_bytes = CLIP_LEAF_PAGE_BYTES - start - n_free;
  return TRUE;
}

/**
 * clip_leaf_seems_odd:
 * @page: one that others lead to
 * @low: by what they say, its ids are above this one
 * @high: and not above this one
 * @out_room: (out): what all of its rows together have to take
 *
 * As far as can be said before each row was looked at. A page without rows is one that SQLite does not leave
 * behind, and takes for damage.
 */
gboolean
clip_leaf_seems_odd (const guint8 *page, gint64 low, gint64 high, gsize *out_room)
{
  guint n_rows = clip_leaf_n_rows (page);
  const guint8 *record;
  guint64 length, first, last;

  return n_rows < 1 || n_rows > CLIP_LEAF_MAX_CELLS ||
         !clip_leaf_room (page, HEADER_BYTES, out_room) ||
         !read_head (page, 0, &length, &first, &record) ||
         !read_head (page, n_rows - 1, &length, &last, &record) ||
         (gint64) first <= low || (gint64) last > high;
}

/* as clip_leaf_seems_odd(); each row is looked at, as far as whoever seeks takes it for granted */
gboolean
clip_leaf_is_odd (const guint8 *page, gint64 low, gint64 high)
{
  gint64 before = low;
  gsize room;

  if (clip_leaf_seems_odd (page, low, high, &room))
    return TRUE;
  for (guint i = 0; i < clip_leaf_n_rows (page); i++)
    {
      const guint8 *record;
      guint64 length, id;
      gsize bytes;

      if (!read_head (page, i, &length, &id, &record))
        return TRUE;
      bytes = cell_bytes (page, i, record, length);
      if ((gint64) id <= before || bytes > room)
        return TRUE;
      room -= bytes;
      before = (gint64) id;
    }
  return room != 0;
}

/**
 * clip_leaf_read:
 * @page: %CLIP_LEAF_PAGE_BYTES, the first of which is %CLIP_LEAF_MARK
 * @index: below clip_leaf_n_rows()
 * @row: (out): as far as the result says
 */
ClipLeafResult
clip_leaf_read (const guint8 *page, guint index, ClipLeafRow *row)
{
  const guint8 *end = page + CLIP_LEAF_PAGE_BYTES;
  const guint8 *at;
  guint64 length, id;

  if (!read_head (page, index, &length, &id, &at))
    return CLIP_LEAF_ODD;
  row->id = (gint64) id;
  row->taken_bytes = cell_bytes (page, index, at, length);
  if (length > MAX_ROW_BYTES)
    return CLIP_LEAF_LONG;
  if (length > (gsize) (end - at) || !read_record (at, at + length, row))
    return CLIP_LEAF_ODD;
  return CLIP_LEAF_WHOLE;
}

/**
 * clip_leaf_is_simple:
 * @low: as clip_leaf_seems_odd() has it
 * @high: likewise
 * @room: what that said
 *
 * Returns: whether all of its rows lie here, contents included, in their order
 */
gboolean
clip_leaf_is_simple (const guint8 *page, gint64 low, gint64 high, gsize room)
{
  guint n_rows = clip_leaf_n_rows (page);
  gint64 before = low;
  ClipLeafRow row;

  for (guint i = 0; i < n_rows; i++, before = row.id, room -= row.taken_bytes)
    if (clip_leaf_read (page, i, &row) != CLIP_LEAF_WHOLE || row.has_blob ||
        row.id <= before || row.id > high || row.taken_bytes > room)
      return FALSE;
  return room == 0;
}
