/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-error.h"

#include <errno.h>

#define ERROR_PREFIX "org.cliphist.History1.Error."

/* any thread may be the first to fail: G_DEFINE_QUARK() is not made for that */
GQuark
clip_error_quark (void)
{
  static gsize quark;

  if (g_once_init_enter (&quark))
    g_once_init_leave (&quark, g_quark_from_static_string ("clip-error-quark"));
  return (GQuark) quark;
}

static const char *const bus_names[CLIP_N_BUS_ERRORS] = {
  [CLIP_ERROR_NOT_FOUND] = ERROR_PREFIX "NotFound",
  [CLIP_ERROR_NO_SUCH_FORMAT] = ERROR_PREFIX "NoSuchFormat",
  [CLIP_ERROR_TOO_LARGE] = ERROR_PREFIX "TooLarge",
  [CLIP_ERROR_NO_SPACE] = ERROR_PREFIX "NoSpace",
  [CLIP_ERROR_SENSITIVE] = ERROR_PREFIX "Sensitive",
  [CLIP_ERROR_CORRUPT] = ERROR_PREFIX "Corrupt",
  [CLIP_ERROR_NEWER_DATABASE] = ERROR_PREFIX "NewerDatabase",
  [CLIP_ERROR_OTHER_STORE] = ERROR_PREFIX "OtherStore",
  [CLIP_ERROR_NO_BACKEND] = ERROR_PREFIX "NoBackend",
  [CLIP_ERROR_LIMITS] = ERROR_PREFIX "Limits",
  [CLIP_ERROR_STALLED] = ERROR_PREFIX "Stalled",
  [CLIP_ERROR_INVALID_ARGUMENT] = ERROR_PREFIX "InvalidArgument",
  [CLIP_ERROR_SANDBOXED] = ERROR_PREFIX "Sandboxed",
  [CLIP_ERROR_FAILED] = ERROR_PREFIX "Failed",
};

/**
 * clip_error_bus_name:
 * @code: a code of %CLIP_ERROR
 *
 * Returns: (nullable): the D-Bus error name of @code; %NULL for the codes that stay
 * inside one process
 */
const char *
clip_error_bus_name (ClipError code)
{
  return (guint) code < CLIP_N_BUS_ERRORS ? bus_names[code] : NULL;
}

static gboolean
is_out_of_space (int saved_errno)
{
  return saved_errno == ENOSPC || saved_errno == EDQUOT;
}

/**
 * clip_set_errno:
 * @error: (nullable): where to report
 * @saved_errno: the `errno` of the call that failed
 * @format: what was done to which object, without a full stop
 *
 * Reports a failed system call as "what: why". A full disk and an exhausted quota become
 * %CLIP_ERROR_NO_SPACE, because a caller can act on them; anything else is %G_FILE_ERROR.
 *
 * Returns: %FALSE, so that it can be returned
 */
gboolean
clip_set_errno (GError **error, int saved_errno, const char *format, ...)
{
  g_autofree char *what = NULL;
  va_list args;

  va_start (args, format);
  what = g_strdup_vprintf (format, args);
  va_end (args);
  if (is_out_of_space (saved_errno))
    g_set_error (error, CLIP_ERROR, CLIP_ERROR_NO_SPACE, "%s: %s", what,
                 g_strerror (saved_errno));
  else
    g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (saved_errno), "%s: %s",
                 what, g_strerror (saved_errno));
  return FALSE;
}
