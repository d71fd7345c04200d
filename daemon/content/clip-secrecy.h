/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* Whether the names under which a copy is offered say that it is a secret. In order: the
   worst counts. */
typedef enum
{
  CLIP_SECRECY_NONE,
  CLIP_SECRECY_ASK,    /* the value of a hint decides */
  CLIP_SECRECY_SECRET, /* marked, or marked in a way that cannot be understood */
} ClipSecrecy;

/* no program has more; the bytes of a value that are read */
#define CLIP_SECRECY_MAX_HINTS 4
#define CLIP_SECRECY_VALUE_BYTES 64

/* stands for names that were not looked at */
#define CLIP_SECRECY_UNREAD "application/x-org.cliphist.unread-names"

ClipSecrecy clip_secrecy_of_name (const char *name);
ClipSecrecy clip_secrecy_of_names (const char *const *names);
gboolean clip_secrecy_refuses (const char *hint, const void *value, gsize length);

G_END_DECLS
