/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A Wayland compositor with a data-control protocol: from the connection to its end. No
 * content passes here: a pipe end goes to the compositor in one direction, to history in
 * the other. */
#define G_LOG_DOMAIN "clip-selection"
#include "clip-wayland.h"

#include "clip-backend-private.h"
#include "clip-error.h"
#include "clip-fd.h"
#include "clip-process.h"
#include "clip-wayland-display.h"
#include "clip-wayland-registry.h"
#include "clip-wayland-seats.h"

/* how long a compositor may take to list what it has, and its socket to be found */
#define ANSWER_MS 2000
#define MAX_CONNECTING 8

/* copies whose program is not known yet: of both selections, and those that
   they replaced */
#define MAX_UNSURE 4

#define CLIP_TYPE_WAYLAND (clip_wayland_get_type ())
G_DECLARE_FINAL_TYPE (ClipWayland, clip_wayland, CLIP, WAYLAND, ClipBackend)

struct _ClipWayland
{
  ClipBackend parent_instance;
  GSource *display; /* NULL once the connection is lost, as are the next three */
  ClipWaylandRegistry *registry;
  ClipDataControl *control;
  ClipWaylandSeats *seats;
  ClipWaylandFocus *focus; /* (nullable): once it is asked for */
  gboolean wants_app;
  GPtrArray *unsure;  /* of ClipOffer: whose they are is not known yet */
  GPtrArray *syncing; /* of Sync */
  const char *name;
  gboolean primary;
  gboolean unveiled; /* until the compositor has listed what it has */
  GTask *starting;   /* clip_wayland_new_async(), until it is answered */
  GSource *deadline; /* of starting */
};

G_DEFINE_FINAL_TYPE (ClipWayland, clip_wayland, CLIP_TYPE_BACKEND)

/* a question that the compositor answers behind all that it has told before */
typedef struct
{
  ClipWayland *self; /* which the task holds */
  struct wl_callback *callback;
  GTask *task;
} Sync;

/* where a window had just come while something was copied */
static void
name_unsure (ClipWayland *self)
{
  if (!self->focus || !clip_wayland_focus_is_sure (self->focus))
    return;
  for (guint i = 0; i < self->unsure->len; i++)
    clip_offer_set_app (self->unsure->pdata[i], clip_wayland_focus_app (self->focus));
  g_ptr_array_set_size (self->unsure, 0);
}

static void
sync_free (gpointer data)
{
  g_autofree Sync *syncing = data;
  g_autoptr (GTask) task = syncing->task;

  wl_callback_destroy (syncing->callback);
  g_task_return_boolean (task, TRUE);
}

static void
on_synced (void *data, struct wl_callback *callback, guint32 serial)
{
  Sync *syncing = data;
  g_autoptr (ClipWayland) self = g_object_ref (syncing->self);

  name_unsure (self);
  g_ptr_array_remove (self->syncing, syncing);
}

static const struct wl_callback_listener sync_listener = { .done = on_synced };

static void
wayland_sync (ClipBackend *backend, GTask *task)
{
  ClipWayland *self = CLIP_WAYLAND (backend);
  Sync *syncing;

  if (!self->display)
    {
      g_task_return_boolean (task, TRUE);
      g_object_unref (task);
      return;
    }
  syncing = g_new (Sync, 1);
  *syncing =
      (Sync){ self, wl_display_sync (clip_wayland_display_get (self->display)), task };
  wl_callback_add_listener (syncing->callback, &sync_listener, syncing);
  g_ptr_array_add (self->syncing, syncing);
  clip_wayland_display_flush (self->display, NULL);
}

static void
drop_source (GSource **source)
{
  if (*source)
    g_source_destroy (*source);
  g_clear_pointer (source, g_source_unref);
}

static void
veil (ClipWayland *self)
{
  if (self->unveiled)
    clip_process_veil ();
  self->unveiled = FALSE;
}

static void
tear_down (ClipWayland *self)
{
  g_autoptr (GPtrArray) syncing = g_steal_pointer (&self->syncing);

  self->syncing = g_ptr_array_new_with_free_func (sync_free);
  g_clear_pointer (&syncing, g_ptr_array_unref);
  g_ptr_array_set_size (self->unsure, 0);
  g_clear_pointer (&self->seats, clip_wayland_seats_free);
  g_clear_pointer (&self->focus, clip_wayland_focus_free);
  g_clear_pointer (&self->control, clip_data_control_free);
  g_clear_pointer (&self->registry, clip_wayland_registry_free);
  drop_source (&self->display);
  drop_source (&self->deadline);
  veil (self);
}

static const char *
wayland_get_name (ClipBackend *backend)
{
  return CLIP_WAYLAND (backend)->name;
}

static void
wayland_receive (ClipBackend *backend,
                 ClipOffer *offer,
                 const char *mime,
                 ClipBackendOpened opened,
                 gpointer user_data,
                 GTask *task_take)
{
  ClipWayland *self = CLIP_WAYLAND (backend);
  g_autoptr (GTask) task = task_take;
  clip_autofd int sink_fd = clip_backend_open_pipe (opened, user_data, task);
  g_autoptr (GError) error = NULL;

  if (sink_fd < 0)
    return;
  if (!self->seats || !clip_wayland_seats_receive (self->seats, offer, mime, sink_fd))
    g_task_return_new_error (task, CLIP_ERROR, CLIP_ERROR_NO_BACKEND,
                             "receive '%s': the offer has gone", mime);
  else if (!clip_wayland_display_flush (self->display, &error))
    g_task_return_error (task, g_steal_pointer (&error));
  else
    g_task_return_int (task, CLIP_VERDICT_EOF);
}

static gboolean
wayland_own (ClipBackend *backend,
             ClipSelection selection,
             ClipSource *source,
             GError **error)
{
  ClipWayland *self = CLIP_WAYLAND (backend);

  if (self->seats)
    return clip_wayland_seats_own (self->seats, selection, source, error) &&
           clip_wayland_display_flush (self->display, error);
  g_set_error (error, CLIP_ERROR, CLIP_ERROR_NO_BACKEND,
               "own selection: the compositor has gone");
  return FALSE;
}

static void
wayland_disown (ClipBackend *backend, ClipSelection selection)
{
  ClipWayland *self = CLIP_WAYLAND (backend);

  if (!self->seats)
    return;
  clip_wayland_seats_disown (self->seats, selection);
  clip_wayland_display_flush (self->display, NULL); /* a failure is found by reading */
}

/* Each title that changes anywhere wakes us then, so it is not asked for before. It is
 * not ended again either: a window that the compositor tells of meanwhile would take an
 * id from behind the back of libwayland, which ends the connection when it meets that
 * again. */
static void
wayland_want_app (ClipBackend *backend, gboolean wanted)
{
  ClipWayland *self = CLIP_WAYLAND (backend);

  self->wants_app = wanted;
  if (!wanted || self->focus || !self->registry)
    return;
  self->focus = clip_wayland_registry_bind_focus (self->registry);
  clip_wayland_display_flush (self->display, NULL);
}

static void
wayland_name_app (ClipBackend *backend, ClipOffer *offer)
{
  ClipWayland *self = CLIP_WAYLAND (backend);

  g_ptr_array_set_size (self->unsure, MIN (self->unsure->len, MAX_UNSURE - 1));
  if (!self->wants_app || !self->focus)
    return;
  clip_offer_set_app (offer, clip_wayland_focus_app (self->focus));
  if (!clip_wayland_focus_is_sure (self->focus))
    g_ptr_array_insert (self->unsure, 0, g_object_ref (offer));
}

static void
clip_wayland_dispose (GObject *object)
{
  tear_down (CLIP_WAYLAND (object));
  G_OBJECT_CLASS (clip_wayland_parent_class)->dispose (object);
}

static void
clip_wayland_finalize (GObject *object)
{
  g_ptr_array_unref (CLIP_WAYLAND (object)->syncing);
  g_ptr_array_unref (CLIP_WAYLAND (object)->unsure);
  G_OBJECT_CLASS (clip_wayland_parent_class)->finalize (object);
}

static void
clip_wayland_class_init (ClipWaylandClass *klass)
{
  ClipBackendClass *backend_class = CLIP_BACKEND_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = clip_wayland_dispose;
  G_OBJECT_CLASS (klass)->finalize = clip_wayland_finalize;
  backend_class->mirrors = TRUE;
  backend_class->spends_pastes = TRUE;
  backend_class->get_name = wayland_get_name;
  backend_class->want_app = wayland_want_app;
  backend_class->name_app = wayland_name_app;
  backend_class->receive = wayland_receive;
  backend_class->sync = wayland_sync;
  backend_class->own = wayland_own;
  backend_class->disown = wayland_disown;
}

static void
clip_wayland_init (ClipWayland *self)
{
  self->name = "wayland";
  self->syncing = g_ptr_array_new_with_free_func (sync_free);
  self->unsure = g_ptr_array_new_with_free_func (g_object_unref);
  self->seats = clip_wayland_seats_new (CLIP_BACKEND (self));
}

/* what has been listed is watched */
static gboolean
start (ClipWayland *self, GError **error)
{
  self->control = clip_wayland_registry_bind (self->registry, error);
  if (!self->control)
    return FALSE;
  self->name = clip_data_control_name (self->control);
  clip_wayland_seats_start (self->seats, self->control, self->primary);
  return clip_wayland_display_flush (self->display, error);
}

/* the task holds the reference on @self until here */
static void
answer_start (ClipWayland *self, GError *error_take)
{
  g_autoptr (GTask) task = g_steal_pointer (&self->starting);

  drop_source (&self->deadline);
  if (error_take)
    {
      tear_down (self);
      g_task_return_error (task, error_take);
    }
  else
    g_task_return_pointer (task, g_object_ref (self), g_object_unref);
}

static void
on_listed (gpointer user_data)
{
  ClipWayland *self = user_data;
  GError *error = NULL;

  veil (self);
  start (self, &error);
  answer_start (self, error);
}

static void
on_lost (const char *why, gpointer user_data)
{
  ClipWayland *self = user_data;

  if (self->starting)
    {
      answer_start (self, g_error_new_literal (CLIP_ERROR, CLIP_ERROR_NO_BACKEND, why));
      return;
    }
  tear_down (self);
  clip_backend_emit_disconnected (CLIP_BACKEND (self), why);
}

static void
on_withdrawn (gpointer user_data)
{
  on_lost ("compositor withdrew data control", user_data);
}

static gboolean
on_deadline (gpointer user_data)
{
  on_lost ("compositor does not answer", user_data);
  return G_SOURCE_REMOVE;
}

static void
on_seat_added (guint32 global, struct wl_seat *seat_take, gpointer user_data)
{
  ClipWayland *self = user_data;

  clip_wayland_seats_add (self->seats, global, seat_take);
}

static void
on_seat_removed (guint32 global, gpointer user_data)
{
  ClipWayland *self = user_data;

  clip_wayland_seats_remove (self->seats, global);
}

static const ClipWaylandRegistryEvents registry_events = {
  .listed = on_listed,
  .seat_added = on_seat_added,
  .seat_removed = on_seat_removed,
  .withdrawn = on_withdrawn,
};

/* --- the connection --- */

/* threads that wait for the file system a socket lies on, of all displays together
   (atomic) */
static int n_connecting;

static gpointer
connect_on_thread (gpointer data)
{
  g_autoptr (GTask) task = data;
  int fd = clip_wayland_display_connect_on_thread (g_task_get_task_data (task));

  g_atomic_int_add (&n_connecting, -1);
  g_task_return_int (task, fd);
  return NULL;
}

static void
connect_async (const char *path, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, user_data);

  g_task_set_source_tag (task, connect_async);
  g_task_set_task_data (task, g_strdup (path), g_free);
  if (g_atomic_int_add (&n_connecting, 1) >= MAX_CONNECTING)
    {
      g_atomic_int_add (&n_connecting, -1);
      g_task_return_new_error (task, CLIP_ERROR, CLIP_ERROR_NO_BACKEND,
                               "connect to display '%s': %d others have not answered yet",
                               path, MAX_CONNECTING);
      return;
    }
  g_thread_unref (
      g_thread_new ("clip-wayland", connect_on_thread, g_steal_pointer (&task)));
}

static GSource *
connect_finish (GAsyncResult *result, GError **error)
{
  GTask *task = G_TASK (result);
  g_autoptr (GError) refused = NULL;
  int fd = (int) g_task_propagate_int (task, &refused);

  if (!refused)
    return clip_wayland_display_new (g_task_get_task_data (task), fd, error);
  g_propagate_error (error, g_steal_pointer (&refused));
  return NULL;
}

/* after the deadline it is not wanted any more */
static void
on_connected (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ClipWayland) self = user_data;
  GError *error = NULL;
  GSource *display = connect_finish (result, &error);

  if (!self->starting)
    {
      drop_source (&display);
      g_clear_error (&error);
      return;
    }
  if (!display)
    {
      answer_start (self, error);
      return;
    }
  self->display = display;
  self->registry = clip_wayland_registry_new (clip_wayland_display_get (display),
                                              &registry_events, self);
  clip_wayland_display_watch (display, on_lost, self);
}

/**
 * clip_wayland_new_async:
 * @display_name: (nullable): as in WAYLAND_DISPLAY, which %NULL stands for
 * @primary: whether to follow the primary selection too, where there is one
 *
 * Connects, and calls back when the compositor has listed what it has: it is given 2 s.
 * What is selected already is announced afterwards, as initial.
 */
void
clip_wayland_new_async (const char *display_name,
                        gboolean primary,
                        GCancellable *cancellable,
                        GAsyncReadyCallback callback,
                        gpointer user_data)
{
  GError *error = NULL;
  g_autofree char *path = clip_wayland_display_find (display_name, &error);
  ClipWayland *self;

  if (!path)
    {
      g_task_report_error (NULL, callback, user_data, clip_wayland_new_async, error);
      return;
    }
  self = g_object_new (CLIP_TYPE_WAYLAND, NULL);
  self->primary = primary;
  self->starting = g_task_new (NULL, cancellable, callback, user_data);
  g_task_set_source_tag (self->starting, clip_wayland_new_async);
  g_task_set_task_data (self->starting, self, g_object_unref);
  self->deadline = g_timeout_source_new (ANSWER_MS);
  g_source_set_callback (self->deadline, on_deadline, self, NULL);
  g_source_attach (self->deadline, g_main_context_get_thread_default ());
  self->unveiled = TRUE;
  clip_process_unveil ();
  connect_async (path, on_connected, g_object_ref (self));
}

/* (transfer full): Errors: %CLIP_ERROR_NO_BACKEND: no compositor, none that answers, or
 * none with a data-control protocol; %G_IO_ERROR_CANCELLED */
ClipBackend *
clip_wayland_new_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}
