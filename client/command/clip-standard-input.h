/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
#include <stdio.h>
#include <sys/types.h>
G_BEGIN_DECLS

gssize clip_standard_input_read (void *buffer, gsize size);
FILE *clip_standard_input_stream (void);

G_END_DECLS
