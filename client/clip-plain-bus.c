/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * One call to the daemon over the session bus. Who we are, that we pass descriptors, and
 * the greeting go out in one piece; the call only when that is answered, because the bus
 * takes no descriptor before. It is waited for as clip-reply.c does: without end while
 * the daemon answers pings.
 */
#include "clip-plain-bus.h"

#include "clip-error.h"
#include "clip-fd.h"
#include "clip-paths.h"
#include "clip-words.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

#define BUS "org.freedesktop.DBus"

/* for the bus itself */
#define BUS_MS 2000

#define PING_EVERY_US (2 * G_USEC_PER_SEC)
#define PATIENCE_US (10 * G_USEC_PER_SEC)

#define NOTHING_SENT 0

struct ClipPlainBus
{
  int fd;
  GByteArray *input;
  gsize n_used; /* of it: the message that was handed out last */
  guint32 serial;
};

/* what a session has: one socket with a path. What else an address can say is left to
 * GIO. */
static char *
socket_path (void)
{
  const char *address = g_getenv ("DBUS_SESSION_BUS_ADDRESS");
  const char *dir = g_getenv ("XDG_RUNTIME_DIR");
  const char *guid;

  if (!address || !*address)
    return dir ? g_build_filename (dir, "bus", NULL) : NULL;
  if (!g_str_has_prefix (address, "unix:path=") || strpbrk (address, "%;"))
    return NULL;
  address += strlen ("unix:path=");
  guid = strchr (address, ',');
  if (!guid)
    return g_strdup (address);
  if (!g_str_has_prefix (guid, ",guid=") || strchr (guid + 1, ','))
    return NULL;
  return g_strndup (address, (gsize) (guid - address));
}

static int
connect_to (const char *path)
{
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  clip_autofd int fd = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

  if (fd < 0 || strlen (path) >= sizeof address.sun_path)
    return -1;
  g_strlcpy (address.sun_path, path, sizeof address.sun_path);
  if (connect (fd, (const struct sockaddr *) &address, sizeof address) < 0)
    return -1;
  return g_steal_fd (&fd);
}

/* @fd: to go with the first byte, or -1 */
static gboolean
send_all (ClipPlainBus *self, const GByteArray *bytes, int fd)
{
  char control[CMSG_SPACE (sizeof fd)] __attribute__ ((aligned (8))) = { 0 };
  struct iovec piece = { bytes->data, bytes->len };
  struct msghdr message = { .msg_iov = &piece, .msg_iovlen = 1 };

  if (fd >= 0)
    {
      struct cmsghdr *header = (struct cmsghdr *) control;

      message.msg_control = control;
      message.msg_controllen = sizeof control;
      *header = (struct cmsghdr){ CMSG_LEN (sizeof fd), SOL_SOCKET, SCM_RIGHTS };
      memcpy (CMSG_DATA (header), &fd, sizeof fd);
    }
  while (piece.iov_len > 0)
    {
      ssize_t n = sendmsg (self->fd, &message, MSG_NOSIGNAL);

      if (n < 0 && errno != EINTR)
        return FALSE;
      if (n <= 0)
        continue;
      piece.iov_base = (char *) piece.iov_base + n;
      piece.iov_len -= (size_t) n;
      message.msg_control = NULL;
      message.msg_controllen = 0;
    }
  return TRUE;
}

static void
drop_used (ClipPlainBus *self)
{
  g_byte_array_remove_range (self->input, 0, (guint) self->n_used);
  self->n_used = 0;
}

/* Returns: whether it is still there; it need not have said anything */
static gboolean
receive (ClipPlainBus *self, int timeout_ms)
{
  struct pollfd poller = { .fd = self->fd, .events = POLLIN };
  guint8 chunk[4096];
  ssize_t n;

  if (poll (&poller, 1, timeout_ms) <= 0)
    return TRUE;
  n = recv (self->fd, chunk, sizeof chunk, MSG_DONTWAIT);
  if (n < 0)
    return errno == EINTR || errno == EAGAIN;
  g_byte_array_append (self->input, chunk, (guint) n);
  return n > 0;
}

/* the next message that has come; @out_there: whether there is one */
static gboolean
next_message (ClipPlainBus *self, ClipWireMessage *message, gboolean *out_there)
{
  drop_used (self);
  return clip_wire_read (self->input->data, self->input->len, message, &self->n_used,
                         out_there);
}

static gboolean
is_answer (const ClipWireMessage *message, guint32 serial)
{
  return serial != NOTHING_SENT && message->reply_serial == serial &&
         (message->type == CLIP_WIRE_REPLY || message->type == CLIP_WIRE_ERROR);
}

static gint64
ms_until (gint64 moment_us)
{
  return MAX (0, (moment_us - g_get_monotonic_time () + 999) / 1000);
}

static gboolean
await_greeting (ClipPlainBus *self, guint32 serial)
{
  gint64 end_us = g_get_monotonic_time () + BUS_MS * 1000;
  ClipWireMessage message;
  gboolean there;

  while (g_get_monotonic_time () < end_us)
    {
      if (!next_message (self, &message, &there))
        return FALSE;
      if (there && is_answer (&message, serial))
        return message.type == CLIP_WIRE_REPLY;
      if (!there && !receive (self, (int) ms_until (end_us)))
        return FALSE;
    }
  return FALSE;
}

/* the two lines before the messages: that we are who we say, and may pass descriptors.
 * Returns: their length; 0 = they are not there */
static gsize
agreement_length (const GByteArray *input)
{
  static const char accepted[] = "OK ";
  static const char agreed[] = "\r\nAGREE_UNIX_FD\r\n";
  const guint8 *end;

  if (input->len < strlen (accepted) ||
      memcmp (input->data, accepted, strlen (accepted)) != 0)
    return 0;
  end = memmem (input->data, input->len, agreed, strlen (agreed));
  return end ? (gsize) (end - input->data) + strlen (agreed) : 0;
}

static gboolean
await_agreement (ClipPlainBus *self)
{
  gint64 end_us = g_get_monotonic_time () + BUS_MS * 1000;

  while (g_get_monotonic_time () < end_us)
    {
      self->n_used = agreement_length (self->input);
      if (self->n_used > 0)
        return TRUE;
      if (!receive (self, (int) ms_until (end_us)))
        return FALSE;
    }
  return FALSE;
}

static gboolean
greet (ClipPlainBus *self)
{
  const ClipWireCall hello = { BUS, "/org/freedesktop/DBus", BUS, "Hello", "", 1, 0 };
  g_autofree char *uid = g_strdup_printf ("%u", (guint) geteuid ());
  g_autoptr (GString) start = g_string_new_len ("\0AUTH EXTERNAL ", 15);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (GByteArray) message = g_byte_array_new ();

  for (const char *digit = uid; *digit; digit++)
    g_string_append_printf (start, "%02x", *digit);
  g_string_append (start, "\r\nNEGOTIATE_UNIX_FD\r\nBEGIN\r\n");
  clip_wire_add_call (message, &hello, NULL);
  g_byte_array_append (bytes, (const guint8 *) start->str, (guint) start->len);
  g_byte_array_append (bytes, message->data, message->len);
  self->serial = hello.serial;
  return send_all (self, bytes, -1) && await_agreement (self) &&
         await_greeting (self, hello.serial);
}

/**
 * clip_plain_bus_open:
 *
 * Returns: (transfer full) (nullable): the session bus; %NULL where it is not there, or
 * not of a plain kind, which GIO may know how to deal with
 */
ClipPlainBus *
clip_plain_bus_open (void)
{
  g_autofree char *path = socket_path ();
  g_autoptr (ClipPlainBus) self = NULL;
  int fd = path ? connect_to (path) : -1;

  if (fd < 0)
    return NULL;
  self = g_new0 (ClipPlainBus, 1);
  self->fd = fd;
  self->input = g_byte_array_new ();
  return greet (self) ? g_steal_pointer (&self) : NULL;
}

void
clip_plain_bus_free (ClipPlainBus *self)
{
  if (!self)
    return;
  clip_fd_clear (&self->fd);
  g_byte_array_unref (self->input);
  g_free (self);
}

/* Returns: the serial of the call, or NOTHING_SENT */
static guint32
send_call (ClipPlainBus *self,
           const char *interface,
           const char *method,
           const char *signature,
           const GByteArray *args,
           int fd)
{
  const ClipWireCall call = { CLIP_BUS_NAME, CLIP_BUS_PATH,     interface, method,
                              signature,     self->serial + 1u, fd >= 0 };
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  clip_wire_add_call (bytes, &call, args);
  self->serial = call.serial;
  return send_all (self, bytes, fd) ? call.serial : NOTHING_SENT;
}

typedef struct
{
  guint32 call;
  guint32 ping;      /* NOTHING_SENT: none is under way */
  gint64 ping_at_us; /* when the next one is due, or the one under way was sent */
} Wait;

static void
note_pong (Wait *wait)
{
  wait->ping = NOTHING_SENT;
  wait->ping_at_us = g_get_monotonic_time () + PING_EVERY_US;
}

/* Returns: whether it is worth waiting on */
static gboolean
ping_if_due (ClipPlainBus *self, Wait *wait)
{
  gint64 now_us = g_get_monotonic_time ();

  if (wait->ping != NOTHING_SENT)
    return now_us - wait->ping_at_us < PATIENCE_US;
  if (now_us < wait->ping_at_us)
    return TRUE;
  wait->ping_at_us = now_us;
  wait->ping = send_call (self, BUS ".Peer", "Ping", "", NULL, -1);
  return TRUE;
}

static gboolean
fail (GError **error, const char *why)
{
  g_set_error_literal (error, CLIP_ERROR, CLIP_ERROR_FAILED, why);
  return FALSE;
}

static gboolean
await (ClipPlainBus *self, Wait *wait, ClipWireMessage *reply, GError **error)
{
  gboolean there;

  for (;;)
    {
      if (!next_message (self, reply, &there))
        return fail (error, _ ("the session bus sent what is no message"));
      if (there && is_answer (reply, wait->call))
        return TRUE;
      if (there && is_answer (reply, wait->ping))
        note_pong (wait);
      if (there)
        continue;
      if (!ping_if_due (self, wait))
        return fail (error, _ ("the daemon is there but does not answer: given up"));
      if (!receive (self, PING_EVERY_US / 1000))
        return fail (error, _ ("the session bus went away"));
    }
}

/**
 * clip_plain_bus_call:
 * @method: of our interface
 * @args: of type @signature
 * @fd: the descriptor that index 0 among them means; borrowed. -1 = none
 * @reply: (out): the answer, which may be an error that the daemon or the bus has sent;
 * borrowed until the next call
 *
 * Errors: %CLIP_ERROR_FAILED where the bus went away, or the daemon is there and does not
 * answer a ping for ten seconds.
 */
gboolean
clip_plain_bus_call (ClipPlainBus *self,
                     const char *method,
                     const char *signature,
                     const GByteArray *args,
                     int fd,
                     ClipWireMessage *reply,
                     GError **error)
{
  Wait wait = { .ping_at_us = g_get_monotonic_time () + PING_EVERY_US };

  wait.call = send_call (self, CLIP_BUS_NAME, method, signature, args, fd);
  if (wait.call == NOTHING_SENT)
    return fail (error, _ ("the session bus went away"));
  return await (self, &wait, reply, error);
}
