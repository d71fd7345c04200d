/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-backend.h"
#include "clip-long-transfers.h"
#include "clip-policy.h"
#include "clip-store.h"
G_BEGIN_DECLS

/* The conductor: the one place that knows what a clipboard history is. It brings
 * displays, store and transfers together, and decides. Signals, on the main context:
 *
 *   "backends-changed" ()                     a display came or went
 *   "pause-changed" (), "current-changed" ()
 *   "dropped" (int a ClipDrop, gint64 limit)  a copy was not kept
 *   "trouble" (GError *)                      a copy was lost to a failure (a full disk)
 *   "spared-changed" ()                       clip_history_spared() says something else
 */
#define CLIP_TYPE_HISTORY (clip_history_get_type ())
G_DECLARE_FINAL_TYPE (ClipHistory, clip_history, CLIP, HISTORY, GObject)

ClipHistory *clip_history_new (ClipStore *store, const ClipSettings *settings);
void clip_history_expect_displays (ClipHistory *self);
void clip_history_found_displays (ClipHistory *self);
void clip_history_watch_displays (ClipHistory *self);
void clip_history_look_async (ClipHistory *self,
                              GAsyncReadyCallback callback,
                              gpointer user_data);
void clip_history_look_finish (GAsyncResult *result);
void clip_history_use_display_async (ClipHistory *self,
                                     const char *const *environment,
                                     GAsyncReadyCallback callback,
                                     gpointer user_data);
void clip_history_keep_limits (ClipHistory *self);
void clip_history_will_delete (ClipHistory *self);
void clip_history_add_backend (ClipHistory *self, ClipBackend *backend);
void clip_history_set_settings (ClipHistory *self, const ClipSettings *settings);
void clip_history_close (ClipHistory *self);

ClipStore *clip_history_store (ClipHistory *self);
ClipLongTransfers *clip_history_long_transfers (ClipHistory *self);
const ClipSettings *clip_history_settings (ClipHistory *self);
char **clip_history_backends (ClipHistory *self);
const char *clip_history_display_refusal (ClipHistory *self);
const char *clip_history_display (ClipHistory *self);
gint64 clip_history_current (ClipHistory *self);
gint64 clip_history_paused_until (ClipHistory *self);
void clip_history_pause (ClipHistory *self, gint64 until_us);
void clip_history_pause_async (ClipHistory *self,
                               gint64 until_us,
                               GAsyncReadyCallback callback,
                               gpointer user_data);
gboolean clip_history_pause_finish (ClipHistory *self,
                                    GAsyncResult *result,
                                    GError **error);
char **clip_history_spared (ClipHistory *self);
gboolean clip_history_may_keep_refused (ClipHistory *self);
gboolean clip_history_keep_refused (ClipHistory *self);
ClipDrop clip_history_refusal (ClipHistory *self);

gboolean clip_history_clears_on (ClipHistory *self, const char *event);
void clip_history_clear_async (ClipHistory *self,
                               GAsyncReadyCallback callback,
                               gpointer user_data);
gboolean clip_history_clear_finish (ClipHistory *self,
                                    GAsyncResult *result,
                                    GError **error);

/* how an entry is offered */
typedef enum
{
  CLIP_SELECT_WHOLE = 0,
  CLIP_SELECT_PLAIN = 1 << 0,   /* its plain text alone */
  CLIP_SELECT_PRIMARY = 1 << 1, /* that as the primary selection, too */
  CLIP_SELECT_MOVE = 1 << 2,    /* it moves to the top of the history */
} ClipSelectFlags;

void clip_history_empty_async (ClipHistory *self,
                               GAsyncReadyCallback callback,
                               gpointer user_data);
gboolean clip_history_empty_finish (ClipHistory *self,
                                    GAsyncResult *result,
                                    GError **error);
void clip_history_select_async (ClipHistory *self,
                                gint64 id,
                                ClipSelectFlags flags,
                                GAsyncReadyCallback callback,
                                gpointer user_data);
gboolean clip_history_select_finish (ClipHistory *self,
                                     GAsyncResult *result,
                                     GError **error);

void clip_history_trim_async (ClipHistory *self,
                              const ClipSettings *settings,
                              gboolean pretends,
                              GAsyncReadyCallback callback,
                              gpointer user_data);
gint64 clip_history_trim_finish (GAsyncResult *result, GError **error);

G_END_DECLS
