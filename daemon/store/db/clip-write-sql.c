/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Every statement of the writer. None scans a table that grows with the history, but for
 * the few that empty one: a test asks SQLite for the plan of each.
 */
#include "clip-write-sql.h"

#include "clip-read-sql.h"

/* of all contents of an entry */
#define WHOLE_SIZE \
  "size + ifnull((SELECT sum(size) FROM content WHERE entry = entry.id), 0)"

const char *const clip_statements[CLIP_N_SQL] = {
  [CLIP_SQL_BEGIN] = "BEGIN IMMEDIATE",
  [CLIP_SQL_BEGIN_LOOK] = "BEGIN",
  [CLIP_SQL_COMMIT] = "COMMIT",
  [CLIP_SQL_ROLLBACK] = "ROLLBACK",

  [CLIP_SQL_SET_INCREMENTAL] = "PRAGMA auto_vacuum = INCREMENTAL",
  [CLIP_SQL_SET_WAL] = "PRAGMA journal_mode = WAL",
  [CLIP_SQL_SET_ROLLBACK] = "PRAGMA journal_mode = DELETE",
  [CLIP_SQL_SET_ALONE] = "PRAGMA locking_mode = EXCLUSIVE",
  [CLIP_SQL_SET_SHARING] = "PRAGMA locking_mode = NORMAL",
  [CLIP_SQL_SET_FULL_SYNC] = "PRAGMA synchronous = FULL",
  [CLIP_SQL_SET_SECURE_DELETE] = "PRAGMA secure_delete = ON",
  [CLIP_SQL_SET_FAST_DELETE] = "PRAGMA secure_delete = FAST",
  [CLIP_SQL_SET_CACHE] = "PRAGMA cache_size = -1024",
  [CLIP_SQL_SET_WIDE_CACHE] = "PRAGMA cache_size = -32768",
  [CLIP_SQL_SET_TEMPORARY] = "PRAGMA temp_store = MEMORY",
  [CLIP_SQL_SET_NO_CHECKPOINT] = "PRAGMA wal_autocheckpoint = 0",
  [CLIP_SQL_SET_LOG_LIMIT] = "PRAGMA journal_size_limit = 4194304",
  [CLIP_SQL_GET_VERSION] = "PRAGMA user_version",
  [CLIP_SQL_GET_APPLICATION] = "PRAGMA application_id",
  [CLIP_SQL_GET_SCHEMA] = "PRAGMA schema_version",
  [CLIP_SQL_GET_PAGE_BYTES] = "PRAGMA page_size",
  [CLIP_SQL_GET_FREE_PAGES] = "PRAGMA freelist_count",
  [CLIP_SQL_RETURN_PAGES] = "PRAGMA incremental_vacuum (256)",
  [CLIP_SQL_RETURN_FEW_PAGES] = "PRAGMA incremental_vacuum (16)",
  [CLIP_SQL_RETURN_ALL_PAGES] = "PRAGMA incremental_vacuum",

  [CLIP_SQL_GET_TOTALS] = "SELECT count, bytes, pinned, pinned_bytes, last_id,"
                          " first_loose FROM totals WHERE only = 1",
  [CLIP_SQL_SET_TOTALS] = "UPDATE totals SET count = ?1, bytes = ?2, pinned = ?3,"
                          " pinned_bytes = ?4, last_id = ?5, first_loose = ?6"
                          " WHERE only = 1",
  [CLIP_SQL_FIND_NAME] = "SELECT id FROM name WHERE text = ?1",
  [CLIP_SQL_FIND_LASTING_NAME] = "SELECT id FROM name WHERE text = ?1 AND tag_only = 0",
  [CLIP_SQL_ADD_NAME] = "INSERT INTO name (text, tag_only) VALUES (?1, ?2)",
  [CLIP_SQL_KEEP_NAME] = "UPDATE name SET tag_only = 0 WHERE id = ?1",
  [CLIP_SQL_FIND_BLOB] = "SELECT id FROM blob WHERE name = ?1",
  [CLIP_SQL_GET_BLOB] = "SELECT name, hash FROM blob WHERE id = ?1",
  [CLIP_SQL_ADD_BLOB] = "INSERT INTO blob (name, hash, size, inode, changed_ns)"
                        " VALUES (?1, ?2, ?3, ?4, ?5)",
  [CLIP_SQL_NOTE_BLOB] = "UPDATE blob SET inode = ?2, changed_ns = ?3 WHERE id = ?1",
  [CLIP_SQL_IS_BLOB_IN_ENTRY] = "SELECT 1 FROM entry WHERE blob = ?1 LIMIT 1",
  [CLIP_SQL_IS_BLOB_IN_CONTENT] = "SELECT 1 FROM content WHERE blob = ?1 LIMIT 1",
  [CLIP_SQL_DROP_BLOB] = "DELETE FROM blob WHERE id = ?1",
  [CLIP_SQL_LIST_BLOBS] = "SELECT name, size FROM blob WHERE id > 0",

  [CLIP_SQL_FIND_DUPS] = "SELECT entry FROM dup WHERE hash = ?1 ORDER BY entry DESC",
  [CLIP_SQL_NTH_NEWEST] = "SELECT id FROM entry WHERE id > 0 ORDER BY id DESC"
                          " LIMIT 1 OFFSET ?1",
  [CLIP_SQL_ADD_DUP] = "INSERT INTO dup (hash, entry) VALUES (?1, ?2)",
  [CLIP_SQL_DROP_DUP] = "DELETE FROM dup WHERE hash = ?1 AND entry = ?2",

  [CLIP_SQL_ADD_ENTRY] =
      "INSERT INTO entry (id, last_us, first_us, copies, expires_us, pinned, kind,"
      " extras, size, mime, origin, blob, preview, body, sum)"
      " VALUES (?1, ?2, nullif(?3, ?2), ?4, nullif(?5, 0), ?6, ?7, ?8, ?9, ?10,"
      " nullif(?11, 0), nullif(?12, 0), ?13, ?14, ?15)",
  [CLIP_SQL_GET_ENTRY] =
      "SELECT last_us, ifnull(first_us, last_us), copies, ifnull(expires_us, 0), pinned,"
      " extras, size, ifnull(blob, 0), kind, ifnull(origin, 0), preview, body"
      " FROM entry WHERE id = ?1",
  [CLIP_SQL_MOVE_ENTRY] =
      "UPDATE entry SET id = ?2, last_us = ?3, first_us = nullif(?4, ?3), copies = ?5,"
      " expires_us = nullif(?6, 0), pinned = ?7, sum = (sum + ?8) & 281474976710655"
      " WHERE id = ?1",
  [CLIP_SQL_MOVE_CONTENTS] =
      "UPDATE content SET entry = ?2, sum = (sum + ?3) & 281474976710655"
      " WHERE entry = ?1",
  [CLIP_SQL_DROP_ENTRY] = "DELETE FROM entry WHERE id = ?1",
  [CLIP_SQL_ADD_CONTENT] =
      "INSERT INTO content (entry, position, mime, size, blob, body, sum)"
      " VALUES (?1, ?2, ?3, ?4, nullif(?5, 0), ?6, ?7)",
  [CLIP_SQL_LIST_CONTENTS] =
      "SELECT name.text, size, ifnull(blob, 0), body FROM content"
      " JOIN name ON name.id = mime WHERE entry = ?1 ORDER BY position",
  [CLIP_SQL_DROP_CONTENTS] = "DELETE FROM content WHERE entry = ?1",
  [CLIP_SQL_SET_PINNED] = "UPDATE entry SET pinned = ?2 WHERE id = ?1",
  [CLIP_SQL_SET_EXPIRY] = "UPDATE entry SET expires_us = nullif(?2, 0) WHERE id = ?1",
  [CLIP_SQL_ADD_TAG] = "INSERT OR IGNORE INTO tag (entry, name) VALUES (?1, ?2)",
  [CLIP_SQL_LIST_TAGS] = "SELECT name FROM tag WHERE entry = ?1",
  [CLIP_SQL_DROP_TAG_NAME] = "DELETE FROM name WHERE id = ?1 AND tag_only = 1 AND NOT"
                             " EXISTS (SELECT 1 FROM tag WHERE tag.name = name.id)",
  [CLIP_SQL_DROP_TAGS] = "DELETE FROM tag WHERE entry = ?1",
  [CLIP_SQL_COPY_TAGS] = "INSERT OR IGNORE INTO tag (entry, name)"
                         " SELECT ?2, name FROM tag WHERE entry = ?1",

  [CLIP_SQL_NEWEST] = "SELECT max(id) FROM entry",
  [CLIP_SQL_OLDEST_LOOSE] = "SELECT id, last_us FROM entry WHERE id >= ?1"
                            " AND pinned = 0 ORDER BY id LIMIT 1",
  [CLIP_SQL_LIST_TOO_OLD] = "SELECT id FROM entry WHERE id >= ?1 AND pinned = 0"
                            " AND last_us <= ?2 LIMIT ?3",
  [CLIP_SQL_SUM_TOO_OLD] =
      "SELECT count(*), ifnull(sum(" WHOLE_SIZE "), 0) FROM entry WHERE id >= ?1"
      " AND pinned = 0 AND last_us <= ?2 AND ifnull(expires_us, ?3 + 1) > ?3",
  [CLIP_SQL_LIST_LOOSE] =
      "SELECT id, last_us, " WHOLE_SIZE " FROM entry WHERE id >= ?1 AND pinned = 0"
      " AND ifnull(expires_us, ?2 + 1) > ?2 ORDER BY id",
  [CLIP_SQL_NEXT_EXPIRY] = "SELECT expires_us FROM entry WHERE expires_us > 0"
                           " AND pinned = 0 ORDER BY expires_us LIMIT 1",
  [CLIP_SQL_SUM_EXPIRED] = "SELECT count(*), ifnull(sum(" WHOLE_SIZE "), 0) FROM entry"
                           " WHERE expires_us <= ?1 AND pinned = 0",
  [CLIP_SQL_LIST_EXPIRED] = "SELECT id FROM entry WHERE expires_us <= ?1 AND pinned = 0"
                            " AND id <> ?2 LIMIT ?3",
  [CLIP_SQL_LIST_IDS] = "SELECT id FROM entry WHERE id > 0 ORDER BY id",
  [CLIP_SQL_LIST_SINCE] = "SELECT id FROM entry WHERE id > 0 AND last_us >= ?1"
                          " AND pinned <= ?2 ORDER BY id DESC LIMIT ?3",
  [CLIP_SQL_LIST_BYTES] =
      "SELECT entry.id, blob.name, blob.size, preview, body"
      " FROM entry LEFT JOIN blob ON blob.id = blob WHERE entry.id > 0",

  [CLIP_SQL_WIPE_ENTRIES] = "DELETE FROM entry",
  [CLIP_SQL_WIPE_CONTENTS] = "DELETE FROM content",
  [CLIP_SQL_WIPE_BLOBS] = "DELETE FROM blob",
  [CLIP_SQL_WIPE_DUPS] = "DELETE FROM dup",
  [CLIP_SQL_WIPE_TAGS] = "DELETE FROM tag",
  [CLIP_SQL_WIPE_NAMES] = "DELETE FROM name",

  [CLIP_SQL_GET_NOTE] = "SELECT value FROM note WHERE key = ?1",
  [CLIP_SQL_SET_NOTE] = "INSERT OR REPLACE INTO note (key, value) VALUES (?1, ?2)",
  [CLIP_SQL_DROP_NOTE] = "DELETE FROM note WHERE key = ?1",

  [CLIP_SQL_ADD_JOURNAL] = "INSERT INTO journal (kind, entry, was) VALUES (?1, ?2, ?3)",
  [CLIP_SQL_TRIM_JOURNAL] = "DELETE FROM journal WHERE id <= ?1",
  [CLIP_SQL_READ_JOURNAL] = "SELECT id, kind, entry, was FROM journal WHERE id > ?1"
                            " ORDER BY id",
  [CLIP_SQL_END_OF_JOURNAL] = "SELECT max(id) FROM journal",

  [CLIP_SQL_RAW_CONTENTS] =
      "SELECT 0, CASE WHEN blob IS NOT NULL THEN"
      " ifnull((SELECT name FROM blob WHERE blob.id = entry.blob), '?') END,"
      " preview, body, 0, 0 FROM entry WHERE id = ?1 UNION ALL"
      " SELECT position, CASE WHEN blob IS NOT NULL THEN"
      " ifnull((SELECT name FROM blob WHERE blob.id = content.blob), '?') END,"
      " NULL, body, id, blob FROM content WHERE entry = ?1",
  [CLIP_SQL_IS_ENTRY_WRONG] = "SELECT " CLIP_WRONG_ENTRY " FROM entry WHERE id = ?1",
  [CLIP_SQL_IS_CONTENT_WRONG] =
      "SELECT " CLIP_WRONG_CONTENT " FROM content WHERE id = ?2 AND entry = ?1",
  [CLIP_SQL_DROP_CONTENT] = "DELETE FROM content WHERE id = ?1",
  [CLIP_SQL_COUNT_EXTRAS] = "UPDATE entry SET extras = (SELECT count(*) FROM content"
                            " WHERE content.entry = entry.id) WHERE id = ?1",
  [CLIP_SQL_TIDY_TAGS] =
      "DELETE FROM tag WHERE NOT EXISTS (SELECT 1 FROM entry WHERE entry.id = tag.entry)"
      " OR NOT EXISTS (SELECT 1 FROM name WHERE name.id = tag.name)",
  [CLIP_SQL_TIDY_DUPS] =
      "INSERT OR IGNORE INTO dup SELECT " CLIP_SHORT_HASH ", id FROM entry",
  [CLIP_SQL_TIDY_EXTRAS] = "UPDATE entry SET extras = (SELECT count(*) FROM content"
                           " WHERE content.entry = entry.id)",
  [CLIP_SQL_TIDY_BLOBS] =
      "DELETE FROM blob WHERE NOT EXISTS (SELECT 1 FROM entry WHERE entry.blob = blob.id)"
      " AND NOT EXISTS (SELECT 1 FROM content WHERE content.blob = blob.id)",
  [CLIP_SQL_COUNT_SUMS] = CLIP_COUNTED_SUMS,
};
