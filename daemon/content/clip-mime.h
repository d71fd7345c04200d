/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-entry.h"
G_BEGIN_DECLS

/* the longest name that is believed; longer ones, and ones with a byte outside printable
 * ASCII, are dropped at the wall */
#define CLIP_MIME_MAX_LENGTH 255

#define CLIP_MIME_TEXT "text/plain;charset=utf-8"
#define CLIP_MIME_LATIN1 "text/plain;charset=iso-8859-1"
#define CLIP_MIME_HTML "text/html"
#define CLIP_MIME_RTF "text/rtf"
#define CLIP_MIME_URI_LIST "text/uri-list"
#define CLIP_MIME_OCTETS "application/octet-stream"
/* the most types that are read of a copy of which none is known */
#define CLIP_MIME_MAX_UNKNOWN 8

gboolean clip_mime_is_valid (const char *mime);
gboolean clip_mime_is_offered (const char *mime);
const char *clip_mime_canonical (const char *mime);
gboolean clip_mime_same (const char *a, const char *b);
const char *clip_mime_filed (const char *offered,
                             const void *head,
                             gsize length,
                             gboolean whole);
const char *const *clip_mime_aliases (const char *mime);
gboolean clip_mime_answers (const char *mime, const char *wanted);
ClipClass clip_mime_class (const char *mime);
gboolean clip_mime_is_plain (const char *mime);
gboolean clip_mime_is_better_plain (const char *mime, const char *than);
gboolean clip_mime_is_text (const char *mime);
gboolean clip_mime_may_reoffer (const char *mime);
gboolean clip_mime_is_kept (const char *mime);
gboolean clip_mime_stands_alone (const char *mime);

gboolean clip_mime_is_reassertion (const char *const *offered);
GPtrArray *clip_mime_choose (const char *const *offered);

G_END_DECLS
