/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-x11-display.h"
#include "clip-x11-mailbox.h"
G_BEGIN_DECLS

/* One time that we own a selection, on a window of its own. */
typedef struct
{
  guint64 source; /* what the main context calls it */
  ClipSelection selection;
  xcb_window_t window;
  xcb_timestamp_t since;
  char **names;    /* the types, then our token */
  GArray *targets; /* as many atoms */
} ClipX11Claim;

const char *clip_x11_claim_name (const ClipX11Claim *self, xcb_atom_t target);

/* The selections that we own. */
typedef struct ClipX11Owner ClipX11Owner;

ClipX11Owner *clip_x11_owner_new (ClipX11Display *display, ClipX11Mailbox *news);
void clip_x11_owner_free (ClipX11Owner *self);
void clip_x11_owner_own (ClipX11Owner *self,
                         ClipSelection selection,
                         guint64 source,
                         const char *const *mimes);
void clip_x11_owner_disown (ClipX11Owner *self, ClipSelection selection);
void clip_x11_owner_lose (ClipX11Owner *self, xcb_window_t window);
void clip_x11_owner_left (ClipX11Owner *self,
                          ClipSelection selection,
                          xcb_timestamp_t when);
void clip_x11_owner_lose_all (ClipX11Owner *self);
const ClipX11Claim *clip_x11_owner_find (ClipX11Owner *self, xcb_window_t window);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipX11Owner, clip_x11_owner_free)

G_END_DECLS
