/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-report.h"

#include <glib/gi18n.h>

/* what a kind of finding is called, what it means, and what a repair does about it */
static const struct
{
  const char *name;
  const char *meaning;
  const char *remedy;
} kinds[CLIP_N_FINDINGS] = {
  [CLIP_FINDING_DATABASE] = { "database", N_ ("some entries may be lost"),
                              N_ ("what can be read moves to a new database, and the "
                                  "damaged one is set aside") },
  [CLIP_FINDING_GONE] = { "database-gone", N_ ("the entries are lost"),
                          N_ ("the files are set aside") },
  [CLIP_FINDING_ENTRY] = { "entry", N_ ("the content is not served any more"),
                           N_ ("what is left of it is set aside") },
  [CLIP_FINDING_BLOB_MISSING] = { "blob-missing", N_ ("the content is lost"),
                                  N_ ("what is left of the entry is set aside") },
  [CLIP_FINDING_BLOB_DAMAGED] = { "blob-damaged",
                                  N_ ("the content is not served any more"),
                                  N_ ("what is left of it is set aside") },
  [CLIP_FINDING_STRAY] = { "stray-file", N_ ("no entry uses it"),
                           N_ ("it is set aside") },
  [CLIP_FINDING_MODE] = { "mode", N_ ("others may read it"), N_ ("it is corrected") },
  [CLIP_FINDING_TABLES] = { "tables", N_ ("its parts contradict each other"),
                            N_ ("it is corrected") },
};

static void
free_finding (gpointer data)
{
  ClipFinding *finding = data;

  g_free (finding->object);
  g_free (finding->path);
  g_free (finding->text);
  g_free (finding);
}

ClipReport *
clip_report_new (void)
{
  ClipReport *self = g_new0 (ClipReport, 1);

  self->findings = g_ptr_array_new_with_free_func (free_finding);
  return self;
}

void
clip_report_free (ClipReport *self)
{
  if (!self)
    return;
  g_ptr_array_unref (self->findings);
  g_free (self);
}

/**
 * clip_report_add:
 * @id: of the entry, or 0
 * @object: a file below the folder of the history, or ""
 * @format: what was seen; never a content
 */
void
clip_report_add (ClipReport *self,
                 ClipFindingKind kind,
                 gint64 id,
                 const char *object,
                 const char *format,
                 ...)
{
  ClipFinding *finding = g_new0 (ClipFinding, 1);
  g_autofree char *text = NULL;
  va_list args;

  finding->kind = kind;
  finding->id = id;
  finding->object = g_utf8_make_valid (object, -1);
  finding->path = g_strdup (object);
  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  finding->text = g_utf8_make_valid (text, -1);
  g_ptr_array_add (self->findings, finding);
}

/* @rows: an entry, the position of its content, and the row of that */
void
clip_report_add_content (ClipReport *self,
                         ClipFindingKind kind,
                         sqlite3_stmt *rows,
                         const char *object,
                         const char *text)
{
  ClipFinding *finding;

  clip_report_add (self, kind, sqlite3_column_int64 (rows, 0), object, "%s", text);
  finding = self->findings->pdata[self->findings->len - 1];
  finding->position = sqlite3_column_int64 (rows, 1);
  finding->row = sqlite3_column_int64 (rows, 2);
}

gboolean
clip_report_has (const ClipReport *self, ClipFindingKind kind)
{
  for (guint i = 0; i < self->findings->len; i++)
    if (((const ClipFinding *) self->findings->pdata[i])->kind == kind)
      return TRUE;
  return FALSE;
}

static void
add (GVariantBuilder *dict, const char *key, GVariant *value)
{
  g_variant_builder_add (dict, "{sv}", key, value);
}

/* (transfer floating): an a{sv}, as one of those in what Check answers */
GVariant *
clip_finding_to_variant (const ClipFinding *self)
{
  GVariantBuilder dict;

  g_variant_builder_init (&dict, G_VARIANT_TYPE_VARDICT);
  add (&dict, "kind", g_variant_new_string (clip_finding_name (self->kind)));
  add (&dict, "id", g_variant_new_uint64 ((guint64) self->id));
  add (&dict, "position", g_variant_new_uint64 ((guint64) self->position));
  add (&dict, "object", g_variant_new_string (self->object));
  add (&dict, "text", g_variant_new_string (self->text));
  add (&dict, "meaning", g_variant_new_string (kinds[self->kind].meaning));
  add (&dict, "remedy", g_variant_new_string (kinds[self->kind].remedy));
  return g_variant_builder_end (&dict);
}

static GVariant *
describe_all (const GPtrArray *findings)
{
  GVariantBuilder list;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; findings && i < findings->len; i++)
    g_variant_builder_add_value (&list, clip_finding_to_variant (findings->pdata[i]));
  return g_variant_builder_end (&list);
}

/**
 * clip_report_to_variant:
 * @repaired: (nullable) (element-type ClipFinding): what was found, and is not any more
 * @aside: the folder of what a repair has set aside; "" for none
 *
 * Returns: (transfer floating): an a{sv}, as Check answers it
 */
GVariant *
clip_report_to_variant (const ClipReport *self, GPtrArray *repaired, const char *aside)
{
  GVariantBuilder dict;

  g_variant_builder_init (&dict, G_VARIANT_TYPE_VARDICT);
  add (&dict, "ok", g_variant_new_boolean (self->findings->len == 0));
  add (&dict, "findings", describe_all (self->findings));
  add (&dict, "repaired", describe_all (repaired));
  add (&dict, "aside", g_variant_new_string (aside));
  add (&dict, "pages", g_variant_new_uint64 ((guint64) self->n_pages));
  add (&dict, "entries", g_variant_new_uint64 ((guint64) self->n_entries));
  add (&dict, "contents", g_variant_new_uint64 ((guint64) self->n_contents));
  add (&dict, "blobs", g_variant_new_uint64 ((guint64) self->n_blobs));
  add (&dict, "bytes", g_variant_new_uint64 ((guint64) self->n_bytes));
  return g_variant_builder_end (&dict);
}

/* one word, for programs */
const char *
clip_finding_name (ClipFindingKind kind)
{
  return kinds[kind].name;
}

/* whether both say the same of the same: a content has another position once one before
 * it went */
gboolean
clip_finding_equal (const ClipFinding *a, const ClipFinding *b)
{
  return a->kind == b->kind && a->id == b->id && a->row == b->row &&
         g_str_equal (a->path, b->path);
}
