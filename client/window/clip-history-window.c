/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The window: a search field that always has the focus, and the list. It is made once; hidden, its rows
 * stay and follow the history, so that opening asks for nothing. While it is shown what is copied
 * meanwhile waits, so that nothing moves under the hand.
 */
#define G_LOG_DOMAIN "clip-window"
#include "clip-history-window.h"

#include "clip-choice.h"
#include "clip-entry-row.h"
#include "clip-paste.h"
#include "clip-placement.h"
#include "clip-search-text.h"
#include "clip-words.h"

/* a keyboard that is unplugged, and a window manager that has a key of its own, take the focus for a
 * moment */
#define FOCUS_MS 200

/* rows below what is seen: then the next page is asked for */
#define ROWS_AHEAD 32

struct _ClipHistoryWindow
{
  GtkWindow parent_instance;
  CliphistHistory *history;
  ClipPlacement *placement;
  ClipRowPictures *thumbnails;
  ClipChoice *choice;
  CliphistKind kind;
  gboolean had_focus;
  guint focus_timer;
  GtkEditable *search;
  GtkStack *stack;
  GtkScrolledWindow *scroller;
  GtkListView *list;
  GtkLabel *nothing;
};

G_DEFINE_FINAL_TYPE (ClipHistoryWindow, clip_history_window, GTK_TYPE_WINDOW)

/* --- what is shown --- */

static gboolean
is_searching (const ClipHistoryWindow *self)
{
  return *gtk_editable_get_text (self->search) || self->kind != CLIPHIST_KIND_ANY;
}

static void
show_state (ClipHistoryWindow *self)
{
  g_autoptr (GError) error = NULL;
  gboolean is_loading;
  const char *words = NULL;

  g_object_get (self->history, "loading", &is_loading, "error", &error, NULL);
  if (error)
    words = error->message;
  else if (g_list_model_get_n_items (G_LIST_MODEL (self->history)) > 0)
    words = NULL;
  else if (is_loading)
    words = "";
  else if (is_searching (self))
    words = _ ("Nothing that was copied fits this.");
  else
    words = _ ("Nothing was copied yet. What you copy from now on is here.");
  gtk_label_set_text (self->nothing, words ?: "");
  gtk_stack_set_visible_child_name (self->stack, words ? "nothing" : "list");
}

static void
on_row_made (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user_data)
{
  ClipHistoryWindow *self = user_data;
  GtkWidget *row = clip_entry_row_new (self->thumbnails);

  gtk_list_item_set_child (item, row);
  g_object_bind_property (item, "position", row, "position", G_BINDING_SYNC_CREATE);
  g_object_bind_property (item, "item", row, "entry", G_BINDING_SYNC_CREATE);
}

static void
search (ClipHistoryWindow *self)
{
  g_autoptr (CliphistQuery) query =
      clip_search_text_parse (gtk_editable_get_text (self->search), self->kind);

  g_object_set (self->history, "query", query, NULL);
  clip_choice_reset (self->choice);
}

static void
on_search_changed (ClipHistoryWindow *self)
{
  search (self);
}

static void
on_scrolled (ClipHistoryWindow *self)
{
  GtkAdjustment *at = gtk_scrolled_window_get_vadjustment (self->scroller);
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->history));
  double left = gtk_adjustment_get_upper (at) - gtk_adjustment_get_value (at) -
                gtk_adjustment_get_page_size (at);

  if (n > 0 && left * n < ROWS_AHEAD * gtk_adjustment_get_upper (at))
    cliphist_history_load_more (self->history);
}

/* --- what is done --- */

static void
take (ClipHistoryWindow *self, CliphistSelectFlags flags)
{
  g_autoptr (GArray) ids = clip_choice_ids (self->choice);

  if (ids->len > 0)
    clip_paste (self->placement, self->history, g_array_index (ids, guint64, 0),
                flags | CLIPHIST_SELECT_MOVE);
}

static void
on_paste (GtkWidget *widget, const char *name, GVariant *nothing)
{
  take (CLIP_HISTORY_WINDOW (widget), CLIPHIST_SELECT_NONE);
}

static void
on_paste_plain (GtkWidget *widget, const char *name, GVariant *nothing)
{
  take (CLIP_HISTORY_WINDOW (widget), CLIPHIST_SELECT_PLAIN);
}

static void
on_copied (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  if (!cliphist_history_select_finish (CLIPHIST_HISTORY (source), result, &error))
    clip_paste_tell (error->message);
  g_application_release (g_application_get_default ());
}

static void
on_copy (GtkWidget *widget, const char *name, GVariant *nothing)
{
  ClipHistoryWindow *self = CLIP_HISTORY_WINDOW (widget);
  g_autoptr (GArray) ids = clip_choice_ids (self->choice);

  if (ids->len == 0)
    return;
  g_application_hold (g_application_get_default ());
  cliphist_history_select_async (self->history, g_array_index (ids, guint64, 0),
                                 CLIPHIST_SELECT_MOVE, NULL, on_copied, NULL);
  clip_history_window_close (self);
}

static void
on_row_activated (ClipHistoryWindow *self, guint position)
{
  clip_choice_set (self->choice, position);
  take (self, CLIPHIST_SELECT_NONE);
}

static void
on_move (GtkWidget *widget, const char *name, GVariant *rows)
{
  ClipHistoryWindow *self = CLIP_HISTORY_WINDOW (widget);

  clip_choice_move (self->choice, g_variant_get_int32 (rows),
                    g_str_has_suffix (name, "extend"));
}

static void
on_leave (GtkWidget *widget, const char *name, GVariant *nothing)
{
  ClipHistoryWindow *self = CLIP_HISTORY_WINDOW (widget);

  if (*gtk_editable_get_text (self->search))
    gtk_editable_set_text (self->search, "");
  else
    clip_history_window_close (self);
}

/* --- opening and closing --- */

static gboolean
on_focus_gone (gpointer user_data)
{
  ClipHistoryWindow *self = user_data;

  self->focus_timer = 0;
  clip_history_window_close (self);
  return G_SOURCE_REMOVE;
}

static void
on_focus (ClipHistoryWindow *self)
{
  gboolean has_focus = clip_placement_has_focus (self->placement);

  g_clear_handle_id (&self->focus_timer, g_source_remove);
  if (!has_focus && self->had_focus && gtk_widget_get_visible (GTK_WIDGET (self)))
    self->focus_timer = g_timeout_add (FOCUS_MS, on_focus_gone, self);
  self->had_focus |= has_focus;
}

static void
on_visible (ClipHistoryWindow *self)
{
  gboolean is_shown = gtk_widget_get_visible (GTK_WIDGET (self));

  g_clear_handle_id (&self->focus_timer, g_source_remove);
  self->had_focus = FALSE;
  if (is_shown)
    g_object_set (self->history, "hold", TRUE, NULL);
  else
    {
      /* the next time it begins anew; while nobody looks, the rows can */
      self->kind = CLIPHIST_KIND_ANY;
      if (*gtk_editable_get_text (self->search))
        gtk_editable_set_text (self->search, "");
      g_object_set (self->history, "hold", FALSE, NULL);
      clip_choice_reset (self->choice);
    }
}

/**
 * clip_history_window_open:
 * @words: (nullable): to be searched for
 */
void
clip_history_window_open (ClipHistoryWindow *self, const char *words)
{
  if (words && *words)
    {
      gtk_editable_set_text (self->search, words);
      gtk_editable_set_position (self->search, -1);
    }
  if (!gtk_widget_get_visible (GTK_WIDGET (self)))
    clip_choice_reset (self->choice);
  gtk_widget_grab_focus (GTK_WIDGET (self->search));
  clip_placement_show (self->placement);
}

void
clip_history_window_close (ClipHistoryWindow *self)
{
  if (gtk_widget_get_visible (GTK_WIDGET (self)))
    clip_placement_hide (self->placement);
}

static gboolean
clip_history_window_close_request (GtkWindow *window)
{
  clip_history_window_close (CLIP_HISTORY_WINDOW (window));
  return TRUE;
}

static void
clip_history_window_dispose (GObject *object)
{
  ClipHistoryWindow *self = CLIP_HISTORY_WINDOW (object);

  g_clear_handle_id (&self->focus_timer, g_source_remove);
  g_clear_pointer (&self->choice, clip_choice_free);
  g_clear_pointer (&self->placement, clip_placement_free);
  gtk_list_view_set_model (self->list, NULL);
  g_clear_pointer (&self->thumbnails, clip_row_pictures_free);
  g_clear_object (&self->history);
  G_OBJECT_CLASS (clip_history_window_parent_class)->dispose (object);
}

static void
install_actions (GtkWidgetClass *class)
{
  gtk_widget_class_install_action (class, "history.move", "i", on_move);
  gtk_widget_class_install_action (class, "history.extend", "i", on_move);
  gtk_widget_class_install_action (class, "history.paste", NULL, on_paste);
  gtk_widget_class_install_action (class, "history.paste-plain", NULL, on_paste_plain);
  gtk_widget_class_install_action (class, "history.copy", NULL, on_copy);
  gtk_widget_class_install_action (class, "history.leave", NULL, on_leave);
}

static void
clip_history_window_class_init (ClipHistoryWindowClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = clip_history_window_dispose;
  GTK_WINDOW_CLASS (class)->close_request = clip_history_window_close_request;
  install_actions (widget);
  gtk_widget_class_set_template_from_resource (
      widget, "/org/cliphist/Cliphist/clip-history-window.ui");
  gtk_widget_class_bind_template_child (widget, ClipHistoryWindow, search);
  gtk_widget_class_bind_template_child (widget, ClipHistoryWindow, stack);
  gtk_widget_class_bind_template_child (widget, ClipHistoryWindow, scroller);
  gtk_widget_class_bind_template_child (widget, ClipHistoryWindow, list);
  gtk_widget_class_bind_template_child (widget, ClipHistoryWindow, nothing);
  gtk_widget_class_bind_template_callback (widget, on_search_changed);
  gtk_widget_class_bind_template_callback (widget, on_row_activated);
  gtk_widget_class_bind_template_callback (widget, on_row_made);
}

static void
clip_history_window_init (ClipHistoryWindow *self)
{
  self->history = cliphist_history_new ();
  self->thumbnails = clip_row_pictures_new (self->history);
  gtk_widget_init_template (GTK_WIDGET (self));
  self->placement = clip_placement_new (GTK_WINDOW (self));
  self->choice = clip_choice_new (G_LIST_MODEL (self->history), self->list);
  g_signal_connect_object (self->history, "notify::loading", G_CALLBACK (show_state),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->history, "notify::error", G_CALLBACK (show_state), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->history, "items-changed", G_CALLBACK (show_state), self,
                           G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  g_signal_connect_swapped (gtk_scrolled_window_get_vadjustment (self->scroller),
                            "value-changed", G_CALLBACK (on_scrolled), self);
  g_signal_connect (self, "notify::visible", G_CALLBACK (on_visible), NULL);
  clip_placement_watch_focus (self->placement, (GCallback) on_focus, self);
  show_state (self);
}

ClipHistoryWindow *
clip_history_window_new (void)
{
  return g_object_new (CLIP_TYPE_HISTORY_WINDOW, NULL);
}
