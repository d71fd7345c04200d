/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-dbus.h"
#include "wait-until.h"

#include <gio/gunixfdlist.h>
G_BEGIN_DECLS

/* whether the memory of a daemon says anything: a sanitizer keeps what is freed */
#if defined(__has_feature)
#  if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#    define BUS_FIXTURE_IS_MEASURABLE FALSE
#  endif
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#  define BUS_FIXTURE_IS_MEASURABLE FALSE
#endif
#ifndef BUS_FIXTURE_IS_MEASURABLE
#  define BUS_FIXTURE_IS_MEASURABLE TRUE
#endif

/* A private bus with a daemon of our own on it, in a scratch folder. */
typedef struct
{
  GTestDBus *bus;
  GDBusConnection *connection;
  GSubprocess *daemon;
  ClipDbusHistory *proxy;
  char *dir;
} BusFixture;

typedef void (*BusFixtureTest) (BusFixture *self, gconstpointer data);

void bus_fixture_init (int *argc, char ***argv);
void bus_fixture_add (const char *path, BusFixtureTest test);
void bus_fixture_start_daemon (BusFixture *self, const char *option);
void bus_fixture_end_daemon (BusFixture *self, int signal_number);
GSubprocess *bus_fixture_spawn (BusFixture *self, const char *option);
GDBusConnection *bus_fixture_connect (BusFixture *self);

/* the id of the entry, or 0 with @error set or with the reason in @out_dropped */
guint64 bus_fixture_store (BusFixture *self,
                           const char *mime,
                           int fd,
                           GVariant *options,
                           char **out_dropped,
                           GError **error);
/* more than a pipe holds, however much it is enlarged */
#define BUS_FIXTURE_BIG_BYTES (3 * 1024 * 1024)
guint64 bus_fixture_store_big (BusFixture *self);
guint64 bus_fixture_store_image (BusFixture *self, guint width, guint height);
guint64 bus_fixture_store_text (BusFixture *self, const char *text);
guint bus_fixture_count_fds (BusFixture *self, gboolean (*counts) (const char *target));
guint bus_fixture_count_ends (BusFixture *self);
guint64 bus_fixture_private_bytes (BusFixture *self);
int bus_fixture_memfd (const void *data, gsize length);

G_END_DECLS
