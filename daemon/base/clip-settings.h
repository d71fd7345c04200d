/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* every setting there is */
typedef enum
{
#define SETTING(name, ...) CLIP_SETTING_##name,
#include "clip-settings.def"
#undef SETTING
  CLIP_N_SETTINGS,
} ClipSetting;

typedef enum
{
  CLIP_KIND_COUNT,
  CLIP_KIND_SIZE,
  CLIP_KIND_SPACE, /* a size, or a share of the file system in percent */
  CLIP_KIND_DURATION,
  CLIP_KIND_TEXT,
  CLIP_KIND_WORD, /* one of its choices */
  CLIP_KIND_SWITCH,
  CLIP_KIND_LIST, /* a line of the file each, and of the text */
} ClipSettingKind;

/* What a call that stores carries of it, where flag, file or environment set it. */
typedef enum
{
  CLIP_CALL_NONE,
  CLIP_CALL_LIMIT,   /* a number, which counts instead of the daemon's own */
  CLIP_CALL_REFUSAL, /* a list of what is not to be kept, which counts beside it */
} ClipSettingCall;

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
ClipSettingCall clip_settings_call (ClipSetting setting);
const char *clip_settings_choices (ClipSetting setting);
gboolean clip_settings_is_choice (ClipSetting setting, const char *value);
const char *clip_settings_hint (ClipSetting setting, const char *value);
const char *clip_settings_doubt (ClipSetting setting, const char *value);
gboolean clip_settings_find (const char *key, ClipSetting *out_setting);
const char *clip_settings_find_near (const char *key);

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
