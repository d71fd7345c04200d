/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The note says which login it is of: what was on the clipboard before the user
 * logged out belongs to no program any more. Below are the types that we offered. */
#include "clip-reclaim.h"

#include "clip-login.h"

#define NOTE "owned"
/* as long as an owner may take to be told of after the connection stands */
#define LOOK_MS 200

struct _ClipReclaim
{
  GObject parent_instance;
  ClipStore *store;
  char *login;
  ClipEntryIds *ids;
  ClipEntryId *entry; /* (nullable): that we own */
  GStrv types;        /* (nullable): with which we offer it */
  char *noted;
  ClipBackend *backend;
  guint timer;
};

enum
{
  RECLAIM,
  N_SIGNALS
};
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (ClipReclaim, clip_reclaim, G_TYPE_OBJECT)

static void
clip_reclaim_dispose (GObject *object)
{
  ClipReclaim *self = CLIP_RECLAIM (object);

  clip_reclaim_stop (self);
  g_clear_object (&self->store);
  g_clear_pointer (&self->entry, clip_entry_id_unref);
  g_clear_object (&self->ids);
  g_clear_pointer (&self->login, g_free);
  g_clear_pointer (&self->types, g_strfreev);
  g_clear_pointer (&self->noted, g_free);
  G_OBJECT_CLASS (clip_reclaim_parent_class)->dispose (object);
}

static void
clip_reclaim_class_init (ClipReclaimClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = clip_reclaim_dispose;
  signals[RECLAIM] =
      g_signal_new ("reclaim", CLIP_TYPE_RECLAIM, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                    G_TYPE_NONE, 2, G_TYPE_INT64, CLIP_TYPE_BACKEND);
}

static void
clip_reclaim_init (ClipReclaim *self)
{
}

/* one that was written before there were types in it speaks of all */
static void
read_note (ClipReclaim *self)
{
  g_autofree char *note = clip_store_get_note (self->store, NOTE);
  g_auto (GStrv) lines = g_strsplit (note ?: "", "\n", -1);
  g_auto (GStrv) words = g_strsplit (lines[0] ?: "", " ", 2);

  if (!words[0] || g_strcmp0 (words[1], self->login) != 0)
    {
      self->noted = g_strdup ("");
      return;
    }
  self->noted = g_steal_pointer (&note);
  self->entry = clip_entry_ids_hold (self->ids, g_ascii_strtoll (words[0], NULL, 10));
  self->types = lines[1] ? g_strdupv (lines + 1) : NULL;
}

static char *
make_note (ClipReclaim *self)
{
  const gint64 id = clip_entry_id_get (self->entry);
  g_autofree char *types = self->types ? g_strjoinv ("\n", self->types) : NULL;

  if (id == 0)
    return g_strdup ("");
  return g_strdup_printf ("%" G_GINT64_FORMAT " %s%s%s", id, self->login,
                          types ? "\n" : "", types ?: "");
}

static void
write_note (ClipReclaim *self)
{
  g_autofree char *note = make_note (self);

  if (g_str_equal (note, self->noted))
    return;
  clip_store_change_async (self->store, clip_change_note (NOTE, note), NULL, NULL);
  g_free (self->noted);
  self->noted = g_steal_pointer (&note);
}

/* reads what was ours before the restart, in this login */
ClipReclaim *
clip_reclaim_new (ClipStore *store, ClipEntryIds *ids)
{
  ClipReclaim *self = g_object_new (CLIP_TYPE_RECLAIM, NULL);

  self->store = g_object_ref (store);
  self->ids = g_object_ref (ids);
  self->login = clip_login_name ();
  read_note (self);
  g_signal_connect_object (ids, "changed", G_CALLBACK (write_note), self,
                           G_CONNECT_SWAPPED);
  return self;
}

/* forgets what it is about to do; the note stays */
void
clip_reclaim_stop (ClipReclaim *self)
{
  g_clear_handle_id (&self->timer, g_source_remove);
  g_clear_object (&self->backend);
}

static gboolean
on_timer (gpointer user_data)
{
  g_autoptr (ClipReclaim) self = g_object_ref (user_data);
  g_autoptr (ClipBackend) backend = g_steal_pointer (&self->backend);

  self->timer = 0;
  g_signal_emit (self, signals[RECLAIM], 0, clip_entry_id_get (self->entry), backend);
  return G_SOURCE_REMOVE;
}

/**
 * clip_reclaim_look:
 * @backend: a display that is watched from now on
 *
 * Emits "reclaim" a moment later, unless we or another program turn out to own the
 * clipboard.
 */
void
clip_reclaim_look (ClipReclaim *self, ClipBackend *backend)
{
  if (clip_entry_id_get (self->entry) == 0 ||
      (self->timer != 0 && !clip_backend_mirrors (backend)))
    return;
  g_set_object (&self->backend, backend);
  if (self->timer == 0)
    self->timer = g_timeout_add (LOOK_MS, on_timer, self);
}

/* (nullable): of what was ours; it is offered with these alone */
const char *const *
clip_reclaim_types (ClipReclaim *self)
{
  return (const char *const *) self->types;
}

/* @id: what we own now; 0: another program does, or none. @types: (nullable): with which
 * it is offered; copied */
void
clip_reclaim_set_owned (ClipReclaim *self, gint64 id, const char *const *types)
{
  clip_reclaim_stop (self);
  clip_entry_id_unref (self->entry);
  self->entry = clip_entry_ids_hold (self->ids, id);
  g_strfreev (self->types);
  self->types = g_strdupv ((char **) types);
  write_note (self);
}
