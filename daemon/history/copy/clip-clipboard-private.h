/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-clipboard.h"
#include "clip-doubt.h"
#include "clip-drop-note.h"
#include "clip-echo-filter.h"
#include "clip-error.h"
#include "clip-owner-exit.h"
#include "clip-reclaim.h"
#include "clip-save-targets.h"
#include "clip-suspicion.h"
G_BEGIN_DECLS

/* What both halves of the clipboard see: what somebody copies, and what we own. */
struct _ClipClipboard
{
  GObject parent_instance;
  ClipStore *store;
  ClipTransfers *transfers;
  ClipTraffic *traffic;
  ClipPause *pause; /* borrowed */
  ClipSettings *settings;
  ClipIgnore *ignore;
  ClipSecrets *secrets;
  ClipEchoFilter *echo_filter;
  ClipSelectionOwner *owner;
  ClipReclaim *reclaim;
  ClipDropNote *drop_note;
  GCancellable *stopping;

  GPtrArray *displays;  /* borrowed */
  GPtrArray *heard_on;  /* borrowed: the displays that have told of the present copy */
  ClipCapture *capture; /* the newest one under way */
  ClipOffer *offer;     /* that it takes, or has taken */
  gboolean is_saved;    /* its owner wanted it to outlive it */
  gboolean too_large;   /* to be taken, by the settings */
  ClipDoubt *doubt;
  ClipOwnerExit owner_exit;
  gint64 current; /* the entry that the clipboard holds; 0 = none */
  ClipSuspicion suspicion;
  ClipSaveTargets *save_targets;
};

/* what there is now, by the store; 0: nothing of it */
void clip_clipboard_set_current (ClipClipboard *self, gint64 id);

/* takes the place of an owner that has gone */
void clip_clipboard_own_left (gpointer self);
void clip_clipboard_on_reclaim (ClipClipboard *self, gint64 id, ClipBackend *backend);

G_END_DECLS
