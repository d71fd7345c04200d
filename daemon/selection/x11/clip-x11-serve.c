/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A request is a list of pairs, a target and the property that it is to go to: many for
 * MULTIPLE, one for anything else. The pairs are converted in order; when the last has
 * landed the requestor is told. An INCR that has landed goes on by itself, so that any
 * number of them, of one requestor or of several, run side by side. For lists of targets
 * and times the server is waited for once in a request: those come by the thousand. */
#include "clip-x11-serve.h"

#include "clip-x11-feed.h"

#define MAX_PAIRS 64
#define LATE_MS 60000
/* contents that go out within that time are cleared together */
#define CLEAR_MS 20

typedef struct
{
  xcb_atom_t target;
  xcb_atom_t property;
} Pair;

/* what a pair was given; the server has not said yet whether it could be */
typedef struct
{
  guint pair;
  xcb_void_cookie_t cookie;
} Put;

typedef struct
{
  xcb_selection_request_event_t request;
  GArray *pairs; /* of Pair; the target of a failed one is set to none */
  guint next;
  GArray *puts; /* of Put: waited for together, at the end */
  gboolean is_multiple;
  gboolean has_failed;
  ClipX11Feed *feed; /* what it waits for */
} Reply;

typedef enum
{
  CONVERTED,
  REFUSED,
  UNDER_WAY,
} Conversion;

struct ClipX11Serve
{
  ClipX11Display *display;
  ClipX11Owner *owner;
  ClipX11Limits limits;
  ClipX11Mailbox *news;
  guint64 last_id;
  GPtrArray *feeds;
  guint n_asked; /* of history, and not answered: of feeds that have ended, too */
  GPtrArray *replies;
  gboolean is_unclear; /* a content lies in the buffers of the connection */
  GSource *clear;
};

static void
reply_free (gpointer data)
{
  Reply *reply = data;

  g_array_unref (reply->pairs);
  g_array_unref (reply->puts);
  g_free (reply);
}

static gboolean
on_clear (gpointer user_data)
{
  ClipX11Serve *self = user_data;

  self->is_unclear = FALSE;
  clip_x11_display_clear_buffers (self->display);
  return G_SOURCE_CONTINUE;
}

/* soon: thousands that paste at once need that only once */
static void
clear_buffers (ClipX11Serve *self)
{
  if (!self->is_unclear)
    clip_x11_deadline_set (self->clear, CLEAR_MS);
  self->is_unclear = TRUE;
}

ClipX11Serve *
clip_x11_serve_new (ClipX11Display *display,
                    ClipX11Owner *owner,
                    const ClipX11Limits *limits,
                    ClipX11Mailbox *news)
{
  ClipX11Serve *self = g_new0 (ClipX11Serve, 1);

  self->display = display;
  self->owner = owner;
  self->limits = *limits;
  self->news = clip_x11_mailbox_ref (news);
  self->feeds = g_ptr_array_new_with_free_func ((GDestroyNotify) clip_x11_feed_free);
  self->replies = g_ptr_array_new_with_free_func (reply_free);
  self->clear =
      clip_x11_deadline_new (clip_x11_display_context (display), on_clear, self);
  return self;
}

void
clip_x11_serve_free (ClipX11Serve *self)
{
  clip_x11_event_source_clear (&self->clear);
  g_ptr_array_unref (self->feeds);
  g_ptr_array_unref (self->replies);
  clip_x11_mailbox_unref (self->news);
  g_free (self);
}

static gboolean
is_same_place (const ClipX11Property *a, const ClipX11Property *b)
{
  return a->requestor == b->requestor && a->property == b->property;
}

/* (nullable) */
static ClipX11Feed *
find_feed (ClipX11Serve *self, const ClipX11Property *place)
{
  for (guint i = 0; i < self->feeds->len; i++)
    if (is_same_place (clip_x11_feed_place (self->feeds->pdata[i]), place))
      return self->feeds->pdata[i];
  return NULL;
}

static void
put (ClipX11Serve *self,
     Reply *reply,
     const ClipX11Property *place,
     xcb_atom_t type,
     gconstpointer numbers,
     gsize n_numbers)
{
  const Put started = { reply->next,
                        clip_x11_property_start_put (self->display, place, type, numbers,
                                                     n_numbers) };

  g_array_append_val (reply->puts, started);
}

static void
put_targets (ClipX11Serve *self,
             Reply *reply,
             const ClipX11Claim *claim,
             const ClipX11Property *place)
{
  g_autoptr (GArray) targets = g_array_new (FALSE, FALSE, sizeof (xcb_atom_t));

  for (ClipX11Atom i = CLIP_X11_ATOM_TARGETS; i <= CLIP_X11_ATOM_MULTIPLE; i++)
    {
      xcb_atom_t atom = clip_x11_display_atom (self->display, i);

      g_array_append_val (targets, atom);
    }
  g_array_append_vals (targets, claim->targets->data, claim->targets->len);
  put (self, reply, place, XCB_ATOM_ATOM, targets->data, targets->len);
}

static void on_feed (ClipX11Feed *feed, ClipX11FeedState state, gpointer user_data);

static Conversion
start_feed (ClipX11Serve *self,
            const ClipX11Claim *claim,
            const ClipX11Property *place,
            xcb_atom_t target,
            Reply *reply)
{
  const gboolean is_text =
      target == clip_x11_display_atom (self->display, CLIP_X11_ATOM_TEXT);
  const ClipX11FeedJob job = {
    .id = ++self->last_id,
    .source = claim->source,
    .name = clip_x11_claim_name (claim, target),
    .place = *place,
    /* TEXT leaves the encoding to the owner, who says which it took */
    .type = is_text ? clip_x11_display_atom (self->display, CLIP_X11_ATOM_UTF8_STRING)
                    : target,
  };

  if (!job.name || self->feeds->len >= self->limits.max_feeds ||
      self->n_asked >= self->limits.max_feeds || find_feed (self, place))
    return REFUSED;
  reply->feed =
      clip_x11_feed_new (self->display, &job, &self->limits, self->news, on_feed, self);
  if (!reply->feed)
    return REFUSED;
  self->n_asked++;
  g_ptr_array_add (self->feeds, reply->feed);
  return UNDER_WAY;
}

static Conversion
convert (ClipX11Serve *self, Reply *reply, const Pair *pair)
{
  const ClipX11Claim *claim = clip_x11_owner_find (self->owner, reply->request.owner);
  const ClipX11Property place = { reply->request.requestor, pair->property };

  if (!claim || pair->property == XCB_ATOM_NONE)
    return REFUSED;
  if (pair->target == clip_x11_display_atom (self->display, CLIP_X11_ATOM_TARGETS))
    put_targets (self, reply, claim, &place);
  else if (pair->target == clip_x11_display_atom (self->display, CLIP_X11_ATOM_TIMESTAMP))
    put (self, reply, &place, XCB_ATOM_INTEGER, &claim->since, 1);
  else
    return start_feed (self, claim, &place, pair->target, reply);
  return CONVERTED;
}

static void
fail_pair (Reply *reply, guint i)
{
  g_array_index (reply->pairs, Pair, i).target = XCB_ATOM_NONE;
  reply->has_failed = TRUE;
}

static void
check_puts (ClipX11Serve *self, Reply *reply)
{
  for (guint i = 0; i < reply->puts->len; i++)
    {
      const Put *started = &g_array_index (reply->puts, Put, i);

      if (!clip_x11_property_check (self->display, started->cookie))
        fail_pair (reply, started->pair);
    }
}

static void
finish_reply (ClipX11Serve *self, Reply *reply)
{
  const ClipX11Property place = { reply->request.requestor, reply->request.property };
  xcb_atom_t property = reply->request.property;

  check_puts (self, reply);
  if (reply->has_failed && !reply->is_multiple)
    property = XCB_ATOM_NONE;
  else if (reply->has_failed)
    clip_x11_property_put (self->display, &place, XCB_PROP_MODE_REPLACE,
                           clip_x11_display_atom (self->display, CLIP_X11_ATOM_ATOM_PAIR),
                           32, reply->pairs->data, (gsize) reply->pairs->len * 2, NULL);
  clip_x11_property_notify (self->display, &reply->request, property);
  g_ptr_array_remove_fast (self->replies, reply);
}

static void
end_pair (Reply *reply, gboolean converted)
{
  if (!converted)
    fail_pair (reply, reply->next);
  reply->feed = NULL;
  reply->next++;
}

static void
advance (ClipX11Serve *self, Reply *reply)
{
  while (reply->next < reply->pairs->len)
    {
      const Pair pair = g_array_index (reply->pairs, Pair, reply->next);
      Conversion conversion = convert (self, reply, &pair);

      if (conversion == UNDER_WAY)
        return;
      end_pair (reply, conversion == CONVERTED);
    }
  finish_reply (self, reply);
}

/* (nullable): the request that waits for @feed to land */
static Reply *
find_reply (ClipX11Serve *self, const ClipX11Feed *feed)
{
  for (guint i = 0; i < self->replies->len; i++)
    {
      Reply *reply = self->replies->pdata[i];

      if (reply->feed == feed)
        return reply;
    }
  return NULL;
}

/* the last INCR for a window ends our listening to it */
static void
forget_feed (ClipX11Serve *self, ClipX11Feed *feed)
{
  const ClipX11Property place = *clip_x11_feed_place (feed);
  gboolean is_listened_to = !clip_x11_feed_is_incr (feed);

  g_ptr_array_remove_fast (self->feeds, feed);
  for (guint i = 0; i < self->feeds->len && !is_listened_to; i++)
    is_listened_to =
        clip_x11_feed_is_incr (self->feeds->pdata[i]) &&
        clip_x11_feed_place (self->feeds->pdata[i])->requestor == place.requestor;
  if (!is_listened_to)
    clip_x11_property_unlisten (self->display, &place);
  clear_buffers (self);
}

static void
on_feed (ClipX11Feed *feed, ClipX11FeedState state, gpointer user_data)
{
  ClipX11Serve *self = user_data;
  Reply *reply = find_reply (self, feed);

  if (state == CLIP_X11_ENDED)
    forget_feed (self, feed);
  if (!reply)
    return;
  end_pair (reply, state == CLIP_X11_LANDED);
  advance (self, reply);
}

/* FALSE: there is no such list, or it is too long */
static gboolean
read_pairs (ClipX11Serve *self, Reply *reply)
{
  xcb_connection_t *connection = clip_x11_display_connection (self->display);
  g_autofree xcb_get_property_reply_t *list = xcb_get_property_reply (
      connection,
      xcb_get_property (connection, FALSE, reply->request.requestor,
                        reply->request.property, XCB_GET_PROPERTY_TYPE_ANY, 0,
                        MAX_PAIRS * 2),
      NULL);

  if (!list || list->format != 32 || list->bytes_after > 0 || list->value_len % 2 != 0)
    return FALSE;
  g_array_append_vals (reply->pairs, xcb_get_property_value (list), list->value_len / 2);
  return TRUE;
}

static Reply *
add_reply (ClipX11Serve *self, const xcb_selection_request_event_t *request)
{
  Reply *reply = g_new0 (Reply, 1);

  reply->request = *request;
  reply->pairs = g_array_new (FALSE, FALSE, sizeof (Pair));
  reply->puts = g_array_new (FALSE, FALSE, sizeof (Put));
  reply->is_multiple =
      request->target == clip_x11_display_atom (self->display, CLIP_X11_ATOM_MULTIPLE);
  g_ptr_array_add (self->replies, reply);
  return reply;
}

/* a place that is asked for again has given up what was on its way there */
static void
abort_previous (ClipX11Serve *self, const xcb_selection_request_event_t *request)
{
  const ClipX11Property place = { request->requestor, request->property };
  ClipX11Feed *feed = find_feed (self, &place);

  if (feed)
    clip_x11_feed_abort (feed);
}

/* on its way for so long at the most: times wrap around, and a claim may be weeks old */
static gboolean
is_of_before (xcb_timestamp_t when, const ClipX11Claim *claim)
{
  return when != XCB_CURRENT_TIME && clip_x11_is_before (when, claim->since) &&
         claim->since - when < LATE_MS;
}

static gboolean
is_ours_to_answer (ClipX11Serve *self, const xcb_selection_request_event_t *request)
{
  const ClipX11Claim *claim = clip_x11_owner_find (self->owner, request->owner);

  return claim && !is_of_before (request->time, claim);
}

/**
 * clip_x11_serve_request:
 *
 * Answers a request in its time; at once, with a refusal, one that we cannot answer: of
 * before our ownership, after its end, or for what we do not have.
 */
void
clip_x11_serve_request (ClipX11Serve *self, const xcb_selection_request_event_t *event)
{
  xcb_selection_request_event_t request = *event;
  Reply *reply = NULL;

  if (!is_ours_to_answer (self, &request))
    {
      clip_x11_property_notify (self->display, &request, XCB_ATOM_NONE);
      return;
    }
  reply = add_reply (self, &request);
  if (reply->is_multiple &&
      (request.property == XCB_ATOM_NONE || !read_pairs (self, reply)))
    {
      clip_x11_property_notify (self->display, &request, XCB_ATOM_NONE);
      g_ptr_array_remove_fast (self->replies, reply);
      return;
    }
  if (!reply->is_multiple)
    {
      Pair pair = { request.target, request.property };

      /* requestors older than ICCCM name no property */
      if (pair.property == XCB_ATOM_NONE)
        pair.property = reply->request.property = request.target;
      g_array_append_val (reply->pairs, pair);
    }
  abort_previous (self, &reply->request);
  advance (self, reply);
}

/* history has written everything, or given up */
void
clip_x11_serve_answered (ClipX11Serve *self, guint64 id, gboolean whole)
{
  self->n_asked--;
  for (guint i = 0; i < self->feeds->len; i++)
    if (clip_x11_feed_id (self->feeds->pdata[i]) == id)
      {
        clip_x11_feed_answered (self->feeds->pdata[i], whole);
        return;
      }
}

/* @event: about a window that is not ours */
void
clip_x11_serve_notify (ClipX11Serve *self, const xcb_generic_event_t *event)
{
  g_autoptr (GPtrArray) feeds = g_ptr_array_copy (self->feeds, NULL, NULL);

  /* each of them may end, but only itself */
  g_ptr_array_set_free_func (feeds, NULL);
  for (guint i = 0; i < feeds->len; i++)
    clip_x11_feed_notify (feeds->pdata[i], event);
}
