/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A tag may be as private as what it was given to: its name goes with the last entry that
 * has it. An index tells; a name that was a type or an origin as well stays.
 */
#define G_LOG_DOMAIN "clip-store"
#include "clip-tags.h"

static gboolean
drop_unused (ClipTransaction *transaction, const GArray *names, GError **error)
{
  for (guint i = 0; i < names->len; i++)
    if (!clip_database_run (clip_transaction_db (transaction), CLIP_SQL_DROP_TAG_NAME,
                            error, "i", g_array_index (names, gint64, i)))
      return FALSE;
  /* what the log holds of them is to be overwritten soon */
  if (names->len > 0)
    clip_transaction_set_mark (transaction, CLIP_MARK_OVERWRITTEN, TRUE);
  return TRUE;
}

/* @tags: (nullable): in addition to those that the entry has */
gboolean
clip_tags_add (ClipTransaction *transaction,
               gint64 id,
               const char *const *tags,
               GError **error)
{
  for (; tags && *tags; tags++)
    {
      gint64 name;

      if (!clip_transaction_name (transaction, *tags, CLIP_NAME_OF_TAG, &name, error) ||
          !clip_database_run (clip_transaction_db (transaction), CLIP_SQL_ADD_TAG, error,
                              "ii", id, name))
        return FALSE;
    }
  return TRUE;
}

/* @tags: (nullable): all that the entry has from now on */
gboolean
clip_tags_set (ClipTransaction *transaction,
               gint64 id,
               const char *const *tags,
               GError **error)
{
  g_autoptr (GArray) names = g_array_new (FALSE, FALSE, sizeof (gint64));

  if (!clip_transaction_collect (transaction,
                                 clip_database_query (clip_transaction_db (transaction),
                                                      CLIP_SQL_LIST_TAGS, error, "i", id),
                                 names, error))
    return FALSE;
  if (names->len > 0 && !clip_database_run (clip_transaction_db (transaction),
                                            CLIP_SQL_DROP_TAGS, error, "i", id))
    return FALSE;
  return clip_tags_add (transaction, id, tags, error) &&
         drop_unused (transaction, names, error);
}
