/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-settings.h"
G_BEGIN_DECLS

typedef enum
{
  CLIP_FLAGS_DONE,
  CLIP_FLAGS_HELP,    /* -h: nothing after it was looked at */
  CLIP_FLAGS_VERSION, /* --version */
  CLIP_FLAGS_WRONG,   /* the error is set */
} ClipFlagsResult;

ClipFlagsResult clip_flags_parse (char **words,
                                  const char *given[CLIP_N_SETTINGS],
                                  guint *out_n,
                                  GError **error);

G_END_DECLS
