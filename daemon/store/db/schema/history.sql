-- SPDX-License-Identifier: LGPL-2.1-or-later
--
-- The history. One row per entry carries everything that a list shows; its primary
-- content comes last, so that a list does not read the pages that a long one overflows
-- into. The id is the order: it grows with every copy, and "newest first" is the primary
-- key backwards.
--
-- An entry that is copied again gets the next id: every table that names an entry follows.
--
-- SQLite looks at the shape of a page, not at what is in it: so the row of each content carries
-- a checksum of its bytes, its type, its size and its entry, see clip_sum (). The file of a
-- blob has a hash for a name.
--
-- Release 1.0 writes it, as version 5. It is not edited any more: a change is a file beside it,
-- which makes the next version of this one. A history whose tables have another text, comments
-- left out, is refused.

-- "clip": what kind of database this is
PRAGMA application_id = 0x636c6970;
PRAGMA user_version = 5;

-- what is true of the history as a whole: counting a million rows takes too long
CREATE TABLE totals (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  min_reader INTEGER NOT NULL,  -- the oldest schema whose readers understand this one
  count INTEGER NOT NULL,       -- entries
  bytes INTEGER NOT NULL,       -- of all contents
  pinned INTEGER NOT NULL,      -- entries
  pinned_bytes INTEGER NOT NULL, -- of their contents: no limit concerns them
  last_id INTEGER NOT NULL,     -- the newest id ever given: never goes back
  first_loose INTEGER NOT NULL  -- no unpinned entry has an id below: trimming starts here
) STRICT;

INSERT INTO totals VALUES (1, 5, 0, 0, 0, 0, 0, 1);

-- MIME types, origins and tags, once each; a number is never given twice, so that a
-- reader may remember what it stands for
CREATE TABLE name (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  text TEXT NOT NULL UNIQUE,
  tag_only INTEGER NOT NULL DEFAULT 0 -- 1 = it goes with the last entry that has the tag
) STRICT;

-- a content too large for the database: a file that never changes
CREATE TABLE blob (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,    -- the file, below blobs/
  hash BLOB NOT NULL,           -- XXH3-128 of the bytes, canonical
  size INTEGER NOT NULL,
  -- of the file when its bytes were last compared with the hash: any change through the file
  -- system changes them; NULL = not yet
  inode INTEGER,
  changed_ns INTEGER            -- st_ctim
) STRICT;

CREATE TABLE entry (
  id INTEGER PRIMARY KEY,
  last_us INTEGER NOT NULL,     -- last copied, microseconds since the epoch
  first_us INTEGER,             -- first copied; NULL = as last_us
  copies INTEGER NOT NULL,
  expires_us INTEGER,           -- NULL = never
  pinned INTEGER NOT NULL,
  kind INTEGER NOT NULL,        -- 1 text, 2 image, 3 files, 4 other
  extras INTEGER NOT NULL,      -- how many rows of content belong to it
  size INTEGER NOT NULL,        -- of the primary content, as are the columns below
  mime INTEGER NOT NULL,        -- name.id
  origin INTEGER,               -- name.id; NULL = unknown
  blob INTEGER,                 -- blob.id; NULL = the bytes are here
  preview ANY NOT NULL,         -- BLOB: the content begins with it; TEXT: a line of its own
  body BLOB,                    -- what follows a BLOB preview; else the whole content
  sum INTEGER                   -- 48 bits
) STRICT;

-- the contents of an entry beside the primary one, in the order offered
CREATE TABLE content (
  id INTEGER PRIMARY KEY,
  entry INTEGER NOT NULL,
  position INTEGER NOT NULL,    -- from 1: the primary one is 0
  mime INTEGER NOT NULL,        -- name.id
  size INTEGER NOT NULL,
  blob INTEGER,                 -- blob.id; NULL = the bytes are here
  body BLOB,
  sum INTEGER
) STRICT;

-- the entries by a short hash of their primary content: narrow, because every entry pays
CREATE TABLE dup (
  hash INTEGER NOT NULL,        -- 40 bits
  entry INTEGER NOT NULL,
  PRIMARY KEY (hash, entry)
) STRICT, WITHOUT ROWID;

CREATE TABLE tag (
  entry INTEGER NOT NULL,
  name INTEGER NOT NULL,        -- name.id
  PRIMARY KEY (entry, name)
) STRICT, WITHOUT ROWID;

-- small values that belong to the history and outlive the daemon
CREATE TABLE note (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- the last changes that other processes than the session's daemon made, for it to announce
CREATE TABLE journal (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind INTEGER NOT NULL,        -- 1 added, 2 moved, 3 removed, 4 changed, 5 note
  entry INTEGER NOT NULL,
  was INTEGER NOT NULL          -- the id before it moved
) STRICT;

CREATE INDEX entry_pinned ON entry (pinned) WHERE pinned = 1;
CREATE INDEX entry_kind ON entry (kind) WHERE kind > 1;
CREATE INDEX entry_expiry ON entry (expires_us) WHERE expires_us IS NOT NULL;
CREATE INDEX entry_blob ON entry (blob) WHERE blob IS NOT NULL;
CREATE UNIQUE INDEX content_entry ON content (entry, position);
CREATE INDEX content_blob ON content (blob) WHERE blob IS NOT NULL;
CREATE INDEX tag_name ON tag (name, entry);
