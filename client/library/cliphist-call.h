/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How the library calls the daemon. Not installed. */
#pragma once
#include "cliphist-error.h"

#include <gio/gunixfdlist.h>
G_BEGIN_DECLS

#define CLIPHIST_BUS_NAME "org.cliphist.History1"
#define CLIPHIST_BUS_PATH "/org/cliphist/History1"

/* of a call that the daemon answers at once, and of one that lasts as long as it needs */
#define CLIPHIST_CALL_SOON (-1)
#define CLIPHIST_CALL_LASTS G_MAXINT

/* @connection: (nullable): %NULL is the session bus. @arguments: floating. @fds:
   (nullable) */
void cliphist_call_async (GDBusConnection *connection,
                          const char *method,
                          GVariant *arguments,
                          GUnixFDList *fds,
                          int timeout_ms,
                          GCancellable *cancellable,
                          GAsyncReadyCallback callback,
                          gpointer user_data);
GVariant *cliphist_call_finish (GAsyncResult *result,
                                GUnixFDList **out_fds,
                                GError **error);

GDBusConnection *cliphist_call_connection (GAsyncResult *result);

void cliphist_call_return (GObject *source, GAsyncResult *result, gpointer task_take);
GVariant *cliphist_call_no_options (void);

GError *cliphist_error_from_call (GError *error_take);

G_END_DECLS
