/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <gio/gio.h>
G_BEGIN_DECLS

GSubprocess *clip_configure_start (const char *key, const char *value, GError **error);

G_END_DECLS
