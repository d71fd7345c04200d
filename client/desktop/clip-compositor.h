/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-chord.h"
G_BEGIN_DECLS

/* A compositor or window manager that does nothing but what a file of its user says. */
typedef struct
{
  const char *variable;   /* (nullable): that it sets */
  const char *desktop;    /* in XDG_CURRENT_DESKTOP or DESKTOP_SESSION */
  const char *start_file; /* below the folder of configurations */
  const char *start;      /* a line, with the path of a program */
  const char *key_file;
  const char *key;       /* a line, with a chord and a command */
  const char *key_place; /* (nullable): of the file: the part that it belongs into */
  gboolean splits;       /* the command into words, with quotes around each */
  const char *taken; /* (nullable): letters that Super has a use for in the file that it
                        comes with */
  ClipChordStyle chord;
} ClipCompositor;

const ClipCompositor *clip_compositor_find (void);
const ClipCompositor *clip_compositor_ask (void);

G_END_DECLS
