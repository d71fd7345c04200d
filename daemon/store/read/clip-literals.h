/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

GPtrArray *clip_literals_of_regex (const char *regex);

G_END_DECLS
