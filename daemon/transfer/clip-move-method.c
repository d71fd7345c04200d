/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The ladder: every method that the kernel has of moving bytes between two descriptors,
 * the cheapest first. The kinds of the two ends say which rungs a transfer may try;
 * whether one bears shows in use only, because file systems and flags (O_APPEND is one)
 * refuse without notice. A rung that refuses has moved nothing, so the next one goes on
 * at the same byte. The last rung bears everything.
 */
#include "clip-move-method.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/sendfile.h>
#include <unistd.h>

/* what one transfer holds in memory, on the one rung that holds anything */
#define BUFFER_BYTES ((gsize) 64 * 1024)

/* a file is written in larger pieces: its transfers are few, they share a pool of threads
 */
#define FILE_BUFFER_BYTES ((gsize) 128 * 1024)

static loff_t
source_offset (const ClipFlow *flow)
{
  return flow->source.start + flow->moved;
}

static gssize
move_splice (ClipFlow *flow, gsize length)
{
  loff_t at = source_offset (flow);
  gboolean from_file = flow->source.kind == CLIP_END_FILE;

  return splice (flow->source.fd, from_file ? &at : NULL, flow->sink.fd, NULL, length,
                 SPLICE_F_NONBLOCK);
}

/* 0 may be an end or a file of /proc, which has no size: the next rung knows */
static gssize
move_copy_file_range (ClipFlow *flow, gsize length)
{
  loff_t at = source_offset (flow);
  gssize n = copy_file_range (flow->source.fd, &at, flow->sink.fd, NULL, length, 0);

  if (n != 0)
    return n;
  errno = EINVAL;
  return -1;
}

/* to a socket it would wait: it has no flag against that, and heeds the socket's own,
 * which another program may change while we are in it */
static gssize
move_sendfile (ClipFlow *flow, gsize length)
{
  loff_t at = source_offset (flow);

  return sendfile (flow->sink.fd, flow->source.fd, &at, length);
}

static gssize
fill (ClipFlow *flow, gsize length)
{
  gsize capacity = flow->sink.kind == CLIP_END_FILE ? FILE_BUFFER_BYTES : BUFFER_BYTES;
  gssize n;

  if (!flow->buffer)
    flow->buffer = g_malloc (capacity);
  n = clip_end_read (&flow->source, flow->buffer, MIN (length, capacity), flow->moved);
  flow->carried_at = 0;
  flow->n_carried = (gsize) MAX (n, 0);
  return n;
}

static gssize
move_read_write (ClipFlow *flow, gsize length)
{
  gssize n = flow->n_carried > 0 ? 1 : fill (flow, length);

  if (n <= 0)
    return n;
  n = clip_end_write (&flow->sink, flow->buffer + flow->carried_at, flow->n_carried);
  if (n > 0)
    {
      flow->carried_at += (gsize) n;
      flow->n_carried -= (gsize) n;
    }
  return n;
}

static gssize
move_bytes (ClipFlow *flow, gsize length)
{
  const guint8 *data = g_bytes_get_data (flow->bytes, NULL);

  return clip_end_write (&flow->sink, data + flow->moved, length);
}

static const ClipMoveMethod ladder[] = {
  { "splice", CLIP_END_FILE, CLIP_END_PIPE, move_splice },
  { "splice", CLIP_END_PIPE, CLIP_END_PIPE | CLIP_END_FILE, move_splice },
  { "copy_file_range", CLIP_END_FILE, CLIP_END_FILE, move_copy_file_range },
  { "sendfile", CLIP_END_FILE, CLIP_END_FILE, move_sendfile },
  { "read/write", CLIP_END_ANY, CLIP_END_ANY, move_read_write },
  { "write", CLIP_END_BYTES, CLIP_END_ANY, move_bytes },
};

static const ClipMoveMethod *
find_from (const ClipMoveMethod *method, const ClipFlow *flow)
{
  for (; method < ladder + G_N_ELEMENTS (ladder); method++)
    if ((method->sources & flow->source.kind) && (method->sinks & flow->sink.kind))
      return method;
  return NULL;
}

/**
 * clip_move_method_first:
 *
 * Returns: the cheapest method between the ends of @flow
 */
const ClipMoveMethod *
clip_move_method_first (const ClipFlow *flow)
{
  return find_from (ladder, flow);
}

/**
 * clip_move_method_next:
 * @method: one that has refused
 *
 * Returns: (nullable): the one to try instead; %NULL when that was the last
 */
const ClipMoveMethod *
clip_move_method_next (const ClipMoveMethod *method, const ClipFlow *flow)
{
  return find_from (method + 1, flow);
}
