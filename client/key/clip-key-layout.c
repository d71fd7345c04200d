/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The layouts of the keyboard, as GNOME and KDE have them set. Shell and portal find a
 * key by its sign, in the layout that is in use; where that has no v, they press nothing.
 * So with such a one among the layouts the place of v is pressed, which is the same in
 * nearly all others: programs that get Ctrl and a sign of another script from there take
 * it for what it is in the Latin layout.
 */
#include "clip-key-layout.h"

#ifdef CLIP_HAVE_WAYLAND
#  include "clip-key-place.h"
#endif

#include <gio/gio.h>
#include <string.h>

#define SOURCES "org.gnome.desktop.input-sources"
#define ALL "sources"

#define GROUP "Layout"

#ifdef CLIP_HAVE_WAYLAND

/* what KWin reads, too; where they are not in use, those that are remain unknown */
static void
add_of_kde (ClipKeyPlace *self)
{
  g_autofree char *file = g_build_filename (g_get_user_config_dir (), "kxkbrc", NULL);
  g_autoptr (GKeyFile) set = g_key_file_new ();
  g_autofree char *layouts = NULL;
  g_autofree char *variants = NULL;

  g_key_file_load_from_file (set, file, G_KEY_FILE_NONE, NULL);
  if (!g_key_file_get_boolean (set, GROUP, "Use", NULL))
    return;
  layouts = g_key_file_get_value (set, GROUP, "LayoutList", NULL);
  variants = g_key_file_get_value (set, GROUP, "VariantList", NULL);
  if (layouts)
    clip_key_place_add_lists (self, layouts, variants ?: "");
}

static void
add_of_gnome (ClipKeyPlace *self)
{
  GSettingsSchemaSource *source = g_settings_schema_source_get_default ();
  g_autoptr (GSettingsSchema) schema =
      source ? g_settings_schema_source_lookup (source, SOURCES, TRUE) : NULL;
  g_autoptr (GSettings) settings = NULL;
  g_autoptr (GVariant) list = NULL;
  GVariantIter all;
  const char *kind, *id;

  if (!schema || !g_settings_schema_has_key (schema, ALL))
    return;
  settings = g_settings_new_full (schema, NULL, NULL);
  list = g_settings_get_value (settings, ALL);
  if (!g_variant_is_of_type (list, G_VARIANT_TYPE ("a(ss)")))
    return;
  g_variant_iter_init (&all, list);
  while (g_variant_iter_next (&all, "(&s&s)", &kind, &id))
    {
      g_auto (GStrv) parts = g_strsplit (id, "+", 2);

      /* the layout of an input method is unknown */
      if (g_str_equal (kind, "xkb") && parts[0])
        clip_key_place_add (self, parts[0], parts[1] ?: "");
      else
        clip_key_place_add (self, "", "");
    }
}

/* whether a v is to be pressed by its place; what another desktop has set is no matter */
gboolean
clip_key_layout_places_v (void)
{
  const char *desktop = g_getenv ("XDG_CURRENT_DESKTOP") ?: "";
  ClipKeyPlace place = { 0 };

  if (strstr (desktop, "KDE"))
    add_of_kde (&place);
  else
    add_of_gnome (&place);
  return clip_key_place_is_sure (&place);
}

#else

gboolean
clip_key_layout_places_v (void)
{
  return FALSE;
}

#endif

/**
 * clip_key_layout_method:
 * @out_key: (out): the number by which it names the key
 *
 * Returns: the method of a RemoteDesktop, the shell's or the portal's
 */
const char *
clip_key_layout_method (gboolean places_v, const ClipStroke *stroke, guint32 *out_key)
{
  const gboolean is_placed = places_v && stroke->keysym == 'v';

  *out_key = is_placed ? stroke->code : stroke->keysym;
  return is_placed ? "NotifyKeyboardKeycode" : "NotifyKeyboardKeysym";
}
