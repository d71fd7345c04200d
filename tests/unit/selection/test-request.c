/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-fd.h"
#include "clip-request.h"
#include "lingering-socket.h"

static void
on_done (gboolean whole, gpointer user_data)
{
  g_assert_false (whole);
  (*(guint *) user_data)++;
}

/* to close it waits for what its peer reads */
static void
test_refused_socket_is_not_waited_for (void)
{
  clip_autofd int peer = -1;
  guint n_done = 0;
  ClipRequest *request =
      clip_request_new ("text/plain", lingering_socket_new (&peer), on_done, &n_done);

  g_object_unref (request);
  g_assert_cmpuint (n_done, ==, 1);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  alarm (50); /* what is waited for in vain */
  g_test_add_func ("/request/refused-socket-is-not-waited-for",
                   test_refused_socket_is_not_waited_for);
  return g_test_run ();
}
