/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-draft.h"

#include "clip-detect.h"
#include "clip-draft-private.h"
#include "clip-error.h"
#include "clip-fd.h"
#include "clip-image-size.h"
#include "clip-mime.h"
#include "clip-preview.h"
#include "clip-utf8.h"

#include <string.h>
#include <sys/mman.h>

/**
 * clip_draft_new:
 * @origin: "BACKEND SELECTION APP", or "" where unknown
 *
 * Returns: (transfer full): an entry to be, copied now, without contents
 */
ClipDraft *
clip_draft_new (const char *origin)
{
  ClipDraft *self = g_new0 (ClipDraft, 1);

  self->origin = g_strdup (origin);
  self->first_us = self->last_us = g_get_real_time ();
  self->begun_us = g_get_monotonic_time ();
  self->parts = g_ptr_array_new ();
  return self;
}

static void
free_part (ClipDraftPart *part)
{
  clip_stage_unref (part->stage);
  g_clear_pointer (&part->bytes, g_bytes_unref);
  g_free (part->mime);
  g_free (part->type);
  g_free (part);
}

void
clip_draft_free (ClipDraft *self)
{
  if (!self)
    return;
  for (guint i = 0; i < self->parts->len; i++)
    free_part (self->parts->pdata[i]);
  g_ptr_array_unref (self->parts);
  g_free (self->origin);
  g_free (self->preview);
  g_free (self);
}

/**
 * clip_draft_add:
 * @stage: what was received; referenced
 * @size: of it, in bytes
 */
void
clip_draft_add (ClipDraft *self, const char *mime, ClipStage *stage, gint64 size)
{
  ClipDraftPart *part = g_new0 (ClipDraftPart, 1);

  part->mime = g_strdup (mime);
  part->stage = clip_stage_ref (stage);
  part->size = size;
  g_ptr_array_add (self->parts, part);
}

/* as clip_draft_add(), for a content of %CLIP_INLINE_BYTES at most that is in memory */
void
clip_draft_add_bytes (ClipDraft *self, const char *mime, GBytes *bytes)
{
  ClipDraftPart *part = g_new0 (ClipDraftPart, 1);

  part->mime = g_strdup (mime);
  part->bytes = g_bytes_ref (bytes);
  part->size = (gint64) g_bytes_get_size (bytes);
  g_ptr_array_add (self->parts, part);
}

/* nobody has named the type of the primary content: it is what its bytes look like */
void
clip_draft_set_guessed (ClipDraft *self)
{
  self->guessed = TRUE;
}

/* the content that was added as number @n, from 0, is the primary one */
void
clip_draft_set_primary (ClipDraft *self, guint n)
{
  g_ptr_array_insert (self->parts, 0, g_ptr_array_steal_index (self->parts, n));
}

/* it was there before anybody watched, and is no new copy: where an entry holds all of it
 * already, adding it finds that entry and changes nothing */
void
clip_draft_set_initial (ClipDraft *self)
{
  self->initial = TRUE;
}

/* monotonic: when it began to come; it is not added where the history was wiped since */
void
clip_draft_set_begun (ClipDraft *self, gint64 begun_us)
{
  self->begun_us = begun_us;
}

/* that entry goes when this one is added, which takes over its pin, tags and expiry */
void
clip_draft_set_replaces (ClipDraft *self, gint64 id)
{
  self->replaces = id;
}

/* Microseconds since the epoch. What is later than now counts as now: a limit of age
 * removes the oldest until one is young enough, and such a one would be for ever. */
void
clip_draft_set_times (ClipDraft *self, gint64 first_us, gint64 last_us)
{
  self->last_us = MIN (last_us, self->last_us);
  self->first_us = MIN (first_us, self->last_us);
}

/* whether preparing it takes longer than reading a few pages */
gboolean
clip_draft_has_blobs (const ClipDraft *self)
{
  for (guint i = 0; i < self->parts->len; i++)
    if (((const ClipDraftPart *) self->parts->pdata[i])->size > CLIP_INLINE_BYTES)
      return TRUE;
  return FALSE;
}

/* of all of its contents */
gint64
clip_draft_bytes (const ClipDraft *self)
{
  gint64 bytes = 0;

  for (guint i = 0; i < self->parts->len; i++)
    bytes += ((const ClipDraftPart *) self->parts->pdata[i])->size;
  return bytes;
}

static gboolean
prepare_part (ClipDraftPart *part, GError **error)
{
  if (!part->type)
    part->type = g_ascii_strdown (clip_mime_canonical (part->mime), -1);
  if (part->size > CLIP_INLINE_BYTES)
    return clip_stage_seal (part->stage, part->size, error) &&
           clip_stage_settle (part->stage, error);
  if (!part->bytes)
    part->bytes = clip_stage_head (part->stage, (gsize) part->size + 1, error);
  if (!part->bytes || g_bytes_get_size (part->bytes) == (gsize) part->size)
    return part->bytes != NULL;
  g_set_error (error, CLIP_ERROR, CLIP_ERROR_CORRUPT,
               "%" G_GINT64_FORMAT " bytes were received, and %" G_GSIZE_FORMAT
               " are there",
               part->size, g_bytes_get_size (part->bytes));
  return FALSE;
}

static gboolean
read_small (ClipDraft *self, GError **error)
{
  for (guint i = 0; i < self->parts->len; i++)
    {
      ClipDraftPart *part = self->parts->pdata[i];

      if (part->size <= CLIP_INLINE_BYTES && !prepare_part (part, error))
        return FALSE;
    }
  return TRUE;
}

static gint64
hash_primary (const ClipDraftPart *part)
{
  ClipHash hash;
  gsize length;
  const void *data;

  if (!part->bytes)
    return clip_hash_short (clip_stage_hash (part->stage));
  data = g_bytes_get_data (part->bytes, &length);
  hash = clip_hash_of (data, length);
  return clip_hash_short (&hash);
}

static GBytes *
read_head (const ClipDraftPart *part, GError **error)
{
  if (part->bytes)
    return g_bytes_ref (part->bytes);
  return clip_stage_head (part->stage, CLIP_HEAD_BYTES, error);
}

/* of an image: a larger one whose size is not among the first bytes is told without it */
#define MOST_LOOKED_AT_BYTES ((gint64) 256 * 1024 * 1024)

/* whether what says that it is an image may stand behind the head */
static gboolean
wants_all (const void *head, gsize length)
{
  ClipImageSize found;

  return !clip_image_size (head, length, &found) && found.format;
}

/* (nullable): where it cannot be mapped; @named: as below */
static char *
preview_image (const ClipDraftPart *part, const char *named)
{
  gsize length = (gsize) MIN (MOST_LOOKED_AT_BYTES, part->size);
  void *more = clip_map_file (clip_stage_fd (part->stage), 0, length);
  char *preview;

  if (!more)
    return NULL;
  preview = clip_preview_make (named, more, length, part->size);
  munmap (more, length);
  return preview;
}

/* (nullable): where it cannot be read */
static char *
preview_text (const ClipDraftPart *part, const char *named)
{
  const gint64 wanted = MIN (CLIP_PREVIEW_SEARCHED_BYTES, part->size);
  g_autoptr (GBytes) text = clip_stage_head (part->stage, (gsize) wanted, NULL);
  const void *data;
  gsize length;

  if (!text)
    return NULL;
  data = g_bytes_get_data (text, &length);
  return clip_preview_make (named, data, length, part->size);
}

/* less of a text than the widest list shows, which mostly are 100 characters: there are
 * blanks in its place */
#define SHORT_BYTES 1024

/* @named: (nullable): its type, where that is not guessed */
static char *
make_preview (const ClipDraftPart *part,
              const char *named,
              const void *head,
              gsize length)
{
  g_autofree char *preview = clip_preview_make (named, head, length, part->size);
  char *better = NULL;

  if ((gint64) length >= part->size)
    return g_steal_pointer (&preview);
  if (wants_all (head, length))
    better = preview_image (part, named);
  else if (strlen (preview) < SHORT_BYTES)
    better = preview_text (part, named);
  return better ?: g_steal_pointer (&preview);
}

/* --- of several contents the text --- */

/* (transfer full) (nullable): the line by which a list would show it */
static char *
preview_part (const ClipDraft *self, const ClipDraftPart *part, GError **error)
{
  const gboolean is_guessed = self->guessed && part == self->parts->pdata[0];
  g_autoptr (GBytes) head = read_head (part, error);
  const void *data;
  gsize length;

  if (!head)
    return NULL;
  data = g_bytes_get_data (head, &length);
  return make_preview (part, is_guessed ? NULL : part->mime, data, length);
}

/* a long one has an ellipsis; one of which not all is looked at may be a text */
static gboolean
is_blank (const ClipDraftPart *part, const char *preview)
{
  return *preview == '\0' ||
         (part->size > CLIP_HEAD_BYTES && part->size <= CLIP_PREVIEW_SEARCHED_BYTES &&
          strcmp (preview, CLIP_UTF8_ELLIPSIS) == 0);
}

/* @out_best: (out): which of the contents is the plain text; their number where none is,
 * or it is blank */
static gboolean
find_plain (const ClipDraft *self, guint *out_best, GError **error)
{
  const char *name = NULL;

  *out_best = self->parts->len;
  for (guint i = 0; i < self->parts->len; i++)
    {
      const ClipDraftPart *part = self->parts->pdata[i];
      g_autofree char *preview = NULL;

      if (!clip_mime_is_better_plain (part->mime, name))
        continue;
      preview = preview_part (self, part, error);
      if (!preview)
        return FALSE;
      if (is_blank (part, preview))
        continue;
      name = part->mime;
      *out_best = i;
    }
  return TRUE;
}

/* whether a list shows of it what no paste of a text gives */
static gboolean
is_no_text (const ClipDraftPart *part, const char *preview)
{
  const ClipClass kind = clip_mime_class (part->mime);

  return (kind == CLIP_CLASS_IMAGE &&
          clip_preview_is_image (preview, strlen (preview))) ||
         (kind == CLIP_CLASS_FILES && clip_preview_is_uris (preview));
}

/* Returns: where @best is then */
static guint
drop_other_plain (ClipDraft *self, guint best)
{
  for (guint i = self->parts->len; i-- > 0;)
    if (i != best && clip_mime_is_plain (((ClipDraftPart *) self->parts->pdata[i])->mime))
      {
        self->guessed = self->guessed && i > 0;
        free_part (g_ptr_array_steal_index (self->parts, i));
        best -= i < best;
      }
  return best;
}

/* What a list shows as a text is what a paste of a text gives, from wherever the entry
 * comes: one plain text is kept, under its best name, and that is the primary content,
 * but beside an image or files. */
static gboolean
settle_plain (ClipDraft *self, GError **error)
{
  g_autofree char *preview = NULL;
  guint best;

  if (self->parts->len == 1)
    return TRUE;
  if (!find_plain (self, &best, error))
    return FALSE;
  if (best < self->parts->len)
    best = drop_other_plain (self, best);
  if (best == 0 || best == self->parts->len)
    return TRUE;
  preview = preview_part (self, self->parts->pdata[0], error);
  if (!preview)
    return FALSE;
  if (is_no_text (self->parts->pdata[0], preview))
    return TRUE;
  clip_draft_set_primary (self, best);
  self->guessed = FALSE;
  return TRUE;
}

/* what a list shows of it, taken from the first bytes of the primary content */
static gboolean
describe (ClipDraft *self, GError **error)
{
  const ClipDraftPart *primary = self->parts->pdata[0];
  g_autoptr (GBytes) head = read_head (primary, error);
  const void *data;
  gsize length;

  if (!head)
    return FALSE;
  data = g_bytes_get_data (head, &length);
  self->kind = clip_mime_class (primary->mime);
  self->preview =
      make_preview (primary, self->guessed ? NULL : primary->mime, data, length);
  self->begins = primary->bytes && clip_preview_is_prefix (self->preview, data, length);
  self->hash = hash_primary (primary);
  return TRUE;
}

/**
 * clip_draft_prepare:
 *
 * Does what can be done for the entry outside of a transaction: of plain texts the one is
 * found that is kept, small contents are read, large ones sealed and settled, the preview
 * is made. Blocks on the disk. Called again, it settles anew.
 *
 * Errors: %CLIP_ERROR_INVALID_ARGUMENT for a draft without contents, %CLIP_ERROR_CORRUPT
 * where a size is wrong, %CLIP_ERROR_NO_SPACE, %G_FILE_ERROR.
 */
gboolean
clip_draft_prepare (ClipDraft *self, GError **error)
{
  if (self->parts->len == 0)
    {
      g_set_error (error, CLIP_ERROR, CLIP_ERROR_INVALID_ARGUMENT,
                   "an entry needs a content");
      return FALSE;
    }
  if (!self->preview && (!read_small (self, error) || !settle_plain (self, error)))
    return FALSE;
  for (guint i = 0; i < self->parts->len; i++)
    if (!prepare_part (self->parts->pdata[i], error))
      return FALSE;
  return self->preview || describe (self, error);
}
