/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* GIO, which shares no code with it, reads what we write and writes what we read. */
#include "clip-wire.h"

#include <gio/gio.h>
#include <string.h>

static const ClipWireCall store = {
  "org.example.Name", "/org/example/Path", "org.example.Face", "Store", "a(sh)a{sv}", 7, 1
};

static GByteArray *
make_args (const char *mime, const char *text, gint64 number)
{
  GByteArray *args = g_byte_array_new ();
  g_autoptr (GPtrArray) texts = g_ptr_array_new ();
  gsize begin = clip_wire_begin_array (args, 8);

  g_ptr_array_add (texts, (char *) text);
  g_ptr_array_add (texts, (char *) "max-items");
  clip_wire_add_string (args, mime);
  clip_wire_add_uint32 (args, 0);
  clip_wire_end_array (args, begin, 8);
  begin = clip_wire_begin_array (args, 8);
  clip_wire_add_option_string (args, "store", text);
  clip_wire_add_option_int64 (args, "max-items", number);
  clip_wire_add_option_strings (args, "from-file", texts);
  clip_wire_end_array (args, begin, 8);
  return args;
}

static void
test_gio_reads_our_calls (void)
{
  /* of every length modulo eight, so that whatever follows is padded in every way */
  for (guint n = 0; n < 17; n++)
    {
      g_autofree char *text = g_strnfill (n, 'x');
      g_autoptr (GByteArray) args = make_args (text, text, -(G_GINT64_CONSTANT (5) << n));
      g_autoptr (GByteArray) bytes = g_byte_array_new ();
      g_autoptr (GDBusMessage) message = NULL;
      g_autoptr (GVariant) expected = NULL;
      g_autoptr (GError) error = NULL;
      g_autofree char *wanted = g_strdup_printf (
          "([('%s', handle 0)], {'store': <'%s'>, 'max-items': <int64 %" G_GINT64_FORMAT
          ">, 'from-file': <['%s', 'max-items']>})",
          text, text, -(G_GINT64_CONSTANT (5) << n), text);

      clip_wire_add_call (bytes, &store, args);
      message = g_dbus_message_new_from_blob (
          bytes->data, bytes->len, G_DBUS_CAPABILITY_FLAGS_UNIX_FD_PASSING, &error);
      g_assert_no_error (error);
      expected =
          g_variant_parse (G_VARIANT_TYPE ("(a(sh)a{sv})"), wanted, NULL, NULL, NULL);
      g_assert_true (g_variant_equal (g_dbus_message_get_body (message), expected));
      g_assert_cmpuint (g_dbus_message_get_serial (message), ==, store.serial);
      g_assert_cmpuint (g_dbus_message_get_num_unix_fds (message), ==, 1);
      g_assert_cmpstr (g_dbus_message_get_member (message), ==, store.method);
      g_assert_cmpstr (g_dbus_message_get_path (message), ==, store.path);
      g_assert_cmpstr (g_dbus_message_get_interface (message), ==, store.interface);
      g_assert_cmpstr (g_dbus_message_get_destination (message), ==, store.destination);
      g_assert_cmpint (g_dbus_message_get_flags (message), ==,
                       G_DBUS_MESSAGE_FLAGS_NO_AUTO_START);
    }
}

static guint8 *
blob_of (GDBusMessage *message, gsize *out_length)
{
  g_autoptr (GError) error = NULL;
  guint8 *blob;

  g_dbus_message_set_serial (message, 99);
  g_dbus_message_set_sender (message, ":1.5");
  blob = g_dbus_message_to_blob (message, out_length,
                                 G_DBUS_CAPABILITY_FLAGS_UNIX_FD_PASSING, &error);
  g_assert_no_error (error);
  return blob;
}

static GDBusMessage *
make_call (void)
{
  GDBusMessage *call = g_dbus_message_new_method_call ("a.b", "/a", "a.b", "Do");

  g_dbus_message_set_serial (call, 7);
  g_dbus_message_set_sender (call, ":1.4");
  return call;
}

static guint8 *
make_error (gsize *out_length)
{
  g_autoptr (GDBusMessage) call = make_call ();
  g_autoptr (GDBusMessage) error = g_dbus_message_new_method_error_literal (
      call, "org.example.Error.Full", "the disk is full");

  return blob_of (error, out_length);
}

static void
test_we_read_the_answers_of_gio (void)
{
  g_autoptr (GDBusMessage) call = make_call ();
  g_autoptr (GDBusMessage) reply = g_dbus_message_new_method_reply (call);
  g_autofree guint8 *blob = NULL;
  g_autofree guint8 *failure = NULL;
  ClipWireMessage message;
  gsize length, used;
  gboolean whole;

  g_dbus_message_set_body (reply, g_variant_new_parsed ("(@t 5, @a{sv} {})"));
  blob = blob_of (reply, &length);
  g_assert_true (clip_wire_read (blob, length, &message, &used, &whole));
  g_assert_true (whole);
  g_assert_cmpuint (used, ==, length);
  g_assert_cmpuint (message.type, ==, CLIP_WIRE_REPLY);
  g_assert_cmpuint (message.reply_serial, ==, 7);
  g_assert_cmpstr (message.signature, ==, "ta{sv}");
  g_assert_null (clip_wire_text (&message));

  failure = make_error (&length);
  g_assert_true (clip_wire_read (failure, length, &message, &used, &whole));
  g_assert_cmpuint (message.type, ==, CLIP_WIRE_ERROR);
  g_assert_cmpstr (message.error_name, ==, "org.example.Error.Full");
  g_assert_cmpstr (clip_wire_text (&message), ==, "the disk is full");
}

static void
assert_dropped (const char *body, const char *expected)
{
  g_autoptr (GDBusMessage) call = make_call ();
  g_autoptr (GDBusMessage) reply = g_dbus_message_new_method_reply (call);
  g_autofree guint8 *blob = NULL;
  ClipWireMessage message;
  gsize length, used;
  gboolean whole;

  g_dbus_message_set_body (reply, g_variant_new_parsed (body));
  blob = blob_of (reply, &length);
  g_assert_true (clip_wire_read (blob, length, &message, &used, &whole));
  g_assert_cmpstr (clip_wire_detail (&message, "dropped"), ==, expected);
}

static void
test_a_detail_is_found_among_others (void)
{
  assert_dropped ("(@t 0, {'dropped': <'sensitive'>})", "sensitive");
  assert_dropped ("(@t 0, {'dropped': <'blank'>, 'empty': <true>})", "blank");
  assert_dropped ("(@t 0, {'empty': <true>, 'n': <@u 3>, 'dropped': <'blank'>})",
                  "blank");
  assert_dropped ("(@t 2, {'moved-from': <@t 1>, 'dropped': <'paused'>})", "paused");
  assert_dropped ("(@t 2, {'dropped': <@t 1>})", NULL);
  assert_dropped ("(@t 2, {'a list': <['x']>, 'dropped': <'paused'>})", NULL);
  assert_dropped ("(@t 5, @a{sv} {})", NULL);
  assert_dropped ("('dropped',)", NULL);
}

/* from memory that ends where the bytes do, so that a sanitizer sees a read beyond */
static gboolean
read_exactly (const guint8 *data, gsize length, gboolean *out_whole)
{
  g_autofree guint8 *copy = g_memdup2 (data, length);
  ClipWireMessage message;
  gsize used;
  gboolean fine = clip_wire_read (copy, length, &message, &used, out_whole);

  if (fine && *out_whole)
    {
      g_assert_cmpuint (used, <=, length);
      clip_wire_text (&message);
      clip_wire_detail (&message, "dropped");
    }
  return fine;
}

static void
test_a_part_is_waited_on (void)
{
  gsize length;
  g_autofree guint8 *blob = make_error (&length);
  gboolean whole;

  for (gsize n = 0; n < length; n++)
    {
      g_assert_true (read_exactly (blob, n, &whole));
      g_assert_false (whole);
    }
}

static void
test_what_follows_is_left (void)
{
  gsize length, used;
  g_autofree guint8 *blob = make_error (&length);
  g_autoptr (GByteArray) twice = g_byte_array_new ();
  ClipWireMessage message;
  gboolean whole;

  for (guint i = 0; i < 2; i++)
    g_byte_array_append (twice, blob, (guint) length);
  g_assert_true (clip_wire_read (twice->data, twice->len, &message, &used, &whole));
  g_assert_true (whole);
  g_assert_cmpuint (used, ==, length);
}

static void
test_any_damage_is_survived (void)
{
  gsize length;
  g_autofree guint8 *blob = make_error (&length);
  guint n_refused = 0;
  gboolean whole;

  for (gsize at = 0; at < length; at++)
    for (guint bit = 0; bit < 8; bit++)
      {
        blob[at] ^= (guint8) (1u << bit);
        n_refused += !read_exactly (blob, length, &whole);
        blob[at] ^= (guint8) (1u << bit);
      }
  g_assert_cmpuint (n_refused, >, 100);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/wire/gio-reads-our-calls", test_gio_reads_our_calls);
  g_test_add_func ("/wire/we-read-the-answers-of-gio", test_we_read_the_answers_of_gio);
  g_test_add_func ("/wire/a-detail-is-found-among-others",
                   test_a_detail_is_found_among_others);
  g_test_add_func ("/wire/a-part-is-waited-on", test_a_part_is_waited_on);
  g_test_add_func ("/wire/what-follows-is-left", test_what_follows_is_left);
  g_test_add_func ("/wire/any-damage-is-survived", test_any_damage_is_survived);
  return g_test_run ();
}
