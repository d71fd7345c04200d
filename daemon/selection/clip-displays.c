/* SPDX-License-Identifier: LGPL-2.1-or-later */
#define G_LOG_DOMAIN "clip-selection"
#include "clip-displays.h"

#include "clip-display-name.h"
#include "clip-mutter-watch.h"
#include "clip-mutter.h"
#include "clip-x-socket.h"
#ifdef CLIP_HAVE_WAYLAND
#  include "clip-wayland.h"
#endif
#ifdef CLIP_HAVE_X11
#  include "clip-x11.h"
#  include "clip-xwayland.h"
#endif

#define X11_SOCKETS "/tmp/.X11-unix"

/* a compositor that restarts is back at once or soon; one that stands still, or an X
 * server that is held, is there all the time, and may answer later */
#define SECOND_RETRY_MS 100
/* one that ends sooner than that is not back yet: it may end each connection so */
#define LASTING_US (5 * G_USEC_PER_SEC)
#define MAX_RETRY_MS 5000
#define MAX_RETRIES 12
#define LATE_RETRY_MS 30000
#define LATE_DOUBLINGS 2

/* an X server below a compositor that does not answer is tried again, with some later
 * copy: each try may take as long as a hung one is waited for. One that refuses us at
 * once may let us in with the next copy. */
#define HUNG_US G_USEC_PER_SEC
#define BESIDE_AGAIN_US G_USEC_PER_SEC
#define BESIDE_AGAIN_MAX_US (300 * G_USEC_PER_SEC)
/* to see whether there is one takes as long where it is stopped */
#define SLOW_LOOK_US (100 * G_TIME_SPAN_MILLISECOND)
/* one that starts takes a moment until it answers, and on a busy machine some */
#define START_MS 300
#define SLOW_START_MS 1000
#define MAX_START_LOOKS 30

struct _ClipDisplays
{
  GObject parent_instance;
  ClipBackend *backend;
  ClipBackend *beside;   /* (nullable): the X server below a compositor */
  gboolean is_alone;     /* there is none on this X server */
  gint64 beside_due_us;  /* monotonic: before that it is not tried again */
  gint64 beside_wait_us; /* how long that was */
#ifdef CLIP_HAVE_X11
  ClipXwaylandWatch *xwayland; /* (nullable): hears of one that starts */
#endif
  guint start_timer;
  guint n_start_looks;
  GCancellable *connecting; /* while a compositor is asked what it has */
  ClipMutterWatch *mutter;
  gboolean awaiting_bus; /* it will say whether there is a Mutter */
  guint kind;            /* that is tried, of the table of kinds */
  char *watched;         /* (nullable): the name of the present one, where it has one */
  char *asked_peer;      /* the Mutter that was asked last */
  char *refusal;         /* (nullable): why it is not what is watched */
  GFileMonitor *monitors[2];
  guint timer;
  guint n_retries;
  gboolean is_lost;       /* it was watched, and is looked for since */
  gboolean has_waited;    /* and not found at once */
  gint64 connected_us;    /* monotonic: since when the present one is watched */
  gboolean primary;       /* whether that is watched, too */
  gboolean asked_primary; /* whether the display that is being connected to is to */
  char **told;            /* (nullable): where a caller says that there is a display */
};

/* The kinds of displays, in the order in which they are tried: the one that says most
 * first. Each uses what it connects to, or tries the next one. An X server beside a
 * compositor is a bridge, and the second best in GNOME, too. */
enum
{
  WAYLAND,
  MUTTER,
  X11,
};

enum
{
  CONNECTED,
  DISCONNECTED,
  REFUSAL_CHANGED,
  SEARCHED,
  N_SIGNALS
};
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (ClipDisplays, clip_displays, G_TYPE_OBJECT)

static void
clip_displays_dispose (GObject *object)
{
  ClipDisplays *self = CLIP_DISPLAYS (object);

  g_clear_handle_id (&self->timer, g_source_remove);
  g_clear_handle_id (&self->start_timer, g_source_remove);
#ifdef CLIP_HAVE_X11
  g_clear_pointer (&self->xwayland, clip_xwayland_watch_free);
#endif
  g_cancellable_cancel (self->connecting);
  g_clear_object (&self->connecting);
  g_clear_pointer (&self->mutter, clip_mutter_watch_free);
  g_clear_pointer (&self->asked_peer, g_free);
  g_clear_pointer (&self->refusal, g_free);
  g_clear_pointer (&self->watched, g_free);
  g_clear_pointer (&self->told, g_strfreev);
  for (guint i = 0; i < G_N_ELEMENTS (self->monitors); i++)
    g_clear_object (&self->monitors[i]);
  if (self->backend)
    g_signal_handlers_disconnect_by_data (self->backend, self);
  g_clear_object (&self->backend);
  if (self->beside)
    g_signal_handlers_disconnect_by_data (self->beside, self);
  g_clear_object (&self->beside);
  G_OBJECT_CLASS (clip_displays_parent_class)->dispose (object);
}

static guint
new_signal (const char *name)
{
  return g_signal_new (name, CLIP_TYPE_DISPLAYS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                       G_TYPE_NONE, 1, CLIP_TYPE_BACKEND);
}

static void
clip_displays_class_init (ClipDisplaysClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = clip_displays_dispose;
  signals[CONNECTED] = new_signal ("connected");
  signals[DISCONNECTED] = new_signal ("disconnected");
  signals[REFUSAL_CHANGED] =
      g_signal_new ("refusal-changed", CLIP_TYPE_DISPLAYS, G_SIGNAL_RUN_LAST, 0, NULL,
                    NULL, NULL, G_TYPE_NONE, 0);
  signals[SEARCHED] = g_signal_new ("searched", CLIP_TYPE_DISPLAYS, G_SIGNAL_RUN_LAST, 0,
                                    NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
clip_displays_init (ClipDisplays *self)
{
}

ClipDisplays *
clip_displays_new (void)
{
  return g_object_new (CLIP_TYPE_DISPLAYS, NULL);
}

/* what the environment names, or else the first socket that lies where compositors put
 * theirs */
static char *
find_wayland (void)
{
  const char *named = g_getenv ("WAYLAND_DISPLAY");
  g_autoptr (GDir) dir =
      named && *named ? NULL : g_dir_open (g_get_user_runtime_dir (), 0, NULL);
  const char *name;

  if (named && *named)
    return g_strdup (named);
  while (dir && (name = g_dir_read_name (dir)))
    if (g_str_has_prefix (name, "wayland-") && !g_str_has_suffix (name, ".lock"))
      return g_strdup (name);
  return NULL;
}

#ifdef CLIP_HAVE_X11
static ClipBackend *
connect_x11 (ClipDisplays *self, const char *name)
{
  g_autoptr (GError) error = NULL;
  ClipBackend *backend = clip_x11_new (name, self->primary, &error);

  if (error)
    g_info ("x11 display '%s': %s", name, error->message);
  return backend;
}

/* (nullable) (transfer full): the compositor's own, which the environment may not name,
 * or else what that names; where a program is connected to it, or the compositor is one
 * of @parents */
static char *
find_beside (const GArray *parents)
{
  const char *named = g_getenv ("DISPLAY");
  g_autofree char *wayland = find_wayland ();
  g_autofree char *path = wayland ? clip_display_name_wayland (wayland) : NULL;
  char *name = path ? clip_x_socket_beside (path, parents) : NULL;

  if (!name && clip_x_socket_is_used (named))
    name = g_strdup (named);
  return name;
}
#endif

static gboolean on_retry (gpointer user_data);

/* else its socket is waited for */
static gboolean
is_there (void)
{
  g_autofree char *wayland = find_wayland ();

  return (wayland || clip_has_display ()) && !clip_display_name_is_gone ();
}

static void
retry_later (ClipDisplays *self)
{
  guint wait_ms = 0;

  if (self->timer || (self->n_retries >= MAX_RETRIES && !is_there ()))
    return;
  if (self->n_retries == MAX_RETRIES)
    g_message ("no display with a clipboard answers: trying now and then");
  if (self->n_retries >= MAX_RETRIES)
    wait_ms = LATE_RETRY_MS << MIN (self->n_retries - MAX_RETRIES, LATE_DOUBLINGS);
  else if (self->n_retries > 0)
    wait_ms = MIN (SECOND_RETRY_MS << (self->n_retries - 1), MAX_RETRY_MS);
  self->has_waited |= self->is_lost && wait_ms > 0;
  self->timer = g_timeout_add (wait_ms, on_retry, self);
  self->n_retries++;
}

static void
lose (ClipDisplays *self, ClipBackend **slot)
{
  g_autoptr (ClipBackend) lost = g_steal_pointer (slot);

  if (!lost)
    return;
  g_signal_handlers_disconnect_by_data (lost, self);
  g_signal_emit (self, signals[DISCONNECTED], 0, lost);
}

static void
on_disconnected (ClipDisplays *self, const char *why)
{
  g_message ("display lost: %s", why);
  lose (self, &self->beside);
  lose (self, &self->backend);
  self->is_lost = TRUE;
  if (g_get_monotonic_time () - self->connected_us >= LASTING_US)
    self->n_retries = 0;
  /* it is there, and may be so for good once what ends each connection has gone */
  self->n_retries = MIN (self->n_retries, MAX_RETRIES / 2);
  retry_later (self);
}

static void
on_beside_disconnected (ClipDisplays *self, const char *why)
{
  g_message ("display beside lost: %s", why);
  lose (self, &self->beside);
}

#ifdef CLIP_HAVE_X11
/* A program on the X server below a compositor says more of what it copies than what the
 * compositor carries over. So that one is watched as well, from when it runs. @parents:
 * (nullable): as clip_xwayland_parents() says; else one without a client is not found */
static void
look_beside (ClipDisplays *self, const GArray *parents)
{
  const gint64 began_us = g_get_monotonic_time ();
  g_autofree char *name = NULL;
  gint64 now_us;

  if (!self->backend || self->beside || self->is_alone || began_us < self->beside_due_us)
    return;
  name = find_beside (parents);
  self->beside = name ? connect_x11 (self, name) : NULL;
  now_us = g_get_monotonic_time ();
  if (!self->beside)
    {
      if (name && now_us - began_us > HUNG_US)
        {
          self->beside_wait_us =
              CLAMP (2 * self->beside_wait_us, BESIDE_AGAIN_US, BESIDE_AGAIN_MAX_US);
          self->beside_due_us = now_us + self->beside_wait_us;
        }
      /* one that stands still answers neither this nor the next copy */
      else if (!name && now_us - began_us > SLOW_LOOK_US)
        self->beside_due_us = now_us + BESIDE_AGAIN_US;
      return;
    }
  self->beside_wait_us = 0;
  g_message ("watching the clipboard beside: %s", clip_backend_name (self->beside));
  g_signal_connect_object (self->beside, "disconnected",
                           G_CALLBACK (on_beside_disconnected), self, G_CONNECT_SWAPPED);
  g_signal_emit (self, signals[CONNECTED], 0, self->beside);
}

static void
look_for_running (ClipDisplays *self)
{
  g_autoptr (GArray) parents = clip_xwayland_parents ();

  look_beside (self, parents);
}

/* A copy that comes now looks for itself: one that starts may answer by then. But one
 * that was found, and did not answer, is waited for: any user may open its file. */
static void
let_copies_look (ClipDisplays *self)
{
  if (self->beside_wait_us == 0)
    self->beside_due_us = 0;
}

static gboolean
on_start_due (gpointer user_data)
{
  ClipDisplays *self = user_data;
  const gint64 now_us = g_get_monotonic_time ();
  const gboolean is_looked_for = now_us >= self->beside_due_us;
  gboolean is_slow;

  look_for_running (self);
  is_slow = g_get_monotonic_time () - now_us > SLOW_LOOK_US;
  if (!self->beside && is_looked_for && !is_slow)
    self->beside_wait_us = 0;
  let_copies_look (self);
  self->start_timer = 0;
  if (!self->beside && ++self->n_start_looks < MAX_START_LOOKS)
    self->start_timer =
        g_timeout_add (is_slow ? SLOW_START_MS : START_MS, on_start_due, self);
  return G_SOURCE_REMOVE;
}

static void
on_xwayland_started (gpointer user_data)
{
  ClipDisplays *self = user_data;

  self->n_start_looks = 0;
  let_copies_look (self);
  if (!self->start_timer)
    self->start_timer = g_timeout_add (START_MS, on_start_due, self);
}
#endif

/**
 * clip_displays_look_beside:
 *
 * Watches the X server below a compositor, too, if a program has come there: where its
 * start was not heard of this is at the latest when something is copied, or a caller has
 * something to keep.
 */
void
clip_displays_look_beside (ClipDisplays *self)
{
#ifdef CLIP_HAVE_X11
  look_beside (self, NULL);
#endif
}

/* from now on, also when it starts: first of all that which runs already */
static void
watch_beside (ClipDisplays *self)
{
#ifdef CLIP_HAVE_X11
  if (self->is_alone)
    return;
  if (!self->xwayland)
    self->xwayland = clip_xwayland_watch_new (on_xwayland_started, self);
  look_for_running (self);
#endif
}

/* what is told a caller who may be on another one: that of GNOME has no name, and is the
 * only one on its bus */
static char *
name_present (ClipDisplays *self)
{
  g_autofree char *wayland = self->kind == WAYLAND ? find_wayland () : NULL;

  if (wayland)
    return clip_display_name_wayland (wayland);
  return self->kind == X11 ? g_strdup (g_getenv ("DISPLAY")) : NULL;
}

static void
use (ClipDisplays *self, ClipBackend *backend)
{
  g_message ("watching the clipboard: %s", clip_backend_name (backend));
  self->backend = g_object_ref (backend);
  g_free (self->watched);
  self->watched = name_present (self);
  self->connected_us = g_get_monotonic_time ();
  if (self->has_waited)
    clip_backend_set_unwatched (backend);
  self->is_lost = self->has_waited = FALSE;
  g_clear_pointer (&self->told, g_strfreev);
  g_clear_handle_id (&self->timer, g_source_remove);
  g_signal_connect_object (backend, "disconnected", G_CALLBACK (on_disconnected), self,
                           G_CONNECT_SWAPPED);
  self->is_alone = !clip_backend_mirrors (backend);
  self->beside_due_us = self->beside_wait_us = 0;
  if (!self->is_alone)
    /* before any other handler hears of the offer */
    g_signal_connect_object (backend, "offered", G_CALLBACK (clip_displays_look_beside),
                             self, G_CONNECT_SWAPPED);
  g_signal_emit (self, signals[CONNECTED], 0, backend);
  watch_beside (self);
  g_signal_emit (self, signals[SEARCHED], 0);
}

static void try_next (ClipDisplays *self);
static void try_kind (ClipDisplays *self, guint kind);
static void try_connect (ClipDisplays *self);

/* the setting may have changed since the display was asked */
static gboolean
is_as_set (ClipDisplays *self)
{
  return self->asked_primary == self->primary;
}

#ifdef CLIP_HAVE_X11
static void on_mutter_changed (gpointer user_data);

static void
on_x11_connected (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ClipDisplays) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipBackend) backend = clip_x11_new_finish (result, &error);

  if (!self->connecting)
    return;
  g_clear_object (&self->connecting);
  if (!backend)
    {
      g_info ("%s", error->message);
      try_next (self);
      return;
    }
  if (!is_as_set (self))
    {
      try_kind (self, self->kind);
      return;
    }
  use (self, backend);
  /* one that came meanwhile says more */
  if (g_strcmp0 (self->asked_peer, clip_mutter_watch_peer (self->mutter)) != 0)
    on_mutter_changed (self);
}
#endif

static void
try_x11 (ClipDisplays *self)
{
#ifdef CLIP_HAVE_X11
  const char *name = g_getenv ("DISPLAY");

  if (!self->backend && name && *name && !clip_display_name_is_remote (name))
    {
      self->connecting = g_cancellable_new ();
      self->asked_primary = self->primary;
      clip_x11_new_async (name, self->primary, self->connecting, on_x11_connected,
                          g_object_ref (self));
      return;
    }
#endif
  try_next (self);
}

static void
set_refusal (ClipDisplays *self, const char *why)
{
  if (g_strcmp0 (self->refusal, why) == 0)
    return;
  if (why)
    g_message ("GNOME Shell does not share its clipboard: %s", why);
  g_free (self->refusal);
  self->refusal = g_strdup (why);
  g_signal_emit (self, signals[REFUSAL_CHANGED], 0);
}

static void try_mutter (ClipDisplays *self);

static void
on_mutter_connected (GObject *source G_GNUC_UNUSED,
                     GAsyncResult *result,
                     gpointer user_data)
{
  g_autoptr (ClipDisplays) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipBackend) backend = clip_mutter_new_finish (result, &error);

  if (!self->connecting)
    return;
  g_clear_object (&self->connecting);
  if (g_strcmp0 (self->asked_peer, clip_mutter_watch_peer (self->mutter)) != 0)
    {
      try_mutter (self); /* that one has gone already */
      return;
    }
  set_refusal (self, error ? error->message : NULL);
  if (!backend)
    {
      try_next (self);
      return;
    }
  lose (self, &self->beside);
  lose (self, &self->backend);
  use (self, backend);
}

static void
try_mutter (ClipDisplays *self)
{
  const char *peer = clip_mutter_watch_peer (self->mutter);

  self->awaiting_bus = !clip_mutter_watch_is_known (self->mutter);
  if (self->awaiting_bus)
    return;
  if (!peer)
    {
      set_refusal (self, NULL);
      try_next (self);
      return;
    }
  g_free (self->asked_peer);
  self->asked_peer = g_strdup (peer);
  self->connecting = g_cancellable_new ();
  clip_mutter_new_async (clip_mutter_watch_bus (self->mutter), peer, self->connecting,
                         on_mutter_connected, g_object_ref (self));
}

#ifdef CLIP_HAVE_WAYLAND
static void
on_wayland_connected (GObject *source G_GNUC_UNUSED,
                      GAsyncResult *result,
                      gpointer user_data)
{
  g_autoptr (ClipDisplays) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipBackend) backend = clip_wayland_new_finish (result, &error);

  if (!self->connecting)
    return;
  g_clear_object (&self->connecting);
  if (!backend)
    {
      g_info ("wayland: %s", error->message);
      try_next (self);
    }
  else if (is_as_set (self))
    use (self, backend);
  else
    try_kind (self, self->kind);
}
#endif

static void
try_wayland (ClipDisplays *self)
{
#ifdef CLIP_HAVE_WAYLAND
  g_autofree char *name = find_wayland ();

  self->connecting = g_cancellable_new ();
  self->asked_primary = self->primary;
  clip_wayland_new_async (name, self->primary, self->connecting, on_wayland_connected,
                          g_object_ref (self));
#else
  try_next (self);
#endif
}

static const struct
{
  gboolean of_compositor; /* not tried first where no socket of one is there */
  void (*try) (ClipDisplays *self);
} kinds[] = {
  [WAYLAND] = { TRUE, try_wayland },
  [MUTTER] = { TRUE, try_mutter },
  [X11] = { FALSE, try_x11 },
};

static void
try_kind (ClipDisplays *self, guint kind)
{
  self->kind = kind;
  kinds[kind].try (self);
}

/* libxcb looks into the environment itself: while it may, that stays as it is */
static void
turn_to_told (ClipDisplays *self)
{
  g_auto (GStrv) told = g_steal_pointer (&self->told);

  for (guint i = 0; told[i]; i += 2)
    if (*told[i + 1])
      g_setenv (told[i], told[i + 1], TRUE);
    else
      g_unsetenv (told[i]);
  self->n_retries = 0;
  try_connect (self);
}

static void
try_next (ClipDisplays *self)
{
  if (self->kind + 1 < G_N_ELEMENTS (kinds))
    try_kind (self, self->kind + 1);
  else if (!self->backend && self->told)
    turn_to_told (self);
  else if (!self->backend)
    {
      retry_later (self);
      g_signal_emit (self, signals[SEARCHED], 0);
    }
}

static void
try_connect (ClipDisplays *self)
{
  g_autofree char *wayland = NULL;
  guint first = 0;

  if (self->backend || self->connecting || self->awaiting_bus)
    return;
  wayland = find_wayland ();
  while (kinds[first].of_compositor && !wayland)
    first++;
  try_kind (self, first);
}

/* Mutter has come or gone, or may have changed its mind */
static void
on_mutter_changed (gpointer user_data)
{
  ClipDisplays *self = user_data;
  g_autofree char *wayland = NULL;

  if (self->connecting)
    return;
  if (self->awaiting_bus)
    {
      try_kind (self, MUTTER);
      return;
    }
  if (!clip_mutter_watch_peer (self->mutter))
    return;
  wayland = find_wayland ();
  if (!self->backend)
    {
      self->n_retries = 0;
      try_connect (self);
    }
  else if (!clip_backend_sees_less (self->backend))
    clip_backend_wake (self->backend);
  else if (wayland)
    try_kind (self, MUTTER);
}

static gboolean
on_retry (gpointer user_data)
{
  ClipDisplays *self = user_data;

  self->timer = 0;
  try_connect (self);
  return G_SOURCE_REMOVE;
}

/* what else comes and goes in these folders, other X servers among it, is nothing to
   us */
static gboolean
is_socket (GFile *file)
{
  const char *named = g_getenv ("WAYLAND_DISPLAY");
  g_autofree char *path = g_file_get_path (file);
  g_autofree char *name = g_file_get_basename (file);
  g_autofree char *wanted = named && *named ? g_path_get_basename (named) : NULL;

  return g_str_has_prefix (name, "wayland-") || g_strcmp0 (name, wanted) == 0 ||
         clip_x_socket_is_at (path, g_getenv ("DISPLAY"));
}

/* a socket is there a moment before it is listened to: the retries cover that */
static void
on_sockets_changed (ClipDisplays *self, GFile *file)
{
  if (self->backend || self->connecting || self->awaiting_bus || !is_socket (file))
    return;
  self->is_lost = self->has_waited = FALSE; /* that one has ended, and another begins */
  self->n_retries = 0;
  retry_later (self);
}

static GFileMonitor *
watch_folder (ClipDisplays *self, const char *path)
{
  g_autoptr (GFile) folder = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  GFileMonitor *monitor =
      g_file_monitor_directory (folder, G_FILE_MONITOR_NONE, NULL, &error);

  if (monitor)
    g_signal_connect_object (monitor, "changed", G_CALLBACK (on_sockets_changed), self,
                             G_CONNECT_SWAPPED);
  else
    g_info ("cannot wait for displays in '%s': %s", path, error->message);
  return monitor;
}

/* (nullable): why GNOME Shell's own clipboard is not what is watched */
const char *
clip_displays_refusal (ClipDisplays *self)
{
  return self->refusal;
}

/* (nullable): the display that is watched, as clip_display_name_is_other() takes it */
const char *
clip_displays_watched (ClipDisplays *self)
{
  return self->backend ? self->watched : NULL;
}

/* takes a new connection where that changes what is watched */
void
clip_displays_set_primary (ClipDisplays *self, gboolean primary)
{
  if (self->primary == primary)
    return;
  self->primary = primary;
  if (!self->backend)
    return;
  lose (self, &self->beside);
  lose (self, &self->backend);
  try_connect (self);
}

/**
 * clip_displays_look_at:
 * @environment: (array zero-terminated=1): names and values in turn; an empty one is
 * unset
 *
 * Looks for displays where those say, unless one is watched: at once, or when what is
 * being tried has failed.
 *
 * Returns: whether "searched" will follow
 */
gboolean
clip_displays_look_at (ClipDisplays *self, const char *const *environment)
{
  if (self->backend)
    return FALSE;
  g_strfreev (self->told);
  self->told = g_strdupv ((char **) environment);
  if (!self->connecting && !self->awaiting_bus)
    turn_to_told (self);
  return self->connecting || self->awaiting_bus;
}

/* connects now, or as soon as there is something to connect to */
void
clip_displays_start (ClipDisplays *self)
{
  const char *server = g_getenv ("DISPLAY");

  if (clip_display_name_is_remote (server))
    g_message ("left alone, as a display of another machine: '%s'", server);
  self->monitors[0] = watch_folder (self, g_get_user_runtime_dir ());
  self->monitors[1] = watch_folder (self, X11_SOCKETS);
  self->mutter = clip_mutter_watch_new (on_mutter_changed, self);
  try_connect (self);
  if (!self->backend && !self->connecting && !self->awaiting_bus)
    g_message ("no display with a clipboard yet: waiting for one");
}
