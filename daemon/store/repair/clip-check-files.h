/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-reader.h"
#include "clip-report.h"
G_BEGIN_DECLS

gboolean clip_check_goes_on (const gint *stops, GError **error);
gboolean clip_check_files (ClipReader *reader,
                           const gint *stops,
                           ClipReport *report,
                           GError **error);
gboolean clip_check_gone (const char *dir, ClipReport *report, GError **error);

G_END_DECLS
