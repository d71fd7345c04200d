/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-thread.h"

#include <sys/resource.h>

/**
 * clip_thread_stand_back:
 *
 * From here on the calling thread yields to any other that wants the processor: for work
 * that is not waited for by the millisecond. There is no way back without a privilege, so
 * it is for threads of one's own, never for those of a pool that others share.
 *
 * On Linux the nice value is a thread's, not a process's: setpriority(2), "C
 * library/kernel differences".
 */
void
clip_thread_stand_back (void)
{
  if (getpriority (PRIO_PROCESS, 0) < CLIP_THREAD_BACK_NICE)
    setpriority (PRIO_PROCESS, 0, CLIP_THREAD_BACK_NICE);
}
