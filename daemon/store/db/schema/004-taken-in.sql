-- SPDX-License-Identifier: LGPL-2.1-or-later
--
-- What a development version wrote as schema 4 is schema 5 with a search index, which nothing
-- reads any more.

DROP TABLE search_row;
DROP TABLE search_segment;
UPDATE totals SET min_reader = 5;
PRAGMA user_version = 5;
