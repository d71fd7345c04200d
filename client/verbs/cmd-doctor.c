/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What is wrong with a history, as lines for people or objects for programs, and for
 * people also what is missing on this desktop. To look takes no daemon: what is damaged
 * may keep one from starting.
 */
#include "clip-autostart.h"
#include "clip-check.h"
#include "clip-cmds.h"
#include "clip-desktop-check.h"
#include "clip-direct.h"
#include "clip-disk.h"
#include "clip-display-name.h"
#include "clip-error.h"
#include "clip-facts.h"
#include "clip-json.h"
#include "clip-libexec.h"
#include "clip-output.h"
#include "clip-paths.h"
#include "clip-repair.h"
#include "clip-row.h"
#include "clip-set-aside.h"
#include "clip-text.h"
#include "clip-units.h"
#include "clip-words.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* the daemon speaks to programs, in English */
static const char *
translated (const char *text)
{
  return *text ? _ (text) : "";
}

static void
append_finding_text (GString *out, GVariantDict *finding, gboolean repaired)
{
  const char *kind = "", *object = "", *text = "", *meaning = "", *remedy = "";
  guint64 id = 0;
  g_autoptr (GString) line = g_string_new (NULL);

  g_variant_dict_lookup (finding, "kind", "&s", &kind);
  g_variant_dict_lookup (finding, "object", "&s", &object);
  g_variant_dict_lookup (finding, "text", "&s", &text);
  g_variant_dict_lookup (finding, "meaning", "&s", &meaning);
  g_variant_dict_lookup (finding, "remedy", "&s", &remedy);
  g_variant_dict_lookup (finding, "id", "t", &id);
  g_string_append_printf (line, "%s: ", kind);
  if (id)
    g_string_append_printf (line, "id %" G_GUINT64_FORMAT ": ", id);
  if (*object)
    g_string_append_printf (line, "%s: ", object);
  g_string_append_printf (
      line, repaired ? _ ("%s; %s; repaired: %s") : _ ("%s; %s; with --repair %s"), text,
      translated (meaning), translated (remedy));
  clip_text_append_visible (out, line->str, line->len);
  g_string_append_c (out, '\n');
}

static void
append_finding_json (GString *out, GVariant *finding, gboolean repaired)
{
  gsize start = out->len;

  clip_json_append_members (out, finding);
  out->str[start] = '{'; /* for the comma in front of the first */
  g_string_append_printf (out, ",\"repaired\":%s}\n", repaired ? "true" : "false");
}

static void
append_findings (GString *out, GVariantDict *report, gboolean repaired, gboolean json)
{
  g_autoptr (GVariant) findings = g_variant_dict_lookup_value (
      report, repaired ? "repaired" : "findings", G_VARIANT_TYPE ("aa{sv}"));

  for (gsize i = 0; findings && i < g_variant_n_children (findings); i++)
    {
      g_autoptr (GVariant) finding = g_variant_get_child_value (findings, i);
      g_auto (GVariantDict) dict = G_VARIANT_DICT_INIT (finding);

      if (json)
        append_finding_json (out, finding, repaired);
      else
        append_finding_text (out, &dict, repaired);
    }
}

/* whether all that file and environment say is understood; what is not follows on
   standard error */
static gboolean
is_configured (const ClipCommand *command)
{
  return !command->is_misconfigured && !*clip_settings_complaints (command->settings);
}

static guint64
get_number (GVariantDict *report, const char *key)
{
  guint64 number = 0;

  g_variant_dict_lookup (report, key, "t", &number);
  return number;
}

static void
append_summary_text (GString *out,
                     const ClipCommand *command,
                     GVariantDict *report,
                     gboolean ok)
{
  const char *aside = "";
  g_autofree char *size = clip_format_size ((gint64) get_number (report, "bytes"));

  g_string_append_printf (
      out, _ ("checked: pages %lu, entries %lu, further contents %lu, files %lu (%s): "),
      (gulong) get_number (report, "pages"), (gulong) get_number (report, "entries"),
      (gulong) get_number (report, "contents"), (gulong) get_number (report, "blobs"),
      size);
  if (!ok)
    g_string_append (out, _ ("something is wrong"));
  else
    g_string_append (out,
                     is_configured (command)
                         ? _ ("nothing is wrong")
                         : _ ("nothing is wrong, but the configuration has mistakes"));
  g_string_append_c (out, '\n');
  g_variant_dict_lookup (report, "aside", "&s", &aside);
  if (*aside)
    {
      g_autofree char *line =
          g_strdup_printf (_ ("set aside in %s/%s\n"), command->store, aside);

      clip_text_append_visible (out, line, strlen (line));
    }
  else
    {
      clip_set_aside_append (out, command->store);
      clip_set_aside_append_names (out, command->store);
    }
}

static void
append_summary_json (GString *out,
                     const ClipCommand *command,
                     GVariantDict *report,
                     gboolean ok)
{
  static const char *const keys[] = { "pages", "entries", "contents", "blobs", "bytes" };
  g_autoptr (GVariant) complaints = g_variant_ref_sink (
      g_variant_new_strv (clip_settings_complaints (command->settings), -1));
  const char *aside = "";

  g_string_append_printf (out, "{\"ok\":%s",
                          ok && is_configured (command) ? "true" : "false");
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    g_string_append_printf (out, ",\"%s\":%" G_GUINT64_FORMAT, keys[i],
                            get_number (report, keys[i]));
  g_variant_dict_lookup (report, "aside", "&s", &aside);
  g_string_append (out, ",\"aside\":");
  clip_json_append_string (out, aside, -1);
  g_string_append_printf (out, ",\"set_aside\":%" G_GINT64_FORMAT ",",
                          clip_set_aside_bytes (command->store));
  clip_disk_append_json (out, command->store, command->settings);
  g_string_append (out, ",\"configuration\":");
  clip_json_append_variant (out, complaints);
  g_string_append (out, "}\n");
}

/* FALSE, and a line in the words of the daemon, where it may not: the file is one that
 * the file system lets no program change, which its mode does not show */
static gboolean
append_unless_writable (GString *out, const ClipCommand *command)
{
  g_autofree char *path = g_build_filename (command->store, CLIP_DATABASE_NAME, NULL);
  g_autoptr (GError) error = NULL;

  if (faccessat (AT_FDCWD, path, W_OK, AT_EACCESS) == 0 || errno == ENOENT)
    return TRUE;
  clip_set_errno (&error, errno, "'%s'", path);
  clip_facts_append (out, _ ("disk"), error->message);
  return FALSE;
}

static void
append_pause (GString *out, const ClipCommand *command)
{
  g_autoptr (ClipReader) reader = clip_direct_open (command, NULL);

  if (reader)
    clip_facts_append_pause (out, clip_direct_paused_until (reader));
}

/* @variant: an a{sv} as Check answers it */
static int
print (const ClipCommand *command, GVariant *variant)
{
  g_auto (GVariantDict) report = G_VARIANT_DICT_INIT (variant);
  gboolean json = clip_command_has (command, CLIP_OPTION_JSON);
  g_autoptr (GString) out = g_string_new (NULL);
  g_autoptr (GVariantDict) daemon = clip_desktop_check_ask_daemon (NULL);
  g_autoptr (GError) error = NULL;
  /* a desktop is looked at for people */
  gboolean is_kept = json || !clip_has_display () ||
                     (clip_desktop_check_is_watched (daemon) &&
                      !clip_desktop_check_other_display (daemon) &&
                      !clip_desktop_check_is_elsewhere (command, daemon));
  gboolean ok = FALSE;

  g_variant_dict_lookup (&report, "ok", "b", &ok);
  append_findings (out, &report, TRUE, json);
  append_findings (out, &report, FALSE, json);
  if (json)
    append_summary_json (out, command, &report, ok);
  else
    {
      g_autofree char *program = clip_libexec_find ("cliphistd");

      append_summary_text (out, command, &report, ok);
      clip_disk_append (out, command->store, command->settings);
      is_kept &= append_unless_writable (out, command);
      append_pause (out, command);
      is_kept &= !clip_desktop_check_append_idle (out, command, daemon) &&
                 !clip_disk_refuses (command->store, command->settings);
      clip_desktop_check_append_others (out);
      clip_desktop_check_append_advice (out, command, daemon, !ok, TRUE);
      clip_autostart_append (out, program);
    }
  if (!clip_output_write (out->str, out->len, &error))
    return clip_command_fail (error);
  return ok && is_kept && is_configured (command) ? CLIP_EXIT_DONE : CLIP_EXIT_FAILED;
}

/* (transfer full): nothing stored yet is a history without a fault */
static GVariant *
look (const ClipCommand *command, GError **error)
{
  g_autoptr (GError) local = NULL;
  g_autoptr (ClipReport) report = clip_check (command->store, NULL, &local);

  if (!report && g_error_matches (local, CLIP_ERROR, CLIP_ERROR_NO_HISTORY))
    report = clip_report_new ();
  if (report)
    return g_variant_ref_sink (clip_report_to_variant (report, NULL, ""));
  g_propagate_error (error, g_steal_pointer (&local));
  return NULL;
}

/* exit status: 0 nothing is wrong, or not any more; 1 something is, or it cannot be found
 * out */
int
clip_cmd_doctor (ClipCommand *command)
{
  g_autoptr (GError) error = NULL;
  gboolean repairs = clip_command_has (command, CLIP_OPTION_REPAIR) &&
                     g_file_test (command->store, G_FILE_TEST_IS_DIR);
  g_autoptr (GVariant) report =
      repairs ? clip_repair (command, &error) : look (command, &error);

  return report ? print (command, report)
                : clip_desktop_check_fail (command, error, TRUE);
}
