/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

char *hoard_list_aside (const char *dir);

G_END_DECLS
