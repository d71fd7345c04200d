/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Which program a history is of, and its files one after the other. A format is known by
 * what a file begins with, not by its name; a name only says which files of a folder are
 * looked at. Of two formats of one program the newer one stands first: a folder that has
 * both was moved over by the program itself.
 */
#include "clip-foreign.h"

#include "clip-error.h"
#include "clip-foreign-format.h"

#include <errno.h>

/* two descriptors each */
#define MAX_FILES 256

static const ClipForeignFormat *const formats[] = {
  &clip_foreign_sentriz,      &clip_foreign_gpaste,       &clip_foreign_klipper_database,
  &clip_foreign_klipper_list, &clip_foreign_copyq_export, &clip_foreign_copyq_tab,
  &clip_foreign_clipse,       &clip_foreign_ringboard,
};

struct ClipForeign
{
  const ClipForeignFormat *format;
  GPtrArray *files; /* ClipForeignFile, the one first that was written first */
  guint next;       /* of them */
  gpointer reader;  /* of the file before that; NULL where none is open */
};

static gboolean
is_meant (const ClipForeignFormat *format, const char *name)
{
  return !name || g_str_equal (format->name, name);
}

/* appends the names that clip_foreign_open() takes */
void
clip_foreign_list_names (GPtrArray *names)
{
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    if (i == 0 || !g_str_equal (formats[i]->name, formats[i - 1]->name))
      g_ptr_array_add (names, (gpointer) formats[i]->name);
}

/* whether @name is one of them */
gboolean
clip_foreign_knows (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    if (g_str_equal (formats[i]->name, name))
      return TRUE;
  return FALSE;
}

static ClipForeign *
foreign_new (const ClipForeignFormat *format)
{
  ClipForeign *self = g_new0 (ClipForeign, 1);

  self->format = format;
  self->files = g_ptr_array_new_with_free_func ((GDestroyNotify) clip_foreign_file_free);
  return self;
}

static void
close_reader (ClipForeign *self)
{
  if (self->reader)
    self->format->close (self->reader);
  self->reader = NULL;
}

void
clip_foreign_free (ClipForeign *self)
{
  if (!self)
    return;
  close_reader (self);
  g_ptr_array_unref (self->files);
  g_free (self);
}

static const ClipForeignFormat *
find_format (const ClipForeignFile *file, const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    if (is_meant (formats[i], name) && formats[i]->is_one (file))
      return formats[i];
  /* what is damaged at its very beginning is read as what it is said to be; the older of two
   * formats is the one with the weaker beginning */
  for (guint i = G_N_ELEMENTS (formats); name && i > 0; i--)
    if (is_meant (formats[i - 1], name))
      return formats[i - 1];
  return NULL;
}

static gboolean
open_file (const char *path, const char *name, ClipForeign **out_foreign, GError **error)
{
  g_autoptr (ClipForeignFile) file = clip_foreign_file_open (path, error);
  const ClipForeignFormat *format = file ? find_format (file, name) : NULL;

  if (!file)
    return FALSE;
  if (!format)
    return TRUE;
  *out_foreign = foreign_new (format);
  g_ptr_array_add ((*out_foreign)->files, g_steal_pointer (&file));
  return TRUE;
}

static int
compare_files (gconstpointer a, gconstpointer b)
{
  const ClipForeignFile *first = *(const ClipForeignFile *const *) a;
  const ClipForeignFile *second = *(const ClipForeignFile *const *) b;

  if (first->changed_us != second->changed_us)
    return first->changed_us < second->changed_us ? -1 : 1;
  return strcmp (first->path, second->path);
}

/* files that cannot be opened are none of the history's, or will be missed by their names */
static void
collect (ClipForeign *self, const char *folder, GDir *names)
{
  const char *name;

  g_dir_rewind (names);
  while ((name = g_dir_read_name (names)) && self->files->len < MAX_FILES)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_autoptr (ClipForeignFile) file = NULL;

      if (!g_pattern_match_simple (self->format->pattern, name))
        continue;
      file = clip_foreign_file_open (path, NULL);
      if (file && self->format->is_one (file))
        g_ptr_array_add (self->files, g_steal_pointer (&file));
    }
  g_ptr_array_sort (self->files, compare_files);
}

static gboolean
open_folder (const char *path,
             const char *name,
             ClipForeign **out_foreign,
             GError **error)
{
  g_autoptr (GDir) names = g_dir_open (path, 0, error);

  if (!names)
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      g_autoptr (ClipForeign) self = foreign_new (formats[i]);

      if (!is_meant (formats[i], name) || !formats[i]->pattern)
        continue;
      collect (self, path, names);
      if (self->files->len == 0)
        continue;
      *out_foreign = g_steal_pointer (&self);
      return TRUE;
    }
  g_set_error (error, CLIP_ERROR, CLIP_ERROR_NOT_FOUND,
               "there is no history in '%s' that is known", path);
  return FALSE;
}

/**
 * clip_foreign_open:
 * @path: of a file, or of the folder that a program keeps its history in
 * @name: (nullable): of the program, where somebody said it
 * @out_foreign: (out) (nullable): %NULL where a file is of no format that is known
 *
 * Errors: %G_FILE_ERROR; %CLIP_ERROR_NOT_FOUND for a folder without a history.
 */
gboolean
clip_foreign_open (const char *path,
                   const char *name,
                   ClipForeign **out_foreign,
                   GError **error)
{
  *out_foreign = NULL;
  return g_file_test (path, G_FILE_TEST_IS_DIR)
             ? open_folder (path, name, out_foreign, error)
             : open_file (path, name, out_foreign, error);
}

const char *
clip_foreign_name (const ClipForeign *self)
{
  return self->format->name;
}

/* the name of the program, as people write it */
const char *
clip_foreign_title (const ClipForeign *self)
{
  return self->format->title;
}

/* where there are more files than one, it matters in which of them something is wrong */
static void
locate (ClipForeign *self, const ClipForeignFile *file, GError **error)
{
  g_autofree char *name = g_path_get_basename (file->path);

  if (self->files->len > 1)
    g_prefix_error (error, "'%s', ", name);
  g_prefix_error (error, "%s, ", self->format->title);
}

static gboolean
check_unchanged (ClipForeign *self, const ClipForeignFile *file, GError **error)
{
  if (self->format->is_live || !clip_foreign_file_has_changed (file))
    return TRUE;
  g_set_error_literal (error, CLIP_ERROR, CLIP_ERROR_CORRUPT,
                       "it was changed while it was read");
  return FALSE;
}

/* the next entry of the present file; NULL at its end, and where the error is set */
static ClipForeignEntry *
next_of_file (ClipForeign *self, GError **error)
{
  const ClipForeignFile *file = self->files->pdata[self->next - 1];
  g_autoptr (GError) local = NULL;
  ClipForeignEntry *entry = self->format->next (self->reader, &local);

  if (entry)
    return entry;
  close_reader (self);
  if (local || !check_unchanged (self, file, &local))
    {
      g_propagate_error (error, g_steal_pointer (&local));
      locate (self, file, error);
      self->next = self->files->len;
    }
  return NULL;
}

static gboolean
open_next (ClipForeign *self, GError **error)
{
  const ClipForeignFile *file = self->files->pdata[self->next++];

  self->reader = self->format->open (file, error);
  if (self->reader)
    return TRUE;
  locate (self, file, error);
  self->next = self->files->len;
  return FALSE;
}

/**
 * clip_foreign_next:
 *
 * Returns: (transfer full) (nullable): %NULL at the end, and where @error is set. Whatever
 * came before a fault is good; nothing comes behind it.
 *
 * Errors: %CLIP_ERROR_CORRUPT with the place, %CLIP_ERROR_TOO_LARGE, %G_FILE_ERROR.
 */
ClipForeignEntry *
clip_foreign_next (ClipForeign *self, GError **error)
{
  g_autoptr (GError) local = NULL;

  while (self->reader || self->next < self->files->len)
    {
      ClipForeignEntry *entry = NULL;

      if (self->reader || open_next (self, &local))
        entry = next_of_file (self, &local);
      if (entry)
        return entry;
      if (local)
        break;
    }
  if (local)
    g_propagate_error (error, g_steal_pointer (&local));
  return NULL;
}
