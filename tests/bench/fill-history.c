/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * fill-history DIR [ENTRIES [SEED]]
 * fill-history --texts [ENTRIES [SEED]]
 *
 * Fills a history with texts of 100 to 200 bytes, the same ones for the same seed,
 * through the store as a daemon does, and says what each took: words by Zipf's law out of
 * made-up syllables, links, hexadecimal numbers and some letters beyond ASCII. With
 * --texts they are written to standard output, a NUL behind each, and stored by nobody.
 */
#include "clip-fd.h"
#include "clip-store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_WAITING 64
#define MIME "text/plain;charset=utf-8"

typedef struct
{
  ClipStore *store;
  guint64 state;
  guint n_waiting;
  guint64 bytes;
} Fill;

/* splitmix64: the same everywhere */
static guint64
next_number (Fill *self)
{
  guint64 z = self->state += G_GUINT64_CONSTANT (0x9E3779B97F4A7C15);

  z = (z ^ z >> 30) * G_GUINT64_CONSTANT (0xBF58476D1CE4E5B9);
  z = (z ^ z >> 27) * G_GUINT64_CONSTANT (0x94D049BB133111EB);
  return z ^ z >> 31;
}

/* few of them often, most of them hardly ever */
static guint
next_rank (Fill *self)
{
  guint64 number = next_number (self);
  guint bits = (guint) (number >> 32) % 16;

  return (guint) (number & ((1u << (bits + 1)) - 1));
}

static void
append_word (Fill *self, GString *text)
{
  static const char *const syllables[] = {
    "the", "con", "ti",  "on", "ing", "sta", "ver", "de", "ba",  "re", "al",
    "qui", "gra", "hol", "ne", "mo",  "tor", "pla", "és", "grü", "ße", "жи",
  };
  guint rank = next_rank (self);

  do
    {
      g_string_append (text, syllables[rank % G_N_ELEMENTS (syllables)]);
      rank /= G_N_ELEMENTS (syllables);
    }
  while (rank > 0);
}

static void
append_piece (Fill *self, GString *text)
{
  guint64 number = next_number (self);

  switch (number % 16)
    {
    case 0:
      g_string_append_printf (text, "0x%x", (guint) (number >> 40));
      break;
    case 1:
      g_string_append (text, "https://www.");
      append_word (self, text);
      g_string_append_printf (text, ".org/%u/", (guint) (number >> 50));
      append_word (self, text);
      break;
    default:
      append_word (self, text);
    }
  g_string_append_c (text, number >> 16 & 255 ? ' ' : '\n');
}

static void
on_added (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Fill *self = user_data;
  g_autoptr (GError) error = NULL;
  ClipOutcome added;

  if (!clip_store_change_finish (CLIP_STORE (source), result, &added, &error))
    g_error ("%s", error->message);
  self->n_waiting--;
}

static void
make_text (Fill *self, GString *text)
{
  gsize length = 100 + next_number (self) % 100;

  g_string_truncate (text, 0);
  while (text->len < length)
    append_piece (self, text);
}

static void
print (Fill *self, guint n)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    {
      make_text (self, text);
      fwrite (text->str, 1, text->len + 1, stdout);
    }
}

static void
add_one (Fill *self, GString *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipStage) stage = clip_store_stage (self->store, &error);
  ClipDraft *draft = clip_draft_new ("");

  make_text (self, text);
  if (!stage || !clip_write_all (clip_stage_fd (stage), text->str, text->len, &error))
    g_error ("%s", error->message);
  clip_stage_advance (stage, (goffset) text->len);
  clip_draft_add (draft, MIME, stage, (gint64) text->len);
  self->bytes += text->len;
  self->n_waiting++;
  clip_store_change_async (self->store, clip_change_add (draft, NULL), on_added, self);
}

static double
since (gint64 start_us)
{
  return (double) (g_get_monotonic_time () - start_us) / G_USEC_PER_SEC;
}

static void
fill (Fill *self, guint n)
{
  g_autoptr (GString) text = g_string_new (NULL);
  gint64 start_us = g_get_monotonic_time ();

  for (guint i = 0; i < n; i++)
    {
      add_one (self, text);
      while (self->n_waiting >= MAX_WAITING)
        g_main_context_iteration (NULL, TRUE);
    }
  while (self->n_waiting > 0)
    g_main_context_iteration (NULL, TRUE);
  printf ("added %u in %.2f s, %" G_GUINT64_FORMAT " bytes\n", n, since (start_us),
          self->bytes);
}

int
main (int argc, char *argv[])
{
  g_autoptr (GError) error = NULL;
  Fill self = { .state = argc > 3 ? strtoull (argv[3], NULL, 10) : 1 };
  guint n = argc > 2 ? (guint) strtoul (argv[2], NULL, 10) : 1000000;

  if (argc < 2)
    {
      fprintf (stderr, "usage: fill-history DIR|--texts [ENTRIES [SEED]]\n");
      return 2;
    }
  if (strcmp (argv[1], "--texts") == 0)
    {
      print (&self, n);
      return 0;
    }
  self.store = clip_store_open (argv[1], CLIP_STORE_SESSION, &error);
  if (!self.store)
    g_error ("%s", error->message);
  fill (&self, n);
  clip_store_close (self.store);
  g_object_unref (self.store);
  return 0;
}
