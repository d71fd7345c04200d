/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* how many tags an entry has, and how long each is, at most */
#define CLIP_MAX_TAGS 256
#define CLIP_MAX_TAG_BYTES 256

/* of where an entry comes from */
#define CLIP_MAX_ORIGIN_BYTES 1024

typedef enum
{
  CLIP_CLASS_TEXT = 1,
  CLIP_CLASS_IMAGE = 2,
  CLIP_CLASS_FILES = 3,
  CLIP_CLASS_OTHER = 4,
} ClipClass;

/* What a list shows of an entry. The strings are borrowed: they live as long as the call
 * that hands the row out, or as the ClipEntry that it is part of. */
typedef struct
{
  gint64 id;
  gint64 first_us;   /* first copied, microseconds since the epoch */
  gint64 last_us;    /* last copied */
  gint64 copies;     /* how often */
  gint64 expires_us; /* 0 = never */
  gint64 size;       /* bytes of the primary content */
  ClipClass kind;
  gboolean pinned;
  const char *mime;    /* of the primary content */
  const char *origin;  /* "" where unknown; "BACKEND SELECTION APP" otherwise */
  const char *preview; /* UTF-8, one line, not cut, may be longer than is shown; not
                          NUL-terminated */
  gsize preview_length;
  const char *const *tags; /* (nullable): where they were asked for */
  const char *text; /* what was searched, where it was found by its text; any bytes; else
                       NULL */
  gsize text_length;
  gsize match_start; /* of the first match, in bytes of the text */
  gsize match_end;
} ClipRow;

/* One representation of an entry. */
typedef struct
{
  char *mime;
  gint64 size;
  gint64
      position; /* as offered; 0 = the primary one. Where one was damaged it is missing */
} ClipContent;

/* An entry as looked up: its row and what it holds, in the order offered; the primary one
 * first. */
typedef struct
{
  ClipRow row;
  GPtrArray *contents; /* ClipContent */
  char **tags;
  char *snippet; /* (nullable): the line around the match, where the text was found */
  gsize snippet_start; /* of the match in it */
  gsize snippet_end;
} ClipEntry;

const char *clip_class_name (ClipClass kind);
gboolean clip_class_from_name (const char *name, ClipClass *out_kind);
const char *clip_origin_program (const char *origin);

ClipContent *clip_content_new (const char *mime, gint64 size, gint64 position);
void clip_content_free (ClipContent *self);
ClipEntry *clip_entry_new (const ClipRow *row);
void clip_entry_free (ClipEntry *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipContent, clip_content_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipEntry, clip_entry_free)

G_END_DECLS
