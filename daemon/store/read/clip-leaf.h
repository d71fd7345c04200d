/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* a database with pages of another size is read by SQLite alone */
#define CLIP_LEAF_PAGE_BYTES 4096

/* more than that SQLite takes for damage, in any page */
#define CLIP_LEAF_MAX_CELLS ((CLIP_LEAF_PAGE_BYTES - 8) / 6)

/* the first byte of a page of rows */
#define CLIP_LEAF_MARK 13

/* An entry as it lies in a page of its table; everything but the id is borrowed from that. */
typedef struct
{
  gint64 id;
  gint64 kind;
  gboolean has_blob; /* the content is in a file */
  gboolean has_body;
  /* the preview is a line of its own, not what the content begins with */
  gboolean is_line;
  const guint8 *preview; /* and right behind it the body */
  gsize preview_bytes;
  gsize body_bytes;
  gsize taken_bytes; /* of the page, all in all */
} ClipLeafRow;

/* what clip_leaf_read() says */
typedef enum
{
  CLIP_LEAF_ODD,  /* it is not what SQLite writes */
  CLIP_LEAF_LONG, /* the row goes on in other pages: only the id is known */
  CLIP_LEAF_WHOLE,
} ClipLeafResult;

/* the highest byte first */
static inline guint
clip_leaf_get_16 (const guint8 *bytes)
{
  return (guint) bytes[0] << 8 | bytes[1];
}

static inline guint32
clip_leaf_get_32 (const guint8 *bytes)
{
  return (guint32) clip_leaf_get_16 (bytes) << 16 | clip_leaf_get_16 (bytes + 2);
}

static inline guint
clip_leaf_n_rows (const guint8 *page)
{
  return clip_leaf_get_16 (page + 3);
}

gboolean clip_leaf_seems_odd (const guint8 *page,
                              gint64 low,
                              gint64 high,
                              gsize *out_room);
gboolean clip_leaf_is_odd (const guint8 *page, gint64 low, gint64 high);
gboolean clip_leaf_room (const guint8 *page, gsize cells, gsize *out_bytes);
gboolean clip_leaf_is_simple (const guint8 *page, gint64 low, gint64 high, gsize room);
ClipLeafResult clip_leaf_read (const guint8 *page, guint index, ClipLeafRow *row);
gboolean clip_leaf_number (const guint8 *bytes,
                           const guint8 *end,
                           guint64 *out_value,
                           const guint8 **out_end);

G_END_DECLS
