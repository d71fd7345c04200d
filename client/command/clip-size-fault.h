/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

char *clip_size_fault (const char *value);

G_END_DECLS
