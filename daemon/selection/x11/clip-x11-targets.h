/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-x11-convert.h"
G_BEGIN_DECLS

/* What one owner of a selection is asked: which types it has, and perhaps, ahead of that
 * answer, one content. */
typedef struct ClipX11Targets ClipX11Targets;

typedef struct
{
  guint64 offer; /* the number of what it will offer */
  gboolean initial;
  gboolean again; /* it was asked, and kept silent */
  xcb_atom_t selection;
  xcb_window_t owner;
  xcb_timestamp_t when; /* the owner did own the selection then */
  xcb_atom_t ahead;     /* the target to ask for at once, or none */
  guint wait_ms;        /* for TARGETS */
  guint ahead_ms;
  gboolean is_known; /* which program it is, and not asked for: */
  gboolean is_bridge;
  const char *app; /* (nullable): copied */
} ClipX11TargetsJob;

/* @names: what the owner offers; NULL where it does not tell */
typedef void (*ClipX11NamesFunc) (ClipX11Targets *self,
                                  char **names_take,
                                  gpointer user_data);

ClipX11Targets *clip_x11_targets_new (ClipX11Display *display,
                                      const ClipX11TargetsJob *job,
                                      ClipX11NamesFunc on_names,
                                      gpointer user_data);
void clip_x11_targets_free (ClipX11Targets *self);
const ClipX11TargetsJob *clip_x11_targets_job (const ClipX11Targets *self);
gboolean clip_x11_targets_is_open (const ClipX11Targets *self);
gboolean clip_x11_targets_awaits (const ClipX11Targets *self, xcb_window_t owner);
gboolean clip_x11_targets_is_after (const ClipX11Targets *self, guint32 sequence);
gboolean clip_x11_targets_is_bridged (ClipX11Targets *self);
char *clip_x11_targets_app (ClipX11Targets *self);
ClipX11Convert *clip_x11_targets_claim (ClipX11Targets *self, xcb_atom_t target);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipX11Targets, clip_x11_targets_free)

G_END_DECLS
