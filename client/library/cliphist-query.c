/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "cliphist-enums.h"
#include "cliphist-private.h"

/**
 * CliphistQuery:
 *
 * Which entries a [class@History] has: those that fit everything that is set. A query
 * without anything fits all.
 *
 * It never changes: to search for something else, set another one.
 */
struct _CliphistQuery
{
  GObject parent_instance;
  char **words;    /* (nullable) */
  char *regex;     /* (nullable) */
  char *mime_type; /* (nullable) */
  char *tag;       /* (nullable) */
  char *program;   /* (nullable) */
  CliphistKind kind;
  gboolean pinned;
  gint64 since;
  gint64 until;
};

G_DEFINE_FINAL_TYPE (CliphistQuery, cliphist_query, G_TYPE_OBJECT)

enum
{
  PROP_WORDS = 1,
  PROP_REGEX,
  PROP_KIND,
  PROP_MIME_TYPE,
  PROP_TAG,
  PROP_PROGRAM,
  PROP_PINNED,
  PROP_SINCE,
  PROP_UNTIL,
  N_PROPS,
};

static void
cliphist_query_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  const CliphistQuery *self = CLIPHIST_QUERY (object);

  switch (id)
    {
    case PROP_WORDS:
      g_value_set_boxed (value, self->words);
      break;
    case PROP_REGEX:
      g_value_set_string (value, self->regex);
      break;
    case PROP_KIND:
      g_value_set_enum (value, (int) self->kind);
      break;
    case PROP_MIME_TYPE:
      g_value_set_string (value, self->mime_type);
      break;
    case PROP_TAG:
      g_value_set_string (value, self->tag);
      break;
    case PROP_PROGRAM:
      g_value_set_string (value, self->program);
      break;
    case PROP_PINNED:
      g_value_set_boolean (value, self->pinned);
      break;
    case PROP_SINCE:
      g_value_set_int64 (value, self->since);
      break;
    case PROP_UNTIL:
      g_value_set_int64 (value, self->until);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
    }
}

/* each is set once, at construction */
static void
cliphist_query_set_property (GObject *object,
                             guint id,
                             const GValue *value,
                             GParamSpec *spec)
{
  CliphistQuery *self = CLIPHIST_QUERY (object);

  switch (id)
    {
    case PROP_WORDS:
      self->words = g_value_dup_boxed (value);
      break;
    case PROP_REGEX:
      self->regex = g_value_dup_string (value);
      break;
    case PROP_KIND:
      self->kind = (CliphistKind) g_value_get_enum (value);
      break;
    case PROP_MIME_TYPE:
      self->mime_type = g_value_dup_string (value);
      break;
    case PROP_TAG:
      self->tag = g_value_dup_string (value);
      break;
    case PROP_PROGRAM:
      self->program = g_value_dup_string (value);
      break;
    case PROP_PINNED:
      self->pinned = g_value_get_boolean (value);
      break;
    case PROP_SINCE:
      self->since = g_value_get_int64 (value);
      break;
    case PROP_UNTIL:
      self->until = g_value_get_int64 (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
    }
}

static void
cliphist_query_finalize (GObject *object)
{
  CliphistQuery *self = CLIPHIST_QUERY (object);

  g_strfreev (self->words);
  g_free (self->regex);
  g_free (self->mime_type);
  g_free (self->tag);
  g_free (self->program);
  G_OBJECT_CLASS (cliphist_query_parent_class)->finalize (object);
}

static void
install_texts (GObjectClass *klass, GParamFlags flags)
{
  /**
   * CliphistQuery:words:
   *
   * All of them must occur in the text. Case does not count, nor do diacritics in a word
   * that has none. They are data, never patterns. 64 words of 4096 bytes at most.
   */
  g_object_class_install_property (
      klass, PROP_WORDS, g_param_spec_boxed ("words", NULL, NULL, G_TYPE_STRV, flags));
  /**
   * CliphistQuery:regex:
   *
   * A regular expression (PCRE2) that must match, of 4096 bytes at most.
   */
  g_object_class_install_property (
      klass, PROP_REGEX, g_param_spec_string ("regex", NULL, NULL, NULL, flags));
  /**
   * CliphistQuery:mime-type:
   *
   * A MIME type that the entry must hold.
   */
  g_object_class_install_property (
      klass, PROP_MIME_TYPE, g_param_spec_string ("mime-type", NULL, NULL, NULL, flags));
  /**
   * CliphistQuery:tag:
   *
   * A tag that the entry must have.
   */
  g_object_class_install_property (klass, PROP_TAG,
                                   g_param_spec_string ("tag", NULL, NULL, NULL, flags));
  /**
   * CliphistQuery:program:
   *
   * Part of the name of the program that the entry was copied in. Case does not count.
   */
  g_object_class_install_property (
      klass, PROP_PROGRAM, g_param_spec_string ("program", NULL, NULL, NULL, flags));
}

static void
cliphist_query_class_init (CliphistQueryClass *klass)
{
  const GParamFlags flags =
      G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS;
  GObjectClass *object = G_OBJECT_CLASS (klass);

  object->get_property = cliphist_query_get_property;
  object->set_property = cliphist_query_set_property;
  object->finalize = cliphist_query_finalize;
  install_texts (object, flags);
  /**
   * CliphistQuery:kind:
   *
   * Entries of this kind only.
   */
  g_object_class_install_property (object, PROP_KIND,
                                   g_param_spec_enum ("kind", NULL, NULL,
                                                      CLIPHIST_TYPE_KIND,
                                                      CLIPHIST_KIND_ANY, flags));
  /**
   * CliphistQuery:pinned:
   *
   * Pinned entries only.
   */
  g_object_class_install_property (
      object, PROP_PINNED, g_param_spec_boolean ("pinned", NULL, NULL, FALSE, flags));
  /**
   * CliphistQuery:since:
   *
   * Last copied not before: microseconds since the epoch; 0 is any time.
   */
  g_object_class_install_property (
      object, PROP_SINCE,
      g_param_spec_int64 ("since", NULL, NULL, 0, G_MAXINT64, 0, flags));
  /**
   * CliphistQuery:until:
   *
   * Last copied not after: microseconds since the epoch; 0 is any time.
   */
  g_object_class_install_property (
      object, PROP_UNTIL,
      g_param_spec_int64 ("until", NULL, NULL, 0, G_MAXINT64, 0, flags));
}

static void
cliphist_query_init (CliphistQuery *self G_GNUC_UNUSED)
{
}

/**
 * cliphist_query_new:
 * @words: (nullable) (array zero-terminated=1): [property@Query:words]
 *
 * A query with more than words is made with its properties: `g_object_new ()`.
 *
 * Returns: (transfer full): a new query
 */
CliphistQuery *
cliphist_query_new (const char *const *words)
{
  return g_object_new (CLIPHIST_TYPE_QUERY, "words", words, NULL);
}

static void
add_text (GVariantBuilder *builder, const char *key, const char *text)
{
  if (text && *text)
    g_variant_builder_add (builder, "{sv}", key, g_variant_new_string (text));
}

static void
add_time (GVariantBuilder *builder, const char *key, gint64 time)
{
  if (time != 0)
    g_variant_builder_add (builder, "{sv}", key, g_variant_new_int64 (time));
}

/* @self: (nullable). (transfer floating): a{sv}, as List takes it; 0 of @before and
   @after is none */
GVariant *
cliphist_query_to_variant (CliphistQuery *self,
                           guint64 before,
                           guint64 after,
                           guint limit)
{
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE_VARDICT);
  if (before)
    g_variant_builder_add (&builder, "{sv}", "before", g_variant_new_uint64 (before));
  if (after)
    g_variant_builder_add (&builder, "{sv}", "after", g_variant_new_uint64 (after));
  g_variant_builder_add (&builder, "{sv}", "limit", g_variant_new_uint32 (limit));
  if (!self)
    return g_variant_builder_end (&builder);
  if (self->words && *self->words)
    g_variant_builder_add (&builder, "{sv}", "words",
                           g_variant_new_strv ((const char *const *) self->words, -1));
  add_text (&builder, "regex", self->regex);
  add_text (&builder, "mime", self->mime_type);
  add_text (&builder, "tag", self->tag);
  add_text (&builder, "program", self->program);
  add_text (&builder, "class", cliphist_kind_name (self->kind));
  if (self->pinned)
    g_variant_builder_add (&builder, "{sv}", "pinned", g_variant_new_boolean (TRUE));
  add_time (&builder, "since", self->since);
  add_time (&builder, "until", self->until);
  return g_variant_builder_end (&builder);
}
