/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "mutter-desk.h"

#include "clip-fd.h"
#include "clip-mutter.h"

#include <poll.h>

static void
keep_result (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

MutterDesk *
mutter_desk_new (FakeMutterTraits traits)
{
  MutterDesk *self = g_new0 (MutterDesk, 1);

  self->daemon = g_test_dbus_new (G_TEST_DBUS_NONE);
  g_test_dbus_up (self->daemon);
  self->bus = fake_mutter_bus_of (g_test_dbus_get_bus_address (self->daemon));
  self->mutter = fake_mutter_new (g_test_dbus_get_bus_address (self->daemon), traits);
  self->desk = desk_empty ();
  return self;
}

void
mutter_desk_sit_down (MutterDesk *self)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  clip_mutter_new_async (self->bus, fake_mutter_peer (self->mutter), NULL, keep_result,
                         &result);
  while (!result)
    g_main_context_iteration (NULL, TRUE);
  desk_sit_at (self->desk, clip_mutter_new_finish (result, &error));
  g_assert_no_error (error);
}

/* nothing is selected there: it is said once, at the beginning */
MutterDesk *
mutter_desk_at (FakeMutterTraits traits)
{
  MutterDesk *self = mutter_desk_new (traits);

  mutter_desk_sit_down (self);
  desk_expect (self->desk, "cleared");
  return self;
}

void
mutter_desk_free (MutterDesk *self)
{
  desk_free (self->desk);
  g_clear_pointer (&self->mutter, fake_mutter_free);
  g_dbus_connection_close_sync (self->bus, NULL, NULL);
  g_object_unref (self->bus);
  g_test_dbus_stop (self->daemon);
  g_object_unref (self->daemon);
  g_free (self);
}

char *
mutter_desk_read (MutterDesk *self, ClipOffer *offer, const char *mime, GError **error)
{
  g_autoptr (GBytes) bytes = NULL;
  clip_autofd int fd = -1;

  if (desk_receive_from (self->desk, offer, mime, &fd, error) != CLIP_VERDICT_EOF)
    return NULL;
  g_assert_cmpint (fd, >=, 0);
  bytes = clip_read_to_end (fd, 1 << 20, error);
  return g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
}

void
mutter_desk_assert_reads (MutterDesk *self, const char *mime, const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *read = mutter_desk_read (self, self->desk->offer, mime, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (read, ==, text);
}
