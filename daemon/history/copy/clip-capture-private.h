/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The inside of a ClipCapture, for clip-capture, which brings contents in, and clip-capture-secret, which
 * lets it or does not. */
#pragma once
#include "clip-capture.h"
G_BEGIN_DECLS

struct _ClipCapture
{
  GObject parent_instance;
  ClipBackend *backend;
  ClipOffer *offer;
  ClipIntake *intake;
  ClipTransfers *transfers;
  ClipIgnore *ignore;   /* (nullable) */
  ClipSecrets *secrets; /* (nullable) */
  GPtrArray *mimes;     /* borrowed from the offer */
  guint next;
  guint next_hint; /* among all that are offered */
  gboolean replaced;
  gboolean partial;
  gboolean held;      /* nothing is kept before clip_capture_let_go() */
  gboolean abandoned; /* nothing is kept at all */
  gboolean waits;     /* for nothing but that */
  gboolean settled;   /* what came before the last byte has been heard */

  ClipCapture *earlier; /* the copy before, while it has not been handed to the store */
  ClipCapture *later;   /* borrowed: the copy after, which waits for us */
  guint turn_timer;

  GTask *task;
  GCancellable *cancellable; /* of the caller */
  GCancellable *receiving;   /* of the request that is open */
  gulong cancelled_id;
  guint n_pending;
  gboolean opened;  /* the request that is open has brought something to read from */
  const char *mime; /* of that request; borrowed from the offer */
  ClipVerdict verdict;
  goffset bytes;
  GError *arrival_error;
};

void clip_capture_ask_secrecy (ClipCapture *self);
void clip_capture_receive_next (ClipCapture *self);
void clip_capture_end (ClipCapture *self, ClipCaptured captured);
void clip_capture_fail (ClipCapture *self, GError *error_take);

G_END_DECLS
