/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What is said of an entry, to who sees and to who listens. */
#include "clip-entry-words.h"

#include "clip-words.h"

#include <string.h>

#define MINUTE 60
#define HOUR (60 * MINUTE)
#define DAY (24 * HOUR)

/* of URIs in a preview: those after it are counted, not named */
#define NAMES_SHOWN 3

/* the characters of what rows say of an image: 800×600 */
#define SIZE " 0123456789x×"

/**
 * clip_entry_words_safe:
 * @text: of a stranger
 *
 * Returns: (transfer full): with a sign in the place of each character that is none to be
 * seen: control characters but the tab, and those that turn the direction of what follows
 */
char *
clip_entry_words_safe (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  GString *out = g_string_sized_new (strlen (valid));

  for (const char *c = valid; *c; c = g_utf8_next_char (c))
    {
      gunichar character = g_utf8_get_char (c);
      GUnicodeType type = g_unichar_type (character);
      gboolean turns = (character >= 0x202a && character <= 0x202e) ||
                       (character >= 0x2066 && character <= 0x2069);

      if (character == '\n')
        g_string_append_c (out, ' ');
      else if ((type == G_UNICODE_CONTROL && character != '\t') || turns)
        g_string_append (out, "\uFFFD");
      else
        g_string_append_unichar (out, character);
    }
  return g_string_free (out, FALSE);
}

static const char *
kind_words (CliphistKind kind)
{
  switch (kind)
    {
    case CLIPHIST_KIND_TEXT:
      return _ ("Text");
    case CLIPHIST_KIND_IMAGE:
      return _ ("Image");
    case CLIPHIST_KIND_FILES:
      return _ ("Files");
    case CLIPHIST_KIND_ANY:
    case CLIPHIST_KIND_OTHER:
    default:
      return _ ("Data");
    }
}

/**
 * clip_entry_words_find_kind:
 * @text: that was searched for
 *
 * Returns: (nullable): the filter of the kind that rows call so; of an image, with or
 * without its size, and called a picture, too
 */
const char *
clip_entry_words_find_kind (const char *text)
{
  const struct
  {
    const char *words, *filter;
    const char *size; /* the characters that may follow */
  } kinds[] = {
    { _ ("Text"), "kind:text", "" },       { _ ("Image"), "kind:image", SIZE },
    { _ ("Picture"), "kind:image", SIZE }, { _ ("Files"), "kind:files", "" },
    { _ ("Data"), "kind:data", "" },
  };
  g_autofree char *folded = g_strstrip (g_utf8_casefold (text, -1));

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autofree char *words = g_utf8_casefold (kinds[i].words, -1);
      gsize length = strlen (words);

      if (g_str_has_prefix (folded, words) &&
          !folded[length + strspn (folded + length, kinds[i].size)])
        return kinds[i].filter;
    }
  return NULL;
}

/* (transfer full): how long ago: "5 min", "3 d"; a date where that is longer than a
   month */
static char *
age_words (gint64 then_us, gint64 now_us)
{
  gint64 seconds = MAX (0, now_us - then_us) / G_USEC_PER_SEC;
  g_autoptr (GDateTime) then = NULL;

  if (seconds < MINUTE)
    return g_strdup (_ ("now"));
  if (seconds < HOUR)
    return g_strdup_printf (_ ("%d min ago"), (int) (seconds / MINUTE));
  if (seconds < DAY)
    return g_strdup_printf (_ ("%d h ago"), (int) (seconds / HOUR));
  if (seconds < 31 * DAY)
    return g_strdup_printf (P_ ("%d day ago", "%d days ago", (gulong) (seconds / DAY)),
                            (int) (seconds / DAY));
  then = g_date_time_new_from_unix_local (then_us / G_USEC_PER_SEC);
  return then ? g_date_time_format (then, "%x") : g_strdup ("");
}

static char *
name_of (const char *uri)
{
  g_autofree char *path = g_filename_from_uri (uri, NULL, NULL);
  g_autofree char *name = path ? g_filename_display_basename (path) : NULL;

  return clip_entry_words_safe (name ?: uri);
}

/* the preview of files is their URIs, with blanks between them */
static char *
name_files (const char *preview)
{
  g_auto (GStrv) uris = g_strsplit (preview, " ", -1);
  GString *out = g_string_new (NULL);
  guint n = g_strv_length (uris);

  for (guint i = 0; i < MIN (n, NAMES_SHOWN); i++)
    {
      g_autofree char *name = name_of (uris[i]);

      g_string_append_printf (out, "%s%s", i > 0 ? ", " : "", name);
    }
  if (n > NAMES_SHOWN)
    g_string_append_printf (out, _ (" and %u more"), n - NAMES_SHOWN);
  return g_string_free (out, FALSE);
}

/**
 * clip_entry_words_title:
 * @out_mark: (out): the match in it, where the daemon says so
 *
 * Returns: (transfer full): one line by which a person knows the entry
 */
char *
clip_entry_words_title (CliphistEntry *entry, ClipWordMark *out_mark)
{
  g_autofree char *preview = NULL;
  g_autofree char *snippet = NULL;
  g_autofree char *mime = NULL;
  CliphistKind kind;
  guint width, height, start, end;

  *out_mark = (ClipWordMark){ 0 };
  g_object_get (entry, "kind", &kind, "preview", &preview, "snippet", &snippet,
                "snippet-start", &start, "snippet-end", &end, "width", &width, "height",
                &height, "mime-type", &mime, NULL);
  if (kind == CLIPHIST_KIND_TEXT && snippet && *snippet)
    {
      *out_mark = (ClipWordMark){ start, end };
      return g_steal_pointer (&snippet);
    }
  if (kind == CLIPHIST_KIND_TEXT)
    return clip_entry_words_safe (preview ?: "");
  if (kind == CLIPHIST_KIND_FILES)
    return name_files (preview ?: "");
  if (width > 0 && height > 0)
    return g_strdup_printf (_ ("Image %u×%u"), width, height);
  return g_strdup_printf ("%s (%s)", kind_words (kind), mime ?: "");
}

/* isolated: a word that is written from the right does not pull the numbers beside it
   along */
static void
add_part (GString *out, const char *before, const char *part)
{
  g_string_append_printf (out, "%s\u2068%s\u2069", before, part);
}

/**
 * clip_entry_words_about:
 *
 * Returns: (transfer full): kind, size, age, tags and program, in a line
 */
char *
clip_entry_words_about (CliphistEntry *entry, gint64 now_us)
{
  GString *out = g_string_new (NULL);
  g_autofree char *program = NULL;
  g_autofree char *size_text = NULL;
  g_autofree char *age = NULL;
  g_auto (GStrv) tags = NULL;
  CliphistKind kind;
  guint64 size;
  gint64 used_us;

  g_object_get (entry, "kind", &kind, "size", &size, "used", &used_us, "program",
                &program, "tags", &tags, NULL);
  size_text = g_format_size (size);
  age = age_words (used_us, now_us);
  add_part (out, "", kind_words (kind));
  add_part (out, " · ", size_text);
  add_part (out, " · ", age);
  for (guint i = 0; tags && tags[i]; i++)
    {
      g_autofree char *safe = clip_entry_words_safe (tags[i]);
      g_autofree char *tag = g_strconcat ("#", safe, NULL);

      add_part (out, i == 0 ? " · " : " ", tag);
    }
  if (program)
    {
      g_autofree char *safe = clip_entry_words_safe (program);

      add_part (out, " · ", safe);
    }
  return g_string_free (out, FALSE);
}
