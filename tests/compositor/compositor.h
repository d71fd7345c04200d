/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
#include <wayland-server.h>
G_BEGIN_DECLS

/* compositor.c  the display and its seats
 * control.c     data control: who owns what
 * program.c     the programs that copy and paste
 * script.c      the commands */

typedef enum
{
  KIND_CLIPBOARD,
  KIND_PRIMARY,
  N_KINDS,
} Kind;

typedef struct Source Source;

typedef struct
{
  guint number; /* from 1 */
  struct wl_global *global;
  GPtrArray *devices; /* of wl_resource */
  Source *selected[N_KINDS];
} Seat;

/* What somebody copied: a client's source, or one that the script plays. */
struct Source
{
  GPtrArray *mimes;
  struct wl_resource *resource; /* NULL: the script's */
  GHashTable *contents;         /* the script's: MIME type -> Content */
  gboolean used;
  GPtrArray *offers; /* of wl_resource */
};

typedef struct
{
  struct wl_display *display;
  GPtrArray *seats;
  struct wl_global *manager;
  struct wl_resource *bound_manager; /* of the client that came last */
  guint n_offers;                    /* that clients have not destroyed */
} Compositor;

Seat *seat_add (Compositor *compositor);
void seat_remove (Compositor *compositor, Seat *seat);

gboolean control_start (Compositor *compositor, const char *protocol);
Source *control_source_new (void);
void control_select (Seat *seat, Kind kind, Source *source);
void control_introduce (Seat *seat, Source *source);
void control_ask (Source *source, const char *mime, int fd_take);
void control_finish (Seat *seat);

Source *program_new (void);
void program_add (Source *source, const char *mime, const char *value);
void program_send (Source *source, const char *mime, int fd_take);
gboolean program_paste (Compositor *compositor,
                        Source *source,
                        const char *mime,
                        gboolean through_socket,
                        const char *path);
guint program_release (void);
char *program_asked (void);

void script_start (Compositor *compositor, int command_fd);
void script_say (const char *format, ...) G_GNUC_PRINTF (1, 2);

G_END_DECLS
