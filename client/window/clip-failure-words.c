/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-failure-words.h"

#include "clip-words.h"

#include <cliphist.h>

/**
 * clip_failure_words:
 * @error: of a call of the library
 *
 * Returns: what is said of it: what the bus tells of a daemon that is not there, SQLite
 * of a database, and the daemon of an id, says nothing to people
 */
const char *
clip_failure_words (const GError *error)
{
  if (g_error_matches (error, CLIPHIST_ERROR, CLIPHIST_ERROR_UNAVAILABLE))
    return _ ("The clipboard history does not answer: “cliphist doctor” in a terminal "
              "says why.");
  if (g_error_matches (error, CLIPHIST_ERROR, CLIPHIST_ERROR_CORRUPT))
    return _ ("Part of the clipboard history is damaged: “cliphist doctor --repair” in a "
              "terminal saves what can be read.");
  if (g_error_matches (error, CLIPHIST_ERROR, CLIPHIST_ERROR_NOT_FOUND))
    return _ ("The entry that was chosen has gone.");
  return error->message;
}
