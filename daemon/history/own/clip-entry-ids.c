/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-entry-ids.h"

#include "clip-error.h"

/* a person has an old id for as long as an editor is open */
#define MOST_MOVES 1024

typedef struct
{
  gint64 old_id;
  gint64 new_id;
} Move;

struct ClipEntryId
{
  ClipEntryIds *ids; /* borrowed; NULL once they have gone */
  gint64 id;
};

struct _ClipEntryIds
{
  GObject parent_instance;
  ClipStore *store;
  GPtrArray *held; /* of ClipEntryId, borrowed */
  GArray *moves;   /* of Move: the last ones, the oldest first */
};

enum
{
  CHANGED,
  N_SIGNALS
};
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (ClipEntryIds, clip_entry_ids, G_TYPE_OBJECT)

static void
clip_entry_ids_dispose (GObject *object)
{
  ClipEntryIds *self = CLIP_ENTRY_IDS (object);

  for (guint i = 0; i < self->held->len; i++)
    ((ClipEntryId *) self->held->pdata[i])->ids = NULL;
  g_ptr_array_set_size (self->held, 0);
  g_clear_object (&self->store);
  G_OBJECT_CLASS (clip_entry_ids_parent_class)->dispose (object);
}

static void
clip_entry_ids_finalize (GObject *object)
{
  g_ptr_array_unref (CLIP_ENTRY_IDS (object)->held);
  g_array_unref (CLIP_ENTRY_IDS (object)->moves);
  G_OBJECT_CLASS (clip_entry_ids_parent_class)->finalize (object);
}

static void
clip_entry_ids_class_init (ClipEntryIdsClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = clip_entry_ids_dispose;
  G_OBJECT_CLASS (klass)->finalize = clip_entry_ids_finalize;
  signals[CHANGED] =
      g_signal_new ("changed", CLIP_TYPE_ENTRY_IDS, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                    NULL, G_TYPE_NONE, 2, G_TYPE_INT64, G_TYPE_INT64);
}

static void
clip_entry_ids_init (ClipEntryIds *self)
{
  self->held = g_ptr_array_new ();
  self->moves = g_array_new (FALSE, FALSE, sizeof (Move));
}

/* what is not held is not told of */
static void
change (ClipEntryIds *self, gint64 old_id, gint64 new_id)
{
  gboolean is_held = FALSE;

  for (guint i = 0; i < self->held->len; i++)
    {
      ClipEntryId *held = self->held->pdata[i];

      if (held->id != old_id)
        continue;
      held->id = new_id;
      is_held = TRUE;
    }
  if (is_held)
    g_signal_emit (self, signals[CHANGED], 0, old_id, new_id);
}

static void
on_entry_moved (ClipEntryIds *self, gint64 old_id, gint64 new_id)
{
  const Move move = { old_id, new_id };

  if (self->moves->len == MOST_MOVES)
    g_array_remove_index (self->moves, 0);
  g_array_append_val (self->moves, move);
  change (self, old_id, new_id);
}

typedef struct
{
  ClipEntryIds *ids;
  gint64 id;
} Lookup;

static void
on_looked_up (GObject *store, GAsyncResult *result, gpointer user_data)
{
  g_autofree Lookup *lookup = user_data;
  g_autoptr (ClipEntryIds) self = lookup->ids;
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipEntry) entry =
      clip_store_lookup_finish (CLIP_STORE (store), result, &error);

  if (!entry && g_error_matches (error, CLIP_ERROR, CLIP_ERROR_NOT_FOUND))
    change (self, lookup->id, 0);
}

/* whether the entry is still there, when more were removed than a signal lists */
static void
look_for (ClipEntryIds *self, gint64 id)
{
  Lookup *lookup;
  ClipTotals totals;

  clip_store_get_totals (self->store, &totals);
  if (totals.count == 0)
    {
      /* a folder that is gone is not made again to look into it */
      change (self, id, 0);
      return;
    }
  lookup = g_new (Lookup, 1);
  *lookup = (Lookup){ g_object_ref (self), id };
  clip_store_lookup_async (self->store, id, on_looked_up, lookup);
}

static void
look_for_all (ClipEntryIds *self)
{
  g_autoptr (GArray) wanted = g_array_new (FALSE, FALSE, sizeof (gint64));

  for (guint i = 0; i < self->held->len; i++)
    if (((ClipEntryId *) self->held->pdata[i])->id != 0)
      g_array_append_val (wanted, ((ClipEntryId *) self->held->pdata[i])->id);
  for (guint i = 0; i < wanted->len; i++)
    look_for (self, g_array_index (wanted, gint64, i));
}

static void
on_entries_removed (ClipEntryIds *self, GArray *ids)
{
  if (ids->len == 0)
    {
      g_array_set_size (self->moves, 0); /* another history may count anew */
      look_for_all (self);
    }
  for (guint i = 0; i < ids->len; i++)
    change (self, g_array_index (ids, gint64, i), 0);
}

ClipEntryIds *
clip_entry_ids_new (ClipStore *store)
{
  ClipEntryIds *self = g_object_new (CLIP_TYPE_ENTRY_IDS, NULL);

  self->store = g_object_ref (store);
  g_signal_connect_object (store, "entry-moved", G_CALLBACK (on_entry_moved), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (store, "entries-removed", G_CALLBACK (on_entries_removed),
                           self, G_CONNECT_SWAPPED);
  return self;
}

/**
 * clip_entry_ids_hold:
 * @id: of an entry
 *
 * Returns: (transfer full) (nullable): that entry; %NULL for 0
 */
ClipEntryId *
clip_entry_ids_hold (ClipEntryIds *self, gint64 id)
{
  ClipEntryId *held;

  if (id == 0)
    return NULL;
  held = g_rc_box_new (ClipEntryId);
  *held = (ClipEntryId){ self, id };
  g_ptr_array_add (self->held, held);
  return held;
}

/**
 * clip_entry_ids_hold_moved:
 * @id: that an entry has, or had before it was copied again
 *
 * Returns: (transfer full) (nullable): as clip_entry_ids_hold()
 */
ClipEntryId *
clip_entry_ids_hold_moved (ClipEntryIds *self, gint64 id)
{
  for (guint i = 0; i < self->moves->len; i++)
    {
      const Move *move = &g_array_index (self->moves, Move, i);

      if (move->old_id == id)
        id = move->new_id;
    }
  return clip_entry_ids_hold (self, id);
}

ClipEntryId *
clip_entry_id_ref (ClipEntryId *self)
{
  return g_rc_box_acquire (self);
}

static void
forget (gpointer data)
{
  ClipEntryId *self = data;

  if (self->ids)
    g_ptr_array_remove_fast (self->ids->held, self);
}

void
clip_entry_id_unref (ClipEntryId *self)
{
  if (self)
    g_rc_box_release_full (self, forget);
}

/* @self: (nullable): none; 0 = there is none, or it was removed */
gint64
clip_entry_id_get (const ClipEntryId *self)
{
  return self ? self->id : 0;
}
