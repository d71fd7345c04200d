/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The half of the X11 backend that lives on the main context. It turns calls into orders
 * to the thread, and the thread's news into signals; the tables here say which task,
 * which source and which offer a number in a message means. */
#define G_LOG_DOMAIN "clip-selection"

#include "clip-x11.h"

#include "clip-backend-private.h"
#include "clip-error.h"
#include "clip-fd.h"
#include "clip-x11-private.h"
#include "clip-x11-thread.h"

#define CLIP_TYPE_X11 (clip_x11_get_type ())
G_DECLARE_FINAL_TYPE (ClipX11, clip_x11, CLIP, X11, ClipBackend)

#define N_SELECTIONS 2

struct _ClipX11
{
  ClipBackend parent_instance;
  ClipX11Thread *thread;
  ClipX11Mailbox *news;
  gboolean disconnected;
  guint64 last_id;
  GHashTable *receives; /* id -> Receive */
  GHashTable *sources;  /* id -> ClipSource that we offer */
  GHashTable *syncing;  /* id -> GTask */
  ClipOffer *offers[N_SELECTIONS];
  guint64 offer_ids[N_SELECTIONS];
};

G_DEFINE_FINAL_TYPE (ClipX11, clip_x11, CLIP_TYPE_BACKEND)

static const ClipX11Limits default_limits = {
  .first_ms = 3000,
  .owner_ms = 30000,
  .stall_ms = 5000,
  .pipe_ms = 30000,
  .burst_ms = 250,
  .max_rapid = 1500,
  .max_feeds = 64,
};

/* names something on the thread from wherever it is told */
typedef struct
{
  ClipX11Mailbox *orders;
  guint64 id;
} Handle;

typedef struct
{
  GTask *task;
  ClipOffer *offer;
  gulong cancel_id;
  ClipBackendOpened opened; /* NULL once it was called */
  gpointer user_data;
} Receive;

static void
receive_free (gpointer data)
{
  Receive *self = data;

  g_object_unref (self->offer);
  g_free (self);
}

static Handle *
handle_new (ClipX11 *self, guint64 id)
{
  Handle *handle = g_new (Handle, 1);

  handle->orders = clip_x11_mailbox_ref (clip_x11_thread_orders (self->thread));
  handle->id = id;
  return handle;
}

static void
handle_free (gpointer data)
{
  Handle *handle = data;

  clip_x11_mailbox_unref (handle->orders);
  g_free (handle);
}

/* a 64-bit number as a key, wherever pointers are shorter */
static guint64 *
key_new (guint64 id)
{
  return g_memdup2 (&id, sizeof id);
}

static void
post (ClipX11 *self, ClipX11Message *message)
{
  clip_x11_mailbox_post (clip_x11_thread_orders (self->thread), message);
}

static void
on_cancelled (GCancellable *cancellable G_GNUC_UNUSED, gpointer user_data)
{
  Handle *handle = user_data;

  clip_x11_mailbox_post (handle->orders,
                         clip_x11_message_new (CLIP_X11_CANCEL, handle->id));
}

static void
x11_receive (ClipBackend *backend,
             ClipOffer *offer,
             const char *mime,
             ClipBackendOpened opened,
             gpointer user_data,
             GTask *task_take)
{
  ClipX11 *self = CLIP_X11 (backend);
  const ClipSelection selection = clip_offer_selection (offer);
  ClipX11Message *order = clip_x11_message_new (CLIP_X11_RECEIVE, ++self->last_id);
  GCancellable *cancellable = g_task_get_cancellable (task_take);
  Receive *receive = g_new0 (Receive, 1);

  order->selection = selection;
  /* no offer has the number 0 */
  order->offer = offer == self->offers[selection] ? self->offer_ids[selection] : 0;
  order->name = g_strdup (mime);
  receive->task = task_take;
  receive->offer = g_object_ref (offer);
  receive->opened = opened;
  receive->user_data = user_data;
  g_hash_table_insert (self->receives, key_new (order->id), receive);
  post (self, order);
  if (cancellable)
    receive->cancel_id =
        g_cancellable_connect (cancellable, G_CALLBACK (on_cancelled),
                               handle_new (self, self->last_id), handle_free);
}

static void
open_content (Receive *receive, int fd_take)
{
  const ClipBackendOpened opened = receive->opened;

  receive->opened = NULL;
  opened (fd_take, receive->user_data);
}

/* what has been asked for and not come is an empty content, whose verdict says more */
static void
open_nothing (Receive *receive)
{
  int fds[2];

  if (!clip_pipe (fds, NULL))
    return;
  clip_fd_clear (&fds[1]);
  open_content (receive, fds[0]);
}

static void
on_opened (ClipX11 *self, ClipX11Message *message)
{
  open_content (g_hash_table_lookup (self->receives, &message->id),
                g_steal_fd (&message->fd));
}

static void
on_announced (ClipX11 *self, ClipX11Message *message)
{
  Receive *receive = g_hash_table_lookup (self->receives, &message->id);

  clip_offer_announce (receive->offer, message->at_least_bytes);
}

static void
on_received (ClipX11 *self, ClipX11Message *message)
{
  Receive *receive = g_hash_table_lookup (self->receives, &message->id);
  g_autoptr (GTask) task = receive->task;

  if (receive->opened && message->fd >= 0)
    open_content (receive, g_steal_fd (&message->fd));
  else if (receive->opened)
    open_nothing (receive);
  g_cancellable_disconnect (g_task_get_cancellable (task), receive->cancel_id);
  g_hash_table_remove (self->receives, &message->id);
  if (message->error)
    g_task_return_error (task, g_steal_pointer (&message->error));
  else
    g_task_return_int (task, CLIP_VERDICT_WHOLE);
}

static void
x11_sync (ClipBackend *backend, GTask *task)
{
  ClipX11 *self = CLIP_X11 (backend);
  ClipX11Message *order = clip_x11_message_new (CLIP_X11_SYNC, ++self->last_id);

  g_hash_table_insert (self->syncing, key_new (order->id), task);
  post (self, order);
}

/* nothing where the end of the display has told already */
static void
on_synced (ClipX11 *self, const ClipX11Message *message)
{
  g_autoptr (GTask) task = g_hash_table_lookup (self->syncing, &message->id);

  if (task)
    g_hash_table_remove (self->syncing, &message->id);
  if (task)
    g_task_return_boolean (task, !message->flag);
}

/* what was on its way to the server does not come back */
static void
sync_all (ClipX11 *self)
{
  g_autoptr (GList) tasks = g_hash_table_get_values (self->syncing);

  g_hash_table_remove_all (self->syncing);
  for (GList *l = tasks; l; l = l->next)
    {
      g_autoptr (GTask) task = l->data;

      g_task_return_boolean (task, TRUE);
    }
}

static gboolean
x11_own (ClipBackend *backend,
         ClipSelection selection,
         ClipSource *source,
         GError **error)
{
  ClipX11 *self = CLIP_X11 (backend);
  ClipX11Message *order = NULL;

  if (self->disconnected)
    {
      g_set_error (error, CLIP_ERROR, CLIP_ERROR_NO_BACKEND,
                   "own a selection: the display has gone");
      return FALSE;
    }
  order = clip_x11_message_new (CLIP_X11_OWN, ++self->last_id);
  order->selection = selection;
  order->names = g_strdupv ((char **) clip_source_mimes (source));
  g_hash_table_insert (self->sources, key_new (order->id), g_object_ref (source));
  post (self, order);
  return TRUE;
}

static void
x11_disown (ClipBackend *backend, ClipSelection selection)
{
  ClipX11Message *order = clip_x11_message_new (CLIP_X11_DISOWN, 0);

  order->selection = selection;
  post (CLIP_X11 (backend), order);
}

static void
on_request_done (gboolean whole, gpointer user_data)
{
  Handle *handle = user_data;
  ClipX11Message *answer = clip_x11_message_new (CLIP_X11_ANSWERED, handle->id);

  answer->flag = whole;
  clip_x11_mailbox_post (handle->orders, answer);
  handle_free (handle);
}

static void
on_requested (ClipX11 *self, ClipX11Message *message)
{
  ClipSource *source = g_hash_table_lookup (self->sources, &message->source);
  g_autoptr (ClipRequest) request =
      clip_request_new (message->name, g_steal_fd (&message->fd), on_request_done,
                        handle_new (self, message->id));

  if (source)
    clip_source_request (source, request);
}

static void
on_saved (gboolean whole, gpointer user_data)
{
  Handle *handle = user_data;
  ClipX11Message *answer = clip_x11_message_new (CLIP_X11_SAVED, handle->id);

  answer->flag = whole;
  clip_x11_mailbox_post (handle->orders, answer);
  handle_free (handle);
}

/* without a listener it is refused */
static void
on_save (ClipX11 *self, guint64 id)
{
  g_autoptr (ClipRequest) request =
      clip_request_new ("", -1, on_saved, handle_new (self, id));

  clip_backend_emit_save (CLIP_BACKEND (self), request);
}

static void
on_source_lost (ClipX11 *self, guint64 id)
{
  g_autofree gpointer key = NULL;
  gpointer value = NULL;
  g_autoptr (ClipSource) source = NULL;

  g_hash_table_steal_extended (self->sources, &id, &key, &value);
  source = value;
  if (source)
    clip_source_cancel (source);
}

static void
replace_offer (ClipX11 *self, ClipSelection selection, ClipOffer *offer_take, guint64 id)
{
  if (self->offers[selection])
    clip_offer_set_replaced (self->offers[selection]);
  g_clear_object (&self->offers[selection]);
  self->offers[selection] = offer_take;
  self->offer_ids[selection] = id;
}

static void
on_offered (ClipX11 *self, ClipX11Message *message)
{
  g_autoptr (ClipOffer) offer = clip_offer_new (message->selection, message->flag);

  for (char **name = message->names; *name; name++)
    clip_offer_add_mime (offer, *name);
  clip_offer_set_app (offer, message->app);
  if (message->bridged)
    clip_offer_set_bridged (offer);
  replace_offer (self, message->selection, g_object_ref (offer), message->id);
  clip_backend_emit_offered (CLIP_BACKEND (self), offer);
}

static void
on_disconnected (ClipX11 *self, const char *why)
{
  self->disconnected = TRUE;
  for (int i = 0; i < N_SELECTIONS; i++)
    replace_offer (self, (ClipSelection) i, NULL, 0);
  sync_all (self);
  clip_backend_emit_disconnected (CLIP_BACKEND (self), why);
}

/* what was there is gone; @is_silent: a program owns the selection, and does not say what
   it holds */
static void
tell_replaced (ClipX11 *self, ClipSelection selection, gboolean is_silent)
{
  g_autoptr (ClipOffer) offer = clip_offer_new (selection, FALSE);

  if (is_silent)
    clip_offer_set_silent (offer);
  clip_offer_set_replaced (offer);
  clip_backend_emit_offered (CLIP_BACKEND (self), offer);
}

static void
on_news (ClipX11Message *message, gpointer user_data)
{
  g_autoptr (ClipX11) self = g_object_ref (user_data);

  switch (message->kind)
    {
    case CLIP_X11_OFFERED:
      on_offered (self, message);
      break;
    case CLIP_X11_REPLACED:
      replace_offer (self, message->selection, NULL, 0);
      tell_replaced (self, message->selection, message->flag);
      break;
    case CLIP_X11_STALLED:
      clip_backend_emit_stalled (CLIP_BACKEND (self), message->selection);
      break;
    case CLIP_X11_CLEARED:
      replace_offer (self, message->selection, NULL, 0);
      if (message->flag)
        clip_backend_emit_emptied (CLIP_BACKEND (self), message->selection);
      clip_backend_emit_cleared (CLIP_BACKEND (self), message->selection);
      break;
    case CLIP_X11_OPENED:
      on_opened (self, message);
      break;
    case CLIP_X11_ANNOUNCED:
      on_announced (self, message);
      break;
    case CLIP_X11_RECEIVED:
      on_received (self, message);
      break;
    case CLIP_X11_REQUESTED:
      on_requested (self, message);
      break;
    case CLIP_X11_SYNCED:
      on_synced (self, message);
      break;
    case CLIP_X11_SAVE:
      on_save (self, message->id);
      break;
    case CLIP_X11_LOST:
      on_source_lost (self, message->id);
      break;
    case CLIP_X11_DISCONNECTED:
      on_disconnected (self, message->name);
      break;
    default:
      g_critical ("x11: %d is no news", message->kind);
    }
}

static void
clip_x11_dispose (GObject *object)
{
  ClipX11 *self = CLIP_X11 (object);

  if (self->news)
    clip_x11_mailbox_close (self->news);
  g_clear_pointer (&self->thread, clip_x11_thread_stop);
  for (int i = 0; i < N_SELECTIONS; i++)
    replace_offer (self, (ClipSelection) i, NULL, 0);
  G_OBJECT_CLASS (clip_x11_parent_class)->dispose (object);
}

static void
clip_x11_finalize (GObject *object)
{
  ClipX11 *self = CLIP_X11 (object);

  g_clear_pointer (&self->news, clip_x11_mailbox_unref);
  g_hash_table_unref (self->receives);
  g_hash_table_unref (self->sources);
  g_hash_table_unref (self->syncing);
  G_OBJECT_CLASS (clip_x11_parent_class)->finalize (object);
}

static void
clip_x11_class_init (ClipX11Class *klass)
{
  ClipBackendClass *backend_class = CLIP_BACKEND_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = clip_x11_dispose;
  G_OBJECT_CLASS (klass)->finalize = clip_x11_finalize;
  backend_class->name = "x11";
  backend_class->sees_less = TRUE;
  backend_class->receive = x11_receive;
  backend_class->sync = x11_sync;
  backend_class->own = x11_own;
  backend_class->disown = x11_disown;
}

static void
clip_x11_init (ClipX11 *self)
{
  self->receives =
      g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, receive_free);
  self->syncing = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  self->sources =
      g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_object_unref);
}

/* one that is not connected yet, and whose news wait for that */
static ClipX11 *
make (void)
{
  ClipX11 *self = g_object_new (CLIP_TYPE_X11, NULL);

  self->news = clip_x11_mailbox_new (on_news, self);
  return self;
}

static ClipBackend *
hand_over (ClipX11 *self)
{
  g_autoptr (GMainContext) context = g_main_context_ref_thread_default ();

  clip_x11_mailbox_deliver (self->news, context);
  return CLIP_BACKEND (g_object_ref (self));
}

/* as clip_x11_new(), with other deadlines */
ClipBackend *
clip_x11_new_with_limits (const char *display_name,
                          gboolean primary,
                          const ClipX11Limits *limits,
                          GError **error)
{
  g_autoptr (ClipX11) self = make ();

  self->thread = clip_x11_thread_start (display_name, primary, limits, self->news, error);
  return self->thread ? hand_over (self) : NULL;
}

/**
 * clip_x11_new:
 * @display_name: (nullable): %NULL for $DISPLAY
 * @primary: whether PRIMARY is watched as well
 *
 * Connects to an X server; it takes as long as the server takes to answer, 2 s at most.
 * What is offered at the moment is announced later, from the main context of the caller,
 * on which everything happens. To own a selection is asynchronous: where the server gives
 * it to another program, the source is cancelled.
 *
 * Errors: %CLIP_ERROR_NO_BACKEND (there is no such display, or it lacks XFixes).
 */
ClipBackend *
clip_x11_new (const char *display_name, gboolean primary, GError **error)
{
  return clip_x11_new_with_limits (display_name, primary, &default_limits, error);
}

typedef struct
{
  ClipX11 *self;
  char *display_name;
  gboolean primary;
} Connecting;

static void
connecting_free (gpointer data)
{
  Connecting *connecting = data;

  g_object_unref (connecting->self);
  g_free (connecting->display_name);
  g_free (connecting);
}

static void
connect_on_thread (GTask *task,
                   gpointer source G_GNUC_UNUSED,
                   gpointer data,
                   GCancellable *cancellable G_GNUC_UNUSED)
{
  Connecting *connecting = data;
  ClipX11 *self = connecting->self;
  GError *error = NULL;

  self->thread = clip_x11_thread_start (connecting->display_name, connecting->primary,
                                        &default_limits, self->news, &error);
  if (self->thread)
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/**
 * clip_x11_new_async:
 *
 * As clip_x11_new(), without waiting.
 */
void
clip_x11_new_async (const char *display_name,
                    gboolean primary,
                    GCancellable *cancellable,
                    GAsyncReadyCallback callback,
                    gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Connecting *connecting = g_new0 (Connecting, 1);

  g_task_set_source_tag (task, clip_x11_new_async);
  connecting->self = make ();
  connecting->display_name = g_strdup (display_name);
  connecting->primary = primary;
  g_task_set_task_data (task, connecting, connecting_free);
  g_task_run_in_thread (task, connect_on_thread);
}

/* (transfer full): Errors: as clip_x11_new(), or %G_IO_ERROR_CANCELLED */
ClipBackend *
clip_x11_new_finish (GAsyncResult *result, GError **error)
{
  const Connecting *connecting = NULL;

  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);
  connecting = g_task_get_task_data (G_TASK (result));
  return g_task_propagate_boolean (G_TASK (result), error) ? hand_over (connecting->self)
                                                           : NULL;
}
