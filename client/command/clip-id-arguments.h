/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-command.h"
#include "clip-reader.h"
G_BEGIN_DECLS

/* The ids that a call names. */

gboolean clip_id_arguments_resolve (ClipCommand *command,
                                    const char *word,
                                    gint64 *out_id);
gboolean clip_id_arguments_read (ClipCommand *command, guint first_word, GArray *ids);
gboolean clip_id_arguments_are_there (ClipReader *reader,
                                      const GArray *ids,
                                      GError **error);

void clip_id_arguments_ask (void);

G_END_DECLS
