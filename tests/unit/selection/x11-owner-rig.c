/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "x11-owner-rig.h"

#include <string.h>

#include "clip-fd.h"

#define MIB ((gsize) 1 << 20)

typedef struct
{
  Owner *owner;
  ClipRequest *request;
  int fd;
  gsize most_memory;
  GThread *thread;
} Answer;

/* a content is a pattern that depends on its type */
static guint8
byte_at (const char *mime, gsize offset)
{
  return (guint8) (offset * 7 + (offset >> 13) + (guint8) mime[strlen (mime) - 1]);
}

/* SHA-256 in hexadecimal */
char *
owner_expected_hash (const char *mime, gsize size)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autofree guint8 *block = g_malloc (1 << 16);

  for (gsize done = 0; done < size;)
    {
      gsize n = MIN (size - done, 1 << 16);

      for (gsize i = 0; i < n; i++)
        block[i] = byte_at (mime, done + i);
      g_checksum_update (checksum, block, (gssize) n);
      done += n;
    }
  return g_strdup (g_checksum_get_string (checksum));
}

static gboolean
on_answered (gpointer user_data)
{
  g_autofree Answer *answer = user_data;

  g_thread_join (answer->thread);
  clip_request_finish (answer->request, !answer->owner->broken);
  g_object_unref (answer->request);
  answer->owner->n_answered++;
  answer->owner->most_memory = MAX (answer->owner->most_memory, answer->most_memory);
  return G_SOURCE_REMOVE;
}

/* in a thread of its own, as the daemon writes in one */
static gpointer
write_content (gpointer data)
{
  Answer *answer = data;
  const char *mime = clip_request_mime (answer->request);
  g_autofree guint8 *block = g_malloc (1 << 16);
  gboolean reader_is_there = TRUE;

  for (gsize done = 0; done < answer->owner->size && reader_is_there;)
    {
      gsize n = MIN (answer->owner->size - done, 1 << 16);

      for (gsize i = 0; i < n; i++)
        block[i] = byte_at (mime, done + i);
      reader_is_there = clip_write_all (answer->fd, block, n, NULL);
      done += n;
      if (done % MIB == 0)
        answer->most_memory = MAX (answer->most_memory, rig_memory ());
    }
  clip_fd_clear (&answer->fd);
  g_idle_add (on_answered, answer);
  return NULL;
}

static void
on_requested (ClipSource *source G_GNUC_UNUSED, ClipRequest *request, Owner *self)
{
  Answer *answer = NULL;

  self->n_requests++;
  if (self->mute)
    {
      g_ptr_array_add (self->kept, g_object_ref (request));
      return;
    }
  answer = g_new0 (Answer, 1);
  answer->owner = self;
  answer->request = g_object_ref (request);
  answer->fd = clip_request_steal_fd (request);
  answer->thread = g_thread_new ("answer", write_content, answer);
}

static void
on_cancelled (ClipSource *source G_GNUC_UNUSED, Owner *self)
{
  self->n_cancelled++;
}

/* claims the selection, once more where it is owned already */
void
owner_offer (Owner *self)
{
  static const char *const mimes[] = { "text/html", "UTF8_STRING", "TEXT", "image/png",
                                       NULL };
  g_autoptr (GError) error = NULL;

  self->source = clip_source_new (mimes);
  g_signal_connect (self->source, "requested", G_CALLBACK (on_requested), self);
  g_signal_connect (self->source, "cancelled", G_CALLBACK (on_cancelled), self);
  g_assert_true (clip_backend_own (self->ear->backend, CLIP_SELECTION_CLIPBOARD,
                                   self->source, &error));
  g_assert_no_error (error);
}

Owner *
owner_new_for (Ear *ear_take, gsize size)
{
  Owner *self = g_new0 (Owner, 1);

  self->ear = ear_take;
  self->kept = g_ptr_array_new_with_free_func (g_object_unref);
  self->size = size;
  owner_offer (self);
  until (self->ear->offer && clip_offer_is_own (self->ear->offer));
  return self;
}

Owner *
owner_new (XServer *server, gsize size)
{
  return owner_new_for (ear_new (server, FALSE), size);
}

void
owner_free (Owner *self)
{
  g_signal_handlers_disconnect_by_data (self->source, self);
  g_ptr_array_unref (self->kept);
  until (self->n_answered == self->n_requests || self->mute);
  ear_free (self->ear);
  g_assert_finalize_object (self->source);
  g_free (self);
}

/* what a real program gets: it runs while the main context does */
void
owner_assert_pastes (XServer *server, const char *command, const char *mime, gsize size)
{
  g_autofree char *pipeline = g_strdup_printf ("%s | sha256sum", command);
  g_autofree char *hash = xserver_read (server, pipeline);
  g_autofree char *expected = owner_expected_hash (mime, size);

  g_assert_true (g_str_has_prefix (hash, expected));
}

void
owner_assert_bytes (GBytes *bytes, const char *mime, gsize size)
{
  const guint8 *data = NULL;

  g_assert_nonnull (bytes);
  data = g_bytes_get_data (bytes, NULL);
  g_assert_cmpuint (g_bytes_get_size (bytes), ==, size);
  for (gsize i = 0; i < size; i++)
    g_assert_cmpuint (data[i], ==, byte_at (mime, i));
}

/* until what was said to the owner before is done */
static void
ask_something_else (X11Peer *peer)
{
  guint n = x11_peer_answers (peer);

  x11_peer_ask (peer, "TARGETS", "ELSE", XCB_CURRENT_TIME);
  until (x11_peer_answers (peer) > n);
}

/* takes chunk after chunk; NULL where the end never came: of what breaks off, some may be
   on its way and never come either */
GBytes *
owner_read_incr (Owner *owner, X11Peer *peer, const char *property, guint n_seen)
{
  g_autoptr (GByteArray) all = g_byte_array_new ();
  g_autofree char *type = NULL;
  g_autoptr (GBytes) announced G_GNUC_UNUSED = x11_peer_read (peer, property, &type);

  g_assert_cmpstr (type, ==, "INCR");
  for (;;)
    {
      g_autoptr (GBytes) chunk = NULL;

      until (x11_peer_changes (peer, property) > n_seen ||
             (owner->broken && owner->n_answered > 0));
      if (x11_peer_changes (peer, property) == n_seen)
        ask_something_else (peer);
      if (x11_peer_changes (peer, property) == n_seen)
        return NULL; /* never ended */
      n_seen++;
      chunk = x11_peer_read (peer, property, NULL);
      if (g_bytes_get_size (chunk) == 0)
        return g_byte_array_free_to_bytes (g_steal_pointer (&all));
      g_byte_array_append (all, g_bytes_get_data (chunk, NULL),
                           (guint) g_bytes_get_size (chunk));
    }
}
