/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The search field keeps the focus, so the keys that move through the list move this.
 * What was chosen stays chosen when rows come and go above it.
 */
#define G_LOG_DOMAIN "clip-window"
#include "clip-choice.h"

struct ClipChoice
{
  GListModel *entries;
  GtkMultiSelection *selection;
  GtkListView *view;
  GArray *ids;      /* guint64: that are chosen, the first one first */
  guint position;   /* of the row that keys move from */
  guint64 id;       /* of its entry; 0: there is none */
  gboolean goes_up; /* so rows are chosen from the lowest on */
  guint64 awaited;  /* of an entry that is chosen when it comes; 0: of none */
  gboolean is_own;  /* the first row is chosen, and nobody did that */
  guint64 may_go;   /* of an entry that is to leave the list; 0: of none */
  gboolean is_lost; /* another row took the place of one that left it unasked */
  ClipChoiceFunc changed;
  gpointer user_data;
};

guint64
clip_choice_entry_id (CliphistEntry *entry)
{
  guint64 id = 0;

  g_object_get (entry, "id", &id, NULL);
  return id;
}

static guint64
id_at (const ClipChoice *self, guint position)
{
  g_autoptr (CliphistEntry) entry = g_list_model_get_item (self->entries, position);

  return entry ? clip_choice_entry_id (entry) : 0;
}

static gboolean
is_among (const GArray *ids, guint64 id)
{
  for (guint i = 0; i < ids->len; i++)
    if (g_array_index (ids, guint64, i) == id)
      return TRUE;
  return FALSE;
}

static void
go_to (ClipChoice *self, guint position)
{
  guint64 id = id_at (self, position);
  gboolean is_same = id == self->id;

  self->position = position;
  self->id = id;
  if (!is_same)
    self->changed (self->user_data);
}

/* what is not chosen any more goes out of the order, what is new goes to its end */
static void
on_selected (ClipChoice *self)
{
  g_autoptr (GtkBitset) all =
      gtk_selection_model_get_selection (GTK_SELECTION_MODEL (self->selection));
  g_autoptr (GArray) now = g_array_new (FALSE, FALSE, sizeof (guint64));
  GtkBitsetIter iter;
  guint position;

  for (gboolean more = gtk_bitset_iter_init_first (&iter, all, &position); more;
       more = gtk_bitset_iter_next (&iter, &position))
    {
      guint64 id = id_at (self, position);

      g_array_append_val (now, id);
    }
  for (guint i = self->ids->len; i > 0; i--)
    if (!is_among (now, g_array_index (self->ids, guint64, i - 1)))
      g_array_remove_index (self->ids, i - 1);
  for (guint i = 0; i < now->len; i++)
    {
      guint64 id = g_array_index (now, guint64, self->goes_up ? now->len - 1 - i : i);

      if (!is_among (self->ids, id))
        g_array_append_val (self->ids, id);
    }
  if (gtk_bitset_get_size (all) == 1)
    go_to (self, gtk_bitset_get_nth (all, 0));
}

static void
select_row (ClipChoice *self, guint position, gboolean extend)
{
  self->awaited = 0;
  self->is_own = self->is_lost = FALSE;
  go_to (self, position);
  gtk_selection_model_select_item (GTK_SELECTION_MODEL (self->selection), position,
                                   !extend);
  gtk_widget_activate_action (GTK_WIDGET (self->view), "list.scroll-to-item", "u",
                              position);
}

static gboolean
select_awaited (ClipChoice *self, guint from, guint to)
{
  for (guint i = from; self->awaited != 0 && i < to; i++)
    if (id_at (self, i) == self->awaited)
      {
        select_row (self, i, FALSE);
        return TRUE;
      }
  return FALSE;
}

/* a row that has changed, as by a pin, goes and comes, and stays chosen beside others */
static void
select_again (ClipChoice *self, guint at, guint added)
{
  g_autoptr (GtkBitset) rows = gtk_bitset_new_range (at, added);
  g_autoptr (GtkBitset) chosen = gtk_bitset_new_empty ();

  for (guint i = at; i < at + added; i++)
    if (is_among (self->ids, id_at (self, i)))
      gtk_bitset_add (chosen, i);
  if (self->ids->len > 1 && !gtk_bitset_is_empty (chosen))
    gtk_selection_model_set_selection (GTK_SELECTION_MODEL (self->selection), chosen,
                                       rows);
}

/* Where the row that keys move from is among those that came, they move from there. One
 * row in the place of one is the same entry, copied again; where nobody chose it, and
 * others came, the first of these is the one that is meant.
 * Returns: whether it has left the list unasked */
static gboolean
find_again (ClipChoice *self, guint at, guint removed, guint added)
{
  for (guint i = at; self->id != 0 && i < at + added; i++)
    if (id_at (self, i) == self->id)
      {
        self->position = i;
        return FALSE;
      }
  if (self->id == self->may_go || (removed == 1 && added == 1))
    return FALSE;
  if (added > 0 && self->is_own)
    self->position = at;
  return added == 0 || !self->is_own;
}

/* GtkMultiSelection has moved with the rows; here is what it cannot know: where the row
 * went, and who takes its place */
static void
on_rows (GListModel *entries, guint at, guint removed, guint added, gpointer user_data)
{
  ClipChoice *self = user_data;
  guint n = g_list_model_get_n_items (entries);
  gboolean was_inside = self->position >= at && self->position < at + removed;

  if (n == 0)
    {
      g_array_set_size (self->ids, 0);
      go_to (self, 0);
      return;
    }
  if (select_awaited (self, at, at + added))
    return;
  select_again (self, at, added);
  if (self->id != 0 && !was_inside)
    {
      if (self->position >= at)
        self->position += added - removed;
      on_selected (self); /* of several one may have gone */
      return;
    }
  self->is_lost |= find_again (self, at, removed, added) && was_inside;
  /* of several that have gone, the row behind the last one is the neighbour */
  go_to (self, MIN (MIN (self->position, at + added), n - 1));
  gtk_selection_model_select_item (GTK_SELECTION_MODEL (self->selection), self->position,
                                   self->ids->len <= 1);
}

/**
 * clip_choice_new:
 * @changed: is called when keys move from another entry
 */
ClipChoice *
clip_choice_new (GListModel *entries,
                 GtkListView *view,
                 ClipChoiceFunc changed,
                 gpointer user_data)
{
  ClipChoice *self = g_new0 (ClipChoice, 1);

  self->entries = g_object_ref (entries);
  self->selection = gtk_multi_selection_new (g_object_ref (entries));
  self->view = view;
  self->changed = changed;
  self->user_data = user_data;
  self->ids = g_array_new (FALSE, FALSE, sizeof (guint64));
  g_signal_connect_swapped (self->selection, "selection-changed",
                            G_CALLBACK (on_selected), self);
  /* after the selection, which heard of it first */
  g_signal_connect_after (self->selection, "items-changed", G_CALLBACK (on_rows), self);
  gtk_list_view_set_model (view, GTK_SELECTION_MODEL (self->selection));
  return self;
}

void
clip_choice_free (ClipChoice *self)
{
  g_signal_handlers_disconnect_by_data (self->selection, self);
  g_object_unref (self->selection);
  g_object_unref (self->entries);
  g_array_unref (self->ids);
  g_free (self);
}

/* the first row, and no other */
void
clip_choice_reset (ClipChoice *self)
{
  self->position = 0;
  self->id = 0;
  self->is_lost = FALSE;
  if (g_list_model_get_n_items (self->entries) > 0)
    select_row (self, 0, FALSE);
  self->is_own = TRUE;
}

/* what the user does may take the row that keys move from out of the list */
void
clip_choice_let_go (ClipChoice *self)
{
  self->may_go = self->id;
}

/* Returns: whether the row that keys move from took the place of one that left the list
   unasked; tells so once: then this row is meant */
gboolean
clip_choice_take_lost (ClipChoice *self)
{
  gboolean is_lost = self->is_lost;

  self->is_lost = FALSE;
  return is_lost;
}

/* who chooses one row after the other, does not mean the one that was chosen of itself */
void
clip_choice_begin (ClipChoice *self)
{
  if (self->is_own && self->ids->len == 1)
    gtk_selection_model_unselect_all (GTK_SELECTION_MODEL (self->selection));
  self->is_own = FALSE;
}

/* who turns back has gone too far: of the first @n that are chosen, the last one leaves
   the choice */
static gboolean
turns_back (const ClipChoice *self, guint n, guint from, guint to)
{
  return n > 1 && g_array_index (self->ids, guint64, n - 1) == id_at (self, from) &&
         g_array_index (self->ids, guint64, n - 2) == id_at (self, to);
}

/* many rows at once: each change has us look at all that are chosen */
static void
extend_to (ClipChoice *self, guint to)
{
  GtkSelectionModel *selection = GTK_SELECTION_MODEL (self->selection);
  const guint from = self->position, n = self->ids->len;
  const guint step = to < from ? -1U : 1;
  guint at = from, n_back = 0;

  for (; at != to && turns_back (self, n - n_back, at, at + step); at += step)
    n_back++;
  gtk_selection_model_unselect_range (selection, MIN (from, at + 1), n_back);
  self->goes_up = to < at;
  gtk_selection_model_select_range (selection, MIN (at, to),
                                    MAX (at, to) - MIN (at, to) + 1, FALSE);
  self->goes_up = FALSE;
}

/* Returns: how many rows there would have to be below the last one for a move by @rows */
guint
clip_choice_lacks (const ClipChoice *self, int rows)
{
  gint64 n = g_list_model_get_n_items (self->entries);

  return (guint) MAX (0, (gint64) self->position + rows + 1 - n);
}

/**
 * clip_choice_move:
 * @rows: down, or up; beyond an end it stops there
 * @extend: what is chosen stays chosen, but for the way back
 */
void
clip_choice_move (ClipChoice *self, int rows, gboolean extend)
{
  gint64 n = g_list_model_get_n_items (self->entries);
  gint64 to = CLAMP ((gint64) self->position + rows, 0, n - 1);

  if (n == 0)
    return;
  if (extend)
    extend_to (self, (guint) to);
  select_row (self, (guint) to, extend);
}

/* all from the row that keys move from to that one are chosen, too. GtkListView begins at
 * the one that was clicked last, perhaps when the window was open before. */
void
clip_choice_extend (ClipChoice *self, guint position)
{
  clip_choice_move (self, (int) position - (int) self->position, TRUE);
}

void
clip_choice_set (ClipChoice *self, guint position)
{
  if (position < g_list_model_get_n_items (self->entries))
    select_row (self, position, FALSE);
}

/* chooses the entry of that id, now or when it comes, unless keys move before */
void
clip_choice_await (ClipChoice *self, guint64 id)
{
  self->awaited = id;
  select_awaited (self, 0, g_list_model_get_n_items (self->entries));
}

/* Returns: (transfer full) (nullable): the one that keys move from */
CliphistEntry *
clip_choice_entry (const ClipChoice *self)
{
  return g_list_model_get_item (self->entries, self->position);
}

/* Returns: (transfer full) (element-type guint64): all that are chosen, in the order of
   choosing */
GArray *
clip_choice_ids (const ClipChoice *self)
{
  return g_array_copy (self->ids);
}

/* Returns: from 1 on, where several are chosen; 0: it is not one of several */
guint
clip_choice_order (const ClipChoice *self, CliphistEntry *entry)
{
  guint64 id = self->ids->len > 1 ? clip_choice_entry_id (entry) : 0;

  for (guint i = 0; id != 0 && i < self->ids->len; i++)
    if (g_array_index (self->ids, guint64, i) == id)
      return i + 1;
  return 0;
}

/* of all that are chosen; %CLIPHIST_KIND_ANY where they differ, or there is none */
CliphistKind
clip_choice_kind (const ClipChoice *self)
{
  g_autoptr (GtkBitset) all =
      gtk_selection_model_get_selection (GTK_SELECTION_MODEL (self->selection));
  CliphistKind common = CLIPHIST_KIND_ANY;

  for (guint i = 0; i < gtk_bitset_get_size (all); i++)
    {
      g_autoptr (CliphistEntry) entry =
          g_list_model_get_item (self->entries, gtk_bitset_get_nth (all, i));
      CliphistKind kind = CLIPHIST_KIND_ANY;

      g_object_get (entry, "kind", &kind, NULL);
      if (i > 0 && kind != common)
        return CLIPHIST_KIND_ANY;
      common = kind;
    }
  return common;
}
