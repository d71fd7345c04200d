/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The settings by name: clip-settings.def says what each is; values come from
 * the environment, the configuration file and flags, a later origin overriding an earlier
 * one. The origin stays known, because a command sends along with a call what was
 * explicitly set, and only that: the rest is the daemon's own.
 */
#define G_LOG_DOMAIN "clip-base"
#include "clip-settings.h"

#include "clip-config.h"
#include "clip-error.h"
#include "clip-rule.h"
#include "clip-slips.h"
#include "clip-units.h"

#include <string.h>

/* marks a text for translators */
#define N_(text) text

typedef struct
{
  const char *key;
  ClipSettingKind kind;
  const char *choices;
  const char *fallback;
  ClipSettingCall call;
} Row;

static const Row rows[CLIP_N_SETTINGS] = {
#define SETTING(name, key, kind, choices, fallback, call, ...) \
  { key, CLIP_KIND_##kind, choices, fallback, CLIP_CALL_##call },
#include "clip-settings.def"
#undef SETTING
};

typedef struct
{
  char *text;
  gint64 number;
  ClipSettingOrigin origin;
  ClipSettingOrigin fault; /* the strongest origin of a value that is none */
} Value;

struct ClipSettings
{
  Value values[CLIP_N_SETTINGS];
  GPtrArray *complaints; /* of what was loaded; ends in NULL */
  gboolean forgives;     /* a variable that is wrong is one of them */
};

const char *
clip_settings_key (ClipSetting setting)
{
  return rows[setting].key;
}

ClipSettingKind
clip_settings_kind (ClipSetting setting)
{
  return rows[setting].kind;
}

ClipSettingCall
clip_settings_call (ClipSetting setting)
{
  return rows[setting].call;
}

/* words with blanks between; "" = there are none */
const char *
clip_settings_choices (ClipSetting setting)
{
  return rows[setting].choices;
}

gboolean
clip_settings_find (const char *key, ClipSetting *out_setting)
{
  for (guint i = 0; i < CLIP_N_SETTINGS; i++)
    if (g_str_equal (rows[i].key, key))
      {
        *out_setting = (ClipSetting) i;
        return TRUE;
      }
  return FALSE;
}

/* (nullable): the one that @key, which is none, may mean */
const char *
clip_settings_find_near (const char *key)
{
  const char *found = NULL;
  guint best = G_MAXUINT;

  for (guint i = 0; i < CLIP_N_SETTINGS; i++)
    if (clip_slips_is_nearer (key, rows[i].key, &best))
      found = rows[i].key;
  return found;
}

static gboolean
parse_switch (const char *text, gint64 *out_number)
{
  static const char *const words[] = {
    "no", "yes", "false", "true", "off", "on", "0", "1"
  };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (g_ascii_strcasecmp (text, words[i]) == 0)
      {
        *out_number = i % 2;
        return TRUE;
      }
  return FALSE;
}

/* a share of the file system is kept as its negative percentage: -5 is five percent */
static gboolean
parse_space (const char *text, gint64 *out_number)
{
  gsize length = strlen (text);
  g_autofree char *number = NULL;

  if (length < 2 || text[length - 1] != '%')
    return clip_parse_size (text, out_number);
  number = g_strndup (text, length - 1);
  if (!clip_parse_int (number, out_number) || *out_number < 0 || *out_number > 100)
    return FALSE;
  *out_number = -*out_number;
  return TRUE;
}

/* microseconds; 0 needs no unit */
static gboolean
parse_duration (const char *text, gint64 *out_number)
{
  *out_number = 0;
  return g_str_equal (text, "0") || clip_parse_duration (text, out_number);
}

static gboolean
parse_value (ClipSettingKind kind, const char *text, gint64 *out_number)
{
  switch (kind)
    {
    case CLIP_KIND_COUNT:
      return clip_parse_int (text, out_number);
    case CLIP_KIND_SIZE:
      return clip_parse_size (text, out_number);
    case CLIP_KIND_SPACE:
      return parse_space (text, out_number);
    case CLIP_KIND_DURATION:
      return parse_duration (text, out_number);
    case CLIP_KIND_SWITCH:
      return parse_switch (text, out_number);
    case CLIP_KIND_TEXT:
    case CLIP_KIND_WORD:
    case CLIP_KIND_LIST:
    default:
      *out_number = 0;
      return TRUE;
    }
}

/**
 * clip_settings_hint:
 *
 * Returns: what would be right in the place of @value, in English; the command has it in
 * other languages
 */
const char *
clip_settings_hint (ClipSetting setting, const char *value)
{
  if (*value == '=')
    return N_ ("no '=' stands before it");
  switch (rows[setting].kind)
    {
    case CLIP_KIND_COUNT:
      return N_ ("a number is like 500");
    case CLIP_KIND_SIZE:
      return N_ ("a size is like 500KiB, 20MiB or 4GiB");
    case CLIP_KIND_SPACE:
      return N_ ("a size is like 20GiB, a share like 5%");
    case CLIP_KIND_DURATION:
      return N_ ("a duration is like 30s, 12h or 90d");
    case CLIP_KIND_SWITCH:
    case CLIP_KIND_TEXT:
    case CLIP_KIND_WORD:
    case CLIP_KIND_LIST:
    default:
      return N_ ("it is yes or no");
    }
}

/* without values */
static ClipSettings *
new_empty (void)
{
  ClipSettings *self = g_new0 (ClipSettings, 1);

  self->complaints = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (self->complaints, NULL);
  return self;
}

ClipSettings *
clip_settings_new (void)
{
  ClipSettings *self = new_empty ();

  for (guint i = 0; i < CLIP_N_SETTINGS; i++)
    {
      self->values[i].text = g_strdup (rows[i].fallback);
      parse_value (rows[i].kind, rows[i].fallback, &self->values[i].number);
    }
  return self;
}

ClipSettings *
clip_settings_copy (const ClipSettings *self)
{
  ClipSettings *copy = new_empty ();

  for (guint i = 0; i < CLIP_N_SETTINGS; i++)
    {
      copy->values[i] = self->values[i];
      copy->values[i].text = g_strdup (self->values[i].text);
    }
  for (guint i = 0; i + 1 < self->complaints->len; i++)
    clip_settings_complain (copy, g_ptr_array_index (self->complaints, i));
  return copy;
}

void
clip_settings_free (ClipSettings *self)
{
  if (!self)
    return;
  for (guint i = 0; i < CLIP_N_SETTINGS; i++)
    g_free (self->values[i].text);
  g_ptr_array_unref (self->complaints);
  g_free (self);
}

/* one that is empty, which is written "none", ends the list that came before it */
static gboolean
ends_list (ClipSetting setting, const char *value)
{
  return rows[setting].kind == CLIP_KIND_LIST && (!*value || g_str_equal (value, "none"));
}

/* the first item of an origin takes the place of what the weaker ones said */
static char *
joined_text (const Value *slot,
             ClipSetting setting,
             const char *value,
             ClipSettingOrigin origin)
{
  if (ends_list (setting, value))
    return g_strdup ("");
  if (rows[setting].kind != CLIP_KIND_LIST || origin != slot->origin || !*slot->text)
    return g_strdup (value);
  return g_strdup_printf ("%s\n%s", slot->text, value);
}

/**
 * clip_settings_set:
 * @value: what the user wrote; one more item, of a list
 * @origin: who says so; a value of a stronger origin stands, and then no check is made of
 * this one
 *
 * Errors: %CLIP_ERROR_INVALID_ARGUMENT where @value is not of the setting's kind.
 */
gboolean
clip_settings_set (ClipSettings *self,
                   ClipSetting setting,
                   const char *value,
                   ClipSettingOrigin origin,
                   GError **error)
{
  Value *slot = &self->values[setting];
  gint64 number;
  char *text;

  if (origin < slot->origin)
    return TRUE;
  if (!parse_value (rows[setting].kind, value, &number))
    {
      g_set_error (error, CLIP_ERROR, CLIP_ERROR_INVALID_ARGUMENT,
                   "invalid value \"%s\" for %s: %s", value, rows[setting].key,
                   clip_settings_hint (setting, value));
      return FALSE;
    }
  text = joined_text (slot, setting, value, origin);
  g_free (slot->text);
  *slot =
      (Value){ .text = text, .number = number, .origin = origin, .fault = slot->fault };
  return TRUE;
}

/* for values that arrive as numbers: what a caller sends along over D-Bus */
void
clip_settings_set_number (ClipSettings *self,
                          ClipSetting setting,
                          gint64 number,
                          ClipSettingOrigin origin)
{
  Value *slot = &self->values[setting];

  if (origin < slot->origin)
    return;
  g_free (slot->text);
  *slot = (Value){ .text = g_strdup_printf ("%" G_GINT64_FORMAT, number),
                   .number = number,
                   .origin = origin };
}

/* the value of @other, and its origin, in place of what stood here */
void
clip_settings_take_over (ClipSettings *self,
                         ClipSetting setting,
                         const ClipSettings *other)
{
  g_free (self->values[setting].text);
  self->values[setting] = other->values[setting];
  self->values[setting].text = g_strdup (other->values[setting].text);
}

static char *
variable_name (const char *prefix, const char *key)
{
  char *name = g_strdup_printf ("%s_%s", prefix, key);

  for (char *c = name; *c; c++)
    *c = *c == '-' ? '_' : g_ascii_toupper (*c);
  return name;
}

/* the existing tool splits a variable at its commas, where no backslash stands before
 * them, sets each part, and so lets the last one win; it has no lists, and an expression
 * may have commas */
static char *
next_part (ClipSettingKind kind, const char **cursor)
{
  GString *part = g_string_new (NULL);
  const char *c = *cursor;

  for (; *c && (kind == CLIP_KIND_LIST || *c != ','); c++)
    {
      if (kind != CLIP_KIND_LIST && c[0] == '\\' && c[1] == ',')
        c++;
      g_string_append_c (part, *c);
    }
  *cursor = *c ? c + 1 : NULL;
  return g_string_free (part, FALSE);
}

/**
 * clip_settings_complain:
 * @text: what is wrong, where, and what follows from it; one that is there already is no
 * other
 */
void
clip_settings_complain (ClipSettings *self, const char *text)
{
  if (!g_strv_contains (clip_settings_complaints (self), text))
    g_ptr_array_insert (self->complaints, (int) self->complaints->len - 1,
                        g_strdup (text));
}

/* what keeps copies out, or takes them away, or may be meant to, as `ignore_pattern`: who
 * wrote it has to know that it does not */
static gboolean
is_privacy_key (const char *key)
{
  const char *meant = clip_settings_find_near (key) ?: key;

  return g_ascii_strncasecmp (meant, "ignore", strlen ("ignore")) == 0 ||
         g_ascii_strncasecmp (meant, "clear", strlen ("clear")) == 0;
}

static void complain (ClipSettings *self, const char *key, const char *format, ...)
    G_GNUC_PRINTF (3, 4);

static void
complain (ClipSettings *self, const char *key, const char *format, ...)
{
  g_autofree char *fault = NULL;
  g_autofree char *text = NULL;
  va_list args;

  va_start (args, format);
  fault = g_strdup_vprintf (format, args);
  va_end (args);
  text = g_strconcat (fault, is_privacy_key (key) ? ": this rule is OFF" : ": ignored",
                      NULL);
  clip_settings_complain (self, text);
}

/**
 * clip_settings_forgive:
 *
 * From now on a variable that is wrong makes no load fail: it is a complaint, as is each
 * line of the file that is wrong, and all others count.
 */
void
clip_settings_forgive (ClipSettings *self)
{
  self->forgives = TRUE;
}

/**
 * clip_settings_is_unknown:
 *
 * Returns: whether what the user wrote is none, and a weaker value counts in its place
 */
gboolean
clip_settings_is_unknown (const ClipSettings *self, ClipSetting setting)
{
  return self->values[setting].fault > self->values[setting].origin;
}

/* whether that is one of its choices, where it has some; a text may be something else
 * than what is proposed */
gboolean
clip_settings_is_choice (ClipSetting setting, const char *value)
{
  g_auto (GStrv) words = g_strsplit (rows[setting].choices, " ", -1);

  return !words[0] || rows[setting].kind == CLIP_KIND_TEXT ||
         ends_list (setting, value) ||
         g_strv_contains ((const char *const *) words, value);
}

/**
 * clip_settings_doubt:
 *
 * Returns: (nullable): what is wrong with @value, which counts all the same, in English;
 * of a limit the command has it in other languages
 */
const char *
clip_settings_doubt (ClipSetting setting, const char *value)
{
  gint64 number;

  /* as the existing tool has it; of the other limits 0 is none */
  if (setting == CLIP_SETTING_MAX_ITEMS && clip_parse_int (value, &number) && number == 0)
    return N_ ("0 keeps nothing but what is pinned; -1 is no limit");
  return clip_rule_doubt (setting, value);
}

static void
complain_of_doubt (ClipSettings *self,
                   ClipSetting setting,
                   const char *value,
                   const char *where)
{
  const char *doubt = clip_settings_doubt (setting, value);
  g_autofree char *text = NULL;

  if (!doubt)
    return;
  text = g_strdup_printf ("%s: %s: %s", where, rows[setting].key, doubt);
  clip_settings_complain (self, text);
}

static gboolean set_if_known (ClipSettings *self,
                              ClipSetting setting,
                              const char *value,
                              ClipSettingOrigin origin,
                              const char *where,
                              GError **error);

/* @rule: (nullable): what an expression may have been meant as. Returns: whether it is
 * one, and counts, too */
static gboolean
add_meant (ClipSettings *self,
           const char *rule,
           ClipSettingOrigin origin,
           const char *where)
{
  g_autofree char *fault =
      rule ? clip_rule_fault (CLIP_SETTING_IGNORE_PATTERN, rule) : NULL;

  /* "none" would end the list */
  if (!rule || !*rule || fault || strcmp (rule, "none") == 0)
    return FALSE;
  set_if_known (self, CLIP_SETTING_IGNORE_PATTERN, rule, origin, where, NULL);
  return TRUE;
}

/* as a shell has them, and other tools: they would else let through what the rule is to
 * keep out */
static void
add_between_marks (ClipSettings *self,
                   const char *value,
                   ClipSettingOrigin origin,
                   const char *where)
{
  g_autofree char *rule = clip_rule_between_marks (value);
  g_autofree char *text = NULL;

  if (!rule)
    return;
  text = g_strdup_printf ("%s: %s: the %c at both ends is part of the expression%s: "
                          "write it without, or [%c] "
                          "for one that is meant",
                          where, rows[CLIP_SETTING_IGNORE_PATTERN].key, *value,
                          add_meant (self, rule, origin, where)
                              ? ", and what stands between is a rule, too"
                              : "",
                          *value);
  clip_settings_complain (self, text);
}

/* @where: what says it: a variable, or a place in the file. A line of the file costs
 * itself only: no code looks at what a command says that a key is bound to */
static gboolean
set_if_known (ClipSettings *self,
              ClipSetting setting,
              const char *value,
              ClipSettingOrigin origin,
              const char *where,
              GError **error)
{
  const char *key = rows[setting].key;
  g_autofree char *fault = clip_rule_fault (setting, value);
  g_autoptr (GError) local = NULL;

  if (fault)
    complain (self, key, "%s: %s: %s", where, key, fault);
  else if (setting == CLIP_SETTING_DB_PATH && origin == CLIP_FROM_FILE &&
           !g_path_is_absolute (value))
    complain (self, key, "%s: %s: no absolute path, as one with $HOME is: %s", where, key,
              value);
  else if (!clip_settings_is_choice (setting, value))
    complain (self, key, "%s: unknown value '%s' of %s, which is one of %s", where, value,
              key, rows[setting].choices);
  else if (!clip_settings_set (self, setting, value, origin, &local))
    {
      if (!self->forgives && origin != CLIP_FROM_FILE)
        {
          g_propagate_prefixed_error (error, g_steal_pointer (&local), "%s: ", where);
          return FALSE;
        }
      self->values[setting].fault = MAX (self->values[setting].fault, origin);
      complain (self, key, "%s: %s", where, local->message);
    }
  else if (self->values[setting].origin == origin)
    {
      complain_of_doubt (self, setting, value, where);
      if (setting == CLIP_SETTING_IGNORE_PATTERN)
        add_between_marks (self, value, origin, where);
    }
  return TRUE;
}

/* (transfer full): in a regular expression a dollar is one of its signs */
static char *
expand (ClipSetting setting, const char *value)
{
  return setting == CLIP_SETTING_IGNORE_PATTERN ? g_strdup (value)
                                                : clip_config_expand (value);
}

/* an item of a list that is only a variable, which is not set: by itself it would end the
   list */
static gboolean
is_lost (ClipSettingKind kind, const char *text, const char *expanded)
{
  return kind == CLIP_KIND_LIST && *text && !*expanded;
}

/**
 * clip_settings_load_environment:
 * @prefix: `CLIPHIST`, or the program's name in capitals
 *
 * Takes PREFIX_MAX_ITEMS and so on; an empty variable is an unset one.
 *
 * Errors: as clip_settings_set().
 */
gboolean
clip_settings_load_environment (ClipSettings *self, const char *prefix, GError **error)
{
  for (guint i = 0; i < CLIP_N_SETTINGS; i++)
    {
      g_autofree char *name = variable_name (prefix, rows[i].key);
      const char *rest = g_getenv (name);

      if (rest && !*rest)
        rest = NULL;
      while (rest)
        {
          g_autofree char *part = next_part (rows[i].kind, &rest);
          g_autofree char *value = expand ((ClipSetting) i, part);

          if (rest && rows[i].kind == CLIP_KIND_SIZE)
            continue; /* to the existing tool a size is a text, and read at last */
          if (is_lost (rows[i].kind, part, value))
            {
              complain (self, rows[i].key, "%s: %s has no value", name, rows[i].key);
              continue;
            }
          if (!set_if_known (self, (ClipSetting) i, value, CLIP_FROM_ENVIRONMENT, name,
                             error))
            return FALSE;
        }
    }
  return TRUE;
}

typedef struct
{
  ClipSettings *settings;
  const char *path;
} FileLoad;

/* (transfer full) (nullable): without a comment behind it; NULL where only that is there.
 * In a text, an expression too, `#` is as good a letter as any. */
static char *
strip_comment (ClipSetting setting, const char *value)
{
  gboolean is_text =
      rows[setting].kind == CLIP_KIND_TEXT || setting == CLIP_SETTING_IGNORE_PATTERN;
  gsize length = 0;

  while (value[length] && (is_text || value[length] != '#' ||
                           (length > 0 && !g_ascii_isspace (value[length - 1]))))
    length++;
  if (length == 0 && *value == '#')
    return NULL;
  return is_text ? g_strdup (value) : g_strchomp (g_strndup (value, length));
}

static void
complain_of_encoding (ClipSettings *self, const char *key, const char *where)
{
  complain (self, key, "%s: no UTF-8, but another encoding or a NUL byte", where);
}

/* (transfer full) (nullable): what stands before a `#` that may begin a comment */
static char *
before_comment (const char *value)
{
  const char *sign = strchr (value, '#');

  while (sign && sign > value && !g_ascii_isspace (sign[-1]))
    sign = strchr (sign + 1, '#');
  return sign ? g_strchomp (g_strndup (value, (gsize) (sign - value))) : NULL;
}

/* what was meant as a comment would else keep what the rule is to keep out: both count */
static void
add_before_comment (ClipSettings *self, const char *value, const char *where)
{
  const char *key = rows[CLIP_SETTING_IGNORE_PATTERN].key;
  g_autofree char *rule = before_comment (value);
  g_autofree char *text = NULL;

  if (!rule)
    return;
  text =
      g_strdup_printf ("%s: %s: the '#' is part of the expression%s: write [#] for it, "
                       "or put the comment on a line of its own",
                       where, key,
                       add_meant (self, rule, CLIP_FROM_FILE, where)
                           ? ", and what stands before it is a rule, too"
                           : "");
  clip_settings_complain (self, text);
}

static void
complain_of_key (ClipSettings *self, const char *key, const char *where)
{
  const char *near = clip_settings_find_near (key);

  if (strchr (key, '='))
    complain (self, key,
              "%s: unknown key '%s': a blank stands between a key and its value", where,
              key);
  else if (near)
    complain (self, key, "%s: unknown key '%s' (did you mean '%s'?)", where, key, near);
  else
    complain (self, key, "%s: unknown key '%s'", where, key);
}

static void
on_config_line (const char *key, const char *text, guint line, gpointer user_data)
{
  FileLoad *load = user_data;
  g_autofree char *where = g_strdup_printf ("%s:%u", load->path, line);
  g_autofree char *expanded = NULL;
  g_autofree char *value = NULL;
  ClipSetting setting;

  if (strstr (key, CLIP_CONFIG_NO_TEXT))
    {
      /* every other byte of a text in UTF-16 */
      g_auto (GStrv) parts = g_strsplit (key, CLIP_CONFIG_NO_TEXT, -1);
      g_autofree char *bare = g_strstrip (g_strjoinv ("", parts));

      if (*bare && *bare != '#')
        complain_of_encoding (load->settings, bare, where);
      return;
    }
  if (!clip_settings_find (key, &setting))
    {
      complain_of_key (load->settings, key, where);
      return;
    }
  if (setting == CLIP_SETTING_CONFIG_PATH)
    {
      complain (load->settings, key, "%s: %s has no effect in the file", where, key);
      return;
    }
  expanded = text ? expand (setting, text) : NULL;
  value = expanded ? strip_comment (setting, expanded) : NULL;
  if (value && strstr (value, CLIP_CONFIG_NO_TEXT))
    {
      complain_of_encoding (load->settings, key, where);
      return;
    }
  /* a switch alone is on */
  if (value ? rows[setting].kind == CLIP_KIND_LIST && !*value
            : rows[setting].kind != CLIP_KIND_SWITCH)
    {
      load->settings->values[setting].fault =
          MAX (load->settings->values[setting].fault, CLIP_FROM_FILE);
      complain (load->settings, key, "%s: %s has no value", where, key);
    }
  else
    set_if_known (load->settings, setting, value ?: "true", CLIP_FROM_FILE, where, NULL);
  if (value && setting == CLIP_SETTING_IGNORE_PATTERN)
    add_before_comment (load->settings, value, where);
}

/**
 * clip_settings_load_file:
 * @path: a configuration file; a missing one sets nothing
 *
 * A line that is wrong sets nothing, and is a complaint.
 *
 * Errors: as clip_config_load().
 */
gboolean
clip_settings_load_file (ClipSettings *self, const char *path, GError **error)
{
  FileLoad load = { .settings = self, .path = path };

  return clip_config_load (path, on_config_line, &load, error);
}

/* (array zero-terminated=1): what is wrong in file and environment, a line for each */
const char *const *
clip_settings_complaints (const ClipSettings *self)
{
  return (const char *const *) self->complaints->pdata;
}

/* whether it is meant for this call: a flag, or a variable; a file may have been
 * written for another history, and a default was never chosen */
gboolean
clip_settings_is_asked_for (const ClipSettings *self, ClipSetting setting)
{
  ClipSettingOrigin origin = clip_settings_origin (self, setting);

  return origin == CLIP_FROM_FLAG || origin == CLIP_FROM_ENVIRONMENT;
}

/* counts as they are, sizes in bytes, durations in microseconds, switches 0 or 1, a share
 * of the file system as -percent */
gint64
clip_settings_number (const ClipSettings *self, ClipSetting setting)
{
  return self->values[setting].number;
}

const char *
clip_settings_text (const ClipSettings *self, ClipSetting setting)
{
  return self->values[setting].text;
}

/* (transfer full) (array zero-terminated=1): the items of a list */
char **
clip_settings_list (const ClipSettings *self, ClipSetting setting)
{
  const char *text = self->values[setting].text;

  return *text ? g_strsplit (text, "\n", -1) : g_new0 (char *, 1);
}

ClipSettingOrigin
clip_settings_origin (const ClipSettings *self, ClipSetting setting)
{
  return self->values[setting].origin;
}
