/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which contents an entry gets, and by which a list shows it. */
#include "hoard-check.h"
#include "hoard.h"

#include <string.h>

#define UTF8 "text/plain;charset=utf-8"
#define FLOWED "text/plain;format=flowed"

typedef struct
{
  const char *contents[9]; /* pairs of a type and a text, as they came */
  const char *shown;       /* by a list */
  const char *pasted;      /* (nullable): by a program that takes text */
  guint n;                 /* contents that are kept */
} Case;

static ClipDraft *
make_draft (ClipStore *store, const char *const *contents)
{
  ClipDraft *draft = clip_draft_new ("");

  for (guint i = 0; contents[i]; i += 2)
    {
      g_autoptr (ClipStage) stage =
          hoard_stage (store, contents[i + 1], strlen (contents[i + 1]));

      clip_draft_add (draft, contents[i], stage, (gint64) strlen (contents[i + 1]));
    }
  return draft;
}

static void
assert_kept (const Case *wanted)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  const ClipOutcome added =
      hoard_add (hoard->store, make_draft (hoard->store, wanted->contents), NULL);
  g_autoptr (ClipEntry) entry = hoard_lookup (hoard->store, added.id, NULL);
  g_autoptr (GBytes) pasted = hoard_bytes (hoard->store, added.id, UTF8, NULL);

  g_test_message ("%s, %s", wanted->contents[0], wanted->contents[1]);
  g_assert_cmpuint (entry->contents->len, ==, wanted->n);
  g_assert_cmpstr (entry->row.preview, ==, wanted->shown);
  if (wanted->pasted)
    hoard_assert_bytes (hoard->store, added.id, UTF8, wanted->pasted);
  else
    g_assert_null (pasted);
}

/* each type has a text of its own, one of which a list shows */
static void
test_texts (void)
{
  static const Case cases[] = {
    { { "text/markdown", "one", UTF8, "two" }, "two", "two", 2 },
    { { "text/html", "<i>one</i>", UTF8, "two" }, "two", "two", 2 },
    { { "application/x-other", "one", "text/markdown", "two", UTF8, "three" },
      "three",
      "three",
      3 },
    /* of plain texts the best alone */
    { { FLOWED, "one", UTF8, "two" }, "two", "two", 1 },
    { { UTF8, "one", FLOWED, "two" }, "one", "one", 1 },
    { { "STRING", "one", "text/html", "<i>two</i>", "UTF8_STRING", "three" },
      "three",
      "three",
      2 },
    { { "text/plain;charset=utf-16", "one", "text/plain", "two" }, "two", "two", 1 },
    /* a blank one is none */
    { { "text/html", "<i>one</i>", UTF8, " " }, "<i>one</i>", " ", 2 },
    { { FLOWED, "one", UTF8, " " }, "one", NULL, 1 },
    { { FLOWED, "one", UTF8, "\xE2\x80\xA6\n" }, "\xE2\x80\xA6", "\xE2\x80\xA6\n", 1 },
    { { "text/html", "<i>one</i>" }, "<i>one</i>", NULL, 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    assert_kept (&cases[i]);
}

/* what shows that it is no text stays in front of one, and not what is called so */
static void
test_no_texts (void)
{
  static const Case cases[] = {
    { { "image/png", "one", UTF8, "two" }, "[[ binary data 3 B png ]]", "two", 2 },
    { { "text/uri-list", "file:///one\r\n", UTF8, "/one" }, "file:///one", "/one", 2 },
    { { "x-special/gnome-copied-files", "copy\nfile:///one", UTF8, "/one" },
      "copy file:///one",
      "/one",
      2 },
    { { "text/uri-list", "make all", UTF8, "make none" }, "make none", "make none", 2 },
    { { "text/uri-list",
        "x:/\xC2\xA0make\xC2\xA0"
        "all",
        UTF8, "make none" },
      "make none",
      "make none",
      2 },
    { { "text/uri-list", "make all\n" }, "make all", NULL, 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    assert_kept (&cases[i]);
}

static void
assert_guessed (const char *const *contents, const char *shown)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  ClipDraft *draft = make_draft (hoard->store, contents);
  g_autoptr (ClipEntry) entry = NULL;

  clip_draft_set_guessed (draft);
  entry = hoard_lookup (hoard->store, hoard_add (hoard->store, draft, NULL).id, NULL);
  g_assert_cmpstr (entry->row.preview, ==, shown);
}

/* that a type was found out is said of the content that came first: of a text that takes
 * its place the name says how it is encoded. What a list shows is looked at, not what its
 * type is called. */
static void
test_guessed (void)
{
  static const char *const octets[] = { "application/octet-stream", "\xff\xfe",
                                        "text/plain;charset=iso-8859-1", "gr\xfcn",
                                        NULL };
  static const char *const image[] = { "image/png", "make all", UTF8, "make none", NULL };

  assert_guessed (octets, "gr\xc3\xbcn");
  assert_guessed (image, "make none");
}

/* wherever the line that shows them is cut */
static void
test_many_files (void)
{
  static const guint numbers[] = { 100, 3000 };

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    for (gsize pad = 0; pad < strlen ("file:///folder/picture-0000.jpg "); pad++)
      {
        g_autoptr (Hoard) hoard = hoard_new (0);
        g_autoptr (GString) list = g_string_new ("file:///");
        const char *contents[] = { "text/uri-list", NULL, UTF8, "/pictures", NULL };
        g_autoptr (ClipEntry) entry = NULL;
        gint64 id;

        for (gsize j = 0; j < pad; j++)
          g_string_append_c (list, 'a');
        for (guint n = 0; n < numbers[i]; n++)
          g_string_append_printf (list, "\r\nfile:///folder/picture-%04u.jpg", n);
        contents[1] = list->str;
        id = hoard_add (hoard->store, make_draft (hoard->store, contents), NULL).id;
        entry = hoard_lookup (hoard->store, id, NULL);
        g_assert_cmpint (entry->row.kind, ==, CLIP_CLASS_FILES);
      }
}

/* words, or a text, behind more blanks than one look takes in; as much of white space is
 * none */
static void
test_long_blanks (void)
{
  static const gsize lengths[] = { 5000, 70000 };

  for (guint i = 0; i < G_N_ELEMENTS (lengths); i++)
    {
      g_autofree char *blank = g_strnfill (lengths[i], '\n');
      g_autofree char *behind = g_strdup_printf ("x:/%smake all", blank);
      g_autofree char *before = g_strdup_printf ("x:/\nmake all%s", blank);
      g_autofree char *text = g_strdup_printf ("%swords", blank);
      const Case cases[] = {
        { { "text/uri-list", behind, UTF8, "make none" }, "make none", "make none", 2 },
        { { "text/uri-list", before, UTF8, "make none" }, "make none", "make none", 2 },
        { { "text/html", "<table>", UTF8, blank }, "<table>", blank, 2 },
        { { FLOWED, "words", UTF8, blank }, "words", NULL, 1 },
        { { "text/html", "<table>", UTF8, text }, "words", text, 2 },
      };

      for (guint j = 0; j < G_N_ELEMENTS (cases); j++)
        assert_kept (&cases[j]);
    }
}

/* a text that is in a file of its own is looked at as one in memory is */
static void
test_large (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autofree char *large = g_strnfill (100000, 'a');
  const char *const contents[] = { "text/html", large, FLOWED, large, UTF8, large, NULL };
  const gint64 id =
      hoard_add (hoard->store, make_draft (hoard->store, contents), NULL).id;
  g_autoptr (ClipEntry) entry = hoard_lookup (hoard->store, id, NULL);

  g_assert_cmpuint (entry->contents->len, ==, 2);
  g_assert_cmpstr (((ClipContent *) entry->contents->pdata[0])->mime, ==, UTF8);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/draft/a-list-shows-the-text-that-is-pasted", test_texts);
  g_test_add_func ("/draft/what-is-no-text-is-shown-beside-one", test_no_texts);
  g_test_add_func ("/draft/a-guess-is-of-the-first", test_guessed);
  g_test_add_func ("/draft/many-files", test_many_files);
  g_test_add_func ("/draft/long-blanks", test_long_blanks);
  g_test_add_func ("/draft/large-texts", test_large);
  return g_test_run ();
}
