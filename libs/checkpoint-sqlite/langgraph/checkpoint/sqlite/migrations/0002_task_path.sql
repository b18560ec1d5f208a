-- Writes are ordered by the place of their task in the graph. The release added this column in 3.1.2, so it
-- may be there already.
-- if-no-column: writes task_path
ALTER TABLE writes ADD COLUMN task_path TEXT NOT NULL DEFAULT '';
