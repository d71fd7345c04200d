/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-gnome-search.h"

#include "clip-advice.h"
#include "clip-paths.h"

#include <gio/gio.h>

#define SCHEMA "org.gnome.desktop.search-providers"
#define ENABLED "enabled"
#define OURS CLIP_APPLICATION_ID ".desktop"

/**
 * clip_gnome_search_switch:
 *
 * Returns: (transfer full) (nullable): the command that has GNOME Shell search the
 * history, where it finds our search provider, which is off until it is switched on; NULL
 * where it is on, or without GNOME Shell
 */
char *
clip_gnome_search_switch (void)
{
  /* the program ends where a schema that it asks for is not installed */
  GSettingsSchemaSource *source =
      clip_around_finds_provider () ? g_settings_schema_source_get_default () : NULL;
  g_autoptr (GSettingsSchema) schema =
      source ? g_settings_schema_source_lookup (source, SCHEMA, TRUE) : NULL;
  g_autoptr (GSettings) settings = NULL;
  g_autoptr (GStrvBuilder) all = g_strv_builder_new ();
  g_auto (GStrv) enabled = NULL;
  g_autofree char *text = NULL;
  g_autofree char *quoted = NULL;

  if (!schema || !g_settings_schema_has_key (schema, ENABLED))
    return NULL;
  settings = g_settings_new (SCHEMA);
  enabled = g_settings_get_strv (settings, ENABLED);
  if (g_strv_contains ((const char *const *) enabled, OURS))
    return NULL;
  g_strv_builder_addv (all, (const char **) enabled);
  g_strv_builder_add (all, OURS);
  g_strfreev (enabled);
  enabled = g_strv_builder_end (all);
  text = g_variant_print (g_variant_new_strv ((const char *const *) enabled, -1), FALSE);
  quoted = g_shell_quote (text);
  return g_strdup_printf ("gsettings set " SCHEMA " " ENABLED " %s", quoted);
}
