/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "cliphist-types.h"
G_BEGIN_DECLS

#define CLIPHIST_TYPE_ENTRY (cliphist_entry_get_type ())
G_DECLARE_FINAL_TYPE (CliphistEntry, cliphist_entry, CLIPHIST, ENTRY, GObject)

G_END_DECLS
