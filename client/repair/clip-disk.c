/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Whether the disk has room for what is copied, and what follows where it has not. */
#include "clip-disk.h"

#include "clip-error.h"
#include "clip-facts.h"
#include "clip-limits.h"
#include "clip-reader.h"
#include "clip-units.h"
#include "clip-words.h"

#include <string.h>
#include <sys/statvfs.h>

/* less than that is taken by any next copies */
#define FULL_BYTES (1024 * 1024)

typedef struct
{
  gint64 free_bytes;
  gint64 floor_bytes; /* 0 = none is kept free */
} Disk;

/* FALSE where there is no folder yet, or it is unknown, as of ramfs */
static gboolean
look (const char *store, const ClipSettings *settings, Disk *disk)
{
  gint64 floor = clip_settings_number (settings, CLIP_SETTING_MIN_FREE_SPACE);
  struct statvfs status;

  if (statvfs (store, &status) < 0 || status.f_blocks == 0)
    return FALSE;
  disk->free_bytes = (gint64) (status.f_bavail * status.f_frsize);
  /* below 0 it is a share */
  disk->floor_bytes =
      floor < 0 ? (gint64) (status.f_blocks * status.f_frsize) / 100 * -floor : floor;
  return TRUE;
}

static gboolean
is_low (const Disk *disk)
{
  return disk->free_bytes < MAX (disk->floor_bytes, FULL_BYTES);
}

/* What may go for a copy, as clip-change-room has it: a tenth for a floor that nobody has
 * asked for. Of a history that cannot be read it is unknown, and more. */
static gint64
spare_bytes (const char *store, const ClipSettings *settings)
{
  const gboolean is_asked_for =
      clip_settings_is_asked_for (settings, CLIP_SETTING_MIN_FREE_SPACE);
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipReader) reader = clip_reader_open (store, &error);
  ClipTotals totals;

  if (g_error_matches (error, CLIP_ERROR, CLIP_ERROR_NO_HISTORY))
    return 0;
  return reader && clip_reader_totals (reader, &totals, NULL)
             ? (totals.bytes - totals.pinned_bytes) /
                   (is_asked_for ? 1 : CLIP_LIMITS_SHARE)
             : G_MAXINT64;
}

/* whether nothing can be written, and what may go for it is not enough */
static gboolean
is_stuck (const Disk *disk, const char *store, const ClipSettings *settings)
{
  gint64 lacking = CLIP_LIMITS_WORKING_BYTES - disk->free_bytes;

  return lacking > 0 &&
         (disk->floor_bytes == 0 || lacking > spare_bytes (store, settings));
}

/* Returns: whether even a small copy is not kept */
gboolean
clip_disk_refuses (const char *store, const ClipSettings *settings)
{
  Disk disk;

  return look (store, settings, &disk) && is_stuck (&disk, store, settings);
}

/**
 * clip_disk_is_full:
 * @store: the folder of a history, which may not be there yet
 */
gboolean
clip_disk_is_full (const char *store)
{
  g_autofree char *path = g_strdup (store);
  struct statvfs status;

  while (statvfs (path, &status) < 0)
    {
      char *slash = strrchr (path, '/');

      if (!slash)
        return FALSE;
      *slash = '\0';
    }
  /* /proc has no blocks at all */
  return status.f_blocks > 0 && status.f_bavail * status.f_frsize < FULL_BYTES;
}

/* a line where there is less than there is to be */
void
clip_disk_append (GString *out, const char *store, const ClipSettings *settings)
{
  g_autofree char *there = NULL;
  Disk disk;

  if (!look (store, settings, &disk) || !is_low (&disk))
    return;
  there = clip_format_size (disk.free_bytes);
  if (disk.floor_bytes > 0 && !is_stuck (&disk, store, settings))
    clip_facts_append_format (
        out, _ ("disk"),
        _ ("almost full, %s are left and min-free-space is %s: a small copy takes the "
           "place of old entries that are not pinned, a large one is not kept; make "
           "room, "
           "or see “cliphist trim --dry-run”"),
        there, clip_settings_text (settings, CLIP_SETTING_MIN_FREE_SPACE));
  else
    clip_facts_append_format (
        out, _ ("disk"),
        _ ("full, %s are left: copies are not kept before there is more; make room, or "
           "see “cliphist remove --help”"),
        there);
}

/* a member; null where there is nothing to look at. How much is free changes by itself,
 * and others say it. */
void
clip_disk_append_json (GString *out, const char *store, const ClipSettings *settings)
{
  Disk disk;

  if (look (store, settings, &disk))
    g_string_append_printf (out,
                            "\"disk\":{\"low\":%s,\"min_free\":%" G_GINT64_FORMAT "}",
                            is_low (&disk) ? "true" : "false", disk.floor_bytes);
  else
    g_string_append (out, "\"disk\":null");
}
