/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <gtk/gtk.h>
G_BEGIN_DECLS

typedef struct ClipTypeAhead ClipTypeAhead;

ClipTypeAhead *clip_type_ahead_new (GtkWidget *widget);
void clip_type_ahead_free (ClipTypeAhead *self);
void clip_type_ahead_begin (ClipTypeAhead *self);
gboolean clip_type_ahead_is_on (const ClipTypeAhead *self);
gboolean clip_type_ahead_keep (ClipTypeAhead *self,
                               const char *action,
                               GVariant *parameter);
gboolean clip_type_ahead_keep_behind (ClipTypeAhead *self, const char *action);
void clip_type_ahead_end (ClipTypeAhead *self);
gboolean clip_type_ahead_forget (ClipTypeAhead *self, const char *action);
void clip_type_ahead_stop (ClipTypeAhead *self);

G_END_DECLS
