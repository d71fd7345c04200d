/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "entry-text.h"

#include <string.h>

static void
append (GString *out, const char *name, const char *bytes, gsize length)
{
  g_autofree char *base64 = g_base64_encode ((const guchar *) bytes, length);

  g_string_append_printf (out, " %s=%s", name, base64);
}

static void
append_content (GString *out, const ClipArchiveContent *content)
{
  gsize length;
  const char *bytes = content->bytes ? g_bytes_get_data (content->bytes, &length) : NULL;

  append (out, "type", content->mime, strlen (content->mime));
  g_string_append_printf (out, " size=%" G_GINT64_FORMAT, content->size);
  if (content->bytes)
    append (out, "bytes", bytes, length);
  else
    append (out, "member", content->member, strlen (content->member));
  if (content->has_hash)
    append (out, "hash", (const char *) content->hash, sizeof content->hash);
}

char *
entry_text (const ClipArchiveEntry *entry)
{
  GString *out = g_string_new (NULL);

  g_string_append_printf (out,
                          "id=%" G_GINT64_FORMAT " first=%" G_GINT64_FORMAT
                          " last=%" G_GINT64_FORMAT " copies=%" G_GINT64_FORMAT
                          " expires=%" G_GINT64_FORMAT " pinned=%d guessed=%d",
                          entry->id, entry->first_us, entry->last_us, entry->copies,
                          entry->expires_us, entry->pinned, entry->guessed);
  append (out, "origin", entry->origin, strlen (entry->origin));
  for (char **tag = entry->tags; tag && *tag; tag++)
    append (out, "tag", *tag, strlen (*tag));
  for (guint i = 0; i < entry->contents->len; i++)
    append_content (out, entry->contents->pdata[i]);
  return g_string_free (out, FALSE);
}
