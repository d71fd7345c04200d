/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <dirent.h>
#include <glib.h>
G_BEGIN_DECLS

/* a folder that is read, and closes itself at the end of its scope */
#define clip_autodir __attribute__ ((cleanup (clip_directory_close)))

DIR *clip_directory_open (int dir_fd, const char *name);
const char *clip_directory_next (DIR *folder);
void clip_directory_close (DIR **folder);

G_END_DECLS
