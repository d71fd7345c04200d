/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* To own a selection takes the time of the server, which has to be asked for first; the
 * answers come in order, and so orders are carried out in order. A program that copies
 * after that time wins: the server ignores a claim that is older than the last one. */
#include "clip-x11-owner.h"

#include "clip-source.h"

#define N_SELECTIONS 2

/* an order that waits for the time */
typedef struct
{
  ClipSelection selection;
  ClipX11Claim *claim; /* NULL: give the selection up */
} Order;

struct ClipX11Owner
{
  ClipX11Display *display;
  ClipX11Mailbox *news;
  ClipX11Claim *claims[N_SELECTIONS];
  xcb_timestamp_t left[N_SELECTIONS]; /* 0: no owner has left one that we heard of */
  GQueue orders;
};

/**
 * clip_x11_claim_name:
 *
 * Returns: (nullable): the type that stands for @target; none for our token, which has no
 * content
 */
const char *
clip_x11_claim_name (const ClipX11Claim *self, xcb_atom_t target)
{
  for (guint i = 0; i + 1 < self->targets->len; i++)
    if (g_array_index (self->targets, xcb_atom_t, i) == target)
      return self->names[i];
  return NULL;
}

/* tells that it is over, for any reason */
static void
end_claim (ClipX11Owner *self, ClipX11Claim *claim)
{
  if (!claim)
    return;
  clip_x11_mailbox_post (self->news, clip_x11_message_new (CLIP_X11_LOST, claim->source));
  clip_x11_display_remove_window (self->display, claim->window);
  g_strfreev (claim->names);
  g_array_unref (claim->targets);
  g_free (claim);
}

static void
end_order (ClipX11Owner *self, Order *order)
{
  end_claim (self, order->claim);
  g_free (order);
}

ClipX11Owner *
clip_x11_owner_new (ClipX11Display *display, ClipX11Mailbox *news)
{
  ClipX11Owner *self = g_new0 (ClipX11Owner, 1);

  self->display = display;
  self->news = clip_x11_mailbox_ref (news);
  g_queue_init (&self->orders);
  return self;
}

void
clip_x11_owner_free (ClipX11Owner *self)
{
  clip_x11_owner_lose_all (self);
  clip_x11_mailbox_unref (self->news);
  g_free (self);
}

static xcb_atom_t
selection_atom (ClipX11Owner *self, ClipSelection selection)
{
  return selection == CLIP_SELECTION_PRIMARY
             ? XCB_ATOM_PRIMARY
             : clip_x11_display_atom (self->display, CLIP_X11_ATOM_CLIPBOARD);
}

static gboolean
is_owned_by (ClipX11Owner *self, xcb_atom_t selection, xcb_window_t window)
{
  xcb_connection_t *connection = clip_x11_display_connection (self->display);
  g_autofree xcb_get_selection_owner_reply_t *reply = xcb_get_selection_owner_reply (
      connection, xcb_get_selection_owner (connection, selection), NULL);

  return reply && reply->owner == window;
}

/* What only fills an empty selection looks whether it is empty after it was told the
 * time, and claims it as of the copy of the owner that has left it, or of the moment
 * before that look: who copies after it, or did so earlier and is slow to say so, has a
 * later time, and keeps it. Times wrap around, and that copy may be weeks old. */
static xcb_timestamp_t
time_to_fill (ClipX11Owner *self, ClipSelection selection, xcb_timestamp_t now)
{
  const xcb_timestamp_t left = self->left[selection];

  return left != XCB_CURRENT_TIME && clip_x11_is_before (left, now) ? left : now - 1;
}

static void
set_owner (ClipX11Owner *self, Order *order, xcb_timestamp_t now)
{
  ClipX11Claim *claim = order->claim;
  const xcb_atom_t atom = selection_atom (self, order->selection);
  const gboolean fills =
      g_strv_contains ((const char *const *) claim->names, CLIP_SOURCE_FILLS);

  if (fills && !is_owned_by (self, atom, XCB_WINDOW_NONE))
    return;
  claim->since = fills ? time_to_fill (self, order->selection, now) : now;
  xcb_set_selection_owner (clip_x11_display_connection (self->display), claim->window,
                           atom, claim->since);
  if (!is_owned_by (self, atom, claim->window))
    return;
  /* the server tells the loser only where that is another program */
  end_claim (self, self->claims[order->selection]);
  self->claims[order->selection] = g_steal_pointer (&order->claim);
}

static void
clear_owner (ClipX11Owner *self, ClipSelection selection)
{
  ClipX11Claim *claim = g_steal_pointer (&self->claims[selection]);

  /* as of the time it became ours: a later owner is left alone */
  if (claim)
    xcb_set_selection_owner (clip_x11_display_connection (self->display), XCB_WINDOW_NONE,
                             selection_atom (self, selection), claim->since);
  end_claim (self, claim);
}

static void
on_time (xcb_timestamp_t now, gpointer user_data)
{
  ClipX11Owner *self = user_data;
  Order *order = g_queue_pop_head (&self->orders);

  if (!order)
    return;
  if (order->claim)
    set_owner (self, order, now);
  else
    clear_owner (self, order->selection);
  end_order (self, order);
}

static void
give_order (ClipX11Owner *self, ClipSelection selection, ClipX11Claim *claim)
{
  Order *order = g_new (Order, 1);

  *order = (Order){ selection, claim };
  g_queue_push_tail (&self->orders, order);
  clip_x11_display_ask_time (self->display, on_time, self);
}

/**
 * clip_x11_owner_own:
 * @source: the number that %CLIP_X11_LOST says when it is over, which may be at once
 */
void
clip_x11_owner_own (ClipX11Owner *self,
                    ClipSelection selection,
                    guint64 source,
                    const char *const *mimes)
{
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  ClipX11Claim *claim = g_new0 (ClipX11Claim, 1);

  g_strv_builder_addv (names, (const char **) mimes);
  g_strv_builder_add (names, clip_source_token ());
  claim->source = source;
  claim->selection = selection;
  claim->names = g_strv_builder_end (names);
  claim->targets = clip_x11_atoms_intern (clip_x11_display_atoms (self->display),
                                          (const char *const *) claim->names);
  claim->window = clip_x11_display_add_window (self->display, NULL, NULL);
  give_order (self, selection, claim);
}

void
clip_x11_owner_disown (ClipX11Owner *self, ClipSelection selection)
{
  if (g_queue_is_empty (&self->orders))
    clear_owner (self, selection);
  else
    give_order (self, selection, NULL);
}

/* another program owns it now */
void
clip_x11_owner_lose (ClipX11Owner *self, xcb_window_t window)
{
  for (int i = 0; i < N_SELECTIONS; i++)
    if (self->claims[i] && self->claims[i]->window == window)
      end_claim (self, g_steal_pointer (&self->claims[i]));
}

/* @when: as of when the owner that has left the selection had it */
void
clip_x11_owner_left (ClipX11Owner *self, ClipSelection selection, xcb_timestamp_t when)
{
  self->left[selection] = when;
}

/* the display has gone */
void
clip_x11_owner_lose_all (ClipX11Owner *self)
{
  Order *order;

  for (int i = 0; i < N_SELECTIONS; i++)
    end_claim (self, g_steal_pointer (&self->claims[i]));
  while ((order = g_queue_pop_head (&self->orders)))
    end_order (self, order);
}

/* (nullable): the claim of that window, while it lasts */
const ClipX11Claim *
clip_x11_owner_find (ClipX11Owner *self, xcb_window_t window)
{
  for (int i = 0; i < N_SELECTIONS; i++)
    if (self->claims[i] && self->claims[i]->window == window)
      return self->claims[i];
  return NULL;
}
