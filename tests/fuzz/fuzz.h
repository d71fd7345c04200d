/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What libFuzzer calls; it has no header of its own for it. */
#pragma once
#include <glib.h>

int LLVMFuzzerTestOneInput (const guint8 *data, gsize length);
