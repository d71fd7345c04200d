/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "cliphist-stream.h"

#include "cliphist-error.h"

struct _CliphistStream
{
  GUnixInputStream parent_instance;
  guint64 left; /* bytes that are to come */
  /* a caller that leaves the bus gets no more of them */
  GDBusConnection *connection;
};

G_DEFINE_FINAL_TYPE (CliphistStream, cliphist_stream, G_TYPE_UNIX_INPUT_STREAM)

static gssize
cliphist_stream_read (GInputStream *stream,
                      void *buffer,
                      gsize count,
                      GCancellable *cancellable,
                      GError **error)
{
  CliphistStream *self = CLIPHIST_STREAM (stream);
  gssize n = G_INPUT_STREAM_CLASS (cliphist_stream_parent_class)
                 ->read_fn (stream, buffer, count, cancellable, error);

  if (n == 0 && count > 0 && self->left > 0)
    {
      g_set_error (error, CLIPHIST_ERROR, CLIPHIST_ERROR_CORRUPT,
                   "the content ended %" G_GUINT64_FORMAT " bytes before its end",
                   self->left);
      return -1;
    }
  if (n > 0)
    self->left -= MIN (self->left, (guint64) n);
  return n;
}

static void
cliphist_stream_finalize (GObject *object)
{
  CliphistStream *self = CLIPHIST_STREAM (object);

  g_object_unref (self->connection);
  G_OBJECT_CLASS (cliphist_stream_parent_class)->finalize (object);
}

static void
cliphist_stream_class_init (CliphistStreamClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = cliphist_stream_finalize;
  G_INPUT_STREAM_CLASS (klass)->read_fn = cliphist_stream_read;
}

static void
cliphist_stream_init (CliphistStream *self G_GNUC_UNUSED)
{
}

GInputStream *
cliphist_stream_new (int fd_take, guint64 size, GDBusConnection *connection)
{
  CliphistStream *self =
      g_object_new (CLIPHIST_TYPE_STREAM, "fd", fd_take, "close-fd", TRUE, NULL);

  self->left = size;
  self->connection = g_object_ref (connection);
  return G_INPUT_STREAM (self);
}
