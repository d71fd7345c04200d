/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Between what D-Bus says and what the rooms below say: entries out, options in. An
 * option of the wrong type is an error that names it; an unknown one is ignored, as the
 * contract promises.
 */
#include "clip-convert.h"

#include "clip-error.h"
#include "clip-mime.h"
#include "clip-preview.h"

#include <string.h>

static void
add_row (GVariantBuilder *builder, const ClipRow *row)
{
  g_autofree char *preview =
      g_utf8_make_valid (row->preview, (gssize) row->preview_length);

  g_variant_builder_add (builder, "{sv}", "id", g_variant_new_uint64 ((guint64) row->id));
  g_variant_builder_add (builder, "{sv}", "first", g_variant_new_int64 (row->first_us));
  g_variant_builder_add (builder, "{sv}", "last", g_variant_new_int64 (row->last_us));
  g_variant_builder_add (builder, "{sv}", "copies",
                         g_variant_new_uint64 ((guint64) row->copies));
  g_variant_builder_add (builder, "{sv}", "class",
                         g_variant_new_string (clip_class_name (row->kind)));
  g_variant_builder_add (builder, "{sv}", "mime", g_variant_new_string (row->mime ?: ""));
  g_variant_builder_add (builder, "{sv}", "size",
                         g_variant_new_uint64 ((guint64) row->size));
  g_variant_builder_add (builder, "{sv}", "pinned", g_variant_new_boolean (row->pinned));
  g_variant_builder_add (builder, "{sv}", "expires",
                         g_variant_new_int64 (row->expires_us));
  g_variant_builder_add (builder, "{sv}", "origin",
                         g_variant_new_string (row->origin ?: ""));
  g_variant_builder_add (builder, "{sv}", "preview", g_variant_new_string (preview));
}

/* of what was found by words or an expression; where it was found in something else than
 * its text, which stands for it, it has no place there */
static void
add_match (GVariantBuilder *builder, const ClipEntry *entry)
{
  const ClipRow *row = &entry->row;

  if (!entry->snippet)
    return;
  g_variant_builder_add (builder, "{sv}", "snippet",
                         g_variant_new_string (entry->snippet));
  g_variant_builder_add (builder, "{sv}", "snippet-match",
                         g_variant_new ("(uu)", (guint32) entry->snippet_start,
                                        (guint32) entry->snippet_end));
  if (row->kind == CLIP_CLASS_TEXT || row->kind == CLIP_CLASS_FILES)
    g_variant_builder_add (
        builder, "{sv}", "match",
        g_variant_new ("(tt)", (guint64) row->match_start, (guint64) row->match_end));
}

static void
add_pixels (GVariantBuilder *builder, const ClipRow *row)
{
  guint32 width, height;

  if (row->kind != CLIP_CLASS_IMAGE ||
      !clip_preview_image_pixels (row->preview, row->preview_length, &width, &height))
    return;
  g_variant_builder_add (builder, "{sv}", "width", g_variant_new_uint32 (width));
  g_variant_builder_add (builder, "{sv}", "height", g_variant_new_uint32 (height));
}

static GVariant *
contents_of (const ClipEntry *entry)
{
  GVariantBuilder contents;

  g_variant_builder_init (&contents, G_VARIANT_TYPE ("a(st)"));
  for (guint i = 0; i < entry->contents->len; i++)
    {
      const ClipContent *content = g_ptr_array_index (entry->contents, i);

      g_variant_builder_add (&contents, "(st)", content->mime, (guint64) content->size);
    }
  return g_variant_builder_end (&contents);
}

/**
 * clip_convert_entry:
 * @with_contents: with types and sizes
 *
 * Returns: (transfer floating): a{sv}, as the contract describes an entry
 */
GVariant *
clip_convert_entry (const ClipEntry *entry, gboolean with_contents)
{
  static const char *const none[] = { NULL };
  const char *const *tags = entry->tags ? (const char *const *) entry->tags : none;
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE_VARDICT);
  add_row (&builder, &entry->row);
  add_pixels (&builder, &entry->row);
  add_match (&builder, entry);
  g_variant_builder_add (&builder, "{sv}", "tags", g_variant_new_strv (tags, -1));
  if (with_contents)
    g_variant_builder_add (&builder, "{sv}", "contents", contents_of (entry));
  return g_variant_builder_end (&builder);
}

/* (transfer floating): what a signal may tell to anyone who listens: no preview, no type,
 * no origin */
GVariant *
clip_convert_details (const ClipEntry *entry)
{
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE_VARDICT);
  g_variant_builder_add (&builder, "{sv}", "class",
                         g_variant_new_string (clip_class_name (entry->row.kind)));
  g_variant_builder_add (&builder, "{sv}", "size",
                         g_variant_new_uint64 ((guint64) entry->row.size));
  g_variant_builder_add (&builder, "{sv}", "last",
                         g_variant_new_int64 (entry->row.last_us));
  g_variant_builder_add (&builder, "{sv}", "pinned",
                         g_variant_new_boolean (entry->row.pinned));
  return g_variant_builder_end (&builder);
}

/* (transfer floating): at */
GVariant *
clip_convert_ids (GArray *ids)
{
  return g_variant_new_fixed_array (G_VARIANT_TYPE_UINT64, ids->data, ids->len,
                                    sizeof (gint64));
}

/* Errors: %CLIP_ERROR_INVALID_ARGUMENT. */
static gboolean
check_count (GVariant *options, GError **error)
{
  const gsize n = g_variant_n_children (options);

  if (n <= CLIP_CONVERT_MAX_OPTIONS)
    return TRUE;
  g_set_error (error, CLIP_ERROR, CLIP_ERROR_INVALID_ARGUMENT,
               "%" G_GSIZE_FORMAT " options: %d at most", n, CLIP_CONVERT_MAX_OPTIONS);
  return FALSE;
}

/**
 * clip_convert_check_length:
 * @what: the name of the argument, for the error
 * @max_bytes: without the NUL
 *
 * Errors: %CLIP_ERROR_INVALID_ARGUMENT, without the text: it may be long.
 */
gboolean
clip_convert_check_length (const char *what,
                           const char *text,
                           gsize max_bytes,
                           GError **error)
{
  if (strlen (text) <= max_bytes)
    return TRUE;
  g_set_error (error, CLIP_ERROR, CLIP_ERROR_INVALID_ARGUMENT,
               "'%s' is longer than %" G_GSIZE_FORMAT " bytes", what, max_bytes);
  return FALSE;
}

/**
 * clip_convert_option:
 * @type: the D-Bus type that @key must have
 * @out_value: (out): as g_variant_get() fills it for @type; untouched where @key is
 * missing; strings are borrowed from @options
 *
 * Errors: %CLIP_ERROR_INVALID_ARGUMENT, also for a text above %CLIP_CONVERT_MAX_TEXT, and
 * for more options than a call may have.
 */
gboolean
clip_convert_option (GVariant *options,
                     const char *key,
                     const char *type,
                     gpointer out_value,
                     GError **error)
{
  g_autoptr (GVariant) value = NULL;
  g_autofree char *format = NULL;

  if (!check_count (options, error))
    return FALSE;
  /* now it is in one piece, and what is borrowed from it stays where it is */
  g_variant_get_data (options);
  value = g_variant_lookup_value (options, key, NULL);
  if (!value)
    return TRUE;
  if (!g_variant_is_of_type (value, G_VARIANT_TYPE (type)))
    {
      g_set_error (error, CLIP_ERROR, CLIP_ERROR_INVALID_ARGUMENT,
                   "option '%s' is of type %s instead of %s", key,
                   g_variant_get_type_string (value), type);
      return FALSE;
    }
  if (g_str_equal (type, "s") &&
      !clip_convert_check_length (key, g_variant_get_string (value, NULL),
                                  CLIP_CONVERT_MAX_TEXT, error))
    return FALSE;
  format = g_strconcat (g_str_equal (type, "s") ? "&" : "", type, NULL);
  g_variant_get (value, format, out_value);
  return TRUE;
}

/**
 * clip_convert_number:
 * @max: 1 is the least
 * @out_number: (inout): untouched where @key is missing
 *
 * Errors: %CLIP_ERROR_INVALID_ARGUMENT.
 */
gboolean
clip_convert_number (GVariant *options,
                     const char *key,
                     guint32 max,
                     guint32 *out_number,
                     GError **error)
{
  guint32 number = 1;

  if (!clip_convert_option (options, key, "u", &number, error))
    return FALSE;
  if (number < 1 || number > max)
    {
      g_set_error (error, CLIP_ERROR, CLIP_ERROR_INVALID_ARGUMENT,
                   "option '%s' is %u: 1 to %u", key, number, max);
      return FALSE;
    }
  g_variant_lookup (options, key, "u", out_number);
  return TRUE;
}

/**
 * clip_convert_text:
 * @max_bytes: without the NUL
 * @out_text: (out) (transfer none): borrowed from @options; untouched where @key is
 * missing
 *
 * Errors: %CLIP_ERROR_INVALID_ARGUMENT.
 */
gboolean
clip_convert_text (GVariant *options,
                   const char *key,
                   gsize max_bytes,
                   const char **out_text,
                   GError **error)
{
  const char *text = NULL;

  if (!clip_convert_option (options, key, "s", &text, error) ||
      (text && !clip_convert_check_length (key, text, max_bytes, error)))
    return FALSE;
  if (text)
    *out_text = text;
  return TRUE;
}

/**
 * clip_convert_check_list:
 * @what: the name of the argument, for the error
 * @items: ends with %NULL
 * @max_bytes: of each item
 *
 * Errors: %CLIP_ERROR_INVALID_ARGUMENT.
 */
gboolean
clip_convert_check_list (const char *what,
                         const char *const *items,
                         gsize max_items,
                         gsize max_bytes,
                         GError **error)
{
  for (gsize i = 0; items[i]; i++)
    if (i == max_items)
      {
        g_set_error (error, CLIP_ERROR, CLIP_ERROR_INVALID_ARGUMENT,
                     "'%s' has more than %" G_GSIZE_FORMAT " items", what, max_items);
        return FALSE;
      }
    else if (!clip_convert_check_length (what, items[i], max_bytes, error))
      return FALSE;
  return TRUE;
}

/**
 * clip_convert_list:
 * @max_bytes: of each item
 * @out_items: (out) (transfer container) (nullable): borrowed from @options; %NULL where
 * @key is missing
 *
 * A list of %CLIP_CONVERT_MAX_ITEMS texts at most. Errors: %CLIP_ERROR_INVALID_ARGUMENT.
 */
gboolean
clip_convert_list (GVariant *options,
                   const char *key,
                   gsize max_bytes,
                   const char ***out_items,
                   GError **error)
{
  g_autofree const char **items = NULL;

  *out_items = NULL;
  if (!clip_convert_option (options, key, "as", NULL, error))
    return FALSE;
  g_variant_lookup (options, key, "^a&s", &items);
  if (items &&
      !clip_convert_check_list (key, items, CLIP_CONVERT_MAX_ITEMS, max_bytes, error))
    return FALSE;
  *out_items = g_steal_pointer (&items);
  return TRUE;
}

/**
 * clip_convert_only:
 * @keys: which @options may have, beside those of settings; ends with %NULL
 *
 * For options where an unknown key would do harm.
 *
 * Errors: %CLIP_ERROR_INVALID_ARGUMENT.
 */
gboolean
clip_convert_only (GVariant *options, const char *const *keys, GError **error)
{
  GVariantIter iter;
  const char *key;
  GVariant *value;
  ClipSetting setting;

  g_variant_iter_init (&iter, options);
  while (g_variant_iter_loop (&iter, "{&sv}", &key, &value))
    if (!g_strv_contains (keys, key) && !clip_settings_find (key, &setting))
      {
        g_set_error (error, CLIP_ERROR, CLIP_ERROR_INVALID_ARGUMENT,
                     "there is no option '%s'", key);
        g_variant_unref (value);
        return FALSE;
      }
  return TRUE;
}

/* of a list of ids. Errors: %CLIP_ERROR_INVALID_ARGUMENT. */
gboolean
clip_convert_check_ids (gsize n, GError **error)
{
  if (n <= CLIP_CONVERT_MAX_IDS)
    return TRUE;
  g_set_error (error, CLIP_ERROR, CLIP_ERROR_INVALID_ARGUMENT,
               "%" G_GSIZE_FORMAT " ids: %d at most", n, CLIP_CONVERT_MAX_IDS);
  return FALSE;
}

static gboolean
convert_class (GVariant *options, ClipQuery *query, GError **error)
{
  const char *name = NULL;

  if (!clip_convert_option (options, "class", "s", &name, error))
    return FALSE;
  if (!name || clip_class_from_name (name, &query->kind))
    return TRUE;
  g_set_error (error, CLIP_ERROR, CLIP_ERROR_INVALID_ARGUMENT, "unknown class '%s'",
               name);
  return FALSE;
}

static gboolean
convert_words (GVariant *options, ClipBusQuery *out, GError **error)
{
  if (!clip_convert_list (options, "words", CLIP_CONVERT_MAX_TEXT, &out->words, error))
    return FALSE;
  out->query.words = out->words && *out->words ? (char **) out->words : NULL;
  return TRUE;
}

/**
 * clip_convert_query:
 * @out_query: (out): without a limit; borrows from @options, and keeps it
 *
 * Errors: %CLIP_ERROR_INVALID_ARGUMENT.
 */
gboolean
clip_convert_query (GVariant *options, ClipBusQuery *out_query, GError **error)
{
  ClipQuery *query = &out_query->query;
  guint64 before = 0, after = 0;

  *out_query = (ClipBusQuery){ .options = g_variant_ref (options) };
  if (!clip_convert_option (options, "before", "t", &before, error) ||
      !clip_convert_option (options, "after", "t", &after, error) ||
      !clip_convert_option (options, "regex", "s", &query->regex, error) ||
      !clip_convert_text (options, "mime", CLIP_MIME_MAX_LENGTH, &query->mime, error) ||
      !clip_convert_text (options, "tag", CLIP_MAX_TAG_BYTES, &query->tag, error) ||
      !clip_convert_text (options, "program", CLIP_MAX_ORIGIN_BYTES, &query->program,
                          error) ||
      !clip_convert_option (options, "pinned", "b", &query->pinned, error) ||
      !clip_convert_option (options, "since", "x", &query->since_us, error) ||
      !clip_convert_option (options, "until", "x", &query->until_us, error) ||
      !convert_class (options, query, error) ||
      !convert_words (options, out_query, error))
    return FALSE;
  query->before = (gint64) MIN (before, (guint64) G_MAXINT64);
  query->after = (gint64) MIN (after, (guint64) G_MAXINT64);
  return TRUE;
}

void
clip_bus_query_clear (ClipBusQuery *self)
{
  g_clear_pointer (&self->options, g_variant_unref);
  g_clear_pointer (&self->words, g_free);
}

/* of a disk there is no more than all */
static gboolean
check_share (ClipSetting setting, gint64 number, GError **error)
{
  if (setting != CLIP_SETTING_MIN_FREE_SPACE || number >= -100)
    return TRUE;
  g_set_error (error, CLIP_ERROR, CLIP_ERROR_INVALID_ARGUMENT,
               "option '%s' is %" G_GINT64_FORMAT ": -100 is the least",
               clip_settings_key (setting), number);
  return FALSE;
}

/**
 * clip_convert_settings:
 * @settings: (inout): what the caller sent along overrides the daemon's own
 *
 * Errors: %CLIP_ERROR_INVALID_ARGUMENT.
 */
gboolean
clip_convert_settings (GVariant *options, ClipSettings *settings, GError **error)
{
  g_autofree const char **from_file = NULL;

  if (!clip_convert_list (options, "from-file", CLIP_CONVERT_MAX_TEXT, &from_file, error))
    return FALSE;
  for (ClipSetting i = 0; i < CLIP_N_SETTINGS; i++)
    {
      const char *key = clip_settings_key (i);
      gint64 number = 0;

      if (clip_settings_call (i) != CLIP_CALL_LIMIT)
        continue;
      if (!clip_convert_option (options, key, "x", &number, error) ||
          !check_share (i, number, error))
        return FALSE;
      if (g_variant_lookup (options, key, "x", &number))
        clip_settings_set_number (settings, i, number,
                                  from_file && g_strv_contains (from_file, key)
                                      ? CLIP_FROM_FILE
                                      : CLIP_FROM_FLAG);
    }
  return TRUE;
}

/* the lists of settings have no item that is empty or says that there is none */
static gboolean
add_item (ClipSettings *settings, ClipSetting setting, const char *item, GError **error)
{
  const ClipSettingOrigin origin = clip_settings_origin (settings, setting);

  if (*item == '\0' || strcmp (item, "none") == 0)
    return TRUE;
  if (strchr (item, '\n'))
    {
      g_set_error (error, CLIP_ERROR, CLIP_ERROR_INVALID_ARGUMENT,
                   "option '%s' has an item of two lines", clip_settings_key (setting));
      return FALSE;
    }
  return clip_settings_set (settings, setting, item,
                            origin == CLIP_FROM_DEFAULT ? CLIP_FROM_FLAG : origin, error);
}

/**
 * clip_convert_ignored:
 * @settings: (inout): what the caller does not want to have kept is added to what the
 * daemon does not keep
 *
 * Errors: %CLIP_ERROR_INVALID_ARGUMENT. Whether an expression is one shows when it is
 * looked for.
 */
gboolean
clip_convert_ignored (GVariant *options, ClipSettings *settings, GError **error)
{
  for (ClipSetting i = 0; i < CLIP_N_SETTINGS; i++)
    {
      gsize max_bytes =
          i == CLIP_SETTING_IGNORE_MIME ? CLIP_MIME_MAX_LENGTH : CLIP_CONVERT_MAX_TEXT;
      g_autofree const char **items = NULL;

      if (clip_settings_call (i) != CLIP_CALL_REFUSAL)
        continue;
      if (!clip_convert_list (options, clip_settings_key (i), max_bytes, &items, error))
        return FALSE;
      for (guint j = 0; items && items[j]; j++)
        if (!add_item (settings, i, items[j], error))
          return FALSE;
    }
  return TRUE;
}
