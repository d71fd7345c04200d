/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-archive-entry.h"
G_BEGIN_DECLS

/* An archive, entry by entry, as it comes out of a descriptor: a pipe, a file, a socket.
 * One thread; it waits for the descriptor. */
typedef struct ClipArchiveReader ClipArchiveReader;

/* told how many bytes have been read */
typedef void (*ClipArchiveProgress) (goffset bytes, gpointer user_data);

/* as read(2), but never waits for who writes the archive: EAGAIN where nothing is
   there */
typedef gssize (*ClipArchiveRead) (void *buffer, gsize length, gpointer user_data);

typedef struct
{
  int fd;               /* borrowed; its flags stay as they are */
  ClipArchiveRead read; /* (nullable): NULL = read(2) on fd */
  gpointer read_data;
  int stop_fd;                  /* what can be read from it ends the waiting; -1 = none */
  int idle_ms;                  /* how long no byte may come; 0 = for ever */
  ClipArchiveProgress progress; /* (nullable) */
  gpointer progress_data;
} ClipArchiveSource;

ClipArchiveReader *clip_archive_reader_new (const ClipArchiveSource *source);
void clip_archive_reader_free (ClipArchiveReader *self);

gboolean clip_archive_reader_next (ClipArchiveReader *self,
                                   ClipArchiveEntry **out_entry,
                                   GError **error);
gboolean clip_archive_reader_open_file (ClipArchiveReader *self,
                                        const ClipArchiveContent *content,
                                        GError **error);
gboolean clip_archive_reader_close_file (ClipArchiveReader *self, GError **error);
gboolean clip_archive_reader_pass_file (ClipArchiveReader *self,
                                        const ClipArchiveContent *content,
                                        GError **error);
gboolean clip_archive_reader_pass_files (ClipArchiveReader *self,
                                         const ClipArchiveEntry *entry,
                                         GError **error);
void clip_archive_reader_drain (ClipArchiveReader *self);
void clip_archive_reader_locate (const ClipArchiveReader *self, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipArchiveReader, clip_archive_reader_free)

G_END_DECLS
