/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The search of KDE Plasma. It sends what was typed as it is, so that the word in front,
 * which keeps the history out of every other search, is looked at here, too: not every
 * KRunner knows the pattern in the .desktop file.
 */
#define G_LOG_DOMAIN "clip-bus"
#include "clip-bus-error.h"
#include "clip-convert.h"
#include "clip-finder-private.h"
#include "clip-paths.h"

#include <glib/gi18n.h>
#include <string.h>

/* of the matches that KRunner shows: "possible"; the word in front makes others rare */
#define CATEGORY_RELEVANCE 30

/* (nullable): what stands behind the word; NULL where that does not */
static const char *
behind_trigger (const char *query)
{
  gsize length = strlen (CLIP_RUNNER_WORD);

  while (g_ascii_isspace (*query))
    query++;
  if (g_ascii_strncasecmp (query, CLIP_RUNNER_WORD, length) != 0 ||
      !g_ascii_isspace (query[length]))
    return NULL;
  return query + length + 1;
}

/* no empty ones: those would be found everywhere */
static char **
split (const char *text)
{
  g_auto (GStrv) parts = g_strsplit_set (text, " \t\n", -1);
  GPtrArray *words = g_ptr_array_new ();

  for (guint i = 0; parts[i]; i++)
    if (*parts[i])
      g_ptr_array_add (words, g_strdup (parts[i]));
  g_ptr_array_add (words, NULL);
  return (char **) g_ptr_array_free (words, FALSE);
}

/* @thumbnail: (nullable): goes before the icon of the theme */
static GVariant *
properties_of (const ClipEntry *entry, GVariant *thumbnail)
{
  GVariantBuilder properties;

  g_variant_builder_init (&properties, G_VARIANT_TYPE_VARDICT);
  g_variant_builder_add (&properties, "{sv}", "category",
                         g_variant_new_string (_ ("Clipboard history")));
  g_variant_builder_add (&properties, "{sv}", "subtext",
                         g_variant_new_take_string (clip_finder_about (entry)));
  if (thumbnail)
    g_variant_builder_add (&properties, "{sv}", "icon-data", thumbnail);
  return g_variant_builder_end (&properties);
}

/* newest first */
static GVariant *
make_matches (GPtrArray *entries, GHashTable *icons)
{
  GVariantBuilder matches;

  g_variant_builder_init (&matches, G_VARIANT_TYPE ("a(sssida{sv})"));
  for (guint i = 0; i < entries->len; i++)
    {
      const ClipEntry *entry = g_ptr_array_index (entries, i);
      g_autofree char *id = g_strdup_printf ("%" G_GINT64_FORMAT, entry->row.id);
      g_autofree char *title = clip_finder_title (entry);

      g_variant_builder_add (
          &matches, "(sssid@a{sv})", id, title, clip_finder_icon (entry),
          CATEGORY_RELEVANCE, 1 - i * 0.01,
          properties_of (entry, g_hash_table_lookup (icons, &entry->row.id)));
    }
  return g_variant_new ("(a(sssida{sv}))", &matches);
}

static void
match (ClipFinder *self, GDBusMethodInvocation *invocation, GVariant *parameters)
{
  static const char *const none[] = { NULL };
  static const ClipFinderReply reply = { TRUE, CLIP_THUMBNAIL_PIXELS, make_matches };
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) words = NULL;
  const char *query;

  g_variant_get (parameters, "(&s)", &query);
  if (!clip_convert_check_length ("query", query, CLIP_CONVERT_MAX_TEXT, &error))
    {
      clip_bus_return_error (invocation, error);
      return;
    }
  query = behind_trigger (query);
  words = query ? split (query) : g_strdupv ((char **) none);
  clip_finder_search (self, (const char *const *) words, invocation, &reply);
}

/* there is one thing to do with an entry, and that is no action but the match itself */
static GVariant *
configuration (void)
{
  return g_variant_new_parsed ("({'MatchRegex': <%s>, 'TriggerWords': <[%s]>},)",
                               "^\\s*" CLIP_RUNNER_WORD "\\s+\\S", CLIP_RUNNER_WORD " ");
}

static void
answer (ClipFinder *self,
        GDBusMethodInvocation *invocation,
        const char *method,
        GVariant *parameters)
{
  const char *id;

  if (g_str_equal (method, "Match"))
    match (self, invocation, parameters);
  else if (g_str_equal (method, "Run"))
    {
      g_variant_get (parameters, "(&s&s)", &id, NULL);
      clip_finder_select (self, id, invocation);
    }
  else if (g_str_equal (method, "Actions"))
    g_dbus_method_invocation_return_value (
        invocation, g_variant_new ("(@a(sss))", g_variant_new_array (
                                                    G_VARIANT_TYPE ("(sss)"), NULL, 0)));
  else if (g_str_equal (method, "Config"))
    g_dbus_method_invocation_return_value (invocation, configuration ());
  else /* Teardown, SetActivationToken: nothing is kept for a search */
    g_dbus_method_invocation_return_value (invocation, NULL);
}

const ClipFinderFace clip_krunner = {
  .path = CLIP_BUS_PATH "/Runner",
  .xml = "<node>"
         "  <interface name='org.kde.krunner1'>"
         "    <method name='Actions'>"
         "      <arg type='a(sss)' name='actions' direction='out'/>"
         "    </method>"
         "    <method name='Match'>"
         "      <arg type='s' name='query' direction='in'/>"
         "      <arg type='a(sssida{sv})' name='matches' direction='out'/>"
         "    </method>"
         "    <method name='Run'>"
         "      <arg type='s' name='match' direction='in'/>"
         "      <arg type='s' name='action' direction='in'/>"
         "    </method>"
         "    <method name='Config'>"
         "      <arg type='a{sv}' name='config' direction='out'/>"
         "    </method>"
         "    <method name='SetActivationToken'>"
         "      <arg type='s' name='token' direction='in'/>"
         "    </method>"
         "    <method name='Teardown'/>"
         "  </interface>"
         "</node>",
  .answer = answer,
};
