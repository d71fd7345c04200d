/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-backend.h"
#include "clip-secrets.h"
#include "clip-transfer.h"
G_BEGIN_DECLS

typedef void (*ClipLessonDone) (gboolean is_known, gpointer user_data);

void clip_lesson_begin (ClipBackend *backend,
                        ClipOffer *offer,
                        GPtrArray *mimes,
                        ClipTransfers *transfers,
                        ClipSecrets *secrets,
                        ClipLessonDone done,
                        gpointer user_data);

G_END_DECLS
