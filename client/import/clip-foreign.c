/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Who reads another program's history: for the existing tool's database a small program
 * in C, for all others one in Python (client/import). Each is given the path, writes an
 * archive to standard output, and what there is to know to standard error, a line each;
 * import/__main__.py has the words. One that does not know the history says nothing and
 * exits with 3.
 */
#include "clip-foreign.h"

#include "clip-error.h"
#include "clip-fd.h"
#include "clip-libexec.h"
#include "clip-words.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#define EXIT_UNKNOWN 3

#define SENTRIZ "sentriz"

struct ClipForeign
{
  GPid pid;     /* 0 where it has ended */
  int fd;       /* the archive */
  FILE *report; /* its standard error */
  int status;   /* as waitpid() has it, when it has ended */
  char *name;
  char *title;
};

/* it ends when its archive has no reader any more */
static void
wait_for (ClipForeign *self)
{
  clip_fd_clear (&self->fd);
  if (self->pid > 0)
    while (waitpid (self->pid, &self->status, 0) < 0 && errno == EINTR)
      continue;
  self->pid = 0;
}

void
clip_foreign_free (ClipForeign *self)
{
  if (!self)
    return;
  if (self->pid > 0)
    kill (self->pid, SIGTERM);
  wait_for (self);
  g_clear_pointer (&self->report, fclose);
  g_free (self->name);
  g_free (self->title);
  g_free (self);
}

static ClipForeign *
spawn (const char *const *argv, GError **error)
{
  g_autoptr (ClipForeign) self = g_new0 (ClipForeign, 1);
  int report = -1;

  self->fd = -1;
  if (!g_spawn_async_with_pipes_and_fds (
          NULL, argv, NULL,
          G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_SEARCH_PATH | G_SPAWN_CLOEXEC_PIPES, NULL,
          NULL, -1, -1, -1, NULL, NULL, 0, &self->pid, NULL, &self->fd, &report, error))
    return NULL;
  self->report = fdopen (report, "r");
  return g_steal_pointer (&self);
}

/* Returns: (transfer full) (nullable): the next line of the report; %NULL at its end */
static char *
next_line (ClipForeign *self)
{
  g_autofree char *copy = NULL;
  char *line = NULL;
  size_t room = 0;

  if (getline (&line, &room, self->report) >= 0)
    copy = g_strchomp (g_strdup (line));
  free (line);
  return g_steal_pointer (&copy);
}

/* Returns: (nullable): what follows on @word and a blank, where the line begins with
   these */
static const char *
value_of (const char *line, const char *word)
{
  gsize length = strlen (word);

  return g_str_has_prefix (line, word) && line[length] == ' ' ? line + length + 1 : NULL;
}

static gboolean
fail (const ClipForeign *self, GError **error)
{
  g_set_error (error, CLIP_ERROR, CLIP_ERROR_FAILED,
               _ ("this history cannot be read: cliphist-import failed (status %d)"),
               WIFEXITED (self->status) ? WEXITSTATUS (self->status)
                                        : 128 + WTERMSIG (self->status));
  return FALSE;
}

/* FALSE with the error set, where the importer says on this line what is wrong */
static gboolean
check_line (const char *line, GError **error)
{
  const char *fault = value_of (line, "fault");

  if (fault)
    g_set_error_literal (error, CLIP_ERROR, CLIP_ERROR_CORRUPT, fault);
  return !fault;
}

/* whose history it is; @out_known: whether it knows that */
static gboolean
read_name (ClipForeign *self, gboolean *out_known, GError **error)
{
  g_autofree char *line = next_line (self);
  const char *value = line ? value_of (line, "is") : NULL;
  g_auto (GStrv) words = value ? g_strsplit (value, " ", 2) : NULL;

  *out_known = words && g_strv_length (words) == 2;
  if (*out_known)
    {
      self->name = g_strdup (words[0]);
      self->title = g_strdup (words[1]);
      return TRUE;
    }
  if (line && !check_line (line, error))
    return FALSE;
  wait_for (self);
  return (WIFEXITED (self->status) && WEXITSTATUS (self->status) == EXIT_UNKNOWN) ||
         fail (self, error);
}

/* FALSE with the error set; @out_foreign: NULL where that program does not know it */
static gboolean
try_program (const char *const *argv, ClipForeign **out_foreign, GError **error)
{
  g_autoptr (ClipForeign) self = spawn (argv, error);
  gboolean is_known;

  if (!self || !read_name (self, &is_known, error))
    return FALSE;
  if (is_known)
    *out_foreign = g_steal_pointer (&self);
  return TRUE;
}

static gboolean
try_sentriz (const char *path,
             const char *name,
             ClipForeign **out_foreign,
             GError **error)
{
  g_autofree char *program = clip_libexec_find ("cliphist-import-sentriz");
  const char *const argv[] = { program, path, name, NULL };

  return try_program (argv, out_foreign, error);
}

/* without what the environment and the folders of a user would add to it, and without
 * leaving compiled files behind */
static gboolean
try_python (const char *path, const char *name, ClipForeign **out_foreign, GError **error)
{
  g_autofree char *folder = clip_libexec_find ("cliphist-import");
  const char *const argv[] = { "python3", "-ISB", folder, path, name, NULL };
  g_autoptr (GError) local = NULL;

  if (try_program (argv, out_foreign, &local))
    return TRUE;
  if (g_error_matches (local, G_SPAWN_ERROR, G_SPAWN_ERROR_NOENT))
    g_set_error_literal (error, CLIP_ERROR, CLIP_ERROR_NOT_FOUND,
                         _ ("python3 is not installed: it is needed to read the history "
                            "of another program"));
  else
    g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

/**
 * clip_foreign_start:
 * @path: of a file, or of the folder that a program keeps its history in
 * @name: (nullable): of the program, where it was given: one of the choices of --from
 * @out_foreign: (out) (nullable): %NULL where it is no history that is known
 *
 * Errors: %CLIP_ERROR_NOT_FOUND without Python, %CLIP_ERROR_CORRUPT, %CLIP_ERROR_FAILED,
 * %G_SPAWN_ERROR.
 */
gboolean
clip_foreign_start (const char *path,
                    const char *name,
                    ClipForeign **out_foreign,
                    GError **error)
{
  gboolean is_sentriz = g_strcmp0 (name, SENTRIZ) == 0;

  *out_foreign = NULL;
  if ((!name || is_sentriz) && !try_sentriz (path, name, out_foreign, error))
    return FALSE;
  return *out_foreign || is_sentriz || try_python (path, name, out_foreign, error);
}

const char *
clip_foreign_name (const ClipForeign *self)
{
  return self->name;
}

/* the name of the program, as people write it */
const char *
clip_foreign_title (const ClipForeign *self)
{
  return self->title;
}

/* where the archive comes from, until clip_foreign_end() */
int
clip_foreign_fd (const ClipForeign *self)
{
  return self->fd;
}

/**
 * clip_foreign_end:
 * @out_counts: (out): also where this fails
 *
 * When the archive has been read, or will not be. What came before a fault is good.
 *
 * Errors: %CLIP_ERROR_CORRUPT with the place; %CLIP_ERROR_FAILED.
 */
gboolean
clip_foreign_end (ClipForeign *self, ClipForeignCounts *out_counts, GError **error)
{
  gboolean fine = TRUE;
  char *line;

  *out_counts = (ClipForeignCounts){ 0 };
  clip_fd_clear (&self->fd);
  while ((line = next_line (self)))
    {
      const char *n_left_out = value_of (line, "left-out");
      const char *n_incomplete = value_of (line, "incomplete");

      if (n_left_out)
        out_counts->n_left_out = g_ascii_strtoull (n_left_out, NULL, 10);
      if (n_incomplete)
        out_counts->n_incomplete = g_ascii_strtoull (n_incomplete, NULL, 10);
      fine = check_line (line, fine ? error : NULL) && fine;
      g_free (line);
    }
  wait_for (self);
  if (!fine)
    return FALSE;
  return self->status == 0 || fail (self, error);
}
