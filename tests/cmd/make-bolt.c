/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* make-bolt FILE [ID=TEXT...]: writes a database of the existing tool; an ID alone is the
 * last one that was given, a TEXT that begins with @ the name of a file that holds it */
#include "bolt-file.h"

#include <stdlib.h>
#include <string.h>

static void
add (BoltFile *file, const char *word)
{
  char *rest;
  guint64 id = strtoull (word, &rest, 10);
  g_autofree char *bytes = NULL;
  gsize length = 0;

  if (*rest == '\0')
    file->sequence = id;
  else if (rest[1] != '@')
    bolt_file_add_text (file, id, rest + 1);
  else if (g_file_get_contents (rest + 2, &bytes, &length, NULL))
    bolt_file_add (file, id, bytes, length);
  else
    g_error ("%s cannot be read", rest + 2);
}

int
main (int argc, char *argv[])
{
  g_autoptr (BoltFile) file = bolt_file_new ();

  for (int i = 2; i < argc; i++)
    add (file, argv[i]);
  bolt_file_write (file, argv[1]);
  return 0;
}
