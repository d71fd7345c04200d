/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Standard output. A payload goes out as it is, by the cheapest way that the kernel has;
 * only to a terminal it goes as text whose control characters are visible, and not at all
 * where it is none.
 */
#include "clip-output.h"

#include "clip-error.h"
#include "clip-fd.h"
#include "clip-mime.h"
#include "clip-pump.h"
#include "clip-text.h"
#include "clip-words.h"

#include <string.h>
#include <sys/ioctl.h>

/* half of it is what splice moves at a time: writer and reader then never wait for each
 * other */
#define LARGE_PIPE_BYTES (1024 * 1024)
#define LARGE_BYTES (256 * 1024)
#define CHUNK_BYTES (64 * 1024)

/* a reader may take as long as it likes: it is the user's */
#define NO_DEADLINE 0

gboolean
clip_output_is_terminal (void)
{
  return isatty (STDOUT_FILENO);
}

/**
 * clip_output_progress:
 *
 * Returns: (transfer full) (nullable): to be given to clip_output_payload(), for one
 * payload or for some in a row; %NULL where what we write is on the screen itself
 */
ClipProgress *
clip_output_progress (void)
{
  ClipProgress *progress = clip_output_is_terminal () ? NULL : clip_progress_new ();

  clip_progress_ring (progress);
  return progress;
}

/* where it is a terminal: whether text may stand out on it (https://no-color.org) */
gboolean
clip_output_has_styles (void)
{
  const char *refused = g_getenv ("NO_COLOR");

  return !(refused && *refused) && g_strcmp0 (g_getenv ("TERM"), "dumb") != 0;
}

/* of the terminal that standard output is; 0 where it is none, or does not know */
guint
clip_output_columns (void)
{
  struct winsize size = { 0 };

  return ioctl (STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

/* (nullable): of what has taken the place of standard output */
static const char *file_name;

/* @path: of the file that standard output is from now on; borrowed */
void
clip_output_set_file (const char *path)
{
  file_name = path;
}

static gboolean
run_pump (ClipPump *pump, GError **error)
{
  return clip_pump_run (pump, NO_DEADLINE, error);
}

/* the mover of bytes knows no name of an end, and says by which call they were moved */
static void
name_output (GError *error)
{
  const char *reason = strstr (error->message, ": ");
  g_autofree char *what = file_name ? g_strdup_printf (_ ("write '%s'"), file_name)
                                    : g_strdup (_ ("write to standard output"));
  char *text = g_strconcat (what, reason, NULL);

  g_free (error->message);
  error->message = text;
}

/**
 * clip_output_write:
 *
 * Writes all of @text, waiting as long as it takes.
 *
 * Errors: %CLIP_ERROR_NO_SPACE, %G_FILE_ERROR.
 */
gboolean
clip_output_write (const char *text, gsize length, GError **error)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (text, length);
  g_autoptr (ClipPump) pump = clip_pump_new_bytes (bytes, STDOUT_FILENO);
  g_autoptr (GError) local = NULL;

  if (run_pump (pump, &local))
    return TRUE;
  name_output (local);
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

static void
on_step (goffset moved, gpointer user_data)
{
  clip_progress_note (user_data, (guint64) moved);
}

static gboolean
send_raw (const ClipPayload *payload, ClipProgress *progress, GError **error)
{
  g_autoptr (ClipPump) pump = NULL;
  g_autoptr (GError) local = NULL;
  gboolean fine;

  if (payload->bytes)
    pump = clip_pump_new_bytes (payload->bytes, STDOUT_FILENO);
  else
    pump = clip_pump_new (payload->fd, STDOUT_FILENO, payload->size, payload->size);
  if (payload->size >= LARGE_BYTES)
    clip_pump_enlarge_pipe (STDOUT_FILENO, LARGE_PIPE_BYTES);
  if (progress)
    clip_pump_set_progress (pump, on_step, progress);
  fine = run_pump (pump, &local);
  clip_progress_end_part (progress);
  /* what else may fail is to read */
  if (g_error_matches (local, CLIP_ERROR, CLIP_ERROR_NO_SPACE))
    name_output (local);
  if (local)
    g_propagate_error (error, g_steal_pointer (&local));
  return fine;
}

/* where to end, so that no line is cut, or at least no character */
static gsize
text_length (const char *chunk, gsize length)
{
  gsize end = length;

  while (end > 0 && chunk[end - 1] != '\n')
    end--;
  if (end > 0)
    return end;
  for (end = length - 1; end > 0 && (chunk[end] & 0xc0) == 0x80;)
    end--;
  return end > 0 ? end : length;
}

/* Returns: the bytes read from @offset on, or -1 */
static gssize
read_chunk (const ClipPayload *payload, char *chunk, goffset offset, GError **error)
{
  gsize length = (gsize) MIN (payload->size - offset, CHUNK_BYTES);

  if (payload->bytes)
    memcpy (chunk, (const char *) g_bytes_get_data (payload->bytes, NULL) + offset,
            length);
  else if (!clip_read_exactly (payload->fd, chunk, length, offset, error))
    return -1;
  if (offset + (goffset) length < payload->size)
    length = text_length (chunk, length);
  return (gssize) length;
}

static gboolean
show_chunk (const ClipPayload *payload, const char *chunk, gsize length, GError **error)
{
  gboolean is_image =
      payload->mime && clip_mime_class (payload->mime) == CLIP_CLASS_IMAGE;

  g_autoptr (GString) text = g_string_sized_new (length + 1);

  if (clip_text_is_binary (chunk, length))
    {
      g_set_error_literal (
          error, CLIP_ERROR, CLIP_ERROR_INVALID_ARGUMENT,
          is_image ? _ ("not written: binary data, and standard output is a terminal "
                        "(--force writes it, and show draws it)")
                   : _ ("not written: binary data, and standard output is a terminal "
                        "(--force writes it)"));
      return FALSE;
    }
  clip_text_append_visible (text, chunk, length);
  return clip_output_write (text->str, text->len, error);
}

static gboolean
show_text (const ClipPayload *payload, GError **error)
{
  g_autofree char *chunk = g_malloc (CHUNK_BYTES);

  for (goffset offset = 0; offset < payload->size;)
    {
      gssize length = read_chunk (payload, chunk, offset, error);

      if (length < 0 || !show_chunk (payload, chunk, (gsize) length, error))
        return FALSE;
      offset += length;
    }
  return TRUE;
}

/**
 * clip_output_payload:
 * @force: raw bytes to a terminal, too
 * @progress: (nullable): told what goes out
 *
 * Writes @payload to standard output. A reader that has enough is no error (and SIGPIPE,
 * where it is not ignored, has ended the process).
 *
 * Errors: %CLIP_ERROR_INVALID_ARGUMENT for binary data to a terminal,
 * %CLIP_ERROR_CORRUPT, %CLIP_ERROR_NO_SPACE, %G_FILE_ERROR.
 */
gboolean
clip_output_payload (const ClipPayload *payload,
                     gboolean force,
                     ClipProgress *progress,
                     GError **error)
{
  if (clip_output_is_terminal () && !force)
    return show_text (payload, error);
  return send_raw (payload, progress, error);
}
