/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <gio/gio.h>
G_BEGIN_DECLS

/* Settings are the command's to change: this has it do so. */
GSubprocess *clip_configure_start (const char *const *words, GError **error);

G_END_DECLS
