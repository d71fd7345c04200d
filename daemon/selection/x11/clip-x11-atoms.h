/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
#include <xcb/xcb.h>
G_BEGIN_DECLS

/* The atoms that the protocol itself needs. */
typedef enum
{
  CLIP_X11_ATOM_CLIPBOARD,
  CLIP_X11_ATOM_INCR,
  CLIP_X11_ATOM_ATOM_PAIR,
  CLIP_X11_ATOM_UTF8_STRING,
  CLIP_X11_ATOM_TEXT,
  CLIP_X11_ATOM_CONTENT,  /* the property that owners answer into */
  CLIP_X11_ATOM_TIME,     /* the property that asks the server for its time */
  CLIP_X11_ATOM_WM_CHECK, /* names a window of the window manager */
  CLIP_X11_ATOM_CLIENT_LIST,
  CLIP_X11_ATOM_CLIPBOARD_MANAGER,
  CLIP_X11_ATOM_MANAGER,
  CLIP_X11_ATOM_NULL, /* the type of an answer without content */

  /* targets that are questions or orders to the owner, not contents */
  CLIP_X11_ATOM_TARGETS,
  CLIP_X11_ATOM_TIMESTAMP,
  CLIP_X11_ATOM_MULTIPLE,
  CLIP_X11_ATOM_SAVE_TARGETS,
  CLIP_X11_ATOM_DELETE,
  CLIP_X11_ATOM_INSERT_PROPERTY,
  CLIP_X11_ATOM_INSERT_SELECTION,
  CLIP_X11_N_ATOMS
} ClipX11Atom;

/* Names of an X server, both ways, each asked for once. */
typedef struct ClipX11Atoms ClipX11Atoms;

ClipX11Atoms *clip_x11_atoms_new (xcb_connection_t *connection);
void clip_x11_atoms_free (ClipX11Atoms *self);
xcb_atom_t clip_x11_atoms_get (ClipX11Atoms *self, ClipX11Atom which);
gboolean clip_x11_atoms_is_verb (ClipX11Atoms *self, xcb_atom_t atom);
GArray *clip_x11_atoms_intern (ClipX11Atoms *self, const char *const *names);
char **clip_x11_atoms_names (ClipX11Atoms *self, const xcb_atom_t *atoms, guint n_atoms);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipX11Atoms, clip_x11_atoms_free)

G_END_DECLS
