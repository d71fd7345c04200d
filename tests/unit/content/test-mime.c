/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-mime.h"

#include "clip-mime-table.h"

#include <string.h>

#define MAX_TYPES 40

static void
test_valid (void)
{
  static const char *const good[] = {
    "a",
    "UTF8_STRING",
    "text/plain; charset=utf-8",
    "application/x-openoffice-link;windows_formatname=\"Link Source\"",
  };
  static const char *const bad[] = {
    "", " text/plain", "text/plain ", "text/\tplain", "text/plain\n", "text/pl\xC3\xA4in",
  };

  for (guint i = 0; i < G_N_ELEMENTS (good); i++)
    g_assert_true (clip_mime_is_valid (good[i]));
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    g_assert_false (clip_mime_is_valid (bad[i]));
  g_assert_false (clip_mime_is_valid (NULL));
}

static void
test_longest (void)
{
  char mime[CLIP_MIME_MAX_LENGTH + 2];

  memset (mime, 'a', sizeof mime);
  mime[CLIP_MIME_MAX_LENGTH + 1] = '\0';
  g_assert_false (clip_mime_is_valid (mime));
  mime[CLIP_MIME_MAX_LENGTH] = '\0';
  g_assert_true (clip_mime_is_valid (mime));
}

/* as LibreOffice names what it says of a document that is a file */
static char *
describe_document (gsize n_bytes)
{
  g_autofree char *path = g_strnfill (n_bytes, 'x');

  return g_strconcat ("application/x-openoffice-objectdescriptor-xml;typename=\"calc8\";"
                      "displayname=\"file:///",
                      path, "\";viewaspect=\"1\"", NULL);
}

/* it may be asked for, and its path is not stored */
static void
test_name_with_a_path (void)
{
  g_autofree char *name = describe_document (300);
  g_autofree char *endless = describe_document (5000);
  g_autofree char *other =
      g_strconcat ("application/x-thing;", strchr (name, ';') + 1, NULL);
  const char *offered[] = { "text/plain", "application/x-openoffice-embed-source-xml",
                            name, NULL };
  g_autoptr (GPtrArray) chosen = clip_mime_choose (offered);

  g_assert_false (clip_mime_is_valid (name));
  g_assert_true (clip_mime_is_offered (name));
  g_assert_false (clip_mime_is_offered (endless));
  g_assert_false (clip_mime_is_offered (other));
  g_assert_cmpstr (clip_mime_filed (name, "<x/>", 4, TRUE), ==,
                   "application/x-openoffice-objectdescriptor-xml;typename=\"calc8\";"
                   "viewaspect=\"1\"");
  g_assert_cmpuint (chosen->len, ==, 3);
  g_assert_true (g_ptr_array_find (chosen, name, NULL));
}

static void
test_canonical (void)
{
  static const char *const cases[][2] = {
    { "text/plain;charset=utf-8", CLIP_MIME_TEXT },
    { "text/plain;charset=UTF-8", CLIP_MIME_TEXT },
    { "text/plain; charset=utf-8", CLIP_MIME_TEXT },
    { "text/plain; charset=\"UTF8\"", CLIP_MIME_TEXT },
    { "Text/Plain", CLIP_MIME_TEXT },
    { "UTF8_STRING", CLIP_MIME_TEXT },
    { "TEXT", CLIP_MIME_TEXT },
    { "STRING", CLIP_MIME_TEXT },
    { "COMPOUND_TEXT", "COMPOUND_TEXT" },
    { "text/plain;charset=utf-16", "text/plain;charset=utf-16" },
    { "text/plain;charset=ISO-8859-1", CLIP_MIME_LATIN1 },
    { "application/rtf", CLIP_MIME_RTF },
    { "text/richtext", CLIP_MIME_RTF },
    { "text/html", CLIP_MIME_HTML },
    { "image/jpg", "image/jpeg" },
    { "image/x-png", "image/png" },
    { "image/x-win-bitmap", "image/bmp" },
    { "application/x-rtf", CLIP_MIME_RTF },
    { "text/html; charset=utf-8", CLIP_MIME_HTML },
    { "text/uri-list;charset=utf-8", CLIP_MIME_URI_LIST },
    { "text/plain;charset=us-ascii", CLIP_MIME_TEXT },
    { "image/x-MS-bmp", "image/bmp" },
    { "application/x-thing", "application/x-thing" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpstr (clip_mime_canonical (cases[i][0]), ==, cases[i][1]);
  g_assert_true (clip_mime_same ("UTF8_STRING", "text/plain"));
  g_assert_true (clip_mime_same ("image/PNG", "image/png"));
  g_assert_false (clip_mime_same ("text/html", "text/plain"));
  g_assert_true (clip_mime_answers (CLIP_MIME_LATIN1, "STRING"));
  g_assert_false (clip_mime_answers (CLIP_MIME_LATIN1, "UTF8_STRING"));
}

static void
test_filed (void)
{
  static const struct
  {
    const char *offered, *bytes, *filed;
  } cases[] = {
    { "STRING", "plain", CLIP_MIME_TEXT },
    { "STRING", "gr\xC3\xBC\xC3\x9F", CLIP_MIME_TEXT },
    { "STRING", "gr\xFC\xDF", CLIP_MIME_LATIN1 },
    { "TEXT", "gr\xFC\xDF", CLIP_MIME_LATIN1 },
    { "UTF8_STRING", "gr\xFC\xDF", CLIP_MIME_TEXT },
    { "COMPOUND_TEXT", "plain", CLIP_MIME_TEXT },
    { "COMPOUND_TEXT", "\x1B%Gx\x1B%@", "COMPOUND_TEXT" },
    { "COMPOUND_TEXT", "gr\xFC\xDF", "COMPOUND_TEXT" },
    { "application/rtf", "{\\rtf1}", CLIP_MIME_RTF },
    { "image/png", "whatever", "image/png" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpstr (
        clip_mime_filed (cases[i].offered, cases[i].bytes, strlen (cases[i].bytes), TRUE),
        ==, cases[i].filed);
}

static void
test_aliases (void)
{
  static const char *const text[] = {
    CLIP_MIME_TEXT, "text/plain", "UTF8_STRING", "TEXT", "STRING", NULL,
  };
  static const char *const alone[] = { "application/x-thing", NULL };

  g_assert_cmpstrv (clip_mime_aliases (CLIP_MIME_TEXT), text);
  g_assert_cmpstrv (clip_mime_aliases ("text/plain; charset=utf-8"), text);
  g_assert_cmpstrv (clip_mime_aliases ("application/x-thing"), alone);
  g_assert_cmpstr (clip_mime_aliases (CLIP_MIME_LATIN1)[0], ==, CLIP_MIME_LATIN1);
  g_assert_cmpstr (clip_mime_aliases (CLIP_MIME_HTML)[0], ==, CLIP_MIME_HTML);
  g_assert_cmpstr (clip_mime_aliases (CLIP_MIME_RTF)[1], ==, "application/rtf");
}

static void
test_classes (void)
{
  static const struct
  {
    const char *mime;
    ClipClass kind;
    gboolean text;
  } cases[] = {
    { CLIP_MIME_TEXT, CLIP_CLASS_TEXT, TRUE },
    { "STRING", CLIP_CLASS_TEXT, TRUE },
    { CLIP_MIME_HTML, CLIP_CLASS_TEXT, TRUE },
    { "application/json", CLIP_CLASS_TEXT, TRUE },
    { "image/png", CLIP_CLASS_IMAGE, FALSE },
    { "image/svg+xml", CLIP_CLASS_IMAGE, FALSE },
    { CLIP_MIME_URI_LIST, CLIP_CLASS_FILES, TRUE },
    { "x-special/gnome-copied-files", CLIP_CLASS_FILES, TRUE },
    { "application/pdf", CLIP_CLASS_OTHER, FALSE },
    { CLIP_MIME_OCTETS, CLIP_CLASS_OTHER, FALSE },
    { "FOO", CLIP_CLASS_OTHER, FALSE },
    { NULL, CLIP_CLASS_OTHER, FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_assert_cmpint (clip_mime_class (cases[i].mime), ==, cases[i].kind);
      g_assert_cmpint (clip_mime_is_text (cases[i].mime), ==, cases[i].text);
    }
}

static void
test_reoffer (void)
{
  static const char *const good[] = {
    CLIP_MIME_TEXT, "image/png", "STRING", "application/x-kde-cutselection", "FOO",
  };
  static const char *const bad[] = {
    "image/x-inkscape-svg",
    "TARGETS",
    "SAVE_TARGETS",
    "x-kde-passwordManagerHint",
    "application/vnd.portal.filetransfer",
    "application/x-org.cliphist.origin;token=00",
    "application/x-nspasteboard-concealed-type",
  };

  for (guint i = 0; i < G_N_ELEMENTS (good); i++)
    g_assert_true (clip_mime_may_reoffer (good[i]));
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    g_assert_false (clip_mime_may_reoffer (bad[i]));
}

static void
test_reassertion (void)
{
  static const char *const klipper[] = {
    "text/plain",
    "application/x-kde-onlyReplaceEmpty",
    NULL,
  };
  static const char *const sync[] = { "application/x-kde-syncselection", NULL };
  static const char *const plain[] = { "text/plain", NULL };

  g_assert_true (clip_mime_is_reassertion (klipper));
  g_assert_true (clip_mime_is_reassertion (sync));
  g_assert_false (clip_mime_is_reassertion (plain));
  g_assert_false (clip_mime_is_reassertion (NULL));
}

typedef struct
{
  const char *name;
  const char *offered[MAX_TYPES];
  const char *chosen[MAX_TYPES];
} Offer;

static const Offer offers[] = {
  { "wl-copy",
    { "text/plain", "text/plain;charset=utf-8", "TEXT", "STRING", "UTF8_STRING" },
    { "text/plain;charset=utf-8" } },
  { "xclip", { "TARGETS", "UTF8_STRING" }, { "UTF8_STRING" } },
  { "xclip-latin1", { "TARGETS", "STRING" }, { "STRING" } },
  { "xterm",
    { "TARGETS", "MULTIPLE", "TIMESTAMP", "LENGTH", "STRING", "TEXT", "COMPOUND_TEXT",
      "UTF8_STRING" },
    { "UTF8_STRING" } },
  { "firefox-text",
    { "text/html", "text/_moz_htmlinfo", "text/_moz_htmlcontext", "UTF8_STRING",
      "COMPOUND_TEXT", "TEXT", "STRING", "text/plain;charset=utf-8", "text/plain" },
    { "text/plain;charset=utf-8", "text/html" } },
  { "firefox-image",
    { "text/_moz_htmlinfo", "text/_moz_htmlcontext", "text/html", "image/jpeg",
      "image/png", "image/bmp", "image/tiff", "image/x-icon", "image/x-ico", "image/ico",
      "application/ico", "text/ico", "image/x-win-bitmap" },
    { "image/png", "text/html" } },
  { "firefox-private",
    { "text/plain;charset=utf-8", "x-kde-passwordManagerHint" },
    { "text/plain;charset=utf-8" } },
  { "chromium-text",
    { "chromium/x-internal-source-rfh-token", "chromium/x-source-url", "TEXT", "STRING",
      "UTF8_STRING", "text/plain", "text/plain;charset=utf-8", "text/html",
      "chromium/x-web-custom-data" },
    { "text/plain;charset=utf-8", "text/html" } },
  { "chromium-image",
    { "text/html", "image/png", "chromium/x-source-url" },
    { "image/png", "text/html" } },
  { "calc",
    { "application/x-openoffice-embed-source-xml;windows_formatname=\"Star Embed "
      "Source (XML)\"",
      "application/x-openoffice-objectdescriptor-xml;windows_formatname=\"Star Object "
      "Descriptor (XML)\"",
      "application/x-openoffice-gdimetafile;windows_formatname=\"GDIMetaFile\"",
      "application/x-openoffice-emf;windows_formatname=\"Image EMF\"",
      "application/x-openoffice-wmf;windows_formatname=\"Image WMF\"",
      "image/png",
      "application/x-openoffice-bitmap;windows_formatname=\"Bitmap\"",
      "image/bmp",
      "text/html",
      "application/x-openoffice-sylk;windows_formatname=\"Sylk\"",
      "application/x-openoffice-link;windows_formatname=\"Link\"",
      "application/x-openoffice-dif;windows_formatname=\"DIF\"",
      "application/x-libreoffice-tsvc",
      "text/rtf",
      "text/richtext",
      "STRING",
      "UTF8_STRING",
      "text/plain;charset=utf-8",
      "text/plain;charset=utf-16",
      "text/plain",
      "application/x-libreoffice-internal-id-1234" },
    { "text/plain;charset=utf-8", "text/html", "text/rtf",
      "application/x-openoffice-objectdescriptor-xml;windows_formatname=\"Star Object "
      "Descriptor (XML)\"",
      "application/x-openoffice-embed-source-xml;windows_formatname=\"Star Embed Source "
      "(XML)\"" } },
  { "half-of-what-its-program-wants",
    { "application/x-openoffice-embed-source-xml", "text/plain" },
    { "text/plain" } },
  { "gimp",
    { "image/x-xcf", "image/png", "image/bmp", "image/tiff", "image/x-icon",
      "image/jpeg" },
    { "image/png" } },
  { "nautilus-cut",
    { "application/vnd.portal.filetransfer", "x-special/gnome-copied-files",
      "text/uri-list", "text/plain;charset=utf-8", "application/vnd.portal.files" },
    { "text/uri-list", "x-special/gnome-copied-files", "text/plain;charset=utf-8" } },
  { "dolphin-cut",
    { "text/uri-list", "text/plain;charset=utf-8", "application/x-kde-cutselection",
      "application/x-kde4-urilist", "application/vnd.portal.filetransfer" },
    { "text/uri-list", "text/plain;charset=utf-8", "application/x-kde-cutselection" } },
  { "gwenview",
    { "image/png", "image/bmp", "text/uri-list" },
    { "text/uri-list", "image/png" } },
  { "spectacle",
    { "x-kde-force-image-copy", "text/plain", "application/x-qt-image", "image/bmp",
      "image/webp", "image/png" },
    { "image/png", "text/plain" } },
  { "keepassxc",
    { "text/plain;charset=utf-8", "x-kde-passwordManagerHint" },
    { "text/plain;charset=utf-8" } },
  { "an-original-beside-conversions",
    { "image/bmp", "image/tiff", "image/jpeg" },
    { "image/jpeg" } },
  { "an-unusual-original",
    { "image/tiff", "image/bmp", "image/x-exr" },
    { "image/x-exr" } },
  { "only-bmp", { "image/tiff", "image/bmp" }, { "image/bmp" } },
  { "only-html", { "text/html" }, { "text/html" } },
  { "markers-without-list",
    { "application/x-kde-cutselection", "text/plain" },
    { "text/plain" } },
  { "old-file-manager",
    { "x-special/mate-copied-files", "text/plain" },
    { "x-special/mate-copied-files", "text/plain" } },
  { "colour", { "application/x-color" }, { "application/x-color" } },
  { "unknown",
    { "application/pdf", "application/json", "application/pdf", "TIMESTAMP", "FOO" },
    { "application/pdf", "application/json" } },
  { "many-unknown",
    { "a/1", "a/2", "a/3", "a/4", "a/5", "a/6", "a/7", "a/8", "a/9" },
    { "a/1", "a/2", "a/3", "a/4", "a/5", "a/6", "a/7", "a/8" } },
  { "nothing-of-use",
    { "TARGETS", "TIMESTAMP", "chromium/x-web-custom-data", "SAVE_TARGETS", "FOO" },
    { NULL } },
  { "invalid-names", { "text/pl\xC3\xA4in", "", "UTF8_STRING" }, { "UTF8_STRING" } },
  { "only-invalid-names", { "text/pl\xC3\xA4in", "", "a/b " }, { NULL } },
  { "never-answered", { "text/ico", "application/ico" }, { NULL } },
  { "offered-twice",
    { "text/html", "text/html", "text/plain", "text/html", "text/plain" },
    { "text/plain", "text/html" } },
  { "nothing", { NULL }, { NULL } },
};

static void
test_offer (gconstpointer data)
{
  const Offer *offer = data;
  g_autoptr (GPtrArray) one_each = clip_mime_choose (offer->offered);
  g_auto (GStrv) copies = g_strdupv ((char **) offer->offered);
  g_autoptr (GPtrArray) chosen = clip_mime_choose ((const char *const *) copies);

  g_ptr_array_add (one_each, NULL);
  g_ptr_array_add (chosen, NULL);
  g_assert_cmpstrv ((char **) one_each->pdata, (char **) offer->chosen);
  g_assert_cmpstrv ((char **) chosen->pdata, (char **) offer->chosen);
}

static void
test_borrowed (void)
{
  g_autofree char *mime = g_strdup ("UTF8_STRING");
  const char *const offered[] = { mime, NULL };
  g_autoptr (GPtrArray) chosen = clip_mime_choose (offered);
  g_autoptr (GPtrArray) none = clip_mime_choose (NULL);

  g_assert_true (g_ptr_array_index (chosen, 0) == mime);
  g_assert_cmpint (none->len, ==, 0);
}

static void
assert_alike (ClipMimeRule a, ClipMimeRule b)
{
  g_assert_cmpint (a.kind, ==, b.kind);
  if (a.kind != CLIP_MIME_PLAIN) /* of the names of a text, some promise more */
    g_assert_cmpint (a.rank, ==, b.rank);
}

static void
test_aliases_rank_alike (void)
{
  const char *known;

  for (guint i = 0; (known = clip_mime_known (i)); i++)
    {
      ClipMimeRule rule = clip_mime_rule (known);

      assert_alike (rule, clip_mime_rule (clip_mime_canonical (known)));
      for (const char *const *alias = clip_mime_aliases (known); *alias; alias++)
        {
          assert_alike (rule, clip_mime_rule (*alias));
          g_assert_true (clip_mime_answers (known, *alias));
        }
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/mime/valid-names", test_valid);
  g_test_add_func ("/mime/longest-name", test_longest);
  g_test_add_func ("/mime/canonical-names", test_canonical);
  g_test_add_func ("/mime/a-name-with-a-path", test_name_with_a_path);
  g_test_add_func ("/mime/filed-by-encoding", test_filed);
  g_test_add_func ("/mime/offered-under-all-names", test_aliases);
  g_test_add_func ("/mime/aliases-rank-alike", test_aliases_rank_alike);
  g_test_add_func ("/mime/classes", test_classes);
  g_test_add_func ("/mime/not-offered-again", test_reoffer);
  g_test_add_func ("/mime/reassertions", test_reassertion);
  g_test_add_func ("/mime/choice-is-borrowed", test_borrowed);
  for (guint i = 0; i < G_N_ELEMENTS (offers); i++)
    {
      g_autofree char *path = g_strdup_printf ("/mime/offer/%s", offers[i].name);

      g_test_add_data_func (path, &offers[i], test_offer);
    }
  return g_test_run ();
}
