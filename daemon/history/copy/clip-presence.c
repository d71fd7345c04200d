/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-presence.h"

#include "clip-error.h"

typedef struct
{
  gint64 id;
  ClipPresenceMissing missing;
  GObject *owner;
} Question;

static void
on_looked_up (GObject *store, GAsyncResult *result, gpointer user_data)
{
  Question *question = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipEntry) entry =
      clip_store_lookup_finish (CLIP_STORE (store), result, &error);

  if (!entry && g_error_matches (error, CLIP_ERROR, CLIP_ERROR_NOT_FOUND))
    question->missing (question->id, question->owner);
  g_object_unref (question->owner);
  g_free (question);
}

/**
 * clip_presence_ask:
 * @id: of an entry; 0 = of none, and nothing is asked
 * @missing: called if it is none any more; where the history is empty, before this returns
 * @owner: passed to it; referenced until then
 *
 * Whether an entry is still there, when more were removed than a signal lists.
 */
void
clip_presence_ask (ClipStore *store,
                   gint64 id,
                   ClipPresenceMissing missing,
                   GObject *owner)
{
  Question *question;
  ClipTotals totals;

  if (id == 0)
    return;
  clip_store_get_totals (store, &totals);
  if (totals.count == 0)
    {
      /* a folder that is gone is not made again to look into it */
      missing (id, owner);
      return;
    }
  question = g_new (Question, 1);
  *question = (Question){ id, missing, g_object_ref (owner) };
  clip_store_lookup_async (store, id, on_looked_up, question);
}
