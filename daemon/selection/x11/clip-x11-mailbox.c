/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Two mailboxes join the main context and the X11 thread, one in each direction. No
 * object is shared by the two sides: each holds its own state, and names what the other
 * side knows by numbers. So neither needs a lock, the order of messages is the order of
 * events, and the side that stops first closes its mailbox: what is posted afterwards is
 * freed.
 *
 * The lock is a pthread mutex, not a GMutex, because thread sanitizers see through it. */
#include "clip-x11-mailbox.h"

#include <pthread.h>

#include "clip-fd.h"

typedef struct
{
  GSource base;
  ClipX11Mailbox *mailbox;
} MailSource;

struct ClipX11Mailbox
{
  int n_refs;
  ClipX11MailFunc handler;
  gpointer user_data;
  pthread_mutex_t lock; /* guards what follows */
  gboolean open;
  GQueue messages;
  GSource *source; /* ready while there are messages */
};

ClipX11Message *
clip_x11_message_new (ClipX11Kind kind, guint64 id)
{
  ClipX11Message *self = g_new0 (ClipX11Message, 1);

  self->kind = kind;
  self->id = id;
  self->fd = -1;
  return self;
}

/* closes and frees what its handler did not steal */
void
clip_x11_message_free (ClipX11Message *self)
{
  clip_fd_clear (&self->fd);
  g_free (self->name);
  g_strfreev (self->names);
  g_free (self->app);
  g_clear_error (&self->error);
  g_free (self);
}

static ClipX11Message *
pop_message (ClipX11Mailbox *self)
{
  ClipX11Message *message;

  pthread_mutex_lock (&self->lock);
  message = g_queue_pop_head (&self->messages);
  if (self->open && g_queue_is_empty (&self->messages))
    g_source_set_ready_time (self->source, -1);
  pthread_mutex_unlock (&self->lock);
  return message;
}

static gboolean
on_ready (GSource *source,
          GSourceFunc callback G_GNUC_UNUSED,
          gpointer user_data G_GNUC_UNUSED)
{
  g_autoptr (ClipX11Mailbox) self =
      clip_x11_mailbox_ref (((MailSource *) source)->mailbox);
  g_autoptr (ClipX11Message) message = pop_message (self);

  if (message)
    self->handler (message, self->user_data);
  return G_SOURCE_CONTINUE;
}

static GSourceFuncs mail_funcs = { .dispatch = on_ready };

/**
 * clip_x11_mailbox_new:
 * @handler: called with each message, which is freed afterwards
 *
 * Messages stay in it until clip_x11_mailbox_deliver().
 */
ClipX11Mailbox *
clip_x11_mailbox_new (ClipX11MailFunc handler, gpointer user_data)
{
  ClipX11Mailbox *self = g_new0 (ClipX11Mailbox, 1);

  self->n_refs = 1;
  self->handler = handler;
  self->user_data = user_data;
  self->open = TRUE;
  pthread_mutex_init (&self->lock, NULL);
  g_queue_init (&self->messages);
  self->source = g_source_new (&mail_funcs, sizeof (MailSource));
  ((MailSource *) self->source)->mailbox = self;
  return self;
}

/* @context: where the handler is to run, from now on */
void
clip_x11_mailbox_deliver (ClipX11Mailbox *self, GMainContext *context)
{
  pthread_mutex_lock (&self->lock);
  g_source_attach (self->source, context);
  pthread_mutex_unlock (&self->lock);
}

ClipX11Mailbox *
clip_x11_mailbox_ref (ClipX11Mailbox *self)
{
  g_atomic_int_inc (&self->n_refs);
  return self;
}

void
clip_x11_mailbox_unref (ClipX11Mailbox *self)
{
  if (!g_atomic_int_dec_and_test (&self->n_refs))
    return;
  clip_x11_mailbox_close (self);
  pthread_mutex_destroy (&self->lock);
  g_free (self);
}

/* from any thread; a closed mailbox frees the message */
void
clip_x11_mailbox_post (ClipX11Mailbox *self, ClipX11Message *message_take)
{
  gboolean open;

  pthread_mutex_lock (&self->lock);
  open = self->open;
  if (open)
    {
      g_queue_push_tail (&self->messages, message_take);
      g_source_set_ready_time (self->source, 0);
    }
  pthread_mutex_unlock (&self->lock);
  if (!open)
    clip_x11_message_free (message_take);
}

/**
 * clip_x11_mailbox_close:
 *
 * Ends the delivery: called where the handler runs, the handler is not called again. What
 * is queued and what is posted from now on is freed.
 */
void
clip_x11_mailbox_close (ClipX11Mailbox *self)
{
  GQueue unread = G_QUEUE_INIT;
  g_autoptr (GSource) source = NULL;

  pthread_mutex_lock (&self->lock);
  self->open = FALSE;
  unread = self->messages;
  g_queue_init (&self->messages);
  source = g_steal_pointer (&self->source);
  pthread_mutex_unlock (&self->lock);
  if (source)
    g_source_destroy (source);
  g_queue_clear_full (&unread, (GDestroyNotify) clip_x11_message_free);
}
