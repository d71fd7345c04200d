/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What becomes of the file at db-path while nobody changes anything: somebody removes it,
 * or it is a database of the existing tool when the session begins. The writer does what
 * follows from that, before a change that does nothing.
 */
#define G_LOG_DOMAIN "clip-store"
#include "clip-db-file.h"
#include "clip-fd.h"
#include "clip-paths.h"
#include "clip-store-private.h"

#include <fcntl.h>

/* how long after the file at db-path was removed it is looked whether its folder
   stands */
#define DB_FILE_CALM_MS 3000

static void
stop_db_timer (ClipStore *self)
{
  if (self->db_timer)
    g_source_destroy (self->db_timer);
  g_clear_pointer (&self->db_timer, g_source_unref);
}

/* a change that does nothing: what the file asks for comes before any */
static gboolean
on_db_file_calm (gpointer user_data)
{
  ClipStore *self = user_data;

  stop_db_timer (self);
  clip_writer_push (self->writer, clip_change_sweep (NULL));
  return G_SOURCE_REMOVE;
}

/* who cleans the whole folder away removes the file first, and the folder then */
static void
on_db_file_removed (gpointer user_data)
{
  ClipStore *self = user_data;

  stop_db_timer (self);
  self->db_timer = g_timeout_source_new (DB_FILE_CALM_MS);
  g_source_set_callback (self->db_timer, on_db_file_calm, self, NULL);
  g_source_attach (self->db_timer, g_main_context_get_thread_default ());
}

/* who removes the file wants the entries gone now, and not with the next change. Its
 * folder may not be there yet; then the writer says when it is */
void
clip_store_watch_db_file (ClipStore *self)
{
  g_autofree char *path = clip_paths_db_file (self->dir);
  g_autofree char *folder = path ? g_path_get_dirname (path) : NULL;
  g_autofree char *name = path ? g_path_get_basename (path) : NULL;

  g_clear_pointer (&self->db_watch, clip_folder_watch_free);
  if (path)
    self->db_watch =
        clip_folder_watch_new (folder, name, g_main_context_get_thread_default (),
                               on_db_file_removed, self, NULL);
}

/* who lists the history before anything was copied sees what the existing tool has
   left */
void
clip_store_heed_db_file (ClipStore *self)
{
  g_autofree char *path = clip_paths_db_file (self->dir);
  clip_autofd int fd = -1;

  if (path && clip_db_file_open (path, O_RDONLY, &fd) == CLIP_DB_FILE_BOLT)
    on_db_file_calm (self);
}

/* a removal that was seen a moment ago wipes nothing any more */
void
clip_store_unwatch_db_file (ClipStore *self)
{
  g_clear_pointer (&self->db_watch, clip_folder_watch_free);
  stop_db_timer (self);
}
