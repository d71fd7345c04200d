/* SPDX-License-Identifier: LGPL-2.1-or-later */
#define G_LOG_DOMAIN "clip-history"
#include "clip-intake.h"

#include "clip-arrival.h"
#include "clip-detect.h"
#include "clip-error.h"
#include "clip-fd.h"
#include "clip-mime.h"
#include "clip-secrecy.h"

/* what the checks of a text look at: a longer one is neither blank nor short */
#define JUDGED_BYTES (1024 * 1024)

struct _ClipIntake
{
  GObject parent_instance;
  ClipStore *store;
  ClipTransfers *transfers;
  ClipSettings *settings;
  char *origin;
  GPtrArray *arrivals;
  guint first_ms;
  guint idle_ms;
  goffset unwritten;
  gboolean initial;
  gboolean is_secret;   /* one of the types said so */
  guint n_hints;
  ClipGauge *gauge;     /* (nullable) */
  ClipIgnore *ignore;   /* (nullable) */
  ClipSecrets *secrets; /* (nullable) */
};

G_DEFINE_FINAL_TYPE (ClipIntake, clip_intake, G_TYPE_OBJECT)

static void
clip_intake_finalize (GObject *object)
{
  ClipIntake *self = CLIP_INTAKE (object);

  g_clear_object (&self->store);
  clip_settings_free (self->settings);
  g_free (self->origin);
  g_ptr_array_unref (self->arrivals);
  clip_gauge_unref (self->gauge);
  clip_ignore_unref (self->ignore);
  clip_secrets_unref (self->secrets);
  G_OBJECT_CLASS (clip_intake_parent_class)->finalize (object);
}

static void
clip_intake_class_init (ClipIntakeClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = clip_intake_finalize;
}

static void
clip_intake_init (ClipIntake *self)
{
  self->arrivals = g_ptr_array_new_with_free_func ((GDestroyNotify) clip_arrival_free);
}

/**
 * clip_intake_new:
 * @transfers: outlives the intake
 * @settings: in force for this copy; copied
 * @origin: "BACKEND SELECTION APP", or ""
 */
ClipIntake *
clip_intake_new (ClipStore *store,
                 ClipTransfers *transfers,
                 const ClipSettings *settings,
                 const char *origin)
{
  ClipIntake *self = g_object_new (CLIP_TYPE_INTAKE, NULL);

  self->store = g_object_ref (store);
  self->transfers = transfers;
  self->settings = clip_settings_copy (settings);
  self->origin = g_strdup (origin);
  return self;
}

/* how long the sources may keep us waiting; without it, as long as clip-transfer's
 * default */
void
clip_intake_set_patience (ClipIntake *self, guint first_ms, guint idle_ms)
{
  self->first_ms = first_ms;
  self->idle_ms = idle_ms;
}

/* How far the disk may be behind, in bytes: a program stands still while it is read, a command that
 * stores is waited for until all is durable. */
void
clip_intake_set_unwritten (ClipIntake *self, goffset bytes)
{
  self->unwritten = bytes;
}

/* it was there when we began to watch: where it equals an entry, nothing changes */
void
clip_intake_set_initial (ClipIntake *self)
{
  self->initial = TRUE;
}

/* (nullable): told what has come, all contents together */
void
clip_intake_set_gauge (ClipIntake *self, ClipGauge *gauge)
{
  clip_gauge_unref (self->gauge);
  self->gauge = clip_gauge_ref (gauge);
}

/* what no text may be that becomes an entry */
void
clip_intake_set_guards (ClipIntake *self, ClipIgnore *ignore, ClipSecrets *secrets)
{
  self->ignore = clip_ignore_ref (ignore);
  self->secrets = clip_secrets_ref (secrets);
}

static goffset
received_bytes (ClipIntake *self)
{
  goffset bytes = 0;

  for (guint i = 0; i < self->arrivals->len; i++)
    bytes += ((ClipArrival *) g_ptr_array_index (self->arrivals, i))->size;
  return bytes;
}

/* what the content that is on its way has, as far as anybody knows: none follows it */
void
clip_intake_expect (ClipIntake *self, goffset bytes)
{
  clip_gauge_expect (self->gauge, received_bytes (self) + bytes);
}

/* whether that content marks the copy as a secret: of a display it has been looked at before, a caller
 * may send it with the others */
static gboolean
is_mark (ClipIntake *self, const ClipArrival *arrival)
{
  ClipSecrecy secrecy = clip_secrecy_of_name (arrival->mime);
  g_autoptr (GBytes) value = NULL;
  gsize length = 0;
  const void *data;

  if (secrecy != CLIP_SECRECY_ASK)
    return secrecy == CLIP_SECRECY_SECRET;
  if (++self->n_hints > CLIP_SECRECY_MAX_HINTS ||
      arrival->size > CLIP_SECRECY_VALUE_BYTES)
    return TRUE;
  value = clip_stage_head (arrival->stage, CLIP_HEAD_BYTES, NULL);
  data = value ? g_bytes_get_data (value, &length) : NULL;
  return clip_secrecy_refuses (arrival->mime, data, MIN (length, (gsize) arrival->size));
}

/* one word for it, wherever on its way the copy has met that */
static void
say_full (GError *error)
{
  if (g_error_matches (error, CLIP_ERROR, CLIP_ERROR_NO_SPACE))
    g_prefix_error (&error, "the disk is full, the copy is not kept: ");
}

static void
on_received (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  ClipIntake *self = g_task_get_source_object (task);
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipArrival) arrival = clip_arrival_finish (result, &error);
  goffset bytes = arrival ? arrival->size : -1;

  if (arrival && is_mark (self, arrival))
    self->is_secret = TRUE;
  if (bytes > 0)
    g_ptr_array_add (self->arrivals, g_steal_pointer (&arrival));
  say_full (error);
  if (error)
    g_task_return_error (task, g_steal_pointer (&error));
  else
    g_task_return_int (task, bytes);
}

/**
 * clip_intake_receive_async:
 * @mime: type of what comes; "" is found out from the bytes at the commit
 * @source_fd_take: what it comes from: a pipe, a file, a socket, a terminal
 *
 * Takes in one content, the primary one first. What breaks off leaves nothing.
 *
 * Errors: those of clip_arrival_async().
 */
void
clip_intake_receive_async (ClipIntake *self,
                           const char *mime,
                           int source_fd_take,
                           GCancellable *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer user_data)
{
  GTask *task = g_task_new (self, NULL, callback, user_data);
  ClipArrivalTerms terms = { .limit = clip_policy_size_limit (self->settings),
                             .unwritten = self->unwritten,
                             .first_ms = self->first_ms,
                             .idle_ms = self->idle_ms,
                             .gauge = self->gauge,
                             .gauged = received_bytes (self),
                             .limits = clip_policy_limits (self->settings) };

  g_task_set_source_tag (task, clip_intake_receive_async);
  clip_arrival_async (self->store, self->transfers, mime, source_fd_take, &terms,
                      cancellable, on_received, task);
}

/* the bytes of the content; 0 = it was empty and is none; -1 with the error set */
goffset
clip_intake_receive_finish (ClipIntake *self, GAsyncResult *result, GError **error)
{
  return g_task_propagate_int (G_TASK (result), error);
}

/* that have arrived by now */
guint
clip_intake_n_contents (ClipIntake *self)
{
  return self->arrivals->len;
}

static ClipArrival *
last_arrival (ClipIntake *self)
{
  return g_ptr_array_index (self->arrivals, self->arrivals->len - 1);
}

/* what the last bytes of the last content say */
ClipEnding
clip_intake_last_ending (ClipIntake *self)
{
  ClipArrival *last = last_arrival (self);
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
clip_intake_last_is_small (ClipIntake *self)
{
  return last_arrival (self)->size <= CLIP_POLICY_SMALL_BYTES;
}

/* forgets a content that turned out not to be whole */
void
clip_intake_drop_last (ClipIntake *self)
{
  g_ptr_array_remove_index (self->arrivals, self->arrivals->len - 1);
}

/* the type to keep it under: what nobody named is found out, what X11 names is looked at */
static const char *
filed_name (const ClipArrival *arrival)
{
  g_autoptr (GBytes) head = clip_stage_head (arrival->stage, CLIP_HEAD_BYTES, NULL);
  gsize length = 0;
  const void *data = head ? g_bytes_get_data (head, &length) : NULL;
  gboolean whole = arrival->size <= (goffset) length;

  if (*arrival->mime)
    return clip_mime_filed (arrival->mime, data, length, whole);
  return clip_detect_mime (data, length, whole);
}

static ClipDraft *
make_draft (ClipIntake *self)
{
  ClipDraft *draft = clip_draft_new (self->origin);

  if (self->initial)
    clip_draft_set_initial (draft);
  for (guint i = 0; i < self->arrivals->len; i++)
    {
      ClipArrival *arrival = g_ptr_array_index (self->arrivals, i);

      if (*arrival->mime)
        clip_draft_add (draft, filed_name (arrival), arrival->stage, arrival->size);
      else
        clip_draft_add_guessed (draft, filed_name (arrival), arrival->stage,
                                arrival->size);
    }
  return draft;
}

typedef struct
{
  ClipAdded added;
  ClipDrop drop;
} Outcome;

static void
on_added (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autofree Outcome *outcome = g_new0 (Outcome, 1);
  g_autoptr (GError) error = NULL;

  if (clip_store_add_finish (CLIP_STORE (source), result, &outcome->added, &error))
    {
      g_task_return_pointer (task, g_steal_pointer (&outcome), g_free);
      return;
    }
  say_full (error);
  g_task_return_error (task, g_steal_pointer (&error));
}

static void
return_drop (GTask *task, ClipDrop drop)
{
  Outcome *outcome = g_new0 (Outcome, 1);

  outcome->drop = drop;
  g_task_return_pointer (task, outcome, g_free);
}

/* of a display, what is not to be kept is not asked for; a caller has sent it */
static void
leave_out_ignored (ClipIntake *self)
{
  for (guint i = self->arrivals->len; self->ignore && *self->origin == '\0' && i > 0; i--)
    if (clip_ignore_mime (self->ignore, filed_name (self->arrivals->pdata[i - 1])))
      g_ptr_array_remove_index (self->arrivals, i - 1);
}

static ClipDrop
judge_arrival (ClipIntake *self, const ClipArrival *arrival)
{
  g_autoptr (GBytes) head =
      clip_stage_head (arrival->stage, CLIP_IGNORE_TEXT_BYTES, NULL);
  gsize length = 0;
  const char *data = head ? g_bytes_get_data (head, &length) : "";

  if (clip_secrets_knows (self->secrets, data, length, g_get_monotonic_time ()))
    return CLIP_DROP_SENSITIVE;
  return clip_mime_is_text (filed_name (arrival)) &&
                 clip_ignore_text (self->ignore, data, length)
             ? CLIP_DROP_PATTERN
             : CLIP_DROP_NONE;
}

/* a secret that comes back, or what the user does not want: in any of its contents */
static ClipDrop
judge_arrivals (ClipIntake *self)
{
  ClipDrop drop = CLIP_DROP_NONE;

  if (!self->ignore || (!clip_ignore_has_patterns (self->ignore) &&
                        clip_secrets_is_empty (self->secrets, g_get_monotonic_time ())))
    return CLIP_DROP_NONE;
  for (guint i = 0; i < self->arrivals->len && drop == CLIP_DROP_NONE; i++)
    drop = judge_arrival (self, g_ptr_array_index (self->arrivals, i));
  return drop;
}

G_STATIC_ASSERT (CLIP_IGNORE_TEXT_BYTES == CLIP_SECRETS_MAX_BYTES);

/* as much as the checks need: a text that does not begin blank is not blank; where it may be too short
 * its characters are counted, of which one may have many bytes */
static GBytes *
read_judged_head (ClipIntake *self, const ClipArrival *primary, GError **error)
{
  gboolean is_counted =
      clip_settings_number (self->settings, CLIP_SETTING_MIN_STORE_LENGTH) > 0;
  g_autoptr (GBytes) head = clip_stage_head (primary->stage, CLIP_HEAD_BYTES, error);
  gsize length;
  const void *data = head ? g_bytes_get_data (head, &length) : NULL;

  if (!head || primary->size <= (goffset) length ||
      (!is_counted && !clip_detect_blank (data, length)))
    return g_steal_pointer (&head);
  return clip_stage_head (primary->stage, JUDGED_BYTES, error);
}

/**
 * clip_intake_commit_async:
 *
 * Makes an entry of what has arrived. Ends when that would survive a power cut.
 *
 * Errors: %CLIP_ERROR_NO_SPACE, %G_FILE_ERROR, %CLIP_ERROR_FAILED.
 */
void
clip_intake_commit_async (ClipIntake *self,
                          GAsyncReadyCallback callback,
                          gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, callback, user_data);
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) head = NULL;
  ClipLimits limits = clip_policy_limits (self->settings);
  ClipArrival *primary;
  ClipDrop drop;

  g_task_set_source_tag (task, clip_intake_commit_async);
  if (self->is_secret)
    {
      return_drop (task, CLIP_DROP_SENSITIVE);
      return;
    }
  if (self->arrivals->len == 0)
    {
      return_drop (task, CLIP_DROP_BLANK);
      return;
    }
  leave_out_ignored (self);
  if (self->arrivals->len == 0)
    {
      return_drop (task, CLIP_DROP_PATTERN);
      return;
    }
  primary = g_ptr_array_index (self->arrivals, 0);
  head = read_judged_head (self, primary, &error);
  if (!head)
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  drop = clip_policy_judge_content (self->settings, head, primary->size);
  if (drop == CLIP_DROP_NONE)
    drop = judge_arrivals (self);
  if (drop != CLIP_DROP_NONE)
    return_drop (task, drop);
  else
    clip_store_add_async (self->store, make_draft (self), &limits, on_added,
                          g_steal_pointer (&task));
}

/**
 * clip_intake_commit_finish:
 * @out_drop: (out): why it was dropped on purpose, or %CLIP_DROP_NONE
 *
 * Returns: whether it went without an error; @out_added is filled unless it was dropped
 */
gboolean
clip_intake_commit_finish (ClipIntake *self,
                           GAsyncResult *result,
                           ClipAdded *out_added,
                           ClipDrop *out_drop,
                           GError **error)
{
  g_autofree Outcome *outcome = g_task_propagate_pointer (G_TASK (result), error);

  if (!outcome)
    return FALSE;
  *out_added = outcome->added;
  *out_drop = outcome->drop;
  return TRUE;
}
