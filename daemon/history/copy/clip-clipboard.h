/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-backend.h"
#include "clip-ignore.h"
#include "clip-pause.h"
#include "clip-policy.h"
#include "clip-privacy.h"
#include "clip-selection-owner.h"
G_BEGIN_DECLS

/* The clipboard of all displays together: who copies, what becomes of it, who owns it
 * once its owner has gone. Signals, on the main context:
 *
 *   "changed" ()                                clip_clipboard_current() is another
 *   "settled" ()                                nothing is on its way in
 *   "dropped" (int a ClipDrop)                  a copy was not kept
 *   "trouble" (GError *)                        a copy was lost to a failure
 */
#define CLIP_TYPE_CLIPBOARD (clip_clipboard_get_type ())
G_DECLARE_FINAL_TYPE (ClipClipboard, clip_clipboard, CLIP, CLIPBOARD, GObject)

ClipClipboard *clip_clipboard_new (ClipStore *store,
                                   ClipTransfers *transfers,
                                   ClipLongTransfers *long_transfers,
                                   ClipPause *pause);
void clip_clipboard_close (ClipClipboard *self);
void clip_clipboard_set_settings (ClipClipboard *self, const ClipSettings *settings);
void clip_clipboard_watch (ClipClipboard *self, ClipBackend *backend);
void clip_clipboard_unwatch (ClipClipboard *self, ClipBackend *backend);

gboolean clip_clipboard_may_keep_refused (ClipClipboard *self);
gboolean clip_clipboard_keep_refused (ClipClipboard *self);

gboolean clip_clipboard_is_receiving (ClipClipboard *self);
gint64 clip_clipboard_current (ClipClipboard *self);
ClipEntryIds *clip_clipboard_ids (ClipClipboard *self);
ClipPrivacy *clip_clipboard_privacy (ClipClipboard *self);
ClipIgnore *clip_clipboard_ignore (ClipClipboard *self);

void clip_clipboard_own_async (ClipClipboard *self,
                               ClipBackend *backend,
                               gint64 id,
                               ClipOwnMode mode,
                               GAsyncReadyCallback callback,
                               gpointer user_data);
gboolean clip_clipboard_own_finish (ClipClipboard *self,
                                    GAsyncResult *result,
                                    GError **error);
gboolean clip_clipboard_empty (ClipClipboard *self, ClipBackend *backend, GError **error);

G_END_DECLS
