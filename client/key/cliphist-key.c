/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * `cliphist-key which` prints the key that pastes in the window that has the focus, as
 * far as the display says whose it is. `cliphist-key layers` has the status 0 where a
 * compositor has layer shell. `cliphist-key can` has the status 0 where a key could be
 * sent, and says why it could not. `cliphist-key manager` prints the name of the window
 * manager of an X11 server.
 *
 * `cliphist-key KEY` sends a combination of keys to the window that has the focus, the
 * first way that there is, once the user has let go of the keys that called it; with
 * `cliphist-key KEY now` none is held, and with `held` the user keeps some down. It
 * prints `asks` where the desktop asks its user whether it may, and no answer comes
 * for a while. Where it cannot, it says why on standard error, in one line, and its
 * status is 1. It is a program of its own, so that no other one starts later for the
 * sake of what talks to displays; and the daemon, which any program on the bus can
 * call, never types.
 */
#include "clip-key.h"

#include "clip-error.h"
#ifdef CLIP_HAVE_WAYLAND
#  include "clip-key-wayland.h"
#  include "clip-layer-shell.h"
#endif
#include "clip-words.h"

#include <stdio.h>
#include <unistd.h>

#define MAX_WAYS 3

/* a key that calls a command is let go of by then */
#define LET_GO_MS 300

/* for an X server: one that stands still ends us, and it is unknown who has the focus */
#define X_SERVER_S 1

/* for what is only asked: a display that stands still ends us */
#define ASK_S 5

typedef struct
{
  gboolean (*send) (const ClipKey *key, GError **error);
  gboolean (*can) (GError **error);
  gboolean is_blind; /* what the user holds down counts, and nothing tells of it */
} Way;

static gboolean
is_set (const char *variable)
{
  const char *value = g_getenv (variable);

  return value && *value;
}

/* An X server below a compositor reaches its own windows only, and takes keys for them
 * when another one has the focus: it is no way there. */
static guint
list_ways (Way ways[MAX_WAYS])
{
  guint n = 0;

  if (is_set ("WAYLAND_DISPLAY") || !is_set ("DISPLAY"))
    {
#ifdef CLIP_HAVE_WAYLAND
      ways[n++] = (Way){ clip_key_send_wayland, clip_key_can_wayland };
#endif
      ways[n++] = (Way){ clip_key_send_mutter, clip_key_can_mutter, TRUE };
    }
  else
    {
#ifdef CLIP_HAVE_X11
      ways[n++] = (Way){ clip_key_send_x11, clip_key_can_x11 };
#endif
    }
  ways[n++] = (Way){ clip_key_send_portal, clip_key_can_portal, TRUE };
  return n;
}

static int
print_usual (void)
{
  g_autofree char *app = NULL;

#ifdef CLIP_HAVE_WAYLAND
  if (is_set ("WAYLAND_DISPLAY"))
    app = clip_key_focus_wayland ();
  if (is_set ("WAYLAND_DISPLAY") && !app)
    {
      clip_key_leave_overview ();
      app = clip_key_focus_atspi ();
    }
#endif
#ifdef CLIP_HAVE_X11
  if (!is_set ("WAYLAND_DISPLAY") && is_set ("DISPLAY"))
    app = clip_key_focus_x11 ();
  else if (!app && is_set ("DISPLAY"))
    {
      alarm (X_SERVER_S);
      app = clip_key_focus_xwayland ();
    }
#endif
  puts (clip_key_name (clip_key_of_app (app)));
  return 0;
}

static int
ask_layers (void)
{
#ifdef CLIP_HAVE_WAYLAND
  return clip_layer_shell_is_offered () ? 0 : 1;
#else
  return 1;
#endif
}

static int
print_manager (void)
{
  g_autofree char *name = NULL;

#ifdef CLIP_HAVE_X11
  if (is_set ("DISPLAY"))
    name = clip_key_manager_x11 ();
#endif
  if (!name)
    return 1;
  puts (name);
  return 0;
}

/* @error: why not */
static gboolean
send (const Way *way, const ClipKey *key, const char *how, GError **error)
{
  const gboolean counts = way->is_blind && !g_str_equal (how, CLIP_KEY_NOW);

  if (counts && way->can (NULL))
    {
      if (g_str_equal (how, CLIP_KEY_HELD))
        {
          g_set_error_literal (error, CLIP_ERROR, CLIP_ERROR_FAILED,
                               _ ("Shift, Ctrl, Alt or Super is held down"));
          return FALSE;
        }
      g_usleep (LET_GO_MS * 1000);
    }
  return way->send (key, error);
}

/* Returns: the exit status; of the first way that there is. @key: (nullable): only finds
   out whether there is one */
static int
press (const ClipKey *key, const char *how)
{
  g_autoptr (GString) why = g_string_new (NULL);
  gboolean is_over = FALSE;
  int status = 1;
  Way ways[MAX_WAYS];
  guint n = list_ways (ways);

  for (guint i = 0; i < n && !is_over; i++)
    {
      g_autoptr (GError) error = NULL;

      if (key ? send (&ways[i], key, how, &error) : ways[i].can (&error))
        return 0;
      is_over = !g_error_matches (error, CLIP_ERROR, CLIP_ERROR_NO_BACKEND);
      if (g_error_matches (error, CLIP_ERROR, CLIP_ERROR_CANCELLED))
        status = CLIP_KEY_SUPERSEDED;
      if (is_over)
        g_string_truncate (why, 0); /* that there are no others is no news then */
      if (*error->message)
        g_string_append_printf (why, "%s%s", why->len > 0 ? _ (", and ") : "",
                                error->message);
    }
  fprintf (stderr, "%s\n", why->str);
  return status;
}

int
main (int argc, char *argv[])
{
  const char *how = argc == 3 ? argv[2] : "";
  const gboolean is_known =
      argc == 2 || g_str_equal (how, CLIP_KEY_NOW) || g_str_equal (how, CLIP_KEY_HELD);
  const char *word = is_known ? argv[1] : "";
  const ClipKey *key = clip_key_find (word);

  if (!key)
    alarm (ASK_S);
  if (g_str_equal (word, "which"))
    return print_usual ();
  if (g_str_equal (word, "layers"))
    return ask_layers ();
  if (g_str_equal (word, "manager"))
    return print_manager ();
  if (!key && !g_str_equal (word, "can"))
    return 2;
  return press (key, how);
}
