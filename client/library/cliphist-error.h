/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "cliphist-types.h"
G_BEGIN_DECLS

#define CLIPHIST_ERROR (cliphist_error_quark ())

/**
 * CliphistError:
 * @CLIPHIST_ERROR_FAILED: none of the others
 * @CLIPHIST_ERROR_UNAVAILABLE: there is no daemon, none can be started, it does not
 * answer, or it ended meanwhile
 * @CLIPHIST_ERROR_NOT_FOUND: there is no such entry, or not any more
 * @CLIPHIST_ERROR_NO_SUCH_FORMAT: the entry does not hold that type
 * @CLIPHIST_ERROR_TOO_LARGE: more than the history takes
 * @CLIPHIST_ERROR_NO_SPACE: the disk or the quota is full, or the floor of free space is
 * reached
 * @CLIPHIST_ERROR_CORRUPT: a content is damaged, or ended before its size
 * @CLIPHIST_ERROR_NEWER_DATABASE: a newer version wrote the history
 * @CLIPHIST_ERROR_OTHER_STORE: the daemon serves another history
 * @CLIPHIST_ERROR_NO_BACKEND: no display can do this
 * @CLIPHIST_ERROR_LIMITS: too much is under way
 * @CLIPHIST_ERROR_STALLED: the other end of a descriptor did not move
 * @CLIPHIST_ERROR_INVALID_ARGUMENT: an argument is malformed or beyond a limit
 * @CLIPHIST_ERROR_SANDBOXED: the program is in a sandbox that the settings do not admit
 *
 * What a caller can act on. A call that was cancelled is %G_IO_ERROR_CANCELLED.
 */
typedef enum
{
  CLIPHIST_ERROR_FAILED,
  CLIPHIST_ERROR_UNAVAILABLE,
  CLIPHIST_ERROR_NOT_FOUND,
  CLIPHIST_ERROR_NO_SUCH_FORMAT,
  CLIPHIST_ERROR_TOO_LARGE,
  CLIPHIST_ERROR_NO_SPACE,
  CLIPHIST_ERROR_CORRUPT,
  CLIPHIST_ERROR_NEWER_DATABASE,
  CLIPHIST_ERROR_OTHER_STORE,
  CLIPHIST_ERROR_NO_BACKEND,
  CLIPHIST_ERROR_LIMITS,
  CLIPHIST_ERROR_STALLED,
  CLIPHIST_ERROR_INVALID_ARGUMENT,
  CLIPHIST_ERROR_SANDBOXED,
} CliphistError;

GQuark cliphist_error_quark (void);

G_END_DECLS
