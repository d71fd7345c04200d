/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-reader.h"
#include "clip-settings.h"

#include <gio/gio.h>
G_BEGIN_DECLS

/* what a call may bring along; the XML names these */
#define CLIP_CONVERT_MAX_OPTIONS 64
#define CLIP_CONVERT_MAX_ITEMS 64
#define CLIP_CONVERT_MAX_TEXT 4096
#define CLIP_CONVERT_MAX_IDS 100000

GVariant *clip_convert_entry (const ClipEntry *entry, gboolean with_contents);
GVariant *clip_convert_details (const ClipEntry *entry);
GVariant *clip_convert_ids (GArray *ids);

/* a query, and the memory that its fields borrow */
typedef struct
{
  ClipQuery query;
  GVariant *options;
  const char **words;
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
gboolean clip_convert_number (GVariant *options,
                              const char *key,
                              guint32 max,
                              guint32 *out_number,
                              GError **error);
gboolean clip_convert_text (GVariant *options,
                            const char *key,
                            gsize max_bytes,
                            const char **out_text,
                            GError **error);
gboolean clip_convert_list (GVariant *options,
                            const char *key,
                            gsize max_bytes,
                            const char ***out_items,
                            GError **error);
gboolean clip_convert_check_length (const char *what,
                                    const char *text,
                                    gsize max_bytes,
                                    GError **error);
gboolean clip_convert_check_list (const char *what,
                                  const char *const *items,
                                  gsize max_items,
                                  gsize max_bytes,
                                  GError **error);
gboolean clip_convert_check_ids (gsize n, GError **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (ClipBusQuery, clip_bus_query_clear)

G_END_DECLS
