/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * An entry on the clipboard. That of a history which the session's daemon does not keep
 * belongs to a daemon of our own, which watches no display and ends with the call. So the
 * one of the session gets the contents, as files or memory, and keeps them, as it keeps
 * what any program copies.
 */
#include "clip-select.h"

#include "clip-desktop-check.h"
#include "clip-direct.h"
#include "clip-display-name.h"
#include "clip-error.h"
#include "clip-fd.h"
#include "clip-mime.h"
#include "clip-notify.h"
#include "clip-session-bus.h"
#include "clip-words.h"

#include <sys/mman.h>
#include <unistd.h>

/* of one call */
#define MAX_CONTENTS 8

static GVariant *
call_select (ClipRemote *remote, gint64 id, const ClipSelectHow *how, GError **error)
{
  clip_remote_set_option (remote, "plain", g_variant_new_boolean (how->plain));
  clip_remote_set_option (remote, "primary", g_variant_new_boolean (how->primary));
  clip_remote_set_option (remote, "move", g_variant_new_boolean (how->move));
  return clip_remote_call (remote, "Select", g_variant_new ("(t)", (guint64) id), "()",
                           NULL, error);
}

/* (transfer full): a descriptor to read the content from, whose position is its begin; -1
 * with the error set */
static int
open_payload (ClipPayload *payload, GError **error)
{
  gsize length = 0;
  const void *data = payload->bytes ? g_bytes_get_data (payload->bytes, &length) : NULL;
  clip_autofd int fd = -1;

  if (!payload->bytes)
    return g_steal_fd (&payload->fd);
  fd = memfd_create ("content", MFD_CLOEXEC);
  if (fd < 0 || !clip_write_all (fd, data, length, NULL) || lseek (fd, 0, SEEK_SET) < 0)
    {
      clip_set_errno (error, errno, "keep a content");
      return -1;
    }
  return g_steal_fd (&fd);
}

static gboolean
add_content (ClipReader *reader,
             gint64 id,
             const char *mime,
             GVariantBuilder *contents,
             GUnixFDList *fds,
             GError **error)
{
  g_autoptr (ClipPayload) payload = clip_reader_open_content (reader, id, mime, error);
  clip_autofd int fd = payload ? open_payload (payload, error) : -1;
  int handle = fd >= 0 ? g_unix_fd_list_append (fds, fd, error) : -1;

  if (handle >= 0)
    g_variant_builder_add (contents, "(sh)", mime, handle);
  return handle >= 0;
}

/* (transfer floating): what of the entry may be offered */
static GVariant *
collect (ClipReader *reader, gint64 id, GUnixFDList *fds, GError **error)
{
  g_autoptr (ClipEntry) entry = clip_reader_lookup (reader, id, error);
  g_auto (GVariantBuilder) contents = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("a(sh)"));

  if (!entry)
    return NULL;
  for (guint i = 0; i < MIN (entry->contents->len, MAX_CONTENTS); i++)
    {
      const ClipContent *content = g_ptr_array_index (entry->contents, i);

      if (clip_mime_may_reoffer (content->mime) &&
          !add_content (reader, id, content->mime, &contents, fds, error))
        return NULL;
    }
  return g_variant_new ("(a(sh))", &contents);
}

/* Returns: whether it is on the clipboard. @remote: the daemon of the session */
static gboolean
lend (ClipRemote *remote,
      ClipReader *reader,
      gint64 id,
      const ClipSelectHow *how,
      GError **error)
{
  g_autoptr (GUnixFDList) fds = g_unix_fd_list_new ();
  GVariant *args = collect (reader, id, fds, error);
  g_autoptr (GVariant) reply = NULL;
  g_autoptr (GVariant) details = NULL;
  g_autoptr (GVariant) selected = NULL;
  const char *dropped = NULL;
  guint64 lent = 0;

  if (!args)
    return FALSE;
  clip_remote_set_option (remote, "select", g_variant_new_boolean (TRUE));
  reply = clip_remote_call (remote, "Store", args, "(ta{sv})", fds, error);
  if (!reply)
    return FALSE;
  g_variant_get (reply, "(t@a{sv})", &lent, &details);
  if (g_variant_lookup (details, "dropped", "&s", &dropped))
    {
      g_set_error (error, CLIP_ERROR, CLIP_ERROR_FAILED,
                   _ ("copy: nothing was put on the clipboard: %s"),
                   clip_command_drop_words (dropped));
      clip_command_explain (NULL);
      return FALSE;
    }
  if (how->plain || how->primary)
    selected = call_select (remote, (gint64) lent, how, error);
  return selected || !(how->plain || how->primary);
}

static gboolean
lend_of (const ClipCommand *command, gint64 id, const ClipSelectHow *how, GError **error)
{
  g_autoptr (ClipRemote) session = clip_remote_new_session (command);
  g_autoptr (ClipReader) reader = clip_direct_open (command, error);

  if (reader && id == 0)
    id = clip_reader_newest (reader, error);
  return reader && id > 0 && lend (session, reader, id, how, error);
}

/* the daemon speaks of its displays, people have one or none */
static int
fail_without_display (const GError *failure)
{
  if (!g_error_matches (failure, CLIP_ERROR, CLIP_ERROR_NO_BACKEND))
    return clip_command_fail (failure);
  if (clip_has_display () && !clip_session_bus_is_named ())
    clip_command_say (_ ("There is no session bus here, so nothing can be put on the "
                         "clipboard. “cliphist doctor” says more."));
  else if (clip_has_display ())
    clip_command_say (_ ("The daemon does not watch this display, so nothing can be put "
                         "on the clipboard. “cliphist doctor” says more."));
  else
    clip_command_say (
        _ ("There is no display here, so nothing can be put on the clipboard."));
  return CLIP_EXIT_FAILED;
}

/**
 * clip_select_tell:
 * @id: 0 = what was copied just now
 *
 * Tells who has copied that it is on the clipboard; on the screen, too, where that is the
 * one of another display.
 */
void
clip_select_tell (const ClipCommand *command, gint64 id)
{
  g_autoptr (GVariantDict) daemon = NULL;
  g_autofree char *words = NULL;
  const char *other;

  if (command->verb == CLIP_VERB_INSERT || clip_command_has (command, CLIP_OPTION_INSERT))
    return; /* it says what becomes of the key */
  daemon = clip_desktop_check_ask_daemon (NULL);
  other = clip_desktop_check_other_display (daemon);
  if (!other && id > 0 && command->verb == CLIP_VERB_COPY)
    clip_command_tell (_ ("Entry %ld is on the clipboard."), (glong) id);
  else if (!other)
    clip_command_tell (_ ("It is on the clipboard."));
  else
    {
      words = g_strdup_printf (_ ("It is on the clipboard of the display %s, and not of "
                                  "this one. “cliphist doctor” says more."),
                               other);
      clip_command_say ("%s", words);
      clip_notify (command, _ ("Clipboard history"), words);
    }
}

/* @failure: of a private daemon; it is what is said where the session has no daemon
   either */
static int
lend_or_fail (const ClipCommand *command,
              gint64 id,
              const ClipSelectHow *how,
              const GError *failure)
{
  g_autoptr (GError) error = NULL;

  if (lend_of (command, id, how, &error))
    {
      clip_select_tell (command, id);
      return CLIP_EXIT_DONE;
    }
  if (error && error->domain == CLIP_ERROR &&
      !g_error_matches (error, CLIP_ERROR, CLIP_ERROR_NO_BACKEND))
    return clip_command_fail (error);
  return fail_without_display (failure);
}

static gboolean
may_be_lent (ClipRemote *remote, const GError *failure)
{
  return clip_remote_is_private (remote) &&
         g_error_matches (failure, CLIP_ERROR, CLIP_ERROR_NO_BACKEND);
}

/* where the daemon knew no display, and learns of ours. @failure: of the first try */
static int
select_again (const ClipCommand *command,
              ClipRemote *remote,
              gint64 id,
              const ClipSelectHow *how,
              const GError *failure)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) reply = NULL;

  if (!g_error_matches (failure, CLIP_ERROR, CLIP_ERROR_NO_BACKEND) ||
      !clip_remote_show_display (remote))
    return fail_without_display (failure);
  reply = call_select (remote, id, how, &error);
  if (!reply)
    return clip_command_fail (error);
  clip_select_tell (command, id);
  return CLIP_EXIT_DONE;
}

/**
 * clip_select_after:
 * @remote: which has stored something, and could not put it on the clipboard
 * @failure: why
 *
 * Returns: the exit status, after saying what went wrong
 */
int
clip_select_after (const ClipCommand *command,
                   ClipRemote *remote,
                   const ClipSelectHow *how,
                   const GError *failure)
{
  if (may_be_lent (remote, failure))
    return lend_or_fail (command, 0, how, failure);
  return select_again (command, remote, 0, how, failure);
}

/**
 * clip_select:
 * @id: of the entry
 *
 * Puts it on the clipboard. Returns: the exit status, after saying what went wrong
 */
int
clip_select (const ClipCommand *command, gint64 id, const ClipSelectHow *how)
{
  g_autoptr (ClipRemote) remote = clip_remote_new (command);
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) reply = call_select (remote, id, how, &error);

  if (reply)
    {
      clip_select_tell (command, id);
      return CLIP_EXIT_DONE;
    }
  return may_be_lent (remote, error) ? lend_or_fail (command, id, how, error)
                                     : select_again (command, remote, id, how, error);
}
