/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * search-run DIR [--regex] NEEDLE...
 *
 * How long each search of a history takes, opening it included: until the first entry is
 * found, the fiftieth, and all, or a thousand. Medians of seven runs, in milliseconds.
 */
#include "clip-reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N_RUNS 7
#define MANY 50
#define ENOUGH 1000

enum
{
  FIRST,
  FIFTIETH,
  ALL,
  N_MOMENTS,
};

typedef struct
{
  gint64 start_us;
  guint n;
  double ms[N_MOMENTS];
} Run;

static double
elapsed_ms (const Run *run)
{
  return (double) (g_get_monotonic_time () - run->start_us) / 1000;
}

/* a page is printed when it is whole: so that is when its rows count */
static gboolean
on_row (const ClipRow *row G_GNUC_UNUSED, gpointer user_data)
{
  Run *run = user_data;

  run->n++;
  return TRUE;
}

static void
search (const char *dir, const char *needle, gboolean is_regex, Run *run)
{
  g_autoptr (GError) error = NULL;
  const char *words[] = { needle, NULL };
  ClipQuery query = { .brief = TRUE, .limit = ENOUGH };
  g_autoptr (ClipReader) reader = NULL;
  gboolean more = TRUE;

  if (is_regex)
    query.regex = needle;
  else
    query.words = (char **) words;
  *run = (Run){ .start_us = g_get_monotonic_time () };
  reader = clip_reader_open (dir, &error);
  while (reader && more)
    {
      if (!clip_reader_page (reader, &query, on_row, run, &more, &error))
        break;
      if (run->n > 0 && run->ms[FIRST] <= 0)
        run->ms[FIRST] = elapsed_ms (run);
      if (run->n >= MANY && run->ms[FIFTIETH] <= 0)
        run->ms[FIFTIETH] = elapsed_ms (run);
    }
  if (error)
    g_error ("%s", error->message);
  run->ms[ALL] = elapsed_ms (run);
}

static int
compare (const void *a, const void *b)
{
  const double *first = a, *second = b;

  return *first < *second ? -1 : *first > *second;
}

static double
median (const Run *runs, guint moment)
{
  double values[N_RUNS];

  for (guint i = 0; i < N_RUNS; i++)
    values[i] = runs[i].ms[moment];
  qsort (values, N_RUNS, sizeof *values, compare);
  return values[N_RUNS / 2];
}

static void
measure (const char *dir, const char *needle, gboolean is_regex)
{
  Run runs[N_RUNS];

  search (dir, needle, is_regex, &runs[0]);
  for (guint i = 0; i < N_RUNS; i++)
    search (dir, needle, is_regex, &runs[i]);
  setvbuf (stdout, NULL, _IOLBF, 0);
  printf ("%-28s %8u %10.2f %10.2f %10.2f\n", needle, runs[0].n, median (runs, FIRST),
          median (runs, FIFTIETH), median (runs, ALL));
}

int
main (int argc, char *argv[])
{
  gboolean is_regex = FALSE;

  if (argc < 3)
    {
      fprintf (stderr, "usage: search-run DIR [--regex] NEEDLE...\n");
      return 2;
    }
  printf ("%-28s %8s %10s %10s %10s\n", "needle", "found", "first", "50th", "all");
  for (int i = 2; i < argc; i++)
    if (strcmp (argv[i], "--regex") == 0)
      is_regex = TRUE;
    else
      measure (argv[1], argv[i], is_regex);
  return 0;
}
