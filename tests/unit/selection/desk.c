/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "desk.h"

#include "clip-fd.h"

#include <string.h>

static void G_GNUC_PRINTF (2, 3) log_event (Desk *desk, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  g_queue_push_tail (desk->events, g_strdup_vprintf (format, args));
  va_end (args);
}

static const char *
kind (ClipSelection selection)
{
  return selection == CLIP_SELECTION_PRIMARY ? " primary" : "";
}

static void
on_offered (ClipBackend *backend, ClipOffer *offer, Desk *desk)
{
  g_autofree char *mimes =
      g_strjoinv (" ", (char **) (gpointer) clip_offer_mimes (offer));

  log_event (desk, "offered%s%s%s%s %s", kind (clip_offer_selection (offer)),
             clip_offer_is_initial (offer) ? " initial" : "",
             clip_offer_is_remnant (offer) ? " remnant" : "",
             clip_offer_is_own (offer) ? " own" : "", mimes);
  g_set_object (&desk->offer, offer);
}

static void
on_cleared (ClipBackend *backend, int selection, Desk *desk)
{
  log_event (desk, "cleared%s", kind (selection));
}

static void
on_disconnected (ClipBackend *backend, const char *why, Desk *desk)
{
  log_event (desk, "disconnected: %s", why);
}

/* asks again until the answer begins as wanted */
void
desk_await_answer (Desk *desk, const char *command, const char *wanted)
{
  gboolean so = FALSE;

  while (!so)
    {
      g_autofree char *answer = play_tell (desk->play, "%s", command);

      so = g_str_has_prefix (answer, wanted);
    }
}

void
desk_sit_at (Desk *desk, ClipBackend *backend_take)
{
  g_assert_nonnull (backend_take);
  desk->backend = backend_take;
  g_signal_connect (desk->backend, "offered", G_CALLBACK (on_offered), desk);
  g_signal_connect (desk->backend, "cleared", G_CALLBACK (on_cleared), desk);
  g_signal_connect (desk->backend, "disconnected", G_CALLBACK (on_disconnected), desk);
}

static void
on_connected (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  ClipBackend *backend = clip_wayland_new_finish (result, &error);

  g_assert_no_error (error);
  desk_sit_at (user_data, backend);
}

void
desk_sit_down (Desk *desk, gboolean primary)
{
  clip_wayland_new_async (play_display (desk->play), primary, NULL, on_connected, desk);
  while (!desk->backend)
    g_main_context_iteration (NULL, TRUE);
  desk_await_answer (desk, "stats", "devices=1");
}

/* for a backend that the test brings itself */
Desk *
desk_empty (void)
{
  Desk *desk = g_new0 (Desk, 1);

  desk->events = g_queue_new ();
  desk->requests = g_queue_new ();
  return desk;
}

Desk *
desk_new (const char *protocol, int n_seats)
{
  Desk *desk = desk_empty ();

  desk->play = play_start (CLIP_TEST_COMPOSITOR, protocol, n_seats);
  return desk;
}

Desk *
desk_at (const char *protocol, int n_seats)
{
  Desk *desk = desk_new (protocol, n_seats);

  desk_sit_down (desk, FALSE);
  return desk;
}

/* what was announced and not expected is a failure */
void
desk_free (Desk *desk)
{
  g_assert_cmpstr (g_queue_peek_head (desk->events), ==, NULL);
  g_queue_free_full (desk->events, g_free);
  g_queue_free_full (desk->requests, g_object_unref);
  g_clear_object (&desk->backend);
  g_clear_object (&desk->offer);
  g_clear_object (&desk->source);
  g_clear_pointer (&desk->play, play_end);
  g_free (desk);
}

void
desk_expect (Desk *desk, const char *event)
{
  g_autofree char *next = NULL;

  while (g_queue_is_empty (desk->events))
    g_main_context_iteration (NULL, TRUE);
  next = g_queue_pop_head (desk->events);
  g_assert_cmpstr (next, ==, event);
}

void
desk_tell (Desk *desk, const char *command)
{
  g_free (play_tell (desk->play, "%s", command));
}

/* receiving */

typedef struct
{
  int fd;
  GAsyncResult *result;
} Receive;

static void
on_opened (int source_fd_take, gpointer user_data)
{
  Receive *self = user_data;

  g_assert_cmpint (self->fd, ==, -1);
  self->fd = source_fd_take;
}

static void
on_received (GObject *backend, GAsyncResult *result, gpointer user_data)
{
  ((Receive *) user_data)->result = g_object_ref (result);
}

/* @out_fd: what to read from; -1 where there is nothing */
ClipVerdict
desk_receive_from (Desk *desk,
                   ClipOffer *offer,
                   const char *mime,
                   int *out_fd,
                   GError **error)
{
  Receive receive = { .fd = -1 };
  g_autoptr (GAsyncResult) result = NULL;

  clip_backend_receive_async (desk->backend, offer, mime, on_opened, NULL, on_received,
                              &receive);
  while (!receive.result)
    g_main_context_iteration (NULL, TRUE);
  result = receive.result;
  *out_fd = receive.fd;
  return clip_backend_receive_finish (desk->backend, result, error);
}

GBytes *
desk_receive (Desk *desk, const char *mime)
{
  g_autoptr (GError) error = NULL;
  clip_autofd int read_fd = -1;
  g_autoptr (GBytes) bytes = NULL;

  g_assert_cmpint (desk_receive_from (desk, desk->offer, mime, &read_fd, &error), ==,
                   CLIP_VERDICT_EOF);
  g_assert_no_error (error);
  bytes = clip_read_to_end (read_fd, 1 << 24, &error);
  g_assert_no_error (error);
  return g_steal_pointer (&bytes);
}

void
desk_assert_receives (Desk *desk, const char *mime, const char *text)
{
  g_autoptr (GBytes) bytes = desk_receive (desk, mime);

  g_assert_cmpmem (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), text,
                   strlen (text));
}

/* owning */

static void
on_requested (ClipSource *source, ClipRequest *request, Desk *desk)
{
  g_queue_push_tail (desk->requests, g_object_ref (request));
}

static void
on_cancelled (ClipSource *source, Desk *desk)
{
  desk->n_cancelled++;
}

gboolean
desk_own (Desk *desk, ClipSelection selection, const char *const *mimes, GError **error)
{
  g_clear_object (&desk->source);
  desk->source = clip_source_new (mimes);
  g_signal_connect (desk->source, "requested", G_CALLBACK (on_requested), desk);
  g_signal_connect (desk->source, "cancelled", G_CALLBACK (on_cancelled), desk);
  return clip_backend_own (desk->backend, selection, desk->source, error);
}

void
desk_own_text (Desk *desk)
{
  static const char *const mimes[] = { "text/plain;charset=utf-8", "text/plain", NULL };
  g_autoptr (GError) error = NULL;

  g_assert_true (desk_own (desk, CLIP_SELECTION_CLIPBOARD, mimes, &error));
  g_assert_no_error (error);
}

ClipRequest *
desk_next_request (Desk *desk)
{
  while (g_queue_is_empty (desk->requests))
    g_main_context_iteration (NULL, TRUE);
  return g_queue_pop_head (desk->requests);
}

void
desk_answer (ClipRequest *request, const char *text)
{
  clip_autofd int fd = clip_request_steal_fd (request);
  g_autoptr (GError) error = NULL;

  g_assert_true (clip_write_all (fd, text, strlen (text), &error));
  g_assert_no_error (error);
  clip_fd_clear (&fd);
  clip_request_finish (request, TRUE);
}

void
desk_assert_pasted (Desk *desk, const char *text)
{
  g_autofree char *path = g_build_filename (play_folder (desk->play), "pasted", NULL);
  g_autofree char *said = play_next_line (desk->play);
  g_autofree char *expected = g_strdup_printf ("pasted %s %zu", path, strlen (text));
  g_autofree char *content = NULL;

  g_assert_cmpstr (said, ==, expected);
  g_assert_true (g_file_get_contents (path, &content, NULL, NULL));
  g_assert_cmpstr (content, ==, text);
}

void
desk_start_paste (Desk *desk, const char *command, const char *mime)
{
  g_free (
      play_tell (desk->play, "%s %s %s/pasted", command, mime, play_folder (desk->play)));
}

void
desk_paste (Desk *desk, const char *command, const char *mime, const char *text)
{
  g_autoptr (ClipRequest) request = NULL;

  desk_start_paste (desk, command, mime);
  request = desk_next_request (desk);
  g_assert_cmpstr (clip_request_mime (request), ==, mime);
  desk_answer (request, text);
  desk_assert_pasted (desk, text);
}
