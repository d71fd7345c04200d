/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-reader.h"
#include "clip-writer.h"
G_BEGIN_DECLS

/* One signal to be emitted, with what it carries. */
typedef struct
{
  ClipEventKind kind;
  ClipEntry *entry; /* added, changed */
  gint64 id;        /* moved */
  gint64 was;
  GArray *removed; /* gint64 */
} ClipNotice;

void clip_notice_free (ClipNotice *self);
GPtrArray *clip_notices_make (const GArray *events, ClipReader *reader);

G_END_DECLS
