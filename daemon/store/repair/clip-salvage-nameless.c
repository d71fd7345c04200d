/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * An entry whose type is lost, and none of those that are known. Its sum says nothing then, but the table of
 * short hashes still has that of its content: where it does, the content is what was stored, and all
 * that is missing is what to call it.
 */
#include "clip-salvage-nameless.h"

#include "clip-detect.h"
#include "clip-entry.h"
#include "clip-mime-table.h"
#include "clip-mime.h"

/* above the numbers of all names that may be lost, too: tags and origins refer to them */
#define FIRST_NAME 1048576

static sqlite3_stmt *
prepare (sqlite3 *db, const char *text)
{
  sqlite3_stmt *statement = NULL;

  sqlite3_prepare_v2 (db, text, -1, &statement, NULL);
  return statement;
}

static gboolean
is_what_was_stored (sqlite3 *source, gint64 entry, const ClipHash *hash)
{
  sqlite3_stmt *find =
      prepare (source, "SELECT 1 FROM dup WHERE hash = ?1 AND entry = ?2");
  gboolean found;

  sqlite3_bind_int64 (find, 1, clip_hash_short (hash));
  sqlite3_bind_int64 (find, 2, entry);
  found = sqlite3_step (find) == SQLITE_ROW;
  sqlite3_finalize (find);
  return found;
}

static gint64
number_of (sqlite3 *target, const char *mime)
{
  sqlite3_stmt *add =
      prepare (target, "INSERT OR IGNORE INTO name (id, text)"
                       " SELECT max (ifnull (max (id), 0) + 1, ?2), ?1 FROM name");
  sqlite3_stmt *find = prepare (target, "SELECT id FROM name WHERE text = ?1");
  gint64 number;

  sqlite3_bind_text (add, 1, mime, -1, SQLITE_STATIC);
  sqlite3_bind_int64 (add, 2, FIRST_NAME);
  sqlite3_step (add);
  sqlite3_finalize (add);
  sqlite3_bind_text (find, 1, mime, -1, SQLITE_STATIC);
  number = sqlite3_step (find) == SQLITE_ROW ? sqlite3_column_int64 (find, 0) : 0;
  sqlite3_finalize (find);
  return number;
}

/**
 * clip_salvage_nameless:
 * @kind: that the row has
 * @hash: of the content that was found
 * @data: (nullable): the content; %NULL where it is in a file
 * @out_mime: (out): static
 *
 * Returns: the number that @out_mime has in @target now; 0 where the content may be another one
 */
gint64
clip_salvage_nameless (sqlite3 *source,
                       sqlite3 *target,
                       gint64 entry,
                       int kind,
                       const ClipHash *hash,
                       const void *data,
                       gsize length,
                       const char **out_mime)
{
  if (!is_what_was_stored (source, entry, hash))
    return 0;
  *out_mime = data && kind == CLIP_CLASS_TEXT ? clip_detect_mime (data, length, TRUE)
                                              : CLIP_MIME_OCTETS;
  return number_of (target, *out_mime);
}
