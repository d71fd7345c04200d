/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* What a caller may hand over: a descriptor that poll(2) tells the truth about. */
gboolean clip_call_check_source (int fd, GError **error);
gboolean clip_call_check_sink (int fd, GError **error);

G_END_DECLS
