/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The search of GNOME Shell. It asks for ids with every key that is pressed, then for
 * what it shows of a few of them. It would copy the text of a result itself if we gave it
 * one, and then own the clipboard; we own it instead, and offer every type.
 */
#define G_LOG_DOMAIN "clip-bus"
#include "clip-bus-error.h"
#include "clip-convert.h"
#include "clip-finder-private.h"
#include "clip-paths.h"

static GVariant *
make_ids (GPtrArray *entries, GHashTable *icons G_GNUC_UNUSED)
{
  GVariantBuilder ids;

  g_variant_builder_init (&ids, G_VARIANT_TYPE_STRING_ARRAY);
  for (guint i = 0; i < entries->len; i++)
    {
      const ClipEntry *entry = g_ptr_array_index (entries, i);

      g_variant_builder_add_value (&ids, g_variant_new_take_string (g_strdup_printf (
                                             "%" G_GINT64_FORMAT, entry->row.id)));
    }
  return g_variant_new ("(as)", &ids);
}

/* (transfer full): of what has no thumbnail */
static GVariant *
make_themed_icon (const ClipEntry *entry)
{
  g_autoptr (GIcon) icon = g_themed_icon_new (clip_finder_icon (entry));

  return g_icon_serialize (icon);
}

/* @thumbnail: (nullable) */
static void
add_meta (GVariantBuilder *metas, const ClipEntry *entry, GVariant *thumbnail)
{
  g_autoptr (GVariant) icon =
      thumbnail ? g_variant_ref (thumbnail) : make_themed_icon (entry);
  GVariant *id =
      g_variant_new_take_string (g_strdup_printf ("%" G_GINT64_FORMAT, entry->row.id));

  g_variant_builder_open (metas, G_VARIANT_TYPE_VARDICT);
  g_variant_builder_add (metas, "{sv}", "id", id);
  g_variant_builder_add (metas, "{sv}", "name",
                         g_variant_new_take_string (clip_finder_title (entry)));
  g_variant_builder_add (metas, "{sv}", "description",
                         g_variant_new_take_string (clip_finder_about (entry)));
  g_variant_builder_add (metas, "{sv}", "icon", icon);
  g_variant_builder_close (metas);
}

static GVariant *
make_metas (GPtrArray *entries, GHashTable *icons)
{
  GVariantBuilder metas;

  g_variant_builder_init (&metas, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; i < entries->len; i++)
    {
      const ClipEntry *entry = g_ptr_array_index (entries, i);

      add_meta (&metas, entry, g_hash_table_lookup (icons, &entry->row.id));
    }
  return g_variant_new ("(aa{sv})", &metas);
}

static void
on_opened (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GDBusMethodInvocation *invocation = user_data;
  GError *error = NULL;
  g_autoptr (GVariant) reply =
      g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result, &error);

  if (reply)
    g_dbus_method_invocation_return_value (invocation, NULL);
  else
    g_dbus_method_invocation_take_error (invocation, error);
}

/* the window searches for what was searched for: it shows more than the desktop does */
static void
open_window (GDBusMethodInvocation *invocation, const char *const *words)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  GVariant *parameter;

  if (!clip_convert_check_list ("words", words, CLIP_CONVERT_MAX_ITEMS,
                                CLIP_CONVERT_MAX_TEXT, &error))
    {
      clip_bus_return_error (invocation, error);
      return;
    }
  text = g_strjoinv (" ", (char **) words);
  parameter = g_variant_new_variant (g_variant_new_string (text));
  g_dbus_connection_call (
      g_dbus_method_invocation_get_connection (invocation), CLIP_APPLICATION_ID,
      "/org/cliphist/Cliphist", "org.freedesktop.Application", "ActivateAction",
      g_variant_new ("(s@ava{sv})", "toggle",
                     g_variant_new_array (G_VARIANT_TYPE_VARIANT, &parameter, 1), NULL),
      NULL, G_DBUS_CALL_FLAGS_NONE, -1, NULL, on_opened, invocation);
}

/* a narrower search begins anew: the wider one found the newest 20 only */
static void
answer (ClipFinder *self,
        GDBusMethodInvocation *invocation,
        const char *method,
        GVariant *parameters)
{
  static const ClipFinderReply with_ids = { .make = make_ids };
  static const ClipFinderReply with_metas = { TRUE, CLIP_THUMBNAIL_FILE, make_metas };
  g_autofree const char **words = NULL;
  const char *id;

  if (g_str_equal (method, "GetInitialResultSet"))
    {
      g_variant_get (parameters, "(^a&s)", &words);
      clip_finder_search (self, words, invocation, &with_ids);
    }
  else if (g_str_equal (method, "GetSubsearchResultSet"))
    {
      g_variant_get (parameters, "(as^a&s)", NULL, &words);
      clip_finder_search (self, words, invocation, &with_ids);
    }
  else if (g_str_equal (method, "GetResultMetas"))
    {
      g_variant_get (parameters, "(^a&s)", &words);
      clip_finder_lookup (self, words, invocation, &with_metas);
    }
  else if (g_str_equal (method, "ActivateResult"))
    {
      g_variant_get (parameters, "(&sasu)", &id, NULL, NULL);
      clip_finder_select (self, id, invocation);
    }
  else /* LaunchSearch */
    {
      g_variant_get (parameters, "(^a&su)", &words, NULL);
      open_window (invocation, words);
    }
}

const ClipFinderFace clip_search_provider = {
  .path = CLIP_BUS_PATH "/SearchProvider",
  .xml = "<node>"
         "  <interface name='org.gnome.Shell.SearchProvider2'>"
         "    <method name='GetInitialResultSet'>"
         "      <arg type='as' name='terms' direction='in'/>"
         "      <arg type='as' name='results' direction='out'/>"
         "    </method>"
         "    <method name='GetSubsearchResultSet'>"
         "      <arg type='as' name='previous' direction='in'/>"
         "      <arg type='as' name='terms' direction='in'/>"
         "      <arg type='as' name='results' direction='out'/>"
         "    </method>"
         "    <method name='GetResultMetas'>"
         "      <arg type='as' name='ids' direction='in'/>"
         "      <arg type='aa{sv}' name='metas' direction='out'/>"
         "    </method>"
         "    <method name='ActivateResult'>"
         "      <arg type='s' name='id' direction='in'/>"
         "      <arg type='as' name='terms' direction='in'/>"
         "      <arg type='u' name='timestamp' direction='in'/>"
         "    </method>"
         "    <method name='LaunchSearch'>"
         "      <arg type='as' name='terms' direction='in'/>"
         "      <arg type='u' name='timestamp' direction='in'/>"
         "    </method>"
         "  </interface>"
         "</node>",
  .answer = answer,
};
