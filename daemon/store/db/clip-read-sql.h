/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* the schema that this program makes, see schema/ */
#define CLIP_SCHEMA_VERSION 5

#define CLIP_SCHEMA_TOO_OLD \
  "open history: written by a development version (schema %" G_GINT64_FORMAT \
  "), which this program does not read: export it with that one"

/* The statements of the reading half. */
typedef enum
{
#define READ(name, text) CLIP_READ_##name,
#include "clip-read-sql.def"
#undef READ
  CLIP_N_READS,
} ClipRead;

/* the columns of a row, in the order of the statements that select one */
enum
{
  CLIP_COLUMN_ID,
  CLIP_COLUMN_LAST_US,
  CLIP_COLUMN_FIRST_US,
  CLIP_COLUMN_COPIES,
  CLIP_COLUMN_EXPIRES_US,
  CLIP_COLUMN_PINNED,
  CLIP_COLUMN_KIND,
  CLIP_COLUMN_EXTRAS,
  CLIP_COLUMN_SIZE,
  CLIP_COLUMN_MIME,
  CLIP_COLUMN_ORIGIN,
  CLIP_COLUMN_PREVIEW,
  CLIP_COLUMN_BLOB, /* from here on: of what is exported */
  CLIP_COLUMN_BODY,
  CLIP_COLUMN_SUM,
};

/* the columns of a row whose text is searched; the first two are those of a brief page */
enum
{
  CLIP_TEXT_ID,
  CLIP_TEXT_PREVIEW,
  CLIP_TEXT_REST, /* INTEGER: blob.id; BLOB: the body; NULL: neither */
  CLIP_BRIEF_KIND = CLIP_TEXT_REST,
};

/* Tables of our names, and indexes on these, whose text is not in the schema, and one
 * more where some of the sixteen that it has are missing; -1 where there is none, nor
 * our mark (CLIP_DATABASE_ID). In a virtual table what is deleted stays, and an
 * expression makes each copy as slow as its author wants. What is beside them is another
 * program's. One more where the file cannot be cut: then what a wipe has left of its
 * tables would stay. */
#define CLIP_OTHER_TABLES \
  "SELECT CASE count(*) WHEN 0 THEN" \
  " iif((SELECT application_id FROM pragma_application_id) = 1668049264, 1, -1)" \
  " ELSE count(*) FILTER (WHERE instr (?1, sql) = 0)" \
  " + (count(*) FILTER (WHERE instr (?1, sql) > 0) < 16)" \
  " + ((SELECT auto_vacuum FROM pragma_auto_vacuum) = 0) END" \
  " FROM sqlite_schema WHERE lower (type) IN ('table', 'index')" \
  " AND instr (?1, 'TABLE ' || lower (tbl_name) || ' (') > 0"

/* whether there are these sixteen, and nothing else */
#define CLIP_OWN_TABLES \
  "SELECT count(*) = 16 AND min (instr (?1, sql) > 0) FROM sqlite_schema" \
  " WHERE sql IS NOT NULL AND name NOT GLOB 'sqlite_*'"

/* of AUTOINCREMENT: no row can be added behind the highest number, nor be saved that is
 * far behind this one; and of entries, whose next id would be one that is there */
#define CLIP_USED_UP \
  "SELECT (SELECT count(*) FROM sqlite_sequence WHERE seq NOT BETWEEN 0 AND 3 << 38)" \
  " + (SELECT count(*) FROM totals WHERE last_id < (SELECT max(id) FROM entry))"

#define CLIP_TOTALS \
  "SELECT count, bytes, pinned, pinned_bytes, last_id, first_loose FROM totals" \
  " WHERE only = 1"

/* what the totals have to be, with the highest id, and the lowest that is not pinned; a
 * damaged row may say a size with which sum() ends in an error */
#define CLIP_COUNTED_TOTALS \
  "SELECT count(*)," \
  " CAST(total(size) + (SELECT total(size) FROM content WHERE id > 0) AS INTEGER)," \
  " CAST(total(pinned) AS INTEGER), CAST(total(pinned * size)" \
  " + (SELECT total(content.size) FROM entry AS holder" \
  " JOIN content ON content.entry = holder.id WHERE holder.pinned = 1) AS INTEGER)," \
  " ifnull(max(id), 0)," \
  " ifnull(min(CASE pinned WHEN 0 THEN id END), 9223372036854775807)" \
  " FROM entry WHERE id > 0"

/* whether a row is not as it was written, also where what it refers to is gone */
#define CLIP_WRONG_ENTRY \
  "((sum = clip_sum (id, 0, (SELECT text FROM name WHERE name.id = entry.mime), size," \
  " (SELECT hash FROM blob WHERE blob.id = entry.blob), preview, body)" \
  " AND size = iif(blob IS NULL, iif(typeof(preview) = 'blob', length(preview), 0)" \
  " + iif(typeof(body) = 'blob', length(body), 0)," \
  " (SELECT blob.size FROM blob WHERE blob.id = entry.blob))) IS NOT 1)"
#define CLIP_WRONG_CONTENT \
  "((sum = clip_sum (entry, position," \
  " (SELECT text FROM name WHERE name.id = content.mime), size," \
  " (SELECT hash FROM blob WHERE blob.id = content.blob), NULL, body)" \
  " AND size = iif(blob IS NULL, iif(typeof(body) = 'blob', length(body), 0)," \
  " (SELECT blob.size FROM blob WHERE blob.id = content.blob))" \
  " AND EXISTS (SELECT 1 FROM entry WHERE entry.id = content.entry)) IS NOT 1)"

/* what each entry has among the duplicates */
#define CLIP_SHORT_HASH \
  "clip_short_hash ((SELECT hash FROM blob WHERE blob.id = entry.blob), preview, body)"

extern const char *const clip_reads[CLIP_N_READS];

G_END_DECLS
