/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <gio/gio.h>
G_BEGIN_DECLS

/* Whether the screen is locked, as its locker says: the desktop on the bus of the
 * session, logind on that of the system. None is asked before it is needed to
 * know. */
typedef struct ClipScreenLock ClipScreenLock;

typedef void (*ClipScreenLockFunc) (gboolean is_locked, gpointer user_data);
typedef void (*ClipScreenLockedFunc) (gpointer user_data);

ClipScreenLock *clip_screen_lock_new (GDBusConnection *session);
void clip_screen_lock_free (ClipScreenLock *self);
void clip_screen_lock_ask (ClipScreenLock *self,
                           ClipScreenLockFunc function,
                           gpointer user_data);
gboolean clip_screen_lock_has_locker (const ClipScreenLock *self);
void clip_screen_lock_follow (ClipScreenLock *self,
                              ClipScreenLockedFunc locked,
                              gpointer user_data);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipScreenLock, clip_screen_lock_free)

G_END_DECLS
