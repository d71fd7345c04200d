/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Of a text the first 4 KiB are stored as its preview. Who asks for lines that are longer
 * than that has them made of the content, each time.
 */
#include "clip-wide.h"

#include "clip-fd.h"
#include "clip-preview.h"

/* of the content, for each character that is to be shown: some are long, some are
   blank */
#define BYTES_FOR_EACH 16
#define MOST_BYTES (G_GINT64_CONSTANT (256) << 20)

/**
 * clip_wide_preview:
 * @width: code points
 *
 * Returns: (transfer full) (nullable): the line of an entry that is text, as wide as
 * that; %NULL where it cannot be read
 */
char *
clip_wide_preview (ClipReader *reader, const ClipRow *row, gint64 width)
{
  g_autoptr (ClipPayload) payload = clip_reader_open_content (reader, row->id, "", NULL);
  gint64 most = MIN (width, MOST_BYTES / BYTES_FOR_EACH) * BYTES_FOR_EACH;
  g_autofree char *read = NULL;
  const void *data;
  gsize length;

  if (!payload)
    return NULL;
  if (payload->bytes)
    data = g_bytes_get_data (payload->bytes, &length);
  else
    {
      length = (gsize) MIN (payload->size, most);
      data = read = g_malloc (length);
      if (!clip_read_exactly (payload->fd, read, length, 0, NULL))
        return NULL;
    }
  return clip_preview_make_wide (payload->mime, data, length, payload->size,
                                 MIN (width, MOST_BYTES));
}
