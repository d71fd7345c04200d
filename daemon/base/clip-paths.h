/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

#define CLIP_BUS_NAME "org.cliphist.History1"
#define CLIP_BUS_PATH "/org/cliphist/History1"
#define CLIP_APPLICATION_ID "org.cliphist.Cliphist"

/* of the environment: what each names is a display; what one needs beside its name */
#define CLIP_DISPLAY_VARIABLES "WAYLAND_DISPLAY", "DISPLAY", "XAUTHORITY"

/* begins a search of the history in KRunner */
#define CLIP_RUNNER_WORD "clip"

#define CLIP_DATABASE_NAME "history.db"
#define CLIP_BLOBS_NAME "blobs"

/* below XDG_RUNTIME_DIR: a daemon has told on the screen that it does not start */
#define CLIP_UNOPENED_NAME "cliphist-unopened"

void clip_paths_forget_relative (gboolean all);
char *clip_paths_store (const char *db_path);
gboolean clip_paths_are_one (const char *store, const char *other);
char *clip_paths_db_file (const char *store);
char *clip_paths_default_db (GError **error);
char *clip_paths_default_config (GError **error);

G_END_DECLS
