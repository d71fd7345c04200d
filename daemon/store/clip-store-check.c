/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What takes long and concerns all of the history: each call is a task for a thread of
 * its own, which reads beside everybody else, and asks the writer for small changes.
 */
#define G_LOG_DOMAIN "clip-store"
#include "clip-store-private.h"

#include "clip-check.h"
#include "clip-error.h"
#include "clip-salvage.h"

#include <errno.h>
#include <sys/stat.h>

/* one repair may uncover what the next one has to do */
#define MAX_ROUNDS 5

/* ends with its caller */
static GVariant *
check (ClipStore *self, GCancellable *cancellable, GError **error)
{
  gulong handler = clip_store_heed (self, cancellable, &self->check_stops);
  g_autoptr (ClipReport) report = clip_check (self->dir, &self->check_stops, error);

  g_cancellable_disconnect (cancellable, handler);

  return report ? clip_report_to_variant (report, NULL, "") : NULL;
}

static gboolean
repair_one (ClipStore *self, ClipAside *aside, const ClipFinding *finding, GError **error)
{
  return clip_store_change_wait (self, clip_change_repair (aside, finding), NULL, error);
}

/* the writer goes on in the new one before anything else is asked of it */
static gboolean
salvage (ClipStore *self, ClipAside *aside, GError **error)
{
  return clip_salvage (self->dir, &self->stops, aside, error) &&
         clip_store_change_wait (self, clip_change_sweep (NULL), NULL, error);
}

static gboolean
repair_mode (ClipStore *self, const char *object, GError **error)
{
  g_autofree char *path = g_build_filename (self->dir, object, NULL);
  struct stat status;

  return (stat (path, &status) == 0 && chmod (path, status.st_mode & 0700) == 0) ||
         clip_set_errno (error, errno, "set the mode of '%s' right", path);
}

static gboolean
repair_all (ClipStore *self, ClipAside *aside, const ClipReport *report, GError **error)
{
  gboolean tidies = FALSE;

  /* of rows that cannot be relied on nothing is set right */
  if (clip_report_has (report, CLIP_FINDING_DATABASE))
    return salvage (self, aside, error);
  for (guint i = 0; i < report->findings->len; i++)
    {
      const ClipFinding *finding = report->findings->pdata[i];
      gboolean done = TRUE;

      if (finding->kind == CLIP_FINDING_MODE)
        done = repair_mode (self, finding->path, error);
      else if (finding->kind != CLIP_FINDING_TABLES && finding->kind != CLIP_FINDING_GONE)
        done = repair_one (self, aside, finding, error);
      if (!done)
        {
          /* what was set right before it is counted */
          if (tidies)
            repair_one (self, aside, NULL, NULL);
          return FALSE;
        }
      tidies = tidies || (finding->kind != CLIP_FINDING_MODE &&
                          finding->kind != CLIP_FINDING_STRAY);
    }
  return !tidies || repair_one (self, aside, NULL, error);
}

static gboolean
has (const GPtrArray *findings, const ClipFinding *finding)
{
  for (guint i = 0; i < findings->len; i++)
    if (clip_finding_equal (findings->pdata[i], finding))
      return TRUE;
  return FALSE;
}

/* what was found in any round, and is not any more */
static GPtrArray *
list_repaired (const GPtrArray *reports, const ClipReport *last)
{
  GPtrArray *repaired = g_ptr_array_new ();

  for (guint i = 0; i < reports->len; i++)
    {
      const GPtrArray *findings = ((const ClipReport *) reports->pdata[i])->findings;

      for (guint j = 0; j < findings->len; j++)
        if (!has (last->findings, findings->pdata[j]))
          g_ptr_array_add (repaired, findings->pdata[j]);
    }
  return repaired;
}

/* checks, sets right what was found, and checks again: until nothing is found, or nothing
 * more can be done; one that has begun goes on without its caller */
static GVariant *
repair (ClipStore *self, GError **error)
{
  g_autoptr (ClipAside) aside = clip_aside_new (self->dir);
  g_autoptr (GPtrArray) reports =
      g_ptr_array_new_with_free_func ((GDestroyNotify) clip_report_free);
  g_autoptr (GPtrArray) repaired = NULL;
  g_autoptr (ClipReport) report = clip_check (self->dir, &self->stops, error);

  while (report && report->findings->len > 0 && reports->len < MAX_ROUNDS)
    {
      if (!repair_all (self, aside, report, error))
        return NULL;
      g_ptr_array_add (reports, g_steal_pointer (&report));
      report = clip_check (self->dir, &self->stops, error);
    }
  if (!report)
    return NULL;
  repaired = list_repaired (reports, report);
  if (repaired->len > 0)
    clip_store_announce (self, CLIP_SIGNAL_REPAIRED, 0);
  return clip_report_to_variant (report, repaired, clip_aside_path (aside));
}

/* on the workers' thread */
void
clip_store_work (gpointer data, gpointer user_data)
{
  g_autoptr (GTask) task = data;
  ClipStore *self = user_data;
  GError *error = NULL;
  GVariant *report;

  if (g_task_return_error_if_cancelled (task))
    return;
  if (g_atomic_int_get (&self->stops))
    {
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_CANCELLED,
                               "history is closed");
      return;
    }
  report = g_task_get_task_data (task)
               ? repair (self, &error)
               : check (self, g_task_get_cancellable (task), &error);
  if (report)
    g_task_return_pointer (task, g_variant_ref_sink (report),
                           (GDestroyNotify) g_variant_unref);
  else
    g_task_return_error (task, error);
}

/* @repair: whether to set right what can be */
void
clip_store_check_async (ClipStore *self,
                        gboolean repair,
                        GCancellable *cancellable,
                        GAsyncReadyCallback callback,
                        gpointer user_data)
{
  GTask *task = clip_store_new_task (self, clip_store_check_async, cancellable, callback,
                                     user_data);

  g_task_set_task_data (task, GINT_TO_POINTER (repair), NULL);
  if (self->workers)
    g_thread_pool_push (self->workers, task, NULL);
  else
    clip_store_refuse (task);
}

/**
 * clip_store_check_finish:
 *
 * Returns: (transfer full): what was found, an a{sv} as Check answers it
 *
 * Errors: as clip_check(), %G_IO_ERROR_CANCELLED, %CLIP_ERROR_CANCELLED.
 */
GVariant *
clip_store_check_finish (ClipStore *self G_GNUC_UNUSED,
                         GAsyncResult *result,
                         GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

/* Gives unused pages back to the file system. Ends in clip_store_change_finish(). */
void
clip_store_compact_async (ClipStore *self,
                          GAsyncReadyCallback callback,
                          gpointer user_data)
{
  clip_store_change_async (self, clip_change_return_pages (&self->stops), callback,
                           user_data);
}

/**
 * clip_store_repair_closed:
 * @dir: the folder of a history that nothing in this process has open
 *
 * As the repair of clip_store_check_async(), of a database that cannot be opened as it
 * is. Blocks on the disk. Errors: as clip_salvage_closed().
 */
gboolean
clip_store_repair_closed (const char *dir, GError **error)
{
  return clip_salvage_closed (dir, error);
}
