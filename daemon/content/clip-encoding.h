/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* A text says in no way that can be trusted how it is encoded: it may be read in each. */
typedef enum
{
  CLIP_ENCODING_BYTES, /* UTF-8, or where it is none, Latin-1 */
  CLIP_ENCODING_UTF16LE,
  CLIP_ENCODING_UTF16BE,
  CLIP_ENCODING_UTF32LE,
  CLIP_ENCODING_UTF32BE,
  CLIP_N_ENCODINGS,
} ClipEncoding;

gboolean clip_encoding_is_utf8 (const char *text, gsize length, gboolean is_cut);
gboolean clip_encoding_may_be_wide (const char *text, gsize length);
char *clip_encoding_read (ClipEncoding encoding,
                          const char *text,
                          gsize length,
                          gboolean is_cut,
                          gsize *out_length);

G_END_DECLS
