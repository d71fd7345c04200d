/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "hoard.h"
G_BEGIN_DECLS

/* A file system of this process alone, of 16 MiB, with one history at a time. */
#define SMALL_DISK_BYTES (16 * 1024 * 1024)

gboolean small_disk_mount_at (const char *folder, gsize bytes);

gboolean small_disk_mount (void);
int small_disk_unmount (int status);

Hoard *small_disk_hoard (void);
void small_disk_add_words (Hoard *hoard, guint n, gsize length);
void small_disk_fill (goffset but_bytes);
void small_disk_empty (Hoard *hoard);
ClipLimits small_disk_limits (void);

G_END_DECLS
