/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What is known of each name, for clip-mime alone. */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

typedef enum
{
  CLIP_MIME_OTHER,   /* read only where nothing better is offered */
  CLIP_MIME_PLAIN,   /* the text: one of them */
  CLIP_MIME_RICH,    /* the text with its looks, beside it: one of each rank */
  CLIP_MIME_NATIVE,  /* what its own program pastes whole from: all ranks */
  CLIP_MIME_IMAGE,   /* one encoding */
  CLIP_MIME_FILES,   /* a list of files, and whether they are copied or cut */
  CLIP_MIME_MARKER,  /* means something beside a list of files only */
  CLIP_MIME_PRIVATE, /* of use to one program: never read, but given back */
  CLIP_MIME_CONTROL, /* a message to clipboard programs, or a crash: not given back */
} ClipMimeKind;

typedef struct
{
  const char *pattern;
  ClipMimeKind kind;
  int rank;         /* within a kind, the lowest one wins */
  const char *name; /* (nullable): what an alias stands for */
} ClipMimeRule;

ClipMimeRule clip_mime_rule (const char *mime);
const char *clip_mime_known (guint i);
const char *const *clip_mime_family (const char *mime);
gboolean clip_mime_is_called_text (const char *mime);
gboolean clip_mime_contains (const char *mime, const char *part);

G_END_DECLS
