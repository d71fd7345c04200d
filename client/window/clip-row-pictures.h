/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <cliphist.h>
#include <gtk/gtk.h>
G_BEGIN_DECLS

/* Small pictures, as the daemon has made them; those that were shown last are kept. */
typedef struct ClipRowPictures ClipRowPictures;

ClipRowPictures *clip_row_pictures_new (CliphistHistory *history);
void clip_row_pictures_free (ClipRowPictures *self);
void clip_row_pictures_show (ClipRowPictures *self,
                             CliphistEntry *entry,
                             GtkImage *image);
void clip_row_pictures_forget (GtkImage *image);
GIcon *clip_row_pictures_program_icon (ClipRowPictures *self, const char *program);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipRowPictures, clip_row_pictures_free)

G_END_DECLS
