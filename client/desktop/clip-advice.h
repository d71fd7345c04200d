/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* What a desktop lacks for its copies to be kept, and the one command that mends it. */

/* what is there, as far as the command can see it */
typedef struct
{
  gboolean has_display;         /* there are programs here that copy */
  gboolean has_bus;             /* that answers */
  gboolean is_of_earlier_login; /* no bus, and no display: of those that are named */
  const char *compositor;       /* (nullable): that starts what its own file says */
  const char *unwritable; /* (nullable): what of the history this user may not write */
  gboolean is_read_only;  /* that is because its file system may only be read */
  const char *unread;     /* (nullable): configuration that this user may not read */
  const char *in_the_way; /* (nullable): of a folder of the history */
  const char *shared;     /* (nullable): what of the user's history others may write to */
  gboolean is_newer;      /* the history: a newer version has changed it */
  gboolean is_damaged;    /* the history, and no daemon runs */
  gboolean lacks_folder;  /* for a history, and none can be made */
  gboolean lacks_room;    /* for a history to begin, and no daemon runs */
  gboolean has_manager;   /* a systemd that starts services for this user */
  gboolean is_masked;     /* of which that of the daemon may not be one */
  const char *program;    /* the path of the daemon */
  gboolean lacks_program; /* it is not there */
  const char *version;    /* (nullable): of the daemon that runs */
  gboolean is_silent;     /* one is there, and does not answer */
  gboolean watches;       /* whether it watches a display */
  const char *other_display; /* (nullable): that it watches, and not this one */
  gboolean is_elsewhere;     /* its history is not the one that db-path names by now */
  gboolean has_layers;       /* a compositor that has layer shell */
  gboolean has_picker;       /* that can show itself without a terminal */
  gboolean has_window; /* that the bus starts: where it is, a picker may not be missed */
  const char *portal;  /* (nullable): the desktop whose portal is needed to press keys,
                          and does not, as in the name of its package */
  gboolean has_portal; /* it is installed */
  gboolean lacks_notifications; /* no program shows them, nor can be started */
  char *unshared; /* (nullable): a search provider GNOME Shell does not find; free it */
  const char *search_switch; /* (nullable): the command that has GNOME Shell search the
                                history, where it does not, and could */
  const char *installer; /* (nullable): how a package is installed here, up to its name,
                            where we know it */
} ClipAround;

/* the first thing that is missing, because the others follow from it */
typedef struct
{
  const char *missing; /* these are sentences */
  const char *why;
  char *mend; /* (nullable): a command line; free it */
} ClipAdvice;

void clip_around_look (ClipAround *self);
gboolean clip_around_finds_portal (const char *desktop);
gboolean clip_around_finds_provider (void);
char *clip_advice_restart (const ClipAround *around);
gboolean clip_advise (const ClipAround *around, ClipAdvice *out_advice);
void clip_advice_append (GString *out, const ClipAround *around, gboolean explains);

G_END_DECLS
