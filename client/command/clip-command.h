/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-settings.h"
#include "clip-verbs.h"
G_BEGIN_DECLS

/* One call of the command, as it was understood. The words and the values of options are
 * borrowed from argv. */
typedef struct
{
  ClipVerb verb;
  ClipSettings *settings;
  char *db_path;             /* of the existing tool: what it is set to, or its default */
  char *store;               /* the folder of the history that is meant */
  gboolean only_reads;       /* what is there: no copy comes in by it */
  gboolean is_misconfigured; /* what is wrong in file and environment was passed over */
  char *fault;               /* (nullable): for which it is, and was not said yet */
  int id_status;             /* why the last word was no id: the exit status */
  GPtrArray *words;
  const char *options[CLIP_N_OPTIONS]; /* NULL = not given; "" = a switch that is */
} ClipCommand;

/* Does what a verb says; the exit status: 0 done, 1 failed, 2 misused. */
typedef int (*ClipRun) (ClipCommand *command);

enum
{
  CLIP_EXIT_DONE = 0,
  CLIP_EXIT_FAILED = 1,
  CLIP_EXIT_MISUSED = 2,
};

int clip_command_main (char **argv,
                       const ClipRun runs[CLIP_N_VERBS],
                       void (*hand_over) (char **),
                       void (*failed) (const ClipCommand *, const char *));

const char *clip_command_word (const ClipCommand *command, guint index);
gboolean clip_command_id (ClipCommand *command, guint index, gint64 *out_id);
gboolean clip_command_has (const ClipCommand *command, ClipOption option);
gboolean clip_command_number (const ClipCommand *command,
                              ClipOption option,
                              gint64 *out_number);

char **clip_command_refusals (const ClipCommand *self, ClipSetting setting);

gboolean clip_command_is_of_session (const ClipCommand *self);
void clip_command_tell (const char *format, ...) G_GNUC_PRINTF (1, 2);
void clip_command_say (const char *format, ...) G_GNUC_PRINTF (1, 2);
void clip_command_say_first (const char *format, ...) G_GNUC_PRINTF (1, 2);
void clip_command_forget_said (void);
void clip_command_explain (const char *what);
const char *clip_command_title (gboolean *out_is_explained);
void clip_command_note_no_history (void);
gboolean clip_command_has_no_history (void);
const char *clip_command_drop_words (const char *dropped);
void clip_command_say_dropped (const char *dropped);
int clip_command_fail (const GError *error);
int clip_command_misuse (const ClipCommand *command, const char *format, ...)
    G_GNUC_PRINTF (2, 3);

G_END_DECLS
