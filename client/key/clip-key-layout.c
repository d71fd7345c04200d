/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The layouts of the keyboard, as GNOME and KDE tell them. Shell and portal find a key by
 * its sign, in the layout that is in use; where that has no v, they press nothing. So
 * with such a one among the layouts the place of v is pressed, which is the same in
 * nearly all others: programs that get Ctrl and a sign of another script from there take
 * it for what it is in the Latin layout.
 */
#include "clip-key-layout.h"

#include <string.h>

#define SOURCES "org.gnome.desktop.input-sources"
#define ALL "sources"

#define KDE "org.kde.keyboard"
#define CALL_MS 1000

/* those of xkeyboard-config in which no key says v */
static const char *const lacking[] = {
  "af", "am", "ara", "bd", "bg", "brai", "bt", "by", "et", "ge", "gn", "gr", "il",
  "in", "iq", "ir",  "jv", "kg", "kh",   "kz", "la", "lk", "ma", "mk", "mn", "mv",
  "my", "np", "pk",  "rs", "ru", "sy",   "th", "tj", "tz", "ua", "uz",
};

/* words in the names of those that have it in another place */
static const char *const moving[] = {
  "bepo", "dvorak", "dvp", "nativo", "neo", "workman",
};

typedef struct
{
  gboolean lacks; /* one of them does */
  gboolean moves;
} Layouts;

/* @variant: a name, or words that have it */
static void
add (Layouts *self, const char *name, const char *variant)
{
  g_autofree char *words = g_ascii_strdown (variant, -1);

  for (guint i = 0; i < G_N_ELEMENTS (lacking); i++)
    self->lacks |= g_str_equal (lacking[i], name);
  for (guint i = 0; i < G_N_ELEMENTS (moving); i++)
    self->moves |= strstr (words, moving[i]) != NULL;
}

/* on another desktop, and where there is but one layout, it answers nothing */
static void
add_of_kde (Layouts *self, GDBusConnection *bus)
{
  g_autoptr (GVariant) reply = g_dbus_connection_call_sync (
      bus, KDE, "/Layouts", "org.kde.KeyboardLayouts", "getLayoutsList", NULL,
      G_VARIANT_TYPE ("(a(sss))"), G_DBUS_CALL_FLAGS_NO_AUTO_START, CALL_MS, NULL, NULL);
  g_autoptr (GVariantIter) layouts = NULL;
  const char *name, *words;

  if (!reply)
    return;
  g_variant_get (reply, "(a(sss))", &layouts);
  while (g_variant_iter_next (layouts, "(&s&s&s)", &name, NULL, &words))
    add (self, name, words);
}

static void
add_of_gnome (Layouts *self)
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

      if (g_str_equal (kind, "xkb") && parts[0])
        add (self, parts[0], parts[1] ?: "");
    }
}

/* whether a v is to be pressed by its place */
gboolean
clip_key_layout_places_v (GDBusConnection *bus)
{
  Layouts layouts = { 0 };

  add_of_kde (&layouts, bus);
  add_of_gnome (&layouts);
  return layouts.lacks && !layouts.moves;
}

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
