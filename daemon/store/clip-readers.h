/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-reader.h"

#include <gio/gio.h>
G_BEGIN_DECLS

/* A few threads that read, each with a connection of its own while it does. */
typedef struct ClipReaders ClipReaders;

/* A lookup takes microseconds, and a person waits for it: threads are kept for those,
 * which no search can take. There are two, as a content may have to be hashed first. */
typedef enum
{
  CLIP_READ_SOON,  /* a lookup, a content, a page of the list as it stands */
  CLIP_READ_LONG,  /* a search, a list of some entries */
  CLIP_READ_FILES, /* all blobs, for what is to be deleted: as long as that takes */
  CLIP_N_READ_KINDS,
} ClipReadKind;

/* reads, and returns what it found by returning @task */
typedef void (*ClipReadFunc) (ClipReader *reader, GTask *task);

typedef void (*ClipRenewFunc) (gpointer user_data);

ClipReaders *clip_readers_new (const char *dir, ClipRenewFunc renew, gpointer user_data);
void clip_readers_drop (ClipReaders *self);
void clip_readers_stop (ClipReaders *self);
void clip_readers_join (ClipReaders *self);
void clip_readers_free (ClipReaders *self);
void clip_readers_push (ClipReaders *self,
                        ClipReadKind kind,
                        guint turn,
                        GTask *task_take,
                        ClipReadFunc function);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipReaders, clip_readers_free)

G_END_DECLS
