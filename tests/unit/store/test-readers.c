/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-readers.h"
#include "hoard.h"

#define N_ORDERS 200
#define N_LISTS 1500

static GMutex gate;
static gint n_read; /* atomic */

static void
read_behind_gate (ClipReader *reader G_GNUC_UNUSED, GTask *task)
{
  g_mutex_lock (&gate);
  g_mutex_unlock (&gate);
  g_atomic_int_inc (&n_read);
  g_task_return_boolean (task, TRUE);
}

static void
push (ClipReaders *readers, GCancellable *cancellable, Answer *answer)
{
  clip_readers_push (readers, CLIP_READ_LONG, 0,
                     g_task_new (NULL, cancellable, on_answer, answer), read_behind_gate);
}

/* how many were not read, and say so */
static guint
count_cancelled (Answer *answers, guint n)
{
  guint n_cancelled = 0;

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GAsyncResult) result = answer_wait (&answers[i]);
      g_autoptr (GError) error = NULL;

      if (g_task_propagate_boolean (G_TASK (result), &error))
        continue;
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      n_cancelled++;
    }
  return n_cancelled;
}

/* what has begun is waited for, what has not is told so */
static void
test_what_waits_is_dropped (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  ClipReaders *readers = clip_readers_new (hoard->dir, NULL, NULL);
  Answer answers[N_ORDERS] = { { NULL } };
  guint n_cancelled;

  g_atomic_int_set (&n_read, 0);
  g_mutex_lock (&gate);
  for (guint i = 0; i < N_ORDERS; i++)
    push (readers, NULL, &answers[i]);
  clip_readers_stop (readers);
  g_mutex_unlock (&gate);
  clip_readers_free (readers);
  n_cancelled = count_cancelled (answers, N_ORDERS);
  g_assert_cmpint (g_atomic_int_get (&n_read) + (gint) n_cancelled, ==, N_ORDERS);
  /* no more than there are threads */
  g_assert_cmpint (g_atomic_int_get (&n_read), <=, 2);
}

static void
read_at_once (ClipReader *reader G_GNUC_UNUSED, GTask *task)
{
  g_task_return_boolean (task, TRUE);
}

/* however many lists and searches are being read, and wait */
static void
test_lookup_waits_for_no_list (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  ClipReaders *readers = clip_readers_new (hoard->dir, NULL, NULL);
  Answer lists[N_ORDERS] = { { NULL } };
  Answer lookup = { NULL };
  g_autoptr (GAsyncResult) result = NULL;

  g_mutex_lock (&gate);
  for (guint i = 0; i < N_ORDERS; i++)
    push (readers, NULL, &lists[i]);
  clip_readers_push (readers, CLIP_READ_SOON, 0,
                     g_task_new (NULL, NULL, on_answer, &lookup), read_at_once);
  result = answer_wait (&lookup);
  g_assert_true (g_task_propagate_boolean (G_TASK (result), NULL));
  g_mutex_unlock (&gate);
  clip_readers_stop (readers);
  clip_readers_free (readers);
  count_cancelled (lists, N_ORDERS);
}

static void
test_cancelled_is_not_read (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (ClipReaders) readers = clip_readers_new (hoard->dir, NULL, NULL);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Answer answers[N_ORDERS] = { { NULL } };

  g_atomic_int_set (&n_read, 0);
  g_cancellable_cancel (cancellable);
  for (guint i = 0; i < N_ORDERS; i++)
    push (readers, i % 2 ? cancellable : NULL, &answers[i]);
  g_assert_cmpuint (count_cancelled (answers, N_ORDERS), ==, N_ORDERS / 2);
  g_assert_cmpint (g_atomic_int_get (&n_read), ==, N_ORDERS / 2);
}

static gint n_before; /* atomic: how many had been read when it was its turn */

static void
read_first_of_another (ClipReader *reader G_GNUC_UNUSED, GTask *task)
{
  g_atomic_int_set (&n_before, g_atomic_int_get (&n_read));
  g_task_return_boolean (task, TRUE);
}

/* of a caller with many at once, the second waits for the first of another */
static void
test_first_of_each_comes_first (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (ClipReaders) readers = clip_readers_new (hoard->dir, NULL, NULL);
  Answer answers[N_ORDERS] = { { NULL } };
  Answer first = { NULL };
  g_autoptr (GAsyncResult) result = NULL;

  g_atomic_int_set (&n_read, 0);
  g_mutex_lock (&gate);
  for (guint i = 0; i < N_ORDERS; i++)
    {
      GTask *task = g_task_new (NULL, NULL, on_answer, &answers[i]);

      clip_readers_push (readers, CLIP_READ_LONG, i, task, read_behind_gate);
    }
  clip_readers_push (readers, CLIP_READ_LONG, 0,
                     g_task_new (NULL, NULL, on_answer, &first), read_first_of_another);
  g_mutex_unlock (&gate);
  result = answer_wait (&first);
  g_assert_cmpuint (count_cancelled (answers, N_ORDERS), ==, 0);
  /* those that were being read, and what the other thread has read meanwhile */
  g_assert_cmpint (g_atomic_int_get (&n_before), <, N_ORDERS / 2);
}

/* each list is long, in pages: those that are asked for and those that are being read end
 * with the store, and every one is answered */
static void
test_lists_end_with_the_store (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  static Answer answers[N_LISTS];
  guint n_cancelled = 0;

  for (guint i = 0; i < 50; i++)
    {
      g_autofree char *text = g_strdup_printf ("entry %u", i);

      hoard_add_text (hoard->store, text);
    }
  for (guint i = 0; i < N_LISTS; i++)
    clip_store_list_async (hoard->store, &(const ClipQuery){ .regex = "[0-9]+$" }, NULL,
                           on_answer, &answers[i]);
  clip_store_close (hoard->store);
  for (guint i = 0; i < N_LISTS; i++)
    {
      g_autoptr (GAsyncResult) result = answer_wait (&answers[i]);
      g_autoptr (GPtrArray) entries = NULL;
      g_autoptr (GError) error = NULL;

      entries = clip_store_list_finish (hoard->store, result, &error);
      if (entries)
        g_assert_cmpuint (entries->len, ==, 50);
      else
        g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      n_cancelled += error != NULL;
    }
  g_assert_cmpuint (n_cancelled, >, 0);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/readers/what-waits-is-dropped", test_what_waits_is_dropped);
  g_test_add_func ("/readers/lookup-waits-for-no-list", test_lookup_waits_for_no_list);
  g_test_add_func ("/readers/cancelled-is-not-read", test_cancelled_is_not_read);
  g_test_add_func ("/readers/first-of-each-comes-first", test_first_of_each_comes_first);
  g_test_add_func ("/readers/lists-end-with-the-store", test_lists_end_with_the_store);
  return g_test_run ();
}
