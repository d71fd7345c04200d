/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-backend-fake.h"

#include "clip-backend-private.h"
#include "clip-error.h"
#include "clip-fd.h"
#include "clip-source.h"

#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>

#define CLIP_TYPE_BACKEND_FAKE (clip_backend_fake_get_type ())
G_DECLARE_FINAL_TYPE (ClipBackendFake, clip_backend_fake, CLIP, BACKEND_FAKE, ClipBackend)

struct _ClipBackendFake
{
  ClipBackend parent_instance;
  ClipOffer *offer;
  GHashTable *contents; /* MIME type -> GBytes of the current offer */
  GHashTable *asked;    /* MIME type -> how often, since the last copy */
  ClipSource *owned;
  char *app;
  char *late_app; /* of what has been copied already: known when we are asked */
  gboolean stall;
  GArray *stalled_fds;
  gboolean is_closed; /* nothing is opened until it is given up */
  char *silent;       /* (nullable): the type that no owner answers for */
  gboolean is_busy;
  GPtrArray *syncing; /* of GTask, while it is */
  char *next_mime; /* of what has been copied already, and is told of when we are asked */
  char *next_text;
};

G_DEFINE_TYPE (ClipBackendFake, clip_backend_fake, CLIP_TYPE_BACKEND)

typedef struct
{
  ClipBackendFake parent_instance;
} ClipBackendMirror;

typedef ClipBackendFakeClass ClipBackendMirrorClass;

static GType clip_backend_mirror_get_type (void);
G_DEFINE_FINAL_TYPE (ClipBackendMirror,
                     clip_backend_mirror,
                     clip_backend_fake_get_type ())

static void
on_given_up (GCancellable *cancellable G_GNUC_UNUSED, gpointer task)
{
  g_task_return_error_if_cancelled (task);
}

static void
fake_receive (ClipBackend *backend,
              ClipOffer *offer,
              const char *mime,
              ClipBackendOpened opened,
              gpointer user_data,
              GTask *task_take)
{
  ClipBackendFake *self = CLIP_BACKEND_FAKE (backend);
  g_autoptr (GTask) task = task_take;
  clip_autofd int sink_fd =
      self->is_closed ? -1 : clip_backend_open_pipe (opened, user_data, task);
  GBytes *content = g_hash_table_lookup (self->contents, mime);
  g_autoptr (GError) error = NULL;
  gsize length = 0;
  const void *data = content ? g_bytes_get_data (content, &length) : NULL;

  if (self->is_closed)
    {
      g_cancellable_connect (g_task_get_cancellable (task), G_CALLBACK (on_given_up),
                             g_object_ref (task), g_object_unref);
      return;
    }
  if (clip_offer_is_replaced (offer))
    {
      g_task_return_new_error (task, CLIP_ERROR, CLIP_ERROR_NO_BACKEND,
                               "receive '%s': the offer has gone", mime);
      return;
    }
  if (length > 65536)
    g_assert_cmpint (fcntl (sink_fd, F_SETPIPE_SZ, (int) length), >=, (int) length);
  g_hash_table_insert (self->asked, g_strdup (mime),
                       GUINT_TO_POINTER (clip_backend_fake_asked (self, mime) + 1));
  if (self->stall)
    {
      int kept = g_steal_fd (&sink_fd);

      g_array_append_val (self->stalled_fds, kept);
      g_task_return_int (task, CLIP_VERDICT_EOF);
    }
  else if (g_strcmp0 (self->silent, mime) == 0)
    g_task_return_new_error (task, CLIP_ERROR, CLIP_ERROR_STALLED,
                             "receive '%s': the owner does not answer", mime);
  else if (!content)
    g_task_return_new_error (task, CLIP_ERROR, CLIP_ERROR_NO_SUCH_FORMAT,
                             "receive '%s': not offered", mime);
  else if (!clip_write_all (sink_fd, data, length, &error))
    g_task_return_error (task, g_steal_pointer (&error));
  else
    g_task_return_int (task, self->next_mime ? CLIP_VERDICT_EOF : CLIP_VERDICT_WHOLE);
}

static void
fake_sync (ClipBackend *backend, GTask *task)
{
  ClipBackendFake *self = CLIP_BACKEND_FAKE (backend);
  g_autoptr (GTask) owned_task = task;
  g_autofree char *mime = g_steal_pointer (&self->next_mime);
  g_autofree char *text = g_steal_pointer (&self->next_text);

  if (self->late_app)
    clip_offer_set_app (self->offer, self->late_app);
  if (mime)
    clip_backend_fake_copy (self, mime, text, NULL);
  if (self->is_busy)
    g_ptr_array_add (self->syncing, g_steal_pointer (&owned_task));
  else
    g_task_return_boolean (task, TRUE);
}

static void
forget_offer (ClipBackendFake *self)
{
  if (self->offer)
    clip_offer_set_replaced (self->offer);
  g_clear_object (&self->offer);
  g_hash_table_remove_all (self->contents);
  g_hash_table_remove_all (self->asked);
}

static gboolean
fake_own (ClipBackend *backend,
          ClipSelection selection,
          ClipSource *source,
          GError **error)
{
  ClipBackendFake *self = CLIP_BACKEND_FAKE (backend);
  g_autoptr (ClipSource) previous = g_steal_pointer (&self->owned);

  forget_offer (self);
  self->owned = g_object_ref (source);
  if (previous)
    clip_source_cancel (previous);
  self->offer = clip_offer_new (selection, FALSE);
  for (const char *const *mime = clip_source_mimes (source); *mime; mime++)
    clip_offer_add_mime (self->offer, *mime);
  clip_offer_add_mime (self->offer, clip_source_token ());
  clip_backend_emit_offered (backend, self->offer);
  return TRUE;
}

static void
fake_disown (ClipBackend *backend, ClipSelection selection)
{
  ClipBackendFake *self = CLIP_BACKEND_FAKE (backend);

  if (self->owned)
    clip_backend_fake_clear (self);
}

static void
clip_backend_fake_finalize (GObject *object)
{
  ClipBackendFake *self = CLIP_BACKEND_FAKE (object);

  forget_offer (self);
  g_clear_object (&self->owned);
  clip_backend_fake_stall (self, FALSE);
  g_array_unref (self->stalled_fds);
  g_ptr_array_unref (self->syncing);
  g_free (self->app);
  g_free (self->late_app);
  g_free (self->silent);
  g_free (self->next_mime);
  g_free (self->next_text);
  g_hash_table_unref (self->contents);
  g_hash_table_unref (self->asked);
  G_OBJECT_CLASS (clip_backend_fake_parent_class)->finalize (object);
}

static void
clip_backend_fake_class_init (ClipBackendFakeClass *klass)
{
  ClipBackendClass *backend_class = CLIP_BACKEND_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = clip_backend_fake_finalize;
  backend_class->name = "fake";
  backend_class->spends_pastes = TRUE;
  backend_class->most_copies = 32;
  backend_class->receive = fake_receive;
  backend_class->sync = fake_sync;
  backend_class->own = fake_own;
  backend_class->disown = fake_disown;
}

static void
clip_backend_fake_init (ClipBackendFake *self)
{
  self->contents = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                          (GDestroyNotify) g_bytes_unref);
  self->asked = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->stalled_fds = g_array_new (FALSE, FALSE, sizeof (int));
  self->syncing = g_ptr_array_new_with_free_func (g_object_unref);
}

ClipBackendFake *
clip_backend_fake_new (void)
{
  return g_object_new (CLIP_TYPE_BACKEND_FAKE, NULL);
}

static void
clip_backend_mirror_class_init (ClipBackendMirrorClass *klass)
{
  CLIP_BACKEND_CLASS (klass)->mirrors = TRUE;
}

static void
clip_backend_mirror_init (ClipBackendMirror *self)
{
}

/* a display to which what is copied on another one is carried over */
ClipBackendFake *
clip_backend_fake_new_mirror (void)
{
  return g_object_new (clip_backend_mirror_get_type (), NULL);
}

static ClipOffer *
announce (ClipBackendFake *self,
          ClipSelection selection,
          gboolean initial,
          const char *mime,
          va_list args)
{
  forget_offer (self);
  self->offer = clip_offer_new (selection, initial);
  clip_offer_set_app (self->offer, self->app);
  for (; mime; mime = va_arg (args, const char *))
    {
      const char *text = va_arg (args, const char *);

      clip_offer_add_mime (self->offer, mime);
      if (text)
        g_hash_table_insert (self->contents, g_strdup (mime),
                             g_bytes_new (text, strlen (text)));
    }
  clip_backend_emit_offered (CLIP_BACKEND (self), self->offer);
  return self->offer;
}

/**
 * clip_backend_fake_copy:
 * @first_mime: a type, then its content as a string (%NULL: offered, but answered with a
 * refusal), and so on
 *
 * Plays a program that copies. Contents are answered from memory and fit into a pipe.
 *
 * Returns: (transfer none): the offer that was announced
 */
ClipOffer *
clip_backend_fake_copy (ClipBackendFake *self, const char *first_mime, ...)
{
  g_autoptr (ClipSource) lost = g_steal_pointer (&self->owned);
  ClipOffer *offer;
  va_list args;

  if (lost)
    clip_source_cancel (lost);
  va_start (args, first_mime);
  offer = announce (self, CLIP_SELECTION_CLIPBOARD, FALSE, first_mime, args);
  va_end (args);
  return offer;
}

/* what was copied before anybody watched, and is still there */
void
clip_backend_fake_hold (ClipBackendFake *self, const char *first_mime, ...)
{
  va_list args;

  va_start (args, first_mime);
  announce (self, CLIP_SELECTION_CLIPBOARD, TRUE, first_mime, args);
  va_end (args);
}

/* plays a program in which something is selected; what was copied cannot be read any
   longer */
void
clip_backend_fake_select (ClipBackendFake *self, const char *first_mime, ...)
{
  va_list args;

  va_start (args, first_mime);
  announce (self, CLIP_SELECTION_PRIMARY, FALSE, first_mime, args);
  va_end (args);
}

/* the program that copies from now on */
void
clip_backend_fake_set_app (ClipBackendFake *self, const char *app)
{
  g_free (self->app);
  self->app = g_strdup (app);
}

/* which program it is becomes known only behind all that was told before */
void
clip_backend_fake_set_app_late (ClipBackendFake *self, const char *app)
{
  g_free (self->late_app);
  self->late_app = g_strdup (app);
}

/* how often somebody wanted a type of the present offer */
guint
clip_backend_fake_asked (ClipBackendFake *self, const char *mime)
{
  return GPOINTER_TO_UINT (g_hash_table_lookup (self->asked, mime));
}

/* plays a desktop that goes on offering a part of what an owner had that has gone */
ClipOffer *
clip_backend_fake_keep (ClipBackendFake *self, const char *mime, const char *text)
{
  g_autoptr (ClipSource) lost = g_steal_pointer (&self->owned);

  forget_offer (self);
  if (lost)
    clip_source_cancel (lost);
  self->offer = clip_offer_new (CLIP_SELECTION_CLIPBOARD, TRUE);
  clip_offer_set_remnant (self->offer);
  clip_offer_add_mime (self->offer, mime);
  g_hash_table_insert (self->contents, g_strdup (mime),
                       g_bytes_new (text, strlen (text)));
  clip_backend_emit_offered (CLIP_BACKEND (self), self->offer);
  return self->offer;
}

/* plays an owner that goes away */
void
clip_backend_fake_clear (ClipBackendFake *self)
{
  g_autoptr (ClipSource) lost = g_steal_pointer (&self->owned);

  forget_offer (self);
  if (lost)
    clip_source_cancel (lost);
  clip_backend_emit_cleared (CLIP_BACKEND (self), CLIP_SELECTION_CLIPBOARD);
}

/* (transfer none) (nullable): what history offers at the moment */
ClipSource *
clip_backend_fake_owned (ClipBackendFake *self)
{
  return self->owned;
}

static void
on_request_done (gboolean whole, gpointer user_data)
{
  *(int *) user_data = whole ? 1 : 0;
}

/**
 * clip_backend_fake_paste:
 *
 * Plays a program that pastes what history owns: iterates the main context until the
 * request is answered. The content must fit into a pipe.
 *
 * Errors: %CLIP_ERROR_NO_SUCH_FORMAT when nothing is owned, %CLIP_ERROR_FAILED when it
 * was not whole.
 */
GBytes *
clip_backend_fake_paste (ClipBackendFake *self, const char *mime, GError **error)
{
  g_autoptr (ClipRequest) request = NULL;
  int fds[2];
  int whole = -1;
  clip_autofd int read_fd = -1;

  if (!self->owned || !clip_pipe (fds, error))
    {
      if (error && !*error)
        g_set_error (error, CLIP_ERROR, CLIP_ERROR_NO_SUCH_FORMAT,
                     "paste '%s': nothing is owned", mime);
      return NULL;
    }
  read_fd = fds[0];
  request = clip_request_new (mime, fds[1], on_request_done, &whole);
  clip_source_request (self->owned, request);
  while (whole < 0)
    g_main_context_iteration (NULL, TRUE);
  if (whole == 1)
    return clip_read_to_end (read_fd, 1 << 20, error);
  g_set_error (error, CLIP_ERROR, CLIP_ERROR_FAILED, "paste '%s': not whole", mime);
  return NULL;
}

/* plays an owner that is about to end; @out_kept: -1 until it is answered */
void
clip_backend_fake_save (ClipBackendFake *self, int *out_kept)
{
  g_autoptr (ClipRequest) request = clip_request_new ("", -1, on_request_done, out_kept);

  *out_kept = -1;
  clip_backend_emit_save (CLIP_BACKEND (self), request);
}

/* answers a part of what was asked for while it stalls */
void
clip_backend_fake_trickle (ClipBackendFake *self, const char *text)
{
  g_assert_cmpuint (self->stalled_fds->len, >, 0);
  for (guint i = 0; i < self->stalled_fds->len; i++)
    clip_write_all (g_array_index (self->stalled_fds, int, i), text, strlen (text), NULL);
}

/* whether all of that has been read */
gboolean
clip_backend_fake_was_heard (ClipBackendFake *self)
{
  int bytes = 0, left = 0;

  for (guint i = 0; i < self->stalled_fds->len; i++)
    {
      g_assert_cmpint (
          ioctl (g_array_index (self->stalled_fds, int, i), FIONREAD, &bytes), ==, 0);
      left += bytes;
    }
  return left == 0;
}

/* how many of those that stall are read no more, from the oldest on */
guint
clip_backend_fake_given_up (ClipBackendFake *self)
{
  guint n = 0;

  for (; n < self->stalled_fds->len; n++)
    {
      struct pollfd pipe = { .fd = g_array_index (self->stalled_fds, int, n) };

      if (poll (&pipe, 1, 0) == 0)
        break;
    }
  return n;
}

/* answers what was asked for last, while it stalls */
void
clip_backend_fake_answer_newest (ClipBackendFake *self, const char *text)
{
  const guint last = self->stalled_fds->len - 1;
  clip_autofd int fd = g_array_index (self->stalled_fds, int, last);

  g_array_set_size (self->stalled_fds, last);
  clip_write_all (fd, text, strlen (text), NULL);
}

/* plays a copy that ends what was on its way: that is at its end before anybody has heard
   of it */
void
clip_backend_fake_cut_off (ClipBackendFake *self, const char *mime, const char *text)
{
  self->next_mime = g_strdup (mime);
  self->next_text = g_strdup (text);
}

/* while @stall, requests are taken and never answered; ending it closes them all */
void
clip_backend_fake_stall (ClipBackendFake *self, gboolean stall)
{
  self->stall = stall;
  for (guint i = 0; !stall && i < self->stalled_fds->len; i++)
    close (g_array_index (self->stalled_fds, int, i));
  if (!stall)
    g_array_set_size (self->stalled_fds, 0);
}

/* what is asked for from now on is not opened, as on X11 before its owner answers */
void
clip_backend_fake_keep_closed (ClipBackendFake *self)
{
  self->is_closed = TRUE;
}

/* @mime: not answered from now on, which the display waits for, as that of X11 does */
void
clip_backend_fake_set_silent (ClipBackendFake *self, const char *mime)
{
  g_free (self->silent);
  self->silent = g_strdup (mime);
}

/* while @busy, it does not come to answer what it has heard */
void
clip_backend_fake_set_busy (ClipBackendFake *self, gboolean busy)
{
  self->is_busy = busy;
  for (guint i = 0; !busy && i < self->syncing->len; i++)
    g_task_return_boolean (self->syncing->pdata[i], TRUE);
  if (!busy)
    g_ptr_array_set_size (self->syncing, 0);
}

/* how many wait until it is not busy any more */
guint
clip_backend_fake_syncing (ClipBackendFake *self)
{
  return self->syncing->len;
}
