/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-write-sql.h"

#include "clip-read-sql.h"

/* of all contents of an entry */
#define WHOLE_SIZE \
  "size + ifnull((SELECT sum(size) FROM content WHERE entry = entry.id), 0)"

const char *const clip_writes[CLIP_N_SQL] = {
#define SQL(name, text) [CLIP_SQL_##name] = text,
#include "clip-write-sql.def"
#undef SQL
};
