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

/* columns of the table, in their order */
enum
{
  COLUMN_KIND = 6,
  COLUMN_BLOB = 11,
  COLUMN_PREVIEW = 12,
  COLUMN_BODY = 13,
  N_COLUMNS = 14,
};

/* types of values: up to 9 as below, from 12 on bytes or, where they are odd, text */
enum
{
  TYPE_NULL = 0,
  TYPE_BYTE = 1,
  TYPE_0 = 8,
  TYPE_1 = 9,
  TYPE_BYTES = 12,
};

typedef struct
{
  guint64 type;
  const guint8 *data;
  gsize length;
} Value;

guint
clip_leaf_get_16 (const guint8 *bytes)
{
  return (guint) bytes[0] << 8 | bytes[1];
}

guint32
clip_leaf_get_32 (const guint8 *bytes)
{
  return (guint32) clip_leaf_get_16 (bytes) << 16 | clip_leaf_get_16 (bytes + 2);
}

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

static gboolean
get_length (guint64 type, gsize *out_length)
{
  static const guint8 lengths[TYPE_BYTES] = { 0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0xFF, 0xFF };

  *out_length = type < TYPE_BYTES ? lengths[type] : (gsize) (type - TYPE_BYTES) / 2;
  return *out_length != 0xFF || type >= TYPE_BYTES;
}

/* an integer; of what a kind may be, a byte is enough */
static gboolean
get_kind (const Value *value, gint64 *out_kind)
{
  if (value->type == TYPE_0 || value->type == TYPE_1)
    *out_kind = value->type == TYPE_1;
  else if (value->type == TYPE_BYTE)
    *out_kind = (gint8) value->data[0];
  else
    return FALSE;
  return TRUE;
}

/* as far as the last column that is asked for */
static gboolean
read_values (const guint8 *record, const guint8 *end, Value values[N_COLUMNS])
{
  const guint8 *types, *data;
  guint64 header_bytes;

  if (!clip_leaf_number (record, end, &header_bytes, &types) ||
      header_bytes > (gsize) (end - record))
    return FALSE;
  data = record + header_bytes;
  for (guint i = 0; i < N_COLUMNS; i++)
    {
      Value *value = &values[i];

      if (!clip_leaf_number (types, record + header_bytes, &value->type, &types) ||
          !get_length (value->type, &value->length) ||
          value->length > (gsize) (end - data))
        return FALSE;
      value->data = data;
      data += value->length;
    }
  return TRUE;
}

static gboolean
fill_row (ClipLeafRow *row, const Value values[N_COLUMNS])
{
  const Value *preview = &values[COLUMN_PREVIEW];
  const Value *body = &values[COLUMN_BODY];

  row->has_blob = values[COLUMN_BLOB].type != TYPE_NULL;
  row->has_body = body->type != TYPE_NULL;
  row->is_line = preview->type & 1;
  row->preview = preview->data;
  row->preview_bytes = preview->length;
  row->body_bytes = body->length;
  return get_kind (&values[COLUMN_KIND], &row->kind) && preview->type >= TYPE_BYTES &&
         (!row->has_body || (body->type >= TYPE_BYTES && !(body->type & 1)));
}

guint
clip_leaf_n_rows (const guint8 *page)
{
  return clip_leaf_get_16 (page + 3);
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

  return slot + 2 <= end &&
         clip_leaf_number (page + clip_leaf_get_16 (slot), end, out_length, out_record) &&
         clip_leaf_number (*out_record, end, out_id, out_record);
}

/**
 * clip_leaf_is_odd:
 * @page: one that others lead to
 * @low: by what they say, its ids are above this one
 * @high: and not above this one
 *
 * A page without rows is one that SQLite does not leave behind, and takes for damage.
 */
gboolean
clip_leaf_is_odd (const guint8 *page, gint64 low, gint64 high)
{
  guint n_rows = clip_leaf_n_rows (page);
  const guint8 *record;
  guint64 length, first, last;

  return n_rows < 1 || n_rows > CLIP_LEAF_MAX_CELLS ||
         !read_head (page, 0, &length, &first, &record) ||
         !read_head (page, n_rows - 1, &length, &last, &record) ||
         (gint64) first <= low || (gint64) last > high;
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
  Value values[N_COLUMNS];
  const guint8 *at;
  guint64 length, id;

  if (!read_head (page, index, &length, &id, &at))
    return CLIP_LEAF_ODD;
  row->id = (gint64) id;
  if (length > MAX_ROW_BYTES)
    return CLIP_LEAF_LONG;
  if (length > (gsize) (end - at) || !read_values (at, at + length, values) ||
      !fill_row (row, values))
    return CLIP_LEAF_ODD;
  return CLIP_LEAF_WHOLE;
}
