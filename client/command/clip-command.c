/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * From argv to a verb that runs: flags, then the verb, then its words; settings from
 * flag, file and environment in that order of strength. Both programs begin here, with
 * the verbs that each does.
 */
#define G_LOG_DOMAIN "cliphist"
#include "clip-command.h"

#include "clip-error.h"
#include "clip-flags.h"
#include "clip-help.h"
#include "clip-id-arguments.h"
#include "clip-paths.h"
#include "clip-preview.h"
#include "clip-size-fault.h"
#include "clip-suggestion.h"
#include "clip-terminal.h"
#include "clip-units.h"
#include "clip-words.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* what has been said of a failure, to be told once more */
#define SAID_BYTES 2048

static GString *said;

/* of a notification; NULL = that of the verb */
static const char *title;

/* whether what was said is all there is to say */
static gboolean is_explained;

/* whether it is that there is no history */
static gboolean is_without_history;

static void say_valist (const char *prefix, const char *format, va_list args)
    G_GNUC_PRINTF (2, 0);

static void
remember (const char *line, gsize length)
{
  if (!said)
    said = g_string_new (NULL);
  if (said->len < SAID_BYTES)
    g_string_append_len (said, line, (gssize) MIN (length, SAID_BYTES));
}

static void
say_valist (const char *prefix, const char *format, va_list args)
{
  g_autofree char *text = g_strdup_vprintf (format, args);
  g_autoptr (GString) line = g_string_new (prefix);

  clip_preview_append_safe (line, text, strlen (text), -1);
  g_string_append_c (line, '\n');
  fwrite (line->str, 1, line->len, stderr);
  remember (line->str, line->len);
}

/**
 * clip_command_tell:
 *
 * Says what was done, to a person: nothing where it is not seen, since a script knows by
 * the exit status.
 */
void
clip_command_tell (const char *format, ...)
{
  va_list args;

  if (!clip_terminal_is_watched (STDERR_FILENO))
    return;
  va_start (args, format);
  say_valist ("", format, args);
  va_end (args);
}

/* what was said up to now belongs to something that has gone well since */
void
clip_command_forget_said (void)
{
  if (said)
    g_string_truncate (said, 0);
  title = NULL;
  is_explained = FALSE;
  is_without_history = FALSE;
}

/**
 * clip_command_explain:
 * @what: (nullable): what happened, where the title that the verb has would be wrong
 *
 * What is said of this failure is all there is to say: `doctor` knows no more.
 */
void
clip_command_explain (const char *what)
{
  is_explained = TRUE;
  if (what)
    title = what;
}

/* (nullable): as clip_command_explain() got it */
const char *
clip_command_title (gboolean *out_is_explained)
{
  *out_is_explained = is_explained;
  return title;
}

/* that it failed where nothing was ever stored; that is all there is to say */
void
clip_command_note_no_history (void)
{
  is_without_history = TRUE;
  clip_command_explain (NULL);
}

gboolean
clip_command_has_no_history (void)
{
  return is_without_history;
}

/**
 * clip_command_say:
 *
 * Writes one line to standard error, with control characters made visible.
 */
void
clip_command_say (const char *format, ...)
{
  va_list args;

  va_start (args, format);
  say_valist ("", format, args);
  va_end (args);
}

/**
 * clip_command_say_first:
 *
 * As clip_command_say(); a notification begins with it, as the end of a long one is cut
 * off.
 */
void
clip_command_say_first (const char *format, ...)
{
  g_autoptr (GString) before = g_steal_pointer (&said);
  va_list args;

  va_start (args, format);
  say_valist ("", format, args);
  va_end (args);
  if (before)
    remember (before->str, before->len);
}

/**
 * clip_command_drop_words:
 * @dropped: why nothing was kept, by the word that D-Bus uses
 *
 * Returns: the same for people
 */
const char *
clip_command_drop_words (const char *dropped)
{
  static const struct
  {
    const char *name;
    const char *words;
  } table[] = {
    { "sensitive", N_ ("the clipboard holds or held a secret, or what an ignore- setting "
                       "excludes") },
    { "paused", N_ ("the history is paused; “cliphist resume” ends that") },
    { "too-large", N_ ("it is larger than max-store-size or max-total-size") },
    { "blank", N_ ("there is nothing but blanks in it") },
    { "too-small", N_ ("it is shorter than min-store-length") },
    { "pattern", N_ ("an ignore-pattern or an ignore-mime matches it") },
    { "deleted", N_ ("the history was wiped meanwhile") },
    { "unanswered",
      N_ ("the display, or the program that has the clipboard, does not say "
          "what it holds, which may be a secret; an answer or the next copy "
          "ends that") },
  };

  for (guint i = 0; i < G_N_ELEMENTS (table); i++)
    if (g_str_equal (table[i].name, dropped))
      return _ (table[i].words);
  return dropped;
}

/* @dropped: (nullable): why `store` kept nothing. The existing tool says nothing of what
 * is blank, too short or too large; it knows neither a pause, which is forgotten for
 * days, nor a secret on the clipboard, which a user who stores another text does not
 * think of */
void
clip_command_say_dropped (const char *dropped)
{
  if (g_strcmp0 (dropped, "sensitive") == 0 || g_strcmp0 (dropped, "paused") == 0 ||
      g_strcmp0 (dropped, "unanswered") == 0)
    clip_command_say (_ ("store: nothing was kept: %s"),
                      clip_command_drop_words (dropped));
}

/**
 * clip_command_fail:
 * @error: without a text where the daemon of the history has said why it does not start
 *
 * Returns: the exit status, after saying why
 */
int
clip_command_fail (const GError *error)
{
  const char *unopened = _ ("The clipboard history cannot be opened.");
  const char *nothing = _ ("Nothing has been copied yet.");
  const gsize before = said ? said->len : 0;

  if (*error->message)
    clip_command_say ("%s", error->message);
  else
    remember (unopened, strlen (unopened));
  if (g_error_matches (error, CLIP_ERROR, CLIP_ERROR_NOT_FOUND) ||
      g_error_matches (error, CLIP_ERROR, CLIP_ERROR_NO_SUCH_FORMAT) ||
      g_error_matches (error, CLIP_ERROR, CLIP_ERROR_TOO_LARGE))
    clip_command_explain (NULL);
  if (g_error_matches (error, CLIP_ERROR, CLIP_ERROR_NO_HISTORY))
    {
      /* in the place of the words that scripts look for */
      g_string_truncate (said, before);
      remember (nothing, strlen (nothing));
      clip_command_note_no_history ();
    }
  return CLIP_EXIT_FAILED;
}

/**
 * clip_command_misuse:
 *
 * Returns: the exit status, after saying what is wrong with the words behind the verb
 */
int
clip_command_misuse (const ClipCommand *command, const char *format, ...)
{
  const char *verb = clip_verbs_row (command->verb)->name;
  g_autofree char *prefix = g_strdup_printf ("%s: ", verb);
  va_list args;

  va_start (args, format);
  say_valist (prefix, format, args);
  va_end (args);
  clip_command_say (_ ("see cliphist %s --help"), verb);
  clip_command_explain (NULL);
  return CLIP_EXIT_MISUSED;
}

/* (nullable): the word behind the verb and its options, NULL where there are fewer */
const char *
clip_command_word (const ClipCommand *command, guint index)
{
  return index < command->words->len ? g_ptr_array_index (command->words, index) : NULL;
}

/**
 * clip_command_id:
 * @index: of a word that is there
 *
 * The word is an id, a line of the list, tag:NAME, or - for what comes on standard input.
 *
 * Returns: whether it names an entry; if not, that has been said, and @id_status is set.
 * Of an id it is not known whether there is such an entry
 */
gboolean
clip_command_id (ClipCommand *command, guint index, gint64 *out_id)
{
  return clip_id_arguments_resolve (command, clip_command_word (command, index), out_id);
}

gboolean
clip_command_has (const ClipCommand *command, ClipOption option)
{
  return command->options[option] != NULL;
}

/**
 * clip_command_number:
 * @out_number: (inout): stays as it is where the option was not given
 *
 * Returns: whether the option, if given, is a number from 1 on; if not, that has been
 * said
 */
gboolean
clip_command_number (const ClipCommand *command, ClipOption option, gint64 *out_number)
{
  const char *value = command->options[option];

  if (!value || (clip_parse_int (value, out_number) && *out_number > 0))
    return TRUE;
  clip_command_misuse (command, _ ("--%s takes a number from 1 on, not '%s'"),
                       clip_verbs_option (option)->name, value);
  return FALSE;
}

static ClipCommand *
command_new (void)
{
  ClipCommand *self = g_new0 (ClipCommand, 1);

  self->settings = clip_settings_new ();
  self->words = g_ptr_array_new ();
  return self;
}

static void
command_free (ClipCommand *self)
{
  clip_settings_free (self->settings);
  g_ptr_array_unref (self->words);
  g_free (self->db_path);
  g_free (self->fault);
  g_free (self->store);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipCommand, command_free)

/* the existing tool reads a size only once everything else is understood: for it a bad
 * one is a failure, and any other bad value a misuse. The message has the name of the
 * setting behind the value. */
static gboolean
is_bad_size (const GError *error)
{
  for (guint i = 0; i < CLIP_N_SETTINGS; i++)
    {
      ClipSettingKind kind = clip_settings_kind ((ClipSetting) i);
      g_autofree char *named =
          g_strdup_printf ("\" for %s: ", clip_settings_key ((ClipSetting) i));

      if ((kind == CLIP_KIND_SIZE || kind == CLIP_KIND_SPACE) &&
          strstr (error->message, named))
        return TRUE;
    }
  return FALSE;
}

/* in the words of the existing tool, where it has that setting */
static int
fail_size (const GError *error)
{
  static const char before[] = "invalid value \"";
  static const char behind[] = "\" for max-store-size: ";
  const char *start = strstr (error->message, before);
  const char *end = g_strrstr (error->message, behind);
  g_autofree char *value = NULL;
  g_autofree char *fault = NULL;

  if (!start || !end)
    return clip_command_fail (error);
  start += strlen (before);
  value = g_strndup (start, (gsize) (end - start));
  fault = clip_size_fault (value);
  clip_command_say ("invalid max-store-size value: %s", fault);
  return CLIP_EXIT_FAILED;
}

/* its first line is that of the existing tool, which does not say where */
static int
fail_settings (const GError *error)
{
  if (!g_error_matches (error, CLIP_ERROR, CLIP_ERROR_INVALID_ARGUMENT))
    return clip_command_fail (error);
  clip_command_explain (NULL);
  if (is_bad_size (error))
    return fail_size (error);
  clip_command_say ("parse error");
  clip_command_say ("%s", error->message);
  clip_help_hint ();
  return CLIP_EXIT_MISUSED;
}

/* MY_HIST_… for a link that is called my-hist */
static char *
environment_prefix (const char *program)
{
  g_autofree char *name = g_path_get_basename (program);

  return g_strdelimit (g_ascii_strup (name, -1), "-", '_');
}

/* a line of the file that is wrong costs itself; who types a flag means it */
static gboolean
is_among_choices (ClipSetting setting, const char *value, GError **error)
{
  if (clip_settings_is_choice (setting, value))
    return TRUE;
  g_set_error (error, CLIP_ERROR, CLIP_ERROR_INVALID_ARGUMENT,
               _ ("%s is one of %s, not '%s'"), clip_settings_key (setting),
               clip_settings_choices (setting), value);
  return FALSE;
}

static gboolean
apply_flags (ClipSettings *settings,
             const char *const given[CLIP_N_SETTINGS],
             GError **error)
{
  for (guint i = 0; i < CLIP_N_SETTINGS; i++)
    if (given[i] &&
        (!is_among_choices ((ClipSetting) i, given[i], error) ||
         !clip_settings_set (settings, (ClipSetting) i, given[i], CLIP_FROM_FLAG, error)))
      return FALSE;
  return TRUE;
}

/* whose it is, the daemon asks and an archive tells: a flag that promises to keep
 * something out would keep nothing out */
static gboolean
is_promised_in_vain (ClipVerb verb, const char *const given[CLIP_N_SETTINGS])
{
  if (!given[CLIP_SETTING_IGNORE_APP] ||
      (verb != CLIP_VERB_STORE && verb != CLIP_VERB_COPY && verb != CLIP_VERB_IMPORT))
    return FALSE;
  clip_command_say (_ ("-%s has no effect on the command line: write it into the "
                       "configuration file"),
                    clip_settings_key (CLIP_SETTING_IGNORE_APP));
  return TRUE;
}

/* who reads goes on without the file: no rule in it could keep anything from that */
static gboolean
load_file (ClipCommand *self, GError **error)
{
  g_autofree char *fallback = clip_paths_default_config (NULL);
  const char *path = clip_settings_text (self->settings, CLIP_SETTING_CONFIG_PATH);
  g_autoptr (GError) local = NULL;

  if (*path == '\0')
    path = fallback;
  if (!path || clip_settings_load_file (self->settings, path, &local))
    return TRUE;
  if (self->only_reads)
    clip_command_say ("%s", local->message);
  else
    g_propagate_error (error, g_steal_pointer (&local));
  return self->only_reads;
}

static gboolean
load_settings (ClipCommand *self,
               const char *program,
               const char *const given[CLIP_N_SETTINGS],
               GError **error)
{
  g_autofree char *prefix = environment_prefix (program);

  return apply_flags (self->settings, given, error) &&
         clip_settings_load_environment (self->settings, prefix, error) &&
         load_file (self, error);
}

/* These two say what is wrong, which cannot fail over that
 * themselves: every variable but those that are wrong counts, and a file that cannot be
 * read says nothing. A flag is no part of that. */
static gboolean
passes_over_faults (ClipCommand *self,
                    const char *program,
                    const char *const given[CLIP_N_SETTINGS])
{
  g_autoptr (ClipSettings) flags = clip_settings_new ();
  g_autoptr (GError) error = NULL;

  if ((self->verb != CLIP_VERB_DOCTOR && self->verb != CLIP_VERB_STATUS) ||
      !apply_flags (flags, given, NULL))
    return FALSE;
  self->is_misconfigured = TRUE;
  clip_settings_free (self->settings);
  self->settings = clip_settings_new ();
  clip_settings_forgive (self->settings);
  if (!load_settings (self, program, given, &error))
    self->fault = g_strdup (error->message);
  return TRUE;
}

/* to a person, who may mend the file: a script reads what a call says */
static void
tell_complaints (const ClipCommand *self)
{
  const char *const *complaints = clip_settings_complaints (self->settings);

  /* `list` says that itself, which calls another so */
  if (clip_command_has (self, CLIP_OPTION_QUIET))
    return;
  if (self->fault)
    clip_command_say ("%s", self->fault);
  if (self->verb != CLIP_VERB_DOCTOR && self->verb != CLIP_VERB_STATUS &&
      !isatty (STDERR_FILENO))
    return;
  for (; *complaints; complaints++)
    clip_command_say ("%s", *complaints);
}

/* whether it is about the history that the daemon keeps, as far as the settings say: one
 * that a flag or a variable names is the caller's own */
gboolean
clip_command_is_of_session (const ClipCommand *self)
{
  ClipSettingOrigin origin = clip_settings_origin (self->settings, CLIP_SETTING_DB_PATH);

  return origin == CLIP_FROM_DEFAULT || origin == CLIP_FROM_FILE;
}

static gboolean
has_default_config (const ClipSettings *settings, GError **error)
{
  g_autofree char *path = NULL;

  if (*clip_settings_text (settings, CLIP_SETTING_CONFIG_PATH))
    return TRUE;
  path = clip_paths_default_config (error);
  return path != NULL;
}

static gboolean
resolve_paths (ClipCommand *self, GError **error)
{
  ClipSettingOrigin origin = clip_settings_origin (self->settings, CLIP_SETTING_DB_PATH);

  if (origin == CLIP_FROM_DEFAULT)
    self->db_path = clip_paths_default_db (error);
  else
    self->db_path = g_strdup (clip_settings_text (self->settings, CLIP_SETTING_DB_PATH));
  if (!self->db_path || !has_default_config (self->settings, error))
    return FALSE;
  if (*self->db_path == '\0')
    {
      g_set_error (error, CLIP_ERROR, CLIP_ERROR_INVALID_ARGUMENT,
                   "opening db: open db: open : no such file or directory");
      return FALSE;
    }
  self->store = clip_paths_store (origin == CLIP_FROM_DEFAULT ? NULL : self->db_path);
  return TRUE;
}

/* what the daemon reads itself, when it starts and whenever it changes, is not told it */
static gboolean
is_known_to_daemon (const ClipCommand *self, ClipSetting setting)
{
  return clip_settings_origin (self->settings, setting) == CLIP_FROM_FILE &&
         clip_settings_origin (self->settings, CLIP_SETTING_CONFIG_PATH) ==
             CLIP_FROM_DEFAULT;
}

/**
 * clip_command_refusals:
 * @setting: one of the lists of what is not to be kept
 *
 * Returns: (transfer full): what a call which stores says of it, beside the daemon's own
 * list
 */
char **
clip_command_refusals (const ClipCommand *self, ClipSetting setting)
{
  return is_known_to_daemon (self, setting)
             ? g_new0 (char *, 1)
             : clip_settings_list (self->settings, setting);
}

/* whether @word is an option of the verb; it and its value are taken then */
static gboolean
take_option (ClipCommand *self, char ***next, int *out_status)
{
  const char *word = **next;
  const char *equals = strchr (word, '=');
  const ClipOptionRow *row;
  ClipOption option;

  if (!clip_verbs_find_option (self->verb, word, &option))
    return FALSE;
  (*next)++;
  row = clip_verbs_option (option);
  if (!row->value && equals)
    *out_status = clip_command_misuse (self, _ ("--%s takes no value"), row->name);
  else if (!row->value)
    self->options[option] = "";
  else if (equals)
    self->options[option] = equals + 1;
  else if (**next)
    self->options[option] = *(*next)++;
  else
    *out_status = clip_command_misuse (self, _ ("--%s needs a value"), row->name);
  return TRUE;
}

static int
check_number_of_words (const ClipCommand *self)
{
  const ClipVerbRow *row = clip_verbs_row (self->verb);

  if (self->words->len < row->min_words)
    return clip_command_misuse (self, _ ("%s is missing"), row->words);
  if (self->words->len > row->max_words)
    return clip_command_misuse (self, _ ("unexpected word '%s'"),
                                clip_command_word (self, row->max_words));
  return CLIP_EXIT_DONE;
}

/* (transfer full): of @word, with its dashes and perhaps a value */
static char *
key_of (const char *word)
{
  const char *flag = word + strspn (word, "-");

  return g_strndup (flag, strcspn (flag, "="));
}

static gboolean
is_setting (const char *word)
{
  g_autofree char *key = key_of (word);
  ClipSetting setting;

  return clip_settings_find (key, &setting);
}

static int
misuse_option (const ClipCommand *self, const char *word)
{
  const char *near = clip_suggestion_option (self->verb, word);
  int status = clip_command_misuse (self, _ ("unknown option '%s'"), word);

  if (is_setting (word))
    clip_command_say (_ ("“%s” has its place before the verb"), word);
  else if (near)
    clip_command_say (_ ("Did you mean '--%s'?"), near);
  return status;
}

/* The existing tool ignores what it does not know, and so do its verbs here; a person who
 * types it should hear of it. @index: of the first word that means nothing */
static void
tell_of_vain_words (const ClipCommand *self, guint index)
{
  for (guint i = 0; i < self->words->len; i++)
    {
      const char *word = clip_command_word (self, i);
      const char *near = *word == '-' ? clip_suggestion_option (self->verb, word) : NULL;

      if (i < index && *word != '-')
        continue;
      if (near)
        clip_command_tell (
            _ ("'%s' means nothing here, and is ignored. Did you mean '--%s'?"), word,
            near);
      else
        clip_command_tell (_ ("'%s' means nothing here, and is ignored."), word);
    }
}

/* a value of config may be negative, and no option is a number */
static gboolean
is_like_option (const ClipCommand *self, const char *word)
{
  return word[0] == '-' && word[1] &&
         !(self->verb == CLIP_VERB_CONFIG && g_ascii_isdigit (word[1]));
}

/* to that tool, behind a verb, it is a word as any other: only a person means help */
static gboolean
asks_for_help (gboolean strict, const char *word)
{
  return g_str_equal (word, "-h") &&
         (strict || (clip_terminal_is_watched (STDIN_FILENO) &&
                     clip_terminal_is_watched (STDERR_FILENO)));
}

/* a verb of the existing tool takes what is not its option as a word, and looks at the
 * first one at most; the others are strict. A slip in an option of wipe would take all
 * that the option was to spare */
static int
read_words (ClipCommand *self, char **next)
{
  gboolean strict = clip_verbs_row (self->verb)->max_words != CLIP_ANY_WORDS;
  gboolean options_end = FALSE;
  gboolean careful = strict || self->verb == CLIP_VERB_WIPE;
  int status = CLIP_EXIT_DONE;

  while (*next && status == CLIP_EXIT_DONE)
    {
      if (!options_end && take_option (self, &next, &status))
        continue;
      if (!options_end && asks_for_help (strict, *next))
        self->options[CLIP_OPTION_HELP] = "";
      else if (careful && !options_end && g_str_equal (*next, "--"))
        options_end = TRUE;
      else if (careful && !options_end && is_like_option (self, *next))
        return misuse_option (self, *next);
      else
        g_ptr_array_add (self->words, *next);
      next++;
    }
  if (status == CLIP_EXIT_DONE && !clip_command_has (self, CLIP_OPTION_HELP))
    status = check_number_of_words (self);
  return status;
}

static gboolean
takes_word (ClipVerb verb)
{
  return verb == CLIP_VERB_DECODE || verb == CLIP_VERB_DELETE ||
         verb == CLIP_VERB_DELETE_QUERY;
}

static int
run_verb (ClipCommand *self, char **words, ClipRun run)
{
  g_autoptr (GError) error = NULL;
  int status = read_words (self, words);

  if (status != CLIP_EXIT_DONE)
    return status;
  if (clip_command_has (self, CLIP_OPTION_HELP))
    return clip_help_verb (self->verb);
  if (clip_verbs_row (self->verb)->max_words == CLIP_ANY_WORDS)
    tell_of_vain_words (self, takes_word (self->verb) ? 1 : 0);
  if (!resolve_paths (self, &error))
    return clip_command_fail (error);
  return run (self);
}

static int
answer_flags (ClipFlagsResult flags)
{
  if (flags == CLIP_FLAGS_VERSION)
    return clip_help_version ();
  clip_help_usage ();
  return CLIP_EXIT_DONE;
}

static gboolean
is_option_of_any (const char *word)
{
  ClipOption option;

  for (ClipVerb verb = 0; verb < CLIP_N_VERBS; verb++)
    if (clip_verbs_find_option (verb, word, &option))
      return TRUE;
  return FALSE;
}

/* (nullable): the key of the setting that is nearest to @word, which may be one */
static const char *
setting_near (const char *word)
{
  g_autofree char *key = key_of (word);

  return *word == '-' && !is_setting (word) ? clip_settings_find_near (key) : NULL;
}

/* @wrong: the last word of the flag that is; @verb: (nullable): that follows it */
static int
refuse_flag (ClipCommand *self,
             const char *program,
             const char *wrong,
             const ClipVerb *verb,
             const GError *error)
{
  const char *const none[CLIP_N_SETTINGS] = { NULL };
  const char *near = setting_near (wrong);
  g_autofree char *flag = near ? g_strconcat ("-", near, NULL) : NULL;
  ClipOption option;

  /* whether it may be told on the screen */
  clip_settings_forgive (self->settings);
  load_settings (self, program, none, NULL);
  clip_command_say ("%s", error->message);
  if (verb && clip_verbs_find_option (*verb, wrong, &option))
    clip_command_say (_ ("“%s” has its place behind the verb: cliphist %s %s"), wrong,
                      clip_verbs_row (*verb)->name, wrong);
  else if (!verb && is_option_of_any (wrong))
    clip_command_say (_ ("“%s” has its place behind the verb"), wrong);
  else if (flag)
    clip_command_say (_ ("Did you mean '%s'?"), flag);
  clip_help_hint ();
  clip_command_explain (verb ? NULL : _ ("An option of cliphist is wrong"));
  return CLIP_EXIT_MISUSED;
}

/* a closed one would become the first file that is opened, and get or give its bytes. To
 * read from a closed one is to read nothing, as ever; to write to it is a failure */
static void
hold_standard_fds (void)
{
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
    if (fcntl (fd, F_GETFD) < 0)
      open ("/dev/null", O_RDONLY);
}

/* @word: (nullable): that is none. Scripts look for the lines of the overview, people for
 * what was wrong, which should not scroll away above it */
static int
refuse_verb (const char *word)
{
  if (word)
    {
      const char *near = clip_suggestion_verb (word);

      clip_command_say (_ ("there is no verb '%s'"), word);
      if (near)
        clip_command_say (_ ("Did you mean '%s'?"), near);
      else
        clip_help_hint ();
      clip_command_explain (_ ("cliphist has no such verb"));
    }
  else
    clip_help_usage ();
  return CLIP_EXIT_FAILED;
}

static int
run_known (ClipCommand *self,
           char **argv,
           char **verb,
           const char *const given[CLIP_N_SETTINGS],
           ClipRun run)
{
  g_autoptr (GError) error = NULL;
  int status;

  if (!load_settings (self, argv[0], given, &error) &&
      !(run && passes_over_faults (self, argv[0], given)))
    return fail_settings (error);
  if (!run)
    return refuse_verb (*verb);
  if (is_promised_in_vain (self->verb, given))
    return CLIP_EXIT_MISUSED;
  status = run_verb (self, verb + 1, run);
  tell_complaints (self);
  return status;
}

/**
 * clip_command_main:
 * @argv: of the process; the variables of the environment are named after its first word
 * @runs: what this program does; %NULL for the verbs of the other one
 * @hand_over: (nullable): replaces the process by the program that does the verbs that
 * do more than read; returns only after it has said why it could not
 * @failed: (nullable): is told of a verb that failed, with what was said
 *
 * Returns: the exit status
 */
int
clip_command_main (char **argv,
                   const ClipRun runs[CLIP_N_VERBS],
                   void (*hand_over) (char **),
                   void (*failed) (const ClipCommand *, const char *))
{
  const char *given[CLIP_N_SETTINGS];
  g_autoptr (ClipCommand) self = command_new ();
  g_autoptr (GError) error = NULL;
  guint n = 0;
  ClipFlagsResult flags = clip_flags_parse (argv + 1, given, &n, &error);
  char **verb = argv + 1 + n;
  gboolean known = *verb && clip_verbs_find (*verb, &self->verb);
  int status;

  hold_standard_fds ();
  clip_paths_forget_relative (FALSE);
  if (flags == CLIP_FLAGS_HELP || flags == CLIP_FLAGS_VERSION)
    return answer_flags (flags);
  /* a slip in what a key is bound to is told on the screen, by the other program */
  if (hand_over && (*verb || flags == CLIP_FLAGS_WRONG) &&
      (known ? !runs[self->verb]
             : !clip_terminal_is_watched (STDERR_FILENO) ||
                   clip_terminal_is_own (STDERR_FILENO)))
    {
      hand_over (argv);
      return CLIP_EXIT_FAILED;
    }
  self->only_reads = hand_over && known;
  status = flags == CLIP_FLAGS_WRONG
               ? refuse_flag (self, argv[0], verb[-1], known ? &self->verb : NULL, error)
               : run_known (self, argv, verb, given, known ? runs[self->verb] : NULL);
  if (failed && status != CLIP_EXIT_DONE)
    failed (self, said ? said->str : "");
  return status;
}
