/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "desk.h"
#include "fake-mutter.h"
G_BEGIN_DECLS

/* The backend for GNOME at a Mutter that the test plays. */
typedef struct
{
  GTestDBus *daemon;
  GDBusConnection *bus;
  FakeMutter *mutter;
  Desk *desk;
} MutterDesk;

MutterDesk *mutter_desk_new (FakeMutterTraits traits);
MutterDesk *mutter_desk_at (FakeMutterTraits traits);
void mutter_desk_free (MutterDesk *self);
void mutter_desk_sit_down (MutterDesk *self);

/* what a read brings: the text, or NULL with the error */
char *mutter_desk_read (MutterDesk *self,
                        ClipOffer *offer,
                        const char *mime,
                        GError **error);
void mutter_desk_assert_reads (MutterDesk *self, const char *mime, const char *text);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MutterDesk, mutter_desk_free)
G_END_DECLS
