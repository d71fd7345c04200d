/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Every statement that only reads. A page has one statement for each index that can drive
 * it (the id, the class, the pins, a tag); what else a query asks for is decided row by
 * row in C. A plain list, which scripts ask for all the time, has one of its own: half of
 * what a row costs is its columns. So is that of the pages that search: they have the
 * text and little else, and the row itself is read where the text is found.
 */
#include "clip-read-sql.h"

#define ROW \
  "SELECT entry.id, last_us, ifnull(first_us, last_us), copies," \
  " ifnull(expires_us, 0), pinned, kind, extras, size, mime, ifnull(origin, 0)," \
  " preview"

/* kinds 1 and 3 are text: only of these the bytes are read. One expression, as a search
 * that looks at everything evaluates it for every row. */
#define TEXT "SELECT entry.id, preview, CASE WHEN kind & 1 THEN ifnull(blob, body) END"

/* ?2: now; ?3: what was last copied by then is too old. What has to go is not there any
 * more, whether or not it was removed already. */
#define ALIVE " AND (pinned = 1 OR (last_us > ?3 AND ifnull(expires_us, ?2 + 1) > ?2))"

/* ?1: whether only what is pinned counts */
#define COUNTED " WHERE pinned >= ?1" ALIVE

/* total () and not sum (): what damage has made of a number may not fit */
#define AGAIN "(max (copies, 1) - 1)"

#define BY_ID " FROM entry WHERE id < ?1" ALIVE " ORDER BY id DESC"
#define BY_KIND \
  " FROM entry WHERE kind = ?4 AND kind > 1 AND id < ?1" ALIVE " ORDER BY id DESC"
#define BY_PIN " FROM entry WHERE pinned = 1 AND id < ?1" ALIVE " ORDER BY id DESC"
#define BY_TAG \
  " FROM tag CROSS JOIN entry ON entry.id = tag.entry" \
  " WHERE tag.name = ?4 AND tag.entry < ?1" ALIVE " ORDER BY tag.entry DESC"

const char *const clip_reads[CLIP_N_READS] = {
  [CLIP_READ_SET_CACHE] = "PRAGMA cache_size = -512",
  [CLIP_READ_SET_PRIVATE] = "PRAGMA locking_mode = EXCLUSIVE",
  [CLIP_READ_BEGIN] = "BEGIN",
  [CLIP_READ_END] = "COMMIT",
  [CLIP_READ_VERSION] = "PRAGMA user_version",
  [CLIP_READ_MIN_READER] = "SELECT min_reader FROM totals WHERE only = 1",
  [CLIP_READ_TOTALS] =
      "SELECT count, bytes, pinned, last_id, pinned_bytes FROM totals WHERE only = 1",
  [CLIP_READ_NEWEST] =
      "SELECT id FROM entry WHERE id > ?1" ALIVE " ORDER BY id DESC LIMIT 1",
  [CLIP_READ_MAX_AGE] = "SELECT value FROM note WHERE key = 'max-age'",
  [CLIP_READ_NAME] = "SELECT text FROM name WHERE id = ?1",
  [CLIP_READ_NAME_ID] = "SELECT id FROM name WHERE text = ?1",

  [CLIP_READ_BRIEF_PAGE] = "SELECT id, preview, kind" BY_ID,
  [CLIP_READ_PAGE] = ROW BY_ID,
  [CLIP_READ_PAGE_KIND] = ROW BY_KIND,
  [CLIP_READ_PAGE_PINNED] = ROW BY_PIN,
  [CLIP_READ_PAGE_TAG] = ROW BY_TAG,
  [CLIP_READ_TEXT_PAGE] = TEXT BY_ID,
  [CLIP_READ_TEXT_PAGE_KIND] = TEXT BY_KIND,
  [CLIP_READ_TEXT_PAGE_PINNED] = TEXT BY_PIN,
  [CLIP_READ_TEXT_PAGE_TAG] = TEXT BY_TAG,

  [CLIP_READ_ENTRY] = ROW " FROM entry WHERE id = ?1" ALIVE,
  [CLIP_READ_HAS_TAG] = "SELECT 1 FROM tag WHERE entry = ?1 AND name = ?2",
  [CLIP_READ_TAGS] = "SELECT text FROM tag JOIN name ON name.id = tag.name"
                     " WHERE tag.entry = ?1 ORDER BY tag.name",
  [CLIP_READ_EXTRAS] = "SELECT position, mime, size FROM content"
                       " WHERE entry = ?1 ORDER BY position",
  [CLIP_READ_EXTRA_MIMES] = "SELECT text FROM content JOIN name ON name.id = mime"
                            " WHERE entry = ?1",
  [CLIP_READ_PRIMARY_BYTES] = "SELECT mime, size, blob, preview, body, sum"
                              " FROM entry WHERE id = ?1" ALIVE,
  [CLIP_READ_EXTRA_BYTES] = "SELECT mime, size, blob, NULL, body, sum"
                            " FROM content WHERE entry = ?1 AND position = ?2",
  [CLIP_READ_BLOB_SIZE] = "SELECT size FROM blob WHERE id = ?1",
  [CLIP_READ_BLOB] = "SELECT name, hash, inode, changed_ns FROM blob WHERE id = ?1",
  [CLIP_READ_EXPORT] =
      ROW ", blob, body, sum FROM entry WHERE id >= ?1" ALIVE " ORDER BY id",
  [CLIP_READ_EXPORT_EXTRAS] = "SELECT position, mime, size, blob, body, sum FROM content"
                              " WHERE entry = ?1 ORDER BY position",
  [CLIP_READ_NOTES] = "SELECT key, value FROM note WHERE key >= ''",

  [CLIP_READ_COUNT_KINDS] =
      "SELECT kind, count (*), total (size), total (pinned), total (" AGAIN "),"
      " total (" AGAIN " * size), min (last_us), max (last_us)"
      " FROM entry" COUNTED " GROUP BY kind",
  [CLIP_READ_COUNT_TYPES] =
      "SELECT mime, count (*), total (size), total (iif (blob IS NULL, 0, size)) FROM"
      " (SELECT mime, size, blob FROM entry" COUNTED " UNION ALL"
      " SELECT content.mime, content.size, content.blob"
      " FROM content CROSS JOIN entry ON entry.id = content.entry" COUNTED ")"
      " GROUP BY mime ORDER BY 3 DESC, mime",
  [CLIP_READ_COUNT_DAYS] =
      "SELECT date (last_us / 1000000, 'unixepoch', 'localtime'), count (*), total (size)"
      " FROM entry" COUNTED " GROUP BY 1 ORDER BY 1 DESC",
  [CLIP_READ_LARGEST] =
      "SELECT id, size, mime FROM entry" COUNTED " ORDER BY size DESC, id DESC LIMIT ?4",
  [CLIP_READ_COUNT_TAGS] =
      "SELECT text, count(*) FROM tag JOIN name ON name.id = tag.name"
      " GROUP BY text ORDER BY text",
  [CLIP_READ_COUNT_BLOBS] = "SELECT count (*), total (size) FROM blob",

  [CLIP_READ_PAGES] = "PRAGMA page_count",
  [CLIP_READ_INTEGRITY] = "PRAGMA integrity_check (100)",
  /* an entry; the position of its content, and the row of one beside the primary one */
  [CLIP_READ_WRONG_ENTRIES] = "SELECT id, 0, 0 FROM entry WHERE " CLIP_WRONG_ENTRY,
  [CLIP_READ_WRONG_CONTENTS] = "SELECT entry, position, id FROM content"
                               " WHERE " CLIP_WRONG_CONTENT,
  [CLIP_READ_UNKNOWN_ENTRIES] =
      "SELECT id, 0, 0 FROM entry WHERE (NOT EXISTS (SELECT 1 FROM dup"
      " WHERE dup.hash = " CLIP_SHORT_HASH " AND dup.entry = entry.id) OR extras <>"
      " (SELECT count(*) FROM content WHERE content.entry = entry.id))"
      " AND NOT " CLIP_WRONG_ENTRY,
  [CLIP_READ_LOOSE_ROWS] =
      "SELECT entry, 0, 0 FROM dup WHERE NOT EXISTS"
      " (SELECT 1 FROM entry WHERE entry.id = dup.entry) UNION ALL"
      " SELECT entry, 0, 0 FROM tag WHERE NOT EXISTS"
      " (SELECT 1 FROM entry WHERE entry.id = tag.entry) OR NOT EXISTS"
      " (SELECT 1 FROM name WHERE name.id = tag.name) UNION ALL"
      " SELECT 0, 0, 0 FROM blob WHERE NOT EXISTS"
      " (SELECT 1 FROM entry WHERE entry.blob = blob.id) AND NOT EXISTS"
      " (SELECT 1 FROM content WHERE content.blob = blob.id)",
  [CLIP_READ_SAID_SUMS] = "SELECT count, bytes, pinned, pinned_bytes, last_id,"
                          " first_loose FROM totals WHERE only = 1",
  [CLIP_READ_COUNTED_SUMS] = CLIP_COUNTED_SUMS,
  [CLIP_READ_COUNT_CONTENTS] = "SELECT count(*) FROM content WHERE id > 0",
  [CLIP_READ_NEXT_BLOB] = "SELECT id, name, hash, size FROM blob"
                          " WHERE id > ?1 ORDER BY id LIMIT 1",
  [CLIP_READ_FIND_BLOB] = "SELECT id FROM blob WHERE name = ?1",
  [CLIP_READ_USERS_OF_BLOB] = "SELECT id, 0, 0 FROM entry WHERE blob = ?1 UNION ALL"
                              " SELECT entry, position, id FROM content WHERE blob = ?1",
};
