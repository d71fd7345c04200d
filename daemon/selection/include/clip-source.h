/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-request.h"
G_BEGIN_DECLS

/* What we offer while we own a selection. History makes one, hands it to a backend, and
 * answers its "requested" signal (ClipRequest *); "cancelled" says that another program
 * owns the selection now. Requests that are under way then are finished all the same
 * (ICCCM 2.2). */
#define CLIP_TYPE_SOURCE (clip_source_get_type ())
G_DECLARE_FINAL_TYPE (ClipSource, clip_source, CLIP, SOURCE, GObject)

/* A source that offers this fills a selection that is empty: it replaces no copy that we
 * have not heard of yet. KWin cancels it where there is one, our X11 backend does the
 * same; other compositors cannot tell. */
#define CLIP_SOURCE_FILLS "application/x-kde-onlyReplaceEmpty"

ClipSource *clip_source_new (const char *const *mimes);
const char *const *clip_source_mimes (ClipSource *self);
const char *clip_source_token (void);

/* for backends */
void clip_source_request (ClipSource *self, ClipRequest *request);
void clip_source_cancel (ClipSource *self);

G_END_DECLS
