-- Finds all of a thread. DROP removes what a CREATE that was interrupted has left: an invalid index.
-- outside-transaction: the table may be large, and writers go on meanwhile.
DROP INDEX CONCURRENTLY IF EXISTS checkpoint_writes_thread_id_idx;
CREATE INDEX CONCURRENTLY checkpoint_writes_thread_id_idx ON checkpoint_writes (thread_id);
