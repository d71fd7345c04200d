-- SPDX-License-Identifier: LGPL-2.1-or-later
--
-- What a disk may change without anybody's noticing. SQLite looks at the shape of a page,
-- not at what is in it: so the row of each content carries a sum of its bytes, its type, its size
-- and its entry. The file of a blob has a hash for a name; so that not every reader has to
-- read all of it first, the state in which its bytes were last known to be right is kept.

PRAGMA user_version = 3;

ALTER TABLE entry ADD COLUMN sum INTEGER;   -- 48 bits, see clip_sum ()
ALTER TABLE content ADD COLUMN sum INTEGER;

-- of the file when it was last compared with its hash: any change through the file system
-- changes them; NULL = not yet
ALTER TABLE blob ADD COLUMN inode INTEGER;
ALTER TABLE blob ADD COLUMN changed_ns INTEGER; -- st_ctim

UPDATE entry SET sum = clip_sum (
  id, 0, (SELECT text FROM name WHERE name.id = entry.mime), size,
  (SELECT hash FROM blob WHERE blob.id = entry.blob), preview, body);

UPDATE content SET sum = clip_sum (
  entry, position, (SELECT text FROM name WHERE name.id = content.mime), size,
  (SELECT hash FROM blob WHERE blob.id = content.blob), NULL, body);
