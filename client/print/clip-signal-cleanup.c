/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What is put right when a signal ends the program. */
#include "clip-signal-cleanup.h"

#include <signal.h>

#define MAX_FUNCTIONS 2

static const int numbers[] = { SIGHUP, SIGINT, SIGPIPE, SIGQUIT, SIGTERM };

/* the handler's, too */
static ClipSignalCleanupFunc volatile functions[MAX_FUNCTIONS];

/* The signal has its default again, and is blocked until we return: the second one ends
 * us then. It is sent first, because the daemon looks for it when a pipe has ended that
 * the same ^C broke off. */
static void
on_fatal (int number)
{
  raise (number);
  for (guint i = 0; i < MAX_FUNCTIONS; i++)
    {
      ClipSignalCleanupFunc function = functions[i];

      if (function)
        function ();
    }
}

static void
handle (void)
{
  const struct sigaction action = { .sa_handler = on_fatal, .sa_flags = SA_RESETHAND };
  struct sigaction present;

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    if (sigaction (numbers[i], NULL, &present) == 0 && present.sa_handler == SIG_DFL)
      sigaction (numbers[i], &action, NULL);
}

static void
die_as_before (void)
{
  struct sigaction present;

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    if (sigaction (numbers[i], NULL, &present) == 0 && present.sa_handler == on_fatal)
      signal (numbers[i], SIG_DFL);
}

/**
 * clip_signal_cleanup_add:
 *
 * From here on @function is called when a signal ends the program, unless that is
 * ignored.
 */
void
clip_signal_cleanup_add (ClipSignalCleanupFunc function)
{
  for (guint i = 0; i < MAX_FUNCTIONS; i++)
    if (!functions[i])
      {
        functions[i] = function;
        handle ();
        return;
      }
  g_assert_not_reached ();
}

/* nothing happens where it was not added */
void
clip_signal_cleanup_remove (ClipSignalCleanupFunc function)
{
  gboolean any = FALSE;

  for (guint i = 0; i < MAX_FUNCTIONS; i++)
    {
      if (functions[i] == function)
        functions[i] = NULL;
      any = any || functions[i];
    }
  if (!any)
    die_as_before ();
}
