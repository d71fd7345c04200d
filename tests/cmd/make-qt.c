/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* make-qt KIND FILE [ITEM...]   writes a history of a program of Qt (qt-file.h has the kinds), the
 * oldest item first on the command line. An ITEM is a text, or MIME=TEXT, and MIME=TEXT of other
 * types of it behind a +; a TEXT that begins with @ is the name of a file that holds it. With
 * `packed` before KIND all is compressed. */
#include "qt-file.h"

#include <string.h>

static void
add (QtFile *file, const char *word)
{
  const char *equals = strchr (word, '=');
  g_autofree char *mime = equals ? g_strndup (word, (gsize) (equals - word)) : NULL;
  const char *text = equals ? equals + 1 : word;
  g_autofree char *bytes = NULL;
  gsize length = strlen (text);

  if (*text == '@' && !g_file_get_contents (text + 1, &bytes, &length, NULL))
    g_error ("%s cannot be read", text + 1);
  qt_file_add (file, mime ? mime : "text/plain", bytes ? bytes : text, length);
}

static void
add_item (QtFile *file, const char *word)
{
  g_auto (GStrv) parts = g_strsplit (word, "+", -1);

  qt_file_add_item (file);
  for (guint i = 0; parts[i]; i++)
    add (file, parts[i]);
}

int
main (int argc, char *argv[])
{
  g_autoptr (QtFile) file = qt_file_new ();
  g_autoptr (GByteArray) bytes = NULL;
  QtFileKind kind;
  int i = 1;

  file->is_packed = argc > 1 && g_str_equal (argv[1], "packed");
  i += file->is_packed;
  if (argc < i + 2 || !qt_file_kind_from_name (argv[i], &kind))
    g_error ("make-qt [packed] KIND FILE [ITEM...]");
  for (int j = argc - 1; j > i + 1; j--)
    add_item (file, argv[j]);
  bytes = qt_file_make (file, kind);
  return g_file_set_contents (argv[i + 1], (const char *) bytes->data,
                              (gssize) bytes->len, NULL)
             ? 0
             : 1;
}
