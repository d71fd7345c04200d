/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Histories of other programs: whole, cut anywhere, and with other bytes than they were written
 * with. */
#include "clip-error.h"
#include "clip-fd.h"
#include "clip-foreign.h"
#include "qt-file.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#define N_ENTRIES 3

typedef struct
{
  const char *name;
  const char *path;
  GByteArray *(*make) (void);
  gboolean is_oldest_first;
} Case;

/* --- what they look like --- */

static GByteArray *
make_text (const char *text)
{
  GByteArray *bytes = g_byte_array_new ();

  return g_byte_array_append (bytes, (const guint8 *) text, (guint) strlen (text));
}

static GByteArray *
make_gpaste (void)
{
  return make_text ("<?xml version=\"1.0\"?>\n<history version=\"2.0\">\n"
                    "<item kind=\"Text\"><value><![CDATA[three]]></value></item>\n"
                    "<item kind=\"Text\"><value><![CDATA[two]]></value></item>\n"
                    "<item kind=\"Text\"><value>one</value></item>\n</history>");
}

static GByteArray *
make_clipse (void)
{
  return make_text (
      "{\n  \"clipboardHistory\": [\n"
      "    { \"value\": \"three\", \"recorded\": \"2024-05-06 07:08:09.5\","
      " \"filePath\": \"null\", \"pinned\": true },\n"
      "    { \"value\": \"two\", \"recorded\": \"\", \"filePath\": \"null\" },\n"
      "    { \"value\": \"one\", \"filePath\": \"null\" }\n  ]\n}");
}

static GByteArray *
make_ringboard (void)
{
  return make_text ("[{\"id\":5,\"kind\":\"Human\",\"data\":\"one\"},"
                    "{\"id\":4294967296,\"kind\":\"Bytes\",\"data\":\"dHdv\","
                    "\"mime_type\":\"image/x-two\"},"
                    "{\"id\":4294967297,\"kind\":\"Human\",\"data\":\"three\"}]");
}

static GByteArray *
make_qt (QtFileKind kind, gboolean is_packed)
{
  static const char *const texts[N_ENTRIES] = { "three", "two", "one" };
  g_autoptr (QtFile) file = qt_file_new ();

  file->is_packed = is_packed;
  for (guint i = 0; i < N_ENTRIES; i++)
    {
      qt_file_add_item (file);
      qt_file_add (file, "text/plain", texts[i], strlen (texts[i]));
    }
  return qt_file_make (file, kind);
}

static GByteArray *
make_klipper (void)
{
  return make_qt (QT_FILE_KLIPPER, FALSE);
}

static GByteArray *
make_tab (void)
{
  return make_qt (QT_FILE_COPYQ_TAB, FALSE);
}

static GByteArray *
make_packed_tab (void)
{
  return make_qt (QT_FILE_COPYQ_TAB, TRUE);
}

static GByteArray *
make_export (void)
{
  return make_qt (QT_FILE_COPYQ_4, FALSE);
}

static GByteArray *
make_old_export (void)
{
  return make_qt (QT_FILE_COPYQ_3, FALSE);
}

static const Case cases[] = {
  { "gpaste", "history.xml", make_gpaste },
  { "klipper", "history2.lst", make_klipper },
  { "copyq", "copyq_tab_Zg==.dat", make_tab },
  { "copyq", "copyq_tab_Zg==.dat", make_packed_tab },
  { "copyq", "a.cpq", make_export },
  { "copyq", "a.cpq", make_old_export },
  { "clipse", "clipboard_history.json", make_clipse },
  { "ringboard", "dump.json", make_ringboard, TRUE },
};

/* --- how they are read --- */

static char *folder;

/* over what is there, which is quicker than another one a thousand times */
static char *
write_file (const Case *self, const void *data, gsize length)
{
  char *path = g_build_filename (folder, self->path, NULL);
  clip_autofd int fd = open (path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

  g_assert_cmpint (pwrite (fd, data, length, 0), ==, (gssize) length);
  g_assert_cmpint (ftruncate (fd, (off_t) length), ==, 0);
  return path;
}

static void
append_text (GString *out, const ClipForeignEntry *entry)
{
  const ClipForeignContent *content;

  if (entry->contents->len == 0)
    return;
  content = entry->contents->pdata[0];
  if (content->bytes)
    g_string_append_len (out, g_bytes_get_data (content->bytes, NULL), content->size);
  g_string_append_c (out, ' ');
}

static void
remove_file (const Case *self)
{
  g_autofree char *path = g_build_filename (folder, self->path, NULL);

  g_remove (path);
}

/* Returns: (transfer full): the texts, each with a blank behind it */
static char *
read_all (const char *path, const char *name, GError **error)
{
  g_autoptr (ClipForeign) foreign = NULL;
  GString *texts = g_string_new (NULL);
  ClipForeignEntry *entry;

  if (!clip_foreign_open (path, name, &foreign, error) || !foreign)
    return g_string_free (texts, FALSE);
  while ((entry = clip_foreign_next (foreign, error)))
    {
      append_text (texts, entry);
      clip_foreign_entry_free (entry);
    }
  return g_string_free (texts, FALSE);
}

static void
test_whole (gconstpointer data)
{
  const Case *self = data;
  g_autoptr (GByteArray) bytes = self->make ();
  g_autofree char *path = write_file (self, bytes->data, bytes->len);
  g_autoptr (GError) error = NULL;
  g_autofree char *texts = read_all (path, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (texts, ==, "one two three ");
  remove_file (self);
}

static void
test_folder (gconstpointer data)
{
  const Case *self = data;
  g_autoptr (GByteArray) bytes = self->make ();
  g_autofree char *path G_GNUC_UNUSED = write_file (self, bytes->data, bytes->len);
  g_autoptr (GError) error = NULL;
  g_autofree char *texts = read_all (folder, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (texts, ==, "one two three ");
  remove_file (self);
}

/* whatever is there of the newest ones comes, and then what is wrong */
static void
test_cut (gconstpointer data)
{
  const Case *self = data;
  g_autoptr (GByteArray) bytes = self->make ();
  gsize most = 0;

  for (gsize n = 0; n < bytes->len; n++)
    {
      g_autofree char *path = write_file (self, bytes->data, n);
      g_autoptr (GError) error = NULL;
      g_autofree char *texts = read_all (path, self->name, &error);

      g_assert_error (error, CLIP_ERROR, CLIP_ERROR_CORRUPT);
      g_assert_true (strstr (error->message, "at byte "));
      g_assert_true (self->is_oldest_first ? g_str_has_prefix ("one two three ", texts)
                                           : g_str_has_suffix ("one two three ", texts));
      g_assert_cmpuint (strlen (texts), >=, most);
      most = strlen (texts);
    }
  g_assert_cmpuint (most, >=, strlen ("one "));
  remove_file (self);
}

/* each byte once as another: it ends, and says so or has read something */
static void
test_changed (gconstpointer data)
{
  const Case *self = data;
  g_autoptr (GByteArray) bytes = self->make ();

  for (gsize i = 0; i < bytes->len; i++)
    {
      g_autofree char *path = NULL;
      g_autofree char *texts = NULL;
      g_autoptr (GError) error = NULL;
      guint8 before = bytes->data[i];

      bytes->data[i] ^= 0x81;
      if (self->make == make_klipper && i >= 8)
        qt_file_sign (bytes);
      path = write_file (self, bytes->data, bytes->len);
      texts = read_all (path, self->name, &error);
      g_assert_true (!error || error->domain == CLIP_ERROR);
      bytes->data[i] = before;
    }
  remove_file (self);
}

static void
add (const char *fact, void (*function) (gconstpointer))
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path =
          g_strdup_printf ("/foreign/%s-%u/%s", cases[i].name, i, fact);

      if (function == test_folder && cases[i].is_oldest_first)
        continue; /* it is no history in a folder, but what somebody has dumped */
      g_test_add_data_func (path, &cases[i], function);
    }
}

int
main (int argc, char *argv[])
{
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("foreign-XXXXXX", NULL);
  add ("whole-one-is-read-oldest-first", test_whole);
  add ("by-its-folder", test_folder);
  add ("cut-anywhere-what-was-whole-is-read", test_cut);
  add ("changed-anywhere-it-ends", test_changed);
  status = g_test_run ();
  g_rmdir (folder);
  g_free (folder);
  return status;
}
