/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* for which a person waits for the history before it is said that it does not answer */
#define CLIP_PATIENCE_MS 5000

const char *clip_failure_words (const GError *error);

G_END_DECLS
