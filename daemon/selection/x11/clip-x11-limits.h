/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* How patient the X11 backend is. Tests are less so. */
typedef struct
{
  guint first_ms;  /* until an owner says what it has */
  guint owner_ms;  /* until it begins to hand some of that over, or goes on */
  guint stall_ms;  /* until a reader by pieces moves on */
  guint pipe_ms;   /* until our own end of a pipe moves on */
  guint burst_ms;  /* copies that follow each other faster are not made by hand */
  guint max_rapid; /* changes in a row, by one owner, after which it is asked slowly */
  guint max_feeds; /* contents being served at the same time */
} ClipX11Limits;

G_END_DECLS
