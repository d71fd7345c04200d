/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

#define CLIP_ARCHIVE_HASH_BYTES 16

/* what every reader of JSON gives back as it was */
#define CLIP_ARCHIVE_MAX_NUMBER ((G_GINT64_CONSTANT (1) << 53) - 1)

/* nothing is offered in more types than a few dozen */
#define CLIP_ARCHIVE_MAX_CONTENTS 256

/* a content as its line has it: bytes, or the member that they come in */
typedef struct
{
  char *mime;
  gboolean offered; /* by a program, under this name: it is to be chosen from */
  gint64 size;
  GBytes *bytes; /* NULL where there is a member */
  char *member;  /* its name behind the last slash; NULL where there are bytes */
  gboolean has_hash;
  guint8 hash[CLIP_ARCHIVE_HASH_BYTES]; /* XXH3-128, canonical */
} ClipArchiveContent;

/* An entry as its line has it. Times are microseconds since the epoch. */
typedef struct
{
  gint64 id; /* 0 = none */
  gint64 first_us;
  gint64 last_us;
  gint64 copies;
  gint64 expires_us; /* 0 = never */
  gboolean pinned;
  gboolean guessed; /* the type of the primary content has no name */
  char *origin;
  char **tags;         /* NULL = none */
  GPtrArray *contents; /* ClipArchiveContent: the primary one first */
} ClipArchiveEntry;

/* what a line of an archive is */
typedef struct
{
  int version;             /* of the line that an archive begins with; 0 = no such line */
  gboolean is_seal;        /* of the line that a member of lines ends with */
  gint64 n_lines;          /* as the seal says */
  guint64 hash;            /* as the seal says */
  ClipArchiveEntry *entry; /* NULL for the other two */
} ClipArchiveLine;

gboolean clip_archive_line_parse (const char *line,
                                  gsize length,
                                  ClipArchiveLine *out,
                                  GError **error);
gboolean clip_archive_entry_has_files (const ClipArchiveEntry *self);
void clip_archive_entry_free (ClipArchiveEntry *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipArchiveEntry, clip_archive_entry_free)

G_END_DECLS
