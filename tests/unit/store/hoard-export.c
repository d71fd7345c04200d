/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "hoard-export.h"

#include "clip-fd.h"

#define TEXT "text/plain;charset=utf-8"
#define BLOB_BYTES 200000

/* a little of everything */
void
hoard_fill_variously (Hoard *hoard)
{
  static const char *const tags[] = { "work", "ж", NULL };
  ClipStore *store = hoard->store;
  g_autoptr (ClipStage) large = hoard_stage_of (store, BLOB_BYTES, 7);
  g_autoptr (ClipStage) binary = hoard_stage (store, "\0\xff\n", 3);
  g_autoptr (ClipStage) broad = hoard_stage_of (store, CLIP_INLINE_BYTES, 9);
  g_autoptr (GAsyncResult) result = NULL;
  Answer answer = { NULL };
  ClipDraft *draft = hoard_draft (store, TEXT, "bold", "text/html", "<b>bold</b>", NULL);

  hoard_add_text (store, "one");
  hoard_add (store, draft, NULL);
  draft = hoard_draft (store, TEXT, "with more", NULL);
  clip_draft_add (draft, "image/png", large, BLOB_BYTES);
  clip_draft_add (draft, "application/x-thing", binary, 3);
  for (guint i = 0; i < 8; i++)
    {
      g_autofree char *mime = g_strdup_printf ("application/x-broad-%u", i);

      clip_draft_add (draft, mime, broad, CLIP_INLINE_BYTES);
    }
  clip_draft_set_times (draft, 1000, 2000);
  hoard_add (store, draft, NULL);
  hoard_add_blob (store, BLOB_BYTES, 7);
  hoard_add_text (store, "one");
  hoard_pin (store, 2, TRUE);
  clip_store_change_async (store, clip_change_tag (3, tags), on_answer, &answer);
  result = answer_wait (&answer);
  g_clear_object (&result);
  clip_store_change_async (store,
                           clip_change_expire (4, G_GINT64_CONSTANT (4000000000000000)),
                           on_answer, &answer);
  result = answer_wait (&answer);
}

static void
append_file (GString *archive, const ClipPart *part)
{
  g_autoptr (GBytes) bytes = clip_read_to_end (part->fd, (gsize) part->size, NULL);

  g_string_append_len (archive, g_bytes_get_data (bytes, NULL),
                       (gssize) g_bytes_get_size (bytes));
}

/* @out_n_left_out: (out) (optional) */
GString *
hoard_export (Hoard *hoard, ClipExportFilter filter, guint *out_n_left_out)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipReader) reader = clip_reader_open (hoard->dir, &error);
  g_autoptr (ClipExport) export = clip_export_new (&filter, 0);
  GString *archive = g_string_new (NULL);
  gboolean more = TRUE;

  g_assert_no_error (error);
  while (more)
    {
      g_auto (ClipPart) part = { .fd = -1 };

      g_assert_true (clip_export_next (export, reader, &part, &more, &error));
      g_assert_no_error (error);
      g_string_append_len (archive, part.data, more ? (gssize) part.length : 0);
      if (more && part.fd >= 0)
        append_file (archive, &part);
    }
  if (out_n_left_out)
    *out_n_left_out = clip_export_left_out (export)->len;
  return archive;
}
