-- SPDX-License-Identifier: LGPL-2.1-or-later
--
-- A tag says something of its entry, and goes with the last entry that has it. Whether one
-- does is asked of an index. Of types and origins there is none, which every entry would
-- pay for: so a name says whether it has only ever been a tag.

PRAGMA user_version = 4;

ALTER TABLE name ADD COLUMN tag_only INTEGER NOT NULL DEFAULT 0; -- 0 = it stays

UPDATE name SET tag_only = 1 WHERE id NOT IN (
  SELECT mime FROM entry
  UNION SELECT origin FROM entry WHERE origin IS NOT NULL
  UNION SELECT mime FROM content);

DELETE FROM name WHERE tag_only = 1 AND id NOT IN (SELECT name FROM tag);
