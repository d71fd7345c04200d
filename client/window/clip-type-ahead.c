/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Who types fast presses Enter before the rows are there that were searched for, and
 * means the first of those, not what is still shown. So what is done with rows waits for
 * them.
 */
#define G_LOG_DOMAIN "clip-window"
#include "clip-type-ahead.h"

typedef struct
{
  char *action;
  GVariant *parameter; /* (nullable) */
} Key;

struct ClipTypeAhead
{
  GtkWidget *widget; /* that has the actions; borrowed */
  GPtrArray *keys;   /* of Key */
  gboolean is_on;
};

static void
key_free (gpointer data)
{
  Key *key = data;

  g_free (key->action);
  g_clear_pointer (&key->parameter, g_variant_unref);
  g_free (key);
}

ClipTypeAhead *
clip_type_ahead_new (GtkWidget *widget)
{
  ClipTypeAhead *self = g_new0 (ClipTypeAhead, 1);

  self->widget = widget;
  self->keys = g_ptr_array_new_with_free_func (key_free);
  return self;
}

void
clip_type_ahead_free (ClipTypeAhead *self)
{
  g_ptr_array_unref (self->keys);
  g_free (self);
}

/* other rows are on their way */
void
clip_type_ahead_begin (ClipTypeAhead *self)
{
  self->is_on = TRUE;
}

gboolean
clip_type_ahead_is_on (const ClipTypeAhead *self)
{
  return self->is_on;
}

/**
 * clip_type_ahead_keep:
 * @parameter: (nullable): of the action
 *
 * Returns: whether it waits; else it is to be done now
 */
gboolean
clip_type_ahead_keep (ClipTypeAhead *self, const char *action, GVariant *parameter)
{
  Key *key;

  if (!self->is_on)
    return FALSE;
  key = g_new0 (Key, 1);
  key->action = g_strdup (action);
  key->parameter = parameter ? g_variant_ref (parameter) : NULL;
  g_ptr_array_add (self->keys, key);
  return TRUE;
}

/* Returns: whether it waits, as something before it does */
gboolean
clip_type_ahead_keep_behind (ClipTypeAhead *self, const char *action)
{
  return self->keys->len > 0 && clip_type_ahead_keep (self, action, NULL);
}

/* The rows are there: does what waited, in its order, until that begins another search,
 * or has us forget the rest, as a window does that closes. */
void
clip_type_ahead_end (ClipTypeAhead *self)
{
  self->is_on = FALSE;
  while (!self->is_on && self->keys->len > 0)
    {
      Key *key = g_ptr_array_steal_index (self->keys, 0);

      gtk_widget_activate_action_variant (self->widget, key->action, key->parameter);
      key_free (key);
    }
}

/**
 * clip_type_ahead_forget:
 *
 * Who presses Escape, has closed the window, or sees an error, does not mean it any more.
 *
 * Returns: whether @action was among what waited
 */
gboolean
clip_type_ahead_forget (ClipTypeAhead *self, const char *action)
{
  gboolean waited = FALSE;

  for (guint i = 0; i < self->keys->len; i++)
    waited |= g_str_equal (((const Key *) self->keys->pdata[i])->action, action);
  g_ptr_array_set_size (self->keys, 0);
  return waited;
}

/* who points at a row means the one that is seen: nothing is to wait for others */
void
clip_type_ahead_stop (ClipTypeAhead *self)
{
  self->is_on = FALSE;
}
