/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The programs around a clipboard, played by the compositor: one that copies and answers,
 * one that pastes. Nobody waits for them: an answer is written by a thread of its own,
 * and a paste is read as it comes. */
#include "compositor.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#define CHUNK_BYTES (256 * 1024)

/* how a program answers for one type: @limit bytes of @file_fd, then the end, or none */
typedef struct
{
  int file_fd;
  goffset limit;
  gboolean stall;
} Content;

typedef struct
{
  Content content;
  int sink_fd;
} Answer;

typedef struct
{
  struct wl_event_source *event;
  int source_fd;
  int file_fd; /* -1: leave after the first bytes */
  char *path;
  goffset bytes;
} Paste;

static GString *asked;

/* (transfer full): a blank and a type for each time that somebody asked, since the last
   call */
char *
program_asked (void)
{
  char *words = asked ? g_string_free (asked, FALSE) : g_strdup ("");

  asked = NULL;
  return words;
}

static GMutex stalled_lock;
static GArray *stalled_fds;

static void
keep_stalled (int fd)
{
  g_mutex_lock (&stalled_lock);
  if (!stalled_fds)
    stalled_fds = g_array_new (FALSE, FALSE, sizeof (int));
  g_array_append_val (stalled_fds, fd);
  g_mutex_unlock (&stalled_lock);
}

/* ends what stalls; returns how many */
guint
program_release (void)
{
  guint n = 0;

  g_mutex_lock (&stalled_lock);
  for (; stalled_fds && n < stalled_fds->len; n++)
    close (g_array_index (stalled_fds, int, n));
  g_clear_pointer (&stalled_fds, g_array_unref);
  g_mutex_unlock (&stalled_lock);
  return n;
}

static gboolean
write_all (int fd, const char *data, gsize length)
{
  while (length > 0)
    {
      gssize n = write (fd, data, length);

      if (n < 0 && errno != EINTR)
        return FALSE;
      data += MAX (n, 0);
      length -= (gsize) MAX (n, 0);
    }
  return TRUE;
}

/* the one that copies */

static void
content_free (Content *content)
{
  close (content->file_fd);
  g_free (content);
}

static gpointer
write_answer (gpointer user_data)
{
  g_autofree Answer *answer = user_data;
  g_autofree char *buffer = g_malloc (CHUNK_BYTES);
  goffset done = 0;
  gssize n = 1;

  while (n > 0 && done < answer->content.limit)
    {
      gsize wanted = (gsize) MIN (answer->content.limit - done, CHUNK_BYTES);

      n = pread (answer->content.file_fd, buffer, wanted, done);
      if (n > 0 && !write_all (answer->sink_fd, buffer, (gsize) n))
        break;
      done += MAX (n, 0);
    }
  close (answer->content.file_fd);
  if (answer->content.stall)
    keep_stalled (answer->sink_fd);
  else
    close (answer->sink_fd);
  return NULL;
}

/* a type that it does not know is answered by nothing, as most programs do */
void
program_send (Source *source, const char *mime, int fd_take)
{
  Content *content = g_hash_table_lookup (source->contents, mime);
  Answer *answer;

  if (!asked)
    asked = g_string_new (NULL);
  g_string_append_printf (asked, " %s", mime);
  if (!content)
    {
      close (fd_take);
      return;
    }
  answer = g_new (Answer, 1);
  answer->content = *content;
  answer->content.file_fd = fcntl (content->file_fd, F_DUPFD_CLOEXEC, 0);
  answer->sink_fd = fd_take;
  g_thread_unref (g_thread_new ("answer", write_answer, answer));
}

static int
memory_file (const char *text)
{
  int fd = memfd_create ("content", MFD_CLOEXEC);

  write_all (fd, text, strlen (text));
  return fd;
}

static Content *
parse_content (const char *value)
{
  Content *content = g_new0 (Content, 1);
  const char *colon = *value == '!' ? strchr (value, ':') : NULL;
  const char *at = colon ? memchr (value, '@', (gsize) (colon - value)) : NULL;

  content->limit = *value == '!' ? 0 : G_MAXINT64;
  content->stall = g_str_has_prefix (value, "!stall");
  if (at)
    content->limit = g_ascii_strtoll (at + 1, NULL, 10);
  if (colon)
    value = colon + 1;
  if (*value == '@')
    content->file_fd = open (value + 1, O_RDONLY | O_CLOEXEC);
  else if (*value == '*')
    content->file_fd = open ("/dev/zero", O_RDONLY | O_CLOEXEC);
  else
    content->file_fd = memory_file (value);
  if (*value == '*')
    content->limit = MIN (content->limit, g_ascii_strtoll (value + 1, NULL, 10));
  return content;
}

Source *
program_new (void)
{
  Source *source = control_source_new ();

  source->contents = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                            (GDestroyNotify) content_free);
  return source;
}

/* @value: as in the commands */
void
program_add (Source *source, const char *mime, const char *value)
{
  g_ptr_array_add (source->mimes, g_strdup (mime));
  g_hash_table_replace (source->contents, g_strdup (mime), parse_content (value));
}

/* the one that pastes */

static int
on_paste_ready (int fd, guint32 mask, void *data)
{
  static char buffer[CHUNK_BYTES];
  Paste *paste = data;
  gssize n = read (fd, buffer, sizeof buffer);

  if (n > 0)
    paste->bytes += n;
  if (n > 0 && paste->file_fd >= 0 && write_all (paste->file_fd, buffer, (gsize) n))
    return 0;
  wl_event_source_remove (paste->event);
  close (paste->source_fd);
  if (paste->file_fd >= 0)
    close (paste->file_fd);
  script_say ("pasted %s %" G_GINT64_FORMAT, paste->path, (gint64) paste->bytes);
  g_free (paste->path);
  g_free (paste);
  return 0;
}

static void
watch_paste (Compositor *compositor, int source_fd, const char *path)
{
  struct wl_event_loop *loop = wl_display_get_event_loop (compositor->display);
  Paste *paste = g_new0 (Paste, 1);

  paste->source_fd = source_fd;
  paste->path = g_strdup (path);
  paste->file_fd = -1;
  if (!g_str_equal (path, "@leave"))
    paste->file_fd = open (path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  paste->event =
      wl_event_loop_add_fd (loop, source_fd, WL_EVENT_READABLE, on_paste_ready, paste);
}

/* FALSE: errno says why not */
gboolean
program_paste (Compositor *compositor,
               Source *source,
               const char *mime,
               gboolean through_socket,
               const char *path)
{
  int fds[2];

  if (through_socket ? socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds)
                     : pipe2 (fds, O_CLOEXEC))
    return FALSE;
  control_ask (source, mime, fds[1]);
  if (g_str_equal (path, "@stall"))
    keep_stalled (fds[0]);
  else
    watch_paste (compositor, fds[0], path);
  return TRUE;
}
