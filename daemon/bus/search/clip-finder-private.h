/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-entry.h"
#include "clip-finder.h"
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

/* @entries: (element-type ClipEntry); takes @invocation */
typedef void (*ClipFinderFound) (ClipFinder *self,
                                 GPtrArray *entries,
                                 GDBusMethodInvocation *invocation);

void clip_finder_search (ClipFinder *self,
                         const char *const *words,
                         GDBusMethodInvocation *invocation_take,
                         ClipFinderFound found);
void clip_finder_lookup (ClipFinder *self,
                         const char *const *ids,
                         GDBusMethodInvocation *invocation_take,
                         ClipFinderFound found);
void clip_finder_select (ClipFinder *self,
                         const char *id,
                         GDBusMethodInvocation *invocation_take);
char *clip_finder_title (const ClipEntry *entry);
char *clip_finder_about (const ClipEntry *entry);
const char *clip_finder_icon (const ClipEntry *entry);
ClipHistory *clip_finder_history (ClipFinder *self);

G_END_DECLS
