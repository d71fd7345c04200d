-- SPDX-License-Identifier: LGPL-2.1-or-later
--
-- The index that a search asks which entries to look at. It is written behind the
-- entries, a segment at a time; what no segment covers is looked at anyway. A segment says
-- of each trigram in which of its blocks, some neighbouring entries, it occurs. It is
-- never changed: when one of its entries leaves, it is stale, which is noted in the
-- transaction that takes the entry away, and soon after it is dropped.

PRAGMA user_version = 2;

CREATE TABLE search_segment (
  number INTEGER PRIMARY KEY,
  first INTEGER NOT NULL UNIQUE, -- every entry with an id from here
  last INTEGER NOT NULL,         -- to here is in the index
  stale INTEGER NOT NULL,        -- 1 = an entry has left: not to be used, to be dropped
  blocks BLOB NOT NULL           -- a bit for each block that is always looked at, then
                                 -- how many ids each block spans
) STRICT;

CREATE TABLE search_row (
  id INTEGER PRIMARY KEY,        -- number << 24 | the first trigram
  postings BLOB NOT NULL         -- some trigrams in their order, and where each occurs
) STRICT;

CREATE INDEX search_stale ON search_segment (stale) WHERE stale = 1;
