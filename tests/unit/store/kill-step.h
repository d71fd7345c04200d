/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
#include <sys/types.h>
G_BEGIN_DECLS

/* The system calls of a child that are steps. */
typedef enum
{
  KILL_AT_NAMES = 1 << 0, /* what gives files their names, or takes them */
  KILL_AT_WRITES = 1 << 1,
} KillSteps;

pid_t run_anew (const char *what, const char *dir);
gboolean kill_before_step (KillSteps steps, guint n, const char *what, const char *dir);
void refuse_links (void);

G_END_DECLS
