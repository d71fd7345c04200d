/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What is put right when a signal ends the program. */
#include "clip-signal-cleanup.h"

#include <signal.h>

static const int numbers[] = { SIGHUP, SIGINT, SIGPIPE, SIGQUIT, SIGTERM };

/* the handler's, too */
static volatile ClipSignalCleanupFunc cleanup;

/* the signal has its default again, and ends us when we return */
static void
on_fatal (int number)
{
  ClipSignalCleanupFunc function = cleanup;

  if (function)
    function ();
  raise (number);
}

/**
 * clip_signal_cleanup_set:
 * @function: (nullable): %NULL for nothing
 *
 * From here on @function is called when a signal ends the program, unless that is
 * ignored.
 */
void
clip_signal_cleanup_set (ClipSignalCleanupFunc function)
{
  const struct sigaction action = { .sa_handler = on_fatal, .sa_flags = SA_RESETHAND };
  struct sigaction present;

  cleanup = function;
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    if (sigaction (numbers[i], NULL, &present) == 0 && present.sa_handler == SIG_DFL)
      sigaction (numbers[i], &action, NULL);
}
