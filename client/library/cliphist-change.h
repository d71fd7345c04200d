/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "cliphist-history.h"
G_BEGIN_DECLS

void cliphist_history_store_async (CliphistHistory *self,
                                   const char *const *mime_types,
                                   const int *fds,
                                   gsize n_fds,
                                   gboolean select,
                                   GCancellable *cancellable,
                                   GAsyncReadyCallback callback,
                                   gpointer user_data);
guint64 cliphist_history_store_finish (CliphistHistory *self,
                                       GAsyncResult *result,
                                       char **out_dropped,
                                       GError **error);

void cliphist_history_store_bytes_async (CliphistHistory *self,
                                         const char *mime_type,
                                         GBytes *bytes,
                                         gboolean select,
                                         GCancellable *cancellable,
                                         GAsyncReadyCallback callback,
                                         gpointer user_data);
guint64 cliphist_history_store_bytes_finish (CliphistHistory *self,
                                             GAsyncResult *result,
                                             char **out_dropped,
                                             GError **error);

void cliphist_history_select_async (CliphistHistory *self,
                                    guint64 id,
                                    CliphistSelectFlags flags,
                                    GCancellable *cancellable,
                                    GAsyncReadyCallback callback,
                                    gpointer user_data);
gboolean cliphist_history_select_finish (CliphistHistory *self,
                                         GAsyncResult *result,
                                         GError **error);

void cliphist_history_delete_async (CliphistHistory *self,
                                    const guint64 *ids,
                                    gsize n_ids,
                                    GCancellable *cancellable,
                                    GAsyncReadyCallback callback,
                                    gpointer user_data);
gboolean cliphist_history_delete_finish (CliphistHistory *self,
                                         GAsyncResult *result,
                                         guint *out_n,
                                         GError **error);

void cliphist_history_wipe_async (CliphistHistory *self,
                                  gboolean pinned_too,
                                  gint64 since,
                                  GCancellable *cancellable,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data);
gboolean cliphist_history_wipe_finish (CliphistHistory *self,
                                       GAsyncResult *result,
                                       guint *out_n,
                                       GError **error);

void cliphist_history_set_pinned_async (CliphistHistory *self,
                                        guint64 id,
                                        gboolean pinned,
                                        GCancellable *cancellable,
                                        GAsyncReadyCallback callback,
                                        gpointer user_data);
gboolean cliphist_history_set_pinned_finish (CliphistHistory *self,
                                             GAsyncResult *result,
                                             GError **error);

void cliphist_history_set_tags_async (CliphistHistory *self,
                                      guint64 id,
                                      const char *const *tags,
                                      GCancellable *cancellable,
                                      GAsyncReadyCallback callback,
                                      gpointer user_data);
gboolean cliphist_history_set_tags_finish (CliphistHistory *self,
                                           GAsyncResult *result,
                                           GError **error);

void cliphist_history_set_expiry_async (CliphistHistory *self,
                                        guint64 id,
                                        gint64 expires,
                                        GCancellable *cancellable,
                                        GAsyncReadyCallback callback,
                                        gpointer user_data);
gboolean cliphist_history_set_expiry_finish (CliphistHistory *self,
                                             GAsyncResult *result,
                                             GError **error);

void cliphist_history_set_text_async (CliphistHistory *self,
                                      guint64 id,
                                      const char *text,
                                      GCancellable *cancellable,
                                      GAsyncReadyCallback callback,
                                      gpointer user_data);
guint64 cliphist_history_set_text_finish (CliphistHistory *self,
                                          GAsyncResult *result,
                                          GError **error);

void cliphist_history_pause_async (CliphistHistory *self,
                                   gint64 until,
                                   GCancellable *cancellable,
                                   GAsyncReadyCallback callback,
                                   gpointer user_data);
gboolean cliphist_history_pause_finish (CliphistHistory *self,
                                        GAsyncResult *result,
                                        GError **error);

G_END_DECLS
