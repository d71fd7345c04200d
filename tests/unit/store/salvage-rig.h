/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "hoard.h"
#include <sqlite3.h>
G_BEGIN_DECLS

#define N_TEXTS 120
#define PAGE_BYTES 4096

/* entries 1 to N_TEXTS, of a few hundred bytes each, and one with two types; closed */
typedef struct
{
  Hoard *hoard;
  char *database;
} Place;

void place_set_up (Place *place, gconstpointer data);
void place_tear_down (Place *place, gconstpointer data);

void zero_page (const char *path, goffset number);
goffset find_root (const char *path, const char *table);

void salvage (Place *place);
guint count_texts (Place *place);
void assert_whole (Place *place);

G_END_DECLS
