/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * clip_sum() and clip_short_hash() for statements that concern many rows: what is written
 * row by row is summed before it is bound.
 */
#include "clip-sql-functions.h"

#include "clip-hash.h"
#include "clip-statements.h"

#include <string.h>

enum
{
  ARGUMENT_ID,
  ARGUMENT_POSITION,
  ARGUMENT_MIME,
  ARGUMENT_SIZE,
  ARGUMENT_HASH,    /* of the file; NULL = the bytes are in the row */
  ARGUMENT_PREVIEW, /* a BLOB is what the content begins with */
  ARGUMENT_BODY,
  N_ARGUMENTS,
};

/* a row that refers to a name that is not there has no sum: it cannot be served anyway */
static void
sum_row (sqlite3_context *context, int n G_GNUC_UNUSED, sqlite3_value **values)
{
  const char *mime = (const char *) sqlite3_value_text (values[ARGUMENT_MIME]);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  if (!mime)
    return;
  clip_value_append (bytes, values[ARGUMENT_HASH]);
  if (bytes->len == 0)
    {
      clip_value_append (bytes, values[ARGUMENT_PREVIEW]);
      clip_value_append (bytes, values[ARGUMENT_BODY]);
    }
  sqlite3_result_int64 (context,
                        clip_sum (sqlite3_value_int64 (values[ARGUMENT_ID]),
                                  sqlite3_value_int64 (values[ARGUMENT_POSITION]), mime,
                                  sqlite3_value_int64 (values[ARGUMENT_SIZE]),
                                  bytes->data, bytes->len));
}

/* of an entry: the hash of its file or NULL, the preview, the body */
static void
shorten (sqlite3_context *context, int n G_GNUC_UNUSED, sqlite3_value **values)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  ClipHash hash = { { 0 } };

  clip_value_append (bytes, values[0]);
  if (bytes->len == sizeof hash.bytes)
    memcpy (hash.bytes, bytes->data, sizeof hash.bytes);
  else
    {
      clip_value_append (bytes, values[1]);
      clip_value_append (bytes, values[2]);
      hash = clip_hash_of (bytes->data, bytes->len);
    }
  sqlite3_result_int64 (context, clip_hash_short (&hash));
}

/* makes clip_sum() and clip_short_hash() known to @db */
gboolean
clip_sql_functions_register (sqlite3 *db, GError **error)
{
  const int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC;

  return (sqlite3_create_function_v2 (db, "clip_sum", N_ARGUMENTS, flags, NULL, sum_row,
                                      NULL, NULL, NULL) == SQLITE_OK &&
          sqlite3_create_function_v2 (db, "clip_short_hash", 3, flags, NULL, shorten,
                                      NULL, NULL, NULL) == SQLITE_OK) ||
         clip_statements_set_error (db, error);
}
