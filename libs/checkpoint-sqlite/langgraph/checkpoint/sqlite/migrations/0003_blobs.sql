-- A channel's value by version, so that an unchanged one is stored once. `versions` holds a checkpoint's
-- channel versions as JSON: {"blobs": those that are in `blobs`, "others": those without a value}. It is NULL
-- in rows of the release, which hold their values themselves. `version` has no type, so that 1 is not '1'.
CREATE TABLE blobs (
    thread_id TEXT NOT NULL,
    checkpoint_ns TEXT NOT NULL,
    channel TEXT NOT NULL,
    version NOT NULL,
    type TEXT NOT NULL,
    value BLOB NOT NULL,
    PRIMARY KEY (thread_id, checkpoint_ns, channel, version)
);
ALTER TABLE checkpoints ADD COLUMN versions TEXT;
