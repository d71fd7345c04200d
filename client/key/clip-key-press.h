/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <gio/gio.h>
G_BEGIN_DECLS

/* Keys are pressed by a program of its own, `cliphist-key`: this starts it, and reads
 * what it says.
 * @asked: a key by its name, or "which" for the name of the one that pastes in the
 * focused window. */
GSubprocess *clip_key_press_start (const char *asked, const char *how, GError **error);
char *clip_key_press_answer (GSubprocess *program, const char *said, GError **error);

G_END_DECLS
