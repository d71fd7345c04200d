/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * How much is kept, from the history itself, and who watches, from the session's daemon
 * where there is one: asking does not start it.
 */
#include "clip-cmds.h"
#include "clip-desktop-check.h"
#include "clip-direct.h"
#include "clip-disk.h"
#include "clip-display-name.h"
#include "clip-error.h"
#include "clip-facts.h"
#include "clip-json.h"
#include "clip-output.h"
#include "clip-paths.h"
#include "clip-row.h"
#include "clip-set-aside.h"
#include "clip-units.h"
#include "clip-words.h"

/* what the history itself says */
typedef struct
{
  ClipTotals totals;
  gboolean removing; /* something deleted may still be in one of the files */
  gint64 paused_us;  /* until when; -1 = until resumed; 0 = not */
} State;

/* what a daemon reads at its start: where that is damaged none does */
static gboolean
is_readable (ClipReader *reader, GError **error)
{
  g_autoptr (GHashTable) notes = clip_reader_notes (reader, error);

  return notes && clip_reader_newest (reader, error) >= 0;
}

/* nothing stored yet is a history without entries */
static gboolean
read_state (const ClipCommand *command, State *state, GError **error)
{
  g_autoptr (GError) local = NULL;
  g_autoptr (ClipReader) reader = clip_direct_open (command, &local);

  *state = (State){ 0 };
  if (reader)
    state->paused_us = clip_direct_paused_until (reader);
  if (reader)
    return clip_reader_totals (reader, &state->totals, error) &&
           is_readable (reader, error);
  if (g_error_matches (local, CLIP_ERROR, CLIP_ERROR_NO_HISTORY))
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

static void
append_member (GString *out, const char *name, GVariantDict *daemon, const char *property)
{
  g_autoptr (GVariant) value = g_variant_dict_lookup_value (daemon, property, NULL);

  g_string_append_printf (out, "%s:", name);
  if (value)
    clip_json_append_variant (out, value);
  else
    g_string_append (out, "null");
}

/* whether it keeps the history that is meant. @daemon: (nullable) */
static gboolean
is_of (const ClipCommand *command, GVariantDict *daemon)
{
  const char *store = "";

  return daemon && g_variant_dict_lookup (daemon, "Store", "&s", &store) &&
         clip_paths_are_one (store, command->store);
}

/* (transfer full): the limits that the history is beyond, as far as its numbers tell:
 * what a configuration file says may be waiting for trim */
static char **
list_over (const ClipCommand *command, const ClipTotals *totals)
{
  const ClipSettings *settings = command->settings;
  gint64 items = clip_settings_number (settings, CLIP_SETTING_MAX_ITEMS);
  gint64 bytes = clip_settings_number (settings, CLIP_SETTING_MAX_TOTAL_SIZE);
  g_autoptr (GStrvBuilder) over = g_strv_builder_new ();

  if (items >= 0 && totals->count - totals->pinned > items)
    g_strv_builder_add (over, clip_settings_key (CLIP_SETTING_MAX_ITEMS));
  if (bytes > 0 && totals->bytes - totals->pinned_bytes > bytes)
    g_strv_builder_add (over, clip_settings_key (CLIP_SETTING_MAX_TOTAL_SIZE));
  return g_strv_builder_end (over);
}

static void
append_json (GString *out,
             const ClipCommand *command,
             const State *state,
             GVariantDict *daemon)
{
  g_auto (GStrv) over = list_over (command, &state->totals);

  g_string_append (out, "{\"store\":");
  clip_json_append_string (out, command->store, -1);
  g_string_append_printf (out,
                          ",\"count\":%" G_GINT64_FORMAT ",\"bytes\":%" G_GINT64_FORMAT
                          ",\"pinned\":%" G_GINT64_FORMAT ",\"removing\":%s"
                          ",\"paused_until_us\":%" G_GINT64_FORMAT ",\"over\":[",
                          state->totals.count, state->totals.bytes, state->totals.pinned,
                          state->removing ? "true" : "false", state->paused_us);
  for (guint i = 0; over[i]; i++)
    g_string_append_printf (out, "%s\"%s\"", i > 0 ? "," : "", over[i]);
  g_string_append_printf (out, "],\"set_aside\":%" G_GINT64_FORMAT ",",
                          clip_set_aside_bytes (command->store));
  clip_disk_append_json (out, command->store, command->settings);
  g_string_append (out, ",\"daemon\":");
  if (!daemon || clip_desktop_check_is_silent (daemon))
    {
      g_string_append (out, daemon ? "{\"answers\":false}}\n" : "null}\n");
      return;
    }
  append_member (out, "{\"version\"", daemon, "Version");
  append_member (out, ",\"store\"", daemon, "Store");
  append_member (out, ",\"backends\"", daemon, "Backends");
  append_member (out, ",\"refusal\"", daemon, "Refusal");
  append_member (out, ",\"current\"", daemon, "Current");
  append_member (out, ",\"paused_until_us\"", daemon, "PausedUntil");
  append_member (out, ",\"spared\"", daemon, "Spared");
  g_string_append (out, "}}\n");
}

/* what the history holds although a limit says otherwise */
static void
append_over (GString *out, const char *const *keys)
{
  g_autofree char *list = NULL;
  g_autofree char *line = NULL;

  if (!keys || !*keys)
    return;
  list = g_strjoinv (", ", (char **) keys);
  line = g_strdup_printf (_ ("more than %s allows: see “cliphist trim --dry-run”"), list);
  clip_facts_append (out, _ ("keeps"), line);
}

/* how a display is watched, in the words that its documentation uses */
static const char *
describe_backend (const char *name)
{
  static const struct
  {
    const char *name;
    const char *words;
  } table[] = {
    { "ext", "ext-data-control" },
    { "wlr", "wlr-data-control" },
    { "mutter", "Mutter (GNOME)" },
    { "x11", "X11" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (table); i++)
    if (g_str_equal (table[i].name, name))
      return table[i].words;
  return name;
}

static void
append_unwatched (GString *out)
{
  const char *server = g_getenv ("DISPLAY");

  if (!clip_display_name_is_remote (server))
    clip_facts_append (out, _ ("watches"), _ ("no display"));
  else
    clip_facts_append_format (
        out, _ ("watches"),
        _ ("no display: that of this shell, %s, is one of another machine"), server);
}

static void
append_watched (GString *out, const ClipCommand *command, GVariantDict *daemon)
{
  gboolean primary =
      clip_settings_number (command->settings, CLIP_SETTING_PRIMARY) != 0 &&
      !clip_desktop_check_is_mutter (daemon);
  g_autofree const char **backends = NULL;
  g_autofree char *ways = NULL;
  g_autofree char *line = NULL;

  if (!g_variant_dict_lookup (daemon, "Backends", "^a&s", &backends) || !*backends)
    {
      append_unwatched (out);
      return;
    }
  for (guint i = 0; backends[i]; i++)
    backends[i] = describe_backend (backends[i]);
  ways = g_strjoinv (", ", (char **) backends);
  line = g_strdup_printf (primary ? _ ("the clipboard and PRIMARY, by %s")
                                  : _ ("the clipboard, by %s"),
                          ways);
  clip_facts_append (out, _ ("watches"), line);
}

static void
append_daemon (GString *out, const ClipCommand *command, GVariantDict *daemon)
{
  const char *version = "", *store = "", *refusal = "";

  g_variant_dict_lookup (daemon, "Version", "&s", &version);
  g_variant_dict_lookup (daemon, "Store", "&s", &store);
  g_variant_dict_lookup (daemon, "Refusal", "&s", &refusal);
  clip_facts_append (out, _ ("daemon"), version);
  append_watched (out, command, daemon);
  if (*refusal)
    clip_facts_append (out, _ ("not mutter"), refusal);
  if (!clip_paths_are_one (store, command->store))
    clip_facts_append (out, _ ("but keeps"), store);
}

/* by the names that change them */
static void
append_limits (GString *out, const ClipCommand *command)
{
  static const ClipSetting limits[] = { CLIP_SETTING_MAX_ITEMS,
                                        CLIP_SETTING_MAX_TOTAL_SIZE,
                                        CLIP_SETTING_MAX_STORE_SIZE,
                                        CLIP_SETTING_MAX_AGE };
  g_autoptr (GString) line = g_string_new (NULL);

  /* of one that is 0 there is none, but no entry is one */
  for (guint i = 0; i < G_N_ELEMENTS (limits); i++)
    if (clip_settings_number (command->settings, limits[i]) >
        (limits[i] == CLIP_SETTING_MAX_ITEMS ? -1 : 0))
      g_string_append_printf (line, "%s%s %s", line->len > 0 ? ", " : "",
                              clip_settings_key (limits[i]),
                              clip_settings_text (command->settings, limits[i]));
  if (line->len > 0)
    clip_facts_append (out, _ ("limits"), line->str);
}

/* (transfer full): what the numbers tell, and what the daemon has found; it obeys a new
 * limit only when the configuration has rested for a moment, so that until then it knows
 * of none. @daemon: of this history */
static char **
list_kept_beyond (const ClipCommand *command, const State *state, GVariantDict *daemon)
{
  g_auto (GStrv) over = list_over (command, &state->totals);
  g_autofree const char **spared = NULL;
  g_autoptr (GStrvBuilder) all = g_strv_builder_new ();

  g_strv_builder_addv (all, (const char **) over);
  g_variant_dict_lookup (daemon, "Spared", "^a&s", &spared);
  for (guint i = 0; spared && spared[i]; i++)
    if (!g_strv_contains ((const char *const *) over, spared[i]))
      g_strv_builder_add (all, spared[i]);
  return g_strv_builder_end (all);
}

/* the daemon of this history knows better than its files */
static void
append_present (GString *out,
                const ClipCommand *command,
                const State *state,
                GVariantDict *daemon)
{
  gint64 paused_us = state->paused_us;
  g_auto (GStrv) over = NULL;

  if (is_of (command, daemon))
    {
      g_variant_dict_lookup (daemon, "PausedUntil", "x", &paused_us);
      over = list_kept_beyond (command, state, daemon);
    }
  else
    over = list_over (command, &state->totals);
  clip_facts_append_pause (out, paused_us);
  append_over (out, (const char *const *) over);
}

/* it may well run */
static void
append_unknown (GString *out, const char *bus_fault)
{
  g_autofree char *line = g_strdup_printf (_ ("cannot be asked: %s"), bus_fault);

  clip_facts_append (out, _ ("daemon"), line);
}

static void
append_text (GString *out,
             const ClipCommand *command,
             const State *state,
             GVariantDict *daemon,
             const char *bus_fault)
{
  g_autofree char *size = clip_format_size (state->totals.bytes);
  g_autofree char *entries =
      g_strdup_printf (_ ("%lu, %lu of them pinned, %s"), (gulong) state->totals.count,
                       (gulong) state->totals.pinned, size);

  clip_facts_append (out, _ ("history"), command->store);
  clip_facts_append (out, _ ("entries"), entries);
  append_limits (out, command);
  clip_disk_append (out, command->store, command->settings);
  if (state->removing)
    clip_facts_append (out, _ ("removing"), _ ("deleted entries, from the disk"));
  if (clip_desktop_check_is_silent (daemon))
    clip_facts_append (out, _ ("daemon"), _ ("runs, but does not answer"));
  else if (daemon)
    append_daemon (out, command, daemon);
  else if (bus_fault)
    append_unknown (out, bus_fault);
  else
    clip_facts_append (out, _ ("daemon"), _ ("not running"));
  append_present (out, command, state, daemon);
  clip_set_aside_append (out, command->store);
}

/* in all of its files */
static gboolean
is_removing (const ClipCommand *command, GVariantDict *daemon)
{
  gboolean removing = FALSE;

  if (is_of (command, daemon))
    g_variant_dict_lookup (daemon, "Removing", "b", &removing);
  return removing;
}

int
clip_cmd_status (ClipCommand *command)
{
  g_autofree char *bus_fault = NULL;
  g_autoptr (GVariantDict) daemon = NULL;
  g_autoptr (GString) out = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  State state;

  if (clip_command_has (command, CLIP_OPTION_QUIET))
    return clip_desktop_check_see_to_daemon (command) ? CLIP_EXIT_DONE : CLIP_EXIT_FAILED;
  daemon = clip_desktop_check_ask_daemon (&bus_fault);
  if (!read_state (command, &state, &error))
    return clip_desktop_check_fail (command, error, FALSE);
  state.removing = is_removing (command, daemon);
  if (clip_command_has (command, CLIP_OPTION_JSON))
    append_json (out, command, &state, daemon);
  else
    {
      append_text (out, command, &state, daemon, bus_fault);
      clip_desktop_check_append_idle (out, command, daemon);
      clip_desktop_check_append_advice (out, command, daemon, FALSE, FALSE);
    }
  if (!clip_output_write (out->str, out->len, &error))
    return clip_command_fail (error);
  return CLIP_EXIT_DONE;
}
