/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-command.h"
#include "clip-progress.h"

#include <gio/gio.h>
#include <gio/gunixfdlist.h>
G_BEGIN_DECLS

/* The daemon that owns the history that a call means: that of the session, or a private
 * one. */
typedef struct ClipRemote ClipRemote;

ClipRemote *clip_remote_new (const ClipCommand *command);
ClipRemote *clip_remote_new_session (const ClipCommand *command);
gboolean clip_remote_is_private (const ClipRemote *self);
void clip_remote_free (ClipRemote *self);

void clip_remote_set_option (ClipRemote *self, const char *key, GVariant *value);
void clip_remote_show (ClipRemote *self, ClipProgress *progress);
GVariant *clip_remote_call (ClipRemote *self,
                            const char *method,
                            GVariant *args,
                            const char *reply_type,
                            GUnixFDList *fds,
                            GError **error);
int clip_remote_run (ClipRemote *self,
                     const char *method,
                     GVariant *args,
                     const char *reply_type);

gboolean clip_remote_show_display (ClipRemote *self);
char *clip_remote_other_display (ClipRemote *self, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipRemote, clip_remote_free)

G_END_DECLS
