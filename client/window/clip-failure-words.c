/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-failure-words.h"

#include "clip-words.h"

#include <cliphist.h>

/**
 * clip_failure_words:
 * @error: of a call of the library
 *
 * Returns: what is said of it: of a daemon that is not there the bus tells in words of
 * its own, which say nothing to people
 */
const char *
clip_failure_words (const GError *error)
{
  return g_error_matches (error, CLIPHIST_ERROR, CLIPHIST_ERROR_UNAVAILABLE)
             ? _ ("The clipboard history does not answer: “cliphist doctor” in a "
                  "terminal says why.")
             : error->message;
}
