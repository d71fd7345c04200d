/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* All of it runs on the thread of X11, and so does what it is made of: owner, receive,
 * serve, watch and manager. */
#define G_LOG_DOMAIN "clip-selection"

#include "clip-x11-worker.h"

#include "clip-error.h"
#include "clip-x11-clipboard-manager.h"
#include "clip-x11-owner.h"
#include "clip-x11-property.h"
#include "clip-x11-receive.h"
#include "clip-x11-serve.h"
#include "clip-x11-watch.h"

#define N_SELECTIONS 2

struct ClipX11Worker
{
  ClipX11Display *display;
  ClipX11Limits limits;
  ClipX11Mailbox *news;
  ClipX11Watch *watches[N_SELECTIONS]; /* NULL where it is not watched */
  GPtrArray *receives;
  ClipX11Owner *owner;
  ClipX11Serve *serve;
  ClipX11ClipboardManager *manager;
  GQueue syncing; /* of guint64: questions on their way to the server and back */
  gboolean lost;
};

static void
tell_received (ClipX11Worker *self, guint64 id, int content_fd_take, GError *error_take)
{
  ClipX11Message *message = clip_x11_message_new (CLIP_X11_RECEIVED, id);

  message->error = error_take;
  message->fd = content_fd_take;
  clip_x11_mailbox_post (self->news, message);
}

static void
refuse_receive (ClipX11Worker *self, guint64 id, ClipError code, const char *why)
{
  tell_received (self, id, -1, g_error_new_literal (CLIP_ERROR, (int) code, why));
}

static void
on_announced (ClipX11Receive *receive, guint32 at_least_bytes, gpointer user_data)
{
  ClipX11Worker *self = user_data;
  ClipX11Message *message =
      clip_x11_message_new (CLIP_X11_ANNOUNCED, clip_x11_receive_id (receive));

  message->at_least_bytes = at_least_bytes;
  clip_x11_mailbox_post (self->news, message);
}

static void
on_opened (ClipX11Receive *receive, int source_fd_take, gpointer user_data)
{
  ClipX11Worker *self = user_data;
  ClipX11Message *message =
      clip_x11_message_new (CLIP_X11_OPENED, clip_x11_receive_id (receive));

  message->fd = source_fd_take;
  clip_x11_mailbox_post (self->news, message);
}

static void
on_received (ClipX11Receive *receive, GError *error_take, gpointer user_data)
{
  ClipX11Worker *self = user_data;

  tell_received (self, clip_x11_receive_id (receive),
                 clip_x11_receive_steal_content (receive), error_take);
  g_ptr_array_remove_fast (self->receives, receive);
}

/* (transfer container): what is left alone while one of them ends */
static GPtrArray *
list_receives (ClipX11Worker *self)
{
  GPtrArray *list = g_ptr_array_copy (self->receives, NULL, NULL);

  g_ptr_array_set_free_func (list, NULL);
  return list;
}

static void
on_owner_change (ClipX11Worker *self, xcb_generic_event_t *event)
{
  const xcb_xfixes_selection_notify_event_t *change =
      (const xcb_xfixes_selection_notify_event_t *) event;
  const ClipX11Claim *claim = clip_x11_owner_find (self->owner, change->owner);
  g_autoptr (GPtrArray) receives = list_receives (self);
  ClipX11Watch *watch = NULL;

  if (clip_x11_clipboard_manager_owner_changed (self->manager, change))
    return;
  for (int i = 0; i < N_SELECTIONS; i++)
    if (self->watches[i] &&
        clip_x11_watch_selection (self->watches[i]) == change->selection)
      {
        watch = self->watches[i];
        if (change->owner == XCB_WINDOW_NONE)
          clip_x11_owner_left (self->owner, (ClipSelection) i,
                               change->selection_timestamp);
      }
  if (!watch)
    return;
  for (guint i = 0; i < receives->len; i++)
    if (change->subtype == XCB_XFIXES_SELECTION_EVENT_SELECTION_CLIENT_CLOSE)
      clip_x11_receive_owner_gone (receives->pdata[i], clip_x11_watch_offer (watch));
    else
      clip_x11_receive_owner_changed (receives->pdata[i], change);
  clip_x11_watch_owner_changed (watch, change,
                                claim ? (const char *const *) claim->names : NULL);
}

/* To a window of ours no program pastes. The end of that paste would end what we hear of
 * the window, too, and so each question for the time. */
static void
on_request (ClipX11Worker *self, const xcb_selection_request_event_t *request)
{
  if (clip_x11_display_is_ours (self->display, request->requestor))
    clip_x11_property_notify (self->display, request, XCB_ATOM_NONE);
  else if (!clip_x11_clipboard_manager_request (self->manager, request))
    clip_x11_serve_request (self->serve, request);
}

static void
on_event (xcb_generic_event_t *event, gpointer user_data)
{
  ClipX11Worker *self = user_data;

  if (clip_x11_display_is_owner_change (self->display, event))
    {
      on_owner_change (self, event);
      return;
    }
  switch (event->response_type & 0x7f)
    {
    case XCB_SELECTION_REQUEST:
      on_request (self, (xcb_selection_request_event_t *) event);
      break;
    case XCB_SELECTION_CLEAR:
      clip_x11_owner_lose (self->owner, ((xcb_selection_clear_event_t *) event)->owner);
      clip_x11_clipboard_manager_lose (self->manager,
                                       ((xcb_selection_clear_event_t *) event)->owner);
      break;
    case XCB_PROPERTY_NOTIFY:
    case XCB_DESTROY_NOTIFY:
      clip_x11_serve_notify (self->serve, event);
      break;
    default:
      break;
    }
}

static void
on_settled (gpointer user_data)
{
  ClipX11Worker *self = user_data;

  for (int i = 0; i < N_SELECTIONS; i++)
    if (self->watches[i])
      clip_x11_watch_ask_owner (self->watches[i]);
}

static void
on_lost (const char *why, gpointer user_data)
{
  ClipX11Worker *self = user_data;
  g_autoptr (GPtrArray) receives = list_receives (self);
  ClipX11Message *message = clip_x11_message_new (CLIP_X11_DISCONNECTED, 0);

  self->lost = TRUE;
  for (guint i = 0; i < receives->len; i++)
    clip_x11_receive_fail (
        receives->pdata[i],
        g_error_new_literal (CLIP_ERROR, CLIP_ERROR_NO_BACKEND, "the display has gone"));
  for (int i = 0; i < N_SELECTIONS; i++)
    g_clear_pointer (&self->watches[i], clip_x11_watch_free);
  clip_x11_owner_lose_all (self->owner);
  g_clear_pointer (&self->serve, clip_x11_serve_free);
  message->name = g_strdup (why);
  clip_x11_mailbox_post (self->news, message);
}

/**
 * clip_x11_worker_new:
 * @primary: whether PRIMARY is watched too
 * @news: gets all that the main context is to know
 */
ClipX11Worker *
clip_x11_worker_new (ClipX11Display *display,
                     gboolean primary,
                     const ClipX11Limits *limits,
                     ClipX11Mailbox *news)
{
  ClipX11Worker *self = g_new0 (ClipX11Worker, 1);

  self->display = display;
  self->limits = *limits;
  self->news = clip_x11_mailbox_ref (news);
  g_queue_init (&self->syncing);
  self->receives =
      g_ptr_array_new_with_free_func ((GDestroyNotify) clip_x11_receive_free);
  self->owner = clip_x11_owner_new (display, news);
  self->serve = clip_x11_serve_new (display, self->owner, limits, news);
  self->manager = clip_x11_clipboard_manager_new (display, news);
  clip_x11_display_listen (display, on_event, on_settled, on_lost, self);
  self->watches[CLIP_SELECTION_CLIPBOARD] =
      clip_x11_watch_new (display, CLIP_SELECTION_CLIPBOARD, limits, news);
  if (primary)
    self->watches[CLIP_SELECTION_PRIMARY] =
        clip_x11_watch_new (display, CLIP_SELECTION_PRIMARY, limits, news);
  return self;
}

void
clip_x11_worker_free (ClipX11Worker *self)
{
  g_ptr_array_unref (self->receives);
  g_queue_clear_full (&self->syncing, g_free);
  g_clear_pointer (&self->serve, clip_x11_serve_free);
  clip_x11_owner_free (self->owner);
  clip_x11_clipboard_manager_free (self->manager);
  for (int i = 0; i < N_SELECTIONS; i++)
    g_clear_pointer (&self->watches[i], clip_x11_watch_free);
  clip_x11_mailbox_unref (self->news);
  g_free (self);
}

static xcb_atom_t
target_of (ClipX11Worker *self, const char *mime)
{
  const char *const names[] = { mime, NULL };
  g_autoptr (GArray) atoms =
      clip_x11_atoms_intern (clip_x11_display_atoms (self->display), names);

  return g_array_index (atoms, xcb_atom_t, 0);
}

static void
receive (ClipX11Worker *self, ClipX11Message *order)
{
  ClipX11Watch *watch = self->watches[order->selection];
  ClipX11ReceiveJob job = { .id = order->id, .offer = order->offer };
  ClipX11Convert *convert =
      watch ? clip_x11_watch_ask (watch, order->offer, target_of (self, order->name),
                                  &job.owner)
            : NULL;
  ClipX11Receive *started = NULL;

  if (!convert)
    {
      refuse_receive (self, order->id, CLIP_ERROR_NO_BACKEND, "the offer was replaced");
      return;
    }
  job.selection = clip_x11_watch_selection (watch);
  started = clip_x11_receive_new (self->display, &job, &self->limits, on_announced,
                                  on_opened, on_received, self);
  g_ptr_array_add (self->receives, started);
  clip_x11_receive_start (started, convert);
}

static void
cancel (ClipX11Worker *self, guint64 id)
{
  for (guint i = 0; i < self->receives->len; i++)
    if (clip_x11_receive_id (self->receives->pdata[i]) == id)
      {
        clip_x11_receive_fail (
            self->receives->pdata[i],
            g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED, "cancelled"));
        return;
      }
}

/* a question that goes through the server comes back behind all that it has told
   before */
static void
on_sync_time (xcb_timestamp_t now G_GNUC_UNUSED, gpointer user_data)
{
  ClipX11Worker *self = user_data;
  guint64 *id = g_queue_pop_head (&self->syncing);

  clip_x11_watch_sync (self->watches[CLIP_SELECTION_CLIPBOARD], *id);
  g_free (id);
}

static void
sync_display (ClipX11Worker *self, guint64 id)
{
  g_queue_push_tail (&self->syncing, g_memdup2 (&id, sizeof id));
  clip_x11_display_ask_time (self->display, on_sync_time, self);
}

/* a display that has gone answers at once */
static void
handle_lost (ClipX11Worker *self, ClipX11Message *order)
{
  if (order->kind == CLIP_X11_RECEIVE)
    refuse_receive (self, order->id, CLIP_ERROR_NO_BACKEND, "the display has gone");
  else if (order->kind == CLIP_X11_OWN)
    clip_x11_mailbox_post (self->news, clip_x11_message_new (CLIP_X11_LOST, order->id));
  else if (order->kind == CLIP_X11_SYNC)
    clip_x11_mailbox_post (self->news, clip_x11_message_new (CLIP_X11_SYNCED, order->id));
}

/* @order: one of those to the thread; its descriptor may be stolen */
void
clip_x11_worker_handle (ClipX11Worker *self, ClipX11Message *order)
{
  if (self->lost)
    {
      handle_lost (self, order);
      return;
    }
  switch (order->kind)
    {
    case CLIP_X11_RECEIVE:
      receive (self, order);
      break;
    case CLIP_X11_CANCEL:
      cancel (self, order->id);
      break;
    case CLIP_X11_OWN:
      clip_x11_owner_own (self->owner, order->selection, order->id,
                          (const char *const *) order->names);
      break;
    case CLIP_X11_DISOWN:
      clip_x11_owner_disown (self->owner, order->selection);
      break;
    case CLIP_X11_ANSWERED:
      clip_x11_serve_answered (self->serve, order->id, order->flag);
      break;
    case CLIP_X11_SAVED:
      clip_x11_clipboard_manager_saved (self->manager, order->id, order->flag);
      break;
    case CLIP_X11_SYNC:
      sync_display (self, order->id);
      break;
    default:
      g_critical ("x11: %d is no order", order->kind);
    }
}
