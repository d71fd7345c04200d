/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* What there is to say of something, for people: a name and a value a line. */

void clip_facts_append (GString *out, const char *name, const char *value);
void clip_facts_append_format (GString *out, const char *name, const char *format, ...)
    G_GNUC_PRINTF (3, 4);
void clip_facts_append_time (GString *out, const char *name, gint64 time_us);
void clip_facts_append_pause (GString *out, gint64 until_us);
char *clip_facts_pause_words (gint64 until_us);

G_END_DECLS
