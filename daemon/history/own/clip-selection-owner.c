/* SPDX-License-Identifier: LGPL-2.1-or-later */
#define G_LOG_DOMAIN "clip-history"
#include "clip-selection-owner.h"

#include "clip-change.h"
#include "clip-error.h"
#include "clip-fd.h"
#include "clip-mime.h"
#include "clip-policy.h"

/* that go on at once: each holds descriptors, of which we have so many */
#define MOST_PASTES 64

/* so much may be in a pipe that is not read */
#define UNREAD_KIB 1024

/* and who has read none for so long does not read */
#define STILL_MS 2000

/* then none is begun any more into a file, which no program does by itself */
#define MOST_HANGING 16

/* of a source: the entry that it offers; of a cancellable: the entry that is pasted */
#define ENTRY_KEY "clip-entry"

struct _ClipSelectionOwner
{
  GObject parent_instance;
  ClipStore *store;
  ClipTransfers *transfers;
  ClipLongTransfers *long_transfers;
  ClipSelection selection;
  ClipBackend *backend;
  ClipSource *source;
  ClipEntryIds *ids;
  ClipEntryId *entry;  /* (nullable): that we offer */
  ClipEntryId *lapsed; /* (nullable): that we offered before another program did */
  GStrv types;         /* (nullable): of that one's contents, which we offer, or did */
  GPtrArray *pastes;   /* of Paste: those that go on, the oldest first */
  GQueue claims;       /* of GTask: that wait for the one before */
  ClipBackend *busy;   /* (nullable), borrowed: that has not answered behind that */
  guint n_emptied;     /* times */
};

G_DEFINE_FINAL_TYPE (ClipSelectionOwner, clip_selection_owner, G_TYPE_OBJECT)

static void
clip_selection_owner_dispose (GObject *object)
{
  ClipSelectionOwner *self = CLIP_SELECTION_OWNER (object);

  g_clear_object (&self->source);
  g_clear_object (&self->backend);
  g_clear_object (&self->store);
  g_clear_pointer (&self->entry, clip_entry_id_unref);
  g_clear_pointer (&self->lapsed, clip_entry_id_unref);
  g_clear_pointer (&self->types, g_strfreev);
  g_clear_object (&self->ids);
  g_clear_pointer (&self->pastes, g_ptr_array_unref);
  G_OBJECT_CLASS (clip_selection_owner_parent_class)->dispose (object);
}

static void
clip_selection_owner_class_init (ClipSelectionOwnerClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = clip_selection_owner_dispose;
}

static void
clip_selection_owner_init (ClipSelectionOwner *self)
{
  self->pastes = g_ptr_array_new ();
}

/* What another program pastes; may outlive the owner. */
typedef struct
{
  ClipTransfers *transfers;
  ClipRequest *request;
  ClipEntryId *entry;
  gint64 asked;                   /* the id under which it is looked for */
  ClipTransferProgress *progress; /* (nullable): the request's */
  GPtrArray *pastes;              /* the owner's */
  GCancellable *cancellable;
  gint64 begun_us; /* monotonic */
  gint moved_kib;  /* atomic: so far */
  gint moved_ms;   /* atomic, monotonic: when it did last */
} Paste;

typedef struct
{
  ClipSelectionOwner *owner;
  ClipBackend *backend;
  ClipOwnMode mode;
  GStrv types;      /* (nullable): to offer, of those that the entry has */
  ClipEntry *entry; /* once it is known */
  ClipEntryId *id;
  gint64 asked;    /* the id that is looked up */
  guint n_emptied; /* of its owner, when it was made */
} Claim;

static void
claim_free (Claim *self)
{
  g_object_unref (self->owner);
  g_object_unref (self->backend);
  g_strfreev (self->types);
  g_clear_pointer (&self->entry, clip_entry_free);
  clip_entry_id_unref (self->id);
  g_free (self);
}

static void
stop_offering (ClipSelectionOwner *self)
{
  g_clear_object (&self->source);
  clip_backend_disown (self->backend, self->selection);
  g_clear_object (&self->backend);
}

static gboolean
end_paste (gpointer cancellable)
{
  g_cancellable_cancel (cancellable);
  return G_SOURCE_REMOVE;
}

/* what is being read may come whole, what stands still is not kept for that */
static void
end_soon (GCancellable *cancellable)
{
  const ClipEntryId *entry = g_object_get_data (G_OBJECT (cancellable), ENTRY_KEY);

  if (!entry || clip_entry_id_get (entry) != 0)
    return;
  g_object_set_data (G_OBJECT (cancellable), ENTRY_KEY, NULL);
  g_timeout_add_full (G_PRIORITY_DEFAULT, CLIP_POLICY_IDLE_MS, end_paste,
                      g_object_ref (cancellable), g_object_unref);
}

/* what was deleted is not offered any longer either */
static void
on_id_changed (ClipSelectionOwner *self)
{
  if (self->source && clip_entry_id_get (self->entry) == 0)
    stop_offering (self);
  for (guint i = 0; i < self->pastes->len; i++)
    end_soon (((const Paste *) self->pastes->pdata[i])->cancellable);
}

/**
 * clip_selection_owner_new:
 * @transfers: outlives the object, as does @long_transfers
 */
ClipSelectionOwner *
clip_selection_owner_new (ClipStore *store,
                          ClipEntryIds *ids,
                          ClipTransfers *transfers,
                          ClipLongTransfers *long_transfers,
                          ClipSelection selection)
{
  ClipSelectionOwner *self = g_object_new (CLIP_TYPE_SELECTION_OWNER, NULL);

  self->store = g_object_ref (store);
  self->transfers = transfers;
  self->long_transfers = long_transfers;
  self->selection = selection;
  self->ids = g_object_ref (ids);
  g_signal_connect_object (ids, "changed", G_CALLBACK (on_id_changed), self,
                           G_CONNECT_SWAPPED);
  return self;
}

/* the entry that we offer; 0 = none */
gint64
clip_selection_owner_id (ClipSelectionOwner *self)
{
  return self->source ? clip_entry_id_get (self->entry) : 0;
}

/* the entry that we offered until another program took the clipboard; 0 = none */
gint64
clip_selection_owner_lapsed (ClipSelectionOwner *self)
{
  return clip_entry_id_get (self->lapsed);
}

/* (nullable): the types of the contents with which we offer, or offered, that entry */
const char *const *
clip_selection_owner_types (ClipSelectionOwner *self)
{
  return (const char *const *) self->types;
}

/* it was replaced by a copy: nothing is to be taken back */
void
clip_selection_owner_forget (ClipSelectionOwner *self)
{
  g_clear_pointer (&self->lapsed, clip_entry_id_unref);
}

/**
 * clip_selection_owner_empty:
 *
 * Takes the selection from its owner, and gives it up again. What we offered is
 * not taken back, and what has been claimed before, and is still on its way, comes to
 * nothing.
 *
 * Errors: as clip_backend_own().
 */
gboolean
clip_selection_owner_empty (ClipSelectionOwner *self,
                            ClipBackend *backend,
                            GError **error)
{
  const char *const nothing[] = { NULL };
  g_autoptr (ClipSource) source = clip_source_new (nothing);

  if (!clip_backend_own (backend, self->selection, source, error))
    return FALSE;
  self->n_emptied++;
  g_clear_pointer (&self->lapsed, clip_entry_id_unref);
  g_clear_object (&self->source);
  g_clear_object (&self->backend);
  g_clear_pointer (&self->entry, clip_entry_id_unref);
  clip_backend_disown (backend, self->selection);
  return TRUE;
}

/* of itself, or by a program that asks and does not read */
static gboolean
stands_still (Paste *self, gint now_ms)
{
  return g_atomic_int_get (&self->moved_kib) <= UNREAD_KIB ||
         (gint) ((guint) now_ms - (guint) g_atomic_int_get (&self->moved_ms)) > STILL_MS;
}

static double
speed_of (Paste *self, gint64 now_us)
{
  return (double) g_atomic_int_get (&self->moved_kib) /
         (double) MAX (now_us - self->begun_us, 1);
}

/* Who asks and does not read costs descriptors: of so many pastes one is given up for the
 * next, the oldest of those that stand still, or else the one that is read slowest. */
static void
make_room (GPtrArray *pastes)
{
  const gint64 now_us = g_get_monotonic_time ();
  Paste *still = NULL, *slowest = NULL;
  guint n = 0;

  for (guint i = 0; i < pastes->len; i++)
    {
      Paste *paste = pastes->pdata[i];

      if (g_cancellable_is_cancelled (paste->cancellable))
        continue;
      n++;
      if (!still && stands_still (paste, (gint) (now_us / 1000)))
        still = paste;
      if (!slowest || speed_of (paste, now_us) < speed_of (slowest, now_us))
        slowest = paste;
    }
  if (n < MOST_PASTES)
    return;
  g_message ("a paste is given up: %d others go on, and there is one more", MOST_PASTES);
  g_cancellable_cancel ((still ?: slowest)->cancellable);
}

static Paste *
paste_new (ClipSelectionOwner *owner, ClipRequest *request, ClipEntryId *entry)
{
  Paste *self = g_new0 (Paste, 1);

  self->transfers = owner->transfers;
  self->request = g_object_ref (request);
  self->entry = clip_entry_id_ref (entry);
  self->pastes = g_ptr_array_ref (owner->pastes);
  self->cancellable = g_cancellable_new ();
  g_object_set_data_full (G_OBJECT (self->cancellable), ENTRY_KEY,
                          clip_entry_id_ref (entry),
                          (GDestroyNotify) clip_entry_id_unref);
  self->begun_us = g_get_monotonic_time ();
  make_room (self->pastes);
  g_ptr_array_add (self->pastes, self);
  return self;
}

static void
paste_finish (Paste *self, gboolean is_whole)
{
  clip_request_finish (self->request, is_whole);
  g_ptr_array_remove (self->pastes, self);
  g_ptr_array_unref (self->pastes);
  g_object_unref (self->cancellable);
  clip_entry_id_unref (self->entry);
  g_object_unref (self->request);
  g_free (self);
}

static void
on_served (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  goffset bytes = clip_transfers_finish (result, NULL, &error);

  if (error)
    g_debug ("paste broke off: %s", error->message);
  paste_finish (user_data, bytes >= 0);
}

static void
on_progress (goffset moved, gpointer user_data)
{
  Paste *paste = user_data;

  g_atomic_int_set (&paste->moved_ms, (gint) (g_get_monotonic_time () / 1000));
  g_atomic_int_set (&paste->moved_kib, (gint) (moved / 1024));
  clip_transfer_progress_advance (paste->progress, moved);
}

static gboolean
is_file (int fd)
{
  ClipFdLook look;

  return clip_fd_look (fd, &look) && clip_fd_is_file (&look);
}

/* a file system that never answers keeps a thread of ours for each */
static gboolean
would_hang (Paste *self, int sink_fd)
{
  return is_file (sink_fd) && clip_transfers_n_hanging (self->transfers) >= MOST_HANGING;
}

static void open_content (Paste *paste, ClipStore *store);

/* by now all has been heard that the writer had done when the entry was not found: a copy
 * of the same text gives it another id, which a reader may see before we do */
static void
on_told (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Paste *paste = user_data;
  const gint64 id = clip_entry_id_get (paste->entry);

  clip_store_change_finish (CLIP_STORE (source), result, NULL, NULL);
  if (id != 0 && id != paste->asked)
    {
      open_content (paste, CLIP_STORE (source));
      return;
    }
  g_debug ("paste refused: its entry has gone");
  paste_finish (paste, FALSE);
}

static void
on_content_opened (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Paste *paste = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipPayload) payload =
      clip_store_open_content_finish (CLIP_STORE (source), result, &error);
  ClipTransferJob job = { 0 };

  if (g_error_matches (error, CLIP_ERROR, CLIP_ERROR_NOT_FOUND))
    {
      clip_store_change_async (CLIP_STORE (source), clip_change_touch (), on_told, paste);
      return;
    }
  if (!payload)
    {
      g_debug ("paste refused: %s", error->message);
      paste_finish (paste, FALSE);
      return;
    }
  g_debug ("a program pastes %" G_GOFFSET_FORMAT " bytes", payload->size);
  job.sink_fd = clip_request_steal_fd (paste->request);
  if (would_hang (paste, job.sink_fd))
    {
      g_message ("a paste is refused: %d others hang in their files", MOST_HANGING);
      clip_fd_clear_foreign (&job.sink_fd);
      paste_finish (paste, FALSE);
      return;
    }
  job.source_fd = g_steal_fd (&payload->fd);
  job.bytes = payload->bytes;
  job.size = payload->size;
  job.idle_ms = is_file (job.sink_fd) ? CLIP_POLICY_IDLE_MS : CLIP_POLICY_READER_IDLE_MS;
  job.on_moved = on_progress;
  job.moved_data = paste;
  clip_transfer_progress_expect (paste->progress, payload->size);
  clip_transfers_serve_async (paste->transfers, &job, paste->cancellable, on_served,
                              paste);
}

static void
open_content (Paste *paste, ClipStore *store)
{
  paste->asked = clip_entry_id_get (paste->entry);
  clip_store_open_content_async (store, paste->asked, clip_request_mime (paste->request),
                                 on_content_opened, paste);
}

/* the requestor's pipe may be full: nothing is written from here */
static void
serve_flag (Paste *paste)
{
  g_autoptr (GBytes) flag = g_bytes_new_static ("1", 1);
  ClipTransferJob job = { .source_fd = -1,
                          .bytes = flag,
                          .idle_ms = CLIP_POLICY_IDLE_MS };

  job.sink_fd = clip_request_steal_fd (paste->request);
  clip_transfers_serve_async (paste->transfers, &job, paste->cancellable, on_served,
                              paste);
}

static void
on_requested (ClipSelectionOwner *self, ClipRequest *request, ClipSource *source)
{
  ClipEntryId *entry = g_object_get_data (G_OBJECT (source), ENTRY_KEY);
  Paste *paste;

  if (!clip_request_may_be_served (request))
    {
      clip_request_finish (request, FALSE);
      return;
    }
  paste = paste_new (self, request, entry);
  if (g_str_equal (clip_request_mime (request), CLIP_SOURCE_FILLS))
    {
      serve_flag (paste);
      return;
    }
  paste->progress =
      clip_long_transfers_add (self->long_transfers, CLIP_TRANSFER_OUT, request);
  open_content (paste, self->store);
}

static void
on_cancelled (ClipSelectionOwner *self, ClipSource *source)
{
  if (self->source != source)
    return;
  g_clear_pointer (&self->lapsed, clip_entry_id_unref);
  self->lapsed = g_steal_pointer (&self->entry);
  g_clear_object (&self->source);
  g_clear_object (&self->backend);
}

/* a text is one entry under each name of plain text, and has that of an earlier copy */
static gboolean
is_wanted (const Claim *claim, const char *mime)
{
  if (!claim->types)
    return TRUE;
  for (char **type = claim->types; *type; type++)
    if (clip_mime_same (*type, mime) ||
        (clip_mime_is_plain (*type) && clip_mime_is_plain (mime)))
      return TRUE;
  return FALSE;
}

static gboolean
is_offered (const Claim *claim, const char *mime)
{
  if (claim->mode == CLIP_OWN_TAKE_PLAIN)
    return clip_mime_is_plain (mime);
  return clip_mime_may_reoffer (mime) && is_wanted (claim, mime);
}

/* of the contents that are offered, in the order of the entry */
static GStrv
types_of (const Claim *claim)
{
  g_autoptr (GStrvBuilder) types = g_strv_builder_new ();

  for (guint i = 0; i < claim->entry->contents->len; i++)
    {
      const ClipContent *content = g_ptr_array_index (claim->entry->contents, i);

      if (is_offered (claim, content->mime))
        g_strv_builder_add (types, content->mime);
    }
  return g_strv_builder_end (types);
}

/* every name under which these can be asked for */
static GStrv
names_of (const char *const *types, ClipOwnMode mode)
{
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();

  for (; *types; types++)
    for (const char *const *alias = clip_mime_aliases (*types); *alias; alias++)
      g_strv_builder_add (names, *alias);
  if (mode == CLIP_OWN_FILL)
    g_strv_builder_add (names, CLIP_SOURCE_FILLS);
  return g_strv_builder_end (names);
}

static gboolean
claim_clipboard (ClipSelectionOwner *self, const Claim *claim, GError **error)
{
  const ClipEntry *entry = claim->entry;
  g_auto (GStrv) types = types_of (claim);
  g_auto (GStrv) names = names_of ((const char *const *) types, claim->mode);
  g_autoptr (ClipSource) source = clip_source_new ((const char *const *) names);

  if (clip_entry_id_get (claim->id) == 0)
    {
      g_set_error (error, CLIP_ERROR, CLIP_ERROR_NOT_FOUND,
                   "id %" G_GINT64_FORMAT " not found", entry->row.id);
      return FALSE;
    }
  if (!types[0])
    {
      g_set_error (
          error, CLIP_ERROR, CLIP_ERROR_NO_SUCH_FORMAT,
          "entry %" G_GINT64_FORMAT " has nothing that can be put on the clipboard%s",
          entry->row.id, claim->mode == CLIP_OWN_TAKE_PLAIN ? " as plain text" : "");
      return FALSE;
    }
  g_signal_connect_object (source, "requested", G_CALLBACK (on_requested), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (source, "cancelled", G_CALLBACK (on_cancelled), self,
                           G_CONNECT_SWAPPED);
  g_clear_pointer (&self->entry, clip_entry_id_unref);
  self->entry = clip_entry_id_ref (claim->id);
  g_object_set_data_full (G_OBJECT (source), ENTRY_KEY, clip_entry_id_ref (claim->id),
                          (GDestroyNotify) clip_entry_id_unref);
  g_clear_pointer (&self->lapsed, clip_entry_id_unref);
  g_strfreev (self->types);
  self->types = g_steal_pointer (&types);
  g_set_object (&self->source, source);
  g_set_object (&self->backend, claim->backend);
  if (clip_backend_own (claim->backend, self->selection, source, error))
    return TRUE;
  g_clear_object (&self->source);
  g_clear_object (&self->backend);
  return FALSE;
}

static gboolean
check_not_emptied (ClipSelectionOwner *self, const Claim *claim, GError **error)
{
  if (claim->n_emptied == self->n_emptied)
    return TRUE;
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED,
                       "the clipboard was emptied meanwhile");
  return FALSE;
}

static void end_next_claim (ClipSelectionOwner *self);

static gboolean
on_settled_and_told (gpointer user_data)
{
  ClipSelectionOwner *self = user_data;

  self->busy = NULL;
  end_next_claim (self);
  return G_SOURCE_REMOVE;
}

/* a display that ends answers while it is being taken down: that is over first */
static void
on_settled (GObject *source, GAsyncResult *result, gpointer user_data)
{
  clip_backend_sync_finish (CLIP_BACKEND (source), result);
  g_idle_add_full (G_PRIORITY_DEFAULT, on_settled_and_told, user_data, g_object_unref);
}

/* whether the first is for the display that has not answered yet */
static gboolean
has_to_wait (ClipSelectionOwner *self)
{
  const Claim *claim = g_task_get_task_data (g_queue_peek_head (&self->claims));

  return self->busy == claim->backend;
}

/* libwayland ends a connection where more is to be said than the display has taken in:
 * what is claimed behind another waits until the display has read that */
static void
end_next_claim (ClipSelectionOwner *self)
{
  while (self->claims.length > 0 && !has_to_wait (self))
    {
      g_autoptr (GTask) task = g_queue_pop_head (&self->claims);
      const Claim *claim = g_task_get_task_data (task);
      GError *error = NULL;

      if (g_task_return_error_if_cancelled (task))
        continue;
      if (!check_not_emptied (self, claim, &error) ||
          !claim_clipboard (self, claim, &error))
        {
          g_task_return_error (task, error);
          continue;
        }
      g_task_return_boolean (task, TRUE);
      if (self->busy)
        continue; /* another one: the one that is awaited tells of itself */
      self->busy = claim->backend;
      clip_backend_sync_async (claim->backend, on_settled, g_object_ref (self));
    }
}

static void
end_claim (GTask *task)
{
  ClipSelectionOwner *self = g_task_get_source_object (task);

  g_queue_push_tail (&self->claims, g_object_ref (task));
  end_next_claim (self);
}

static gboolean
on_heard (gpointer user_data)
{
  end_claim (user_data);
  return G_SOURCE_REMOVE;
}

/* what lies behind the answer already is heard first, too */
static void
on_synced (GObject *source, GAsyncResult *result, gpointer user_data)
{
  clip_backend_sync_finish (CLIP_BACKEND (source), result);
  g_idle_add_full (G_PRIORITY_DEFAULT, on_heard, user_data, g_object_unref);
}

static void on_looked_up (GObject *source, GAsyncResult *result, gpointer user_data);

/* it is held before: the answer may come after the news that it has moved */
static void
look_up (ClipSelectionOwner *self, GTask *task_take)
{
  Claim *claim = g_task_get_task_data (task_take);

  claim->asked = clip_entry_id_get (claim->id);
  clip_store_lookup_async (self->store, claim->asked, on_looked_up, task_take);
}

static gboolean
has_moved (const Claim *claim)
{
  const gint64 id = clip_entry_id_get (claim->id);

  return id != claim->asked && id != 0;
}

static void
on_opened (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Claim *claim = g_task_get_task_data (task);
  GError *error = NULL;
  g_autoptr (ClipPayload) payload =
      clip_store_open_content_finish (CLIP_STORE (source), result, &error);

  if (payload)
    end_claim (task);
  else if (has_moved (claim))
    {
      g_error_free (error);
      g_clear_pointer (&claim->entry, clip_entry_free);
      look_up (claim->owner, g_steal_pointer (&task));
    }
  else
    g_task_return_error (task, error);
}

/* what was asked for and cannot be read, as its file is missing, takes the place of
 * nothing */
static void
claim_readable (GTask *task_take)
{
  g_autoptr (GTask) task = task_take;
  Claim *claim = g_task_get_task_data (task);
  g_auto (GStrv) types = types_of (claim);

  if (types[0] && clip_entry_id_get (claim->id) != 0)
    clip_store_open_content_async (claim->owner->store, clip_entry_id_get (claim->id),
                                   types[0], on_opened, g_steal_pointer (&task));
  else
    end_claim (task);
}

/* a copy that was made while we were busy cancels what fills an empty clipboard, once it
 * is heard of: that is waited for */
static void
on_looked_up (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Claim *claim = g_task_get_task_data (task);
  GError *error = NULL;

  claim->entry = clip_store_lookup_finish (CLIP_STORE (source), result, &error);
  if (!claim->entry && has_moved (claim))
    {
      g_error_free (error);
      look_up (claim->owner, g_steal_pointer (&task));
      return;
    }
  if (!claim->entry)
    {
      g_task_return_error (task, error);
      return;
    }
  if (claim->mode == CLIP_OWN_FILL)
    clip_backend_sync_async (claim->backend, on_synced, g_steal_pointer (&task));
  else
    claim_readable (g_steal_pointer (&task));
}

/**
 * clip_selection_owner_own_async:
 * @id: of the entry
 * @types: (nullable): the only ones to offer; copied; %NULL: all that @mode does
 * @cancellable: (nullable): of a claim that another copy makes moot meanwhile
 *
 * Makes us the owner of the selection on @backend, offering every type that the entry
 * holds, or its plain text, or what there is of @types.
 *
 * Errors: %CLIP_ERROR_NOT_FOUND, %CLIP_ERROR_NO_SUCH_FORMAT, %CLIP_ERROR_NO_BACKEND,
 * %G_IO_ERROR_CANCELLED, those of clip_store_open_content_async().
 */
void
clip_selection_owner_own_async (ClipSelectionOwner *self,
                                ClipBackend *backend,
                                gint64 id,
                                ClipOwnMode mode,
                                const char *const *types,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data)
{
  GTask *task = g_task_new (self, cancellable, callback, user_data);
  Claim *claim = g_new (Claim, 1);

  g_task_set_source_tag (task, clip_selection_owner_own_async);
  *claim = (Claim){ .owner = g_object_ref (self),
                    .backend = g_object_ref (backend),
                    .mode = mode,
                    .types = g_strdupv ((char **) types),
                    .n_emptied = self->n_emptied,
                    .id = clip_entry_ids_hold (self->ids, id) };
  g_task_set_task_data (task, claim, (GDestroyNotify) claim_free);
  look_up (self, task);
}

gboolean
clip_selection_owner_own_finish (ClipSelectionOwner *self,
                                 GAsyncResult *result,
                                 GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}
