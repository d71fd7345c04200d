/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-backend.h"
G_BEGIN_DECLS

/* What crosses between the main context and the X11 thread: nothing else does. */
typedef enum
{
  /* to the thread */
  CLIP_X11_RECEIVE,  /* id, offer, selection, name: the type */
  CLIP_X11_CANCEL,   /* id of a receive */
  CLIP_X11_OWN,      /* id of a source, selection, names: the types */
  CLIP_X11_DISOWN,   /* selection */
  CLIP_X11_ANSWERED, /* id of a request, flag: whole */
  CLIP_X11_SYNC,     /* id of the question */
  CLIP_X11_SAVED,    /* id of a save, flag: all of it is kept */
  CLIP_X11_QUIT,

  /* from the thread */
  CLIP_X11_OFFERED,   /* id of the offer, selection, names, app, flag: initial, bridged */
  CLIP_X11_REPLACED,  /* selection: the last offer is void, the next not known yet; flag:
                         a program does not tell what it has */
  CLIP_X11_STALLED,   /* selection: and does not tell it at all */
  CLIP_X11_CLEARED,   /* selection, flag: on purpose */
  CLIP_X11_ANNOUNCED, /* id of a receive, at_least_bytes */
  CLIP_X11_OPENED,    /* id of a receive, fd: what it can be read from */
  CLIP_X11_RECEIVED,  /* id, error: none = whole, fd: the content, unless opened */
  CLIP_X11_REQUESTED, /* id, source, name: the type, fd: the sink */
  CLIP_X11_LOST,      /* id of a source */
  CLIP_X11_SYNCED,    /* id of the question, flag: a copy went untold a moment ago */
  CLIP_X11_SAVE,      /* id: a program ends, and waits for the answer */
  CLIP_X11_DISCONNECTED, /* name: why */
} ClipX11Kind;

typedef struct
{
  ClipX11Kind kind;
  ClipSelection selection;
  guint64 id;
  guint64 offer;
  guint64 source;
  guint32 at_least_bytes;
  gboolean flag;
  gboolean bridged;
  int fd;
  char *name;
  char **names;
  char *app;
  GError *error;
} ClipX11Message;

ClipX11Message *clip_x11_message_new (ClipX11Kind kind, guint64 id);
void clip_x11_message_free (ClipX11Message *self);

/* A queue whose messages are handled, one by one and in order, on one GMainContext. */
typedef struct ClipX11Mailbox ClipX11Mailbox;

typedef void (*ClipX11MailFunc) (ClipX11Message *message, gpointer user_data);

ClipX11Mailbox *clip_x11_mailbox_new (ClipX11MailFunc handler, gpointer user_data);
void clip_x11_mailbox_deliver (ClipX11Mailbox *self, GMainContext *context);
ClipX11Mailbox *clip_x11_mailbox_ref (ClipX11Mailbox *self);
void clip_x11_mailbox_unref (ClipX11Mailbox *self);
void clip_x11_mailbox_post (ClipX11Mailbox *self, ClipX11Message *message_take);
void clip_x11_mailbox_close (ClipX11Mailbox *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipX11Message, clip_x11_message_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipX11Mailbox, clip_x11_mailbox_unref)

G_END_DECLS
