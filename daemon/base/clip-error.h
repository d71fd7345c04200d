/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

#define CLIP_ERROR (clip_error_quark ())

/* What a caller can act on. Failures of the system itself are G_FILE_ERROR. */
typedef enum
{
  CLIP_ERROR_NOT_FOUND,
  CLIP_ERROR_NO_SUCH_FORMAT,
  CLIP_ERROR_TOO_LARGE,
  CLIP_ERROR_NO_SPACE,
  CLIP_ERROR_SENSITIVE, /* its name is reserved; it is not raised */
  CLIP_ERROR_CORRUPT,
  CLIP_ERROR_NEWER_DATABASE,
  CLIP_ERROR_OTHER_STORE,
  CLIP_ERROR_NO_BACKEND,
  CLIP_ERROR_LIMITS,
  CLIP_ERROR_STALLED,
  CLIP_ERROR_INVALID_ARGUMENT,
  CLIP_ERROR_SANDBOXED,
  CLIP_ERROR_FAILED,
  CLIP_ERROR_NO_HISTORY,
  CLIP_ERROR_CANCELLED,
} ClipError;

/* codes up to here travel over D-Bus under a name of their own */
#define CLIP_N_BUS_ERRORS (CLIP_ERROR_FAILED + 1)

GQuark clip_error_quark (void);
const char *clip_error_bus_name (ClipError code);
gboolean clip_set_errno (GError **error, int saved_errno, const char *format, ...)
    G_GNUC_PRINTF (3, 4);

G_END_DECLS
