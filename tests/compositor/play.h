/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* The test compositor as a child, in a runtime folder of its own. While one of these
 * functions waits, the main context runs. */
typedef struct Play Play;

Play *play_start (const char *program, const char *protocol, int n_seats);
void play_end (Play *self);
const char *play_display (Play *self);
const char *play_folder (Play *self);
void play_signal (Play *self, int signal_number);
void play_write (Play *self, const char *lines);
char *play_tell (Play *self, const char *format, ...) G_GNUC_PRINTF (2, 3);
char *play_next_line (Play *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Play, play_end)
G_END_DECLS
