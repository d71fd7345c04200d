/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-verbs.h"
G_BEGIN_DECLS

const char *clip_suggestion_verb (const char *word);
const char *clip_suggestion_option (ClipVerb verb, const char *word);

G_END_DECLS
