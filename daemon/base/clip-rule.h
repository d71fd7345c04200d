/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-settings.h"

G_BEGIN_DECLS

char *clip_rule_fault (ClipSetting setting, const char *value);
const char *clip_rule_doubt (ClipSetting setting, const char *value);
char *clip_rule_between_marks (const char *value);

G_END_DECLS
