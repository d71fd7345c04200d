/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Expressions are compiled, and texts are looked at, on three threads: one for what
 * displays bring, in the order in which it came, and two for what callers send, who may
 * have written both. One of these gives each a moment; what is not through by then goes
 * on in the other, so that a costly expression does not hold up one that costs nothing.
 */
#define G_LOG_DOMAIN "clip-history"
#include "clip-ignore.h"

#include "clip-encoding.h"
#include "clip-match.h"
#include "clip-mime.h"

#include <string.h>
#include <time.h>

/* of the processor, for all expressions and all texts of a copy together */
#define COPY_CPU_US (2 * G_USEC_PER_SEC)

#define MOMENT_US (10 * 1000)

struct ClipIgnore
{
  GPtrArray *apps;  /* of GPatternSpec, lower case */
  GPtrArray *mimes; /* of GPatternSpec */
  GStrv patterns;
  GStrv forgiven;     /* (nullable): what of them may be no expression */
  GPtrArray *matches; /* (nullable): of ClipMatch; the thread's that looks */
};

typedef enum
{
  LOOK_FOUND,
  LOOK_NOTHING,
  LOOK_UNDECIDED, /* the moment is over */
  LOOK_FAILED,
} LookResult;

/* in the data of a task */
typedef struct
{
  ClipIgnore *ignore;
  GPtrArray *texts;    /* of GBytes */
  gint64 deadline_us;  /* of a moment, monotonic; 0 = none */
  gint64 cpu_begun_us; /* of the thread */
} Look;

/* to an expression that looks for a text the whole text is one line */
#define ONE_LINE "(?-m)"

#define BYTE_ORDER_MARK "\xEF\xBB\xBF"

static GPtrArray *
compile_globs (const ClipSettings *settings, ClipSetting setting, gboolean fold)
{
  g_auto (GStrv) items = clip_settings_list (settings, setting);
  GPtrArray *globs =
      g_ptr_array_new_with_free_func ((GDestroyNotify) g_pattern_spec_free);

  for (guint i = 0; items[i]; i++)
    {
      g_autofree char *folded = fold ? g_utf8_strdown (items[i], -1) : NULL;

      if (*items[i])
        g_ptr_array_add (globs, g_pattern_spec_new (folded ?: items[i]));
    }
  return globs;
}

static ClipIgnore *
new_ignore (const ClipSettings *settings, GStrv forgiven_take)
{
  ClipIgnore *self = g_atomic_rc_box_new0 (ClipIgnore);

  self->apps = compile_globs (settings, CLIP_SETTING_IGNORE_APP, TRUE);
  self->mimes = compile_globs (settings, CLIP_SETTING_IGNORE_MIME, FALSE);
  self->patterns = clip_settings_list (settings, CLIP_SETTING_IGNORE_PATTERN);
  self->forgiven = forgiven_take;
  return self;
}

/* for displays: an expression that is none ignores nothing, which is logged */
ClipIgnore *
clip_ignore_new (const ClipSettings *settings)
{
  return new_ignore (settings, NULL);
}

/**
 * clip_ignore_new_for_call:
 * @settings: in force for the call
 * @own: the daemon's
 *
 * An expression of the caller's that is none makes clip_ignore_look_async() fail: it was
 * to keep something out.
 */
ClipIgnore *
clip_ignore_new_for_call (const ClipSettings *settings, const ClipSettings *own)
{
  return new_ignore (settings, clip_settings_list (own, CLIP_SETTING_IGNORE_PATTERN));
}

ClipIgnore *
clip_ignore_ref (ClipIgnore *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
clip_ignore_clear (gpointer data)
{
  ClipIgnore *self = data;

  g_ptr_array_unref (self->apps);
  g_ptr_array_unref (self->mimes);
  g_strfreev (self->patterns);
  g_strfreev (self->forgiven);
  g_clear_pointer (&self->matches, g_ptr_array_unref);
}

void
clip_ignore_unref (ClipIgnore *self)
{
  if (self)
    g_atomic_rc_box_release_full (self, clip_ignore_clear);
}

static gboolean
matches_any (GPtrArray *globs, const char *text)
{
  for (guint i = 0; i < globs->len; i++)
    if (g_pattern_spec_match_string (g_ptr_array_index (globs, i), text))
      return TRUE;
  return FALSE;
}

gboolean
clip_ignore_has_apps (const ClipIgnore *self)
{
  return self->apps->len > 0;
}

/**
 * clip_ignore_app:
 * @app: (nullable): %NULL where the display does not tell, and then nothing matches
 */
gboolean
clip_ignore_app (const ClipIgnore *self, const char *app)
{
  g_autofree char *folded = app && self->apps->len > 0 ? g_utf8_strdown (app, -1) : NULL;

  return folded && matches_any (self->apps, folded);
}

/**
 * clip_ignore_mime:
 *
 * Returns: whether one of the globs matches all of @mime, its parameters included, or of
 * the name under which it would be kept: X11 calls a text UTF8_STRING
 */
gboolean
clip_ignore_mime (const ClipIgnore *self, const char *mime)
{
  return matches_any (self->mimes, mime) ||
         matches_any (self->mimes, clip_mime_canonical (mime));
}

gboolean
clip_ignore_has_patterns (const ClipIgnore *self)
{
  return self->patterns[0] != NULL;
}

/* --- on a thread --- */

static gint64
cpu_us (void)
{
  struct timespec now;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return (gint64) now.tv_sec * G_USEC_PER_SEC + now.tv_nsec / 1000;
}

static gboolean
is_over (const Look *look)
{
  return look->deadline_us > 0 ? g_get_monotonic_time () >= look->deadline_us
                               : cpu_us () - look->cpu_begun_us >= COPY_CPU_US;
}

/* what costs too much counts as a match: the user wanted to keep something out */
static LookResult
give_up (const Look *look)
{
  return look->deadline_us > 0 ? LOOK_UNDECIDED : LOOK_FOUND;
}

/* what the user keeps out is said in no log: not what it looks like either */
static LookResult
compile_next (ClipIgnore *self, GError **error)
{
  const guint number = self->matches->len;
  const char *pattern = self->patterns[number];
  g_autofree char *whole = g_strconcat (ONE_LINE, pattern, NULL);
  g_autoptr (GError) local = NULL;
  ClipMatch *match = *pattern ? clip_match_new (NULL, whole, &local) : NULL;

  if (local && self->forgiven &&
      !g_strv_contains ((const char *const *) self->forgiven, pattern))
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return LOOK_FAILED;
    }
  if (local)
    g_warning ("ignore-pattern %u ignores nothing: %s", number + 1, local->message);
  g_ptr_array_add (self->matches, match);
  return LOOK_NOTHING;
}

static LookResult
compile_on_thread (const Look *look, GError **error)
{
  ClipIgnore *self = look->ignore;
  const guint n = g_strv_length (self->patterns);
  LookResult result = LOOK_NOTHING;

  if (!self->matches)
    self->matches = g_ptr_array_new_with_free_func ((GDestroyNotify) clip_match_free);
  while (result == LOOK_NOTHING && self->matches->len < n)
    result = is_over (look) ? give_up (look) : compile_next (self, error);
  return result;
}

/* what is not UTF-8 is looked at all the same */
static LookResult
look_at_bytes (const Look *look, const char *data, gsize length)
{
  for (guint i = 0; i < look->ignore->matches->len; i++)
    {
      ClipMatch *match = look->ignore->matches->pdata[i];
      guint before = match ? clip_match_n_given_up (match) : 0;

      if (!match)
        continue;
      if (is_over (look))
        return give_up (look);
      clip_match_set_deadline (match, look->deadline_us);
      if (clip_match_test (match, data, length))
        return LOOK_FOUND;
      if (clip_match_n_given_up (match) > before)
        return give_up (look);
    }
  return LOOK_NOTHING;
}

static gboolean
is_end (char sign)
{
  return sign == '\0' || sign == '\r' || sign == '\n';
}

/* The mark of a byte order is no letter of a text. Line ends and NULs around it are what
 * programs copy with one: it is looked at without them, too. */
static LookResult
look_behind_mark (const Look *look, const char *text, gsize length)
{
  const gsize mark = strlen (BYTE_ORDER_MARK);
  const gboolean has_mark = length >= mark && memcmp (text, BYTE_ORDER_MARK, mark) == 0;
  const char *begin = has_mark ? text + mark : text;
  const char *end = text + length;
  LookResult result = look_at_bytes (look, begin, (gsize) (end - begin));

  if (result != LOOK_NOTHING || begin == end || (!is_end (*begin) && !is_end (end[-1])))
    return result;
  while (begin < end && is_end (*begin))
    begin++;
  while (begin < end && is_end (end[-1]))
    end--;
  return look_at_bytes (look, begin, (gsize) (end - begin));
}

/* as it is, and where it may be in Latin-1, UTF-16 or UTF-32, as it reads */
static LookResult
look_at_text (const Look *look, GBytes *text)
{
  gsize length;
  const char *data = g_bytes_get_data (text, &length) ?: "";
  LookResult result = look_behind_mark (look, data, length);

  if (!clip_encoding_may_be_wide (data, length))
    return result;
  for (guint i = CLIP_ENCODING_BYTES; result == LOOK_NOTHING && i < CLIP_N_ENCODINGS; i++)
    {
      gsize n_bytes;
      /* a byte more than its characters have hides nothing */
      g_autofree char *read = clip_encoding_read (i, data, length, TRUE, &n_bytes);

      if (read)
        result = look_behind_mark (look, read, n_bytes);
    }
  return result;
}

static LookResult
look_on_thread (const Look *look, GError **error)
{
  LookResult result = compile_on_thread (look, error);

  for (guint i = 0; result == LOOK_NOTHING && i < look->texts->len; i++)
    result = look_at_text (look, look->texts->pdata[i]);
  return result;
}

/**
 * clip_ignore_look_on_thread:
 * @texts: (element-type GBytes): of one entry
 *
 * As clip_ignore_look_async(), at once: for a thread whose own @self is.
 */
gboolean
clip_ignore_look_on_thread (ClipIgnore *self,
                            GPtrArray *texts,
                            gboolean *out_found,
                            GError **error)
{
  const Look look = { .ignore = self, .texts = texts, .cpu_begun_us = cpu_us () };
  const LookResult result = look_on_thread (&look, error);

  *out_found = result == LOOK_FOUND;
  return result != LOOK_FAILED;
}

static void
look_to_the_end_on_thread (gpointer data, gpointer user_data G_GNUC_UNUSED)
{
  g_autoptr (GTask) task = data;
  const Look *look = g_task_get_task_data (task);
  GError *error = NULL;
  gboolean is_found;

  if (clip_ignore_look_on_thread (look->ignore, look->texts, &is_found, &error))
    g_task_return_boolean (task, is_found);
  else
    g_task_return_error (task, error);
}

static void
look_a_moment_on_thread (gpointer data, gpointer long_ones)
{
  g_autoptr (GTask) task = data;
  Look *look = g_task_get_task_data (task);
  GError *error = NULL;
  LookResult result;

  look->deadline_us = g_get_monotonic_time () + MOMENT_US;
  result = look_on_thread (look, &error);
  if (error)
    g_task_return_error (task, error);
  else if (result == LOOK_UNDECIDED)
    g_thread_pool_push (long_ones, g_steal_pointer (&task), NULL);
  else
    g_task_return_boolean (task, result == LOOK_FOUND);
}

/* --- on the main loop --- */

static void
push (const ClipIgnore *self, GTask *task_take)
{
  static GThreadPool *of_displays, *of_calls;

  if (!of_displays)
    {
      of_displays = g_thread_pool_new (look_to_the_end_on_thread, NULL, 1, FALSE, NULL);
      of_calls = g_thread_pool_new (
          look_a_moment_on_thread,
          g_thread_pool_new (look_to_the_end_on_thread, NULL, 1, FALSE, NULL), 1, FALSE,
          NULL);
    }
  g_thread_pool_push (self->forgiven ? of_calls : of_displays, task_take, NULL);
}

static void
look_free (Look *self)
{
  clip_ignore_unref (self->ignore);
  g_ptr_array_unref (self->texts);
  g_free (self);
}

/**
 * clip_ignore_look_async:
 * @texts_take: (element-type GBytes): of one copy
 *
 * Whether the user does not want to have one of them. What takes more than two seconds of
 * the processor is not wanted. Those of clip_ignore_new() end in the order in which they
 * came; those of clip_ignore_new_for_call() serve one call.
 *
 * Errors: %CLIP_ERROR_INVALID_ARGUMENT, without the expression.
 */
void
clip_ignore_look_async (ClipIgnore *self,
                        GPtrArray *texts_take,
                        GAsyncReadyCallback callback,
                        gpointer user_data)
{
  GTask *task = g_task_new (NULL, NULL, callback, user_data);
  Look *look = g_new0 (Look, 1);

  look->ignore = clip_ignore_ref (self);
  look->texts = texts_take;
  g_task_set_source_tag (task, clip_ignore_look_async);
  g_task_set_task_data (task, look, (GDestroyNotify) look_free);
  push (self, task);
}

gboolean
clip_ignore_look_finish (GAsyncResult *result, gboolean *out_found, GError **error)
{
  g_autoptr (GError) local = NULL;

  *out_found = g_task_propagate_boolean (G_TASK (result), &local);
  if (!local)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}
