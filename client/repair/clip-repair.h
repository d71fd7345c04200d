/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-command.h"
G_BEGIN_DECLS

GVariant *clip_repair (const ClipCommand *command, GError **error);

G_END_DECLS
