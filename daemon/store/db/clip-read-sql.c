/* SPDX-License-Identifier: LGPL-2.1-or-later */
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
#define READ(name, text) [CLIP_READ_##name] = text,
#include "clip-read-sql.def"
#undef READ
};
