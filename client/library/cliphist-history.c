/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A history is read a page at a time, and after that only what its signals name: one read
 * after the other, each from what is wanted by then. What is read tells of a moment that
 * may be over when the answer comes; the ids that went meanwhile are kept until then.
 */
#include "cliphist-rows.h"

/* of which a screen is full: a row costs a program that shows it more than the daemon */
#define PAGE_ROWS 12
#define MOST_ROWS 1000 /* of one List */

/* A search that was superseded goes on in the daemon, which has two threads for searches:
 * while both have one of ours, the newest waits. */
#define MOST_UNDER_WAY 2

typedef enum
{
  READ_ALL,     /* the first rows, instead of those that there are */
  READ_NEWER,   /* those above the newest */
  READ_CHANGED, /* one */
  READ_MORE,    /* those below the last */
} ReadKind;

/* A List that was not answered yet. */
typedef struct
{
  GWeakRef history;
  ReadKind kind;
  guint serial;
  guint limit;
  guint64 id;        /* of READ_CHANGED */
  guint64 announced; /* the highest id that was heard of before */
} Read;

/**
 * CliphistHistory:
 *
 * The clipboard history of the session, as a list of [class@Entry], newest first.
 *
 * It reads a first page by itself, and further ones when [method@History.load_more] asks.
 * From then on it follows: what is copied, changed or removed is in the list without
 * a further call, and nothing is polled for. Another [property@History:query] searches;
 * the rows of the one before stay until the new ones are there.
 *
 * The daemon is started where it is not running. One that ends leaves the rows as they
 * are, and when it is back they are read again: the first 1,000 of them, so that a longer
 * list is shorter then.
 *
 * A history belongs to the thread that makes it: everything happens in the thread-default
 * main context of that moment.
 */
struct _CliphistHistory
{
  GObject parent_instance;
  GDBusConnection *connection; /* (nullable): NULL until the bus has answered */
  GCancellable *life;
  guint signals_id;
  guint properties_id;
  guint watch_id;

  CliphistQuery *query; /* (nullable) */
  CliphistRows rows;
  gboolean complete;
  guint64 newest;    /* no row that is to come on top has an id up to here */
  guint64 announced; /* the highest id that was heard of */

  gboolean wants_all;
  gboolean wants_first; /* with wants_all: a page, however many rows there are */
  gboolean wants_newer;
  guint n_more;        /* rows that are wanted below the last */
  GHashTable *changed; /* of guint64: to be read */
  guint last_serial;
  guint reading; /* the serial of the read whose answer counts; 0 = none */
  ReadKind reading_kind;
  guint n_under_way;
  GHashTable *gone;  /* of guint64: since that read began */
  gboolean is_stale; /* something was missed */

  gboolean hold;
  GHashTable *held; /* of guint64: new, and not in the list yet */
  guint64 n_imported;

  gboolean loading;
  guint n_asked; /* changes without an answer */
  gboolean changing;
  gboolean available;
  gint64 paused_until;
  GError *error; /* (nullable) */
};

enum
{
  PROP_CONNECTION = 1,
  PROP_QUERY,
  PROP_HOLD,
  PROP_N_HELD,
  PROP_LOADING,
  PROP_CHANGING,
  PROP_COMPLETE,
  PROP_AVAILABLE,
  PROP_PAUSED_UNTIL,
  PROP_ERROR,
  N_PROPS,
};

static GParamSpec *props[N_PROPS];

static void read_next (CliphistHistory *self);

/* --- the list --- */

static GType
get_item_type (GListModel *model G_GNUC_UNUSED)
{
  return CLIPHIST_TYPE_ENTRY;
}

static guint
get_n_items (GListModel *model)
{
  return CLIPHIST_HISTORY (model)->rows.items->len;
}

static gpointer
get_item (GListModel *model, guint position)
{
  const CliphistHistory *self = CLIPHIST_HISTORY (model);

  if (position >= self->rows.items->len)
    return NULL;
  return g_object_ref (g_ptr_array_index (self->rows.items, position));
}

static void
init_list_model (GListModelInterface *interface)
{
  interface->get_item_type = get_item_type;
  interface->get_n_items = get_n_items;
  interface->get_item = get_item;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (CliphistHistory,
                               cliphist_history,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, init_list_model))

/* --- what others see --- */

static void
set_flag (CliphistHistory *self, gboolean *flag, gboolean value, guint property)
{
  if (*flag == value)
    return;
  *flag = value;
  g_object_notify_by_pspec (G_OBJECT (self), props[property]);
}

static void
set_error (CliphistHistory *self, GError *error_take)
{
  if (!error_take && !self->error)
    return;
  g_clear_error (&self->error);
  self->error = error_take;
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_ERROR]);
}

static void
update_loading (CliphistHistory *self)
{
  const gboolean reads = self->reading && (self->reading_kind == READ_ALL ||
                                           self->reading_kind == READ_MORE);

  set_flag (self, &self->loading, reads || self->wants_all || self->n_more > 0,
            PROP_LOADING);
}

static void
add_id (GHashTable *ids, guint64 id)
{
  g_hash_table_add (ids, g_memdup2 (&id, sizeof id));
}

/* --- reading --- */

static void
read_free (Read *self)
{
  g_weak_ref_clear (&self->history);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Read, read_free)

/* (transfer full) (element-type CliphistEntry): without those that are gone by now, and,
 * where nothing is to move, without those that are new */
static GPtrArray *
take_rows (CliphistHistory *self, GVariant *reply, gboolean holds, guint *out_n)
{
  GPtrArray *rows = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GVariant) page = g_variant_get_child_value (reply, 0);
  GVariantIter iter;
  GVariant *row;

  *out_n = (guint) g_variant_iter_init (&iter, page);
  while ((row = g_variant_iter_next_value (&iter)))
    {
      CliphistEntry *entry = cliphist_entry_new (row);
      guint64 id = cliphist_entry_get_id (entry);

      if (g_hash_table_contains (self->gone, &id))
        g_object_unref (entry);
      else if (holds && id > self->newest)
        {
          add_id (self->held, id);
          g_object_unref (entry);
        }
      else
        g_ptr_array_add (rows, entry);
      g_variant_unref (row);
    }
  return rows;
}

/* to those of @rows, which are held no more */
static void
raise_newest (CliphistHistory *self, const Read *read, GPtrArray *rows)
{
  if (rows->len > 0)
    self->newest =
        MAX (self->newest, cliphist_entry_get_id (g_ptr_array_index (rows, 0)));
  self->newest = MAX (self->newest, read->announced);
  for (guint i = 0; i < rows->len; i++)
    {
      guint64 id = cliphist_entry_get_id (g_ptr_array_index (rows, i));

      g_hash_table_remove (self->held, &id);
    }
}

static void
apply_all (CliphistHistory *self, const Read *read, GVariant *reply)
{
  const gboolean holds = self->hold && self->newest > 0 && self->rows.items->len > 0;
  guint n;
  g_autoptr (GPtrArray) rows = take_rows (self, reply, holds, &n);

  if (!holds)
    raise_newest (self, read, rows);
  self->is_stale = FALSE;
  cliphist_rows_replace (&self->rows, rows);
  set_flag (self, &self->complete, n < read->limit, PROP_COMPLETE);
}

static void
apply_newer (CliphistHistory *self, const Read *read, GVariant *reply)
{
  guint n;
  g_autoptr (GPtrArray) rows = take_rows (self, reply, FALSE, &n);

  if (n >= read->limit)
    {
      self->wants_all = TRUE;
      return;
    }
  /* what moved, and has kept its place until now */
  cliphist_rows_remove_above (&self->rows, self->newest);
  raise_newest (self, read, rows);
  cliphist_rows_insert (&self->rows, 0, rows);
}

/* one that does not fit the query any more goes, one that does now comes */
static void
apply_changed (CliphistHistory *self, const Read *read, GVariant *reply)
{
  guint n, position;
  g_autoptr (GPtrArray) rows = take_rows (self, reply, FALSE, &n);
  const gboolean is_listed = cliphist_rows_find (&self->rows, read->id, &position);

  if (is_listed && rows->len > 0)
    cliphist_rows_set (&self->rows, position, g_ptr_array_index (rows, 0));
  else if (is_listed)
    cliphist_rows_remove_at (&self->rows, position);
  else if (rows->len > 0 && read->id <= self->newest &&
           (self->complete || read->id > cliphist_rows_lowest (&self->rows)))
    cliphist_rows_insert_sorted (&self->rows, g_ptr_array_index (rows, 0));
}

static void
apply_more (CliphistHistory *self, const Read *read, GVariant *reply)
{
  guint n;
  g_autoptr (GPtrArray) rows = take_rows (self, reply, FALSE, &n);

  cliphist_rows_insert (&self->rows, self->rows.items->len, rows);
  set_flag (self, &self->complete, n < read->limit, PROP_COMPLETE);
}

static void
apply (CliphistHistory *self, const Read *read, GVariant *reply)
{
  static void (*const functions[]) (CliphistHistory *, const Read *, GVariant *) = {
    [READ_ALL] = apply_all,
    [READ_NEWER] = apply_newer,
    [READ_CHANGED] = apply_changed,
    [READ_MORE] = apply_more,
  };
  const guint n_held = g_hash_table_size (self->held);

  functions[read->kind](self, read, reply);
  if (g_hash_table_size (self->held) != n_held)
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_N_HELD]);
  set_error (self, NULL);
}

static void
on_read (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Read) read = user_data;
  g_autoptr (CliphistHistory) self = g_weak_ref_get (&read->history);
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) reply = cliphist_call_finish (result, NULL, &error);

  if (!self)
    return;
  self->n_under_way--;
  if (read->serial == self->reading)
    {
      self->reading = 0;
      if (reply && g_variant_is_of_type (reply, G_VARIANT_TYPE ("(aa{sv})")))
        apply (self, read, reply);
      else
        {
          self->is_stale = TRUE;
          self->n_more = 0;
          set_error (self, g_steal_pointer (&error));
        }
    }
  read_next (self);
}

static void
begin (CliphistHistory *self, ReadKind kind, guint64 before, guint64 after, guint limit)
{
  Read *read = g_new0 (Read, 1);

  g_weak_ref_init (&read->history, self);
  read->kind = kind;
  read->serial = ++self->last_serial;
  read->limit = limit;
  read->id = kind == READ_CHANGED ? before - 1 : 0;
  read->announced = self->announced;
  self->reading = read->serial;
  self->reading_kind = kind;
  self->n_under_way++;
  g_hash_table_remove_all (self->gone);
  cliphist_call_async (self->connection, "List",
                       g_variant_new ("(@a{sv})", cliphist_query_to_variant (
                                                      self->query, before, after, limit)),
                       NULL, CLIPHIST_CALL_SOON, self->life, on_read, read);
}

static void
begin_all (CliphistHistory *self)
{
  const guint pages = (self->rows.items->len + PAGE_ROWS - 1) / PAGE_ROWS;
  const guint limit =
      self->wants_first ? PAGE_ROWS : CLAMP (pages * PAGE_ROWS, PAGE_ROWS, MOST_ROWS);

  self->wants_all = self->wants_first = FALSE;
  self->wants_newer = FALSE;
  self->n_more = 0;
  g_hash_table_remove_all (self->changed);
  begin (self, READ_ALL, 0, 0, limit);
}

/* what is more than that is a list of its own */
static void
begin_newer (CliphistHistory *self)
{
  self->wants_newer = FALSE;
  begin (self, READ_NEWER, 0, self->newest, self->newest > 0 ? MOST_ROWS : PAGE_ROWS);
}

static void
begin_changed (CliphistHistory *self)
{
  GHashTableIter iter;
  gpointer key;
  guint64 id;

  g_hash_table_iter_init (&iter, self->changed);
  g_hash_table_iter_next (&iter, &key, NULL);
  id = *(guint64 *) key;
  g_hash_table_iter_remove (&iter);
  begin (self, READ_CHANGED, id + 1, id - 1, 1);
}

static void
begin_more (CliphistHistory *self)
{
  const guint limit = CLAMP (self->n_more, PAGE_ROWS, MOST_ROWS);

  self->n_more = self->complete ? 0 : self->n_more - MIN (self->n_more, limit);
  if (!self->complete)
    begin (self, READ_MORE, cliphist_rows_lowest (&self->rows), 0, limit);
}

static void
forget_held (CliphistHistory *self)
{
  const gboolean had = g_hash_table_size (self->held) > 0 || self->n_imported > 0;

  g_hash_table_remove_all (self->held);
  self->n_imported = 0;
  if (had)
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_N_HELD]);
}

/* what was held is wanted now */
static void
let_in (CliphistHistory *self)
{
  self->wants_newer = self->wants_newer || g_hash_table_size (self->held) > 0;
  self->wants_all = self->wants_all || self->n_imported > 0;
  forget_held (self);
}

/* what is wanted most; where there are no rows nothing can move */
static void
read_next (CliphistHistory *self)
{
  if (self->rows.items->len == 0 && !self->reading)
    let_in (self);
  if (self->connection && !self->reading && self->n_under_way < MOST_UNDER_WAY)
    {
      if (g_hash_table_size (self->changed) > PAGE_ROWS)
        self->wants_all = TRUE;
      if (self->wants_all)
        begin_all (self);
      else if (self->wants_newer)
        begin_newer (self);
      else if (g_hash_table_size (self->changed) > 0)
        begin_changed (self);
      else if (self->n_more > 0)
        begin_more (self);
    }
  update_loading (self);
}

/* what is being read is not wanted any more */
static void
read_all (CliphistHistory *self)
{
  self->reading = 0;
  self->wants_all = TRUE;
  read_next (self);
}

/* --- following --- */

static void
hear_of (CliphistHistory *self, guint64 id)
{
  self->announced = MAX (self->announced, id);
  if (self->hold)
    {
      add_id (self->held, id);
      g_object_notify_by_pspec (G_OBJECT (self), props[PROP_N_HELD]);
    }
  else
    self->wants_newer = TRUE;
}

static void
on_moved (CliphistHistory *self, guint64 old_id, guint64 id)
{
  guint position;

  add_id (self->gone, old_id);
  g_hash_table_remove (self->held, &old_id);
  if (cliphist_rows_find (&self->rows, old_id, &position))
    {
      g_autoptr (CliphistEntry) moved =
          cliphist_entry_new_moved (g_ptr_array_index (self->rows.items, position), id);

      cliphist_rows_set (&self->rows, position, moved);
    }
  if (!self->hold || old_id != self->newest || g_hash_table_size (self->held) > 0)
    {
      hear_of (self, id);
      return;
    }
  /* on top already: only when it was copied has changed */
  self->newest = self->announced = id;
  add_id (self->changed, id);
}

/* @ids: at; empty: more than a signal takes, or all */
static void
on_removed (CliphistHistory *self, GVariant *ids)
{
  g_autoptr (GHashTable) removed =
      g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  const guint n_held = g_hash_table_size (self->held);
  gsize n;
  const guint64 *array = g_variant_get_fixed_array (ids, &n, sizeof *array);

  if (n == 0)
    {
      self->newest = self->announced = 0;
      forget_held (self);
      read_all (self);
      return;
    }
  for (gsize i = 0; i < n; i++)
    {
      add_id (removed, array[i]);
      add_id (self->gone, array[i]);
      g_hash_table_remove (self->held, &array[i]);
    }
  cliphist_rows_remove (&self->rows, removed);
  if (g_hash_table_size (self->held) != n_held)
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_N_HELD]);
}

static void
on_imported (CliphistHistory *self, guint64 n)
{
  if (!self->hold)
    {
      read_all (self);
      return;
    }
  self->n_imported += n;
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_N_HELD]);
}

static void
on_event (CliphistHistory *self, const char *name, GVariant *arguments)
{
  g_autoptr (GVariant) ids = NULL;
  guint64 id, other_id;

  if (g_str_equal (name, "EntryAdded"))
    {
      g_variant_get (arguments, "(t@a{sv})", &id, NULL);
      hear_of (self, id);
    }
  else if (g_str_equal (name, "EntryMoved"))
    {
      g_variant_get (arguments, "(tt)", &id, &other_id);
      on_moved (self, id, other_id);
    }
  else if (g_str_equal (name, "EntriesRemoved"))
    {
      g_variant_get (arguments, "(@at)", &ids);
      on_removed (self, ids);
    }
  else if (g_str_equal (name, "EntryChanged"))
    {
      g_variant_get (arguments, "(t@a{sv})", &id, NULL);
      add_id (self->changed, id);
    }
  else if (g_str_equal (name, "EntriesImported"))
    {
      g_variant_get (arguments, "(t)", &id);
      on_imported (self, id);
    }
  if (self->is_stale)
    self->wants_all = TRUE;
  read_next (self);
}

/* of which type the arguments are: the daemon is trusted, but not to be of our version */
static gboolean
is_known (const char *name, GVariant *arguments)
{
  static const struct
  {
    const char *name, *type;
  } known[] = {
    { "EntryAdded", "(ta{sv})" }, { "EntryMoved", "(tt)" },
    { "EntriesRemoved", "(at)" }, { "EntryChanged", "(ta{sv})" },
    { "EntriesImported", "(t)" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (g_str_equal (name, known[i].name))
      return g_variant_is_of_type (arguments, G_VARIANT_TYPE (known[i].type));
  return FALSE;
}

static void
on_signal (GDBusConnection *connection G_GNUC_UNUSED,
           const char *sender G_GNUC_UNUSED,
           const char *path G_GNUC_UNUSED,
           const char *interface G_GNUC_UNUSED,
           const char *name,
           GVariant *arguments,
           gpointer user_data)
{
  if (is_known (name, arguments))
    on_event (user_data, name, arguments);
}

static void
set_paused (CliphistHistory *self, GVariant *value)
{
  gint64 until = g_variant_get_int64 (value);

  if (until == self->paused_until)
    return;
  self->paused_until = until;
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_PAUSED_UNTIL]);
}

static void
on_properties (GDBusConnection *connection G_GNUC_UNUSED,
               const char *sender G_GNUC_UNUSED,
               const char *path G_GNUC_UNUSED,
               const char *interface G_GNUC_UNUSED,
               const char *name G_GNUC_UNUSED,
               GVariant *arguments,
               gpointer user_data)
{
  g_autoptr (GVariant) changed = NULL;
  g_autoptr (GVariant) until = NULL;

  if (!g_variant_is_of_type (arguments, G_VARIANT_TYPE ("(sa{sv}as)")))
    return;
  g_variant_get (arguments, "(&s@a{sv}@as)", NULL, &changed, NULL);
  until = g_variant_lookup_value (changed, "PausedUntil", G_VARIANT_TYPE_INT64);
  if (until)
    set_paused (user_data, until);
}

static void
on_paused (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Read) read = user_data;
  g_autoptr (CliphistHistory) self = g_weak_ref_get (&read->history);
  g_autoptr (GVariant) reply =
      g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result, NULL);
  g_autoptr (GVariant) value = NULL;

  if (!self || !reply)
    return;
  g_variant_get (reply, "(v)", &value);
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_INT64))
    set_paused (self, value);
}

static void
ask_whether_paused (CliphistHistory *self)
{
  Read *read = g_new0 (Read, 1);

  g_weak_ref_init (&read->history, self);
  g_dbus_connection_call (self->connection, CLIPHIST_BUS_NAME, CLIPHIST_BUS_PATH,
                          "org.freedesktop.DBus.Properties", "Get",
                          g_variant_new ("(ss)", CLIPHIST_BUS_NAME, "PausedUntil"),
                          G_VARIANT_TYPE ("(v)"), G_DBUS_CALL_FLAGS_NO_AUTO_START, -1,
                          self->life, on_paused, read);
}

static void
on_appeared (GDBusConnection *connection G_GNUC_UNUSED,
             const char *name G_GNUC_UNUSED,
             const char *owner G_GNUC_UNUSED,
             gpointer user_data)
{
  CliphistHistory *self = user_data;

  set_flag (self, &self->available, TRUE, PROP_AVAILABLE);
  ask_whether_paused (self);
  if (self->is_stale)
    read_all (self);
}

static void
on_vanished (GDBusConnection *connection G_GNUC_UNUSED,
             const char *name G_GNUC_UNUSED,
             gpointer user_data)
{
  CliphistHistory *self = user_data;

  /* what is wanted by then is read when it is back, and starts no daemon; it may have
     another history, whose ids begin anew */
  if (self->available)
    {
      self->is_stale = TRUE;
      self->newest = self->announced = 0;
      forget_held (self);
      self->wants_newer = FALSE;
      self->n_more = 0;
      g_hash_table_remove_all (self->changed);
    }
  set_flag (self, &self->available, FALSE, PROP_AVAILABLE);
}

/* --- beginning and end --- */

/* what happens from here on is heard of, so that nothing is missed after the first
   page */
static void
follow (CliphistHistory *self)
{
  self->signals_id = g_dbus_connection_signal_subscribe (
      self->connection, CLIPHIST_BUS_NAME, CLIPHIST_BUS_NAME, NULL, CLIPHIST_BUS_PATH,
      NULL, G_DBUS_SIGNAL_FLAGS_NONE, on_signal, self, NULL);
  self->properties_id = g_dbus_connection_signal_subscribe (
      self->connection, CLIPHIST_BUS_NAME, "org.freedesktop.DBus.Properties",
      "PropertiesChanged", CLIPHIST_BUS_PATH, CLIPHIST_BUS_NAME, G_DBUS_SIGNAL_FLAGS_NONE,
      on_properties, self, NULL);
  self->watch_id = g_bus_watch_name_on_connection (self->connection, CLIPHIST_BUS_NAME,
                                                   G_BUS_NAME_WATCHER_FLAGS_NONE,
                                                   on_appeared, on_vanished, self, NULL);
  read_next (self);
}

static void
on_bus (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Read) read = user_data;
  g_autoptr (CliphistHistory) self = g_weak_ref_get (&read->history);
  g_autoptr (GError) error = NULL;
  g_autoptr (GDBusConnection) connection = g_bus_get_finish (result, &error);

  if (!self)
    return;
  if (connection)
    {
      self->connection = g_steal_pointer (&connection);
      g_object_notify_by_pspec (G_OBJECT (self), props[PROP_CONNECTION]);
      follow (self);
      return;
    }
  self->wants_all = FALSE;
  set_error (self, g_error_new_literal (CLIPHIST_ERROR, CLIPHIST_ERROR_UNAVAILABLE,
                                        error->message));
  update_loading (self);
}

static void
cliphist_history_constructed (GObject *object)
{
  CliphistHistory *self = CLIPHIST_HISTORY (object);

  G_OBJECT_CLASS (cliphist_history_parent_class)->constructed (object);
  self->wants_all = TRUE;
  self->loading = TRUE;
  if (self->connection)
    follow (self);
  else
    {
      Read *read = g_new0 (Read, 1);

      g_weak_ref_init (&read->history, self);
      g_bus_get (G_BUS_TYPE_SESSION, self->life, on_bus, read);
    }
}

static void
cliphist_history_dispose (GObject *object)
{
  CliphistHistory *self = CLIPHIST_HISTORY (object);

  g_cancellable_cancel (self->life);
  if (self->signals_id)
    g_dbus_connection_signal_unsubscribe (self->connection, self->signals_id);
  if (self->properties_id)
    g_dbus_connection_signal_unsubscribe (self->connection, self->properties_id);
  if (self->watch_id)
    g_bus_unwatch_name (self->watch_id);
  self->signals_id = self->properties_id = self->watch_id = 0;
  g_clear_object (&self->connection);
  g_clear_object (&self->query);
  G_OBJECT_CLASS (cliphist_history_parent_class)->dispose (object);
}

static void
cliphist_history_finalize (GObject *object)
{
  CliphistHistory *self = CLIPHIST_HISTORY (object);

  cliphist_rows_clear (&self->rows);
  g_hash_table_unref (self->changed);
  g_hash_table_unref (self->gone);
  g_hash_table_unref (self->held);
  g_clear_error (&self->error);
  g_object_unref (self->life);
  G_OBJECT_CLASS (cliphist_history_parent_class)->finalize (object);
}

static void
cliphist_history_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  const CliphistHistory *self = CLIPHIST_HISTORY (object);

  switch (id)
    {
    case PROP_CONNECTION:
      g_value_set_object (value, self->connection);
      break;
    case PROP_QUERY:
      g_value_set_object (value, self->query);
      break;
    case PROP_HOLD:
      g_value_set_boolean (value, self->hold);
      break;
    case PROP_N_HELD:
      g_value_set_uint64 (value, g_hash_table_size (self->held) + self->n_imported);
      break;
    case PROP_LOADING:
      g_value_set_boolean (value, self->loading);
      break;
    case PROP_CHANGING:
      g_value_set_boolean (value, self->changing);
      break;
    case PROP_COMPLETE:
      g_value_set_boolean (value, self->complete);
      break;
    case PROP_AVAILABLE:
      g_value_set_boolean (value, self->available);
      break;
    case PROP_PAUSED_UNTIL:
      g_value_set_int64 (value, self->paused_until);
      break;
    case PROP_ERROR:
      g_value_set_boxed (value, self->error);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
    }
}

/* who searches looks at the list anew: what was held is in it */
static void
set_query (CliphistHistory *self, CliphistQuery *query)
{
  if (!g_set_object (&self->query, query))
    return;
  self->newest = 0;
  self->wants_first = TRUE;
  forget_held (self);
  read_all (self);
}

static void
set_hold (CliphistHistory *self, gboolean hold)
{
  self->hold = hold;
  if (hold)
    return;
  let_in (self);
  read_next (self);
}

static void
cliphist_history_set_property (GObject *object,
                               guint id,
                               const GValue *value,
                               GParamSpec *spec)
{
  CliphistHistory *self = CLIPHIST_HISTORY (object);

  switch (id)
    {
    case PROP_CONNECTION:
      self->connection = g_value_dup_object (value);
      break;
    case PROP_QUERY:
      set_query (self, g_value_get_object (value));
      break;
    case PROP_HOLD:
      set_hold (self, g_value_get_boolean (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
    }
}

/* what a program sets */
static void
define_settings (void)
{
  /**
   * CliphistHistory:connection:
   *
   * (nullable): The bus that the daemon is on. Where none is given it is the session bus,
   * and %NULL until that has answered.
   */
  props[PROP_CONNECTION] = g_param_spec_object (
      "connection", NULL, NULL, G_TYPE_DBUS_CONNECTION,
      G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);
  /**
   * CliphistHistory:query:
   *
   * (nullable): Which entries the list has; %NULL is all. After a change the list stays
   * as it is until the first page of the new one is there, and [property@History:loading]
   * is set meanwhile.
   */
  props[PROP_QUERY] = g_param_spec_object ("query", NULL, NULL, CLIPHIST_TYPE_QUERY,
                                           G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  /**
   * CliphistHistory:hold:
   *
   * Whether nothing comes on top by itself, so that nothing moves under a hand. What is
   * copied meanwhile is counted by [property@History:n-held], and comes when this is
   * unset, or with another query, or where the list is empty. An entry that is copied
   * again keeps its place and has its new id; one that is the newest already is not
   * counted. What is removed goes at once.
   */
  props[PROP_HOLD] = g_param_spec_boolean ("hold", NULL, NULL, FALSE,
                                           G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
}

/* what it tells */
static void
define_state (void)
{
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  /**
   * CliphistHistory:n-held:
   *
   * How many entries wait for [property@History:hold] to be unset.
   */
  props[PROP_N_HELD] =
      g_param_spec_uint64 ("n-held", NULL, NULL, 0, G_MAXUINT64, 0, flags);
  /**
   * CliphistHistory:loading:
   *
   * Whether the first page or a further one is on its way.
   */
  props[PROP_LOADING] = g_param_spec_boolean ("loading", NULL, NULL, FALSE, flags);
  /**
   * CliphistHistory:changing:
   *
   * Whether a change was asked for that is not answered yet.
   */
  props[PROP_CHANGING] = g_param_spec_boolean ("changing", NULL, NULL, FALSE, flags);
  /**
   * CliphistHistory:complete:
   *
   * Whether the list has all there is, down to the oldest.
   */
  props[PROP_COMPLETE] = g_param_spec_boolean ("complete", NULL, NULL, FALSE, flags);
  /**
   * CliphistHistory:available:
   *
   * Whether a daemon is there.
   */
  props[PROP_AVAILABLE] = g_param_spec_boolean ("available", NULL, NULL, FALSE, flags);
  /**
   * CliphistHistory:paused-until:
   *
   * Until when nothing is kept: microseconds since the epoch; 0 is not paused, -1 until
   * told.
   */
  props[PROP_PAUSED_UNTIL] =
      g_param_spec_int64 ("paused-until", NULL, NULL, -1, G_MAXINT64, 0, flags);
  /**
   * CliphistHistory:error:
   *
   * (nullable): Why the list could not be read the last time, as [error@Error]; %NULL
   * where it could. The rows are those from before.
   */
  props[PROP_ERROR] = g_param_spec_boxed ("error", NULL, NULL, G_TYPE_ERROR, flags);
}

static void
cliphist_history_class_init (CliphistHistoryClass *klass)
{
  GObjectClass *object = G_OBJECT_CLASS (klass);

  object->constructed = cliphist_history_constructed;
  object->dispose = cliphist_history_dispose;
  object->finalize = cliphist_history_finalize;
  object->get_property = cliphist_history_get_property;
  object->set_property = cliphist_history_set_property;
  define_settings ();
  define_state ();
  g_object_class_install_properties (object, N_PROPS, props);
}

static void
cliphist_history_init (CliphistHistory *self)
{
  cliphist_rows_init (&self->rows, G_LIST_MODEL (self));
  self->changed = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  self->gone = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  self->held = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  self->life = g_cancellable_new ();
}

/* (nullable): where the session bus has not answered yet */
GDBusConnection *
cliphist_history_connection (CliphistHistory *self)
{
  return self->connection;
}

static void
on_answered (CliphistHistory *self)
{
  self->n_asked--;
  set_flag (self, &self->changing, self->n_asked > 0, PROP_CHANGING);
}

/* @change: has not been answered */
void
cliphist_history_await (CliphistHistory *self, GTask *change)
{
  g_signal_connect_object (change, "notify::completed", G_CALLBACK (on_answered), self,
                           G_CONNECT_SWAPPED);
  self->n_asked++;
  set_flag (self, &self->changing, TRUE, PROP_CHANGING);
}

/**
 * cliphist_history_new:
 *
 * Returns: (transfer full): the history of the session. It is empty before the main
 * context has
 *   run: see [property@History:loading]
 */
CliphistHistory *
cliphist_history_new (void)
{
  return g_object_new (CLIPHIST_TYPE_HISTORY, NULL);
}

/**
 * cliphist_history_new_for_connection:
 * @connection: the bus that the daemon is on
 *
 * Returns: (transfer full): the history of another bus than the session's
 */
CliphistHistory *
cliphist_history_new_for_connection (GDBusConnection *connection)
{
  g_return_val_if_fail (G_IS_DBUS_CONNECTION (connection), NULL);
  return g_object_new (CLIPHIST_TYPE_HISTORY, "connection", connection, NULL);
}

/**
 * cliphist_history_load_more:
 *
 * Asks for a further page, of 12 entries at most. They come in a while, and
 * [property@History:loading] is set until then. Asking again meanwhile, or for more than
 * there is, does nothing.
 */
void
cliphist_history_load_more (CliphistHistory *self)
{
  g_return_if_fail (CLIPHIST_IS_HISTORY (self));
  if (self->complete || self->loading)
    return;
  cliphist_history_load_rows (self, PAGE_ROWS);
}

/**
 * cliphist_history_load_rows:
 * @n: how many, at least
 *
 * Asks for so many further rows, and [property@History:loading] is set until they, or all
 * that there are, have come. They come some 1,000 at a time.
 */
void
cliphist_history_load_rows (CliphistHistory *self, guint n)
{
  g_return_if_fail (CLIPHIST_IS_HISTORY (self));
  if (self->complete)
    return;
  self->n_more = MAX (self->n_more, n);
  read_next (self);
}
