/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* The system calls of a child that are steps. */
typedef enum
{
  KILL_AT_NAMES = 1 << 0, /* what gives files their names, or takes them */
  KILL_AT_WRITES = 1 << 1,
} KillSteps;

typedef void (*KillFunc) (gpointer user_data);

gboolean kill_before_step (KillSteps steps,
                           guint n,
                           KillFunc function,
                           gpointer user_data);
void refuse_links (void);

G_END_DECLS
