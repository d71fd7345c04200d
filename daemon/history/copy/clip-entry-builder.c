/* SPDX-License-Identifier: LGPL-2.1-or-later */
#define G_LOG_DOMAIN "clip-history"
#include "clip-entry-builder.h"

#include "clip-detect.h"
#include "clip-encoding.h"
#include "clip-fd.h"
#include "clip-mime.h"
#include "clip-secrecy.h"

/* what the checks of a text look at: a longer one is neither blank nor short */
#define JUDGED_BYTES (1024 * 1024)

struct ClipEntryBuilder
{
  ClipSettings *settings;
  char *origin;
  GPtrArray *contents; /* of ClipStagedContent */
  gint64 begun_us;     /* monotonic */
  gboolean initial;
  gint64 replaces;
  gboolean is_secret;    /* one of the types said so */
  gboolean has_no_first; /* it had no byte */
  gboolean is_unwanted;  /* an expression of the user's found something */
  guint n_hints;
  ClipIgnore *ignore;                   /* (nullable) */
  ClipSecretFingerprints *fingerprints; /* (nullable) */
};

/**
 * clip_entry_builder_new:
 * @settings: in force for this copy; copied
 * @origin: "BACKEND SELECTION APP", or "" of a caller
 *
 * From now on it comes: a wipe that is asked for later means it, too.
 */
ClipEntryBuilder *
clip_entry_builder_new (const ClipSettings *settings, const char *origin)
{
  ClipEntryBuilder *self = g_new0 (ClipEntryBuilder, 1);

  self->settings = clip_settings_copy (settings);
  self->origin = g_strdup (origin);
  self->begun_us = g_get_monotonic_time ();
  self->contents =
      g_ptr_array_new_with_free_func ((GDestroyNotify) clip_staged_content_free);
  return self;
}

void
clip_entry_builder_free (ClipEntryBuilder *self)
{
  if (!self)
    return;
  clip_settings_free (self->settings);
  g_free (self->origin);
  g_ptr_array_unref (self->contents);
  clip_ignore_unref (self->ignore);
  clip_secret_fingerprints_unref (self->fingerprints);
  g_free (self);
}

/* it was there when we began to watch: where it equals an entry, nothing changes */
void
clip_entry_builder_set_initial (ClipEntryBuilder *self)
{
  self->initial = TRUE;
}

/* that entry goes when this one is added, which takes over its pin, tags and expiry */
void
clip_entry_builder_set_replaces (ClipEntryBuilder *self, gint64 id)
{
  self->replaces = id;
}

/* what no text may be that becomes an entry */
void
clip_entry_builder_set_guards (ClipEntryBuilder *self,
                               ClipIgnore *ignore,
                               ClipSecretFingerprints *fingerprints)
{
  self->ignore = clip_ignore_ref (ignore);
  self->fingerprints = clip_secret_fingerprints_ref (fingerprints);
}

/* that have come in by now */
goffset
clip_entry_builder_bytes (ClipEntryBuilder *self)
{
  goffset bytes = 0;

  for (guint i = 0; i < self->contents->len; i++)
    bytes += ((ClipStagedContent *) g_ptr_array_index (self->contents, i))->size;
  return bytes;
}

/* on which the next content is received: not at all where its limit is negative;
 * @progress: (nullable): told what has come, all contents together */
ClipReceiveTerms
clip_entry_builder_terms (ClipEntryBuilder *self, ClipTransferProgress *progress)
{
  const goffset counted = clip_entry_builder_bytes (self);

  return (ClipReceiveTerms){ .limit = clip_policy_size_limit (self->settings, counted),
                             .progress = progress,
                             .counted = counted,
                             .limits = clip_entry_builder_limits (self) };
}

/* that the history is held to with it */
ClipLimits
clip_entry_builder_limits (ClipEntryBuilder *self)
{
  return clip_policy_limits (self->settings);
}

/* whether that content marks the copy as a secret: of a display it has been looked at
 * before, a caller may send it with the others */
static gboolean
is_mark (ClipEntryBuilder *self, const ClipStagedContent *content)
{
  ClipSecrecy secrecy = clip_secrecy_of_name (content->mime);
  g_autoptr (GBytes) value = NULL;
  gsize length = 0;
  const void *data;

  if (secrecy != CLIP_SECRECY_ASK)
    return secrecy == CLIP_SECRECY_SECRET;
  if (++self->n_hints > CLIP_SECRECY_MAX_HINTS ||
      content->size > CLIP_SECRECY_VALUE_BYTES)
    return TRUE;
  value = clip_stage_head (content->stage, CLIP_HEAD_BYTES, NULL);
  data = value ? g_bytes_get_data (value, &length) : NULL;
  return clip_secrecy_refuses (content->mime, data, MIN (length, (gsize) content->size));
}

/* how many they are */
guint
clip_entry_builder_n_contents (ClipEntryBuilder *self)
{
  return self->contents->len;
}

static ClipStagedContent *
last_content (ClipEntryBuilder *self)
{
  return g_ptr_array_index (self->contents, self->contents->len - 1);
}

/* what the last bytes of the last content say */
ClipEnding
clip_entry_builder_last_ending (ClipEntryBuilder *self)
{
  ClipStagedContent *last = last_content (self);
  gsize length = (gsize) MIN (last->size, CLIP_POLICY_TAIL_BYTES);
  g_autofree guint8 *end = g_malloc (length);
  g_autoptr (GBytes) tail = NULL;

  if (!clip_read_exactly (clip_stage_fd (last->stage), end, length,
                          last->size - (goffset) length, NULL))
    return CLIP_ENDING_MISSING;
  tail = g_bytes_new_take (g_steal_pointer (&end), length);
  return clip_policy_ending (last->mime, tail);
}

/* whether it is one that is not broken off in practice: it came in one piece */
gboolean
clip_entry_builder_last_is_small (ClipEntryBuilder *self)
{
  return last_content (self)->size <= CLIP_POLICY_SMALL_BYTES;
}

/* forgets a content that turned out not to be whole */
void
clip_entry_builder_drop_last (ClipEntryBuilder *self)
{
  g_ptr_array_remove_index (self->contents, self->contents->len - 1);
}

/* forgets all that has come: there will be no entry */
void
clip_entry_builder_drop_all (ClipEntryBuilder *self)
{
  g_ptr_array_set_size (self->contents, 0);
}

/* the type to keep it under: what has no name is found out, what X11 names is looked
   at */
static const char *
filed_name (const ClipStagedContent *content)
{
  g_autoptr (GBytes) head = clip_stage_head (content->stage, CLIP_HEAD_BYTES, NULL);
  gsize length = 0;
  const void *data = head ? g_bytes_get_data (head, &length) : NULL;
  gboolean whole = content->size <= (goffset) length;

  if (*content->mime)
    return clip_mime_filed (content->mime, data, length, whole);
  return clip_detect_mime (data, length, whole);
}

/* As much as the checks need: a text that does not begin blank is not blank. @is_counted:
 * where it may be too short its characters are counted, of which one may have many
 * bytes */
static GBytes *
read_judged_head (const ClipStagedContent *primary, gboolean is_counted, GError **error)
{
  g_autoptr (GBytes) head = clip_stage_head (primary->stage, CLIP_HEAD_BYTES, error);
  gsize length;
  const void *data = head ? g_bytes_get_data (head, &length) : NULL;

  if (!head || primary->size <= (goffset) length ||
      (!is_counted && !clip_detect_blank (data, length)))
    return g_steal_pointer (&head);
  return clip_stage_head (primary->stage, JUDGED_BYTES, error);
}

static gboolean
is_blank (const ClipStagedContent *content)
{
  g_autoptr (GBytes) head = read_judged_head (content, FALSE, NULL);
  gsize length = 0;
  const void *data = head ? g_bytes_get_data (head, &length) : NULL;

  return head && content->size <= (goffset) length &&
         (clip_mime_same (content->mime, CLIP_MIME_HTML)
              ? clip_detect_blank_html (data, length)
              : clip_detect_blank (data, length));
}

/* the best content first; one without a byte is none */
void
clip_entry_builder_add (ClipEntryBuilder *self, ClipStagedContent *received_take)
{
  g_autoptr (ClipStagedContent) received = received_take;

  self->is_secret |= is_mark (self, received);
  received->is_enough =
      clip_mime_stands_alone (filed_name (received)) && !is_blank (received);
  self->has_no_first |= received->size == 0 && self->contents->len == 0;
  if (received->size > 0)
    g_ptr_array_add (self->contents, g_steal_pointer (&received));
}

/* which of the contents the entry is shown by; their number where it is blank */
static guint
find_primary (ClipEntryBuilder *self)
{
  for (guint i = 0; i < self->contents->len; i++)
    if (((ClipStagedContent *) self->contents->pdata[i])->is_enough)
      return i;
  return self->contents->len;
}

/**
 * clip_entry_builder_has_primary:
 *
 * Returns: whether one of the contents that have come is enough for an entry: it is of
 * use alone, and not blank
 */
gboolean
clip_entry_builder_has_primary (ClipEntryBuilder *self)
{
  return find_primary (self) < self->contents->len;
}

/* whether all that has come is plain text */
gboolean
clip_entry_builder_is_plain (ClipEntryBuilder *self)
{
  for (guint i = 0; i < self->contents->len; i++)
    if (!clip_mime_is_plain (filed_name (self->contents->pdata[i])))
      return FALSE;
  return TRUE;
}

/* (transfer full): under which what has come is kept */
GStrv
clip_entry_builder_types (ClipEntryBuilder *self)
{
  g_autoptr (GStrvBuilder) types = g_strv_builder_new ();

  for (guint i = 0; i < self->contents->len; i++)
    g_strv_builder_add (types, filed_name (self->contents->pdata[i]));
  return g_strv_builder_end (types);
}

/**
 * clip_entry_builder_may_look_on:
 *
 * Of a secret that comes back without its mark only the types are known that a copy is
 * read in: what is shown by another, as these are blank or have not come, may be one.
 *
 * Returns: whether another content may take the place of the first
 */
gboolean
clip_entry_builder_may_look_on (ClipEntryBuilder *self)
{
  return !self->fingerprints || !clip_secret_fingerprints_met_lately (
                                    self->fingerprints, g_get_monotonic_time ());
}

/* a blank text stays beside the image that it came with */
static void
put_primary_first (ClipEntryBuilder *self)
{
  const guint i = find_primary (self);

  if (i > 0 && i < self->contents->len && clip_entry_builder_may_look_on (self))
    g_ptr_array_insert (self->contents, 0, g_ptr_array_steal_index (self->contents, i));
}

static ClipDraft *
make_draft (ClipEntryBuilder *self)
{
  ClipDraft *draft = clip_draft_new (self->origin);

  if (self->initial)
    clip_draft_set_initial (draft);
  clip_draft_set_begun (draft, self->begun_us);
  clip_draft_set_replaces (draft, self->replaces);
  for (guint i = 0; i < self->contents->len; i++)
    {
      const ClipStagedContent *content = self->contents->pdata[i];

      clip_draft_add (draft, filed_name (content), content->stage, content->size);
      if (i == 0 && *content->mime == '\0')
        clip_draft_set_guessed (draft);
    }
  return draft;
}

/* of a display, what is not to be kept is not asked for; a caller has sent it */
static void
leave_out_ignored (ClipEntryBuilder *self)
{
  for (guint i = self->contents->len; self->ignore && *self->origin == '\0' && i > 0; i--)
    if (clip_ignore_mime (self->ignore, filed_name (self->contents->pdata[i - 1])))
      g_ptr_array_remove_index (self->contents, i - 1);
}

/* whether one of the contents is a secret that comes back */
static gboolean
has_known_secret (ClipEntryBuilder *self)
{
  const gint64 now_us = g_get_monotonic_time ();
  gboolean found = FALSE;

  if (!self->fingerprints ||
      clip_secret_fingerprints_is_empty (self->fingerprints, now_us))
    return FALSE;
  for (guint i = 0; i < self->contents->len && !found; i++)
    {
      const ClipStagedContent *content = self->contents->pdata[i];
      g_autoptr (GBytes) head =
          clip_stage_head (content->stage, CLIP_SECRET_FINGERPRINTS_MAX_BYTES, NULL);
      gsize length = 0;
      const char *data = head ? g_bytes_get_data (head, &length) : "";

      found = clip_secret_fingerprints_knows (self->fingerprints, data, length, now_us);
    }
  return found;
}

/* what a caller sends without a name is none where it is not UTF-8, and may be one */
static gboolean
may_be_text (const ClipStagedContent *content)
{
  const char *mime = filed_name (content);

  return clip_mime_is_text (mime) ||
         (*content->mime == '\0' && clip_mime_same (mime, CLIP_MIME_OCTETS));
}

static gboolean
reads_as_text (const ClipStagedContent *content, GBytes *head)
{
  gsize length;
  const char *data = g_bytes_get_data (head, &length);

  return clip_mime_stands_alone (filed_name (content)) &&
         clip_encoding_is_utf8 (data, length, TRUE);
}

/* (element-type GBytes): what is called a text; where nothing is, what reads as one: that
 * is a note of its program beside a text */
static GPtrArray *
read_texts (ClipEntryBuilder *self)
{
  g_autoptr (GPtrArray) called =
      g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  g_autoptr (GPtrArray) others =
      g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);

  for (guint i = 0; i < self->contents->len; i++)
    {
      const ClipStagedContent *content = self->contents->pdata[i];
      GBytes *head = clip_stage_head (content->stage, CLIP_IGNORE_TEXT_BYTES, NULL);

      if (head && may_be_text (content))
        g_ptr_array_add (called, head);
      else if (head && reads_as_text (content, head))
        g_ptr_array_add (others, head);
      else if (head)
        g_bytes_unref (head);
    }
  return called->len > 0 ? g_steal_pointer (&called) : g_steal_pointer (&others);
}

/* whether clip_entry_builder_look_async() has something to do */
gboolean
clip_entry_builder_has_patterns (ClipEntryBuilder *self)
{
  return self->ignore && clip_ignore_has_patterns (self->ignore);
}

/**
 * clip_entry_builder_look_async:
 * @callback: calls clip_entry_builder_look_finish(); the builder must live until then
 *
 * Looks, on a thread, for what the user does not want to have in the texts that have
 * come: the last step before clip_entry_builder_finish(), which heeds it. What is known
 * by then may be more than when this began.
 *
 * Errors: those of clip_ignore_look_async().
 */
void
clip_entry_builder_look_async (ClipEntryBuilder *self,
                               GAsyncReadyCallback callback,
                               gpointer user_data)
{
  leave_out_ignored (self);
  clip_ignore_look_async (self->ignore, read_texts (self), callback, user_data);
}

gboolean
clip_entry_builder_look_finish (ClipEntryBuilder *self,
                                GAsyncResult *result,
                                GError **error)
{
  return clip_ignore_look_finish (result, &self->is_unwanted, error);
}

/* a caller that sent it with its mark may send it again without */
static void
learn_texts (ClipEntryBuilder *self)
{
  g_autoptr (GPtrArray) texts = self->fingerprints ? read_texts (self) : NULL;

  if (self->fingerprints)
    clip_secret_fingerprints_met (self->fingerprints, g_get_monotonic_time ());
  for (guint i = 0; texts && i < texts->len; i++)
    {
      gsize length;
      const void *data = g_bytes_get_data (texts->pdata[i], &length);

      clip_secret_fingerprints_learn (self->fingerprints, CLIP_SECRET_OF_CALLER, data,
                                      length, g_get_monotonic_time ());
    }
}

static ClipDrop
judge (ClipEntryBuilder *self, GError **error)
{
  g_autoptr (GBytes) head = NULL;
  ClipStagedContent *primary;
  ClipDrop drop;

  if (self->is_secret)
    {
      learn_texts (self);
      return CLIP_DROP_SECRET;
    }
  if (self->contents->len == 0 ||
      (self->has_no_first && !clip_entry_builder_may_look_on (self)))
    return CLIP_DROP_BLANK;
  leave_out_ignored (self);
  if (self->contents->len == 0)
    return CLIP_DROP_PATTERN;
  put_primary_first (self);
  primary = g_ptr_array_index (self->contents, 0);
  head = read_judged_head (
      primary, clip_settings_number (self->settings, CLIP_SETTING_MIN_STORE_LENGTH) > 0,
      error);
  if (!head)
    return CLIP_DROP_NONE;
  drop = clip_policy_judge_content (self->settings, head, primary->size);
  if (drop == CLIP_DROP_NONE && has_known_secret (self))
    drop = CLIP_DROP_SECRET;
  if (drop == CLIP_DROP_NONE && self->is_unwanted)
    drop = CLIP_DROP_PATTERN;
  return drop;
}

/**
 * clip_entry_builder_finish:
 * @out_drop: (out): why they are to be dropped on purpose, or %CLIP_DROP_NONE
 *
 * Errors: %G_FILE_ERROR: what has come cannot be read again.
 *
 * Returns: (transfer full) (nullable): the entry that the contents make; %NULL with
 * @out_drop or the error set
 */
ClipDraft *
clip_entry_builder_finish (ClipEntryBuilder *self, ClipDrop *out_drop, GError **error)
{
  g_autoptr (GError) failure = NULL;

  *out_drop = judge (self, &failure);
  if (failure)
    {
      g_propagate_error (error, g_steal_pointer (&failure));
      return NULL;
    }
  return *out_drop == CLIP_DROP_NONE ? make_draft (self) : NULL;
}
