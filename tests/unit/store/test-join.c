/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-error.h"
#include "clip-fd.h"
#include "clip-join.h"
#include "hoard.h"

#include <string.h>

#define TEXT "text/plain;charset=utf-8"

static ClipReader *
open_reader (Hoard *hoard)
{
  g_autoptr (GError) error = NULL;
  ClipReader *reader = clip_reader_open (hoard->dir, &error);

  g_assert_no_error (error);
  return reader;
}

static ClipJoin *
join_of (const gint64 *ids, gsize n_ids, const char *separator, const char *mime)
{
  g_autoptr (GError) error = NULL;
  ClipJoin *join =
      clip_join_new (ids, n_ids, separator, strlen (separator), mime, &error);

  g_assert_no_error (error);
  return join;
}

/* what came out: one hash of all, and how it came */
typedef struct
{
  GChecksum *checksum;
  gsize length;
  guint n_parts;
  guint n_files;
} Outcome;

static void
outcome_clear (Outcome *self)
{
  g_checksum_free (self->checksum);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Outcome, outcome_clear)

static void
add_bytes (Outcome *outcome, const void *data, gsize length)
{
  g_checksum_update (outcome->checksum, data, (gssize) length);
  outcome->length += length;
}

static void
add_part (Outcome *outcome, const ClipPart *part)
{
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;

  outcome->n_parts++;
  add_bytes (outcome, part->data, part->length);
  if (part->fd < 0)
    return;
  outcome->n_files++;
  bytes = clip_read_to_end (part->fd, (gsize) part->size, &error);
  g_assert_no_error (error);
  add_bytes (outcome, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
}

static gboolean
run (ClipJoin *join, ClipReader *reader, Outcome *outcome, GError **error)
{
  gboolean more;

  do
    {
      g_auto (ClipPart) part = { .fd = -1 };

      if (!clip_join_next (join, reader, &part, &more, error))
        return FALSE;
      if (more)
        add_part (outcome, &part);
    }
  while (more);
  return TRUE;
}

static void
assert_joined (Hoard *hoard, ClipJoin *join, const char *expected)
{
  g_auto (Outcome) outcome = { .checksum = g_checksum_new (G_CHECKSUM_MD5) };
  g_autofree char *hash = g_compute_checksum_for_data (
      G_CHECKSUM_MD5, (const guchar *) expected, strlen (expected));
  g_autoptr (ClipReader) reader = open_reader (hoard);
  g_autoptr (GError) error = NULL;

  g_assert_true (run (join, reader, &outcome, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (outcome.length, ==, strlen (expected));
  g_assert_cmpstr (g_checksum_get_string (outcome.checksum), ==, hash);
}

static void
test_order (void)
{
  const gint64 ids[] = { 2, 3, 1, 2 };
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (ClipJoin) plain = join_of (ids, 4, "", NULL);
  g_autoptr (ClipJoin) separated = join_of (ids, 4, ", ", "");
  g_autoptr (ClipJoin) one = join_of (ids, 1, ", ", NULL);
  g_autoptr (ClipJoin) none = join_of (NULL, 0, ", ", NULL);

  hoard_add_text (hoard->store, "one");
  hoard_add_text (hoard->store, "two");
  hoard_add_text (hoard->store, "three");
  assert_joined (hoard, plain, "twothreeonetwo");
  assert_joined (hoard, separated, "two, three, one, two");
  assert_joined (hoard, one, "two");
  assert_joined (hoard, none, "");
}

static void
test_type (void)
{
  const gint64 ids[] = { 1, 2, 3 };
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (ClipReader) reader = NULL;
  g_autoptr (ClipJoin) some = join_of (ids, 2, "\n", "text/html");
  g_autoptr (ClipJoin) all = join_of (ids, 3, "\n", "text/html");
  g_auto (Outcome) outcome = { .checksum = g_checksum_new (G_CHECKSUM_MD5) };
  g_autoptr (GError) error = NULL;

  hoard_add (hoard->store,
             hoard_draft (hoard->store, TEXT, "a", "text/html", "<a>", NULL), NULL);
  hoard_add (hoard->store, hoard_draft (hoard->store, "text/html", "<b>", NULL), NULL);
  hoard_add_text (hoard->store, "c");
  assert_joined (hoard, some, "<a>\n<b>");
  reader = open_reader (hoard);
  g_assert_false (run (all, reader, &outcome, &error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_NO_SUCH_FORMAT);
  g_assert_nonnull (strstr (error->message, "id 3 "));
}

static void
test_missing (void)
{
  const gint64 ids[] = { 1, 2, 77, 78 };
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (ClipReader) reader = NULL;
  g_autoptr (ClipJoin) missing = join_of (ids, 4, "", NULL);
  g_auto (Outcome) outcome = { .checksum = g_checksum_new (G_CHECKSUM_MD5) };
  g_autoptr (GError) error = NULL;

  hoard_add_blob (hoard->store, 100000, 1);
  hoard_add_text (hoard->store, "two");
  reader = open_reader (hoard);
  g_assert_false (run (missing, reader, &outcome, &error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_NOT_FOUND);
  g_assert_cmpstr (error->message, ==, "id 77 not found");
  g_assert_cmpuint (outcome.n_parts, ==, 0);
}

static void
test_deleted_meanwhile (void)
{
  const gint64 ids[] = { 1, 2 };
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (ClipReader) reader = NULL;
  g_autoptr (ClipJoin) join = join_of (ids, 2, "", NULL);
  g_auto (ClipPart) part = { .fd = -1 };
  g_autoptr (GError) error = NULL;
  gboolean more;

  hoard_add_blob (hoard->store, 100000, 1);
  hoard_add_blob (hoard->store, 100000, 2);
  reader = open_reader (hoard);
  g_assert_true (clip_join_next (join, reader, &part, &more, &error));
  g_assert_cmpint (part.fd, >=, 0);
  clip_part_clear (&part);
  hoard_delete (hoard->store, 2);
  g_assert_false (clip_join_next (join, reader, &part, &more, &error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_NOT_FOUND);
}

/* what comes is known from the first part on, but not how much of another type */
static void
test_total (void)
{
  const gint64 ids[] = { 1, 2, 1 };
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (ClipReader) reader = NULL;
  g_autoptr (ClipJoin) join = join_of (ids, 3, ", ", NULL);
  g_autoptr (ClipJoin) typed = join_of (ids, 1, "", TEXT);
  g_auto (ClipPart) part = { .fd = -1 };
  g_auto (ClipPart) typed_part = { .fd = -1 };
  gboolean more;

  hoard_add_text (hoard->store, "word");
  hoard_add_blob (hoard->store, 100000, 1);
  reader = open_reader (hoard);
  g_assert_cmpint (clip_join_total (join), ==, 0);
  g_assert_true (clip_join_next (join, reader, &part, &more, NULL));
  g_assert_cmpint (clip_join_total (join), ==, 4 + 2 + 100000 + 2 + 4);
  g_assert_true (clip_join_next (typed, reader, &typed_part, &more, NULL));
  g_assert_cmpint (clip_join_total (typed), ==, 0);
}

/* who gives up meanwhile need not wait for the last of them */
static void
test_looked_up_in_slices (void)
{
  const guint n = 25000;
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autofree gint64 *ids = g_new (gint64, n);
  g_autoptr (ClipJoin) join = NULL;
  g_autoptr (ClipReader) reader = NULL;
  g_auto (ClipPart) part = { .fd = -1 };
  g_autoptr (GError) error = NULL;
  gboolean more;

  for (guint i = 0; i < n; i++)
    ids[i] = 1;
  join = join_of (ids, n, ", ", NULL);
  hoard_add_text (hoard->store, "word");
  reader = open_reader (hoard);
  for (guint i = 0; i < 2; i++)
    {
      g_assert_true (clip_join_next (join, reader, &part, &more, &error));
      g_assert_true (more);
      g_assert_cmpuint (part.length, ==, 0);
      g_assert_cmpint (part.fd, ==, -1);
      g_assert_cmpint (clip_join_total (join), ==, 0);
    }
  g_assert_true (clip_join_next (join, reader, &part, &more, &error));
  g_assert_cmpuint (part.length, >, 0);
  g_assert_cmpint (clip_join_total (join), ==, n * 4 + (n - 1) * 2);
}

static void
test_long_separator (void)
{
  char long_one[CLIP_JOIN_MAX_SEPARATOR_BYTES + 1] = { 0 };
  g_autoptr (ClipJoin) just =
      clip_join_new (NULL, 0, long_one, sizeof long_one - 1, NULL, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_nonnull (just);
  g_assert_null (clip_join_new (NULL, 0, long_one, sizeof long_one, NULL, &error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_INVALID_ARGUMENT);
}

static void
test_no_read_stays_open (void)
{
  const gint64 ids[] = { 1, 2, 3 };
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (ClipReader) reader = NULL;
  g_autoptr (ClipJoin) join = join_of (ids, 3, "", NULL);
  g_auto (ClipPart) part = { .fd = -1 };
  g_autoptr (GError) error = NULL;
  gboolean more;

  hoard_add_text (hoard->store, "before");
  hoard_add_blob (hoard->store, 100000, 1);
  hoard_add_text (hoard->store, "behind");
  reader = open_reader (hoard);
  g_assert_true (clip_join_next (join, reader, &part, &more, &error));
  g_assert_cmpuint (part.length, ==, 6);
  g_assert_cmpint (part.size, ==, 100000);
  g_assert_false (hoard_is_being_read (hoard));
}

#define WORDS 100000

/* 1, 3, 5 … and then 2, 4, 6 …: no neighbours */
static gint64 *
scattered_ids (guint n)
{
  gint64 *ids = g_new (gint64, n);

  for (guint i = 0; i < n; i++)
    ids[i] = i < (n + 1) / 2 ? 2 * i + 1 : 2 * (i - (n + 1) / 2) + 2;
  return ids;
}

static void
test_many_words (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autofree gint64 *ids = scattered_ids (WORDS);
  g_autoptr (ClipJoin) join = join_of (ids, WORDS, "\n", NULL);
  g_autoptr (ClipReader) reader = NULL;
  g_auto (Outcome) expected = { .checksum = g_checksum_new (G_CHECKSUM_MD5) };
  g_auto (Outcome) outcome = { .checksum = g_checksum_new (G_CHECKSUM_MD5) };
  g_autoptr (GError) error = NULL;

  hoard_fill (hoard, WORDS);
  for (guint i = 0; i < WORDS; i++)
    {
      g_autofree char *word = hoard_word (ids[i]);

      add_bytes (&expected, "\n", i > 0);
      add_bytes (&expected, word, HOARD_WORD_BYTES);
    }
  reader = open_reader (hoard);
  g_assert_true (run (join, reader, &outcome, &error));
  g_assert_cmpuint (outcome.length, ==, expected.length);
  g_assert_cmpstr (g_checksum_get_string (outcome.checksum), ==,
                   g_checksum_get_string (expected.checksum));
  g_assert_cmpuint (outcome.n_parts, <, 100);
  g_assert_cmpuint (outcome.n_files, ==, 0);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/join/in-the-order-asked-for", test_order);
  g_test_add_func ("/join/of-one-type", test_type);
  g_test_add_func ("/join/missing-is-known-at-once", test_missing);
  g_test_add_func ("/join/deleted-meanwhile", test_deleted_meanwhile);
  g_test_add_func ("/join/total-is-known", test_total);
  g_test_add_func ("/join/looked-up-in-slices", test_looked_up_in_slices);
  g_test_add_func ("/join/long-separator-refused", test_long_separator);
  g_test_add_func ("/join/no-read-stays-open", test_no_read_stays_open);
  g_test_add_func ("/join/a-hundred-thousand-words", test_many_words);
  return g_test_run ();
}
