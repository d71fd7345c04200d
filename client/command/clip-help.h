/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-settings.h"
#include "clip-verbs.h"
G_BEGIN_DECLS

void clip_help_usage (void);
void clip_help_hint (void);
int clip_help_overview (void);
int clip_help_verb (ClipVerb verb);
int clip_help_version (void);

void clip_help_setting (ClipSetting setting,
                        const char **out_value,
                        const char **out_summary);

G_END_DECLS
