/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What is deleted is in no file of the history any more: no piece of its bytes. Thousands
 * of entries come and go, so that pages are split, merged and given back on the way; each
 * has words that occur nowhere else.
 */
#include "clip-error.h"
#include "clip-scrub-vfs.h"
#include "shelf.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define TEXT "text/plain;charset=utf-8"
#define HTML "text/html"

#define ROUNDS 3
#define CLIPS 1800 /* of each round */
#define WORD_LENGTH 10
#define PIECE_LENGTH 6
#define LARGE_BYTES 70000

typedef struct
{
  gint64 id; /* 0 = deleted */
  char word[WORD_LENGTH + 1];
  char *text;
  char *html; /* (nullable) */
} Clip;

typedef struct
{
  Hoard *hoard;
  GRand *random;
  GPtrArray *clips; /* Clip */
} Secrets;

static void
clip_free (gpointer data)
{
  Clip *clip = data;

  g_free (clip->text);
  g_free (clip->html);
  g_free (clip);
}

static void
make_word (GRand *random, char *word)
{
  for (guint i = 0; i < WORD_LENGTH; i++)
    word[i] = "abcdefghijklmnopqrstuvwxyz234567"[g_rand_int_range (random, 0, 32)];
  word[WORD_LENGTH] = '\0';
}

/* mostly short, some that overflow their page, a few that are files */
static gsize
make_length (GRand *random)
{
  int kind = g_rand_int_range (random, 0, 40);

  if (kind == 0)
    return LARGE_BYTES;
  return (gsize) g_rand_int_range (random, 1, kind < 5 ? 20000 : 900);
}

static Clip *
make_clip (GRand *random, guint n)
{
  Clip *clip = g_new0 (Clip, 1);
  gsize length = make_length (random);
  g_autofree char *fill = g_strnfill (length, 'x');

  make_word (random, clip->word);
  for (gsize at = 0; at < length; at += 7)
    fill[at] = ' ';
  clip->text = g_strdup_printf ("%s %s %s", clip->word, fill, clip->word);
  if (n % 5 == 0)
    clip->html = g_strdup_printf ("<i>%s</i> %.300s", clip->word, fill);
  return clip;
}

static ClipDraft *
make_draft (Secrets *self, const Clip *clip)
{
  return clip->html
             ? hoard_draft (self->hoard->store, TEXT, clip->text, HTML, clip->html, NULL)
             : hoard_draft (self->hoard->store, TEXT, clip->text, NULL);
}

static void
add_clips (Secrets *self, GPtrArray *clips)
{
  g_autofree Answer *answers = g_new0 (Answer, clips->len);

  for (guint i = 0; i < clips->len; i++)
    clip_store_change_async (self->hoard->store,
                             clip_change_add (make_draft (self, clips->pdata[i]), NULL),
                             on_answer, &answers[i]);
  for (guint i = 0; i < clips->len; i++)
    {
      g_autoptr (GAsyncResult) result = answer_wait (&answers[i]);
      g_autoptr (GError) error = NULL;
      ClipOutcome added = { 0 };

      clip_store_change_finish (self->hoard->store, result, &added, &error);
      g_assert_no_error (error);
      ((Clip *) clips->pdata[i])->id = added.id;
    }
}

/* (transfer container): about one of so many of those that are there */
static GPtrArray *
pick_clips (Secrets *self, gint one_of)
{
  GPtrArray *picked = g_ptr_array_new ();

  for (guint i = 0; i < self->clips->len; i++)
    if (((Clip *) self->clips->pdata[i])->id != 0 &&
        g_rand_int_range (self->random, 0, one_of) == 0)
      g_ptr_array_add (picked, self->clips->pdata[i]);
  g_assert_cmpuint (picked->len, >, 0);
  return picked;
}

/* (transfer full) (element-type gint64): their ids, which they no longer have */
static GArray *
take_ids (GPtrArray *clips)
{
  GArray *ids = g_array_new (FALSE, FALSE, sizeof (gint64));

  for (guint i = 0; i < clips->len; i++)
    {
      Clip *clip = clips->pdata[i];

      g_array_append_val (ids, clip->id);
      clip->id = 0;
    }
  return ids;
}

static void
delete_some (Secrets *self, gint one_of)
{
  g_autoptr (GPtrArray) picked = pick_clips (self, one_of);
  g_autoptr (GArray) ids = take_ids (picked);
  g_autoptr (GError) error = NULL;
  Answer answer = { NULL };

  clip_store_change_async (self->hoard->store,
                           clip_change_delete ((gint64 *) (gpointer) ids->data, ids->len),
                           on_answer, &answer);
  g_assert_cmpint (hoard_wait_n (self->hoard->store, &answer, &error), ==, ids->len);
  g_assert_no_error (error);
}

static void
delete_matching (Secrets *self)
{
  g_autoptr (GPtrArray) picked = pick_clips (self, 200);

  for (guint i = 0; i < picked->len; i++)
    {
      Clip *clip = picked->pdata[i];
      g_autoptr (GBytes) needle = g_bytes_new (clip->word, WORD_LENGTH);
      g_autoptr (GError) error = NULL;
      Answer answer = { NULL };

      clip->id = 0;
      clip_store_delete_matching_async (self->hoard->store, needle, NULL, on_answer,
                                        &answer);
      g_assert_cmpint (hoard_wait_n (self->hoard->store, &answer, &error), ==, 1);
    }
}

static void
expire_some (Secrets *self, gint one_of)
{
  g_autoptr (GPtrArray) picked = pick_clips (self, one_of);
  g_autoptr (GArray) ids = take_ids (picked);
  g_autofree Answer *answers = g_new0 (Answer, ids->len);
  ClipLimits limits = CLIP_NO_LIMITS;

  for (guint i = 0; i < ids->len; i++)
    clip_store_change_async (self->hoard->store,
                             clip_change_expire (g_array_index (ids, gint64, i), 1000),
                             on_answer, &answers[i]);
  for (guint i = 0; i < ids->len; i++)
    g_object_unref (answer_wait (&answers[i]));
  hoard_trim (self->hoard->store, limits, FALSE);
}

/* they move to the top */
static void
copy_again (Secrets *self, gint one_of)
{
  g_autoptr (GPtrArray) picked = pick_clips (self, one_of);

  add_clips (self, picked);
}

/* --- what is left of them --- */

typedef struct
{
  GHashTable *pieces; /* gint64: of words that are deleted, and of no other */
  guint8 *filter;     /* a bit for each of their hashes */
  gsize n_found;
} Hunt;

#define FILTER_BITS 20

static gint64
get_piece (const char *bytes)
{
  gint64 piece = 0;

  for (guint i = 0; i < PIECE_LENGTH; i++)
    piece = piece << 8 | (guint8) bytes[i];
  return piece;
}

static guint
get_bit (gint64 piece)
{
  return (guint) ((guint64) piece * G_GUINT64_CONSTANT (0x9E3779B97F4A7C15) >>
                  (64 - FILTER_BITS));
}

static void
each_piece (Secrets *self, gboolean live, Hunt *hunt)
{
  for (guint i = 0; i < self->clips->len; i++)
    {
      const Clip *clip = self->clips->pdata[i];

      for (guint at = 0; (clip->id != 0) == live && at + PIECE_LENGTH <= WORD_LENGTH;
           at++)
        {
          gint64 piece = get_piece (clip->word + at);

          if (live)
            g_hash_table_remove (hunt->pieces, &piece);
          else
            g_hash_table_add (hunt->pieces, g_memdup2 (&piece, sizeof piece));
        }
    }
}

static void
hunt_in_bytes (Hunt *hunt, const char *path, const char *data, gsize length)
{
  for (gsize at = 0; at + PIECE_LENGTH <= length; at++)
    {
      gint64 piece = get_piece (data + at);
      guint bit = get_bit (piece);

      if ((hunt->filter[bit / 8] >> bit % 8 & 1) == 0 ||
          !g_hash_table_contains (hunt->pieces, &piece))
        continue;
      g_test_message ("%s: '%.6s' at %" G_GSIZE_FORMAT, path, data + at, at);
      hunt->n_found++;
    }
}

static void
hunt_in_folder (Hunt *hunt, const char *dir)
{
  GDir *folder = g_dir_open (dir, 0, NULL);
  const char *name;

  while (folder && (name = g_dir_read_name (folder)))
    {
      g_autofree char *path = g_build_filename (dir, name, NULL);
      g_autofree char *data = NULL;
      gsize length = 0;

      if (g_file_test (path, G_FILE_TEST_IS_DIR))
        hunt_in_folder (hunt, path);
      else if (g_file_get_contents (path, &data, &length, NULL))
        hunt_in_bytes (hunt, path, data, length);
    }
  g_clear_pointer (&folder, g_dir_close);
}

static gsize
count_pieces (Secrets *self)
{
  g_autofree guint8 *filter = g_malloc0 ((1u << FILTER_BITS) / 8);
  Hunt hunt = { .filter = filter };
  GHashTableIter iter;
  gpointer key;

  hunt.pieces = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  each_piece (self, FALSE, &hunt);
  each_piece (self, TRUE, &hunt);
  g_hash_table_iter_init (&iter, hunt.pieces);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    {
      guint bit = get_bit (*(gint64 *) key);

      filter[bit / 8] |= (guint8) (1u << bit % 8);
    }
  hunt_in_folder (&hunt, self->hoard->dir);
  g_hash_table_unref (hunt.pieces);
  return hunt.n_found;
}

/* --- the index --- */

static void
check_gone (Secrets *self)
{
  shelf_wait_overwritten (self->hoard->store);
  g_assert_cmpuint (count_pieces (self), ==, 0);
}

/* what is written next, and stays in the log for now, comes from pages that were
   cleared */
static void
check_stays_gone (Secrets *self)
{
  copy_again (self, 20);
  g_assert_cmpuint (count_pieces (self), ==, 0);
}

static gsize
database_bytes (Secrets *self)
{
  g_autofree char *path = g_build_filename (self->hoard->dir, "history.db", NULL);
  GStatBuf status;

  g_assert_cmpint (g_stat (path, &status), ==, 0);
  return (gsize) status.st_size;
}

static void
play_round (Secrets *self)
{
  g_autoptr (GPtrArray) fresh = g_ptr_array_new ();

  for (guint i = 0; i < CLIPS; i++)
    {
      Clip *clip = make_clip (self->random, self->clips->len);

      g_ptr_array_add (self->clips, clip);
      g_ptr_array_add (fresh, clip);
    }
  add_clips (self, fresh);
  shelf_wait_overwritten (self->hoard->store);
  delete_some (self, 4);
  check_gone (self);
  check_stays_gone (self);
  copy_again (self, 5);
  expire_some (self, 6);
  check_gone (self);
  delete_matching (self);
  delete_some (self, 3);
  copy_again (self, 10);
  check_gone (self);
  check_stays_gone (self);
}

static void
test_deleted_leaves_no_piece (void)
{
  Secrets secrets = { .hoard = hoard_new (CLIP_STORE_SESSION),
                      .random = g_rand_new_with_seed (20),
                      .clips = g_ptr_array_new_with_free_func (clip_free) };

  for (guint i = 0; i < ROUNDS; i++)
    play_round (&secrets);
  hoard_wipe (secrets.hoard->store, FALSE, 0);
  for (guint i = 0; i < secrets.clips->len; i++)
    ((Clip *) secrets.clips->pdata[i])->id = 0;
  check_gone (&secrets);
  g_assert_cmpuint (database_bytes (&secrets), <, 256 * 1024);
  hoard_free (secrets.hoard);
  g_rand_free (secrets.random);
  g_ptr_array_unref (secrets.clips);
}

/* --- one page --- */

static const guint8 leaf[] = { 13, 1, 240, 0, 1, 1, 224, 0 };

static void
fill_leaf (guint8 *page)
{
  memset (page, 'x', 512);
  memcpy (page, leaf, sizeof leaf);
  page[8] = 1; /* the cell: at 480 */
  page[9] = 224;
  page[496] = page[497] = 0; /* the free block: the last one, of 16 bytes */
  page[498] = 0;
  page[499] = 16;
}

static void
test_unused_is_cleared (void)
{
  guint8 page[512], before[512];

  fill_leaf (page);
  memcpy (before, page, sizeof page);
  g_assert_true (clip_scrub_vfs_clear_page (page, sizeof page, FALSE));
  for (guint i = 0; i < sizeof page; i++)
    g_assert_cmpuint (page[i], ==, (i >= 10 && i < 480) || i >= 500 ? 0 : before[i]);
  g_assert_false (clip_scrub_vfs_clear_page (page, sizeof page, FALSE));
}

/* a page that only looks like a leaf */
static void
test_other_pages_stay (void)
{
  static const struct
  {
    guint at;
    guint8 value;
  } faults[] = {
    { 0, 0 }, { 0, 12 },  { 1, 2 },    { 3, 2 },   { 5, 3 },     { 8, 0 },
    { 8, 2 }, { 496, 1 }, { 499, 17 }, { 499, 3 }, { 498, 255 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (faults); i++)
    {
      guint8 page[512], before[512];

      fill_leaf (page);
      page[faults[i].at] = faults[i].value;
      memcpy (before, page, sizeof page);
      g_assert_false (clip_scrub_vfs_clear_page (page, sizeof page, FALSE));
      g_assert_cmpmem (page, sizeof page, before, sizeof before);
    }
}

/* --- the index of the log --- */

#define FIRST_PAGE_BYTES 4096

static gint is_full; /* atomic: but for what is there already, the first page of each */

/* in the place of the C library's: a disk that has no room for further pages of a file */
int
madvise (void *memory, size_t n_bytes, int advice)
{
  if (g_atomic_int_get (&is_full) && n_bytes > FIRST_PAGE_BYTES)
    {
      errno = EFAULT;
      return -1;
    }
  return (int) syscall (SYS_madvise, memory, n_bytes, advice);
}

/* a commit writes all over the first part of the index: one page of it is not enough */
static void
test_no_room_for_other_pages (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (GError) error = NULL;

  hoard_add_text (hoard->store, "before");
  g_atomic_int_set (&is_full, TRUE);
  g_assert_false (hoard_try_add (hoard->store,
                                 hoard_draft (hoard->store, TEXT, "no room", NULL), NULL,
                                 NULL, &error));
  g_atomic_int_set (&is_full, FALSE);
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_NO_SPACE);
  g_assert_cmpint (hoard_add_text (hoard->store, "room again"), ==, 2);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/scrub-vfs/unused-is-cleared", test_unused_is_cleared);
  g_test_add_func ("/scrub-vfs/other-pages-stay", test_other_pages_stay);
  g_test_add_func ("/scrub-vfs/no-room-for-other-pages", test_no_room_for_other_pages);
  g_test_add_func ("/scrub-vfs/deleted-leaves-no-piece", test_deleted_leaves_no_piece);
  return g_test_run ();
}
