/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "cliphist-enums.h"
#include "cliphist-private.h"

#include <string.h>

/**
 * CliphistEntry:
 *
 * An entry of the history, as it was when it was read. It never changes: when the history
 * does, [class@History] has another object in its place.
 *
 * Its texts are hostile: any program may have copied them. None is markup.
 */
struct _CliphistEntry
{
  GObject parent_instance;
  guint64 id;
  GVariant *row; /* a{sv}, as the D-Bus interface describes an entry */
};

G_DEFINE_FINAL_TYPE (CliphistEntry, cliphist_entry, G_TYPE_OBJECT)

enum
{
  PROP_ID = 1,
  PROP_KIND,
  PROP_PREVIEW,
  PROP_SNIPPET,
  PROP_SNIPPET_START,
  PROP_SNIPPET_END,
  PROP_MATCH_START,
  PROP_MATCH_END,
  PROP_MIME_TYPE,
  PROP_MIME_TYPES,
  PROP_SIZE,
  PROP_WIDTH,
  PROP_HEIGHT,
  PROP_CREATED,
  PROP_USED,
  PROP_COPIES,
  PROP_EXPIRES,
  PROP_PINNED,
  PROP_TAGS,
  PROP_ORIGIN,
  PROP_PROGRAM,
  N_PROPS,
};

/* by the property: the key of the row that is its value as it stands */
static const char *const keys[N_PROPS] = {
  [PROP_PREVIEW] = "preview", [PROP_SNIPPET] = "snippet", [PROP_MIME_TYPE] = "mime",
  [PROP_SIZE] = "size",       [PROP_WIDTH] = "width",     [PROP_HEIGHT] = "height",
  [PROP_CREATED] = "first",   [PROP_USED] = "last",       [PROP_COPIES] = "copies",
  [PROP_EXPIRES] = "expires", [PROP_PINNED] = "pinned",   [PROP_TAGS] = "tags",
  [PROP_ORIGIN] = "origin",
};

static const char *const kind_names[] = {
  [CLIPHIST_KIND_ANY] = NULL,      [CLIPHIST_KIND_TEXT] = "text",
  [CLIPHIST_KIND_IMAGE] = "image", [CLIPHIST_KIND_FILES] = "files",
  [CLIPHIST_KIND_OTHER] = "other",
};

/* (nullable): %NULL of any */
const char *
cliphist_kind_name (CliphistKind kind)
{
  return (guint) kind < G_N_ELEMENTS (kind_names) ? kind_names[kind] : NULL;
}

/* a name that we do not know yet is another kind */
static CliphistKind
kind_from_name (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (kind_names); i++)
    if (g_strcmp0 (kind_names[i], name) == 0)
      return (CliphistKind) i;
  return CLIPHIST_KIND_OTHER;
}

/* stays at the default where the row has no such key, or one of another type */
static void
get_plain (const CliphistEntry *self, const char *key, GValue *value, GParamSpec *spec)
{
  g_autoptr (GVariant) found = g_variant_lookup_value (self->row, key, NULL);
  GValue raw = G_VALUE_INIT;

  g_param_value_set_default (spec, value);
  if (!found)
    return;
  g_dbus_gvariant_to_gvalue (found, &raw);
  if (G_VALUE_TYPE (&raw) == G_VALUE_TYPE (value))
    g_value_copy (&raw, value);
  g_value_unset (&raw);
}

static CliphistKind
get_kind (const CliphistEntry *self)
{
  const char *name = "";

  g_variant_lookup (self->row, "class", "&s", &name);
  return kind_from_name (name);
}

/* (transfer full) (nullable): what Lookup told, and List does not */
static char **
get_mime_types (const CliphistEntry *self)
{
  g_autoptr (GVariant) contents =
      g_variant_lookup_value (self->row, "contents", G_VARIANT_TYPE ("a(st)"));
  g_autoptr (GStrvBuilder) types = g_strv_builder_new ();
  GVariantIter iter;
  const char *type;

  if (!contents)
    return NULL;
  g_variant_iter_init (&iter, contents);
  while (g_variant_iter_next (&iter, "(&st)", &type, NULL))
    g_strv_builder_add (types, type);
  return g_strv_builder_end (types);
}

/* "BACKEND SELECTION PROGRAM": what follows on the second blank */
static const char *
get_program (const CliphistEntry *self)
{
  const char *origin = NULL, *selection = NULL, *program = NULL;

  if (g_variant_lookup (self->row, "origin", "&s", &origin))
    selection = strchr (origin, ' ');
  if (selection)
    program = strchr (selection + 1, ' ');
  return program && program[1] ? program + 1 : NULL;
}

static guint64
get_place (const CliphistEntry *self, guint property)
{
  guint64 start = 0, end = 0;
  guint32 snippet_start = 0, snippet_end = 0;

  g_variant_lookup (self->row, "match", "(tt)", &start, &end);
  g_variant_lookup (self->row, "snippet-match", "(uu)", &snippet_start, &snippet_end);
  switch (property)
    {
    case PROP_MATCH_START:
      return start;
    case PROP_MATCH_END:
      return end;
    case PROP_SNIPPET_START:
      return snippet_start;
    default:
      return snippet_end;
    }
}

static void
cliphist_entry_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  const CliphistEntry *self = CLIPHIST_ENTRY (object);

  switch (id)
    {
    case PROP_ID:
      g_value_set_uint64 (value, self->id);
      break;
    case PROP_KIND:
      g_value_set_enum (value, (int) get_kind (self));
      break;
    case PROP_MIME_TYPES:
      g_value_take_boxed (value, get_mime_types (self));
      break;
    case PROP_PROGRAM:
      g_value_set_string (value, get_program (self));
      break;
    case PROP_MATCH_START:
    case PROP_MATCH_END:
      g_value_set_uint64 (value, get_place (self, id));
      break;
    case PROP_SNIPPET_START:
    case PROP_SNIPPET_END:
      g_value_set_uint (value, (guint) get_place (self, id));
      break;
    default:
      if (id < N_PROPS && keys[id])
        get_plain (self, keys[id], value, spec);
      else
        G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
    }
}

static void
cliphist_entry_finalize (GObject *object)
{
  g_variant_unref (CLIPHIST_ENTRY (object)->row);
  G_OBJECT_CLASS (cliphist_entry_parent_class)->finalize (object);
}

#define READABLE (G_PARAM_READABLE | G_PARAM_STATIC_STRINGS)

static void
install_uint64 (GObjectClass *klass, guint id, const char *name)
{
  g_object_class_install_property (
      klass, id, g_param_spec_uint64 (name, NULL, NULL, 0, G_MAXUINT64, 0, READABLE));
}

static void
install_int64 (GObjectClass *klass, guint id, const char *name)
{
  g_object_class_install_property (
      klass, id,
      g_param_spec_int64 (name, NULL, NULL, G_MININT64, G_MAXINT64, 0, READABLE));
}

static void
install_uint (GObjectClass *klass, guint id, const char *name)
{
  g_object_class_install_property (
      klass, id, g_param_spec_uint (name, NULL, NULL, 0, G_MAXUINT, 0, READABLE));
}

static void
install_string (GObjectClass *klass, guint id, const char *name)
{
  g_object_class_install_property (
      klass, id, g_param_spec_string (name, NULL, NULL, NULL, READABLE));
}

static void
install_strv (GObjectClass *klass, guint id, const char *name)
{
  g_object_class_install_property (
      klass, id, g_param_spec_boxed (name, NULL, NULL, G_TYPE_STRV, READABLE));
}

/* what it is */
static void
install_nature (GObjectClass *klass)
{
  /**
   * CliphistEntry:id:
   *
   * The id. It is the order, too: a newer entry has the higher one, and one that is
   * copied again gets another.
   */
  install_uint64 (klass, PROP_ID, "id");
  /**
   * CliphistEntry:kind:
   *
   * What it is.
   */
  g_object_class_install_property (klass, PROP_KIND,
                                   g_param_spec_enum ("kind", NULL, NULL,
                                                      CLIPHIST_TYPE_KIND,
                                                      CLIPHIST_KIND_OTHER, READABLE));
  /**
   * CliphistEntry:mime-type:
   *
   * The MIME type of its primary content.
   */
  install_string (klass, PROP_MIME_TYPE, "mime-type");
  /**
   * CliphistEntry:mime-types:
   *
   * (nullable): The MIME types of its contents, the primary one first. %NULL in a list:
   * only [method@History.lookup_async] tells.
   */
  install_strv (klass, PROP_MIME_TYPES, "mime-types");
  /**
   * CliphistEntry:size:
   *
   * Bytes of its primary content.
   */
  install_uint64 (klass, PROP_SIZE, "size");
  /**
   * CliphistEntry:width:
   *
   * Of a picture, in pixels; 0 where it is not known.
   */
  install_uint (klass, PROP_WIDTH, "width");
  /**
   * CliphistEntry:height:
   *
   * Of a picture, in pixels; 0 where it is not known.
   */
  install_uint (klass, PROP_HEIGHT, "height");
}

/* what is shown of it */
static void
install_text (GObjectClass *klass)
{
  /**
   * CliphistEntry:preview:
   *
   * The beginning of a text as one line, or what stands for something else: UTF-8 without
   * control characters. It may be long.
   */
  install_string (klass, PROP_PREVIEW, "preview");
  /**
   * CliphistEntry:snippet:
   *
   * (nullable): Of an entry that was searched by words or an expression: the part of its
   * text around the first match, as one line without control characters. %NULL otherwise.
   */
  install_string (klass, PROP_SNIPPET, "snippet");
  /**
   * CliphistEntry:snippet-start:
   *
   * Where in [property@Entry:snippet] the match begins, in bytes.
   */
  install_uint (klass, PROP_SNIPPET_START, "snippet-start");
  /**
   * CliphistEntry:snippet-end:
   *
   * Where in [property@Entry:snippet] the match ends, in bytes.
   */
  install_uint (klass, PROP_SNIPPET_END, "snippet-end");
  /**
   * CliphistEntry:match-start:
   *
   * Where in the primary content the first match begins, in bytes; 0 without a search.
   */
  install_uint64 (klass, PROP_MATCH_START, "match-start");
  /**
   * CliphistEntry:match-end:
   *
   * Where in the primary content the first match ends, in bytes; 0 without a search.
   */
  install_uint64 (klass, PROP_MATCH_END, "match-end");
}

/* what became of it */
static void
install_course (GObjectClass *klass)
{
  /**
   * CliphistEntry:created:
   *
   * When it was first copied: microseconds since the epoch.
   */
  install_int64 (klass, PROP_CREATED, "created");
  /**
   * CliphistEntry:used:
   *
   * When it was last copied: microseconds since the epoch.
   */
  install_int64 (klass, PROP_USED, "used");
  /**
   * CliphistEntry:copies:
   *
   * How often it was copied.
   */
  install_uint64 (klass, PROP_COPIES, "copies");
  /**
   * CliphistEntry:expires:
   *
   * When it goes by itself: microseconds since the epoch; 0 is never.
   */
  install_int64 (klass, PROP_EXPIRES, "expires");
  /**
   * CliphistEntry:pinned:
   *
   * Whether it survives limits, expiry and wiping.
   */
  g_object_class_install_property (
      klass, PROP_PINNED, g_param_spec_boolean ("pinned", NULL, NULL, FALSE, READABLE));
  /**
   * CliphistEntry:tags:
   *
   * (nullable): Its tags.
   */
  install_strv (klass, PROP_TAGS, "tags");
  /**
   * CliphistEntry:origin:
   *
   * Where it was copied, as far as that is known: `BACKEND SELECTION PROGRAM`, or less.
   */
  install_string (klass, PROP_ORIGIN, "origin");
  /**
   * CliphistEntry:program:
   *
   * (nullable): The program that it was copied in, where the desktop tells.
   */
  install_string (klass, PROP_PROGRAM, "program");
}

static void
cliphist_entry_class_init (CliphistEntryClass *klass)
{
  GObjectClass *object = G_OBJECT_CLASS (klass);

  object->get_property = cliphist_entry_get_property;
  object->finalize = cliphist_entry_finalize;
  install_nature (object);
  install_text (object);
  install_course (object);
}

static void
cliphist_entry_init (CliphistEntry *self G_GNUC_UNUSED)
{
}

/* @row: a{sv} */
CliphistEntry *
cliphist_entry_new (GVariant *row)
{
  CliphistEntry *self = g_object_new (CLIPHIST_TYPE_ENTRY, NULL);

  self->row = g_variant_ref (row);
  g_variant_lookup (self->row, "id", "t", &self->id);
  return self;
}

/* what it is before it is read again under its new id */
CliphistEntry *
cliphist_entry_new_moved (const CliphistEntry *self, guint64 id)
{
  CliphistEntry *moved = g_object_new (CLIPHIST_TYPE_ENTRY, NULL);

  moved->row = g_variant_ref (self->row);
  moved->id = id;
  return moved;
}

guint64
cliphist_entry_get_id (const CliphistEntry *self)
{
  return self->id;
}

gboolean
cliphist_entry_is_same (const CliphistEntry *self, const CliphistEntry *other)
{
  return self->id == other->id && g_variant_equal (self->row, other->row);
}
