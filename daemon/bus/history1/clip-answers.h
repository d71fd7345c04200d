/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <gio/gio.h>
G_BEGIN_DECLS

void clip_answers_check (GDBusConnection *bus);

G_END_DECLS
