/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

const char *clip_failure_words (const GError *error);

G_END_DECLS
