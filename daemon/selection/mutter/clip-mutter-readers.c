/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Mutter refuses a session that reads two contents at once, and cannot be asked to end a
 * session that was never started: those that were needed once stay, for the next time.
 */
#define G_LOG_DOMAIN "clip-selection"
#include "clip-mutter-readers.h"

#include "clip-error.h"

/* a copy that was given up for the next one has still to let go of its session */
#define MAX_LINES (2 * CLIP_MUTTER_MOST_COPIES)

typedef struct
{
  ClipMutterReaders *lines; /* NULL: this one goes when it has ended */
  ClipMutterSession *session;
  gboolean open;
  gboolean busy;
  /* what waits for it to be open, if anything does */
  GTask *task;
  ClipMutterReading reading;
  ClipOffer *offer;
  char *mime;
} Line;

struct ClipMutterReaders
{
  GDBusConnection *bus;
  char *peer;
  GPtrArray *lines; /* of Line */
};

static void
line_free (Line *self)
{
  clip_mutter_session_close (self->session);
  g_clear_object (&self->offer);
  g_free (self->mime);
  g_free (self);
}

/* one that is busy goes when it is not */
static void
let_go (gpointer data)
{
  Line *self = data;

  self->lines = NULL;
  if (!self->busy)
    line_free (self);
}

static void
on_ended (gpointer data)
{
  Line *self = data;

  self->busy = FALSE;
  if (!self->lines)
    line_free (self);
}

/* what has waited for it is asked for now */
static void
on_opened (gpointer user_data)
{
  Line *self = user_data;

  self->open = TRUE;
  if (!self->task)
    return;
  clip_mutter_read (self->session, &self->reading, on_ended, self,
                    g_steal_pointer (&self->task));
  g_clear_object (&self->offer);
  g_clear_pointer (&self->mime, g_free);
}

static void
on_closed (const GError *why, gpointer user_data)
{
  Line *self = user_data;
  g_autoptr (GTask) task = g_steal_pointer (&self->task);
  const gboolean reading = self->busy && !task;

  self->busy = TRUE; /* no other read may take it meanwhile */
  if (self->lines)
    g_ptr_array_remove (self->lines->lines, self);
  if (task)
    g_task_return_new_error (task, CLIP_ERROR, CLIP_ERROR_NO_BACKEND, "receive '%s': %s",
                             self->mime, why->message);
  if (!reading)
    line_free (self);
}

static const ClipMutterSessionEvents line_events = {
  .opened = on_opened,
  .closed = on_closed,
};

static Line *
find_free (ClipMutterReaders *self)
{
  for (guint i = 0; i < self->lines->len; i++)
    {
      Line *line = self->lines->pdata[i];

      if (!line->busy)
        return line;
    }
  return NULL;
}

static Line *
add_line (ClipMutterReaders *self)
{
  Line *line = g_new0 (Line, 1);

  line->lines = self;
  g_ptr_array_add (self->lines, line);
  line->session = clip_mutter_session_open (self->bus, self->peer, &line_events, line);
  return line;
}

/* the first one is opened at once, since a copy will come */
ClipMutterReaders *
clip_mutter_readers_new (GDBusConnection *bus, const char *peer)
{
  ClipMutterReaders *self = g_new0 (ClipMutterReaders, 1);

  self->bus = g_object_ref (bus);
  self->peer = g_strdup (peer);
  self->lines = g_ptr_array_new_with_free_func (let_go);
  add_line (self);
  return self;
}

/* what is read at the moment is read to its end */
void
clip_mutter_readers_free (ClipMutterReaders *self)
{
  g_ptr_array_unref (self->lines);
  g_object_unref (self->bus);
  g_free (self->peer);
  g_free (self);
}

static void
await_line (Line *self, const ClipMutterReading *reading, GTask *task_take)
{
  self->task = task_take;
  self->offer = g_object_ref (reading->offer);
  self->mime = g_strdup (reading->mime);
  self->reading = *reading;
  self->reading.mime = self->mime;
}

/**
 * clip_mutter_readers_read:
 *
 * Reads through the first session that is free, or else through one more. Errors: as
 * clip_mutter_read(), and %CLIP_ERROR_LIMITS.
 */
void
clip_mutter_readers_read (ClipMutterReaders *self,
                          const ClipMutterReading *reading,
                          GTask *task_take)
{
  Line *line = find_free (self);

  if (!line && self->lines->len == MAX_LINES)
    {
      g_task_return_new_error (task_take, CLIP_ERROR, CLIP_ERROR_LIMITS,
                               "receive '%s': so many are read already", reading->mime);
      g_object_unref (task_take);
      return;
    }
  if (!line)
    line = add_line (self);
  line->busy = TRUE;
  if (line->open)
    clip_mutter_read (line->session, reading, on_ended, line, task_take);
  else
    await_line (line, reading, task_take);
}
