/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-bolt.h"

#include "bolt-file.h"
#include "clip-error.h"
#include "clip-fd.h"

#include <string.h>
#include <sys/mman.h>

#define PAGE 4096

/* of a page */
#define AT_NUMBER 0
#define AT_FLAGS 8
#define AT_COUNT 10
#define AT_OVERFLOW 12
#define AT_ELEMENTS 16

/* of a description of the file */
#define META_ROOT (16 + 16)
#define META_END (16 + 40)

static int
open_image (GByteArray *image)
{
  g_autoptr (GBytes) bytes = g_bytes_new (image->data, image->len);
  g_autoptr (GError) error = NULL;
  int fd = clip_memfd (bytes, &error);

  g_assert_no_error (error);
  return fd;
}

/* "ID=BYTES " of each, or "fails" */
static char *
walk (GByteArray *image, GError **error)
{
  clip_autofd int fd = open_image (image);
  g_autoptr (GString) out = g_string_new (NULL);
  g_autoptr (GError) local = NULL;
  g_autoptr (ClipBolt) bolt = clip_bolt_open (fd, &local);
  ClipBoltEntry entry;

  while (bolt && clip_bolt_next (bolt, &entry, &local))
    {
      g_autofree char *bytes = g_malloc0 (entry.size + 1);

      g_assert_true (clip_read_exactly (fd, bytes, entry.size, entry.offset, NULL));
      g_string_append_printf (out, "%" G_GINT64_FORMAT "=%s ", entry.id, bytes);
    }
  if (!local)
    return g_string_free (g_steal_pointer (&out), FALSE);
  g_propagate_error (error, g_steal_pointer (&local));
  return NULL;
}

static void
assert_holds (GByteArray *image, const char *expected)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *found = walk (image, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (found, ==, expected);
}

/* as an error, whatever has been found before it */
static void
assert_damaged (GByteArray *image, const char *why)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *found = walk (image, &error);

  g_assert_null (found);
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_CORRUPT);
  if (!strstr (error->message, why))
    g_error ("'%s' is not said in '%s'", why, error->message);
}

static BoltFile *
make_three (void)
{
  BoltFile *file = bolt_file_new ();

  bolt_file_add_text (file, 3, "three");
  bolt_file_add_text (file, 7, "seven");
  bolt_file_add_text (file, 9, "nine");
  return file;
}

static void
put_16 (GByteArray *image, gsize at, guint16 value)
{
  memcpy (image->data + at, &value, sizeof value);
}

static void
put_32 (GByteArray *image, gsize at, guint32 value)
{
  memcpy (image->data + at, &value, sizeof value);
}

static void
put_64 (GByteArray *image, gsize at, guint64 value)
{
  memcpy (image->data + at, &value, sizeof value);
}

static void
test_entries_come_in_order (void)
{
  g_autoptr (BoltFile) file = make_three ();
  g_autoptr (GByteArray) image = bolt_file_make (file);

  assert_holds (image, "3=three 7=seven 9=nine ");
}

static void
test_ids_go_on_behind_the_last_one_given (void)
{
  g_autoptr (BoltFile) file = make_three ();
  g_autoptr (GByteArray) image = NULL;
  g_autoptr (ClipBolt) bolt = NULL;
  clip_autofd int fd = -1;
  ClipBoltEntry entry;

  file->sequence = 12;
  image = bolt_file_make (file);
  fd = open_image (image);
  bolt = clip_bolt_open (fd, NULL);
  while (clip_bolt_next (bolt, &entry, NULL))
    continue;
  g_assert_cmpint (clip_bolt_last_id (bolt), ==, 12);
}

static void
test_small_buckets_lie_in_their_name (void)
{
  g_autoptr (BoltFile) file = make_three ();
  g_autoptr (GByteArray) image = NULL;

  file->is_inline = TRUE;
  image = bolt_file_make (file);
  assert_holds (image, "3=three 7=seven 9=nine ");
}

static void
test_trees_have_any_height (void)
{
  g_autoptr (BoltFile) file = bolt_file_new ();
  g_autoptr (GString) expected = g_string_new (NULL);
  g_autoptr (GByteArray) image = NULL;

  file->per_page = 2;
  for (guint i = 1; i <= 500; i++)
    {
      g_autofree char *text = g_strdup_printf ("text %u", i);

      bolt_file_add_text (file, i, text);
      g_string_append_printf (expected, "%u=%s ", i, text);
    }
  image = bolt_file_make (file);
  assert_holds (image, expected->str);
}

static void
test_values_overflow_into_pages (void)
{
  g_autoptr (BoltFile) file = bolt_file_new ();
  g_autofree char *big = g_strnfill (3 * PAGE + 5, 'x');
  g_autofree char *expected = g_strdup_printf ("1=one 2=%s 3=three ", big);
  g_autoptr (GByteArray) image = NULL;

  bolt_file_add_text (file, 1, "one");
  bolt_file_add_text (file, 2, big);
  bolt_file_add_text (file, 3, "three");
  image = bolt_file_make (file);
  assert_holds (image, expected);
}

static void
test_pages_have_any_size (void)
{
  for (guint32 size = 1024; size <= 65536; size *= 2)
    {
      g_autoptr (BoltFile) file = make_three ();
      g_autoptr (GByteArray) image = NULL;

      file->page_size = size;
      image = bolt_file_make (file);
      assert_holds (image, "3=three 7=seven 9=nine ");
      image->data[20] ^= 1;
      assert_holds (image, "3=three 7=seven 9=nine ");
    }
}

static void
test_nothing_stored_yet (void)
{
  g_autoptr (BoltFile) file = bolt_file_new ();
  g_autoptr (GByteArray) empty = bolt_file_make (file);
  g_autoptr (GByteArray) begun = NULL;

  assert_holds (empty, "");
  file->bucket = NULL;
  begun = bolt_file_make (file);
  assert_holds (begun, "");
}

static void
test_the_newer_description_counts (void)
{
  g_autoptr (BoltFile) file = make_three ();
  g_autoptr (GByteArray) image = bolt_file_make (file);

  /* the second one, of the later transaction, leads nowhere */
  put_64 (image, PAGE + AT_ELEMENTS + 16, 99);
  bolt_file_sign (image->data, image->len, PAGE);
  assert_damaged (image, "there is no such page");
  /* and does not count when it was not written to its end */
  image->data[PAGE + AT_ELEMENTS + 16] ^= 1;
  assert_holds (image, "3=three 7=seven 9=nine ");
}

static void
test_both_descriptions_damaged (void)
{
  g_autoptr (BoltFile) file = make_three ();
  g_autoptr (GByteArray) image = bolt_file_make (file);
  clip_autofd int fd = -1;

  image->data[40] ^= 1;
  image->data[PAGE + 40] ^= 1;
  assert_damaged (image, "neither description");
  fd = open_image (image);
  g_assert_false (clip_bolt_is_one (fd));
}

static void
test_databases_of_other_programs (void)
{
  g_autoptr (BoltFile) file = make_three ();
  g_autoptr (GByteArray) image = NULL;

  file->bucket = "buckets";
  image = bolt_file_make (file);
  assert_damaged (image, "of another program");
}

static void
test_keys_that_are_no_ids (void)
{
  g_autoptr (BoltFile) file = make_three ();
  g_autoptr (GByteArray) image = bolt_file_make (file);

  put_32 (image, 3 * PAGE + AT_ELEMENTS + 8, 7);
  assert_damaged (image, "something else than entries");
}

static void
test_ids_that_do_not_grow (void)
{
  g_autoptr (BoltFile) file = bolt_file_new ();
  g_autoptr (GByteArray) image = NULL;

  bolt_file_add_text (file, 3, "three");
  bolt_file_add_text (file, 3, "again");
  image = bolt_file_make (file);
  assert_damaged (image, "do not grow");
}

static void
test_ids_that_are_too_large (void)
{
  g_autoptr (BoltFile) file = bolt_file_new ();
  g_autoptr (GByteArray) image = NULL;

  bolt_file_add_text (file, 1, "one");
  file->sequence = G_MAXUINT64;
  image = bolt_file_make (file);
  assert_damaged (image, "come to an end");
}

/* the first page is that of the entries; behind three that have another use */
#define LEAF (3 * PAGE)

static void
test_damaged_pages (void)
{
  static const struct
  {
    gsize at;
    guint width;
    guint64 value;
    const char *why;
  } faults[] = {
    { LEAF + AT_NUMBER, 8, 4, "another page" },
    { LEAF + AT_FLAGS, 2, 0, "neither branch nor leaf" },
    { LEAF + AT_FLAGS, 2, 3, "neither branch nor leaf" },
    { LEAF + AT_COUNT, 2, 65535, "more elements" },
    { LEAF + AT_OVERFLOW, 4, 1000, "behind the file's end" },
    { LEAF + AT_OVERFLOW, 4, G_MAXUINT32, "behind the file's end" },
    { LEAF + AT_ELEMENTS + 4, 4, G_MAXUINT32, "outside of its page" },
    { LEAF + AT_ELEMENTS + 12, 4, G_MAXUINT32, "outside of its page" },
    { LEAF + AT_ELEMENTS, 4, 1, "something else than entries" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (faults); i++)
    {
      g_autoptr (BoltFile) file = make_three ();
      g_autoptr (GByteArray) image = bolt_file_make (file);

      if (faults[i].width == 8)
        put_64 (image, faults[i].at, faults[i].value);
      else if (faults[i].width == 4)
        put_32 (image, faults[i].at, (guint32) faults[i].value);
      else
        put_16 (image, faults[i].at, (guint16) faults[i].value);
      assert_damaged (image, faults[i].why);
    }
}

static void
test_files_that_were_cut (void)
{
  g_autoptr (BoltFile) file = make_three ();
  g_autoptr (GByteArray) image = bolt_file_make (file);

  g_byte_array_set_size (image, LEAF + PAGE);
  assert_damaged (image, "there is no such page");
  g_byte_array_set_size (image, PAGE + 50);
  assert_damaged (image, "there is no such page");
  g_byte_array_set_size (image, 50);
  assert_damaged (image, "neither description");
}

/* a branch above leaves, each of which is a page */
static GByteArray *
make_branch (void)
{
  g_autoptr (BoltFile) file = bolt_file_new ();

  file->per_page = 2;
  for (guint i = 1; i <= 4; i++)
    bolt_file_add_text (file, i, "text");
  return bolt_file_make (file);
}

#define BRANCH (5 * PAGE)

static void
test_trees_that_go_in_a_circle (void)
{
  g_autoptr (GByteArray) image = make_branch ();

  assert_holds (image, "1=text 2=text 3=text 4=text ");
  put_64 (image, BRANCH + AT_ELEMENTS + 8, 5);
  assert_damaged (image, "too deep");
}

static void
test_leaves_that_come_twice (void)
{
  g_autoptr (GByteArray) image = make_branch ();

  put_64 (image, BRANCH + AT_ELEMENTS + 16 + 8, 3);
  assert_damaged (image, "do not grow");
}

/* a small file is not to become many large entries */
static void
test_entries_that_overlap (void)
{
  g_autoptr (BoltFile) file = bolt_file_new ();
  g_autoptr (GByteArray) image = NULL;

  for (guint i = 1; i <= 20; i++)
    bolt_file_add_text (file, i, "text");
  image = bolt_file_make (file);
  for (guint i = 0; i < 20; i++)
    put_32 (image, LEAF + AT_ELEMENTS + i * (gsize) 16 + 12, 3000);
  assert_damaged (image, "overlap");
}

static void
test_branches_that_lead_out (void)
{
  static const guint64 numbers[] = { 0, 1, 7, 1000, G_MAXUINT64 };

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      g_autoptr (GByteArray) image = make_branch ();

      put_64 (image, BRANCH + AT_ELEMENTS + 8, numbers[i]);
      assert_damaged (image, "there is no such page");
    }
}

/* as many ways to the first leaf as a page holds */
static void
lead_to_one_leaf (GByteArray *image)
{
  put_16 (image, BRANCH + AT_COUNT, 255);
  for (guint i = 0; i < 255; i++)
    put_64 (image, BRANCH + AT_ELEMENTS + i * (gsize) 16 + 8, 3);
}

static void
test_empty_leaves_of_many_branches (void)
{
  g_autoptr (GByteArray) image = make_branch ();

  lead_to_one_leaf (image);
  put_16 (image, LEAF + AT_COUNT, 0);
  assert_damaged (image, "nothing on it");
}

/* one look is enough to see that it is none */
static void
test_tree_of_buckets_is_not_walked (void)
{
  g_autoptr (GByteArray) image = make_branch ();

  lead_to_one_leaf (image);
  for (gsize meta = 0; meta <= PAGE; meta += PAGE)
    {
      put_64 (image, meta + META_ROOT, BRANCH / PAGE);
      bolt_file_sign (image->data, image->len, meta);
    }
  assert_damaged (image, "of another program");
}

static void
test_end_of_the_file_is_not_believed (void)
{
  g_autoptr (BoltFile) file = make_three ();
  g_autoptr (GByteArray) image = bolt_file_make (file);

  put_64 (image, PAGE + META_END, G_MAXUINT64);
  bolt_file_sign (image->data, image->len, PAGE);
  put_32 (image, LEAF + AT_OVERFLOW, 1000);
  assert_damaged (image, "behind the file's end");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/bolt/entries-come-in-order", test_entries_come_in_order);
  g_test_add_func ("/bolt/ids-go-on-behind-the-last-one-given",
                   test_ids_go_on_behind_the_last_one_given);
  g_test_add_func ("/bolt/small-buckets-lie-in-their-name",
                   test_small_buckets_lie_in_their_name);
  g_test_add_func ("/bolt/trees-have-any-height", test_trees_have_any_height);
  g_test_add_func ("/bolt/values-overflow-into-pages", test_values_overflow_into_pages);
  g_test_add_func ("/bolt/pages-have-any-size", test_pages_have_any_size);
  g_test_add_func ("/bolt/nothing-stored-yet", test_nothing_stored_yet);
  g_test_add_func ("/bolt/the-newer-description-counts",
                   test_the_newer_description_counts);
  g_test_add_func ("/bolt/both-descriptions-damaged", test_both_descriptions_damaged);
  g_test_add_func ("/bolt/databases-of-other-programs", test_databases_of_other_programs);
  g_test_add_func ("/bolt/keys-that-are-no-ids", test_keys_that_are_no_ids);
  g_test_add_func ("/bolt/ids-that-do-not-grow", test_ids_that_do_not_grow);
  g_test_add_func ("/bolt/ids-that-are-too-large", test_ids_that_are_too_large);
  g_test_add_func ("/bolt/damaged-pages", test_damaged_pages);
  g_test_add_func ("/bolt/files-that-were-cut", test_files_that_were_cut);
  g_test_add_func ("/bolt/trees-that-go-in-a-circle", test_trees_that_go_in_a_circle);
  g_test_add_func ("/bolt/leaves-that-come-twice", test_leaves_that_come_twice);
  g_test_add_func ("/bolt/entries-that-overlap", test_entries_that_overlap);
  g_test_add_func ("/bolt/branches-that-lead-out", test_branches_that_lead_out);
  g_test_add_func ("/bolt/empty-leaves-of-many-branches",
                   test_empty_leaves_of_many_branches);
  g_test_add_func ("/bolt/tree-of-buckets-is-not-walked",
                   test_tree_of_buckets_is_not_walked);
  g_test_add_func ("/bolt/end-of-the-file-is-not-believed",
                   test_end_of_the_file_is_not_believed);
  return g_test_run ();
}
