/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <gio/gio.h>
G_BEGIN_DECLS

/* org.freedesktop.Notifications on a private bus, as the tests want it: with or without
 * actions and markup, or one that never answers. It keeps what it was told. */
typedef struct
{
  guint32 id;
  guint32 replaces;
  char *icon;
  char *summary;
  char *body;
  char **actions;
  GVariant *hints;
  int timeout_ms; /* -1: what the server does by itself */
} ServerNote;

typedef struct
{
  GDBusConnection *connection;
  guint name_id;
  guint object_id;
  const char *const *capabilities;
  gboolean is_stuck;     /* from now on nothing is answered */
  GPtrArray *notes;      /* of ServerNote, in the order of the calls */
  GArray *closed;        /* the ids of CloseNotification */
  GPtrArray *unanswered; /* of GDBusMethodInvocation */
} NotifyServer;

extern const char *const notify_server_all[];
extern const char *const notify_server_least[];

NotifyServer *notify_server_new (const char *address, const char *const *capabilities);
void notify_server_free (NotifyServer *self);
const ServerNote *notify_server_last (NotifyServer *self);
char *notify_server_hint (NotifyServer *self, const char *key);
void notify_server_click (NotifyServer *self);
void notify_server_dismiss (NotifyServer *self);
void notify_server_recover (NotifyServer *self);

G_END_DECLS
