/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-wayland.h"
#include "play.h"
G_BEGIN_DECLS

/* The Wayland backend at a real compositor, the tests' own. What it announces is kept as
 * lines of text, in order, so that a test also sees what should not have come. */
typedef struct
{
  Play *play;
  ClipBackend *backend;
  GQueue *events;
  ClipOffer *offer;   /* the last one */
  ClipSource *source; /* what desk_own() made */
  GQueue *requests;   /* of ClipRequest, not answered */
  guint n_cancelled;
} Desk;

/* what is announced when desk_own_text() has succeeded */
#define DESK_OWN_TEXT "offered own text/plain;charset=utf-8 text/plain"

/* a test for each protocol */
#define DESK_TEST(room, name, test) \
  g_test_add_data_func (room "/ext/" name, "ext", test); \
  g_test_add_data_func (room "/wlr/" name, "wlr", test)

Desk *desk_empty (void);
Desk *desk_new (const char *protocol, int n_seats);
Desk *desk_at (const char *protocol, int n_seats);
void desk_free (Desk *desk);
void desk_sit_at (Desk *desk, ClipBackend *backend_take);
void desk_sit_down (Desk *desk, gboolean primary);

void desk_tell (Desk *desk, const char *command);
void desk_await_answer (Desk *desk, const char *command, const char *wanted);
void desk_expect (Desk *desk, const char *event);

ClipVerdict desk_receive_from (Desk *desk,
                               ClipOffer *offer,
                               const char *mime,
                               int *out_fd,
                               GError **error);
GBytes *desk_receive (Desk *desk, const char *mime);
void desk_assert_receives (Desk *desk, const char *mime, const char *text);

gboolean desk_own (Desk *desk,
                   ClipSelection selection,
                   const char *const *mimes,
                   GError **error);
void desk_own_text (Desk *desk);
ClipRequest *desk_next_request (Desk *desk);
void desk_answer (ClipRequest *request, const char *text);
void desk_start_paste (Desk *desk, const char *command, const char *mime);
void desk_assert_pasted (Desk *desk, const char *text);
void desk_paste (Desk *desk, const char *command, const char *mime, const char *text);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Desk, desk_free)
G_END_DECLS
