/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-x11-convert.h"
G_BEGIN_DECLS

/* What one owner of a selection is asked: which types it has, and perhaps, ahead of that
 * answer, one content. */
typedef struct ClipX11Question ClipX11Question;

typedef struct
{
  guint64 offer; /* the number of what it will offer */
  gboolean initial;
  gboolean again; /* it was asked, and kept silent */
  xcb_atom_t selection;
  xcb_window_t owner;
  xcb_timestamp_t when; /* the owner did own the selection then */
  xcb_atom_t ahead;     /* the target to ask for at once, or none */
  guint wait_ms;
  gboolean is_known; /* which program it is, and not asked for: */
  gboolean is_bridge;
  const char *app; /* (nullable): copied */
} ClipX11QuestionJob;

/* @names: what the owner offers; NULL where it does not tell */
typedef void (*ClipX11NamesFunc) (ClipX11Question *self,
                                  char **names_take,
                                  gpointer user_data);

ClipX11Question *clip_x11_question_new (ClipX11Display *display,
                                        const ClipX11QuestionJob *job,
                                        ClipX11NamesFunc on_names,
                                        gpointer user_data);
void clip_x11_question_free (ClipX11Question *self);
const ClipX11QuestionJob *clip_x11_question_job (const ClipX11Question *self);
gboolean clip_x11_question_is_open (const ClipX11Question *self);
gboolean clip_x11_question_is_after (const ClipX11Question *self, guint32 sequence);
gboolean clip_x11_question_is_bridged (ClipX11Question *self);
char *clip_x11_question_app (ClipX11Question *self);
ClipX11Convert *clip_x11_question_claim (ClipX11Question *self, xcb_atom_t target);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipX11Question, clip_x11_question_free)

G_END_DECLS
