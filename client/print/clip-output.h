/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-progress.h"
#include "clip-reader.h"
G_BEGIN_DECLS

gboolean clip_output_is_terminal (void);
gboolean clip_output_has_styles (void);
guint clip_output_columns (void);
void clip_output_set_file (const char *path);
gboolean clip_output_write (const char *text, gsize length, GError **error);
ClipProgress *clip_output_progress (void);
gboolean clip_output_payload (const ClipPayload *payload,
                              gboolean force,
                              ClipProgress *progress,
                              GError **error);

G_END_DECLS
