/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The history of another program, of which some bytes are others: the first byte of the input says
 * of which, each three behind it where and what. Or all that is behind it is a history. */
#include "fuzz.h"

#include "clip-fd.h"
#include "clip-foreign.h"
#include "qt-file.h"

#include <string.h>

static const char *const texts[] = {
  "<history version=\"2.0\"><item kind=\"Text\" favourite=\"true\"><value><![CDATA[two]]>"
  "</value><value mime=\"text-html\">PGI+</value></item><item kind=\"Uris\"><value>/a\n"
  "file:///b</value></item><item kind=\"Image\" "
  "date=\"12\"><value>/dev/null</value></item>"
  "</history>",
  "<history version=\"1.0\"><item kind=\"Text\"><![CDATA[two &amp; &gt;]]></item>"
  "<item kind=\"Text\">one</item></history>",
  "{\"clipboardHistory\":[{\"value\":\"two\",\"recorded\":\"2024-05-06 07:08:09.123\","
  "\"filePath\":\"null\",\"pinned\":true},{\"value\":\"1\",\"filePath\":\"/dev/null\"}]}",
  "[{\"id\":1,\"kind\":\"Human\",\"data\":\"a\"},{\"id\":2,\"kind\":\"Bytes\",\"data\":"
  "\"/w\","
  "\"mime_type\":\"image/png\"}]",
  "{\"id\":1,\"kind\":\"Human\",\"data\":\"a\"}\n{\"id\":2,\"kind\":\"Bytes\",\"data\":"
  "\"/w\"}",
};
static const char *const text_names[] = { "gpaste", "gpaste", "clipse", "ringboard",
                                          "ringboard" };

/* as what the rest of the input is read */
static const char *const raw_names[] = { "gpaste", "clipse", "ringboard", "copyq",
                                         "klipper" };

#define N_MADE (G_N_ELEMENTS (texts) + 2 * QT_FILE_N_KINDS)
#define N_CHOICES (N_MADE + G_N_ELEMENTS (raw_names))

static GByteArray *
make_qt_file (guint choice)
{
  g_autoptr (QtFile) file = qt_file_new ();
  const guint8 png[] = "\x89PNG\r\n\x1A\n\0\0\0\0IEND\0\0\0";

  file->is_packed = choice >= QT_FILE_N_KINDS;
  qt_file_add_item (file);
  qt_file_add (file, "text/plain", "some text", 9);
  qt_file_add (file, "application/x-copyq-tags", "one,two", 7);
  qt_file_add (file, "FILE:text/plain", "/dev/null", 9);
  qt_file_add_item (file);
  qt_file_add (file, "image/png", png, sizeof png);
  qt_file_add_item (file);
  qt_file_add (file, "text/uri-list", "file:///a", 9);
  return qt_file_make (file, (QtFileKind) (choice % QT_FILE_N_KINDS));
}

static GByteArray *
make_file (guint choice, const char **out_name)
{
  guint kind = choice - (guint) G_N_ELEMENTS (texts);

  if (choice >= G_N_ELEMENTS (texts))
    {
      *out_name = kind % QT_FILE_N_KINDS == QT_FILE_KLIPPER ? "klipper" : "copyq";
      return make_qt_file (kind);
    }
  *out_name = text_names[choice];
  return g_byte_array_append (g_byte_array_new (), (const guint8 *) texts[choice],
                              (guint) strlen (texts[choice]));
}

static void
patch (GByteArray *image, const guint8 *data, gsize length)
{
  for (gsize i = 0; i + 3 <= length; i += 3)
    image->data[(data[i] | data[i + 1] << 8) % image->len] = data[i + 2];
}

/* (transfer full): the history that an input means */
static GByteArray *
file_of (const guint8 *data, gsize length, const char **out_name)
{
  guint choice = data[0] % N_CHOICES;
  GByteArray *made = NULL;

  if (choice >= N_MADE)
    {
      *out_name = raw_names[choice - N_MADE];
      return g_byte_array_append (g_byte_array_new (), data + 1, (guint) length - 1);
    }
  made = make_file (choice, out_name);
  patch (made, data + 1, length - 1);
  if (g_str_equal (*out_name, "klipper"))
    qt_file_sign (made);
  return made;
}

static void
check_entry (const ClipForeignEntry *entry)
{
  for (guint i = 0; i < entry->contents->len; i++)
    {
      const ClipForeignContent *content = entry->contents->pdata[i];

      g_assert_true (content->mime);
      g_assert_cmpint (content->size, >=, 0);
      g_assert_true (content->bytes || content->fd >= 0);
    }
}

static void
read_all (const char *path, const char *name)
{
  g_autoptr (ClipForeign) foreign = NULL;
  g_autoptr (GError) error = NULL;
  ClipForeignEntry *entry;

  if (!clip_foreign_open (path, name, &foreign, &error))
    return;
  while ((entry = clip_foreign_next (foreign, &error)))
    {
      check_entry (entry);
      clip_foreign_entry_free (entry);
    }
  g_assert_null (clip_foreign_next (foreign, NULL));
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize length)
{
  g_autoptr (GByteArray) image = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autofree char *path = NULL;
  const char *name;
  clip_autofd int fd = -1;

  if (length == 0)
    return 0;
  image = file_of (data, length, &name);
  bytes = g_bytes_new (image->data, image->len);
  fd = clip_memfd (bytes, NULL);
  g_assert_cmpint (fd, >=, 0);
  path = g_strdup_printf ("/proc/self/fd/%d", fd);
  read_all (path, name);
  return 0;
}
