/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-x11-atoms.h"

#include <string.h>

/* so many names are remembered; beyond, all are forgotten and asked for anew */
#define MAX_KNOWN 4096
/* a longer one is none that anybody meets twice */
#define MAX_KNOWN_BYTES 256
/* asked for in one round trip: libxcb holds as many, of 64 KiB each */
#define NAMES_AT_ONCE 64
/* of a list: what is behind these is not asked for */
#define MAX_LIST_BYTES ((gsize) 1024 * 1024)

struct ClipX11Atoms
{
  xcb_connection_t *connection;
  xcb_atom_t fixed[CLIP_X11_N_ATOMS];
  GHashTable *names; /* atom -> its name */
  GHashTable *atoms; /* and back */
};

static const char *const fixed_names[CLIP_X11_N_ATOMS + 1] = {
  [CLIP_X11_ATOM_CLIPBOARD] = "CLIPBOARD",
  [CLIP_X11_ATOM_INCR] = "INCR",
  [CLIP_X11_ATOM_ATOM_PAIR] = "ATOM_PAIR",
  [CLIP_X11_ATOM_UTF8_STRING] = "UTF8_STRING",
  [CLIP_X11_ATOM_TEXT] = "TEXT",
  [CLIP_X11_ATOM_CONTENT] = "_CLIPHIST_CONTENT",
  [CLIP_X11_ATOM_TIME] = "_CLIPHIST_TIME",
  [CLIP_X11_ATOM_WM_CHECK] = "_NET_SUPPORTING_WM_CHECK",
  [CLIP_X11_ATOM_CLIENT_LIST] = "_NET_CLIENT_LIST",
  [CLIP_X11_ATOM_CLIPBOARD_MANAGER] = "CLIPBOARD_MANAGER",
  [CLIP_X11_ATOM_MANAGER] = "MANAGER",
  [CLIP_X11_ATOM_NULL] = "NULL",
  [CLIP_X11_ATOM_TARGETS] = "TARGETS",
  [CLIP_X11_ATOM_TIMESTAMP] = "TIMESTAMP",
  [CLIP_X11_ATOM_MULTIPLE] = "MULTIPLE",
  [CLIP_X11_ATOM_SAVE_TARGETS] = "SAVE_TARGETS",
  [CLIP_X11_ATOM_DELETE] = "DELETE",
  [CLIP_X11_ATOM_INSERT_PROPERTY] = "INSERT_PROPERTY",
  [CLIP_X11_ATOM_INSERT_SELECTION] = "INSERT_SELECTION",
};

/**
 * clip_x11_atoms_new:
 *
 * Asks for all that the protocol needs in one round trip.
 */
ClipX11Atoms *
clip_x11_atoms_new (xcb_connection_t *connection)
{
  ClipX11Atoms *self = g_new0 (ClipX11Atoms, 1);
  g_autoptr (GArray) fixed = NULL;

  self->connection = connection;
  self->names = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->atoms = g_hash_table_new (g_str_hash, g_str_equal);
  fixed = clip_x11_atoms_intern (self, fixed_names);
  memcpy (self->fixed, fixed->data, sizeof self->fixed);
  return self;
}

void
clip_x11_atoms_free (ClipX11Atoms *self)
{
  g_hash_table_unref (self->atoms);
  g_hash_table_unref (self->names);
  g_free (self);
}

xcb_atom_t
clip_x11_atoms_get (ClipX11Atoms *self, ClipX11Atom which)
{
  return self->fixed[which];
}

/* whether a target stands for no content: to ask for some of them even changes things */
gboolean
clip_x11_atoms_is_verb (ClipX11Atoms *self, xcb_atom_t atom)
{
  for (int i = CLIP_X11_ATOM_TARGETS; i < CLIP_X11_N_ATOMS; i++)
    if (self->fixed[i] == atom)
      return TRUE;
  return FALSE;
}

static void
learn (ClipX11Atoms *self, xcb_atom_t atom, const char *name)
{
  char *copy;

  if (strlen (name) > MAX_KNOWN_BYTES ||
      g_hash_table_contains (self->names, GUINT_TO_POINTER (atom)))
    return;
  copy = g_strdup (name);
  g_hash_table_insert (self->atoms, copy, GUINT_TO_POINTER (atom));
  g_hash_table_insert (self->names, GUINT_TO_POINTER (atom), copy);
}

static void
forget_some (ClipX11Atoms *self)
{
  if (g_hash_table_size (self->names) <= MAX_KNOWN)
    return;
  g_hash_table_remove_all (self->atoms);
  g_hash_table_remove_all (self->names);
}

static xcb_atom_t
read_atom (ClipX11Atoms *self, xcb_intern_atom_cookie_t cookie)
{
  g_autofree xcb_intern_atom_reply_t *reply =
      xcb_intern_atom_reply (self->connection, cookie, NULL);

  return reply ? reply->atom : XCB_ATOM_NONE;
}

/**
 * clip_x11_atoms_intern:
 * @names: (array zero-terminated=1)
 *
 * Returns: (transfer full): as many atoms; %XCB_ATOM_NONE where the server refused
 */
GArray *
clip_x11_atoms_intern (ClipX11Atoms *self, const char *const *names)
{
  guint n = g_strv_length ((char **) names);
  g_autofree xcb_intern_atom_cookie_t *cookies = g_new0 (xcb_intern_atom_cookie_t, n);
  GArray *atoms = g_array_new (FALSE, FALSE, sizeof (xcb_atom_t));

  for (guint i = 0; i < n; i++)
    if (!g_hash_table_contains (self->atoms, names[i]))
      cookies[i] =
          xcb_intern_atom (self->connection, 0, (uint16_t) strlen (names[i]), names[i]);
  for (guint i = 0; i < n; i++)
    {
      xcb_atom_t atom =
          cookies[i].sequence
              ? read_atom (self, cookies[i])
              : GPOINTER_TO_UINT (g_hash_table_lookup (self->atoms, names[i]));

      g_array_append_val (atoms, atom);
    }
  return atoms;
}

/* one that is no string cannot be asked for by name; but it may mark a secret: NULs in it
 * become another byte that no type has */
static char *
read_name (ClipX11Atoms *self, xcb_get_atom_name_cookie_t cookie)
{
  g_autofree xcb_get_atom_name_reply_t *reply =
      xcb_get_atom_name_reply (self->connection, cookie, NULL);
  int length = reply ? xcb_get_atom_name_name_length (reply) : 0;

  char *name = g_malloc ((gsize) length + 1);

  for (int i = 0; i < length; i++)
    {
      const char byte = xcb_get_atom_name_name (reply)[i];

      name[i] = byte ? byte : '\1';
    }
  name[length] = '\0';
  return name;
}

/* Returns: how long they are together */
static gsize
read_names (ClipX11Atoms *self, const xcb_atom_t *atoms, guint n_atoms, char **out_names)
{
  xcb_get_atom_name_cookie_t cookies[NAMES_AT_ONCE] = { 0 };
  gsize bytes = 0;

  for (guint i = 0; i < n_atoms; i++)
    if (!g_hash_table_contains (self->names, GUINT_TO_POINTER (atoms[i])))
      cookies[i] = xcb_get_atom_name (self->connection, atoms[i]);
  for (guint i = 0; i < n_atoms; i++)
    {
      const char *known = g_hash_table_lookup (self->names, GUINT_TO_POINTER (atoms[i]));

      /* of a connection that has ended none is known */
      out_names[i] =
          cookies[i].sequence ? read_name (self, cookies[i]) : g_strdup (known ?: "");
      learn (self, atoms[i], out_names[i]);
      bytes += strlen (out_names[i]);
    }
  return bytes;
}

/**
 * clip_x11_atoms_names:
 * @atoms: untrusted
 *
 * Returns: (transfer full) (array zero-terminated=1): as many names, an empty one where
 * the server knows none; fewer, where a program has made them so long that it can only
 * be to our harm
 */
char **
clip_x11_atoms_names (ClipX11Atoms *self, const xcb_atom_t *atoms, guint n_atoms)
{
  char **names = g_new0 (char *, n_atoms + 1);
  gsize bytes = 0;

  forget_some (self);
  for (guint i = 0; i < n_atoms && bytes <= MAX_LIST_BYTES; i += NAMES_AT_ONCE)
    bytes += read_names (self, atoms + i, MIN (NAMES_AT_ONCE, n_atoms - i), names + i);
  return names;
}
