/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Each of them is watched as soon as it is asked for. Who is not there locks nothing; who
 * is there and does not answer may have locked, so that nothing is shown until it does.
 * Nothing is done that cannot be undone before one of them has said so. A question that
 * comes before all have been heard waits for them.
 */
#define G_LOG_DOMAIN "clip-lock"
#include "clip-screen-lock.h"

/* a desktop that starts, or is busy, answers late */
#define PATIENCE_MS 5000

#define PROPERTIES "org.freedesktop.DBus.Properties"
#define LOGIND_SESSION "org.freedesktop.login1.Session"

typedef struct
{
  const char *name;
  const char *path;
  const char *interface; /* that asks */
  const char *method;
  const char *arguments; /* (nullable): of the question, as text */
  const char *signal_interface;
  const char *signal;
  const char *signal_path; /* (nullable): any */
} Locker;

static const Locker lockers[] = {
  { "org.gnome.ScreenSaver", "/org/gnome/ScreenSaver", "org.gnome.ScreenSaver",
    "GetActive", NULL, "org.gnome.ScreenSaver", "ActiveChanged", NULL },
  { "org.freedesktop.ScreenSaver", "/org/freedesktop/ScreenSaver",
    "org.freedesktop.ScreenSaver", "GetActive", NULL, "org.freedesktop.ScreenSaver",
    "ActiveChanged", NULL },
  /* "auto" is the session of the caller, or the one that the user sees; what changes
   * tells under its own path */
  { "org.freedesktop.login1", "/org/freedesktop/login1/session/auto", PROPERTIES, "Get",
    "('" LOGIND_SESSION "', 'LockedHint')", PROPERTIES, "PropertiesChanged", NULL },
};

#define N_LOCKERS G_N_ELEMENTS (lockers)

typedef struct
{
  ClipScreenLock *lock;
  const Locker *locker;
  GDBusConnection *bus; /* (nullable): while its owner is there */
  guint watch;
  guint signal;
  GCancellable *question; /* (nullable): the last one, while it is not answered */
  gboolean is_known;
  gboolean is_locked;
  gboolean says_so; /* that it is locked */
} Place;

typedef struct
{
  ClipScreenLockFunc function;
  gpointer user_data;
} Waiting;

struct ClipScreenLock
{
  GDBusConnection *session;
  Place places[N_LOCKERS];
  gboolean watches;
  GQueue waiting; /* Waiting */
  gboolean was_said;
  ClipScreenLockedFunc locked; /* (nullable) */
  gpointer locked_data;
};

static gboolean
is_known (const ClipScreenLock *self)
{
  for (guint i = 0; i < N_LOCKERS; i++)
    if (!self->places[i].is_known)
      return FALSE;
  return TRUE;
}

static gboolean
is_locked (const ClipScreenLock *self)
{
  for (guint i = 0; i < N_LOCKERS; i++)
    if (self->places[i].is_locked)
      return TRUE;
  return FALSE;
}

/* the first of those that lock it says it for all */
static void
follow (ClipScreenLock *self)
{
  gboolean was_said = self->was_said;

  self->was_said = FALSE;
  for (guint i = 0; i < N_LOCKERS; i++)
    self->was_said |= self->places[i].says_so;
  if (self->locked && self->was_said && !was_said)
    self->locked (self->locked_data);
}

static void
settle (Place *place, gboolean locked, gboolean said)
{
  ClipScreenLock *self = place->lock;

  place->is_locked = locked;
  place->says_so = locked && said;
  place->is_known = TRUE;
  follow (self);
  while (is_known (self) && !g_queue_is_empty (&self->waiting))
    {
      g_autofree Waiting *waiting = g_queue_pop_head (&self->waiting);

      waiting->function (is_locked (self), waiting->user_data);
    }
}

/* "(b)", or "(v)" with one inside */
static gboolean
read_answer (GVariant *reply)
{
  g_autoptr (GVariant) first = g_variant_get_child_value (reply, 0);
  g_autoptr (GVariant) inner = g_variant_is_of_type (first, G_VARIANT_TYPE_VARIANT)
                                   ? g_variant_get_variant (first)
                                   : g_variant_ref (first);

  return g_variant_is_of_type (inner, G_VARIANT_TYPE_BOOLEAN) &&
         g_variant_get_boolean (inner);
}

static void
on_answer (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) reply =
      g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result, &error);
  Place *place = user_data;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return; /* asked anew, or we have ended */
  g_clear_object (&place->question);
  if (reply)
    settle (place, read_answer (reply), TRUE);
  else
    settle (place,
            g_error_matches (error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT) ||
                g_error_matches (error, G_DBUS_ERROR, G_DBUS_ERROR_NO_REPLY),
            FALSE);
}

static void
forget_question (Place *place)
{
  if (place->question)
    g_cancellable_cancel (place->question);
  g_clear_object (&place->question);
}

static void
ask (Place *place)
{
  const Locker *locker = place->locker;

  forget_question (place);
  place->is_known = FALSE;
  place->question = g_cancellable_new ();
  g_dbus_connection_call (
      place->bus, locker->name, locker->path, locker->interface, locker->method,
      locker->arguments ? g_variant_new_parsed (locker->arguments) : NULL, NULL,
      G_DBUS_CALL_FLAGS_NO_AUTO_START, PATIENCE_MS, place->question, on_answer, place);
}

/* what it says is not believed but asked for: of logind we hear of every session */
static void
on_signal (GDBusConnection *bus G_GNUC_UNUSED,
           const char *sender G_GNUC_UNUSED,
           const char *path G_GNUC_UNUSED,
           const char *interface G_GNUC_UNUSED,
           const char *name G_GNUC_UNUSED,
           GVariant *arguments,
           gpointer user_data)
{
  Place *place = user_data;

  if (g_variant_is_of_type (arguments, G_VARIANT_TYPE ("(b)")))
    {
      forget_question (place);
      settle (place, read_answer (arguments), TRUE);
    }
  else if (place->bus)
    ask (place);
}

static void
leave (Place *place)
{
  forget_question (place);
  if (place->signal)
    g_dbus_connection_signal_unsubscribe (place->bus, place->signal);
  place->signal = 0;
  g_clear_object (&place->bus);
}

static void
on_appeared (GDBusConnection *bus,
             const char *name G_GNUC_UNUSED,
             const char *owner,
             gpointer user_data)
{
  Place *place = user_data;
  const Locker *locker = place->locker;

  leave (place);
  place->bus = g_object_ref (bus);
  place->signal = g_dbus_connection_signal_subscribe (
      bus, owner, locker->signal_interface, locker->signal, locker->signal_path, NULL,
      G_DBUS_SIGNAL_FLAGS_NONE, on_signal, place, NULL);
  ask (place);
}

static void
on_vanished (GDBusConnection *bus G_GNUC_UNUSED,
             const char *name G_GNUC_UNUSED,
             gpointer user_data)
{
  leave (user_data);
  settle (user_data, FALSE, TRUE);
}

static void
watch (ClipScreenLock *self)
{
  if (self->watches)
    return;
  self->watches = TRUE;
  for (guint i = 0; i < N_LOCKERS; i++)
    {
      Place *place = &self->places[i];
      gboolean of_system = g_str_equal (place->locker->name, "org.freedesktop.login1");

      place->watch =
          of_system
              ? g_bus_watch_name (G_BUS_TYPE_SYSTEM, place->locker->name,
                                  G_BUS_NAME_WATCHER_FLAGS_NONE, on_appeared, on_vanished,
                                  place, NULL)
              : g_bus_watch_name_on_connection (self->session, place->locker->name,
                                                G_BUS_NAME_WATCHER_FLAGS_NONE,
                                                on_appeared, on_vanished, place, NULL);
    }
}

/* whether one is there that locks it, or may be, while they are still asked */
gboolean
clip_screen_lock_has_locker (const ClipScreenLock *self)
{
  for (guint i = 0; i < N_LOCKERS; i++)
    if (self->places[i].bus)
      return TRUE;
  return !is_known (self);
}

/**
 * clip_screen_lock_new:
 * @session: the bus of the session
 */
ClipScreenLock *
clip_screen_lock_new (GDBusConnection *session)
{
  ClipScreenLock *self = g_new0 (ClipScreenLock, 1);

  self->session = g_object_ref (session);
  for (guint i = 0; i < N_LOCKERS; i++)
    self->places[i] = (Place){ .lock = self, .locker = &lockers[i] };
  g_queue_init (&self->waiting);
  return self;
}

/* who waits is told that it is locked */
void
clip_screen_lock_free (ClipScreenLock *self)
{
  Waiting *waiting;

  if (!self)
    return;
  while ((waiting = g_queue_pop_head (&self->waiting)))
    {
      waiting->function (TRUE, waiting->user_data);
      g_free (waiting);
    }
  for (guint i = 0; i < N_LOCKERS; i++)
    {
      leave (&self->places[i]);
      if (self->places[i].watch)
        g_bus_unwatch_name (self->places[i].watch);
    }
  g_object_unref (self->session);
  g_free (self);
}

/* who did not answer in time once may have been busy */
static void
ask_the_silent (ClipScreenLock *self)
{
  for (guint i = 0; i < N_LOCKERS; i++)
    {
      Place *place = &self->places[i];

      if (place->bus && place->is_known && place->is_locked && !place->says_so)
        ask (place);
    }
}

/**
 * clip_screen_lock_ask:
 * @function: called once: at once where the answer is known
 */
void
clip_screen_lock_ask (ClipScreenLock *self,
                      ClipScreenLockFunc function,
                      gpointer user_data)
{
  Waiting *waiting;

  ask_the_silent (self);
  if (self->watches && is_known (self))
    {
      function (is_locked (self), user_data);
      return;
    }
  waiting = g_new (Waiting, 1);
  *waiting = (Waiting){ function, user_data };
  g_queue_push_tail (&self->waiting, waiting);
  watch (self);
}

/**
 * clip_screen_lock_follow:
 * @locked: (nullable): called when one of them says that it is locked now; who only does
 *   not answer has not said so
 */
void
clip_screen_lock_follow (ClipScreenLock *self,
                         ClipScreenLockedFunc locked,
                         gpointer user_data)
{
  self->locked = locked;
  self->locked_data = user_data;
  if (locked)
    watch (self);
}
