/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A desktop may have two displays at once, Wayland and the Xwayland beside it, and the
 * compositor carries copies across. What the second one tells within a moment, with types
 * that the first one has told of too (a bridge drops and adds some), is an echo and no
 * copy. It tells once: a second time is the next copy, of which the first display has not
 * heard yet.
 */
#include "clip-echo-filter.h"

#include "clip-mime.h"

struct ClipEchoFilter
{
  gconstpointer backend;
  gconstpointer echo; /* another one, which has told of it, too */
  char **mimes;
  gint64 at_us;
};

ClipEchoFilter *
clip_echo_filter_new (void)
{
  return g_new0 (ClipEchoFilter, 1);
}

void
clip_echo_filter_free (ClipEchoFilter *self)
{
  if (!self)
    return;
  g_strfreev (self->mimes);
  g_free (self);
}

/* a display that has gone: what the next one tells is no echo of it */
void
clip_echo_filter_forget (ClipEchoFilter *self, gconstpointer backend)
{
  if (self->backend == backend)
    self->backend = NULL;
}

static gboolean
has_same (const char *const *mimes, const char *mime)
{
  for (; *mimes; mimes++)
    if (clip_mime_same (*mimes, mime))
      return TRUE;
  return FALSE;
}

static gboolean
share_a_type (const char *const *a, const char *const *b)
{
  for (; *a; a++)
    if (has_same (b, *a))
      return TRUE;
  return FALSE;
}

/**
 * clip_echo_filter_is_echo:
 * @backend: who tells
 * @mimes: what is offered
 * @now_us: monotonic time, microseconds
 *
 * Remembers what is not an echo as the copy that later ones may be echoes of.
 *
 * Returns: whether this is what another backend has told of a moment ago
 */
gboolean
clip_echo_filter_is_echo (ClipEchoFilter *self,
                          gconstpointer backend,
                          const char *const *mimes,
                          gint64 now_us)
{
  if (self->backend && self->backend != backend && self->echo != backend &&
      now_us - self->at_us < CLIP_ECHO_FILTER_WINDOW_US &&
      share_a_type ((const char *const *) self->mimes, mimes))
    {
      self->echo = backend;
      return TRUE;
    }
  g_strfreev (self->mimes);
  self->mimes = g_strdupv ((char **) mimes);
  self->backend = backend;
  self->echo = NULL;
  self->at_us = now_us;
  return FALSE;
}
