/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The history in a picker. What is chosen is copied, or printed; after a key that deletes
 * or pins, the picker comes up again with the list as it is then.
 */
#include "clip-cmds.h"
#include "clip-desktop-check.h"
#include "clip-direct.h"
#include "clip-display-owner.h"
#include "clip-error.h"
#include "clip-facts.h"
#include "clip-fd.h"
#include "clip-insert.h"
#include "clip-joined.h"
#include "clip-libexec.h"
#include "clip-output.h"
#include "clip-picker.h"
#include "clip-put.h"
#include "clip-session-bus.h"
#include "clip-terminal.h"
#include "clip-words.h"

#include <signal.h>
#include <unistd.h>

/* no exit status */
#define SHOW_AGAIN -1

/* of the newest rows, those among which a picture has all rows made large */
#define LOOKED_AT 50

typedef struct
{
  ClipCommand *command;
  const ClipPickerUse *use;
  ClipReader *reader;
  GArray *ids;  /* of the rows, where the picker says their number */
  char *filter; /* (nullable): what was typed when a key closed it */
  gint64 row;   /* that it was at */
  int picker_fd;
  gboolean closed;  /* the picker does not read any more */
  gboolean is_ours; /* what went wrong: another picker would not help */
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
    .icons = self->use->picker->icons,
    .format = CLIP_FORMAT_TERMINAL,
    .width = clip_settings_number (self->command->settings, CLIP_SETTING_PREVIEW_WIDTH),
    /* who shows a tab as a box gets a blank */
    .separator = self->use->picker->displays & CLIP_ON_TERMINAL ? '\t' : ' ',
    .ids = self->use->picker->says_number ? self->ids : NULL,
    .speaks = TRUE,
    .hidden = self->use->picker->hidden,
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
  self->is_ours = TRUE;
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

/* Returns: (transfer full) (element-type gint64): the ids of what was picked; of a row
 * that there is not, none */
static GArray *
ids_of (const Pick *self, const ClipPicked *picked)
{
  GArray *ids = g_array_new (FALSE, FALSE, sizeof (gint64));

  for (guint i = 0; picked->numbers && i < picked->numbers->len; i++)
    {
      gint64 number = g_array_index (picked->numbers, gint64, i);

      if (!self->use->picker->says_number)
        g_array_append_val (ids, number);
      else if (number < self->ids->len)
        g_array_append_val (ids, g_array_index (self->ids, gint64, number));
    }
  return ids;
}

static int
change (const Pick *self, const char *method, GVariant *args, const char *reply_type)
{
  g_autoptr (ClipRemote) remote = clip_remote_new (self->command);

  return clip_remote_run (remote, method, args, reply_type);
}

/* a daemon of our own asks whether another one has the history open */
static int
delete_entries (Pick *self, const GArray *ids)
{
  GVariant *list = g_variant_new_fixed_array (G_VARIANT_TYPE_UINT64, ids->data, ids->len,
                                              sizeof (guint64));

  g_clear_pointer (&self->reader, clip_reader_free);
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
toggle_pins (const Pick *self, const GArray *ids)
{
  int status = CLIP_EXIT_DONE;

  for (guint i = 0; i < ids->len && status == CLIP_EXIT_DONE; i++)
    status = toggle_pin (self, g_array_index (ids, gint64, i));
  return status;
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
  const ClipSelectHow how = {
    .plain = clip_command_has (self->command, CLIP_OPTION_PLAIN),
    .move =
        clip_settings_number (self->command->settings, CLIP_SETTING_CHOOSE_MOVES) != 0,
  };

  if (clip_command_has (self->command, CLIP_OPTION_PRINT))
    return print (self, id);
  if (clip_command_has (self->command, CLIP_OPTION_INSERT))
    return clip_insert (self->command, id, NULL, &how);
  return clip_select (self->command, id, &how);
}

/* what is pasted is an entry of its own from then on, as it is when it is copied */
static int
put_together (const Pick *self, int fd, const char *mime)
{
  const ClipSelectHow how = { 0 };
  g_autoptr (ClipRemote) remote = clip_remote_new (self->command);
  g_autoptr (GError) error = NULL;
  g_autofree char *dropped = NULL;

  clip_remote_set_option (remote, "select", g_variant_new_boolean (TRUE));
  if (!clip_put (remote, fd, mime, NULL, NULL, &dropped, &error))
    return clip_select_after (self->command, remote, &how, error);
  if (!dropped || !*dropped)
    {
      clip_select_tell (self->command, 0);
      return CLIP_EXIT_DONE;
    }
  clip_command_say (_ ("copy: nothing was put on the clipboard: %s"),
                    clip_command_drop_words (dropped));
  clip_command_explain (NULL);
  return CLIP_EXIT_FAILED;
}

static int
take_together (const Pick *self, const GArray *ids)
{
  const ClipKey *key = clip_command_has (self->command, CLIP_OPTION_INSERT)
                           ? clip_insert_usual_key ()
                           : NULL;
  const char *mime = NULL;
  g_autoptr (GError) error = NULL;
  clip_autofd int fd = clip_joined_open (self->reader, ids, &mime, &error);
  ClipPayload payload = { .fd = fd };
  int status;

  if (fd < 0)
    return clip_command_fail (error);
  if (clip_command_has (self->command, CLIP_OPTION_PRINT))
    {
      payload.size = lseek (fd, 0, SEEK_END);
      lseek (fd, 0, SEEK_SET);
      return clip_output_payload (&payload, TRUE, NULL, &error)
                 ? CLIP_EXIT_DONE
                 : clip_command_fail (error);
    }
  status = put_together (self, fd, mime);
  return status == CLIP_EXIT_DONE && key ? clip_insert_clipboard (self->command, key)
                                         : status;
}

/* Returns: the exit status; SHOW_AGAIN: the picker is to come up again */
static int
act (Pick *self, const ClipPicked *picked)
{
  g_autoptr (GArray) ids = ids_of (self, picked);
  int status = CLIP_EXIT_FAILED;

  if (picked->kind != CLIP_PICKED_NOTHING && ids->len == 0)
    clip_command_say (_ ("No entry matches."));
  if (picked->kind == CLIP_PICKED_NOTHING || ids->len == 0)
    return CLIP_EXIT_FAILED;
  if (picked->kind == CLIP_PICKED_ROW)
    return ids->len == 1 ? take (self, g_array_index (ids, gint64, 0))
                         : take_together (self, ids);
  if (picked->kind == CLIP_PICKED_DELETE)
    status = delete_entries (self, ids);
  else if (picked->kind == CLIP_PICKED_PIN)
    status = toggle_pins (self, ids);
  g_free (self->filter);
  self->filter = g_strdup (picked->filter);
  self->row = g_array_index (picked->numbers, gint64, 0);
  return status == CLIP_EXIT_DONE ? SHOW_AGAIN : status;
}

static const char *
title_of_failure (const Pick *self, ClipPickedKind kind)
{
  if (kind == CLIP_PICKED_DELETE || kind == CLIP_PICKED_PIN)
    return _ ("Nothing was changed");
  return clip_command_has (self->command, CLIP_OPTION_INSERT) ? _ ("Nothing was pasted")
                                                              : _ ("Nothing was copied");
}

/* the picker has come up: what fails from here on is something else */
static int
act_and_explain (Pick *self, const ClipPicked *picked)
{
  gboolean is_explained;
  int status = act (self, picked);

  if (status == CLIP_EXIT_FAILED && !clip_command_title (&is_explained))
    clip_command_explain (title_of_failure (self, picked->kind));
  return status;
}

/* fzf has $SHELL run it: not every shell knows ${}. It puts parts of the row for what
 * stands in braces, also inside quotes: so a path goes in the environment, and only the
 * id stands here. */
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

static gboolean
note_id (const ClipRow *row, gpointer user_data)
{
  *(gint64 *) user_data = row->id;
  return TRUE;
}

/* Returns: whether there is a picture among the first rows */
static gboolean
has_pictures (ClipReader *reader)
{
  ClipQuery query = { .kind = CLIP_CLASS_IMAGE, .limit = 1, .brief = TRUE };
  gint64 newest = clip_reader_newest (reader, NULL);
  gint64 found = 0;
  gboolean more;

  return clip_reader_page (reader, &query, note_id, &found, &more, NULL) && found > 0 &&
         newest - found < LOOKED_AT;
}

/* (transfer full) (nullable): of a history that has something to choose; NULL after
   saying why there is nothing to show */
static ClipReader *
open_reader (const ClipCommand *command)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipReader) reader = clip_direct_open (command, &error);

  if (reader && clip_reader_newest (reader, &error) > 0)
    return g_steal_pointer (&reader);
  if (!error)
    clip_command_say (_ ("The history is empty."));
  else if (g_error_matches (error, CLIP_ERROR, CLIP_ERROR_NO_HISTORY))
    {
      clip_command_say (_ ("Nothing has been copied yet."));
      clip_command_note_no_history ();
    }
  else
    {
      clip_command_fail (error);
      return NULL;
    }
  clip_command_explain (_ ("There is nothing to choose from"));
  return NULL;
}

/* (transfer full): what the keys of a picker in a terminal do, and why the list does not
   grow */
static char *
make_header (ClipReader *reader)
{
  const char *keys = _ ("Enter: copy   Alt+1: delete   Alt+2: pin or unpin");
  const gint64 until_us = clip_direct_paused_until (reader);
  g_autofree char *words = until_us != 0 ? clip_facts_pause_words (until_us) : NULL;

  return words ? g_strdup_printf ("%s\n%s", words, keys) : g_strdup (keys);
}

/* Returns: the exit status; SHOW_AGAIN: it is to come up again. @out_failed: whether it
 * did not show itself, which has been said */
static int
show_once (Pick *self, gboolean *out_failed)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *header = NULL;
  g_auto (ClipPicked) picked = { 0 };
  ClipPickerCall call = { .use = *self->use,
                          .preview = preview,
                          .prompt = "cliphist",
                          .filter = self->filter,
                          .row = self->row };
  gboolean is_open;

  self->reader = open_reader (self->command);
  if (!self->reader)
    return CLIP_EXIT_FAILED;
  self->is_ours = FALSE;
  header = make_header (self->reader);
  call.header = header;
  if (clip_direct_paused_until (self->reader) != 0)
    call.prompt = _ ("cliphist (paused)");
  call.is_large = has_pictures (self->reader);
  if (clip_picker_run (&call, fill, self, &picked, &error))
    {
      clip_command_forget_said ();
      return act_and_explain (self, &picked);
    }
  /* a second one beside it would be in the way */
  is_open = g_error_matches (error, CLIP_ERROR, CLIP_ERROR_CANCELLED);
  /* of the one that was asked for `doctor` knows nothing */
  if (is_open || (!self->is_ours && clip_command_has (self->command, CLIP_OPTION_WITH)))
    clip_command_explain (NULL);
  *out_failed = !self->is_ours && !is_open;
  return clip_command_fail (error);
}

/* until something is chosen, or it is cancelled */
static int
show (Pick *self, gboolean *out_failed)
{
  int status;

  do
    {
      status = show_once (self, out_failed);
      g_clear_pointer (&self->reader, clip_reader_free);
    }
  while (status == SHOW_AGAIN);
  return status;
}

/* that one or none, wherever it would show itself */
static GArray *
list_asked (const ClipPicker *picker, gboolean with_terminal)
{
  GArray *uses = clip_picker_list (picker, with_terminal);
  const ClipPickerUse use = { picker, picker->displays & -picker->displays };

  if (uses->len > 0 && g_array_index (uses, ClipPickerUse, 0).picker == picker)
    g_array_set_size (uses, 1);
  else
    {
      g_array_set_size (uses, 0);
      g_array_append_val (uses, use);
    }
  return uses;
}

/* another user who runs the display would see the history, and choose of it
 * @picker: (nullable): that is asked for */
static gboolean
is_shown_to_stranger (const ClipPicker *picker, gboolean with_terminal)
{
  const char *stranger = clip_display_owner_stranger ();

  picker = picker ?: with_terminal ? clip_picker_find ("fzf") : NULL;
  if (!stranger || (with_terminal && picker->displays & CLIP_ON_TERMINAL &&
                    clip_picker_is_installed (picker)))
    return FALSE;
  clip_command_say (
      _ ("nothing is shown on the display '%s': neither you nor root runs it"), stranger);
  clip_command_explain (NULL);
  return TRUE;
}

/* (transfer full): the flag's alone, or the setting's and then what there is; NULL after
   saying why */
static GArray *
list_pickers (const ClipCommand *command, int *out_status)
{
  const char *asked = command->options[CLIP_OPTION_WITH];
  const char *name =
      asked ? asked : clip_settings_text (command->settings, CLIP_SETTING_PICKER);
  const ClipPicker *picker = clip_picker_find (name);
  gboolean with_terminal =
      clip_terminal_is_watched (STDIN_FILENO) && clip_terminal_is_watched (STDERR_FILENO);

  *out_status = CLIP_EXIT_FAILED;
  if (asked && !picker)
    {
      *out_status = clip_command_misuse (
          command, _ ("--with is rofi, fuzzel, wofi, bemenu, dmenu or fzf, not '%s'"),
          name);
      return NULL;
    }
  if (is_shown_to_stranger (asked ? picker : NULL, with_terminal))
    return NULL;
  if (asked && !clip_picker_is_installed (picker))
    {
      clip_command_say (_ ("%s is not installed"), name);
      clip_command_explain (NULL);
      return NULL;
    }
  if (asked && !clip_picker_has_place (picker))
    {
      clip_command_say (picker->displays == CLIP_ON_X11
                            ? _ ("%s can show itself on X11 alone: without --with, one "
                                 "is taken that can here")
                            : _ ("%s cannot show itself on this desktop, which has no "
                                 "layer shell: without --with, one is taken that can"),
                        name);
      clip_command_explain (NULL);
      return NULL;
    }
  if (asked)
    return list_asked (picker, with_terminal);
  return clip_picker_list (picker, with_terminal);
}

/* one after the other, until one shows itself */
static int
pick (Pick *self, const GArray *uses)
{
  gboolean failed = TRUE;
  int status = CLIP_EXIT_FAILED;

  if (uses->len == 0)
    clip_command_say (
        _ ("no picker is installed that can show itself here: rofi, fuzzel, wofi, "
           "bemenu, dmenu or fzf"));
  for (guint i = 0; i < uses->len && failed; i++)
    {
      failed = FALSE;
      self->use = &g_array_index (uses, ClipPickerUse, i);
      status = show (self, &failed);
    }
  return status;
}

int
clip_cmd_pick (ClipCommand *command)
{
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (GArray) uses = NULL;
  Pick self = { .command = command, .ids = ids };
  gint64 limit;
  int status;

  if (!clip_command_number (command, CLIP_OPTION_LIMIT, &limit))
    return CLIP_EXIT_MISUSED;
  uses = list_pickers (command, &status);
  if (!uses)
    return status;
  set_preview_environment (command);
  clip_session_bus_hand_on ();
  if (!clip_command_has (command, CLIP_OPTION_PRINT))
    clip_desktop_check_see_to_daemon (command);
  signal (SIGPIPE, SIG_IGN);
  status = pick (&self, uses);
  g_free (self.filter);
  return status;
}
