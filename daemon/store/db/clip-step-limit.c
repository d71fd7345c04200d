/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Pages of a damaged database may lead to each other: each of them is read for as often
 * as there are ways to it, and thirty of them have more rows than can ever be read. So a
 * statement ends that takes more steps than rows could be on the pages that there are.
 */
#define G_LOG_DOMAIN "clip-store"
#include "clip-step-limit.h"

/* how many steps SQLite runs between two looks */
#define LOOK_STEPS 10000
#define PAGE_BYTES 4096

/* The check of SQLite takes 2,700 for a page of small rows, and no other statement as
 * many. */
#define STEPS_OF_A_PAGE 50000

/* A hole in a file costs its author nothing. The check takes this for 40 million rows. */
#define MOST_STEPS (G_GINT64_CONSTANT (1) << 33)

static gint64
count_pages (sqlite3 *db, int which)
{
  sqlite3_file *file = NULL;
  sqlite3_int64 size = 0;

  if (sqlite3_file_control (db, "main", which, &file) != SQLITE_OK || !file ||
      !file->pMethods || file->pMethods->xFileSize (file, &size) != SQLITE_OK)
    return 0;
  return size / PAGE_BYTES + 1;
}

static int
on_progress (void *user_data)
{
  ClipStepLimit *self = user_data;
  gint64 n_pages;

  if (self->stops && g_atomic_int_get (self->stops))
    return TRUE;
  self->n_steps += LOOK_STEPS;
  if (self->n_steps <= STEPS_OF_A_PAGE)
    return FALSE;
  n_pages = count_pages (self->db, SQLITE_FCNTL_FILE_POINTER) +
            count_pages (self->db, SQLITE_FCNTL_JOURNAL_POINTER);
  return self->n_steps > MIN (n_pages * STEPS_OF_A_PAGE, MOST_STEPS);
}

/**
 * clip_step_limit_watch:
 * @self: which stays where it is until @db is closed
 * @stops: (nullable): atomic; not 0 = end what runs
 *
 * What is ended fails with %SQLITE_INTERRUPT.
 */
void
clip_step_limit_watch (ClipStepLimit *self, sqlite3 *db, const gint *stops)
{
  self->db = db;
  self->stops = stops;
  sqlite3_progress_handler (db, LOOK_STEPS, on_progress, self);
}

/* another statement begins; those that run already have what it has from here on */
void
clip_step_limit_begin (ClipStepLimit *self)
{
  self->n_steps = 0;
}
