/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Notifications, as their server sees them. */
#include "clip-notification-queue.h"
#include "notify-server.h"
#include "wait-until.h"

#include <locale.h>

/* one for all tests: libnotify keeps to the bus that it has found */
static GTestDBus *bus;

typedef struct
{
  NotifyServer *server;
  ClipNotificationQueue *notifications;
  guint n_clicks;
  ClipMatter clicked;
} Rig;

static void
on_clicked (ClipMatter matter, gpointer user_data)
{
  Rig *rig = user_data;

  g_assert_true (g_main_context_is_owner (g_main_context_default ()));
  rig->n_clicks++;
  rig->clicked = matter;
}

static void
set_up (Rig *rig, gconstpointer capabilities)
{
  if (capabilities)
    rig->server = notify_server_new (g_test_dbus_get_bus_address (bus), capabilities);
  rig->notifications = clip_notification_queue_new (on_clicked, rig);
}

static void
tear_down (Rig *rig, gconstpointer capabilities G_GNUC_UNUSED)
{
  clip_notification_queue_free (rig->notifications);
  if (rig->server)
    notify_server_free (rig->server);
}

static ClipNotification *
message (ClipMatter matter, const char *body)
{
  ClipNotification *self = g_new0 (ClipNotification, 1);

  self->matter = matter;
  self->category = "device";
  self->summary = g_strdup ("A summary");
  self->body = g_strdup (body);
  return self;
}

static void
show (Rig *rig, ClipMatter matter, const char *body)
{
  clip_notification_queue_show (rig->notifications, message (matter, body));
}

#define last(rig) notify_server_last ((rig)->server)
#define assert_hint(rig, key, wanted) \
  G_STMT_START \
  { \
    g_autofree char *hint = notify_server_hint ((rig)->server, key); \
    g_assert_cmpstr (hint, ==, wanted); \
  } \
  G_STMT_END

static void
test_one_matter (Rig *rig, gconstpointer data G_GNUC_UNUSED)
{
  show (rig, CLIP_MATTER_PAUSED, "first");
  wait_until (rig->server->notes->len == 1);
  show (rig, CLIP_MATTER_SPARED, "another matter");
  wait_until (rig->server->notes->len == 2);
  g_assert_cmpuint (last (rig)->replaces, ==, 0);
  show (rig, CLIP_MATTER_PAUSED, "second");
  wait_until (rig->server->notes->len == 3);
  g_assert_cmpuint (last (rig)->replaces, ==, 1);
  g_assert_cmpstr (last (rig)->body, ==, "second");
  clip_notification_queue_hide (rig->notifications, CLIP_MATTER_PAUSED);
  wait_until (rig->server->closed->len == 1);
  g_assert_cmpuint (g_array_index (rig->server->closed, guint32, 0), ==, 1);
}

static void
count_unseen (const char *domain, GLogLevelFlags level, const char *text, gpointer n)
{
  if (g_str_has_prefix (text, "no notification shown"))
    g_atomic_int_inc ((int *) n);
}

/* as at a login, where another program has not started yet */
static void
test_later_server (Rig *rig, gconstpointer data G_GNUC_UNUSED)
{
  int n_unseen = 0;
  guint handler =
      g_log_set_handler ("clip-bus", G_LOG_LEVEL_INFO, count_unseen, &n_unseen);

  show (rig, CLIP_MATTER_SPARED, "of no interest any more");
  wait_until (g_atomic_int_get (&n_unseen) == 1);
  show (rig, CLIP_MATTER_PAUSED, "first");
  wait_until (g_atomic_int_get (&n_unseen) == 2);
  show (rig, CLIP_MATTER_PAUSED, "second");
  wait_until (g_atomic_int_get (&n_unseen) == 3);
  g_log_remove_handler ("clip-bus", handler);
  clip_notification_queue_hide (rig->notifications, CLIP_MATTER_SPARED);
  rig->server = notify_server_new (g_test_dbus_get_bus_address (bus), notify_server_all);
  wait_until (rig->server->notes->len == 1);
  g_assert_cmpstr (last (rig)->body, ==, "second");
  show (rig, CLIP_MATTER_COPY, "next");
  wait_until (rig->server->notes->len == 2);
  g_assert_cmpstr (last (rig)->body, ==, "next");
}

/* libnotify would wait for it, for 25 s and each matter; in a process of its own, as a
   thread of it is left behind */
static void
test_later_server_is_stuck (Rig *rig, gconstpointer data G_GNUC_UNUSED)
{
  int n_unseen = 0;
  guint handler =
      g_log_set_handler ("clip-bus", G_LOG_LEVEL_INFO, count_unseen, &n_unseen);

  if (!g_test_subprocess ())
    {
      g_log_remove_handler ("clip-bus", handler);
      g_test_trap_subprocess (NULL, 0, (GTestSubprocessFlags) 0);
      g_test_trap_assert_passed ();
      return;
    }
  show (rig, CLIP_MATTER_PAUSED, "first");
  wait_until (g_atomic_int_get (&n_unseen) == 1);
  rig->server = notify_server_new (g_test_dbus_get_bus_address (bus), notify_server_all);
  rig->server->is_stuck = TRUE;
  wait_until (rig->server->unanswered->len == 1);
  clip_notification_queue_free (g_steal_pointer (&rig->notifications));
  /* it is still asked: who had waited would have seen it give up */
  g_assert_cmpint (g_atomic_int_get (&n_unseen), ==, 1);
  g_log_remove_handler ("clip-bus", handler);
}

static void
test_escaped (Rig *rig, gconstpointer data G_GNUC_UNUSED)
{
  show (rig, CLIP_MATTER_COPY, "a <b>bold</b> & \"odd\" text");
  wait_until (rig->server->notes->len == 1);
  g_assert_cmpstr (last (rig)->body, ==,
                   "a &lt;b&gt;bold&lt;/b&gt; &amp; &quot;odd&quot; text");
}

static void
test_plain (Rig *rig, gconstpointer data G_GNUC_UNUSED)
{
  show (rig, CLIP_MATTER_COPY, "a <b>bold</b> & \"odd\" text");
  wait_until (rig->server->notes->len == 1);
  g_assert_cmpstr (last (rig)->body, ==, "a <b>bold</b> & \"odd\" text");
}

static void
show_with_action (Rig *rig)
{
  ClipNotification *self = message (CLIP_MATTER_TOO_LARGE, "Body.");

  self->action = g_strdup ("Keep anyway");
  self->advice = g_strdup ("Or so.");
  clip_notification_queue_show (rig->notifications, self);
  wait_until (rig->server->notes->len == 1);
}

static void
test_action (Rig *rig, gconstpointer data G_GNUC_UNUSED)
{
  show_with_action (rig);
  g_assert_cmpstr (last (rig)->body, ==, "Body. Or so.");
  g_assert_cmpstr (last (rig)->actions[1], ==, "Keep anyway");
  g_assert_cmpstr (last (rig)->actions[2], ==, "default");
  notify_server_click (rig->server);
  wait_until (rig->n_clicks == 1);
  g_assert_cmpint (rig->clicked, ==, CLIP_MATTER_TOO_LARGE);
}

static void
test_no_action (Rig *rig, gconstpointer data G_GNUC_UNUSED)
{
  show_with_action (rig);
  g_assert_cmpstr (last (rig)->body, ==, "Body. Or so.");
  g_assert_null (last (rig)->actions[0]);
}

static void
test_hints (Rig *rig, gconstpointer data G_GNUC_UNUSED)
{
  ClipNotification *self = message (CLIP_MATTER_PASTE, "");

  self->has_percent = TRUE;
  self->percent = 42;
  self->category = "transfer";
  clip_notification_queue_show (rig->notifications, self);
  wait_until (rig->server->notes->len == 1);
  assert_hint (rig, "value", "42");
  assert_hint (rig, "urgency", "0x00");
  assert_hint (rig, "transient", "true");
  assert_hint (rig, "category", "'transfer'");
  assert_hint (rig, "desktop-entry", "'org.cliphist.Cliphist'");
  g_assert_cmpstr (last (rig)->icon, ==, "org.cliphist.Cliphist");

  self = message (CLIP_MATTER_PASTE, "");
  self->urgency = CLIP_URGENCY_NORMAL;
  clip_notification_queue_show (rig->notifications, self);
  wait_until (rig->server->notes->len == 2);
  assert_hint (rig, "urgency", "0x01");
  assert_hint (rig, "value", NULL);
  assert_hint (rig, "transient", NULL);
}

static void
show_step (Rig *rig, guint percent, gboolean goes_on)
{
  ClipNotification *self = message (CLIP_MATTER_CAPTURE, "");

  self->has_percent = TRUE;
  self->percent = percent;
  self->goes_on = goes_on;
  clip_notification_queue_show (rig->notifications, self);
}

static void
test_dismissed (Rig *rig, gconstpointer data G_GNUC_UNUSED)
{
  show_step (rig, 10, FALSE);
  wait_until (rig->server->notes->len == 1);
  show_step (rig, 20, TRUE);
  wait_until (rig->server->notes->len == 2);
  notify_server_dismiss (rig->server);
  /* what is said of another matter comes behind the dismissal, and is heard behind it */
  show (rig, CLIP_MATTER_PAUSED, "");
  wait_until (rig->server->notes->len == 3);
  show_step (rig, 30, TRUE);
  show (rig, CLIP_MATTER_SPARED, "");
  wait_until (rig->server->notes->len == 4);
  show (rig, CLIP_MATTER_COPY, "");
  wait_until (rig->server->notes->len == 5);
  show_step (rig, 1, FALSE);
  wait_until (rig->server->notes->len == 6);
  assert_hint (rig, "value", "1");
}

static void
test_stuck (Rig *rig, gconstpointer data G_GNUC_UNUSED)
{
  rig->server->is_stuck = TRUE;
  for (guint i = 0; i < 1000; i++)
    show (rig, i % CLIP_N_MATTERS, "one of many");
  wait_until (rig->server->unanswered->len == 1);
  /* the test ends with the thread still in that call */
}

static void
test_stuck_for_a_while (Rig *rig, gconstpointer data G_GNUC_UNUSED)
{
  rig->server->is_stuck = TRUE;
  show (rig, CLIP_MATTER_PAUSED, "first");
  wait_until (rig->server->unanswered->len == 1);
  show (rig, CLIP_MATTER_PAUSED, "second");
  show (rig, CLIP_MATTER_PAUSED, "third");
  notify_server_recover (rig->server);
  wait_until (rig->server->notes->len == 2);
  g_assert_cmpstr (last (rig)->body, ==, "third");
}

static void
test_no_server (Rig *rig, gconstpointer data G_GNUC_UNUSED)
{
  for (guint i = 0; i < CLIP_N_MATTERS; i++)
    show (rig, i, "unheard");
  clip_notification_queue_hide (rig->notifications, CLIP_MATTER_PAUSED);
  rig->server = notify_server_new (g_test_dbus_get_bus_address (bus), notify_server_all);
  /* and one that comes later is found */
  wait_until ((show (rig, CLIP_MATTER_REPAIRED, "heard"), last (rig)));
}

static void
test_silent (Rig *rig, gconstpointer data G_GNUC_UNUSED)
{
  clip_notification_queue_hide (rig->notifications, CLIP_MATTER_PAUSED);
}

int
main (int argc, char *argv[])
{
  g_autoptr (GDBusConnection) connection = NULL;

  setlocale (LC_ALL, "C.UTF-8");
  g_test_init (&argc, &argv, NULL);
  /* libnotify warns where there is no server */
  g_log_set_always_fatal (G_LOG_FATAL_MASK | G_LOG_LEVEL_CRITICAL);
  bus = g_test_dbus_new (G_TEST_DBUS_NONE);
  g_test_dbus_up (bus);
  connection = g_bus_get_sync (G_BUS_TYPE_SESSION, NULL, NULL);
  g_dbus_connection_set_exit_on_close (connection, FALSE);
#define ADD(name, capabilities, function) \
  g_test_add ("/notification-queue/" name, Rig, capabilities, set_up, function, tear_down)
  ADD ("one-matter-has-one-message", notify_server_all, test_one_matter);
  ADD ("a-text-is-escaped-where-markup-is-read", notify_server_all, test_escaped);
  ADD ("a-text-is-plain-where-it-is-not", notify_server_least, test_plain);
  ADD ("a-click-comes-back-on-the-main-context", notify_server_all, test_action);
  ADD ("where-nothing-can-be-clicked-words-say-it", notify_server_least, test_no_action);
  ADD ("hints-are-those-of-the-last-word", notify_server_all, test_hints);
  ADD ("progress-that-was-dismissed-stays-away", notify_server_all, test_dismissed);
  ADD ("what-waits-for-a-stuck-server-is-the-last-word", notify_server_least,
       test_stuck_for_a_while);
  ADD ("no-server-is-no-trouble", NULL, test_no_server);
  ADD ("a-server-that-comes-later-is-told", NULL, test_later_server);
  ADD ("nothing-said-needs-no-thread", NULL, test_silent);
  ADD ("the-end-does-not-wait-for-a-later-server-that-is-stuck", NULL,
       test_later_server_is_stuck);
  /* the last one, as it leaves a thread behind, which may still want the bus: that ends
     with us */
  ADD ("a-stuck-server-holds-up-nobody", notify_server_all, test_stuck);
  return g_test_run ();
}
