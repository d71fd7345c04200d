/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A content that was asked for ahead stays inside the server, in a property of ours,
 * until it is claimed: nothing of it is read before the types are known, and where
 * it is not wanted nothing ever is. */
#include "clip-x11-targets.h"

#include "clip-secrecy.h"
#include "clip-x11-client.h"

/* more targets than that are not read, and may mark a secret; the offer itself has a
   lower limit */
#define MAX_TARGETS 4096

struct ClipX11Targets
{
  ClipX11Display *display;
  ClipX11TargetsJob job;
  ClipX11NamesFunc on_names;
  gpointer user_data;
  ClipX11Convert *targets; /* while it is open */
  ClipX11Convert *ahead;
  xcb_get_property_cookie_t app;
  xcb_get_property_cookie_t manager;
};

/* @n_unread: of the targets, those that are none of @targets */
static char **
content_names (ClipX11Targets *self,
               const xcb_atom_t *targets,
               guint n_targets,
               guint n_unread)
{
  ClipX11Atoms *atoms = clip_x11_display_atoms (self->display);
  g_autoptr (GArray) contents = g_array_new (FALSE, FALSE, sizeof (xcb_atom_t));
  char **names;
  guint n_names;

  for (guint i = 0; i < n_targets; i++)
    if (targets[i] != XCB_ATOM_NONE && !clip_x11_atoms_is_verb (atoms, targets[i]))
      g_array_append_val (contents, targets[i]);
  names = clip_x11_atoms_names (atoms, (const xcb_atom_t *) (gpointer) contents->data,
                                contents->len);
  n_names = g_strv_length (names);
  if (n_unread > 0 || n_names < contents->len)
    {
      names = g_renew (char *, names, n_names + 2);
      names[n_names] = g_strdup (CLIP_SECRECY_UNREAD);
      names[n_names + 1] = NULL;
    }
  return names;
}

/* (nullable): old programs answer with the type TARGETS instead of ATOM */
static char **
read_targets (ClipX11Targets *self, xcb_window_t window)
{
  xcb_connection_t *connection = clip_x11_display_connection (self->display);
  g_autofree xcb_get_property_reply_t *reply = xcb_get_property_reply (
      connection,
      xcb_get_property (connection, TRUE, window,
                        clip_x11_display_atom (self->display, CLIP_X11_ATOM_CONTENT),
                        XCB_GET_PROPERTY_TYPE_ANY, 0, MAX_TARGETS),
      NULL);

  if (!reply || reply->format != 32 ||
      (reply->type != XCB_ATOM_ATOM &&
       reply->type != clip_x11_display_atom (self->display, CLIP_X11_ATOM_TARGETS)))
    return NULL;
  return content_names (self, xcb_get_property_value (reply), reply->value_len,
                        reply->bytes_after / sizeof (xcb_atom_t));
}

static void
on_targets (ClipX11Answer answer, gpointer user_data)
{
  ClipX11Targets *self = user_data;
  /* programs older than TARGETS have text and nothing else */
  static const char *const plain[] = { "UTF8_STRING", "STRING", NULL };
  xcb_window_t window = XCB_WINDOW_NONE;
  char **names = NULL;

  if (answer == CLIP_X11_GIVEN)
    {
      window = clip_x11_convert_steal_window (self->targets);
      names = read_targets (self, window);
      clip_x11_display_drop_window (self->display, window);
    }
  else if (answer == CLIP_X11_REFUSED)
    names = g_strdupv ((char **) plain);
  g_clear_pointer (&self->targets, clip_x11_convert_free);
  self->on_names (self, names, self->user_data);
}

static ClipX11Convert *
ask (ClipX11Targets *self, xcb_atom_t target, guint wait_ms, ClipX11AnswerFunc on_answer)
{
  return clip_x11_convert_new (self->display, self->job.selection, target, self->job.when,
                               wait_ms, on_answer, self);
}

/**
 * clip_x11_targets_new:
 * @on_names: called once, and not from here; may free the object
 */
ClipX11Targets *
clip_x11_targets_new (ClipX11Display *display,
                      const ClipX11TargetsJob *job,
                      ClipX11NamesFunc on_names,
                      gpointer user_data)
{
  ClipX11Targets *self = g_new0 (ClipX11Targets, 1);

  self->display = display;
  self->job = *job;
  self->job.app = g_strdup (job->app);
  self->on_names = on_names;
  self->user_data = user_data;
  self->targets = ask (self, clip_x11_display_atom (display, CLIP_X11_ATOM_TARGETS),
                       job->wait_ms, on_targets);
  if (job->ahead != XCB_ATOM_NONE)
    self->ahead = ask (self, job->ahead, job->ahead_ms, NULL);
  if (job->is_known)
    return self;
  self->app = clip_x11_client_ask_class (display, job->owner);
  self->manager = clip_x11_client_ask_manager (display);
  return self;
}

void
clip_x11_targets_free (ClipX11Targets *self)
{
  if (self->app.sequence)
    xcb_discard_reply (clip_x11_display_connection (self->display), self->app.sequence);
  if (self->manager.sequence)
    xcb_discard_reply (clip_x11_display_connection (self->display),
                       self->manager.sequence);
  g_clear_pointer (&self->targets, clip_x11_convert_free);
  g_clear_pointer (&self->ahead, clip_x11_convert_free);
  g_free ((char *) self->job.app);
  g_free (self);
}

const ClipX11TargetsJob *
clip_x11_targets_job (const ClipX11Targets *self)
{
  return &self->job;
}

/* whether the owner has still to tell what it offers */
gboolean
clip_x11_targets_is_open (const ClipX11Targets *self)
{
  return self->targets != NULL;
}

/* whether some of it went out after that event: then another owner got it */
gboolean
clip_x11_targets_is_after (const ClipX11Targets *self, guint32 sequence)
{
  return (self->targets && clip_x11_convert_is_after (self->targets, sequence)) ||
         (self->ahead && clip_x11_convert_is_after (self->ahead, sequence));
}

/* whether the program of that owner has still to answer some of it */
gboolean
clip_x11_targets_awaits (const ClipX11Targets *self, xcb_window_t owner)
{
  return clip_x11_client_is_same (self->display, self->job.owner, owner) &&
         (self->targets || (self->ahead && clip_x11_convert_is_open (self->ahead)));
}

/* whether the owner is the window manager: of an X server below a compositor that is the
 * compositor, which carries over what was copied elsewhere; to be asked once */
gboolean
clip_x11_targets_is_bridged (ClipX11Targets *self)
{
  xcb_window_t manager;

  if (self->job.is_known)
    return self->job.is_bridge;
  manager = clip_x11_client_read_window (self->display, self->manager);
  self->manager.sequence = 0;
  return manager != XCB_WINDOW_NONE &&
         clip_x11_client_is_same (self->display, manager, self->job.owner);
}

/**
 * clip_x11_targets_app:
 *
 * To be asked once.
 *
 * Returns: (transfer full) (nullable): the class of the owner's window, which is what its
 * program calls itself; where that has none, of another window of the same program
 */
char *
clip_x11_targets_app (ClipX11Targets *self)
{
  char *app;

  if (self->job.is_known)
    return g_strdup (self->job.app);
  app = clip_x11_client_read_class (self->display, self->app);
  self->app.sequence = 0;
  return app ?: clip_x11_client_find_class (self->display, self->job.owner);
}

/**
 * clip_x11_targets_claim:
 *
 * Returns: (transfer full) (nullable): the content that was asked for ahead, if it is
 * that of @target
 */
ClipX11Convert *
clip_x11_targets_claim (ClipX11Targets *self, xcb_atom_t target)
{
  return target == self->job.ahead ? g_steal_pointer (&self->ahead) : NULL;
}
