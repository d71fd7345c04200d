/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-reader.h"
#include "clip-thumbnail-name.h"
G_BEGIN_DECLS

/* The thumbnails of a history: made when they are first asked for, and kept. */
typedef struct ClipThumbnails ClipThumbnails;

typedef void (*ClipThumbnailsFunc) (gint64 id, const char *path, gpointer user_data);

ClipThumbnails *clip_thumbnails_new (const char *store,
                                     ClipReader *reader,
                                     ClipThumbnailKind kind);
void clip_thumbnails_free (ClipThumbnails *self);
void clip_thumbnails_watch (ClipThumbnails *self,
                            ClipThumbnailsFunc found,
                            gpointer user_data);
gboolean clip_thumbnails_look (ClipThumbnails *self, gint64 id);
void clip_thumbnails_ask (ClipThumbnails *self, gint64 id);
const char *clip_thumbnails_await (ClipThumbnails *self, gint64 id);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipThumbnails, clip_thumbnails_free)

G_END_DECLS
