/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "cliphist-rows.h"

void
cliphist_rows_init (CliphistRows *self, GListModel *model)
{
  self->model = model;
  self->items = g_ptr_array_new_with_free_func (g_object_unref);
}

void
cliphist_rows_clear (CliphistRows *self)
{
  g_clear_pointer (&self->items, g_ptr_array_unref);
}

static guint64
id_at (const GPtrArray *items, guint position)
{
  return cliphist_entry_get_id (g_ptr_array_index (items, position));
}

gboolean
cliphist_rows_find (const CliphistRows *self, guint64 id, guint *out_position)
{
  for (guint i = 0; i < self->items->len; i++)
    if (id_at (self->items, i) == id)
      {
        *out_position = i;
        return TRUE;
      }
  return FALSE;
}

/* 0 where there is none. What moved and has kept its place is not in order */
guint64
cliphist_rows_lowest (const CliphistRows *self)
{
  guint64 lowest = 0;

  for (guint i = 0; i < self->items->len; i++)
    if (lowest == 0 || id_at (self->items, i) < lowest)
      lowest = id_at (self->items, i);
  return lowest;
}

/* takes what is in @fresh from @first on, so many of them */
static void
splice (CliphistRows *self,
        guint position,
        guint n_removed,
        GPtrArray *fresh,
        guint first,
        guint n_added)
{
  if (n_removed == 0 && n_added == 0)
    return;
  if (n_removed > 0)
    g_ptr_array_remove_range (self->items, position, n_removed);
  for (guint i = 0; i < n_added; i++)
    g_ptr_array_insert (self->items, (int) (position + i),
                        g_object_ref (g_ptr_array_index (fresh, first + i)));
  g_list_model_items_changed (self->model, position, n_removed, n_added);
}

static gboolean
is_same (const CliphistRows *self, guint position, GPtrArray *fresh, guint i)
{
  return cliphist_entry_is_same (g_ptr_array_index (self->items, position),
                                 g_ptr_array_index (fresh, i));
}

/* what is the same at both ends stays, the objects too */
void
cliphist_rows_replace (CliphistRows *self, GPtrArray *fresh)
{
  const guint n_old = self->items->len, n_new = fresh->len;
  guint head = 0, tail = 0;

  while (head < n_old && head < n_new && is_same (self, head, fresh, head))
    head++;
  while (tail < n_old - head && tail < n_new - head &&
         is_same (self, n_old - tail - 1, fresh, n_new - tail - 1))
    tail++;
  splice (self, head, n_old - head - tail, fresh, head, n_new - head - tail);
}

void
cliphist_rows_insert (CliphistRows *self, guint position, GPtrArray *fresh)
{
  splice (self, position, 0, fresh, 0, fresh->len);
}

void
cliphist_rows_insert_sorted (CliphistRows *self, CliphistEntry *entry)
{
  guint position = 0;

  while (position < self->items->len &&
         id_at (self->items, position) > cliphist_entry_get_id (entry))
    position++;
  g_ptr_array_insert (self->items, (int) position, g_object_ref (entry));
  g_list_model_items_changed (self->model, position, 0, 1);
}

void
cliphist_rows_set (CliphistRows *self, guint position, CliphistEntry *entry)
{
  if (cliphist_entry_is_same (g_ptr_array_index (self->items, position), entry))
    return;
  g_object_unref (self->items->pdata[position]);
  self->items->pdata[position] = g_object_ref (entry);
  g_list_model_items_changed (self->model, position, 1, 1);
}

void
cliphist_rows_remove_at (CliphistRows *self, guint position)
{
  splice (self, position, 1, NULL, 0, 0);
}

/* what follows on each other goes at once */
static void
remove_where (CliphistRows *self,
              gboolean (*goes) (guint64 id, gpointer user_data),
              gpointer user_data)
{
  for (guint end = self->items->len; end > 0;)
    {
      guint start = end;

      while (start > 0 && goes (id_at (self->items, start - 1), user_data))
        start--;
      splice (self, start, end - start, NULL, 0, 0);
      end = start > 0 ? start - 1 : 0;
    }
}

static gboolean
is_among (guint64 id, gpointer ids)
{
  return g_hash_table_contains (ids, &id);
}

/* @ids: of guint64 */
void
cliphist_rows_remove (CliphistRows *self, GHashTable *ids)
{
  if (g_hash_table_size (ids) > 0)
    remove_where (self, is_among, ids);
}

static gboolean
is_above (guint64 id, gpointer limit)
{
  return id > *(const guint64 *) limit;
}

void
cliphist_rows_remove_above (CliphistRows *self, guint64 id)
{
  remove_where (self, is_above, &id);
}
