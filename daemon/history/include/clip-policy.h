/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-settings.h"
#include "clip-store.h"
G_BEGIN_DECLS

/* Why a copy does not become an entry. None of them is an error. */
typedef enum
{
  CLIP_DROP_NONE,
  CLIP_DROP_BLANK,
  CLIP_DROP_TOO_LARGE,
  CLIP_DROP_TOO_SMALL,
  CLIP_DROP_SECRET,
  CLIP_DROP_PAUSED,
  CLIP_DROP_PATTERN,
  CLIP_DROP_IGNORED,    /* for its program */
  CLIP_DROP_DELETED,    /* the user has deleted it, or wiped the history while it came */
  CLIP_DROP_UNANSWERED, /* it is a caller's, and the clipboard's owner, which may have a
                           secret, does not say what it holds */
} ClipDrop;

/* what the last bytes of a content say about its being whole */
typedef enum
{
  CLIP_ENDING_UNKNOWN, /* the format shows no end */
  CLIP_ENDING_THERE,
  CLIP_ENDING_MISSING,
} ClipEnding;

/* so many of the last bytes are looked at: some programs append a little of their own */
#define CLIP_POLICY_TAIL_BYTES 4096

/* how long the first byte of a copy may take, and how long it may stand still
 * (milliseconds): a program makes an image of what it shows when it is asked for it */
#define CLIP_POLICY_FIRST_MS 30000
#define CLIP_POLICY_IDLE_MS 30000
/* the first byte of what comes beside a content that is there, which waits for it, and of
 * what an owner is asked for that did not answer */
#define CLIP_POLICY_BESIDE_MS 10000
/* of what a caller hands to us: `make | cliphist store` takes as long as it takes, and
 * ends with its caller. A day, not for ever: what is forgotten is to end some time */
#define CLIP_POLICY_CALLER_IDLE_MS (24 * 60 * 60 * 1000)
/* of who pastes from a pipe, as `wl-paste | less` does: a day, too, unless so many others
 * paste meanwhile that it gives way, or the entry is deleted: then it ends within
 * CLIP_POLICY_IDLE_MS */
#define CLIP_POLICY_READER_IDLE_MS CLIP_POLICY_CALLER_IDLE_MS
/* up to here the end of a pipe alone says that a copy that was replaced meanwhile is
 * whole */
#define CLIP_POLICY_SMALL_BYTES 65536
/* how much of a copy may be in the page cache alone while it is received: a program waits
 * for its pipe, and writing would take the time of reading */
#define CLIP_POLICY_UNWRITTEN_BYTES ((goffset) 1024 * 1024 * 1024)

const char *clip_drop_name (ClipDrop drop);
gboolean clip_drop_is_private (ClipDrop drop);
ClipLimits clip_policy_limits (const ClipSettings *settings);
gboolean clip_policy_hold_limits (ClipSettings *settings, const ClipSettings *before);
char **clip_policy_limit_keys (guint limits);
goffset clip_policy_size_limit (const ClipSettings *settings, goffset counted);
ClipDrop clip_policy_judge_content (const ClipSettings *settings,
                                    GBytes *head,
                                    goffset size);
ClipEnding clip_policy_ending (const char *mime, GBytes *tail);
void clip_policy_name_full_disk (GError *error);
gboolean clip_policy_may_persist (const ClipSettings *settings);

G_END_DECLS
