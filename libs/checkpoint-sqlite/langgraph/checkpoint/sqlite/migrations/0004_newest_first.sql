-- Listing across threads is by id, newest first; without this index it would sort the table.
CREATE INDEX checkpoints_newest_first ON checkpoints (checkpoint_id, thread_id, checkpoint_ns);
