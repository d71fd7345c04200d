/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-source.h"

struct _ClipSource
{
  GObject parent_instance;
  char **mimes;
  gboolean cancelled;
};

enum
{
  REQUESTED,
  CANCELLED,
  N_SIGNALS
};
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (ClipSource, clip_source, G_TYPE_OBJECT)

static void
clip_source_finalize (GObject *object)
{
  g_strfreev (CLIP_SOURCE (object)->mimes);
  G_OBJECT_CLASS (clip_source_parent_class)->finalize (object);
}

static void
clip_source_class_init (ClipSourceClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = clip_source_finalize;
  signals[REQUESTED] = g_signal_new ("requested", CLIP_TYPE_SOURCE, G_SIGNAL_RUN_LAST, 0,
                                     NULL, NULL, NULL, G_TYPE_NONE, 1, CLIP_TYPE_REQUEST);
  signals[CANCELLED] = g_signal_new ("cancelled", CLIP_TYPE_SOURCE, G_SIGNAL_RUN_LAST, 0,
                                     NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
clip_source_init (ClipSource *self)
{
}

static char *
make_token (void)
{
  return g_strdup_printf ("application/x-org.cliphist.origin;token=%08x%08x%08x%08x",
                          g_random_int (), g_random_int (), g_random_int (),
                          g_random_int ());
}

/**
 * clip_source_token:
 *
 * Returns: the type by which this process recognises its own offers. It is drawn anew at
 * each start: a fixed one would let any program hide its copies from the history.
 */
const char *
clip_source_token (void)
{
  static gsize token;

  if (g_once_init_enter (&token))
    g_once_init_leave (&token, (gsize) make_token ());
  return (const char *) token;
}

/**
 * clip_source_new:
 * @mimes: what is offered, in order; backends add clip_source_token() themselves
 */
ClipSource *
clip_source_new (const char *const *mimes)
{
  ClipSource *self = g_object_new (CLIP_TYPE_SOURCE, NULL);

  self->mimes = g_strdupv ((char **) mimes);
  return self;
}

const char *const *
clip_source_mimes (ClipSource *self)
{
  return (const char *const *) self->mimes;
}

/* hands a request to the maker of the source; one that is not taken is refused */
void
clip_source_request (ClipSource *self, ClipRequest *request)
{
  g_signal_emit (self, signals[REQUESTED], 0, request);
}

/* tells that the selection is lost; once, even if the display says so again */
void
clip_source_cancel (ClipSource *self)
{
  if (self->cancelled)
    return;
  self->cancelled = TRUE;
  g_signal_emit (self, signals[CANCELLED], 0);
}
