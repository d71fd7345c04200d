/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-backend.h"
G_BEGIN_DECLS

/* A display that a test plays: it offers what it is told, and answers from memory. */
typedef struct _ClipBackendFake ClipBackendFake;

ClipBackendFake *clip_backend_fake_new (void);
ClipBackendFake *clip_backend_fake_new_mirror (void);
ClipOffer *clip_backend_fake_copy (ClipBackendFake *self,
                                   const char *first_mime,
                                   ...) G_GNUC_NULL_TERMINATED;
ClipOffer *clip_backend_fake_keep (ClipBackendFake *self,
                                   const char *mime,
                                   const char *text);
void clip_backend_fake_hold (ClipBackendFake *self,
                             const char *first_mime,
                             ...) G_GNUC_NULL_TERMINATED;
void clip_backend_fake_select (ClipBackendFake *self,
                               const char *first_mime,
                               ...) G_GNUC_NULL_TERMINATED;
void clip_backend_fake_set_app (ClipBackendFake *self, const char *app);
void clip_backend_fake_set_app_late (ClipBackendFake *self, const char *app);
guint clip_backend_fake_asked (ClipBackendFake *self, const char *mime);
void clip_backend_fake_clear (ClipBackendFake *self);
ClipSource *clip_backend_fake_owned (ClipBackendFake *self);
GBytes *clip_backend_fake_paste (ClipBackendFake *self, const char *mime, GError **error);
void clip_backend_fake_save (ClipBackendFake *self, int *out_kept);
void clip_backend_fake_trickle (ClipBackendFake *self, const char *text);
gboolean clip_backend_fake_was_heard (ClipBackendFake *self);
guint clip_backend_fake_given_up (ClipBackendFake *self);
void clip_backend_fake_answer_newest (ClipBackendFake *self, const char *text);
void clip_backend_fake_cut_off (ClipBackendFake *self,
                                const char *mime,
                                const char *text);
void clip_backend_fake_set_busy (ClipBackendFake *self, gboolean busy);
guint clip_backend_fake_syncing (ClipBackendFake *self);
void clip_backend_fake_stall (ClipBackendFake *self, gboolean stall);
void clip_backend_fake_keep_closed (ClipBackendFake *self);
void clip_backend_fake_set_silent (ClipBackendFake *self, const char *mime);

G_END_DECLS
