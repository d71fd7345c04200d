/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-choice.h"

#define MANY 10000 /* that End reads */

/* instead of GTK's: there is no display, and no list */
void
gtk_list_view_set_model (GtkListView *view G_GNUC_UNUSED,
                         GtkSelectionModel *model G_GNUC_UNUSED)
{
}

gboolean
gtk_widget_activate_action (GtkWidget *widget G_GNUC_UNUSED,
                            const char *name G_GNUC_UNUSED,
                            const char *format G_GNUC_UNUSED,
                            ...)
{
  return TRUE;
}

/* What ClipChoice asks an entry for. */
#define TEST_TYPE_ROW (test_row_get_type ())
G_DECLARE_FINAL_TYPE (TestRow, test_row, TEST, ROW, GObject)

struct _TestRow
{
  GObject parent_instance;
  guint64 id;
};

G_DEFINE_FINAL_TYPE (TestRow, test_row, G_TYPE_OBJECT)

static void
test_row_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  g_assert_cmpuint (id, ==, 1);
  g_assert_nonnull (spec);
  g_value_set_uint64 (value, TEST_ROW (object)->id);
}

static void
test_row_class_init (TestRowClass *class)
{
  G_OBJECT_CLASS (class)->get_property = test_row_get_property;
  g_object_class_install_property (
      G_OBJECT_CLASS (class), 1,
      g_param_spec_uint64 ("id", NULL, NULL, 0, G_MAXUINT64, 0, G_PARAM_READABLE));
}

static void
test_row_init (TestRow *self G_GNUC_UNUSED)
{
}

static void
on_moved (gpointer user_data G_GNUC_UNUSED)
{
}

static TestRow *
row_of (guint64 id)
{
  TestRow *row = g_object_new (TEST_TYPE_ROW, NULL);

  row->id = id;
  return row;
}

/* the ids are those of the places, from 1 on */
static ClipChoice *
choice_of (GListStore *rows, guint n)
{
  ClipChoice *choice = clip_choice_new (G_LIST_MODEL (rows), NULL, on_moved, NULL);

  for (guint i = 1; i <= n; i++)
    {
      g_autoptr (TestRow) row = row_of (i);

      g_list_store_append (rows, row);
    }
  clip_choice_reset (choice);
  return choice;
}

static void
assert_ids (ClipChoice *choice, guint n, guint64 first, guint64 last)
{
  g_autoptr (GArray) ids = clip_choice_ids (choice);

  g_assert_cmpuint (ids->len, ==, n);
  g_assert_cmpuint (g_array_index (ids, guint64, 0), ==, first);
  g_assert_cmpuint (g_array_index (ids, guint64, n - 1), ==, last);
}

static void
test_many (void)
{
  g_autoptr (GListStore) rows = g_list_store_new (TEST_TYPE_ROW);
  ClipChoice *choice = choice_of (rows, MANY);

  clip_choice_extend (choice, MANY - 1);
  assert_ids (choice, MANY, 1, MANY);
  clip_choice_extend (choice, 1);
  assert_ids (choice, 2, 1, 2);
  clip_choice_set (choice, MANY - 1);
  clip_choice_extend (choice, 0);
  assert_ids (choice, MANY, MANY, 1);
  clip_choice_free (choice);
}

static void
test_way_back (void)
{
  g_autoptr (GListStore) rows = g_list_store_new (TEST_TYPE_ROW);
  ClipChoice *choice = choice_of (rows, 9);

  clip_choice_set (choice, 3);
  clip_choice_extend (choice, 6);
  assert_ids (choice, 4, 4, 7);
  clip_choice_extend (choice, 4);
  assert_ids (choice, 2, 4, 5);
  clip_choice_extend (choice, 0);
  assert_ids (choice, 4, 4, 1);
  clip_choice_free (choice);
}

/* in the place of @removed rows come those of these ids, as a list that is read again
 * brings them */
static void
read_again (GListStore *rows, guint at, guint removed, guint64 first, guint added)
{
  g_autoptr (GPtrArray) fresh = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < added; i++)
    g_ptr_array_add (fresh, row_of (first + i));
  g_list_store_splice (rows, at, removed, fresh->pdata, added);
}

static gboolean
is_lost (guint removed, guint64 first, guint added)
{
  g_autoptr (GListStore) rows = g_list_store_new (TEST_TYPE_ROW);
  ClipChoice *choice = choice_of (rows, 9);
  gboolean lost;

  clip_choice_set (choice, 3);
  read_again (rows, 3, removed, first, added);
  lost = clip_choice_take_lost (choice);
  clip_choice_free (choice);
  return lost;
}

static void
test_gone (void)
{
  /* the neighbours are there, and a row more at the end */
  g_assert_true (is_lost (6, 5, 6));
  g_assert_true (is_lost (1, 0, 0));
  /* it has come with them */
  g_assert_false (is_lost (6, 4, 5));
  /* another id in its place: copied again */
  g_assert_false (is_lost (1, 20, 1));
}

static void
test_first (void)
{
  g_autoptr (GListStore) rows = g_list_store_new (TEST_TYPE_ROW);
  ClipChoice *choice = choice_of (rows, 9);

  /* it goes down with its entry, but not on to the third of others */
  read_again (rows, 0, 0, 20, 2);
  assert_ids (choice, 1, 1, 1);
  read_again (rows, 0, 11, 30, 5);
  g_assert_false (clip_choice_take_lost (choice));
  assert_ids (choice, 1, 30, 30);
  clip_choice_free (choice);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/choice/all-of-a-long-list", test_many);
  g_test_add_func ("/choice/what-is-beyond-the-way-back", test_way_back);
  g_test_add_func ("/choice/what-was-chosen-has-gone", test_gone);
  g_test_add_func ("/choice/the-first-one-of-others-is-meant", test_first);
  return g_test_run ();
}
