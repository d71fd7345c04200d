/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* JSON, value by value, for the readers of programs that write it. */
#pragma once
#include "clip-foreign-bytes.h"
#include "clip-foreign-file.h"

#include <jansson.h>
G_BEGIN_DECLS

gboolean clip_foreign_json_begins (const ClipForeignFile *file, const char *form);
gboolean clip_foreign_json_peek (ClipForeignBytes *bytes, char *out, GError **error);
gboolean clip_foreign_json_take (ClipForeignBytes *bytes, char expected, GError **error);
json_t *clip_foreign_json_value (ClipForeignBytes *bytes, GError **error);
const char *clip_foreign_json_text (const json_t *object, const char *key);

static inline void
clip_foreign_json_clear (json_t **value)
{
  json_decref (*value);
}

#define clip_autojson __attribute__ ((cleanup (clip_foreign_json_clear))) json_t *

G_END_DECLS
