/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* Standard input as a file with a name, for who has to read it twice. There is one at a
 * time; it goes with us, also when a signal ends us. */
typedef struct ClipSpool ClipSpool;

ClipSpool *clip_spool_new (GError **error);
void clip_spool_free (ClipSpool *self);
const char *clip_spool_path (const ClipSpool *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipSpool, clip_spool_free)

G_END_DECLS
