/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-export.h"
#include "hoard.h"
G_BEGIN_DECLS

void hoard_fill_variously (Hoard *hoard);
GString *hoard_export (Hoard *hoard, ClipExportFilter filter, guint *out_n_left_out);

G_END_DECLS
