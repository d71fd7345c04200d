/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The history in a picker. What is chosen is copied, or printed; after a key that deletes or pins,
 * the picker comes up again with the list as it is then.
 */
#include "clip-cmds.h"
#include "clip-direct.h"
#include "clip-error.h"
#include "clip-fd.h"
#include "clip-libexec.h"
#include "clip-output.h"
#include "clip-picker.h"
#include "clip-select.h"
#include "clip-words.h"

#include <signal.h>

/* no exit status */
#define SHOW_AGAIN -1

typedef struct
{
  ClipCommand *command;
  const ClipPicker *picker;
  ClipReader *reader;
  GArray *ids;   /* of the rows, where the picker says their number */
  int picker_fd;
  gboolean closed; /* the picker does not read any more */
} Pick;

static gboolean
write_rows (const char *text, gsize length, gpointer user_data, GError **error)
{
  Pick *self = user_data;
  g_autoptr (GError) local = NULL;

  if (clip_write_all (self->picker_fd, text, length, &local))
    return TRUE;
  self->closed = g_error_matches (local, G_FILE_ERROR, G_FILE_ERROR_PIPE);
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

static gboolean
fill (int fd, gpointer user_data, GError **error)
{
  Pick *self = user_data;
  const ClipPickerRows rows = {
    .reader = self->reader,
    .store = self->command->store,
    .icons = self->picker->icons,
    .format = CLIP_FORMAT_TERMINAL,
    .width = clip_settings_number (self->command->settings, CLIP_SETTING_PREVIEW_WIDTH),
    /* who shows a tab as a box gets a blank */
    .separator = self->picker->displays & CLIP_ON_TERMINAL ? '\t' : ' ',
    .ids = self->picker->says_number ? self->ids : NULL,
    .has_marks = TRUE,
    .write = write_rows,
    .user_data = self,
  };
  ClipQuery query = { 0 };
  g_autoptr (GError) local = NULL;

  if (!clip_command_number (self->command, CLIP_OPTION_LIMIT, &query.limit))
    return FALSE;
  g_array_set_size (self->ids, 0);
  self->picker_fd = fd;
  self->closed = FALSE;
  if (clip_picker_rows_write (&rows, &query, &local) || self->closed)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

/* Returns: the id of what was picked; 0 where there is no such row */
static gint64
id_of (const Pick *self, gint64 number)
{
  if (!self->picker->says_number)
    return number;
  return number < self->ids->len ? g_array_index (self->ids, gint64, number) : 0;
}

static int
change (const Pick *self, const char *method, GVariant *args, const char *reply_type)
{
  g_autoptr (ClipRemote) remote = clip_remote_new (self->command);

  return clip_remote_run (remote, method, args, reply_type);
}

static int
delete_entry (const Pick *self, gint64 id)
{
  guint64 ids[] = { (guint64) id };
  GVariant *list = g_variant_new_fixed_array (G_VARIANT_TYPE_UINT64, ids, 1, sizeof *ids);

  return change (self, "Delete", g_variant_new ("(@at)", list), "(u)");
}

static int
toggle_pin (const Pick *self, gint64 id)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipEntry) entry = clip_reader_lookup (self->reader, id, &error);

  if (!entry)
    return clip_command_fail (error);
  return change (self, "SetPinned",
                 g_variant_new ("(tb)", (guint64) id, !entry->row.pinned), "()");
}

static int
print (const Pick *self, gint64 id)
{
  gboolean force = clip_command_has (self->command, CLIP_OPTION_FORCE);
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipPayload) payload =
      clip_reader_open_content (self->reader, id, NULL, &error);

  signal (SIGPIPE, SIG_DFL);
  return payload && clip_output_payload (payload, force, NULL, &error)
             ? CLIP_EXIT_DONE
             : clip_command_fail (error);
}

static int
take (const Pick *self, gint64 id)
{
  const ClipSelectHow how = { 0 };

  if (clip_command_has (self->command, CLIP_OPTION_PRINT))
    return print (self, id);
  return clip_select (self->command, id, &how);
}

/* Returns: the exit status; SHOW_AGAIN: the picker is to come up again */
static int
act (const Pick *self, const ClipPicked *picked)
{
  gint64 id = id_of (self, picked->number);
  int status = CLIP_EXIT_FAILED;

  if (picked->kind == CLIP_PICKED_NOTHING || id <= 0)
    return CLIP_EXIT_FAILED;
  if (picked->kind == CLIP_PICKED_ROW)
    return take (self, id);
  if (picked->kind == CLIP_PICKED_DELETE)
    status = delete_entry (self, id);
  else if (picked->kind == CLIP_PICKED_PIN)
    status = toggle_pin (self, id);
  return status == CLIP_EXIT_DONE ? SHOW_AGAIN : status;
}

/* fzf has $SHELL run it: not every shell knows ${}. It puts parts of the row for what stands in
 * braces, also inside quotes: so a path goes in the environment, and only the id stands here. */
static const char preview[] =
    "\"$CLIPHIST_PICK_COMMAND\" -db-path \"$CLIPHIST_PICK_DB_PATH\" show --pane "
    "\"$FZF_PREVIEW_COLUMNS\"x\"$FZF_PREVIEW_LINES\" {1}";

static void
set_preview_environment (const ClipCommand *command)
{
  g_autofree char *program = clip_libexec_find_command ();

  g_setenv ("CLIPHIST_PICK_COMMAND", program, TRUE);
  g_setenv ("CLIPHIST_PICK_DB_PATH", command->db_path, TRUE);
}

static int
show_once (Pick *self)
{
  g_autoptr (GError) error = NULL;
  ClipPicked picked;

  self->reader = clip_direct_open (self->command, &error);
  if (!self->reader ||
      !clip_picker_run (self->picker, preview, fill, self, &picked, &error))
    return clip_command_fail (error);
  return act (self, &picked);
}

/* flag, then setting, then what there is; NULL after saying why */
static const ClipPicker *
choose_picker (const ClipCommand *command, int *out_status)
{
  const char *asked = command->options[CLIP_OPTION_WITH];
  const char *name =
      asked ? asked : clip_settings_text (command->settings, CLIP_SETTING_PICKER);
  gboolean is_auto = !asked && g_str_equal (name, "auto");
  const ClipPicker *picker = is_auto ? clip_picker_default () : clip_picker_find (name);

  *out_status = CLIP_EXIT_FAILED;
  if (picker)
    return picker;
  if (asked)
    *out_status = clip_command_misuse (
        command, _ ("--with is rofi, fuzzel, wofi, bemenu, dmenu or fzf, not '%s'"),
        name);
  else if (!is_auto)
    clip_command_say (_ ("'%s' is no picker that is known"), name);
  else
    clip_command_say (
        _ ("no picker is installed that can show itself here: rofi, fuzzel, wofi, "
           "bemenu, dmenu or fzf"));
  return NULL;
}

int
clip_cmd_pick (ClipCommand *command)
{
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (gint64));
  Pick self = { .command = command, .ids = ids };
  gint64 limit;
  int status;

  if (!clip_command_number (command, CLIP_OPTION_LIMIT, &limit))
    return CLIP_EXIT_MISUSED;
  self.picker = choose_picker (command, &status);
  if (!self.picker)
    return status;
  set_preview_environment (command);
  signal (SIGPIPE, SIG_IGN);
  do
    {
      status = show_once (&self);
      g_clear_pointer (&self.reader, clip_reader_free);
    }
  while (status == SHOW_AGAIN);
  return status;
}
