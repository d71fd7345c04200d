/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

gboolean clip_local_is (const char *regex);

G_END_DECLS
