/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-source.h"
#include "x11-peer.h"
#include "x11-rig.h"
G_BEGIN_DECLS

/* what history is in the daemon: it offers, and answers from what it has */
typedef struct
{
  Ear *ear;
  ClipSource *source;
  gsize size;      /* of each content, in bytes */
  gboolean broken; /* says that what it gave was not whole */
  gboolean mute;   /* keeps requests and writes nothing */
  GPtrArray *kept;
  guint n_requests;
  guint n_answered;
  guint n_cancelled;
  gsize most_memory;
} Owner;

Owner *owner_new (XServer *server, gsize size);
Owner *owner_new_for (Ear *ear_take, gsize size);
void owner_free (Owner *self);
void owner_offer (Owner *self);

/* what others get of it */
char *owner_expected_hash (const char *mime, gsize size);
void owner_assert_pastes (XServer *server,
                          const char *command,
                          const char *mime,
                          gsize size);
void owner_assert_bytes (GBytes *bytes, const char *mime, gsize size);
GBytes *owner_read_incr (Owner *owner, X11Peer *peer, const char *property, guint n_seen);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Owner, owner_free)

G_END_DECLS
