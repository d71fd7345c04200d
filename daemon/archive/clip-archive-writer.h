/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-entry.h"
G_BEGIN_DECLS

/* a member of lines has about this many bytes */
#define CLIP_ARCHIVE_LINES_BYTES (256 * 1024)

/* contents up to this size stand in the line of their entry, as long as that has room */
#define CLIP_ARCHIVE_INLINE_BYTES (64 * 1024)
#define CLIP_ARCHIVE_LINE_BYTES (512 * 1024)

/* Entries as an archive: says what its bytes are, and leaves it to others to write them.
 * The format is described in data/export-format.md. */
typedef struct ClipArchiveWriter ClipArchiveWriter;

ClipArchiveWriter *clip_archive_writer_new (gint64 now_us);
void clip_archive_writer_free (ClipArchiveWriter *self);

void clip_archive_writer_begin (ClipArchiveWriter *self, GString *out);
void clip_archive_writer_end (ClipArchiveWriter *self, GString *out);

void clip_archive_writer_begin_entry (ClipArchiveWriter *self,
                                      const ClipRow *row,
                                      const char *const *tags);
gboolean clip_archive_writer_has_room (const ClipArchiveWriter *self, gint64 size);
void clip_archive_writer_add_bytes (ClipArchiveWriter *self,
                                    const char *mime,
                                    const void *data,
                                    gsize length);
void clip_archive_writer_add_file (ClipArchiveWriter *self,
                                   const char *mime,
                                   gint64 size,
                                   const char *hash);
void clip_archive_writer_set_guessed (ClipArchiveWriter *self);
void clip_archive_writer_end_entry (ClipArchiveWriter *self);
void clip_archive_writer_drop_entry (ClipArchiveWriter *self);

gboolean clip_archive_writer_is_full (const ClipArchiveWriter *self);
void clip_archive_writer_flush (ClipArchiveWriter *self, GString *out);
void clip_archive_writer_begin_file (ClipArchiveWriter *self, GString *out, gint64 size);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipArchiveWriter, clip_archive_writer_free)

G_END_DECLS
