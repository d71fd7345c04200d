/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "cliphist-history.h"
G_BEGIN_DECLS

void cliphist_history_lookup_async (CliphistHistory *self,
                                    guint64 id,
                                    GCancellable *cancellable,
                                    GAsyncReadyCallback callback,
                                    gpointer user_data);
CliphistEntry *cliphist_history_lookup_finish (CliphistHistory *self,
                                               GAsyncResult *result,
                                               GError **error);

void cliphist_history_open_async (CliphistHistory *self,
                                  guint64 id,
                                  const char *mime_type,
                                  GCancellable *cancellable,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data);
GInputStream *cliphist_history_open_finish (CliphistHistory *self,
                                            GAsyncResult *result,
                                            guint64 *out_size,
                                            GError **error);

void cliphist_history_load_bytes_async (CliphistHistory *self,
                                        guint64 id,
                                        const char *mime_type,
                                        gsize limit,
                                        GCancellable *cancellable,
                                        GAsyncReadyCallback callback,
                                        gpointer user_data);
GBytes *cliphist_history_load_bytes_finish (CliphistHistory *self,
                                            GAsyncResult *result,
                                            guint64 *out_size,
                                            GError **error);

void cliphist_history_send_async (CliphistHistory *self,
                                  guint64 id,
                                  const char *mime_type,
                                  int fd,
                                  GCancellable *cancellable,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data);
guint64 cliphist_history_send_finish (CliphistHistory *self,
                                      GAsyncResult *result,
                                      GError **error);

void cliphist_history_join_async (CliphistHistory *self,
                                  const guint64 *ids,
                                  gsize n_ids,
                                  const char *mime_type,
                                  const char *separator,
                                  int fd,
                                  GCancellable *cancellable,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data);
guint64 cliphist_history_join_finish (CliphistHistory *self,
                                      GAsyncResult *result,
                                      GError **error);

void cliphist_history_thumbnail_async (CliphistHistory *self,
                                       guint64 id,
                                       guint size,
                                       GCancellable *cancellable,
                                       GAsyncReadyCallback callback,
                                       gpointer user_data);
GBytes *cliphist_history_thumbnail_finish (CliphistHistory *self,
                                           GAsyncResult *result,
                                           GError **error);

G_END_DECLS
