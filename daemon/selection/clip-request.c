/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-request.h"

#include "clip-fd.h"

#include <sys/socket.h>

struct _ClipRequest
{
  GObject parent_instance;
  char *mime;
  int sink_fd;
  ClipRequestDone done;
  gpointer done_data;
};

G_DEFINE_FINAL_TYPE (ClipRequest, clip_request, G_TYPE_OBJECT)

static void
clip_request_finalize (GObject *object)
{
  ClipRequest *self = CLIP_REQUEST (object);

  clip_request_finish (self, FALSE);
  g_free (self->mime);
  G_OBJECT_CLASS (clip_request_parent_class)->finalize (object);
}

static void
clip_request_class_init (ClipRequestClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = clip_request_finalize;
}

static void
clip_request_init (ClipRequest *self)
{
  self->sink_fd = -1;
}

/**
 * clip_request_new:
 * @sink_fd_take: where the content is to be written
 * @done: (nullable): called once, at clip_request_finish() or when the last reference
 * goes
 */
ClipRequest *
clip_request_new (const char *mime,
                  int sink_fd_take,
                  ClipRequestDone done,
                  gpointer user_data)
{
  ClipRequest *self = g_object_new (CLIP_TYPE_REQUEST, NULL);

  self->mime = g_strdup (mime);
  self->sink_fd = sink_fd_take;
  self->done = done;
  self->done_data = user_data;
  return self;
}

const char *
clip_request_mime (ClipRequest *self)
{
  return self->mime;
}

static gboolean
is_over_network (int fd)
{
  int family = AF_UNIX;
  socklen_t size = sizeof family;

  return getsockopt (fd, SOL_SOCKET, SO_DOMAIN, &family, &size) == 0 && family != AF_UNIX;
}

/**
 * clip_request_may_be_served:
 *
 * A socket over a network has a lock that is taken before any flag is looked at
 * (lock_sock() of the kernel), as has a terminal: who shares it holds up the one that
 * writes into it for as long as it likes. No program pastes into one.
 *
 * Returns: %FALSE where the descriptor is such a one, or nothing to write into
 */
gboolean
clip_request_may_be_served (ClipRequest *self)
{
  ClipFdLook look;

  return clip_fd_look (self->sink_fd, &look) && clip_fd_is_known (&look) &&
         !is_over_network (self->sink_fd);
}

/* the caller owns the descriptor from now on, and closes it before clip_request_finish()
 */
int
clip_request_steal_fd (ClipRequest *self)
{
  return g_steal_fd (&self->sink_fd);
}

/**
 * clip_request_finish:
 * @whole: whether every byte was written; displays that can tell the requestor, do
 *
 * Ends the request and closes what was not taken. A second call does nothing.
 */
void
clip_request_finish (ClipRequest *self, gboolean whole)
{
  ClipRequestDone done = g_steal_pointer (&self->done);

  clip_fd_clear_foreign (&self->sink_fd);
  if (done)
    done (whole, self->done_data);
}
