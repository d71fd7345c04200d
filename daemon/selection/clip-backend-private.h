/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What only the backends themselves need. */
#pragma once
#include "clip-backend.h"
G_BEGIN_DECLS

struct _ClipBackendClass
{
  GObjectClass parent_class;

  const char *name; /* "ext", "wlr", "mutter", "x11", "fake" unless get_name says more */
  /* what it can do, or how it is; no code asks for its name */
  gboolean mirrors;       /* what is copied on another display is here, too */
  gboolean spends_pastes; /* see clip_backend_spends_pastes() */
  gboolean sees_less;     /* a compositor that is there, too, would say more */
  guint most_copies;      /* see clip_backend_most_copies() */
  /* may be missing: for one that may have changed its mind about who may watch */
  void (*wake) (ClipBackend *self);
  const char *(*get_name) (ClipBackend *self);
  /* may be missing: for a display that tells who has the focus, and not whose an offer
     is */
  void (*want_app) (ClipBackend *self, gboolean wanted);
  void (*name_app) (ClipBackend *self, ClipOffer *offer);
  /* the task returns a ClipVerdict by g_task_return_int(); @user_data is for @opened */
  void (*receive) (ClipBackend *self,
                   ClipOffer *offer,
                   const char *mime,
                   ClipBackendOpened opened,
                   gpointer user_data,
                   GTask *task_take);
  /* may be missing; the task returns a boolean */
  void (*sync) (ClipBackend *self, GTask *task);
  gboolean (*own) (ClipBackend *self,
                   ClipSelection selection,
                   ClipSource *source,
                   GError **error);
  void (*disown) (ClipBackend *self, ClipSelection selection);
};

int clip_backend_open_pipe (ClipBackendOpened opened, gpointer user_data, GTask *task);

void clip_backend_emit_offered (ClipBackend *self, ClipOffer *offer);
void clip_backend_emit_emptied (ClipBackend *self, ClipSelection selection);
void clip_backend_emit_stalled (ClipBackend *self, ClipSelection selection);
void clip_backend_emit_cleared (ClipBackend *self, ClipSelection selection);
void clip_backend_emit_save (ClipBackend *self, ClipRequest *request);
void clip_backend_emit_disconnected (ClipBackend *self, const char *why);

G_END_DECLS
