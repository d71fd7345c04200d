/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
#include <sys/resource.h>
#include <unistd.h>
G_BEGIN_DECLS

/* from now on this process gets @n more at the most; setrlimit() with @out_before ends
   it */
static inline void
few_descriptors_leave (guint n, struct rlimit *out_before)
{
  struct rlimit few;
  int taken[8];

  g_assert_cmpuint (n, <=, G_N_ELEMENTS (taken));
  g_assert_no_errno (getrlimit (RLIMIT_NOFILE, out_before));
  few = *out_before;
  for (guint i = 0; i < n; i++)
    taken[i] = dup (STDIN_FILENO);
  few.rlim_cur = (rlim_t) taken[n - 1] + 1;
  for (guint i = 0; i < n; i++)
    close (taken[i]);
  g_assert_no_errno (setrlimit (RLIMIT_NOFILE, &few));
}

G_END_DECLS
