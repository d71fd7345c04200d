/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-backend.h"
#include "x11-peer.h"
G_BEGIN_DECLS

/* What the tests of the X11 backend have in common: private servers, waiting for facts,
 * and a listener that writes down what a backend says. */

#define until(fact) \
  for (gint64 late_us = rig_deadline (); !(fact); rig_iterate (late_us, #fact))

gint64 rig_deadline (void);
void rig_iterate (gint64 late_us, const char *fact);

/* a program of its own process; killed with us */
typedef struct
{
  GPid pid;
  int stdout_fd;
} Program;

Program *program_start (const char *const *words, const char *display);
void program_kill (Program *self);
gboolean program_wait (Program *self);
void program_free (Program *self);

typedef struct
{
  Program *program;
  char *display;
} XServer;

XServer *xserver_start_by (const char *const *launcher, const char *const *options);
XServer *xserver_start (const char *const *options);
void xserver_free (XServer *self);
Program *xserver_run (XServer *self, const char *command);
void xserver_run_to_end (XServer *self, const char *command);
char *xserver_read (XServer *self, const char *command);
X11Peer *xserver_new_peer (XServer *self);
XServer *xserver_empty (XServer *self);

typedef struct
{
  const char *path;
  void (*test) (void);
} RigTest;

int rig_main (int argc, char *argv[], XServer **server, const RigTest *tests, gsize n);

/* a backend, and all that it has said since the last look */
typedef struct
{
  ClipBackend *backend;
  ClipOffer *offer; /* the last one */
  GPtrArray *takes; /* where not NULL: a Take of the first type of each offer */
  guint n_offered;
  guint n_stalled;
  guint n_cleared;
  guint n_disconnected;
} Ear;

Ear *ear_new (XServer *server, gboolean primary);
Ear *ear_new_greedy (XServer *server);
Ear *ear_new_hasty (XServer *server);
Ear *ear_new_rash (XServer *server);
void ear_free (Ear *self);

/* one content on its way out of a backend */
typedef struct
{
  char *mime;
  char *text; /* for a test to remember */
  int fd;     /* what to read from; -1 until there is something */
  GCancellable *cancellable;
  gboolean done;
  ClipVerdict verdict;
  GError *error;
} Take;

Take *take_new (Ear *ear, const char *mime);
void take_free (Take *self);
int take_fd (Take *self);
char *take_text (Take *self);

gsize rig_memory (void);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Program, program_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (XServer, xserver_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Ear, ear_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Take, take_free)

G_END_DECLS
