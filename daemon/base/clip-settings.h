/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* Every setting there is. The table in clip-settings.c says key, kind and default of
 * each. */
typedef enum
{
  CLIP_SETTING_MAX_ITEMS,
  CLIP_SETTING_MAX_DEDUPE_SEARCH,
  CLIP_SETTING_MIN_STORE_LENGTH,
  CLIP_SETTING_MAX_STORE_SIZE,
  CLIP_SETTING_PREVIEW_WIDTH,
  CLIP_SETTING_DB_PATH,
  CLIP_SETTING_CONFIG_PATH,
  CLIP_SETTING_MAX_TOTAL_SIZE,
  CLIP_SETTING_MAX_AGE,
  CLIP_SETTING_MIN_FREE_SPACE,
  CLIP_SETTING_PERSIST,
  CLIP_SETTING_NOTIFY,
  CLIP_SETTING_NOTIFY_COPIES,
  CLIP_SETTING_ALLOW_SANDBOXED,
  CLIP_SETTING_PICKER,
  CLIP_SETTING_PRIMARY,
  CLIP_SETTING_IGNORE_MIME,
  CLIP_SETTING_IGNORE_PATTERN,
  CLIP_SETTING_IGNORE_APP,
  CLIP_SETTING_CLEAR_ON,
  CLIP_N_SETTINGS,
} ClipSetting;

typedef enum
{
  CLIP_KIND_COUNT,
  CLIP_KIND_SIZE,
  CLIP_KIND_SPACE, /* a size, or a share of the file system in percent */
  CLIP_KIND_DURATION,
  CLIP_KIND_TEXT,
  CLIP_KIND_SWITCH,
  CLIP_KIND_LIST, /* as many as there are lines in the file; the text has a line for each */
} ClipSettingKind;

/* Where a value comes from; a later one overrides an earlier one. */
typedef enum
{
  CLIP_FROM_DEFAULT,
  CLIP_FROM_ENVIRONMENT,
  CLIP_FROM_FILE,
  CLIP_FROM_FLAG,
} ClipSettingOrigin;

typedef struct ClipSettings ClipSettings;

ClipSettings *clip_settings_new (void);
ClipSettings *clip_settings_copy (const ClipSettings *self);
void clip_settings_free (ClipSettings *self);

const char *clip_settings_key (ClipSetting setting);
ClipSettingKind clip_settings_kind (ClipSetting setting);
gboolean clip_settings_find (const char *key, ClipSetting *out_setting);

gboolean clip_settings_set (ClipSettings *self,
                            ClipSetting setting,
                            const char *value,
                            ClipSettingOrigin origin,
                            GError **error);
void clip_settings_set_number (ClipSettings *self,
                               ClipSetting setting,
                               gint64 number,
                               ClipSettingOrigin origin);
void clip_settings_take_over (ClipSettings *self,
                              ClipSetting setting,
                              const ClipSettings *other);
gboolean clip_settings_load_environment (ClipSettings *self,
                                         const char *prefix,
                                         GError **error);
gboolean clip_settings_load_file (ClipSettings *self, const char *path, GError **error);

gint64 clip_settings_number (const ClipSettings *self, ClipSetting setting);
const char *clip_settings_text (const ClipSettings *self, ClipSetting setting);
gboolean clip_settings_is_asked_for (const ClipSettings *self, ClipSetting setting);
char **clip_settings_list (const ClipSettings *self, ClipSetting setting);
void clip_settings_forgive (ClipSettings *self);
void clip_settings_complain (ClipSettings *self, const char *text);
gboolean clip_settings_is_unknown (const ClipSettings *self, ClipSetting setting);
const char *const *clip_settings_complaints (const ClipSettings *self);
ClipSettingOrigin clip_settings_origin (const ClipSettings *self, ClipSetting setting);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipSettings, clip_settings_free)

G_END_DECLS
