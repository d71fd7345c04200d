/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-advice.h"
#include "clip-command.h"

#include <gio/gio.h>
G_BEGIN_DECLS

/* The desktop that the command finds itself on: what the session's daemon says, and what
   is missing. */
#define CLIP_DESKTOP_CHECK_SILENT "Silent"

GVariantDict *clip_desktop_check_ask_daemon (char **out_fault);
gboolean clip_desktop_check_see_to_daemon (const ClipCommand *command);
gboolean clip_desktop_check_is_elsewhere (const ClipCommand *command,
                                          GVariantDict *daemon);
char *clip_desktop_check_elsewhere (const ClipCommand *command);
gboolean clip_desktop_check_is_watched (GVariantDict *daemon);
gboolean clip_desktop_check_is_silent (GVariantDict *daemon);
gboolean clip_desktop_check_is_mutter (GVariantDict *daemon);
const char *clip_desktop_check_other_display (GVariantDict *daemon);
void clip_desktop_check_append_others (GString *out);
gboolean clip_desktop_check_append_idle (GString *out,
                                         const ClipCommand *command,
                                         GVariantDict *daemon);
void clip_desktop_check_append_advice (GString *out,
                                       const ClipCommand *command,
                                       GVariantDict *daemon,
                                       gboolean is_damaged,
                                       gboolean explains);
int clip_desktop_check_fail (const ClipCommand *command,
                             const GError *error,
                             gboolean explains);

G_END_DECLS
