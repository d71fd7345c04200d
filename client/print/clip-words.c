/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-words.h"

#include <errno.h>
#include <libintl.h>
#include <locale.h>

#define DOMAIN "cliphist"

/* only what words need: numbers and their order are the same for every reader. The tests'
 * own catalogues lie elsewhere. What is said may be said of errno. */
static void
bind_once (void)
{
  static gboolean is_bound;
  int kept_errno = errno;
  const char *folder;

  if (is_bound)
    return;
  is_bound = TRUE;
  setlocale (LC_MESSAGES, "");
  setlocale (LC_CTYPE, "");
  folder = g_getenv ("CLIPHIST_LOCALEDIR");
  bindtextdomain (DOMAIN, folder && *folder ? folder : CLIP_LOCALEDIR);
  bind_textdomain_codeset (DOMAIN, "UTF-8");
  errno = kept_errno;
}

/* (transfer none): for what stands in a table as N_ () */
const char *
clip_words (const char *text)
{
  bind_once ();
  return dgettext (DOMAIN, text);
}

const char *
clip_words_count (const char *one, const char *many, gulong n)
{
  bind_once ();
  return dngettext (DOMAIN, one, many, n);
}
