/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <gio/gio.h>
G_BEGIN_DECLS

/* Mutter's remote desktop as far as its clipboard goes, on a bus of the tests, with the
 * manners of the real one: it reads one type of each copy itself and offers that when the
 * owner has gone; a session reads one content at a time, and believes itself busy once
 * more when the pipe has ended; a locked screen closes all sessions. */
typedef struct FakeMutter FakeMutter;

typedef enum
{
  FAKE_MUTTER_43 = 0,
  FAKE_MUTTER_51 = 1,           /* another encoding of lists, other errors */
  FAKE_MUTTER_NO_SESSION = 2,   /* refuses to create one */
  FAKE_MUTTER_NO_CLIPBOARD = 4, /* refuses to enable it */
  FAKE_MUTTER_STALLS = 8,       /* writes what is read when it is told to */
} FakeMutterTraits;

FakeMutter *fake_mutter_new (const char *address, FakeMutterTraits traits);
void fake_mutter_free (FakeMutter *self);
void fake_mutter_set_traits (FakeMutter *self, FakeMutterTraits traits);
const char *fake_mutter_peer (FakeMutter *self);
GDBusConnection *fake_mutter_bus_of (const char *address);

void fake_mutter_copy (FakeMutter *self,
                       const char *first_mime,
                       ...) G_GNUC_NULL_TERMINATED;
void fake_mutter_copy_many (FakeMutter *self, guint n_types);
void fake_mutter_clear (FakeMutter *self);
void fake_mutter_lock (FakeMutter *self);
void fake_mutter_unlock (FakeMutter *self);
void fake_mutter_say_unlocked (FakeMutter *self);

char *fake_mutter_types (FakeMutter *self);
guint32 fake_mutter_ask (FakeMutter *self, const char *mime);
char *fake_mutter_take (FakeMutter *self, guint32 serial);
void fake_mutter_give (FakeMutter *self, const char *text);
void fake_mutter_end (FakeMutter *self);
guint fake_mutter_n_sessions (FakeMutter *self);
guint fake_mutter_n_refused (FakeMutter *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FakeMutter, fake_mutter_free)
G_END_DECLS
