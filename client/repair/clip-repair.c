/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * To repair is for the owner of the history, which is started where there is none. What
 * keeps a daemon from starting has to be set right before, and what it sets right as it
 * starts is not there any more when it is asked: so this looks for both beforehand, and
 * says it, too.
 */
#include "clip-repair.h"

#include "clip-check.h"
#include "clip-error.h"
#include "clip-private-daemon.h"
#include "clip-reader.h"
#include "clip-remote.h"

static GVariant *
ask_owner (const ClipCommand *command, GError **error)
{
  g_autoptr (ClipRemote) remote = clip_remote_new (command);
  g_autoptr (GVariant) reply = NULL;

  clip_remote_set_option (remote, "repair", g_variant_new_boolean (TRUE));
  reply =
      clip_remote_call (remote, "Check", g_variant_new ("()"), "(a{sv})", NULL, error);
  return reply ? g_variant_get_child_value (reply, 0) : NULL;
}

/* --- what was there before --- */

/* (transfer full): the folders of what was set aside */
static GHashTable *
list_aside (const char *store)
{
  g_autofree char *path = g_build_filename (store, CLIP_ASIDE_NAME, NULL);
  g_autoptr (GDir) folder = g_dir_open (path, 0, NULL);
  GHashTable *names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  const char *name;

  while (folder && (name = g_dir_read_name (folder)))
    g_hash_table_add (names, g_strdup (name));
  return names;
}

/* (transfer full): below the folder of the history: the one folder that is not in
 * @before, or what they all are in; "" where there is none */
static char *
find_aside (const char *store, GHashTable *before)
{
  g_autoptr (GHashTable) after = list_aside (store);
  g_autofree char *found = g_strdup ("");
  GHashTableIter iter;
  gpointer name;

  g_hash_table_iter_init (&iter, after);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    {
      if (g_hash_table_contains (before, name))
        continue;
      if (*found)
        return g_strdup (CLIP_ASIDE_NAME);
      g_free (found);
      found = g_build_filename (CLIP_ASIDE_NAME, name, NULL);
    }
  return g_steal_pointer (&found);
}

static gboolean
is_listed (GVariant *findings, const ClipFinding *finding)
{
  for (gsize i = 0; findings && i < g_variant_n_children (findings); i++)
    {
      g_autoptr (GVariant) child = g_variant_get_child_value (findings, i);
      const char *kind = "";

      g_variant_lookup (child, "kind", "&s", &kind);
      if (g_str_equal (kind, clip_finding_name (finding->kind)))
        return TRUE;
    }
  return FALSE;
}

/* (transfer full): the owner's report, and what was set right before it could be asked */
static GVariant *
complete (GVariant *report_take,
          const ClipReport *before,
          const char *store,
          GHashTable *aside_before)
{
  g_autoptr (GVariant) report = report_take;
  g_autoptr (GVariant) findings =
      g_variant_lookup_value (report, "findings", G_VARIANT_TYPE ("aa{sv}"));
  g_autoptr (GVariant) repaired =
      g_variant_lookup_value (report, "repaired", G_VARIANT_TYPE ("aa{sv}"));
  g_autofree char *aside = find_aside (store, aside_before);
  g_auto (GVariantDict) dict = G_VARIANT_DICT_INIT (report);
  GVariantBuilder list;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; i < before->findings->len; i++)
    {
      const ClipFinding *finding = before->findings->pdata[i];

      if (!is_listed (findings, finding) && !is_listed (repaired, finding))
        g_variant_builder_add_value (&list, clip_finding_to_variant (finding));
    }
  for (gsize i = 0; repaired && i < g_variant_n_children (repaired); i++)
    {
      g_autoptr (GVariant) child = g_variant_get_child_value (repaired, i);

      g_variant_builder_add_value (&list, child);
    }
  g_variant_dict_insert_value (&dict, "repaired", g_variant_builder_end (&list));
  if (*aside)
    g_variant_dict_insert (&dict, "aside", "s", aside);
  return g_variant_ref_sink (g_variant_dict_end (&dict));
}

/* --- */

/* Whether a daemon can open it, and @out_before: (out): what it will find. Where none can
 * it is made one that does. @out_empty: (out): nothing was stored yet, and there is
 * nothing to do */
static gboolean
make_openable (const ClipCommand *command,
               ClipReport **out_before,
               gboolean *out_empty,
               GError **error)
{
  g_autoptr (GError) local = NULL;
  g_autoptr (GError) failure = NULL;
  g_autoptr (ClipReader) reader = clip_reader_open (command->store, &local);
  gboolean is_gone = g_error_matches (local, CLIP_ERROR, CLIP_ERROR_NO_HISTORY);

  if (!reader && !is_gone && !g_error_matches (local, CLIP_ERROR, CLIP_ERROR_CORRUPT) &&
      !g_error_matches (local, CLIP_ERROR, CLIP_ERROR_FAILED))
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  *out_before = reader ? clip_report_new () : clip_check (command->store, NULL, &failure);
  *out_empty = g_error_matches (failure, CLIP_ERROR, CLIP_ERROR_NO_HISTORY);
  if (*out_empty)
    *out_before = clip_report_new ();
  if (!*out_before)
    g_propagate_error (error, g_steal_pointer (&failure));
  return *out_before &&
         (reader || is_gone || clip_private_daemon_repair (command->store, error));
}

/* A daemon reads more at its start than is looked at beforehand, and where that is
 * damaged it gives up and says so. @before: (inout): what was found */
static GVariant *
ask_owner_or_save (const ClipCommand *command, ClipReport **before, GError **error)
{
  g_autoptr (GError) local = NULL;
  GVariant *report = ask_owner (command, &local);

  if (report)
    return report;
  if (!clip_private_daemon_has_said_why (local))
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return NULL;
    }
  g_clear_pointer (before, clip_report_free);
  *before = clip_check (command->store, NULL, error);
  if (!*before || !clip_private_daemon_repair (command->store, error))
    return NULL;
  return ask_owner (command, error);
}

/**
 * clip_repair:
 *
 * Returns: (transfer full): what was found and set right, an a{sv} as Check answers it; a
 * folder in which nothing was stored yet stays as it is
 *
 * Errors: as clip_check(), and those of the call.
 */
GVariant *
clip_repair (const ClipCommand *command, GError **error)
{
  g_autoptr (GHashTable) aside = list_aside (command->store);
  g_autoptr (ClipReport) before = NULL;
  gboolean is_empty = FALSE;
  GVariant *report;

  if (!make_openable (command, &before, &is_empty, error))
    return NULL;
  if (is_empty)
    return g_variant_ref_sink (clip_report_to_variant (before, NULL, ""));
  report = ask_owner_or_save (command, &before, error);
  return report ? complete (report, before, command->store, aside) : NULL;
}
