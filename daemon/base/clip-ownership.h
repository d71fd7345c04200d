/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
#include <sys/stat.h>
G_BEGIN_DECLS

gboolean clip_ownership_is_trusted (const struct stat *status);
gboolean clip_ownership_is_trusted_server (int fd);
int clip_ownership_open_folder (const char *path, GError **error);
int clip_ownership_make_folder (const char *path, GError **error);
int clip_ownership_make_inner_folder (const char *path, GError **error);
gboolean clip_ownership_check_link (const char *path, GError **error);
gboolean clip_ownership_check_special (const struct stat *status,
                                       const char *path,
                                       GError **error);
gboolean clip_ownership_check_inner_folders (int dir_fd,
                                             const char *path,
                                             GError **error);
gboolean clip_ownership_check_database (const char *dir, GError **error);

G_END_DECLS
