/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The folder for sockets is made when a user logs in and removed when the last session
 * has ended: it stands for the time in between.
 */
#include "clip-login.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define NOTE "login"

/* (transfer full): of the present login; the same for all programs of it, and for those
   of cron, which are not told of the folder */
char *
clip_login_name (void)
{
  struct statx info = { 0 };
  const char *told = g_getenv ("XDG_RUNTIME_DIR");
  g_autofree char *folder =
      told && *told ? g_strdup (told) : g_strdup_printf ("/run/user/%u", getuid ());

  if (statx (AT_FDCWD, folder, 0, STATX_INO | STATX_BTIME, &info) < 0 &&
      statx (AT_FDCWD, g_get_user_runtime_dir (), 0, STATX_INO | STATX_BTIME, &info) < 0)
    return g_strdup ("-");
  return g_strdup_printf ("%x:%x:%llx:%llx.%x", info.stx_dev_major, info.stx_dev_minor,
                          (unsigned long long) info.stx_ino,
                          (unsigned long long) info.stx_btime.tv_sec,
                          info.stx_btime.tv_nsec);
}

/* whether the user has logged in anew since this was last asked of the same history */
gboolean
clip_login_is_new (ClipStore *store)
{
  g_autofree char *before = clip_store_get_note (store, NOTE);
  g_autofree char *now = clip_login_name ();

  if (g_strcmp0 (before, now) == 0)
    return FALSE;
  clip_store_change_async (store, clip_change_note (NOTE, now), NULL, NULL);
  return before != NULL;
}
