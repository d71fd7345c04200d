/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * All types of a history are in one table of a page or two: with that page each entry would be
 * lost. But the sum of a content is of its type, too, and nearly all contents are of few types:
 * that one is right with which the sum is.
 */
#include "clip-salvage-type.h"

#include "clip-hash.h"
#include "clip-mime-table.h"
#include "clip-mime.h"

/* known under no rule */
static const char *const further[] = {
  CLIP_MIME_LATIN1,  CLIP_MIME_OCTETS,  "application/json", "application/xml",
  "application/pdf", "text/xml",        "text/markdown",    "text/csv",
  "text/css",        "text/javascript", "text/x-python",    "text/x-csrc",
  "image/x-icon",    "image/heic",
};

/**
 * clip_salvage_type:
 * @sum: that the row of the content carries
 * @data: what the sum is of, see clip_sum()
 *
 * Returns: (nullable): the type, of those that are known; static
 */
const char *
clip_salvage_type (gint64 sum,
                   gint64 entry,
                   gint64 position,
                   gint64 size,
                   const void *data,
                   gsize length)
{
  const char *mime;

  for (guint i = 0; (mime = clip_mime_known (i)); i++)
    if (clip_sum (entry, position, mime, size, data, length) == sum)
      return mime;
  for (guint i = 0; i < G_N_ELEMENTS (further); i++)
    if (clip_sum (entry, position, further[i], size, data, length) == sum)
      return further[i];
  return NULL;
}
