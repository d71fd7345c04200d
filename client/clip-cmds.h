/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-command.h"
G_BEGIN_DECLS

/* what only reads: GLib and SQLite */
int clip_cmd_decode (ClipCommand *command);
int clip_cmd_help (ClipCommand *command);
int clip_cmd_join (ClipCommand *command);
int clip_cmd_list (ClipCommand *command);
int clip_cmd_paste (ClipCommand *command);
int clip_cmd_search (ClipCommand *command);
int clip_cmd_show (ClipCommand *command);
int clip_cmd_stats (ClipCommand *command);
int clip_cmd_types (ClipCommand *command);
int clip_cmd_version (ClipCommand *command);

/* what asks the daemon: GIO, in cliphist-session */
int clip_cmd_compact (ClipCommand *command);
int clip_cmd_copy (ClipCommand *command);
int clip_cmd_delete (ClipCommand *command);
int clip_cmd_delete_query (ClipCommand *command);
int clip_cmd_edit (ClipCommand *command);
int clip_cmd_expire (ClipCommand *command);
int clip_cmd_export (ClipCommand *command);
int clip_cmd_import (ClipCommand *command);
int clip_cmd_insert (ClipCommand *command);
int clip_cmd_doctor (ClipCommand *command);
int clip_cmd_pause (ClipCommand *command);
int clip_cmd_pick (ClipCommand *command);
int clip_cmd_pin (ClipCommand *command);
int clip_cmd_remove (ClipCommand *command);
int clip_cmd_resume (ClipCommand *command);
int clip_cmd_status (ClipCommand *command);
int clip_cmd_store (ClipCommand *command);
int clip_cmd_tag (ClipCommand *command);
int clip_cmd_trim (ClipCommand *command);
int clip_cmd_unpin (ClipCommand *command);
int clip_cmd_untag (ClipCommand *command);
int clip_cmd_watch (ClipCommand *command);
int clip_cmd_wipe (ClipCommand *command);

G_END_DECLS
