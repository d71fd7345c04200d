/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-reader.h"
#include "clip-settings.h"

#include <gio/gio.h>
G_BEGIN_DECLS

GVariant *clip_convert_entry (const ClipEntry *entry, gboolean with_contents);
GVariant *clip_convert_details (const ClipEntry *entry);
GVariant *clip_convert_ids (GArray *ids);

/* a query, and the memory that its fields borrow */
typedef struct
{
  ClipQuery query;
  GVariant *options;
  char **words;
} ClipBusQuery;

gboolean clip_convert_query (GVariant *options, ClipBusQuery *out_query, GError **error);
void clip_bus_query_clear (ClipBusQuery *self);
gboolean clip_convert_ignored (GVariant *options, ClipSettings *settings, GError **error);
gboolean clip_convert_settings (GVariant *options,
                                ClipSettings *settings,
                                GError **error);
gboolean clip_convert_only (GVariant *options, const char *const *keys, GError **error);
gboolean clip_convert_option (GVariant *options,
                              const char *key,
                              const char *type,
                              gpointer out_value,
                              GError **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (ClipBusQuery, clip_bus_query_clear)

G_END_DECLS
