/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* looks at the fact again now and then, also where no event comes with it */
static inline gboolean
wait_until_wake (gpointer user_data G_GNUC_UNUSED)
{
  return G_SOURCE_CONTINUE;
}

/* iterates until the fact is true; one that never comes fails the test */
#define wait_until(fact) \
  G_STMT_START \
  { \
    gint64 deadline = g_get_monotonic_time () + 60 * G_USEC_PER_SEC; \
    guint wake = g_timeout_add (10, wait_until_wake, NULL); \
    while (!(fact) && g_get_monotonic_time () < deadline) \
      g_main_context_iteration (NULL, TRUE); \
    g_source_remove (wake); \
    g_assert_true (fact); \
  } \
  G_STMT_END

G_END_DECLS
