/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-backend.h"
#include "clip-mutter-session.h"
G_BEGIN_DECLS

typedef struct
{
  ClipOffer *offer;
  const char *mime;
  ClipBackendOpened opened; /* gets the pipe that Mutter fills, unless there is none */
  gpointer user_data;
} ClipMutterReading;

void clip_mutter_read (ClipMutterSession *session,
                       const ClipMutterReading *reading,
                       GDestroyNotify ended,
                       gpointer ended_data,
                       GTask *task_take);

G_END_DECLS
