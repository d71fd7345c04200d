/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The window: a search field that always has the focus, and the list. It is made once;
 * hidden, its rows stay and follow the history, so that opening asks for nothing. While
 * it is shown what is copied meanwhile waits, so that nothing moves under the hand, and
 * is told of.
 */
#define G_LOG_DOMAIN "clip-window"
#include "clip-history-window.h"

#include "clip-choice.h"
#include "clip-daemon-restart.h"
#include "clip-entry-editor.h"
#include "clip-entry-row.h"
#include "clip-entry-words.h"
#include "clip-failure-words.h"
#include "clip-first-page.h"
#include "clip-paste.h"
#include "clip-placement.h"
#include "clip-preview-pane.h"
#include "clip-removal.h"
#include "clip-search-text.h"
#include "clip-settings-page.h"
#include "clip-type-ahead.h"
#include "clip-words.h"

/* a keyboard that is unplugged, and a window manager that has a key of its own, take the
 * focus for a moment */
#define FOCUS_MS 200

/* in which a window that is drawn is given the focus; the first one may pass while it is
 * still to be drawn, on a machine that has much to do, so two are waited for */
#define SEEN_MS 500

/* who clicks twice, as in a list of files, does so once more within this time: that click
 * is not to reach the window below, nor to give it the focus before anything is pasted.
 * Each paste by a click waits for it: GTK's own 400 ms would be felt. */
#define SECOND_CLICK_MS 300

/* of the window, in pixels at the usual size of text, where the screen has them */
#define WIDTH 680
#define HEIGHT 520

/* the usual size of text, as GTK counts it */
#define USUAL_DPI (96 * 1024)

/* rows below what is seen: then the next page is asked for */
#define ROWS_AHEAD 6

/* a window that has fewer is not full, and cannot be scrolled for more */
#define ROWS_LEAST 11

/* to which keys go down: all, in a history of the usual length */
#define ROWS_MOST 10000

/* how long it stays, hidden, after what it has shown was wiped */
#define WIPED_MS 2000

/* of the row of digits, as X and Wayland number keys */
#define KEYCODE_1 10

/* of the list of kinds, behind these */
#define PINNED (CLIPHIST_KIND_OTHER + 1)

/* in the history, each more than the one before */
typedef enum
{
  KEPT_NOTHING,
  KEPT_PINNED,
  KEPT_MORE,
} Kept;

struct _ClipHistoryWindow
{
  GtkWindow parent_instance;
  CliphistHistory *history;
  ClipDaemonRestart *restart;
  ClipPlacement *placement;
  ClipRowPictures *thumbnails;
  ClipRemoval *removal;
  ClipChoice *choice;
  ClipTypeAhead *ahead;
  guint shown;         /* of the list of kinds: a CliphistKind, or PINNED */
  char *page;          /* (nullable): that is shown in the place of the list */
  char *count;         /* (nullable): what was told of the rows last */
  Kept most;           /* that there was since it was made: our memory has its text */
  gboolean moves_on;   /* further rows are on their way, for a key that goes there */
  gboolean is_welcome; /* there was no list before that page: nothing is held back */
  gboolean had_focus;
  gboolean is_in_menu; /* the focus is */
  gint64 left_menu_us; /* monotonic: since when it is no more */
  guint late_timer;    /* the history was asked */
  gboolean is_late;    /* its answer is */
  guint focus_timer;
  guint seen_timer;   /* it was shown, and may be covered */
  gboolean is_unseen; /* it seemed to be covered once */
  guint click_timer;  /* a row was clicked, and may be clicked a second time */
  guint64 clicked;    /* the entry of that row */
  GtkEditable *search;
  GtkStack *stack;
  GtkScrolledWindow *scroller;
  GtkListView *list;
  GtkLabel *nothing;
  GtkLabel *chosen;
  GtkDropDown *kinds;
  GtkMenuButton *menu_button;
  GtkWidget *row_menu; /* (nullable): its first part, where a row was clicked */
  ClipPreviewPane *preview;
  ClipEntryEditor *editor;
  ClipFirstPage *first;
  ClipSettingsPage *settings;
  GtkWidget *back;
  GtkWidget *content;
  GtkWidget *keys;
  GtkWidget *keep;
  GtkWidget *paused;
  GtkLabel *paused_words;
  GtkWidget *draft; /* said of what is being edited, beside the list */
  GtkLabel *draft_words;
  GtkWidget *old; /* said of a list that no daemon follows */
  GtkStack *line; /* below the list: one of these four */
  GtkWidget *blank;
  GtkLabel *late;   /* said of a history that does not answer */
  GtkWidget *newer; /* said of what is copied meanwhile */
  GtkLabel *newer_words;
  GtkWidget *notice;
  GtkLabel *notice_words;
  GtkWidget *undo;
};

G_DEFINE_FINAL_TYPE (ClipHistoryWindow, clip_history_window, GTK_TYPE_WINDOW)

/* --- what is shown --- */

static gboolean
is_searching (const ClipHistoryWindow *self)
{
  return *gtk_editable_get_text (self->search) || self->shown != CLIPHIST_KIND_ANY;
}

/* To who listens where one types. The same words once more are told once more. */
static void
tell (ClipHistoryWindow *self, const char *words)
{
  GtkAccessible *search = GTK_ACCESSIBLE (self->search);

  gtk_accessible_update_property (search, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, "", -1);
  gtk_accessible_update_property (search, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, words, -1);
}

static void
show_order (ClipHistoryWindow *self)
{
  for (GtkWidget *item = gtk_widget_get_first_child (GTK_WIDGET (self->list)); item;
       item = gtk_widget_get_next_sibling (item))
    {
      GtkWidget *row = gtk_widget_get_first_child (item);

      if (row)
        clip_entry_row_show_order (CLIP_ENTRY_ROW (row), self->choice);
    }
}

/* beside the search how many rows are chosen, where there are several; to who listens
 * also how many there are, or why there are none */
static void
show_count (ClipHistoryWindow *self)
{
  GtkSelectionModel *rows = gtk_list_view_get_model (self->list);
  g_autoptr (GtkBitset) chosen = gtk_selection_model_get_selection (rows);
  guint n_chosen = (guint) gtk_bitset_get_size (chosen);
  guint n = g_list_model_get_n_items (G_LIST_MODEL (rows));
  g_autofree char *words = NULL;

  if (n_chosen > 1)
    words = g_strdup_printf (P_ ("%u chosen", "%u chosen", n_chosen), n_chosen);
  else if (n > ROWS_LEAST)
    words = g_strdup_printf (_ ("more than %u entries"), ROWS_LEAST);
  else if (n > 0)
    words = g_strdup_printf (P_ ("%u entry", "%u entries", n), n);
  else
    words = g_strdup (gtk_label_get_text (self->nothing));
  show_order (self);
  gtk_label_set_text (self->chosen, n_chosen > 1 ? words : "");
  gtk_widget_set_visible (GTK_WIDGET (self->chosen), n_chosen > 1);
  if (g_strcmp0 (words, self->count) == 0)
    return;
  g_free (self->count);
  self->count = g_steal_pointer (&words);
  tell (self, self->count);
}

/* (transfer full) */
static char *
say_not_found (ClipHistoryWindow *self)
{
  const char *text = gtk_editable_get_text (self->search);
  const char *filter = clip_entry_words_find_kind (text);
  g_autofree char *word = clip_search_text_find_no_filter (text);
  g_autofree char *tag = clip_search_text_find_tag (text);
  g_autoptr (CliphistQuery) query =
      clip_search_text_parse (text, CLIPHIST_KIND_ANY, FALSE);
  gboolean only_pinned;

  if (filter)
    return g_strdup_printf (_ ("No entry matches this search. “%s” finds all entries of "
                               "this kind."),
                            filter);
  if (tag)
    return g_strdup_printf (_ ("No entry matches this search. “tag:%s” finds all entries "
                               "that have this tag."),
                            tag);
  g_object_get (query, "pinned", &only_pinned, NULL);
  if (!word && only_pinned)
    return g_strdup (
        _ ("No entry matches this search. “pinned” finds only what is pinned; "
           "in quotation marks it is a word."));
  if (!word)
    return g_strdup (_ ("No entry matches this search."));
  return g_strdup_printf (_ ("No entry matches this search. “%s” is no filter: F1 shows "
                             "those that there are."),
                          word);
}

/* (transfer full): the daemon says in English what is wrong with an expression */
static char *
say_failure (const GError *error)
{
  if (g_error_matches (error, CLIPHIST_ERROR, CLIPHIST_ERROR_INVALID_ARGUMENT))
    return g_strdup_printf (_ ("This cannot be searched for: %s"), error->message);
  return g_strdup (clip_failure_words (error));
}

/* and no page in their place, nor a text that says why there are none */
static gboolean
shows_rows (ClipHistoryWindow *self)
{
  return g_str_equal (gtk_stack_get_visible_child_name (self->stack), "list");
}

static gboolean
is_pinned (CliphistEntry *entry)
{
  gboolean pinned = FALSE;

  g_object_get (entry, "pinned", &pinned, NULL);
  return pinned;
}

/* the menus have what can be done, keys say why they cannot; those that wait for rows are
 * for what comes */
static void
show_actions (ClipHistoryWindow *self)
{
  static const char *const of_entries[] = { "history.paste", "history.copy",
                                            "history.delete", "history.tag" };
  GtkWidget *widget = GTK_WIDGET (self);
  g_autoptr (CliphistEntry) entry = clip_choice_entry (self->choice);
  gboolean pinned = entry && is_pinned (entry);
  CliphistKind kind = CLIPHIST_KIND_ANY;
  gboolean is_loading;

  g_object_get (self->history, "loading", &is_loading, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (of_entries); i++)
    gtk_widget_action_set_enabled (widget, of_entries[i], entry || is_loading);
  gtk_widget_action_set_enabled (widget, "history.ask-wipe",
                                 entry || is_loading || is_searching (self));
  if (entry)
    g_object_get (entry, "kind", &kind, NULL);
  gtk_widget_action_set_enabled (widget, "history.pin", entry && !pinned);
  gtk_widget_action_set_enabled (widget, "history.unpin", pinned);
  gtk_widget_action_set_enabled (widget, "history.edit", kind == CLIPHIST_KIND_TEXT);
  gtk_widget_action_set_enabled (widget, "history.paste-plain",
                                 entry && kind != CLIPHIST_KIND_IMAGE);
}

/* the chosen entry, or what is told of it, has changed */
static void
show_about (ClipHistoryWindow *self)
{
  g_autoptr (CliphistEntry) entry = clip_choice_entry (self->choice);

  if (gtk_widget_get_visible (GTK_WIDGET (self->preview)))
    clip_preview_pane_show_about (self->preview, entry);
}

static Kept
find_kept (ClipHistoryWindow *self)
{
  GListModel *rows = G_LIST_MODEL (self->history);
  const guint n = g_list_model_get_n_items (rows);

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (CliphistEntry) entry = g_list_model_get_item (rows, i);

      if (!is_pinned (entry))
        return KEPT_MORE;
    }
  return n > 0 ? KEPT_PINNED : KEPT_NOTHING;
}

/* GTK clears no text that it frees: what was wiped is in our memory until we end */
static void
end_when_hidden (void)
{
  GApplication *application = g_application_get_default ();

  g_application_set_inactivity_timeout (application, WIPED_MS);
  /* counts from now where it is hidden */
  g_application_hold (application);
  g_application_release (application);
}

/* a wipe leaves what is pinned, or nothing */
static void
look_for_wipe (ClipHistoryWindow *self)
{
  const Kept kept = find_kept (self);

  if (kept < self->most && !is_searching (self))
    end_when_hidden ();
  self->most = MAX (self->most, kept);
}

/* Nothing moves under the hand, but who has just copied looks for it. What else is told
 * goes first. */
static void
show_line (ClipHistoryWindow *self)
{
  GtkWidget *shown = self->blank;
  const char *words = "";
  guint64 n_held;

  g_object_get (self->history, "n-held", &n_held, NULL);
  if (*gtk_label_get_text (self->notice_words))
    shown = self->notice;
  else if (self->is_late)
    shown = GTK_WIDGET (self->late);
  else if (n_held > 0 && !self->page)
    shown = self->newer;
  gtk_widget_set_visible (GTK_WIDGET (self->line), !self->page || shown != self->blank);
  if (shown == gtk_stack_get_visible_child (self->line))
    return;
  gtk_stack_set_visible_child (self->line, shown);
  if (shown == self->newer)
    words = _ ("Something was copied meanwhile.");
  else if (shown == GTK_WIDGET (self->late))
    words = _ ("The history does not answer yet: what was asked is done when it does.");
  /* who listens finds what is not on top, too */
  gtk_label_set_text (self->newer_words, shown == self->newer ? words : "");
  gtk_label_set_text (self->late, shown == GTK_WIDGET (self->late) ? words : "");
  if (*words)
    tell (self, words);
}

static void drop_notice (ClipHistoryWindow *self);

static void
on_late (gpointer user_data)
{
  ClipHistoryWindow *self = user_data;

  self->late_timer = 0;
  self->is_late = TRUE;
  drop_notice (self);
}

/* for rows, or for a change */
static void
on_asked (ClipHistoryWindow *self)
{
  gboolean is_loading, is_changing, waits;

  g_object_get (self->history, "loading", &is_loading, "changing", &is_changing, NULL);
  waits = is_loading || is_changing;
  if (waits && (self->late_timer || self->is_late))
    return;
  g_clear_handle_id (&self->late_timer, g_source_remove);
  self->is_late = FALSE;
  if (waits)
    self->late_timer = g_timeout_add_once (CLIP_PATIENCE_MS, on_late, self);
  show_line (self);
}

static void
show_state (ClipHistoryWindow *self)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *said = NULL;
  guint n = g_list_model_get_n_items (clip_removal_rows (self->removal));
  gboolean is_loading, is_followed;
  const char *words = NULL;

  g_object_get (self->history, "loading", &is_loading, "available", &is_followed, "error",
                &error, NULL);
  if (n < ROWS_LEAST && !error)
    cliphist_history_load_more (self->history);
  if (error)
    words = said = say_failure (error);
  else if (n > 0)
    words = NULL;
  else if (is_loading)
    words = "";
  else if (g_list_model_get_n_items (G_LIST_MODEL (self->history)) > 0)
    words = _ ("What was here is deleted.");
  else if (is_searching (self))
    words = said = say_not_found (self);
  else
    words = _ ("The history is empty. What you copy appears here, unless a setting keeps "
               "it out.");
  gtk_label_set_text (self->nothing, words ?: "");
  /* or who listens finds a label without words behind the list */
  gtk_widget_set_visible (GTK_WIDGET (self->nothing), words != NULL);
  show_count (self);
  show_actions (self);
  show_about (self);
  gtk_stack_set_visible_child_name (self->stack,
                                    self->page ?: (words ? "nothing" : "list"));
  if (!is_loading && !error)
    look_for_wipe (self);
  gtk_widget_set_visible (self->old, shows_rows (self) && !is_followed);
  gtk_widget_set_visible (self->draft,
                          !self->page && clip_history_window_has_draft (self));
  show_line (self);
}

static void search (ClipHistoryWindow *self);

/* What waits for rows is not meant any more; but the rows are to be those of what stands
 * in the field. Returns: whether they are on their way */
static gboolean
forget_keys (ClipHistoryWindow *self)
{
  gboolean searches = clip_type_ahead_forget (self->ahead, "history.search");

  if (searches)
    search (self);
  return searches;
}

/* The first page of what was searched for is there, or will not come. The first row is
 * chosen, where the search was emptied, too: what had been found may be out of sight.
 * What was typed meanwhile is not searched for yet. */
static void
on_loading (ClipHistoryWindow *self)
{
  g_autoptr (GError) error = NULL;
  gboolean is_loading;

  on_asked (self);
  g_object_get (self->history, "loading", &is_loading, "error", &error, NULL);
  if (error && forget_keys (self))
    return;
  if (!is_loading)
    {
      const gboolean moves_on = self->moves_on;

      /* the keys that waited may ask for more */
      self->moves_on = FALSE;
      if (clip_type_ahead_is_on (self->ahead))
        {
          if (!moves_on)
            clip_choice_reset (self->choice);
          clip_type_ahead_end (self->ahead);
        }
    }
  show_state (self);
}

/* @page: (nullable): %NULL for the list */
static void
show_page (ClipHistoryWindow *self, const char *page)
{
  g_free (self->page);
  self->page = g_strdup (page);
  if (self->is_welcome)
    {
      self->is_welcome = FALSE;
      clip_choice_reset (self->choice);
      g_object_set (self->history, "hold", TRUE, NULL);
    }
  gtk_widget_set_visible (self->back, page != NULL);
  show_state (self);
  if (!page)
    gtk_widget_grab_focus (GTK_WIDGET (self->search));
}

static gboolean
is_on_page (ClipHistoryWindow *self, const char *page)
{
  return g_strcmp0 (self->page, page) == 0;
}

/* what is typed there is not thrown away */
static gboolean
is_page_kept (ClipHistoryWindow *self)
{
  return (is_on_page (self, "editor") && clip_history_window_has_draft (self)) ||
         (is_on_page (self, "settings") && clip_settings_page_has_draft (self->settings));
}

static ClipHistoryWindow *
window_of (GtkWidget *row)
{
  return CLIP_HISTORY_WINDOW (gtk_widget_get_ancestor (row, CLIP_TYPE_HISTORY_WINDOW));
}

/* with the pointer, which means the row that is seen */
static void
point_at_row (ClipHistoryWindow *self)
{
  forget_keys (self);
  clip_type_ahead_stop (self->ahead);
}

static gboolean on_clicked (gpointer user_data);

/* a click takes; with Ctrl or Shift it chooses, which is the list's. GtkListView's own
 * way to take at one click chooses what the pointer rests on when the window comes
 * up, and Enter would take that. */
static void
on_row_clicked (GtkGestureClick *click, int n, double x, double y, GtkListItem *item)
{
  GtkWidget *row = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (click));
  ClipHistoryWindow *self = window_of (row);
  GdkModifierType held =
      gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (click));

  point_at_row (self);
  if ((held & (GDK_CONTROL_MASK | GDK_SHIFT_MASK)) || !gtk_widget_contains (row, x, y))
    return;
  clip_choice_set (self->choice, gtk_list_item_get_position (item));
  self->clicked = clip_choice_entry_id (gtk_list_item_get_item (item));
  g_clear_handle_id (&self->click_timer, g_source_remove);
  if (n > 1)
    on_clicked (self);
  else
    self->click_timer = g_timeout_add (SECOND_CLICK_MS, on_clicked, self);
}

/* Before the list chooses it, which it does to what is chosen. That takes at the second
 * press, whose end would be another window's. */
static void
on_row_pressed (GtkGestureClick *click, int n, double x, double y, GtkListItem *item)
{
  GtkWidget *row = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (click));
  ClipHistoryWindow *self = window_of (row);
  GdkModifierType held =
      gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (click));
  const gboolean extends = (held & GDK_SHIFT_MASK) != 0;

  if (extends)
    clip_choice_extend (self->choice, gtk_list_item_get_position (item));
  else if (held & GDK_CONTROL_MASK)
    clip_choice_begin (self->choice);
  if (extends || n > 1)
    gtk_gesture_set_state (GTK_GESTURE (click), GTK_EVENT_SEQUENCE_CLAIMED);
}

static void
on_row_menu_closed (ClipHistoryWindow *self)
{
  if (!self->page)
    gtk_widget_grab_focus (GTK_WIDGET (self->search));
}

/* the menu is that of what is chosen: of this row, or of all if it is one of several */
static void
on_row_menu (GtkGestureClick *click, int n, double x, double y, GtkListItem *item)
{
  GtkWidget *row = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (click));
  ClipHistoryWindow *self = window_of (row);
  GdkRectangle place = { .width = 1, .height = 1 };

  point_at_row (self);
  if (!gtk_list_item_get_selected (item))
    clip_choice_set (self->choice, gtk_list_item_get_position (item));
  if (!self->row_menu)
    {
      g_autoptr (GMenuModel) model = g_menu_model_get_item_link (
          gtk_menu_button_get_menu_model (self->menu_button), 0, G_MENU_LINK_SECTION);

      self->row_menu = gtk_popover_menu_new_from_model (model);
      gtk_popover_set_has_arrow (GTK_POPOVER (self->row_menu), FALSE);
      gtk_widget_set_halign (self->row_menu, GTK_ALIGN_START);
      gtk_widget_set_parent (self->row_menu, self->content);
      g_signal_connect_swapped (self->row_menu, "closed", G_CALLBACK (on_row_menu_closed),
                                self);
    }
  gtk_widget_translate_coordinates (row, self->content, x, y, &x, &y);
  place.x = (int) x;
  place.y = (int) y;
  gtk_popover_set_pointing_to (GTK_POPOVER (self->row_menu), &place);
  gtk_popover_popup (GTK_POPOVER (self->row_menu));
}

static void
on_row_made (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user_data)
{
  ClipHistoryWindow *self = user_data;
  GtkWidget *row = clip_entry_row_new (self->thumbnails, self->history);
  GtkGesture *click = gtk_gesture_click_new ();
  GtkGesture *other = gtk_gesture_click_new ();

  g_signal_connect (click, "pressed", G_CALLBACK (on_row_pressed), item);
  g_signal_connect (click, "released", G_CALLBACK (on_row_clicked), item);
  gtk_widget_add_controller (row, GTK_EVENT_CONTROLLER (click));
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (other), GDK_BUTTON_SECONDARY);
  g_signal_connect (other, "pressed", G_CALLBACK (on_row_menu), item);
  gtk_widget_add_controller (row, GTK_EVENT_CONTROLLER (other));
  gtk_list_item_set_child (item, row);
  g_object_bind_property (item, "position", row, "position", G_BINDING_SYNC_CREATE);
  g_object_bind_property (item, "item", row, "entry", G_BINDING_SYNC_CREATE);
}

static void
on_row_bound (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user_data)
{
  clip_entry_row_show_order (CLIP_ENTRY_ROW (gtk_list_item_get_child (item)),
                             CLIP_HISTORY_WINDOW (user_data)->choice);
}

static void
search (ClipHistoryWindow *self)
{
  gboolean only_pinned = self->shown == PINNED;
  g_autoptr (CliphistQuery) query = clip_search_text_parse (
      gtk_editable_get_text (self->search),
      only_pinned ? CLIPHIST_KIND_ANY : (CliphistKind) self->shown, only_pinned);

  gboolean is_loading;

  self->moves_on = FALSE;
  g_object_set (self->history, "query", query, NULL);
  clip_choice_reset (self->choice);
  g_object_get (self->history, "loading", &is_loading, NULL);
  if (is_loading)
    clip_type_ahead_begin (self->ahead);
}

/* what is searched for is found in the list; what is being edited is not thrown away */
static void
show_list (ClipHistoryWindow *self)
{
  if (self->page && !g_str_equal (self->page, "editor") && !is_page_kept (self))
    show_page (self, NULL);
}

/* what is typed behind an Enter that waits is no part of what it is for */
static void
search_behind (ClipHistoryWindow *self)
{
  if (!clip_type_ahead_keep_behind (self->ahead, "history.search"))
    search (self);
}

static void
on_search_changed (ClipHistoryWindow *self)
{
  if (*gtk_editable_get_text (self->search))
    show_list (self);
  search_behind (self);
}

static void
on_search (GtkWidget *widget, const char *name, GVariant *nothing)
{
  search (CLIP_HISTORY_WINDOW (widget));
}

/* on top, where a search may not find it */
static void
on_show_newer (GtkWidget *widget, const char *name, GVariant *nothing)
{
  ClipHistoryWindow *self = CLIP_HISTORY_WINDOW (widget);

  forget_keys (self);
  gtk_drop_down_set_selected (self->kinds, CLIPHIST_KIND_ANY);
  gtk_editable_set_text (self->search, "");
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

/* a theme may have rows so low that a page is not as high as the list */
static void
on_room (ClipHistoryWindow *self)
{
  GtkAdjustment *at = gtk_scrolled_window_get_vadjustment (self->scroller);

  if (gtk_adjustment_get_upper (at) <= gtk_adjustment_get_page_size (at))
    cliphist_history_load_more (self->history);
}

/* @words: (nullable): nothing is shown */
static void
notice (ClipHistoryWindow *self, const char *words, gboolean with_undo)
{
  gtk_label_set_text (self->notice_words, words ?: "");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->notice),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, words ?: "", -1);
  gtk_widget_set_visible (self->undo, with_undo);
  show_line (self);
  if (words)
    tell (self, words);
}

/* what cannot be taken back was told of the key before, and before what is copied now */
static void
drop_notice (ClipHistoryWindow *self)
{
  if (gtk_widget_get_visible (self->undo))
    show_line (self);
  else
    notice (self, NULL, FALSE);
}

/* Returns: whether the row that is meant is not the one that a key would be for */
static gboolean
tell_lost (ClipHistoryWindow *self)
{
  gboolean is_lost = clip_choice_take_lost (self->choice);

  if (is_lost)
    notice (self, _ ("The entry that was chosen has gone."), FALSE);
  return is_lost;
}

/* --- what is taken --- */

static void
take (ClipHistoryWindow *self, CliphistSelectFlags flags, gboolean presses)
{
  g_autoptr (GArray) ids = clip_choice_ids (self->choice);
  ClipTaking taking = { .ids = ids,
                        .kind = clip_choice_kind (self->choice),
                        .flags = flags | CLIPHIST_SELECT_MOVE,
                        .presses = presses };

  if (tell_lost (self))
    return;
  if (ids->len > 1 && taking.kind != CLIPHIST_KIND_TEXT &&
      taking.kind != CLIPHIST_KIND_FILES)
    notice (self, _ ("Only texts, or only files, can be joined."), FALSE);
  else if (ids->len > 0)
    clip_paste (self->placement, self->history, &taking);
}

/* but not what a key behind the click, or another program, has brought in its place */
static gboolean
on_clicked (gpointer user_data)
{
  ClipHistoryWindow *self = user_data;
  g_autoptr (GArray) ids = clip_choice_ids (self->choice);

  self->click_timer = 0;
  if (ids->len == 1 && g_array_index (ids, guint64, 0) == self->clicked)
    take (self, CLIPHIST_SELECT_NONE, TRUE);
  else
    tell_lost (self);
  return G_SOURCE_REMOVE;
}

static void
on_paste (GtkWidget *widget, const char *name, GVariant *nothing)
{
  take (CLIP_HISTORY_WINDOW (widget), CLIPHIST_SELECT_NONE, TRUE);
}

static void
on_paste_plain (GtkWidget *widget, const char *name, GVariant *nothing)
{
  take (CLIP_HISTORY_WINDOW (widget), CLIPHIST_SELECT_PLAIN, TRUE);
}

static void
on_copy (GtkWidget *widget, const char *name, GVariant *nothing)
{
  take (CLIP_HISTORY_WINDOW (widget), CLIPHIST_SELECT_NONE, FALSE);
}

/* of the preview, or of the search, what is chosen there */
static void
on_copy_key (GtkWidget *widget, const char *name, GVariant *nothing)
{
  ClipHistoryWindow *self = CLIP_HISTORY_WINDOW (widget);

  if (clip_preview_pane_copy (self->preview))
    return;
  if (gtk_editable_get_selection_bounds (self->search, NULL, NULL))
    gtk_widget_activate_action (GTK_WIDGET (gtk_editable_get_delegate (self->search)),
                                "clipboard.copy", NULL);
  else
    gtk_widget_activate_action (widget, "history.copy", NULL);
}

static void
on_row_activated (ClipHistoryWindow *self, guint position)
{
  clip_choice_set (self->choice, position);
  take (self, CLIPHIST_SELECT_NONE, TRUE);
}

/* the number of a row, as it says itself */
static void
on_choose (GtkWidget *widget, const char *name, GVariant *number)
{
  ClipHistoryWindow *self = CLIP_HISTORY_WINDOW (widget);
  guint position = (guint) g_variant_get_int32 (number) - 1;

  if (position < g_list_model_get_n_items (clip_removal_rows (self->removal)))
    on_row_activated (self, position);
}

/* Where digits take Shift, as on a French keyboard, Ctrl with the key of a digit is no
 * Ctrl+1, and the key itself says which it is. */
static gboolean
on_search_key (ClipHistoryWindow *self, guint keyval, guint keycode, GdkModifierType held)
{
  const GdkModifierType all = gtk_accelerator_get_default_mod_mask ();
  gboolean is_named = keyval < 0x80 && g_ascii_isalnum ((char) keyval);

  if ((held & all) != GDK_CONTROL_MASK || is_named || keycode < KEYCODE_1 ||
      keycode >= KEYCODE_1 + 9)
    return GDK_EVENT_PROPAGATE;
  gtk_widget_activate_action (GTK_WIDGET (self), "history.choose", "i",
                              (int) (keycode - KEYCODE_1 + 1));
  return GDK_EVENT_STOP;
}

/* --- what is changed --- */

static void
tell_failure (ClipHistoryWindow *self, const char *what)
{
  g_autofree char *words =
      g_strdup_printf (_ ("%s: “cliphist doctor” in a terminal may say why."), what);

  notice (self, words, FALSE);
}

static void
on_removal_changed (gpointer user_data)
{
  ClipHistoryWindow *self = user_data;
  guint n = clip_removal_count (self->removal);
  g_autofree char *words =
      g_strdup_printf (P_ ("%u entry is deleted.", "%u entries are deleted.", n), n);

  notice (self, n > 0 ? words : NULL, n > 0);
}

static void
on_delete (GtkWidget *widget, const char *name, GVariant *nothing)
{
  ClipHistoryWindow *self = CLIP_HISTORY_WINDOW (widget);
  g_autoptr (GArray) ids = clip_choice_ids (self->choice);

  if (tell_lost (self) || ids->len == 0)
    return;
  clip_choice_let_go (self->choice);
  clip_removal_add (self->removal, ids);
}

/* of the search, where that is chosen, or the cursor was moved into it */
static void
on_delete_key (GtkWidget *widget, const char *name, GVariant *nothing)
{
  ClipHistoryWindow *self = CLIP_HISTORY_WINDOW (widget);
  const char *text = gtk_editable_get_text (self->search);

  if (gtk_editable_get_selection_bounds (self->search, NULL, NULL))
    gtk_editable_delete_selection (self->search);
  else if (gtk_editable_get_position (self->search) < g_utf8_strlen (text, -1))
    g_signal_emit_by_name (gtk_editable_get_delegate (self->search), "delete-from-cursor",
                           GTK_DELETE_CHARS, 1);
  else
    gtk_widget_activate_action (widget, "history.delete", NULL);
}

static void
on_undo (GtkWidget *widget, const char *name, GVariant *nothing)
{
  ClipHistoryWindow *self = CLIP_HISTORY_WINDOW (widget);

  guint n = clip_removal_count (self->removal);
  g_autofree char *words = NULL;

  if (clip_type_ahead_keep_behind (self->ahead, name) || n == 0)
    return;
  clip_choice_await (self->choice, clip_removal_take_back (self->removal));
  n -= clip_removal_count (self->removal);
  words = g_strdup_printf (P_ ("%u entry is back.", "%u entries are back.", n), n);
  tell (self, words);
}

/* Entries that are to be pinned, or not any more. */
typedef struct
{
  ClipHistoryWindow *window;
  gboolean pins;
  guint n;
  guint n_answered;
  gboolean has_failed; /* one of them */
} Pinning;

static void
on_pinned (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Pinning *pinning = user_data;
  const guint n = pinning->n;
  g_autofree char *words = NULL;

  pinning->has_failed |= g_task_had_error (G_TASK (result));
  if (++pinning->n_answered < n)
    return;
  if (pinning->has_failed)
    tell_failure (pinning->window, pinning->pins ? _ ("An entry was not pinned")
                                                 : _ ("An entry is still pinned"));
  else
    {
      words = g_strdup_printf (
          pinning->pins ? P_ ("%u entry is pinned.", "%u entries are pinned.", n)
                        : P_ ("%u entry is not pinned.", "%u entries are not pinned.", n),
          n);
      tell (pinning->window, words);
    }
  g_object_unref (pinning->window);
  g_free (pinning);
}

static void
on_pin (GtkWidget *widget, const char *name, GVariant *nothing)
{
  ClipHistoryWindow *self = CLIP_HISTORY_WINDOW (widget);
  g_autoptr (CliphistEntry) entry = clip_choice_entry (self->choice);
  g_autoptr (GArray) ids = clip_choice_ids (self->choice);
  gboolean pins = g_str_equal (name, "history.pin");
  Pinning *pinning;

  if (!entry)
    return;
  if (g_str_equal (name, "history.pin-or-unpin"))
    pins = !is_pinned (entry);
  clip_choice_let_go (self->choice);
  pinning = g_new0 (Pinning, 1);
  pinning->window = g_object_ref (self);
  pinning->pins = pins;
  pinning->n = ids->len;
  for (guint i = 0; i < ids->len; i++)
    cliphist_history_set_pinned_async (self->history, g_array_index (ids, guint64, i),
                                       pins, NULL, on_pinned, pinning);
}

/* a full disk ends no pause that was asked for; what else failed may have begun none */
static void
on_paused (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ClipHistoryWindow) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *words = NULL;
  gint64 until_us;

  if (cliphist_history_pause_finish (CLIPHIST_HISTORY (source), result, &error))
    return;
  g_object_get (source, "paused-until", &until_us, NULL);
  if (g_error_matches (error, CLIPHIST_ERROR, CLIPHIST_ERROR_NO_SPACE))
    {
      words = g_strdup_printf (
          _ ("A restart of the daemon forgets this, as it cannot be written: %s"),
          error->message);
      notice (self, words, FALSE);
    }
  else
    tell_failure (self, until_us == 0 ? _ ("The pause was not set")
                                      : _ ("The pause was not ended"));
}

static void
on_pause (GtkWidget *widget, const char *name, GVariant *seconds)
{
  ClipHistoryWindow *self = CLIP_HISTORY_WINDOW (widget);
  gint64 for_s = seconds ? g_variant_get_int64 (seconds) : 0;
  gint64 until_us = for_s > 0 ? g_get_real_time () + for_s * G_TIME_SPAN_SECOND : for_s;

  cliphist_history_pause_async (self->history, until_us, NULL, on_paused,
                                g_object_ref (self));
}

static void
on_wiped (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ClipHistoryWindow) self = user_data;

  if (g_task_had_error (G_TASK (result)))
    tell_failure (self, _ ("Nothing was deleted"));
}

static void
on_wipe (GtkWidget *widget, const char *name, GVariant *nothing)
{
  ClipHistoryWindow *self = CLIP_HISTORY_WINDOW (widget);

  cliphist_history_wipe_async (self->history, FALSE, 0, NULL, on_wiped,
                               g_object_ref (self));
  show_page (self, NULL);
}

/* --- what else is shown --- */

static void
show_preview (ClipHistoryWindow *self)
{
  g_autoptr (CliphistEntry) entry = clip_choice_entry (self->choice);

  if (gtk_widget_get_visible (GTK_WIDGET (self->preview)))
    clip_preview_pane_show (self->preview, self->history, entry);
}

/* the choice is of another entry: so would be what the menu of the row does */
static void
on_chosen (ClipHistoryWindow *self)
{
  if (self->row_menu)
    gtk_popover_popdown (GTK_POPOVER (self->row_menu));
  show_actions (self);
  show_preview (self);
}

static void
on_preview (GtkWidget *widget, const char *name, GVariant *nothing)
{
  ClipHistoryWindow *self = CLIP_HISTORY_WINDOW (widget);
  gboolean is_shown = gtk_widget_get_visible (GTK_WIDGET (self->preview));

  /* there is none beside another page, where Tab is what it is everywhere */
  if (self->page)
    {
      gtk_widget_child_focus (widget, GTK_DIR_TAB_FORWARD);
      return;
    }
  gtk_widget_set_visible (GTK_WIDGET (self->preview), !is_shown);
  clip_preview_pane_clear (self->preview);
  show_preview (self);
}

/* the button that has the focus is one in it, which GTK 4.8 calls by its type */
static void
tell_kind (ClipHistoryWindow *self)
{
  GtkWidget *button = gtk_widget_get_first_child (GTK_WIDGET (self->kinds));
  GtkStringObject *kind = gtk_drop_down_get_selected_item (self->kinds);

  gtk_accessible_update_property (
      GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Kind of entry"),
      GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, gtk_string_object_get_string (kind), -1);
}

static void
on_kind (GtkWidget *widget, const char *name, GVariant *step)
{
  ClipHistoryWindow *self = CLIP_HISTORY_WINDOW (widget);
  const int n = PINNED + 1;

  gtk_drop_down_set_selected (
      self->kinds, (guint) (((int) self->shown + g_variant_get_int32 (step) + n) % n));
}

static void
on_kind_changed (ClipHistoryWindow *self)
{
  guint shown = gtk_drop_down_get_selected (self->kinds);

  if (shown == self->shown)
    return;
  self->shown = shown;
  tell_kind (self);
  show_list (self);
  search_behind (self);
  gtk_widget_grab_focus (GTK_WIDGET (self->search));
}

static void
on_edit (GtkWidget *widget, const char *name, GVariant *nothing)
{
  ClipHistoryWindow *self = CLIP_HISTORY_WINDOW (widget);
  g_autoptr (CliphistEntry) entry = clip_choice_entry (self->choice);
  g_autoptr (GArray) ids = clip_choice_ids (self->choice);

  if (!entry)
    return;
  if (ids->len > 1)
    {
      notice (self, _ ("Only one entry at a time can be edited or tagged."), FALSE);
      return;
    }
  clip_choice_let_go (self->choice);
  show_page (self, "editor");
  if (g_str_has_suffix (name, "tag"))
    clip_entry_editor_edit_tags (self->editor, self->history, entry);
  else
    clip_entry_editor_edit_text (self->editor, self->history, entry);
}

static void
on_resume_draft (GtkWidget *widget, const char *name, GVariant *nothing)
{
  ClipHistoryWindow *self = CLIP_HISTORY_WINDOW (widget);

  show_page (self, "editor");
  gtk_widget_grab_focus (GTK_WIDGET (self->editor));
}

/* a text that was changed is the newest entry: it comes at once, and is chosen */
static void
on_saved (GtkWidget *widget, const char *name, GVariant *id)
{
  ClipHistoryWindow *self = CLIP_HISTORY_WINDOW (widget);

  if (gtk_widget_get_visible (widget))
    {
      clip_choice_await (self->choice, g_variant_get_uint64 (id));
      g_object_set (self->history, "hold", FALSE, NULL);
      g_object_set (self->history, "hold", TRUE, NULL);
    }
  show_page (self, NULL);
}

static void
turn_to (ClipHistoryWindow *self, const char *page)
{
  /* before the focus moves, which saves */
  clip_settings_page_forget_draft (self->settings);
  show_page (self, page);
  if (g_str_equal (page, "settings"))
    clip_settings_page_load (self->settings);
  else if (g_str_equal (page, "first"))
    clip_first_page_load (self->first);
  else if (g_str_equal (page, "keys"))
    gtk_widget_grab_focus (self->keys); /* which Page Down scrolls */
  else if (g_str_equal (page, "wipe"))
    gtk_widget_grab_focus (self->keep);
}

static void
on_show_page (GtkWidget *widget, const char *name, GVariant *page)
{
  ClipHistoryWindow *self = CLIP_HISTORY_WINDOW (widget);

  turn_to (self, g_variant_get_string (page, NULL));
  if (is_on_page (self, "first"))
    clip_first_page_ask_key (self->first);
}

static void
on_ask_wipe (GtkWidget *widget, const char *name, GVariant *nothing)
{
  turn_to (CLIP_HISTORY_WINDOW (widget), "wipe");
}

static void
on_menu (GtkWidget *widget, const char *name, GVariant *nothing)
{
  gtk_menu_button_popup (CLIP_HISTORY_WINDOW (widget)->menu_button);
}

/* a menu that closes gives the focus to its button, in GTK 4.18 after its "closed" */
static void
on_focus_moved (ClipHistoryWindow *self)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));
  gboolean was_in_menu = self->is_in_menu;

  self->is_in_menu = focus && gtk_widget_get_ancestor (focus, GTK_TYPE_POPOVER);
  if (was_in_menu && !self->is_in_menu)
    self->left_menu_us = g_get_monotonic_time ();
  if (was_in_menu && !self->is_in_menu && !self->page)
    gtk_widget_grab_focus (GTK_WIDGET (self->search));
  if (is_on_page (self, "settings") && focus &&
      gtk_widget_get_visible (GTK_WIDGET (self)))
    clip_settings_page_save_left (self->settings);
}

static void
show_paused (ClipHistoryWindow *self)
{
  gint64 until_us = 0;
  g_autoptr (GDateTime) time = NULL;
  g_autofree char *words = NULL;

  g_object_get (self->history, "paused-until", &until_us, NULL);
  if (until_us > 0)
    time = g_date_time_new_from_unix_local (until_us / G_USEC_PER_SEC);
  if (time)
    words = g_date_time_format (time, _ ("Copies are not kept until %Y-%m-%d %H:%M:%S."));
  gtk_label_set_text (self->paused_words,
                      words ?: _ ("Copies are not kept at the moment."));
  gtk_widget_set_visible (self->paused, until_us != 0);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "history.pause", until_us == 0);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "history.resume", until_us != 0);
}

/* Returns: whether rows that are not there yet are on their way */
static gboolean
load_rows (ClipHistoryWindow *self, guint n_lacking)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->history));
  gboolean is_complete;

  g_object_get (self->history, "complete", &is_complete, NULL);
  if (n_lacking == 0 || n >= ROWS_MOST || is_complete)
    return FALSE;
  cliphist_history_load_rows (self->history, MIN (n_lacking, ROWS_MOST - n));
  self->moves_on = TRUE;
  clip_type_ahead_begin (self->ahead);
  return TRUE;
}

static void
on_move (GtkWidget *widget, const char *name, GVariant *rows)
{
  ClipHistoryWindow *self = CLIP_HISTORY_WINDOW (widget);
  const int by = g_variant_get_int32 (rows);

  if (load_rows (self, clip_choice_lacks (self->choice, by)))
    clip_type_ahead_keep (self->ahead, name, rows);
  else
    clip_choice_move (self->choice, by, g_str_has_suffix (name, "extend"));
}

static void
leave (ClipHistoryWindow *self)
{
  forget_keys (self);
  if (self->page)
    show_page (self, NULL);
  else if (*gtk_editable_get_text (self->search))
    gtk_editable_set_text (self->search, "");
  else
    clip_history_window_close (self);
}

/* by a button, which says so */
static void
on_leave (GtkWidget *widget, const char *name, GVariant *nothing)
{
  ClipHistoryWindow *self = CLIP_HISTORY_WINDOW (widget);

  if (is_on_page (self, "editor"))
    clip_entry_editor_forget_draft (self->editor);
  if (!is_on_page (self, "settings") ||
      clip_settings_page_is_told_wrong (self->settings) ||
      clip_settings_page_leave (self->settings))
    leave (self);
}

/* what was being edited is there again when an entry is edited again */
static void
on_escape (GtkWidget *widget, const char *name, GVariant *nothing)
{
  ClipHistoryWindow *self = CLIP_HISTORY_WINDOW (widget);
  const gboolean keeps_draft = is_on_page (self, "editor") && is_page_kept (self);

  if (self->is_welcome)
    clip_history_window_close (self);
  else
    leave (self);
  if (keeps_draft)
    tell (self, gtk_label_get_text (self->draft_words));
}

/* --- opening and closing --- */

/* what was typed is there again when it is opened again: somebody looked at something
 * else meanwhile */
gboolean
clip_history_window_has_draft (ClipHistoryWindow *self)
{
  return clip_entry_editor_has_draft (self->editor);
}

static void
tell_covered (void)
{
  g_autoptr (GNotification) notification =
      g_notification_new (_ ("The clipboard history cannot be shown"));

  g_notification_set_body (
      notification, _ ("A window that fills the screen is in front of it. Leave the full "
                       "screen first, or use a cliphist built with gtk4-layer-shell."));
  g_application_send_notification (g_application_get_default (), "covered", notification);
}

static gboolean
on_focus_gone (gpointer user_data)
{
  ClipHistoryWindow *self = user_data;

  self->focus_timer = 0;
  if (clip_placement_waits_for_key (self->placement) &&
      g_get_monotonic_time () - self->left_menu_us < 2 * FOCUS_MS * 1000)
    self->had_focus = FALSE;
  else
    clip_history_window_close (self);
  return G_SOURCE_REMOVE;
}

static gboolean
on_seen (gpointer user_data)
{
  ClipHistoryWindow *self = user_data;
  /* a focus that has just gone was there */
  gboolean is_covered = !self->focus_timer && clip_placement_is_covered (self->placement);

  if (is_covered && !self->is_unseen)
    {
      self->is_unseen = TRUE;
      return G_SOURCE_CONTINUE;
    }
  self->seen_timer = 0;
  if (is_covered)
    {
      tell_covered ();
      clip_history_window_close (self);
    }
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
  g_clear_handle_id (&self->seen_timer, g_source_remove);
  g_clear_handle_id (&self->click_timer, g_source_remove);
  /* GTK says of a window that was hidden with the focus that it still has it, and says
   * nothing when it gets it again */
  self->had_focus = is_shown && clip_placement_has_focus (self->placement);
  if (is_shown)
    {
      g_object_set (self->history, "hold", !self->is_welcome, NULL);
      self->is_unseen = FALSE;
      /* behind all that is still to be drawn */
      self->seen_timer =
          g_timeout_add_full (G_PRIORITY_LOW, SEEN_MS, on_seen, self, NULL);
    }
  else
    {
      /* while it is hidden, rows may move; what was deleted goes now; the next time it
         begins anew */
      g_object_set (self->history, "hold", FALSE, NULL);
      clip_removal_commit (self->removal);
      notice (self, NULL, FALSE);
      tell (self, self->count ?: "");
      if (is_on_page (self, "settings"))
        clip_settings_page_leave (self->settings);
      if (!is_page_kept (self))
        show_page (self, NULL);
      clip_preview_pane_clear (self->preview);
      gtk_drop_down_set_selected (self->kinds, CLIPHIST_KIND_ANY);
      if (*gtk_editable_get_text (self->search))
        gtk_editable_set_text (self->search, "");
      forget_keys (self);
      clip_choice_reset (self->choice);
    }
}

/* as large as its text, and no larger than the smallest screen: which one it will be on
   is not known beforehand */
static void
fit (ClipHistoryWindow *self)
{
  GListModel *monitors =
      gdk_display_get_monitors (gtk_widget_get_display (GTK_WIDGET (self)));
  int dpi, width, height;

  g_object_get (gtk_widget_get_settings (GTK_WIDGET (self)), "gtk-xft-dpi", &dpi, NULL);
  dpi = MAX (dpi, USUAL_DPI);
  width = (int) ((gint64) WIDTH * dpi / USUAL_DPI);
  height = (int) ((gint64) HEIGHT * dpi / USUAL_DPI);
  for (guint i = 0; i < g_list_model_get_n_items (monitors); i++)
    {
      g_autoptr (GdkMonitor) monitor = g_list_model_get_item (monitors, i);
      GdkRectangle area;

      gdk_monitor_get_geometry (monitor, &area);
      width = area.width > 0 ? MIN (width, area.width) : width;
      /* a bar of the desktop has the rest; no display tells how high it is */
      height = area.height > 0 ? MIN (height, area.height * 9 / 10) : height;
    }
  gtk_widget_set_size_request (self->content, width, height);
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
  if (clip_first_page_is_due ())
    {
      turn_to (self, "first");
      self->is_welcome = TRUE;
    }
  /* settings that were saved only when it was hidden */
  if (is_on_page (self, "settings") && !is_page_kept (self))
    show_page (self, NULL);
  fit (self);
  clip_placement_show (self->placement);
  /* only now: GTK moves the focus on where what had it was hidden with the window */
  if (!self->page)
    gtk_widget_grab_focus (GTK_WIDGET (self->search));
  else if (is_page_kept (self))
    gtk_widget_grab_focus (is_on_page (self, "editor") ? GTK_WIDGET (self->editor)
                                                       : GTK_WIDGET (self->settings));
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

  g_clear_handle_id (&self->late_timer, g_source_remove);
  g_clear_handle_id (&self->focus_timer, g_source_remove);
  g_clear_handle_id (&self->seen_timer, g_source_remove);
  g_clear_handle_id (&self->click_timer, g_source_remove);
  g_clear_pointer (&self->row_menu, gtk_widget_unparent);
  g_clear_pointer (&self->choice, clip_choice_free);
  g_clear_pointer (&self->removal, clip_removal_free);
  g_clear_pointer (&self->ahead, clip_type_ahead_free);
  g_clear_pointer (&self->page, g_free);
  g_clear_pointer (&self->count, g_free);
  g_clear_pointer (&self->placement, clip_placement_free);
  gtk_list_view_set_model (self->list, NULL);
  g_clear_pointer (&self->thumbnails, clip_row_pictures_free);
  g_clear_pointer (&self->restart, clip_daemon_restart_free);
  g_clear_object (&self->history);
  G_OBJECT_CLASS (clip_history_window_parent_class)->dispose (object);
}

static const struct
{
  const char *name;
  const char *parameter;
  GtkWidgetActionActivateFunc activate;
  /* done with rows: waits for those that are on their way, and is nothing while none are
     seen */
  gboolean is_of_rows;
} actions[] = {
  { "history.search", NULL, on_search, FALSE },
  { "history.move", "i", on_move, TRUE },
  { "history.extend", "i", on_move, TRUE },
  { "history.paste", NULL, on_paste, TRUE },
  { "history.paste-plain", NULL, on_paste_plain, TRUE },
  { "history.paste-plain-key", NULL, on_paste_plain, TRUE },
  { "history.copy", NULL, on_copy, TRUE },
  { "history.copy-key", NULL, on_copy_key, FALSE },
  { "history.choose", "i", on_choose, TRUE },
  { "history.delete", NULL, on_delete, TRUE },
  { "history.delete-key", NULL, on_delete_key, FALSE },
  { "history.undo", NULL, on_undo, FALSE },
  { "history.pin", NULL, on_pin, TRUE },
  { "history.unpin", NULL, on_pin, TRUE },
  { "history.pin-or-unpin", NULL, on_pin, TRUE },
  { "history.tag", NULL, on_edit, TRUE },
  { "history.edit", NULL, on_edit, TRUE },
  { "history.edit-key", NULL, on_edit, TRUE },
  { "history.resume-draft", NULL, on_resume_draft, FALSE },
  { "history.saved", "t", on_saved, FALSE },
  { "history.preview", NULL, on_preview, FALSE },
  { "history.kind", "i", on_kind, FALSE },
  { "history.pause", "x", on_pause, FALSE },
  { "history.resume", NULL, on_pause, FALSE },
  { "history.ask-wipe", NULL, on_ask_wipe, FALSE },
  { "history.wipe", NULL, on_wipe, FALSE },
  { "history.show-newer", NULL, on_show_newer, FALSE },
  { "history.show-page", "s", on_show_page, FALSE },
  { "history.menu", NULL, on_menu, FALSE },
  { "history.leave", NULL, on_leave, FALSE },
  { "history.escape", NULL, on_escape, FALSE },
};

static void
on_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  ClipHistoryWindow *self = CLIP_HISTORY_WINDOW (widget);

  drop_notice (self);
  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    if (g_str_equal (actions[i].name, name) &&
        !(actions[i].is_of_rows &&
          (clip_type_ahead_keep (self->ahead, name, parameter) || !shows_rows (self))))
      actions[i].activate (widget, name, parameter);
}

static void
bind_children (GtkWidgetClass *class)
{
  gtk_widget_class_bind_template_child (class, ClipHistoryWindow, search);
  gtk_widget_class_bind_template_child (class, ClipHistoryWindow, stack);
  gtk_widget_class_bind_template_child (class, ClipHistoryWindow, scroller);
  gtk_widget_class_bind_template_child (class, ClipHistoryWindow, list);
  gtk_widget_class_bind_template_child (class, ClipHistoryWindow, nothing);
  gtk_widget_class_bind_template_child (class, ClipHistoryWindow, chosen);
  gtk_widget_class_bind_template_child (class, ClipHistoryWindow, kinds);
  gtk_widget_class_bind_template_child (class, ClipHistoryWindow, menu_button);
  gtk_widget_class_bind_template_child (class, ClipHistoryWindow, preview);
  gtk_widget_class_bind_template_child (class, ClipHistoryWindow, editor);
  gtk_widget_class_bind_template_child (class, ClipHistoryWindow, first);
  gtk_widget_class_bind_template_child (class, ClipHistoryWindow, settings);
  gtk_widget_class_bind_template_child (class, ClipHistoryWindow, back);
  gtk_widget_class_bind_template_child (class, ClipHistoryWindow, content);
  gtk_widget_class_bind_template_child (class, ClipHistoryWindow, keys);
  gtk_widget_class_bind_template_child (class, ClipHistoryWindow, keep);
  gtk_widget_class_bind_template_child (class, ClipHistoryWindow, paused);
  gtk_widget_class_bind_template_child (class, ClipHistoryWindow, paused_words);
  gtk_widget_class_bind_template_child (class, ClipHistoryWindow, draft);
  gtk_widget_class_bind_template_child (class, ClipHistoryWindow, draft_words);
  gtk_widget_class_bind_template_child (class, ClipHistoryWindow, old);
  gtk_widget_class_bind_template_child (class, ClipHistoryWindow, line);
  gtk_widget_class_bind_template_child (class, ClipHistoryWindow, blank);
  gtk_widget_class_bind_template_child (class, ClipHistoryWindow, late);
  gtk_widget_class_bind_template_child (class, ClipHistoryWindow, newer);
  gtk_widget_class_bind_template_child (class, ClipHistoryWindow, newer_words);
  gtk_widget_class_bind_template_child (class, ClipHistoryWindow, notice);
  gtk_widget_class_bind_template_child (class, ClipHistoryWindow, notice_words);
  gtk_widget_class_bind_template_child (class, ClipHistoryWindow, undo);
}

static void
clip_history_window_class_init (ClipHistoryWindowClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = clip_history_window_dispose;
  GTK_WINDOW_CLASS (class)->close_request = clip_history_window_close_request;
  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    gtk_widget_class_install_action (widget, actions[i].name, actions[i].parameter,
                                     on_action);
  g_type_ensure (CLIP_TYPE_ENTRY_EDITOR);
  g_type_ensure (CLIP_TYPE_FIRST_PAGE);
  g_type_ensure (CLIP_TYPE_PREVIEW_PANE);
  g_type_ensure (CLIP_TYPE_SETTINGS_PAGE);
  gtk_widget_class_set_template_from_resource (
      widget, "/org/cliphist/Cliphist/clip-history-window.ui");
  bind_children (widget);
  gtk_widget_class_bind_template_callback (widget, on_kind_changed);
  gtk_widget_class_bind_template_callback (widget, on_search_changed);
  gtk_widget_class_bind_template_callback (widget, on_search_key);
  gtk_widget_class_bind_template_callback (widget, on_row_activated);
  gtk_widget_class_bind_template_callback (widget, on_row_made);
  gtk_widget_class_bind_template_callback (widget, on_row_bound);
}

/* GTK 4.8 names a button by the text with the mark of its mnemonic, and once more by the
 * label in it, which is enough */
static void
name_buttons (GtkWidget *widget)
{
  if (GTK_IS_BUTTON (widget) && gtk_button_get_use_underline (GTK_BUTTON (widget)))
    gtk_accessible_reset_property (GTK_ACCESSIBLE (widget),
                                   GTK_ACCESSIBLE_PROPERTY_LABEL);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child;
       child = gtk_widget_get_next_sibling (child))
    name_buttons (child);
}

static void
clip_history_window_init (ClipHistoryWindow *self)
{
  self->history = cliphist_history_new ();
  self->restart = clip_daemon_restart_new (self->history);
  self->thumbnails = clip_row_pictures_new (self->history);
  gtk_widget_init_template (GTK_WIDGET (self));
  name_buttons (GTK_WIDGET (self));
  tell_kind (self);
  gtk_widget_set_valign (GTK_WIDGET (gtk_menu_button_get_popover (self->menu_button)),
                         GTK_ALIGN_START);
  gtk_search_entry_set_key_capture_widget (GTK_SEARCH_ENTRY (self->search),
                                           GTK_WIDGET (self->first));
  self->placement = clip_placement_new (GTK_WINDOW (self));
  self->ahead = clip_type_ahead_new (GTK_WIDGET (self));
  clip_type_ahead_begin (self->ahead);
  self->removal = clip_removal_new (self->history, on_removal_changed, self);
  self->choice = clip_choice_new (clip_removal_rows (self->removal), self->list,
                                  (ClipChoiceFunc) on_chosen, self);
  g_signal_connect_object (self->history, "notify::paused-until",
                           G_CALLBACK (show_paused), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->history, "notify::loading", G_CALLBACK (on_loading),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->history, "notify::error", G_CALLBACK (show_state), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->history, "notify::changing", G_CALLBACK (on_asked), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->history, "notify::n-held", G_CALLBACK (drop_notice),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->history, "notify::available", G_CALLBACK (show_state),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (gtk_list_view_get_model (self->list), "selection-changed",
                           G_CALLBACK (show_count), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (clip_removal_rows (self->removal), "items-changed",
                           G_CALLBACK (show_state), self,
                           G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  g_signal_connect_swapped (gtk_scrolled_window_get_vadjustment (self->scroller),
                            "value-changed", G_CALLBACK (on_scrolled), self);
  g_signal_connect_swapped (gtk_scrolled_window_get_vadjustment (self->scroller),
                            "changed", G_CALLBACK (on_room), self);
  g_signal_connect (self, "notify::visible", G_CALLBACK (on_visible), NULL);
  g_signal_connect (self, "notify::focus-widget", G_CALLBACK (on_focus_moved), NULL);
  clip_placement_watch_focus (self->placement, (GCallback) on_focus, self);
  show_paused (self);
  show_state (self);
}

ClipHistoryWindow *
clip_history_window_new (void)
{
  return g_object_new (CLIP_TYPE_HISTORY_WINDOW, NULL);
}
