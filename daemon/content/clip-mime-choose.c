/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the names that one copy is offered under say together: which of them to read. Reading has a price: a program renders each type
 * when it is asked for it, and some freeze or crash over it. So as few as will do are
 * chosen, from the names alone.
 */
#include "clip-mime.h"

#include "clip-mime-table.h"

#include <string.h>

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
#define FILES_RANKS 4

typedef struct
{
  const char *plain;
  const char *image;
  const char *rich[RICH_RANKS];
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

/**
 * clip_mime_choose:
 * @offered: (nullable): ends with %NULL, in the order offered
 *
 * Returns: (transfer container): the types to read, borrowed from @offered: the primary
 * one first, the others in the order offered; empty where nothing is of use
 */
GPtrArray *
clip_mime_choose (const char *const *offered)
{
  GPtrArray *chosen = g_ptr_array_new ();
  Choice choice = { 0 };
  const char *first;

  for (gsize i = 0; offered && offered[i]; i++)
    if (clip_mime_is_valid (offered[i]))
      consider (&choice, offered[i]);
  settle (&choice);
  first = primary (&choice);
  if (first)
    g_ptr_array_add (chosen, (gpointer) first);
  for (gsize i = 0; offered && offered[i]; i++)
    if (is_chosen (&choice, offered[i]) && !g_ptr_array_find (chosen, offered[i], NULL))
      g_ptr_array_add (chosen, (gpointer) offered[i]);
  return chosen;
}
