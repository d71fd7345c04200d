/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
#include <sqlite3.h>
G_BEGIN_DECLS

/* What can be wrong with a history. */
typedef enum
{
  CLIP_FINDING_DATABASE, /* the pages; what is in them cannot be relied on */
  CLIP_FINDING_GONE,     /* the database; something else is left of the history */
  CLIP_FINDING_ENTRY,    /* the row of a content */
  CLIP_FINDING_BLOB_MISSING,
  CLIP_FINDING_BLOB_DAMAGED,
  CLIP_FINDING_STRAY, /* a file */
  CLIP_FINDING_MODE,
  CLIP_FINDING_TABLES, /* what other tables say of the entries */
  CLIP_N_FINDINGS,
} ClipFindingKind;

typedef struct
{
  ClipFindingKind kind;
  gint64 id;       /* of the entry; 0 = of none */
  gint64 position; /* of its content; 0 = the primary one */
  /* of that content, which keeps it as others go; 0 = none beside the entry's */
  gint64 row;
  char *object; /* a file below the folder of the history, or "", to be shown */
  char *path;   /* the same, as the file system has it */
  char *text;   /* what was seen */
} ClipFinding;

/* What was looked at, and what was found. */
typedef struct
{
  GPtrArray *findings; /* ClipFinding */
  gint64 n_pages;
  gint64 n_entries;
  gint64 n_contents; /* beside the primary ones */
  gint64 n_blobs;
  gint64 n_bytes; /* of these */
} ClipReport;

ClipReport *clip_report_new (void);
void clip_report_free (ClipReport *self);
void clip_report_add (ClipReport *self,
                      ClipFindingKind kind,
                      gint64 id,
                      const char *object,
                      const char *format,
                      ...) G_GNUC_PRINTF (5, 6);
void clip_report_add_content (ClipReport *self,
                              ClipFindingKind kind,
                              sqlite3_stmt *rows,
                              const char *object,
                              const char *text);
GVariant *clip_report_to_variant (const ClipReport *self,
                                  GPtrArray *repaired,
                                  const char *aside);
GVariant *clip_finding_to_variant (const ClipFinding *self);
gboolean clip_finding_equal (const ClipFinding *a, const ClipFinding *b);
gboolean clip_report_has (const ClipReport *self, ClipFindingKind kind);

const char *clip_finding_name (ClipFindingKind kind);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipReport, clip_report_free)

G_END_DECLS
