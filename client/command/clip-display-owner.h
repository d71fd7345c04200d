/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

const char *clip_display_owner_stranger (void);

G_END_DECLS
