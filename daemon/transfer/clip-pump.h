/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

typedef enum
{
  CLIP_STEP_MORE,     /* bytes moved: step again */
  CLIP_STEP_WAIT_IN,  /* poll the source for input */
  CLIP_STEP_WAIT_OUT, /* poll the sink for room */
  CLIP_STEP_DONE,     /* everything is there, or the reader has taken what it needed */
  CLIP_STEP_FAILED,   /* the error is set */
} ClipStep;

/* A size that is not known: pump until the source ends. */
#define CLIP_TO_END ((goffset) -1)

typedef struct ClipPump ClipPump;

/* Told by who runs a pump to its end, after every step, whether that moved bytes or
   not. */
typedef void (*ClipPumpProgress) (goffset moved, gpointer user_data);

ClipPump *clip_pump_new (int source_fd, int sink_fd, goffset size, goffset limit);
ClipPump *clip_pump_new_bytes (GBytes *bytes, int sink_fd);
void clip_pump_free (ClipPump *self);
ClipStep clip_pump_step (ClipPump *self, GError **error);
goffset clip_pump_moved (const ClipPump *self);
gboolean clip_pump_reader_left (const ClipPump *self);
const char *clip_pump_method (const ClipPump *self);
void clip_pump_set_sink_in_memory (ClipPump *self);
gboolean clip_pump_may_block (ClipPump *self);
void clip_pump_set_progress (ClipPump *self,
                             ClipPumpProgress progress,
                             gpointer user_data);
gboolean clip_pump_run_until (ClipPump *self, int idle_ms, int stop_fd, GError **error);
gboolean clip_pump_run (ClipPump *self, int idle_ms, GError **error);
gboolean clip_pump_enlarge_pipe (int fd, int bytes);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipPump, clip_pump_free)

G_END_DECLS
