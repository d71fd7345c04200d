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
  GHashTable *names;  /* of its types */
  gint64 at_us;
};

ClipEchoFilter *
clip_echo_filter_new (void)
{
  ClipEchoFilter *self = g_new0 (ClipEchoFilter, 1);

  self->names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  return self;
}

void
clip_echo_filter_free (ClipEchoFilter *self)
{
  if (!self)
    return;
  g_hash_table_unref (self->names);
  g_free (self);
}

/* a display that has gone: what the next one tells is no echo of it */
void
clip_echo_filter_forget (ClipEchoFilter *self, gconstpointer backend)
{
  if (self->backend == backend)
    self->backend = NULL;
}

/* (transfer full): one for all types that clip_mime_same() calls the same: each of them
 * is looked up once, where two lists of hundreds would take a third of a second */
static char *
name_of (const char *mime)
{
  return g_ascii_strdown (clip_mime_canonical (mime), -1);
}

static gboolean
shares_a_type (const ClipEchoFilter *self, const char *const *mimes)
{
  for (; *mimes; mimes++)
    {
      g_autofree char *name = name_of (*mimes);

      if (g_hash_table_contains (self->names, name))
        return TRUE;
    }
  return FALSE;
}

static void
remember (ClipEchoFilter *self, const char *const *mimes)
{
  g_hash_table_remove_all (self->names);
  for (; *mimes; mimes++)
    g_hash_table_add (self->names, name_of (*mimes));
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
      now_us - self->at_us < CLIP_ECHO_FILTER_WINDOW_US && shares_a_type (self, mimes))
    {
      self->echo = backend;
      return TRUE;
    }
  remember (self, mimes);
  self->backend = backend;
  self->echo = NULL;
  self->at_us = now_us;
  return FALSE;
}
