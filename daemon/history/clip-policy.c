/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The decisions of the history that need nothing but their arguments. Which types of an
 * offer are taken, and which mark it as a secret, is data: content/clip-mime-table.c.
 */
#include "clip-policy.h"

#include "clip-detect.h"
#include "clip-error.h"
#include "clip-mime.h"

#include <string.h>

static const char *const drop_names[] = {
  [CLIP_DROP_NONE] = "",
  [CLIP_DROP_BLANK] = "blank",
  [CLIP_DROP_TOO_LARGE] = "too-large",
  [CLIP_DROP_TOO_SMALL] = "too-small",
  [CLIP_DROP_SECRET] = "sensitive",
  [CLIP_DROP_PAUSED] = "paused",
  [CLIP_DROP_PATTERN] = "pattern",
  [CLIP_DROP_IGNORED] = "ignored",
  [CLIP_DROP_DELETED] = "deleted",
  [CLIP_DROP_UNANSWERED] = "unanswered",
};

/* the word that D-Bus uses in the details of Store */
const char *
clip_drop_name (ClipDrop drop)
{
  return drop_names[drop];
}

/* what no caller may store either */
gboolean
clip_drop_is_private (ClipDrop drop)
{
  return drop == CLIP_DROP_SECRET || drop == CLIP_DROP_IGNORED;
}

static const struct
{
  ClipSetting setting;
  ClipLimit limit;
} pairs[] = {
  { CLIP_SETTING_MAX_ITEMS, CLIP_LIMIT_ITEMS },
  { CLIP_SETTING_MAX_TOTAL_SIZE, CLIP_LIMIT_BYTES },
  { CLIP_SETTING_MAX_AGE, CLIP_LIMIT_AGE },
  { CLIP_SETTING_MIN_FREE_SPACE, CLIP_LIMIT_SPACE },
};

/* (transfer full): the settings that these limits are, by their keys */
char **
clip_policy_limit_keys (guint limits)
{
  g_autoptr (GStrvBuilder) keys = g_strv_builder_new ();

  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++)
    if ((limits & pairs[i].limit) != 0)
      g_strv_builder_add (keys, clip_settings_key (pairs[i].setting));
  return g_strv_builder_end (keys);
}

/* those that may be meant for another history */
static guint
find_cautious (const ClipSettings *settings)
{
  guint cautious = 0;

  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++)
    if (!clip_settings_is_asked_for (settings, pairs[i].setting))
      cautious |= pairs[i].limit;
  return cautious;
}

/* the limits that the store enforces; a free-space floor is bytes, or a share of the file
 * system */
ClipLimits
clip_policy_limits (const ClipSettings *settings)
{
  gint64 floor = clip_settings_number (settings, CLIP_SETTING_MIN_FREE_SPACE);

  return (ClipLimits){
    .max_items = MAX (clip_settings_number (settings, CLIP_SETTING_MAX_ITEMS), -1),
    .max_total_bytes =
        MAX (clip_settings_number (settings, CLIP_SETTING_MAX_TOTAL_SIZE), 0),
    .max_age_us = clip_settings_number (settings, CLIP_SETTING_MAX_AGE),
    .max_dedupe_search = clip_settings_number (settings, CLIP_SETTING_MAX_DEDUPE_SEARCH),
    .min_free_bytes = MAX (floor, 0),
    .min_free_percent = MAX (-floor, 0),
    .cautious = find_cautious (settings),
  };
}

/* a floor in bytes and one in percent cannot be compared: another kind may take more */
static gboolean
is_higher_floor (gint64 floor, gint64 before)
{
  if (floor == 0)
    return FALSE;
  return before == 0 || (floor < 0) != (before < 0) || ABS (floor) > ABS (before);
}

/* -1 is no number of items, and 0 neither a size nor an age: none of them takes
   anything */
static gboolean
takes_more (ClipSetting setting, gint64 value, gint64 before)
{
  gint64 least = setting == CLIP_SETTING_MAX_ITEMS ? 0 : 1;

  if (setting == CLIP_SETTING_MIN_FREE_SPACE)
    return is_higher_floor (value, before);
  return value >= least && (before < least || value < before);
}

/**
 * clip_policy_hold_limits:
 * @settings: (inout): where a limit takes more than the one of @before, that one is put
 * in its place, with the one that says so
 *
 * Returns: whether there was one
 */
gboolean
clip_policy_hold_limits (ClipSettings *settings, const ClipSettings *before)
{
  gboolean held = FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++)
    if (takes_more (pairs[i].setting, clip_settings_number (settings, pairs[i].setting),
                    clip_settings_number (before, pairs[i].setting)))
      {
        clip_settings_take_over (settings, pairs[i].setting, before);
        held = TRUE;
      }
  return held;
}

/**
 * clip_policy_size_limit:
 * @counted: bytes that have come of the same copy, in its other contents
 *
 * A copy that is larger than all may be together would push out every other entry, and be
 * too large still.
 *
 * Returns: bytes that the next content of a copy may have; 0 = no limit, -1 = there is no
 * room for another
 */
goffset
clip_policy_size_limit (const ClipSettings *settings, goffset counted)
{
  gint64 one = clip_settings_number (settings, CLIP_SETTING_MAX_STORE_SIZE);
  gint64 all = clip_settings_number (settings, CLIP_SETTING_MAX_TOTAL_SIZE);

  if (all > 0 && counted >= all)
    return -1;
  all -= all > 0 ? counted : 0;
  return one > 0 && all > 0 ? MIN (one, all) : MAX (MAX (one, all), 0);
}

/* grapheme clusters are what PCRE calls \X */
static gboolean
has_graphemes (GBytes *head, gint64 n)
{
  gsize length;
  const char *data = g_bytes_get_data (head, &length);
  g_autofree char *text = g_utf8_make_valid (data ?: "", (gssize) length);
  g_autoptr (GRegex) cluster = g_regex_new ("\\X", 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  gint64 seen = 0;

  g_regex_match (cluster, text, 0, &match);
  while (seen < n && g_match_info_matches (match))
    {
      seen++;
      g_match_info_next (match, NULL);
    }
  return seen >= n;
}

/**
 * clip_policy_judge_content:
 * @head: the first bytes of the primary content; all of it, up to 1 MiB
 * @size: of the whole content, in bytes
 *
 * The checks of the existing tool's `store`, in its order: size, length, blank.
 */
ClipDrop
clip_policy_judge_content (const ClipSettings *settings, GBytes *head, goffset size)
{
  goffset limit = clip_policy_size_limit (settings, 0);
  gint64 shortest = clip_settings_number (settings, CLIP_SETTING_MIN_STORE_LENGTH);
  gsize length;
  const void *data = g_bytes_get_data (head, &length);

  if (limit > 0 && size > limit)
    return CLIP_DROP_TOO_LARGE;
  if (shortest > 0 && size <= (goffset) length && !has_graphemes (head, shortest))
    return CLIP_DROP_TOO_SMALL;
  if (size <= (goffset) length && clip_detect_blank (data, length))
    return CLIP_DROP_BLANK;
  return CLIP_DROP_NONE;
}

static const struct
{
  const char *mime;
  const char *end;
  gsize length;
} endings[] = {
  { "image/png", "IEND\xae\x42\x60\x82", 8 },
  { "image/jpeg", "\xff\xd9", 2 },
};

/**
 * clip_policy_ending:
 * @tail: the last %CLIP_POLICY_TAIL_BYTES of a content, or all of it
 *
 * A pipe that ends says nothing about why. Some formats show their own end: PNG the chunk
 * IEND, JPEG the marker EOI. One that is not there is a suspicion: a program may have put
 * more behind it (the film of a motion photo), or given another format under that name.
 */
ClipEnding
clip_policy_ending (const char *mime, GBytes *tail)
{
  gsize length;
  const void *data = g_bytes_get_data (tail, &length);

  for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
    if (clip_mime_same (mime, endings[i].mime))
      return length > 0 && memmem (data, length, endings[i].end, endings[i].length)
                 ? CLIP_ENDING_THERE
                 : CLIP_ENDING_MISSING;
  return CLIP_ENDING_UNKNOWN;
}

/* whether the clipboard may be owned again after its owner has gone */
gboolean
clip_policy_may_persist (const ClipSettings *settings)
{
  return g_strcmp0 (clip_settings_text (settings, CLIP_SETTING_PERSIST), "owner-exit") ==
         0;
}

/* @error: (nullable): of a copy that met a full disk, wherever on its way: gets one word
   for it */
void
clip_policy_name_full_disk (GError *error)
{
  if (g_error_matches (error, CLIP_ERROR, CLIP_ERROR_NO_SPACE))
    g_prefix_error (&error, "the disk is full, the copy is not kept: ");
}
