/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* Notifications on the screen, one for each matter: a later word about the same replaces
 * the earlier one. No call waits for the server, and none fails where there is
 * none. */
typedef enum
{
  CLIP_MATTER_TOO_LARGE,
  CLIP_MATTER_NO_SPACE,
  CLIP_MATTER_UNWRITTEN,
  CLIP_MATTER_STALLED,
  CLIP_MATTER_SPARED,
  CLIP_MATTER_PUSHED_OUT,
  CLIP_MATTER_WIPED,
  CLIP_MATTER_REPAIRED,
  CLIP_MATTER_UNOPENED,
  CLIP_MATTER_ELSEWHERE,
  CLIP_MATTER_MISTAKE,
  CLIP_MATTER_PAUSED,
  CLIP_MATTER_CAPTURE,
  CLIP_MATTER_PASTE,
  CLIP_MATTER_COPY,
  CLIP_N_MATTERS,
} ClipMatter;

typedef enum
{
  CLIP_URGENCY_LOW, /* GNOME shows it in its list alone */
  CLIP_URGENCY_NORMAL,
} ClipUrgency;

/* What is to be said of a matter. The texts are plain, and owned. */
typedef struct
{
  ClipMatter matter;
  ClipUrgency urgency;
  const char *category; /* a static string */
  char *summary;
  char *body;
  gboolean has_percent; /* what `value` says */
  guint percent;
  gboolean goes_on; /* not shown again where the user has closed the one before */
  gboolean passes;  /* needs no action, and goes by itself */
  char *action;     /* (nullable): the label of what a click does */
  char *advice;     /* (nullable): behind the body, as not every server shows buttons */
} ClipNotification;

void clip_notification_free (ClipNotification *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipNotification, clip_notification_free)

typedef struct ClipNotificationQueue ClipNotificationQueue;

typedef void (*ClipNotificationQueueFunc) (ClipMatter matter, gpointer user_data);

ClipNotificationQueue *clip_notification_queue_new (ClipNotificationQueueFunc clicked,
                                                    gpointer user_data);
void clip_notification_queue_free (ClipNotificationQueue *self);
void clip_notification_queue_show (ClipNotificationQueue *self,
                                   ClipNotification *message_take);
gboolean clip_notification_queue_show_alone (const ClipNotification *message);
void clip_notification_queue_hide (ClipNotificationQueue *self, ClipMatter matter);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipNotificationQueue, clip_notification_queue_free)

G_END_DECLS
