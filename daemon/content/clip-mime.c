/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What one name of a type means. The names themselves are in clip-mime-table, the choice
 * among the names of one copy below.
 */
#include "clip-mime.h"

#include "clip-detect.h"
#include "clip-mime-table.h"
#include "clip-secrecy.h"

#include <string.h>

/* of a name that is cut before it is stored: paths are in it */
#define MAX_OFFERED_LENGTH 4096

#define DISPLAY_NAME ";displayname=\""

static gboolean
is_name (const char *mime, gsize most)
{
  gsize length = mime ? strnlen (mime, most + 1) : 0;

  if (length == 0 || length > most)
    return FALSE;
  for (gsize i = 0; i < length; i++)
    if (mime[i] < 0x20 || mime[i] > 0x7E)
      return FALSE;
  return mime[0] != ' ' && mime[length - 1] != ' ';
}

/* LibreOffice writes into the name of a type where the document lies, which makes most of
 * those names longer than one may be. It pastes as well without. Valid until the next
 * call on this thread. */
static const char *
cut_display_name (const char *mime)
{
  static _Thread_local char cut[CLIP_MIME_MAX_LENGTH + 1];
  const char *start = strstr (mime, DISPLAY_NAME);
  const char *end = start ? strchr (start + strlen (DISPLAY_NAME), '"') : NULL;

  if (!end || clip_mime_rule (mime).kind != CLIP_MIME_NATIVE ||
      (gsize) (start - mime) + strlen (end + 1) > CLIP_MIME_MAX_LENGTH)
    return mime;
  g_snprintf (cut, sizeof cut, "%.*s%s", (int) (start - mime), mime, end + 1);
  return cut;
}

/**
 * clip_mime_is_valid:
 *
 * Returns: whether @mime is 1 to %CLIP_MIME_MAX_LENGTH bytes of printable ASCII; blanks
 * only inside, where parameters have them
 */
gboolean
clip_mime_is_valid (const char *mime)
{
  return is_name (mime, CLIP_MIME_MAX_LENGTH);
}

/**
 * clip_mime_is_offered:
 *
 * Returns: whether a program may be asked for @mime: it is valid, or what
 * clip_mime_filed() makes of it is
 */
gboolean
clip_mime_is_offered (const char *mime)
{
  return clip_mime_is_valid (mime) || (is_name (mime, MAX_OFFERED_LENGTH) &&
                                       clip_mime_is_valid (cut_display_name (mime)));
}

/**
 * clip_mime_canonical:
 *
 * Every name of a text, `STRING` too, leads to %CLIP_MIME_TEXT, so that a reader that
 * asks for one of them finds what is stored. What to call bytes that *arrived* as
 * `STRING` is clip_mime_filed()'s to say.
 *
 * Returns: the one name for all names of a type: static, or @mime itself
 */
const char *
clip_mime_canonical (const char *mime)
{
  const char *name = clip_mime_rule (mime).name;
  const char *const *family;

  if (name)
    return name;
  family = clip_mime_family (mime);
  return family ? family[0] : mime;
}

gboolean
clip_mime_same (const char *a, const char *b)
{
  return g_ascii_strcasecmp (clip_mime_canonical (a), clip_mime_canonical (b)) == 0;
}

/**
 * clip_mime_filed:
 * @offered: the name under which the bytes were offered
 * @head: the first of them
 * @whole: whether that is all
 *
 * X11's own names say little of the encoding: most programs put UTF-8 behind all of them,
 * old ones Latin-1 or ISO 2022. The bytes are never changed, so the name has to be right.
 *
 * Returns: the name under which to store them: static, @offered, or valid until the next
 * call on this thread
 */
const char *
clip_mime_filed (const char *offered, const void *head, gsize length, gboolean whole)
{
  gboolean compound = g_ascii_strcasecmp (offered, "COMPOUND_TEXT") == 0;

  if (!compound && g_ascii_strcasecmp (offered, "STRING") != 0 &&
      g_ascii_strcasecmp (offered, "TEXT") != 0)
    return cut_display_name (clip_mime_canonical (offered));
  if (strcmp (clip_detect_mime (head, length, whole), CLIP_MIME_TEXT) != 0)
    return compound ? offered : CLIP_MIME_LATIN1;
  /* ISO 2022 switches with ESC, and is ASCII without */
  return compound && memchr (head, 0x1B, length) ? offered : CLIP_MIME_TEXT;
}

/**
 * clip_mime_aliases:
 *
 * Returns: (transfer none): all names under which a content stored as @mime is offered
 * again, the best first, ending with %NULL. Valid until the next call on this thread, and
 * no longer than @mime.
 */
const char *const *
clip_mime_aliases (const char *mime)
{
  static _Thread_local const char *alone[2];
  const char *const *family = clip_mime_family (clip_mime_canonical (mime));

  if (family)
    return family;
  alone[0] = mime;
  return alone;
}

/**
 * clip_mime_answers:
 * @mime: of a content that is stored
 *
 * Returns: whether that is what a reader gets who asks for @wanted: a `STRING` may be
 * either of two contents
 */
gboolean
clip_mime_answers (const char *mime, const char *wanted)
{
  if (clip_mime_same (mime, wanted))
    return TRUE;
  for (const char *const *alias = clip_mime_aliases (mime); *alias; alias++)
    if (g_ascii_strcasecmp (*alias, wanted) == 0)
      return TRUE;
  return FALSE;
}

/**
 * clip_mime_class:
 * @mime: (nullable): of the primary content of an entry
 */
ClipClass
clip_mime_class (const char *mime)
{
  ClipMimeKind kind;

  if (!mime)
    return CLIP_CLASS_OTHER;
  kind = clip_mime_rule (mime).kind;
  if (kind == CLIP_MIME_FILES)
    return CLIP_CLASS_FILES;
  if (g_ascii_strncasecmp (mime, "image/", strlen ("image/")) == 0)
    return CLIP_CLASS_IMAGE;
  return clip_mime_is_called_text (mime) ? CLIP_CLASS_TEXT : CLIP_CLASS_OTHER;
}

/* whether it is text without any formatting */
gboolean
clip_mime_is_plain (const char *mime)
{
  return clip_mime_rule (mime).kind == CLIP_MIME_PLAIN;
}

/**
 * clip_mime_is_better_plain:
 * @than: (nullable): a name of plain text; %NULL: any is better
 *
 * Returns: whether @mime is one, too, and of a text the one to keep
 */
gboolean
clip_mime_is_better_plain (const char *mime, const char *than)
{
  const ClipMimeRule rule = clip_mime_rule (mime);

  return rule.kind == CLIP_MIME_PLAIN &&
         (!than || rule.rank < clip_mime_rule (than).rank);
}

/**
 * clip_mime_is_text:
 *
 * Returns: whether the bytes are for reading: worth showing, searching and diffing. A
 * list of files is; an SVG image is not.
 */
gboolean
clip_mime_is_text (const char *mime)
{
  return mime && clip_mime_is_called_text (mime);
}

/**
 * clip_mime_may_reoffer:
 *
 * Returns: whether a stored @mime may be offered to other programs: not what is a message
 * between clipboard programs, good for one paste only, or known to crash its own program
 */
gboolean
clip_mime_may_reoffer (const char *mime)
{
  return clip_mime_rule (mime).kind != CLIP_MIME_CONTROL &&
         clip_secrecy_of_name (mime) == CLIP_SECRECY_NONE;
}

/* whether a copy may be read in that type, where there is no better one; FALSE: it is a
 * program's own business, or a message between clipboard programs */
gboolean
clip_mime_is_kept (const char *mime)
{
  ClipMimeKind kind = clip_mime_rule (mime).kind;

  return kind != CLIP_MIME_CONTROL && kind != CLIP_MIME_PRIVATE;
}

/* whether it is of use without the others that it came with: not a marker, nor what its
 * own program alone reads */
gboolean
clip_mime_stands_alone (const char *mime)
{
  ClipMimeKind kind = clip_mime_rule (mime).kind;

  return clip_mime_is_kept (mime) && kind != CLIP_MIME_MARKER && kind != CLIP_MIME_NATIVE;
}

/* --- which of the names that one copy is offered under to read ---
 *
 * Reading has a price: a program renders each type when it is asked for it, and some
 * freeze or crash over it. So as few as will do are chosen, from the names alone. */

static const char force_image[] = "x-kde-force-image-copy";

static const char *const reassertions[] = {
  "application/x-kde-onlyReplaceEmpty",
  "application/x-kde-syncselection",
};

/**
 * clip_mime_is_reassertion:
 *
 * Returns: whether a clipboard manager offers again what was copied before. That is no
 * copy, and may be a mangled one.
 */
gboolean
clip_mime_is_reassertion (const char *const *offered)
{
  for (gsize i = 0; offered && offered[i]; i++)
    for (gsize j = 0; j < G_N_ELEMENTS (reassertions); j++)
      if (g_ascii_strcasecmp (offered[i], reassertions[j]) == 0)
        return TRUE;
  return FALSE;
}

#define RICH_RANKS 2
#define NATIVE_RANKS 2
#define FILES_RANKS 4

typedef struct
{
  const char *plain;
  const char *image;
  const char *rich[RICH_RANKS];
  const char *native[NATIVE_RANKS];
  const char *files[FILES_RANKS];
  const char *marker;
  const char *other[CLIP_MIME_MAX_UNKNOWN];
  guint n_others;
  int plain_rank;
  int image_rank;
  gboolean force_image;
} Choice;

static void
keep_best (const char **best, int *best_rank, const char *mime, int rank)
{
  if (*best && *best_rank <= rank)
    return;
  *best = mime;
  *best_rank = rank;
}

static void
keep_first (const char **first, const char *mime)
{
  if (!*first)
    *first = mime;
}

static void
keep_other (Choice *self, const char *mime)
{
  for (guint i = 0; i < self->n_others; i++)
    if (g_ascii_strcasecmp (self->other[i], mime) == 0)
      return;
  if (self->n_others < CLIP_MIME_MAX_UNKNOWN)
    self->other[self->n_others++] = mime;
}

static void
consider (Choice *self, const char *mime)
{
  ClipMimeRule rule = clip_mime_rule (mime);

  switch (rule.kind)
    {
    case CLIP_MIME_PLAIN:
      keep_best (&self->plain, &self->plain_rank, mime, rule.rank);
      break;
    case CLIP_MIME_IMAGE:
      keep_best (&self->image, &self->image_rank, mime, rule.rank);
      break;
    case CLIP_MIME_RICH:
      keep_first (&self->rich[rule.rank], mime);
      break;
    case CLIP_MIME_NATIVE:
      keep_first (&self->native[rule.rank], mime);
      break;
    case CLIP_MIME_FILES:
      keep_first (&self->files[rule.rank], mime);
      break;
    case CLIP_MIME_MARKER:
      keep_first (&self->marker, mime);
      break;
    case CLIP_MIME_OTHER:
      keep_other (self, mime);
      break;
    case CLIP_MIME_PRIVATE:
    case CLIP_MIME_CONTROL:
      self->force_image |= clip_mime_contains (mime, force_image);
      break;
    }
}

static const char *
first_of (const char *const *mimes, guint n)
{
  for (guint i = 0; i < n; i++)
    if (mimes[i])
      return mimes[i];
  return NULL;
}

/* text beats image: offices offer a picture of every selection, and draw it only when it
 * is asked for */
static void
settle (Choice *self)
{
  gboolean has_files = first_of (self->files, FILES_RANKS) != NULL;

  if (self->plain && !self->force_image)
    self->image = NULL;
  if (!has_files)
    self->marker = NULL;
  if (self->plain || self->image || has_files || first_of (self->rich, RICH_RANKS))
    self->n_others = 0;
}

static const char *
primary (const Choice *self)
{
  const char *by_rank[] = {
    self->force_image ? self->image : NULL,
    first_of (self->files, FILES_RANKS),
    self->plain,
    self->image,
    first_of (self->rich, RICH_RANKS),
    self->n_others > 0 ? self->other[0] : NULL,
  };

  return first_of (by_rank, G_N_ELEMENTS (by_rank));
}

static gboolean
is_among (const char *mime, const char *const *mimes, guint n)
{
  for (guint i = 0; i < n; i++)
    if (mimes[i] == mime)
      return TRUE;
  return FALSE;
}

static gboolean
is_chosen (const Choice *self, const char *mime)
{
  return mime == self->plain || mime == self->image || mime == self->marker ||
         is_among (mime, self->rich, RICH_RANKS) ||
         is_among (mime, self->files, FILES_RANKS) ||
         is_among (mime, self->other, self->n_others);
}

/* the large one takes its program long to make: what others can paste comes before it. Of
 * use are all of them together, beside a content that others understand */
static void
add_native (const Choice *self, GPtrArray *chosen)
{
  gboolean is_whole = chosen->len > 0;

  for (guint i = 0; i < NATIVE_RANKS; i++)
    is_whole = is_whole && self->native[i];
  for (guint i = NATIVE_RANKS; is_whole && i > 0; i--)
    g_ptr_array_add (chosen, (gpointer) self->native[i - 1]);
}

/**
 * clip_mime_choose:
 * @offered: (nullable): ends with %NULL, in the order offered
 *
 * Returns: (transfer container): the types to read, borrowed from @offered: the primary
 * one first, the others in the order offered, those of its own program alone last; empty
 * where nothing is of use
 */
GPtrArray *
clip_mime_choose (const char *const *offered)
{
  GPtrArray *chosen = g_ptr_array_new ();
  Choice choice = { 0 };
  const char *first;

  for (gsize i = 0; offered && offered[i]; i++)
    if (clip_mime_is_offered (offered[i]))
      consider (&choice, offered[i]);
  settle (&choice);
  first = primary (&choice);
  if (first)
    g_ptr_array_add (chosen, (gpointer) first);
  for (gsize i = 0; offered && offered[i]; i++)
    if (is_chosen (&choice, offered[i]) && !g_ptr_array_find (chosen, offered[i], NULL))
      g_ptr_array_add (chosen, (gpointer) offered[i]);
  add_native (&choice, chosen);
  return chosen;
}
