/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The commands: one a line, each answered by one line, "ok …" or "err …". Words are
 * separated by blanks; %XX in a word is a byte. In front of a command, `primary` and
 * `seat N` say where.
 *
 *   offer MIME=VALUE…       copy: VALUE is TEXT, @FILE, or *N for N zeros. Before it,
 *                           !stall@N: or !close@N: write the first N bytes of it, and no
 *                           end or an early one; !stall and !close alone write nothing
 *   offer-many N LENGTH     copy N types whose names are LENGTH bytes long
 *   introduce MIME=VALUE…   an offer of which it is never said what it is
 *   clear                   the owner goes
 *   asked                   which types of what the script has copied were asked for
 *                           since the last `asked`, in order
 *   types                   who owns it, a client or the script, and what is offered
 *   paste MIME FILE         have the owner write into a pipe, and that into FILE; when it
 *                           ends, the line "pasted FILE BYTES" follows. @stall as FILE:
 *                           never read; @leave: read a little, and go
 *   paste-socket MIME FILE  the same through a socket
 *   release                 end what stalls
 *   stats                   devices of the seat, offers that clients have not destroyed
 *   finished                end the devices of the seat
 *   withdraw                there is no data control any more
 *   error                   a protocol error for the client that bound data control last
 *   seat-add, seat-remove, quit
 */
#include "compositor.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct
{
  Compositor *compositor;
  Seat *seat; /* NULL if there is none */
  Kind kind;
  char **words; /* the arguments, not decoded */
} Command;

void
script_say (const char *format, ...)
{
  va_list args;

  va_start (args, format);
  vprintf (format, args);
  va_end (args);
  putchar ('\n');
  fflush (stdout);
}

/* a type may have an '=' in its name: the last one counts */
static Source *
parse_source (char **words)
{
  Source *source = program_new ();

  for (; *words; words++)
    {
      const char *equals = strrchr (*words, '=');
      g_autofree char *mime = NULL;
      g_autofree char *value = NULL;

      if (!equals)
        continue;
      mime = g_uri_unescape_segment (*words, equals, NULL);
      value = g_uri_unescape_string (equals + 1, NULL);
      program_add (source, mime, value);
    }
  return source;
}

static void
do_offer (Command *command)
{
  control_select (command->seat, command->kind, parse_source (command->words));
  script_say ("ok");
}

static void
do_offer_many (Command *command)
{
  Source *source = program_new ();
  int n = command->words[0] ? atoi (command->words[0]) : 0;
  int length = n > 0 && command->words[1] ? atoi (command->words[1]) : 0;

  for (int i = 0; i < n; i++)
    {
      g_autofree char *mime =
          g_strdup_printf ("test/%0*d", length - (int) strlen ("test/"), i);

      program_add (source, mime, mime);
    }
  control_select (command->seat, command->kind, source);
  script_say ("ok");
}

static void
do_introduce (Command *command)
{
  control_introduce (command->seat, parse_source (command->words));
  script_say ("ok");
}

static void
do_clear (Command *command)
{
  control_select (command->seat, command->kind, NULL);
  script_say ("ok");
}

static void
do_asked (Command *command)
{
  g_autofree char *words = program_asked ();

  script_say ("ok%s", words);
}

static void
do_types (Command *command)
{
  Source *source = command->seat->selected[command->kind];
  const char *owner = !source ? "none" : source->resource ? "client" : "script";
  g_autoptr (GString) line = g_string_new (NULL);

  for (guint i = 0; source && i < source->mimes->len; i++)
    {
      g_string_append_c (line, ' ');
      g_string_append_uri_escaped (line, source->mimes->pdata[i], "/;=", FALSE);
    }
  script_say ("ok %s%s", owner, line->str);
}

static void
paste (Command *command, gboolean through_socket)
{
  Source *source = command->seat->selected[command->kind];
  g_autofree char *mime = g_uri_unescape_string (command->words[0], NULL);

  if (!source)
    script_say ("err nothing is selected");
  else if (!mime || !command->words[1])
    script_say ("err which type, and where to?");
  else if (program_paste (command->compositor, source, mime, through_socket,
                          command->words[1]))
    script_say ("ok");
  else
    script_say ("err %s", g_strerror (errno));
}

static void
do_paste (Command *command)
{
  paste (command, FALSE);
}

static void
do_paste_socket (Command *command)
{
  paste (command, TRUE);
}

static void
do_release (Command *command)
{
  script_say ("ok %u", program_release ());
}

static void
do_stats (Command *command)
{
  script_say ("ok devices=%u offers=%u", command->seat->devices->len,
              command->compositor->n_offers);
}

static void
do_finished (Command *command)
{
  control_finish (command->seat);
  script_say ("ok");
}

static void
do_withdraw (Command *command)
{
  if (command->compositor->manager)
    wl_global_remove (command->compositor->manager);
  script_say ("ok");
}

static void
do_error (Command *command)
{
  struct wl_resource *manager = command->compositor->bound_manager;

  if (manager)
    wl_resource_post_error (manager, 7, "as told");
  script_say (manager ? "ok" : "err nobody is there");
}

static void
do_seat_add (Command *command)
{
  script_say ("ok %u", seat_add (command->compositor)->number);
}

static void
do_seat_remove (Command *command)
{
  seat_remove (command->compositor, command->seat);
  script_say ("ok");
}

static void
do_quit (Command *command)
{
  script_say ("ok");
  wl_display_terminate (command->compositor->display);
}

static const struct
{
  const char *verb;
  void (*run) (Command *command);
  gboolean needs_seat;
} verbs[] = {
  { "offer", do_offer, TRUE },
  { "offer-many", do_offer_many, TRUE },
  { "introduce", do_introduce, TRUE },
  { "clear", do_clear, TRUE },
  { "asked", do_asked, FALSE },
  { "types", do_types, TRUE },
  { "paste", do_paste, TRUE },
  { "paste-socket", do_paste_socket, TRUE },
  { "release", do_release, FALSE },
  { "stats", do_stats, TRUE },
  { "finished", do_finished, TRUE },
  { "withdraw", do_withdraw, FALSE },
  { "error", do_error, FALSE },
  { "seat-add", do_seat_add, FALSE },
  { "seat-remove", do_seat_remove, TRUE },
  { "quit", do_quit, FALSE },
};

static Seat *
find_seat (Compositor *compositor, const char *number)
{
  for (guint i = 0; i < compositor->seats->len; i++)
    {
      Seat *seat = compositor->seats->pdata[i];

      if (!number || seat->number == (guint) atoi (number))
        return seat;
    }
  return NULL;
}

static void
run (Command *command, const char *verb)
{
  for (guint i = 0; i < G_N_ELEMENTS (verbs); i++)
    if (g_strcmp0 (verb, verbs[i].verb) == 0)
      {
        if (command->seat || !verbs[i].needs_seat)
          verbs[i].run (command);
        else
          script_say ("err no such seat");
        return;
      }
  script_say ("err no such command");
}

static void
run_line (Compositor *compositor, const char *line)
{
  g_auto (GStrv) words = g_strsplit (line, " ", -1);
  char **word = words;
  Command command = { .compositor = compositor };
  const char *number = NULL;

  if (g_strcmp0 (*word, "primary") == 0)
    {
      command.kind = KIND_PRIMARY;
      word++;
    }
  if (g_strcmp0 (*word, "seat") == 0 && word[1])
    {
      number = word[1];
      word += 2;
    }
  command.seat = find_seat (compositor, number);
  command.words = *word ? word + 1 : word;
  run (&command, *word);
}

static int
on_command (int fd, guint32 mask, void *data)
{
  static GString *input;
  Compositor *compositor = data;
  char chunk[4096];
  gssize n = read (fd, chunk, sizeof chunk);
  const char *newline;

  if (n <= 0)
    {
      wl_display_terminate (compositor->display);
      return 0;
    }
  if (!input)
    input = g_string_new (NULL);
  g_string_append_len (input, chunk, n);
  while ((newline = strchr (input->str, '\n')))
    {
      g_autofree char *line = g_strndup (input->str, (gsize) (newline - input->str));

      g_string_erase (input, 0, newline + 1 - input->str);
      run_line (compositor, line);
    }
  return 0;
}

/* where no commands can come from (/dev/null), none are waited for */
void
script_start (Compositor *compositor, int command_fd)
{
  wl_event_loop_add_fd (wl_display_get_event_loop (compositor->display), command_fd,
                        WL_EVENT_READABLE, on_command, compositor);
}
