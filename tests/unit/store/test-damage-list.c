/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A list of a damaged history has every entry, or ends with an error, or the doctor finds
 * what is damaged: SQLite takes what it finds in a page for all there is. What a row says
 * of an entry is not compared with its sum: the reader of the entry gets the error.
 */
#include "clip-check.h"
#include "clip-error.h"
#include "clip-fd.h"
#include "hoard.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define PAGE_BYTES 4096
#define SECTOR_BYTES 512
#define N_ENTRIES 350
#define N_ROOTS 40 /* at most */

/* of each kind; CLIP_DAMAGES makes it another */
#define N_DAMAGES 30

/* of so many that a list has found one is shown to the doctor, who looks at everything */
#define DOCTOR_EVERY 8

typedef struct
{
  Hoard *hoard;
  char *database;
  guint8 *bytes; /* of the database, intact */
  gsize length;
  GArray *tables;       /* guint: pages that are, as they look, of a table */
  GPtrArray *rows;      /* char: what a list has of each entry */
  GHashTable *contents; /* of its id, as text: GBytes */
  guint n_damages;      /* of each kind */
  guint number;         /* of the page */
  guint n_found;
} Place;

static void
fill (Hoard *hoard)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);

  for (guint i = 0; i < N_ENTRIES; i++)
    {
      int length = g_rand_int_range (rand, 1, i % 20 == 0 ? 9000 : 250);
      g_autofree char *text = hoard_make_bytes ((gsize) length + 1, g_rand_int (rand));

      for (int j = 0; j < length; j++)
        text[j] = (char) ('a' + (guint8) text[j] % 26);
      text[length] = '\0';
      if (i % 90 == 89)
        hoard_add_blob (hoard->store, 70000, i);
      else if (i % 7 == 0)
        hoard_add (
            hoard->store,
            hoard_draft (hoard->store, "text/plain", text, "text/html", "<b></b>", NULL),
            NULL);
      else
        hoard_add_text (hoard->store, text);
    }
  for (gint64 id = 5; id < N_ENTRIES; id += 9)
    hoard_delete (hoard->store, id);
}

static gboolean
append_row (const ClipRow *row, gpointer rows)
{
  g_autofree char *preview = g_strndup (row->preview, row->preview_length);

  g_ptr_array_add (rows, g_strdup_printf ("%" G_GINT64_FORMAT "\t%s", row->id, preview));
  return TRUE;
}

/* (transfer full) */
static GPtrArray *
list (Place *place, gboolean brief, GError **error)
{
  GPtrArray *rows = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (ClipReader) reader = clip_reader_open (place->hoard->dir, error);
  ClipQuery query = { .brief = brief };
  gboolean more = reader != NULL;

  while (more)
    if (!clip_reader_page (reader, &query, append_row, rows, &more, error))
      break;
  return rows;
}

/* (transfer full) (nullable) */
static GBytes *
read_content (Place *place, const char *id)
{
  g_autoptr (ClipReader) reader = clip_reader_open (place->hoard->dir, NULL);
  g_autoptr (ClipPayload) payload =
      clip_reader_open_content (reader, g_ascii_strtoll (id, NULL, 10), NULL, NULL);

  if (!payload)
    return NULL;
  return payload->bytes ? g_bytes_ref (payload->bytes)
                        : clip_read_to_end (payload->fd, (gsize) payload->size + 1, NULL);
}

static void
read_contents (Place *place)
{
  place->contents = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                           (GDestroyNotify) g_bytes_unref);
  for (guint i = 0; i < place->rows->len; i++)
    {
      const char *row = place->rows->pdata[i];
      char *id = g_strndup (row, strcspn (row, "\t"));

      g_hash_table_insert (place->contents, id, read_content (place, id));
    }
}

static void
find_tables (Place *place)
{
  for (guint page = 1; page < place->length / PAGE_BYTES; page++)
    if (place->bytes[page * PAGE_BYTES] == 13 || place->bytes[page * PAGE_BYTES] == 5)
      g_array_append_val (place->tables, page);
}

static void
set_up (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  const char *n_damages = g_getenv ("CLIP_DAMAGES");
  g_autoptr (GError) error = NULL;
  char *bytes;

  place->n_damages = n_damages ? (guint) atoi (n_damages) : N_DAMAGES;
  place->hoard = hoard_new (0);
  place->database = g_build_filename (place->hoard->dir, "history.db", NULL);
  place->tables = g_array_new (FALSE, FALSE, sizeof (guint));
  fill (place->hoard);
  clip_store_close (place->hoard->store);
  g_clear_object (&place->hoard->store);
  g_assert_true (g_file_get_contents (place->database, &bytes, &place->length, NULL));
  place->bytes = (guint8 *) bytes;
  find_tables (place);
  place->rows = list (place, TRUE, &error);
  g_assert_no_error (error);
  read_contents (place);
}

static void
tear_down (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  hoard_free (place->hoard);
  g_array_unref (place->tables);
  g_ptr_array_unref (place->rows);
  g_hash_table_unref (place->contents);
  g_free (place->bytes);
  g_free (place->database);
}

/* --- what may happen to a page --- */

typedef void (*DamageFunc) (Place *place, GRand *rand, guint8 *page);

static void
flip_a_bit (Place *place G_GNUC_UNUSED, GRand *rand, guint8 *page)
{
  page[g_rand_int_range (rand, 0, PAGE_BYTES)] ^=
      (guint8) (1u << g_rand_int_range (rand, 0, 8));
}

/* where a page says what is in it */
static void
flip_a_bit_in_front (Place *place G_GNUC_UNUSED, GRand *rand, guint8 *page)
{
  page[g_rand_int_range (rand, 0, 60)] ^= (guint8) (1u << g_rand_int_range (rand, 0, 8));
}

static void
put_bytes (Place *place G_GNUC_UNUSED, GRand *rand, guint8 *page)
{
  for (gint i = g_rand_int_range (rand, 1, 5); i > 0; i--)
    page[g_rand_int_range (rand, 0, PAGE_BYTES)] = (guint8) g_rand_int (rand);
}

static void
clear_a_sector (Place *place G_GNUC_UNUSED, GRand *rand, guint8 *page)
{
  memset (page + SECTOR_BYTES * g_rand_int_range (rand, 0, PAGE_BYTES / SECTOR_BYTES), 0,
          SECTOR_BYTES);
}

static guint
any_table (Place *place, GRand *rand)
{
  return g_array_index (place->tables, guint,
                        g_rand_int_range (rand, 0, (gint) place->tables->len));
}

/* What was to be written elsewhere. That a root is not a part of its own table only the
 * doctor sees, who counts: SQLite keeps them in front. */
static void
put_another_page (Place *place, GRand *rand, guint8 *page)
{
  if (place->number < N_ROOTS)
    flip_a_bit_in_front (place, rand, page);
  else
    memcpy (page, place->bytes + any_table (place, rand) * PAGE_BYTES, PAGE_BYTES);
}

/* rows that are not in their order, or not there */
static void
change_the_list (Place *place G_GNUC_UNUSED, GRand *rand, guint8 *page)
{
  guint n = (guint) page[3] << 8 | page[4];
  guint8 *slots = page + (page[0] == 13 ? 8 : 12);
  guint from = (guint) g_rand_int_range (rand, 0, (gint) n + 1);
  guint to = (guint) g_rand_int_range (rand, 0, (gint) n + 1);

  if (g_rand_boolean (rand))
    memcpy (slots + 2 * to, slots + 2 * from, 2);
  else
    page[4] = (guint8) (page[4] - 1);
}

static const struct
{
  const char *name;
  DamageFunc function;
} damages[] = {
  { "a-bit", flip_a_bit },
  { "a-bit-in-front", flip_a_bit_in_front },
  { "bytes", put_bytes },
  { "a-sector", clear_a_sector },
  { "another-page", put_another_page },
  { "the-list", change_the_list },
};

/* --- */

static void
write_page (Place *place, guint number, const guint8 *page)
{
  clip_autofd int fd = open (place->database, O_RDWR | O_CLOEXEC);

  g_assert_cmpint (pwrite (fd, page, PAGE_BYTES, (off_t) number * PAGE_BYTES), ==,
                   PAGE_BYTES);
}

/* who reads the entry of this row gets what was stored, or is told */
static void
check_content (Place *place, const char *row, const char *what)
{
  g_autofree char *id = g_strndup (row, strcspn (row, "\t"));
  g_autoptr (GBytes) bytes = read_content (place, id);

  if (bytes && !g_bytes_equal (bytes, g_hash_table_lookup (place->contents, id)))
    g_error ("%s: '%.40s' is served", what, row);
}

static void
assert_doctor_finds (Place *place, const char *what)
{
  g_autoptr (ClipReport) report = clip_check (place->hoard->dir, NULL, NULL);

  if (report && report->findings->len == 0)
    g_error ("%s: a list is short, or damaged, and the doctor does not say so", what);
}

static void
compare (Place *place, const GPtrArray *rows, const char *what)
{
  if (rows->len != place->rows->len)
    assert_doctor_finds (place, what);
  for (guint i = 0; i < rows->len; i++)
    if (i >= place->rows->len || strcmp (rows->pdata[i], place->rows->pdata[i]) != 0)
      check_content (place, rows->pdata[i], what);
}

static void
look (Place *place, gboolean brief, const char *what)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) rows = list (place, brief, &error);

  if (!error)
    {
      compare (place, rows, what);
      return;
    }
  if (!g_error_matches (error, CLIP_ERROR, CLIP_ERROR_CORRUPT))
    g_error ("%s: %s", what, error->message);
  if (place->n_found++ % DOCTOR_EVERY == 0)
    assert_doctor_finds (place, what);
}

static void
test_damage (Place *place, gconstpointer data)
{
  guint kind = GPOINTER_TO_UINT (data);
  g_autoptr (GRand) rand = g_rand_new_with_seed (kind);
  guint8 page[PAGE_BYTES];

  for (guint i = 0; i < place->n_damages; i++)
    {
      guint number = place->number = any_table (place, rand);
      const guint8 *intact = place->bytes + number * PAGE_BYTES;
      g_autofree char *what = g_strdup_printf ("%u: page %u", i, number);

      memcpy (page, intact, PAGE_BYTES);
      damages[kind].function (place, rand, page);
      write_page (place, number, page);
      look (place, TRUE, what);
      look (place, FALSE, what);
      write_page (place, number, intact);
    }
  g_test_message ("%u of %u found", place->n_found, place->n_damages);
  g_assert_cmpuint (place->n_found, >, 0);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (damages); i++)
    {
      g_autofree char *path =
          g_strconcat ("/damage-list/", damages[i].name, "-is-served-to-nobody", NULL);

      g_test_add (path, Place, GUINT_TO_POINTER (i), set_up, test_damage, tear_down);
    }
  return g_test_run ();
}
