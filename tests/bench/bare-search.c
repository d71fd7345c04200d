/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * bare-search DATABASE WORD: how long one statement over all texts in rows takes, with a
 * match of PCRE2 (JIT, caseless by Unicode) for each. The median of seven runs, in
 * milliseconds.
 */
#define PCRE2_CODE_UNIT_WIDTH 8
#include <err.h>
#include <pcre2.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define N_RUNS 7
#define OPTIONS (PCRE2_UTF | PCRE2_UCP | PCRE2_MATCH_INVALID_UTF | PCRE2_CASELESS)

static double
now_ms (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return (double) now.tv_sec * 1e3 + (double) now.tv_nsec / 1e6;
}

static unsigned
search (sqlite3_stmt *rows, pcre2_code *code, pcre2_match_data *data)
{
  unsigned n = 0;

  while (sqlite3_step (rows) == SQLITE_ROW)
    for (int column = 0; column < 2; column++)
      {
        PCRE2_SPTR text = sqlite3_column_blob (rows, column);
        int length = sqlite3_column_bytes (rows, column);

        if (length > 0 &&
            pcre2_jit_match (code, text, (size_t) length, 0, 0, data, NULL) >= 0)
          n++;
      }
  sqlite3_reset (rows);
  return n;
}

static int
compare (const void *a, const void *b)
{
  const double *first = a, *second = b;

  return *first < *second ? -1 : *first > *second;
}

int
main (int argc, char *argv[])
{
  double values[N_RUNS];
  sqlite3_stmt *rows = NULL;
  sqlite3 *db = NULL;
  pcre2_match_data *data;
  pcre2_code *code;
  PCRE2_SIZE offset;
  int reason;

  if (argc != 3)
    errx (2, "usage: bare-search DATABASE WORD");
  code = pcre2_compile ((PCRE2_SPTR) argv[2], PCRE2_ZERO_TERMINATED, OPTIONS, &reason,
                        &offset, NULL);
  if (!code || pcre2_jit_compile (code, PCRE2_JIT_COMPLETE) != 0)
    errx (1, "'%s' cannot be compiled", argv[2]);
  data = pcre2_match_data_create (1, NULL);
  if (sqlite3_open_v2 (argv[1], &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL) !=
          SQLITE_OK ||
      sqlite3_prepare_v2 (db,
                          "SELECT preview, body FROM entry WHERE kind & 1"
                          " ORDER BY id DESC",
                          -1, &rows, NULL) != SQLITE_OK)
    errx (1, "%s: %s", argv[1], sqlite3_errmsg (db));
  search (rows, code, data);
  for (int i = 0; i < N_RUNS; i++)
    {
      double start_ms = now_ms ();

      search (rows, code, data);
      values[i] = now_ms () - start_ms;
    }
  qsort (values, N_RUNS, sizeof *values, compare);
  printf ("%.2f\n", values[N_RUNS / 2]);
  sqlite3_finalize (rows);
  sqlite3_close (db);
  return 0;
}
