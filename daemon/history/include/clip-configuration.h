/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-settings.h"

#include <gio/gio.h>
G_BEGIN_DECLS

/* The settings in force: environment and configuration file, read again whenever the file
 * changes. */
typedef struct ClipConfiguration ClipConfiguration;

typedef void (*ClipConfigurationFunc) (const ClipSettings *settings, gpointer user_data);

ClipConfiguration *clip_configuration_new (void);
void clip_configuration_free (ClipConfiguration *self);
const ClipSettings *clip_configuration_settings (ClipConfiguration *self);
void clip_configuration_watch (ClipConfiguration *self,
                               ClipConfigurationFunc changed,
                               gpointer user_data);
void clip_configuration_reload (ClipConfiguration *self);
void clip_configuration_set_rest (ClipConfiguration *self, guint ms);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipConfiguration, clip_configuration_free)

G_END_DECLS
