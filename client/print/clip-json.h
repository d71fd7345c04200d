/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

void clip_json_append_variant (GString *out, GVariant *value);
void clip_json_append_members (GString *out, GVariant *dict);

G_END_DECLS
