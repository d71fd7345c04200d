/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-entry.h"
#include "clip-finder.h"
#include "clip-thumbnail-name.h"
G_BEGIN_DECLS

/* An interface in which the desktop asks. */
typedef struct
{
  const char *path;
  const char *xml;
  /* takes @invocation */
  void (*answer) (ClipFinder *self,
                  GDBusMethodInvocation *invocation,
                  const char *method,
                  GVariant *parameters);
} ClipFinderFace;

extern const ClipFinderFace clip_search_provider;
extern const ClipFinderFace clip_krunner;

/* How what was found is answered: with ids, or with what is shown of it, which is a page
 * as that of a List, with pictures. */
typedef struct
{
  gboolean is_page;
  ClipThumbnailKind icons; /* of a page */
  /* (transfer floating). @entries: (element-type ClipEntry); @icons: (nullable): as
   * ClipFinderIconsFunc has them */
  GVariant *(*make) (GPtrArray *entries, GHashTable *icons);
} ClipFinderReply;

void clip_finder_search (ClipFinder *self,
                         const char *const *words,
                         GDBusMethodInvocation *invocation_take,
                         const ClipFinderReply *reply);
void clip_finder_lookup (ClipFinder *self,
                         const char *const *ids,
                         GDBusMethodInvocation *invocation_take,
                         const ClipFinderReply *reply);
void clip_finder_select (ClipFinder *self,
                         const char *id,
                         GDBusMethodInvocation *invocation_take);
char *clip_finder_title (const ClipEntry *entry);
char *clip_finder_about (const ClipEntry *entry);
const char *clip_finder_icon (const ClipEntry *entry);

G_END_DECLS
