/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <gio/gio.h>
G_BEGIN_DECLS

#define CLIP_MUTTER_NAME "org.gnome.Mutter.RemoteDesktop"

/* A session of Mutter's remote desktop whose clipboard is switched on, and that is never
 * started: nothing is shared, nothing is shown. */
typedef struct ClipMutterSession ClipMutterSession;

typedef struct
{
  /* what was selected before has been told by now */
  void (*opened) (gpointer user_data);
  /* (nullable) @mimes: what is selected now, as it came; NULL = nothing. @own: by this
     session */
  void (*changed) (const char *const *mimes, gboolean own, gpointer user_data);
  /* (nullable) a program wants @mime of what this session owns:
     clip_mutter_session_write_async() */
  void (*asked) (const char *mime, guint32 serial, gpointer user_data);
  /* it could not be opened, or has been closed; nothing follows */
  void (*closed) (const GError *why, gpointer user_data);
} ClipMutterSessionEvents;

ClipMutterSession *clip_mutter_session_open (GDBusConnection *bus,
                                             const char *peer,
                                             const ClipMutterSessionEvents *events,
                                             gpointer user_data);
void clip_mutter_session_close (ClipMutterSession *self);
ClipMutterSession *clip_mutter_session_ref (ClipMutterSession *self);
void clip_mutter_session_unref (ClipMutterSession *self);

void clip_mutter_session_select_async (ClipMutterSession *self,
                                       const char *const *mimes,
                                       GAsyncReadyCallback callback,
                                       gpointer user_data);
void clip_mutter_session_read_async (ClipMutterSession *self,
                                     const char *mime,
                                     GCancellable *cancellable,
                                     GAsyncReadyCallback callback,
                                     gpointer user_data);
void clip_mutter_session_check_async (ClipMutterSession *self,
                                      GCancellable *cancellable,
                                      GAsyncReadyCallback callback,
                                      gpointer user_data);
void clip_mutter_session_write_async (ClipMutterSession *self,
                                      guint32 serial,
                                      GAsyncReadyCallback callback,
                                      gpointer user_data);
gboolean clip_mutter_session_finish (GAsyncResult *result, int *out_fd, GError **error);
void clip_mutter_session_written (ClipMutterSession *self,
                                  guint32 serial,
                                  gboolean whole);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipMutterSession, clip_mutter_session_unref)
G_END_DECLS
