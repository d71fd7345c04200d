/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* A combination of keys that programs understand as "paste". */
typedef struct ClipKey ClipKey;

/* a key that goes down or up, in the words of each way to send it */
typedef struct
{
  guint32 code;   /* of evdev; X11 adds 8 */
  guint32 keysym; /* of X11, and of the portal */
  gboolean down;
  guint32 modifiers; /* that are down from then on: a mask of X11 */
} ClipStroke;

#define CLIP_KEY_MAX_STROKES 6

/* the line that the program prints first where the desktop asks its user, and he takes
   his time */
#define CLIP_KEY_ASKS "asks"

/* the word behind a key that says that the user holds none down */
#define CLIP_KEY_NOW "now"
/* the one that says that he does not let go of some: where these count, it fails */
#define CLIP_KEY_HELD "held"

/* the exit status where something else came onto the clipboard before the key was
   pressed */
#define CLIP_KEY_SUPERSEDED 3

enum
{
  CLIP_KEY_SHIFT = 1 << 0,
  CLIP_KEY_CONTROL = 1 << 2,
};

const ClipKey *clip_key_find (const char *name);
const ClipKey *clip_key_of_app (const char *app);
const char *clip_key_name (const ClipKey *self);
gboolean clip_key_pastes_primary (const ClipKey *self);
gboolean clip_key_is_of_terminals (const ClipKey *self);
guint clip_key_strokes (const ClipKey *self, ClipStroke strokes[CLIP_KEY_MAX_STROKES]);

/* Each sends it to the window that has the focus. Errors: %CLIP_ERROR_NO_BACKEND where
 * there is no such way, and nothing was sent; any other where there is one that
 * failed. */
gboolean clip_key_send_wayland (const ClipKey *self, GError **error);
gboolean clip_key_send_x11 (const ClipKey *self, GError **error);
gboolean clip_key_send_mutter (const ClipKey *self, GError **error);
gboolean clip_key_send_portal (const ClipKey *self, GError **error);

/* Each tells whether there is that way to send keys, and sends none. Errors: as above */
gboolean clip_key_can_wayland (GError **error);
gboolean clip_key_can_x11 (GError **error);
gboolean clip_key_can_mutter (GError **error);
gboolean clip_key_can_portal (GError **error);

/* Each tells which program has the focus, by its name of itself. Returns: (nullable):
 * %NULL where it is unknown */
char *clip_key_focus_wayland (void);
char *clip_key_focus_atspi (void);
char *clip_key_focus_x11 (void);
char *clip_key_focus_xwayland (void);

void clip_key_leave_overview (void);

/* Returns: (nullable) (transfer full): the name of the window manager of an X11 server */
char *clip_key_manager_x11 (void);

G_END_DECLS
