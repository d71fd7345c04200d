/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-command.h"
G_BEGIN_DECLS

/* what each verb does */
#define VERB(name, function, ...) int clip_cmd_##function (ClipCommand *command);
#include "clip-verbs.def"
#undef VERB

G_END_DECLS
