/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* One file that is served by us, over FUSE, and that never answers what it is told not
   to. */
typedef struct HostileFile HostileFile;

typedef enum
{
  HOSTILE_LOOKS = 1 << 0,  /* fstat(2) */
  HOSTILE_READS = 1 << 1,  /* read(2), splice(2)... */
  HOSTILE_CLOSES = 1 << 2, /* close(2) */
} HostileCalls;

HostileFile *hostile_file_new (const char *dir, const char **out_missing);
int hostile_file_open (HostileFile *self);
void hostile_file_show_at (HostileFile *self, const char *path);
void hostile_file_hold (HostileFile *self, HostileCalls calls, const char *victim);
guint hostile_file_n_held (HostileFile *self);
void hostile_file_free (HostileFile *self);

G_END_DECLS
