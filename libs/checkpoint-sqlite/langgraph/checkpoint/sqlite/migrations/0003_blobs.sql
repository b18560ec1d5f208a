-- A channel's value by version, so that an unchanged one is stored once. `blob_ids` names a checkpoint's
-- values, as a JSON list. It is NULL in rows of the release, which hold their values themselves.
-- A blob never changes, and its id, which the saver makes, is never given twice, so that savers may remember
-- what they read, even if the file is restored from a backup under them.
-- `version` has no type, so that 1 is not '1'.
CREATE TABLE blobs (
    id INTEGER PRIMARY KEY,
    thread_id TEXT NOT NULL,
    checkpoint_ns TEXT NOT NULL,
    channel TEXT NOT NULL,
    version NOT NULL,
    type TEXT NOT NULL,
    value BLOB NOT NULL
);
CREATE INDEX blobs_by_version ON blobs (thread_id, checkpoint_ns, channel, version);
ALTER TABLE checkpoints ADD COLUMN blob_ids TEXT;
