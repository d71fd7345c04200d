/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A tag may be as private as what it was given to: its name goes with the last entry that
 * has it. An index tells; a name that was a type or an origin as well stays.
 */
#define G_LOG_DOMAIN "clip-store"
#include "clip-tags.h"

/* (element-type gint64): the names that the entry has for tags, appended */
static gboolean
list_names (ClipLedger *ledger, gint64 id, GArray *names, GError **error)
{
  clip_autorows sqlite3_stmt *rows = clip_database_query (
      clip_ledger_database (ledger), CLIP_SQL_LIST_TAGS, error, "i", id);
  ClipRows state;

  while ((state = clip_database_next (clip_ledger_database (ledger), rows, error)) ==
         CLIP_ROWS_ROW)
    {
      gint64 name = sqlite3_column_int64 (rows, 0);

      g_array_append_val (names, name);
    }
  return state == CLIP_ROWS_END;
}

static gboolean
drop_unused (ClipLedger *ledger, const GArray *names, GError **error)
{
  for (guint i = 0; i < names->len; i++)
    if (!clip_database_run (clip_ledger_database (ledger), CLIP_SQL_DROP_TAG_NAME, error,
                            "i", g_array_index (names, gint64, i)))
      return FALSE;
  /* what the log holds of them is to be overwritten soon */
  if (names->len > 0)
    clip_ledger_set_mark (ledger, CLIP_MARK_OVERWRITTEN, TRUE);
  return TRUE;
}

/* @tags: (nullable): in addition to those that the entry has */
gboolean
clip_tags_add (ClipLedger *ledger, gint64 id, const char *const *tags, GError **error)
{
  for (; tags && *tags; tags++)
    {
      gint64 name;

      if (!clip_ledger_name (ledger, *tags, CLIP_NAME_OF_TAG, &name, error) ||
          !clip_database_run (clip_ledger_database (ledger), CLIP_SQL_ADD_TAG, error,
                              "ii", id, name))
        return FALSE;
    }
  return TRUE;
}

/* @tags: (nullable): all that the entry has from now on */
gboolean
clip_tags_set (ClipLedger *ledger, gint64 id, const char *const *tags, GError **error)
{
  g_autoptr (GArray) names = g_array_new (FALSE, FALSE, sizeof (gint64));

  if (!list_names (ledger, id, names, error))
    return FALSE;
  if (names->len > 0 && !clip_database_run (clip_ledger_database (ledger),
                                            CLIP_SQL_DROP_TAGS, error, "i", id))
    return FALSE;
  return clip_tags_add (ledger, id, tags, error) && drop_unused (ledger, names, error);
}
