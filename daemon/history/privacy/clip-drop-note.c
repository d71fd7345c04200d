/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What is too large, or of an ignored type, is found to be so once more. Four things
 * cannot be found out: that the user had paused us, that its program is ignored, that it
 * is a secret that has lost its mark, and that its entry was deleted since. What was on
 * the clipboard before the user logged out belongs to no program any more.
 */
#include "clip-drop-note.h"

#include "clip-login.h"

#define NOTE "unwanted"

struct ClipDropNote
{
  ClipStore *store;
  char *login;
  ClipDrop why;
};

static const ClipDrop remembered[] = { CLIP_DROP_SECRET, CLIP_DROP_PAUSED,
                                       CLIP_DROP_IGNORED, CLIP_DROP_DELETED };

static ClipDrop
read_note (ClipDropNote *self)
{
  g_autofree char *note = clip_store_get_note (self->store, NOTE);
  g_auto (GStrv) words = g_strsplit (note ?: "", " ", 2);

  if (!words[0] || g_strcmp0 (words[1], self->login) != 0)
    return CLIP_DROP_NONE;
  for (guint i = 0; i < G_N_ELEMENTS (remembered); i++)
    if (g_str_equal (words[0], clip_drop_name (remembered[i])))
      return remembered[i];
  return CLIP_DROP_NONE;
}

/* reads what was noted before the restart, in this login */
ClipDropNote *
clip_drop_note_new (ClipStore *store)
{
  ClipDropNote *self = g_new0 (ClipDropNote, 1);

  self->store = g_object_ref (store);
  self->login = clip_login_name ();
  self->why = read_note (self);
  return self;
}

void
clip_drop_note_free (ClipDropNote *self)
{
  if (!self)
    return;
  g_object_unref (self->store);
  g_free (self->login);
  g_free (self);
}

/* why what the clipboard holds is not to be kept; %CLIP_DROP_NONE: nothing is known of
   it */
ClipDrop
clip_drop_note_why (ClipDropNote *self)
{
  return self->why;
}

/* @why: of what it holds from now on; what can be found out again is not remembered */
void
clip_drop_note_set (ClipDropNote *self, ClipDrop why)
{
  g_autofree char *note = NULL;
  gboolean remembers = FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (remembered); i++)
    remembers |= why == remembered[i];
  why = remembers ? why : CLIP_DROP_NONE;
  if (self->why == why)
    return;
  self->why = why;
  note = remembers ? g_strdup_printf ("%s %s", clip_drop_name (why), self->login)
                   : g_strdup ("");
  clip_store_change_async (self->store, clip_change_note (NOTE, note), NULL, NULL);
}
