/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the members of an archive are called, and how it is refused: for its writer and
 * its reader alone. */
#pragma once
#include <glib.h>

#define CLIP_ARCHIVE_MARK "cliphist-export"
#define CLIP_ARCHIVE_VERSION 1

/* packed again with their names in order, they are an archive as before */
#define CLIP_ARCHIVE_FOLDER "cliphist-export"
#define CLIP_ARCHIVE_NUMBER "%010" G_GUINT64_FORMAT
#define CLIP_ARCHIVE_HEAD_SUFFIX ".json"
#define CLIP_ARCHIVE_LINES_SUFFIX ".jsonl"
#define CLIP_ARCHIVE_FILE_SUFFIX ".bin"

gboolean clip_archive_fail (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);
