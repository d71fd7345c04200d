/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-sqlite-init.h"

#include <sqlite3.h>

/* Of each connection that is opened: what the schema of a file has in it that somebody
 * else wrote calls no function that could do harm, and no statement changes what SQLite
 * keeps for itself. Our schema has no trigger and no view: one that is there does
 * nothing, and stands for no table. */
static int
on_connection (sqlite3 *db,
               char **error G_GNUC_UNUSED,
               const struct sqlite3_api_routines *routines G_GNUC_UNUSED)
{
  sqlite3_db_config (db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
  sqlite3_db_config (db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
  sqlite3_db_config (db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
  sqlite3_db_config (db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
  return SQLITE_OK;
}

/**
 * clip_sqlite_init:
 *
 * For a process, before its first connection. SQLite trusts no schema, and has no pools
 * of memory: they are most of what a process touches that asks little and ends; and in
 * the daemon, which clears what is freed, they would keep what was deleted.
 */
void
clip_sqlite_init (void)
{
  sqlite3_config (SQLITE_CONFIG_PAGECACHE, NULL, 0, 0);
  sqlite3_config (SQLITE_CONFIG_LOOKASIDE, 0, 0);
  sqlite3_config (SQLITE_CONFIG_MEMSTATUS, 0);
  sqlite3_auto_extension ((void (*) (void)) on_connection);
}
