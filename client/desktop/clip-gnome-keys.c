/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A shortcut of the user's own is a path in a list of paths, and three settings below it.
 * GNOME refuses no chord that is taken: which of the two gets it is luck, so all others
 * are read.
 */
#include "clip-gnome-keys.h"

#include <gio/gio.h>

#define MEDIA_KEYS "org.gnome.settings-daemon.plugins.media-keys"
#define CUSTOM MEDIA_KEYS ".custom-keybinding"
#define LIST "custom-keybindings"
#define OURS "/org/gnome/settings-daemon/plugins/media-keys/custom-keybindings/cliphist/"

static const char *const schemas[] = {
  "org.gnome.shell.keybindings",
  "org.gnome.desktop.wm.keybindings",
  "org.gnome.mutter.keybindings",
  "org.gnome.mutter.wayland.keybindings",
  MEDIA_KEYS,
};

/* (transfer full) (nullable): the program ends where a schema that it asks for is not
 * installed, or has no such key */
static GSettingsSchema *
find_schema (const char *id)
{
  GSettingsSchemaSource *source = g_settings_schema_source_get_default ();

  return source ? g_settings_schema_source_lookup (source, id, TRUE) : NULL;
}

gboolean
clip_gnome_keys_can_bind (void)
{
  g_autoptr (GSettingsSchema) list = find_schema (MEDIA_KEYS);
  g_autoptr (GSettingsSchema) custom = find_schema (CUSTOM);

  return list && custom && g_settings_schema_has_key (list, LIST);
}

static gboolean
is_chord (const char *accelerator, const ClipChord *chord)
{
  ClipChord other;

  return clip_chord_parse_accelerator (accelerator, &other) &&
         clip_chord_equals (&other, chord);
}

/* (transfer full): of @accelerators those that are not @chord; @out_has: whether it was
 * among them */
static char *
format_rest (GStrv accelerators, const ClipChord *chord, gboolean *out_has)
{
  g_autoptr (GVariant) rest = NULL;
  GVariantBuilder builder;

  *out_has = FALSE;
  g_variant_builder_init (&builder, G_VARIANT_TYPE_STRING_ARRAY);
  for (guint i = 0; accelerators[i]; i++)
    if (is_chord (accelerators[i], chord))
      *out_has = TRUE;
    else
      g_variant_builder_add (&builder, "s", accelerators[i]);
  rest = g_variant_ref_sink (g_variant_builder_end (&builder));
  return g_variant_print (rest, FALSE);
}

static gboolean
is_owner (GSettings *settings,
          GSettingsSchema *schema,
          const char *key,
          const ClipChord *chord,
          ClipGnomeOwner *out_owner)
{
  g_autoptr (GVariant) value = g_settings_get_value (settings, key);
  g_autoptr (GSettingsSchemaKey) row = g_settings_schema_get_key (schema, key);
  g_auto (GStrv) accelerators = NULL;
  g_autofree char *rest = NULL;
  gboolean has;

  if (!g_variant_is_of_type (value, G_VARIANT_TYPE_STRING_ARRAY))
    return FALSE;
  accelerators = g_variant_dup_strv (value, NULL);
  rest = format_rest (accelerators, chord, &has);
  if (!has)
    return FALSE;
  out_owner->schema = g_strdup (g_settings_schema_get_id (schema));
  out_owner->key = g_strdup (key);
  out_owner->what = g_strdup (g_settings_schema_key_get_summary (row) ?: key);
  out_owner->rest = g_steal_pointer (&rest);
  return TRUE;
}

static gboolean
find_in_schema (const char *id, const ClipChord *chord, ClipGnomeOwner *out_owner)
{
  g_autoptr (GSettingsSchema) schema = find_schema (id);
  g_autoptr (GSettings) settings = NULL;
  g_auto (GStrv) keys = NULL;

  if (!schema)
    return FALSE;
  settings = g_settings_new_full (schema, NULL, NULL);
  keys = g_settings_schema_list_keys (schema);
  for (guint i = 0; keys[i]; i++)
    if (is_owner (settings, schema, keys[i], chord, out_owner))
      return TRUE;
  return FALSE;
}

/* (transfer full): the paths of the user's own shortcuts */
static GStrv
list_paths (void)
{
  g_autoptr (GSettings) list = g_settings_new (MEDIA_KEYS);

  return g_settings_get_strv (list, LIST);
}

static gboolean
find_in_custom (const ClipChord *chord, ClipGnomeOwner *out_owner)
{
  g_auto (GStrv) paths = list_paths ();

  for (guint i = 0; paths[i]; i++)
    {
      g_autoptr (GSettings) custom = NULL;
      g_autofree char *binding = NULL;

      /* the list is free text; what is no path of settings ends GSettings */
      if (!g_regex_match_simple ("^/([^/]+/)+$", paths[i], 0, 0))
        continue;
      custom = g_settings_new_with_path (CUSTOM, paths[i]);
      binding = g_settings_get_string (custom, "binding");
      if (g_str_equal (paths[i], OURS) || !is_chord (binding, chord))
        continue;
      out_owner->what = g_settings_get_string (custom, "name");
      return TRUE;
    }
  return FALSE;
}

/**
 * clip_gnome_keys_find_owner:
 * @out_owner: (out): cleared where there is none
 *
 * Returns: whether something else than our shortcut has @chord
 */
gboolean
clip_gnome_keys_find_owner (const ClipChord *chord, ClipGnomeOwner *out_owner)
{
  *out_owner = (ClipGnomeOwner){ 0 };
  for (guint i = 0; i < G_N_ELEMENTS (schemas); i++)
    if (find_in_schema (schemas[i], chord, out_owner))
      return TRUE;
  return find_in_custom (chord, out_owner);
}

void
clip_gnome_owner_clear (ClipGnomeOwner *owner)
{
  g_clear_pointer (&owner->schema, g_free);
  g_clear_pointer (&owner->key, g_free);
  g_clear_pointer (&owner->what, g_free);
  g_clear_pointer (&owner->rest, g_free);
}

static gboolean
list_ours (void)
{
  g_autoptr (GSettings) list = g_settings_new (MEDIA_KEYS);
  g_auto (GStrv) paths = g_settings_get_strv (list, LIST);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) longer = NULL;

  if (g_strv_contains ((const char *const *) paths, OURS))
    return TRUE;
  g_strv_builder_addv (builder, (const char **) paths);
  g_strv_builder_add (builder, OURS);
  longer = g_strv_builder_end (builder);
  return g_settings_set_strv (list, LIST, (const char *const *) longer);
}

/**
 * clip_gnome_keys_bind:
 * @name: of the shortcut, in Settings
 *
 * Gives the shortcut that is ours this chord, in the place of the one that it had.
 *
 * Returns: %FALSE where an administrator has locked these settings
 */
gboolean
clip_gnome_keys_bind (const ClipChord *chord, const char *name, const char *command)
{
  g_autoptr (GSettings) custom = g_settings_new_with_path (CUSTOM, OURS);
  g_autofree char *binding = clip_chord_format (chord, &clip_chord_of_gtk);
  gboolean is_set = g_settings_set_string (custom, "name", name) &&
                    g_settings_set_string (custom, "command", command) &&
                    g_settings_set_string (custom, "binding", binding) && list_ours ();

  g_settings_sync ();
  return is_set;
}
