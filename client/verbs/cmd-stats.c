/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the history is made of. It is counted from the rows, without a daemon. */
#include "clip-cmds.h"
#include "clip-direct.h"
#include "clip-error.h"
#include "clip-facts.h"
#include "clip-output.h"
#include "clip-row.h"
#include "clip-stats.h"
#include "clip-units.h"
#include "clip-words.h"

/* what people see of a long table; JSON has all of it */
#define SHOWN_TYPES 10
#define SHOWN_DAYS 14

#define INT "%" G_GINT64_FORMAT

/* nothing stored yet is a history without entries */
static ClipStats *
read_stats (const ClipCommand *command, GError **error)
{
  g_autoptr (GError) local = NULL;
  g_autoptr (ClipReader) reader = clip_direct_open (command, &local);

  if (reader)
    return clip_stats_new (reader, error);
  if (g_error_matches (local, CLIP_ERROR, CLIP_ERROR_NO_HISTORY))
    return clip_stats_new_empty ();
  g_propagate_error (error, g_steal_pointer (&local));
  return NULL;
}

/* --- for programs --- */

static void
append_sum (GString *out, const ClipStatsSum *sum)
{
  g_string_append_printf (out, "\"entries\":" INT ",\"bytes\":" INT "}", sum->entries,
                          sum->bytes);
}

static void
append_classes (GString *out, const ClipStats *stats)
{
  g_string_append (out, ",\"classes\":[");
  for (guint i = CLIP_CLASS_TEXT; i <= CLIP_CLASS_OTHER; i++)
    {
      g_string_append_printf (out, "%s{\"class\":\"%s\",", i > CLIP_CLASS_TEXT ? "," : "",
                              clip_class_name ((ClipClass) i));
      append_sum (out, &stats->classes[i]);
    }
  g_string_append_c (out, ']');
}

static void
append_types (GString *out, const ClipStats *stats)
{
  g_string_append (out, ",\"types\":[");
  for (guint i = 0; i < stats->types->len; i++)
    {
      const ClipStatsType *type = g_ptr_array_index (stats->types, i);

      g_string_append (out, i > 0 ? ",{\"mime\":" : "{\"mime\":");
      clip_json_append_string (out, type->mime, -1);
      g_string_append_printf (out, ",\"contents\":" INT ",\"bytes\":" INT "}",
                              type->contents, type->bytes);
    }
  g_string_append_c (out, ']');
}

static void
append_largest (GString *out, const ClipStats *stats)
{
  g_string_append (out, ",\"largest\":[");
  for (guint i = 0; i < stats->largest->len; i++)
    {
      const ClipStatsEntry *entry = &g_array_index (stats->largest, ClipStatsEntry, i);

      g_string_append_printf (out, "%s{\"id\":" INT ",\"size\":" INT ",\"mime\":",
                              i > 0 ? "," : "", entry->id, entry->size);
      clip_json_append_string (out, entry->mime, -1);
      g_string_append_c (out, '}');
    }
  g_string_append_c (out, ']');
}

static void
append_days (GString *out, const ClipStats *stats)
{
  g_string_append (out, ",\"days\":[");
  for (guint i = 0; i < stats->days->len; i++)
    {
      const ClipStatsDay *day = &g_array_index (stats->days, ClipStatsDay, i);

      g_string_append_printf (out, "%s{\"day\":\"%s\",", i > 0 ? "," : "", day->name);
      append_sum (out, &day->sum);
    }
  g_string_append_c (out, ']');
}

static void
append_json (GString *out, const ClipCommand *command, const ClipStats *stats)
{
  g_string_append (out, "{\"store\":");
  clip_json_append_string (out, command->store, -1);
  g_string_append_printf (out,
                          ",\"entries\":" INT ",\"pinned\":" INT ",\"contents\":" INT
                          ",\"bytes\":" INT ",\"oldest_us\":" INT ",\"newest_us\":" INT,
                          stats->entries, stats->pinned, stats->contents, stats->bytes,
                          stats->oldest_us, stats->newest_us);
  append_classes (out, stats);
  append_types (out, stats);
  append_largest (out, stats);
  append_days (out, stats);
  g_string_append_printf (out,
                          ",\"disk\":{\"database\":" INT ",\"log\":" INT ",\"files\":" INT
                          ",\"file_bytes\":" INT "},\"saved\":{\"repeated\":" INT
                          ",\"repeated_bytes\":" INT ",\"shared_bytes\":" INT "}}\n",
                          stats->database_bytes, stats->log_bytes, stats->blobs,
                          stats->blob_bytes, stats->repeated, stats->repeated_bytes,
                          stats->shared_bytes);
}

/* --- for people --- */

static void
show_class (GString *out, ClipClass kind, const ClipStatsSum *sum)
{
  g_autofree char *size = clip_format_size (sum->bytes);

  if (sum->entries > 0)
    clip_facts_append_format (out, clip_class_name (kind), INT ", %s", sum->entries,
                              size);
}

static void
show_types (GString *out, const ClipStats *stats)
{
  for (guint i = 0; i < MIN (stats->types->len, SHOWN_TYPES); i++)
    {
      const ClipStatsType *type = g_ptr_array_index (stats->types, i);
      g_autofree char *size = clip_format_size (type->bytes);

      clip_facts_append_format (out, i == 0 ? _ ("types") : "", "%s: " INT ", %s",
                                type->mime, type->contents, size);
    }
}

static void
show_largest (GString *out, const ClipStats *stats)
{
  for (guint i = 0; i < stats->largest->len; i++)
    {
      const ClipStatsEntry *entry = &g_array_index (stats->largest, ClipStatsEntry, i);
      g_autofree char *size = clip_format_size (entry->size);

      clip_facts_append_format (out, i == 0 ? _ ("largest") : "", "id " INT ": %s, %s",
                                entry->id, size, entry->mime);
    }
}

static void
show_days (GString *out, const ClipStats *stats)
{
  for (guint i = 0; i < MIN (stats->days->len, SHOWN_DAYS); i++)
    {
      const ClipStatsDay *day = &g_array_index (stats->days, ClipStatsDay, i);
      g_autofree char *size = clip_format_size (day->sum.bytes);

      clip_facts_append_format (out, i == 0 ? _ ("days") : "", "%s: " INT ", %s",
                                day->name, day->sum.entries, size);
    }
}

static void
show_disk (GString *out, const ClipStats *stats)
{
  g_autofree char *all =
      clip_format_size (stats->database_bytes + stats->log_bytes + stats->blob_bytes);
  g_autofree char *database = clip_format_size (stats->database_bytes + stats->log_bytes);
  g_autofree char *files = clip_format_size (stats->blob_bytes);

  clip_facts_append_format (out, _ ("disk"), "%s", all);
  clip_facts_append_format (out, "", _ ("database: %s"), database);
  clip_facts_append_format (out, "", _ ("files: %lu, %s"), (gulong) stats->blobs, files);
}

static void
show_saved (GString *out, const ClipStats *stats)
{
  g_autofree char *repeated = clip_format_size (stats->repeated_bytes);
  g_autofree char *shared = clip_format_size (stats->shared_bytes);

  clip_facts_append_format (out, _ ("saved"),
                            _ ("by copies that were there already: %lu, %s"),
                            (gulong) stats->repeated, repeated);
  clip_facts_append_format (out, "", _ ("by contents that share a file: %s"), shared);
}

static void
append_text (GString *out, const ClipCommand *command, const ClipStats *stats)
{
  g_autofree char *size = clip_format_size (stats->bytes);

  clip_facts_append (out, _ ("history"), command->store);
  clip_facts_append_format (out, _ ("entries"), _ ("%lu, %lu of them pinned, %s"),
                            (gulong) stats->entries, (gulong) stats->pinned, size);
  if (stats->entries > 0)
    {
      clip_facts_append_time (out, _ ("from"), stats->oldest_us);
      clip_facts_append_time (out, _ ("to"), stats->newest_us);
    }
  for (guint i = CLIP_CLASS_TEXT; i <= CLIP_CLASS_OTHER; i++)
    show_class (out, (ClipClass) i, &stats->classes[i]);
  show_types (out, stats);
  show_largest (out, stats);
  show_days (out, stats);
  show_disk (out, stats);
  show_saved (out, stats);
}

int
clip_cmd_stats (ClipCommand *command)
{
  g_autoptr (GString) out = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipStats) stats = read_stats (command, &error);

  if (!stats)
    return clip_command_fail (error);
  if (clip_command_has (command, CLIP_OPTION_JSON))
    append_json (out, command, stats);
  else
    append_text (out, command, stats);
  if (!clip_output_write (out->str, out->len, &error))
    return clip_command_fail (error);
  return CLIP_EXIT_DONE;
}
