/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A program pastes what we own: Mutter brings a pipe for it, we bring a request. */
#define G_LOG_DOMAIN "clip-selection"
#include "clip-mutter-serve.h"

#include "clip-fd.h"

typedef struct
{
  ClipMutterSession *session;
  ClipSource *source; /* (nullable) */
  char *mime;
  guint32 serial;
} Answer;

static void
answer_free (Answer *self)
{
  clip_mutter_session_unref (self->session);
  g_clear_object (&self->source);
  g_free (self->mime);
  g_free (self);
}

static void
on_written (gboolean whole, gpointer user_data)
{
  Answer *self = user_data;

  clip_mutter_session_written (self->session, self->serial, whole);
  answer_free (self);
}

static void
on_pipe (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer user_data)
{
  Answer *self = user_data;
  g_autoptr (ClipSource) owned = NULL;
  g_autoptr (ClipRequest) request = NULL;
  g_autoptr (GError) error = NULL;
  clip_autofd int fd = -1;

  if (!clip_mutter_session_finish (result, &fd, &error))
    {
      g_debug ("paste of '%s' not answered: %s", self->mime, error->message);
      answer_free (self);
      return;
    }
  g_set_object (&owned, self->source);
  request = clip_request_new (self->mime, g_steal_fd (&fd), on_written, self);
  if (owned && g_strv_contains (clip_source_mimes (owned), clip_request_mime (request)))
    clip_source_request (owned, request);
}

/**
 * clip_mutter_serve:
 * @source: (nullable): what we own
 * @serial: as Mutter has asked
 *
 * Has @source write @mime. What it has not is answered too, with an end at once: Mutter
 * would keep the program that pastes waiting for 15 s.
 */
void
clip_mutter_serve (ClipMutterSession *session,
                   ClipSource *source,
                   const char *mime,
                   guint32 serial)
{
  Answer *self = g_new0 (Answer, 1);

  self->session = clip_mutter_session_ref (session);
  g_set_object (&self->source, source);
  self->mime = g_strdup (mime);
  self->serial = serial;
  clip_mutter_session_write_async (session, serial, on_pipe, self);
}
