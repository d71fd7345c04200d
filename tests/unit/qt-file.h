/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* Writes histories as programs of Qt have them: Klipper's list, and CopyQ's tabs and exports. */
typedef enum
{
  QT_FILE_KLIPPER,
  QT_FILE_COPYQ_TAB,
  QT_FILE_COPYQ_2, /* exports, by the number of their format */
  QT_FILE_COPYQ_3,
  QT_FILE_COPYQ_4,
  QT_FILE_N_KINDS,
} QtFileKind;

typedef struct
{
  char *mime;
  GBytes *bytes;
} QtContent;

/* an item is a list of QtContent; of Klipper's only the first one counts */
typedef struct
{
  GPtrArray *items; /* (element-type GPtrArray), the newest one first */
  gboolean is_packed;
} QtFile;

QtFile *qt_file_new (void);
void qt_file_free (QtFile *self);
void qt_file_add_item (QtFile *self);
void qt_file_add (QtFile *self, const char *mime, const void *data, gsize length);
GByteArray *qt_file_make (const QtFile *self, QtFileKind kind);
gboolean qt_file_kind_from_name (const char *name, QtFileKind *out_kind);
void qt_file_sign (GByteArray *klipper);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (QtFile, qt_file_free)

G_END_DECLS
