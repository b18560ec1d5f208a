"""The statements. Everything that varies is bound; lists travel as one JSON parameter.

A checkpoint and its writes are read by one statement, whose rows are of three kinds, see `_rows.Read`. Its
blobs follow by their ids, unless they are remembered.
"""

from __future__ import annotations

from typing import Final

from typing_extensions import LiteralString

# --- reading ---

_COLUMNS: Final = """
    rowid AS id, thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id AS parent_id,
    type, checkpoint, metadata, blob_ids
"""

_AND_WRITES: Final = """
    SELECT 0, * FROM page
    UNION ALL
    SELECT 1, page.id, w.channel, w.type, w.value, w.task_id, w.idx, w.task_path, NULL, NULL
    FROM page CROSS JOIN writes AS w
        ON w.thread_id = page.thread_id AND w.checkpoint_ns = page.checkpoint_ns
        AND w.checkpoint_id = page.checkpoint_id
    UNION ALL
    SELECT 2, page.id, w.channel, w.type, w.value, w.task_id, w.idx, w.task_path, NULL, NULL
    FROM page CROSS JOIN writes AS w
        ON (page.blob_ids IS NULL OR page.type GLOB '*sends:*')
        AND w.thread_id = page.thread_id AND w.checkpoint_ns = page.checkpoint_ns
        AND w.checkpoint_id = page.parent_id AND w.channel = '__pregel_tasks'
"""

BLOBS: Final[LiteralString] = """
    SELECT b.id, b.channel, b.version, b.type, b.value
    FROM json_each(?) AS i CROSS JOIN blobs AS b ON b.id = i.value
"""

_AND_BLOBS: Final = """
    UNION ALL
    SELECT 3, b.id, b.channel, b.type, b.value, b.version, NULL, NULL, NULL, NULL
    FROM page CROSS JOIN json_each(CASE WHEN json_valid(page.blob_ids) THEN page.blob_ids END) AS i
    CROSS JOIN blobs AS b ON b.id = i.value
"""

_ONE: Final = f"""
    WITH page AS (
        SELECT {_COLUMNS} FROM checkpoints WHERE thread_id = ? AND checkpoint_ns = ? AND checkpoint_id = ?
    ) {_AND_WRITES}
"""
_NEWEST: Final = f"""
    WITH page AS (
        SELECT {_COLUMNS} FROM checkpoints WHERE thread_id = ? AND checkpoint_ns = ?
        ORDER BY checkpoint_id DESC LIMIT 1
    ) {_AND_WRITES}
"""

# By address, and the latest of a namespace; with their blobs where those are hardly remembered.
GET: Final[LiteralString] = _ONE
GET_WITH_BLOBS: Final[LiteralString] = _ONE + _AND_BLOBS
LATEST: Final[LiteralString] = _NEWEST
LATEST_WITH_BLOBS: Final[LiteralString] = _NEWEST + _AND_BLOBS

# Whether metadata may match a filter, both JSON objects: scalars are compared, of other values only the key.
# The exact comparison follows in Python. Metadata that JSON does not allow (NaN, by the release) may match.
_MAY_MATCH: Final = """(
    :filter = '{}'
    OR NOT json_valid(CAST(metadata AS TEXT))
    OR NOT EXISTS (
        SELECT 1 FROM json_each(:filter) AS f
        WHERE NOT EXISTS (
            SELECT 1 FROM json_each(CAST(metadata AS TEXT)) AS m
            WHERE m.key = f.key AND (
                f.type IN ('object', 'array') OR m.type = 'object'  -- an envelope may hold an equal value
                OR (m.type = f.type OR (m.type IN ('integer', 'real') AND f.type IN ('integer', 'real')))
                AND m.atom IS f.atom
            )
        )
    )
)"""

# Pages, newest first, strictly below a cursor. A blob sorts behind all text, so x'' as id bounds nothing.
PAGE_OF_ALL: Final[LiteralString] = f"""
    WITH page AS (
        SELECT {_COLUMNS} FROM checkpoints
        WHERE (checkpoint_id, thread_id, checkpoint_ns) < (:below_id, :below_thread, :below_ns) AND {_MAY_MATCH}
        ORDER BY checkpoint_id DESC, thread_id DESC, checkpoint_ns DESC LIMIT :rows
    ) {_AND_WRITES}
"""

# The unary plus keeps to the primary key; ids are sorted without their rows.
PAGE_OF_THREAD: Final[LiteralString] = f"""
    WITH page AS (
        SELECT {_COLUMNS} FROM checkpoints WHERE rowid IN (
            SELECT rowid FROM checkpoints
            WHERE thread_id = :thread_id AND +checkpoint_id >= :from_id
            AND (checkpoint_id, checkpoint_ns) < (:below_id, :below_ns) AND {_MAY_MATCH}
            ORDER BY +checkpoint_id DESC, +checkpoint_ns DESC LIMIT :rows
        )
    ) {_AND_WRITES}
"""

PAGE_OF_NAMESPACE: Final[LiteralString] = f"""
    WITH page AS (
        SELECT {_COLUMNS} FROM checkpoints
        WHERE thread_id = :thread_id AND checkpoint_ns = :checkpoint_ns
        AND checkpoint_id >= :from_id AND checkpoint_id < :below_id AND {_MAY_MATCH}
        ORDER BY checkpoint_id DESC LIMIT :rows
    ) {_AND_WRITES}
"""

# --- writing ---

PUT: Final[LiteralString] = """
    INSERT INTO checkpoints (thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id,
                             type, checkpoint, metadata, blob_ids)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET parent_checkpoint_id = excluded.parent_checkpoint_id, type = excluded.type,
        checkpoint = excluded.checkpoint, metadata = excluded.metadata, blob_ids = excluded.blob_ids
"""

PUT_BLOB: Final[LiteralString] = """
    INSERT INTO blobs (id, thread_id, checkpoint_ns, channel, version, type, value) VALUES (?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (id) DO NOTHING
"""

# What the blobs of a checkpoint are.
NAMED: Final[LiteralString] = """
    SELECT b.channel, b.version, b.id FROM json_each(?) AS i CROSS JOIN blobs AS b ON b.id = i.value
"""

# The blobs of the parent, and of the checkpoint itself if it is put again.
NAMED_BEFORE: Final[LiteralString] = """
    SELECT checkpoint_id, blob_ids FROM checkpoints
    WHERE thread_id = ? AND checkpoint_ns = ? AND checkpoint_id IN (?, ?) AND blob_ids IS NOT NULL
"""

# The blobs of these channel versions, which come as a JSON object; the last one, if a version was put again.
STORED: Final[LiteralString] = """
    SELECT v.key, max(b.id) FROM json_each(?3) AS v
    CROSS JOIN blobs AS b
        ON b.thread_id = ?1 AND b.checkpoint_ns = ?2 AND b.channel = v.key AND b.version = v.value
    GROUP BY v.key
"""

# An ordinary write keeps the first value of its place, a special one (idx < 0) replaces its slot.
PUT_WRITE: Final[LiteralString] = """
    INSERT INTO writes (thread_id, checkpoint_ns, checkpoint_id, task_id, task_path, idx, channel, type, value)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET task_path = excluded.task_path, channel = excluded.channel,
        type = excluded.type, value = excluded.value
    WHERE excluded.idx < 0
"""

# --- replaying delta channels ---

LATEST_ID: Final[LiteralString] = """
    SELECT checkpoint_id FROM checkpoints WHERE thread_id = ? AND checkpoint_ns = ?
    ORDER BY checkpoint_id DESC LIMIT 1
"""

# What a checkpoint stores: ids of its blobs by channel, and, if it has values in itself, these.
_STORES: Final = """
    (
        SELECT json_group_object(b.channel, b.id) FROM json_each(c.blob_ids) AS i
        CROSS JOIN blobs AS b ON b.id = i.value
    ),
    c.type, CASE WHEN c.blob_ids IS NULL OR c.type GLOB '*inline:*' THEN c.checkpoint END
"""

# The nearest ancestors of a checkpoint, nearest first, with what they store.
ANCESTORS: Final[LiteralString] = f"""
    WITH RECURSIVE ancestor (place, id, parent_id) AS (
        SELECT 0, checkpoint_id, parent_checkpoint_id FROM checkpoints
        WHERE thread_id = ?1 AND checkpoint_ns = ?2 AND checkpoint_id = ?3
        UNION ALL
        SELECT a.place + 1, c.checkpoint_id, c.parent_checkpoint_id
        FROM ancestor AS a
        JOIN checkpoints AS c ON c.thread_id = ?1 AND c.checkpoint_ns = ?2 AND c.checkpoint_id = a.parent_id
        WHERE a.place < ?4
    )
    SELECT c.rowid, c.checkpoint_id, {_STORES}
    FROM ancestor AS a
    JOIN checkpoints AS c ON c.thread_id = ?1 AND c.checkpoint_ns = ?2 AND c.checkpoint_id = a.id
    WHERE a.place > 0
    ORDER BY a.place
"""

# What the tasks of these checkpoints wrote.
WRITES_OF: Final[LiteralString] = """
    SELECT c.rowid, w.channel, w.type, w.value, w.task_id, w.idx, w.task_path
    FROM json_each(?1) AS wanted
    CROSS JOIN checkpoints AS c ON c.rowid = wanted.value
    CROSS JOIN writes AS w
        ON w.thread_id = c.thread_id AND w.checkpoint_ns = c.checkpoint_ns AND w.checkpoint_id = c.checkpoint_id
"""

# --- lifecycle ---

DELETE_CHECKPOINTS_OF_THREAD: Final[LiteralString] = "DELETE FROM checkpoints WHERE thread_id = ?"
DELETE_WRITES_OF_THREAD: Final[LiteralString] = "DELETE FROM writes WHERE thread_id = ?"
DELETE_BLOBS_OF_THREAD: Final[LiteralString] = "DELETE FROM blobs WHERE thread_id = ?"

HAS_CHECKPOINTS: Final[LiteralString] = "SELECT 1 FROM checkpoints WHERE thread_id = ? LIMIT 1"

COPY_BLOBS: Final[LiteralString] = """
    INSERT INTO blobs (id, thread_id, checkpoint_ns, channel, version, type, value)
    SELECT ?3 + row_number() OVER (ORDER BY id), ?2, checkpoint_ns, channel, version, type, value
    FROM blobs WHERE thread_id = ?1
"""
# The n-th blob of the source became the n-th of the target.
COPY_CHECKPOINTS: Final[LiteralString] = """
    WITH
    source AS (SELECT id, row_number() OVER (ORDER BY id) AS place FROM blobs WHERE thread_id = ?1),
    target AS (SELECT id, row_number() OVER (ORDER BY id) AS place FROM blobs WHERE thread_id = ?2),
    renumbered (old_id, id) AS (SELECT source.id, target.id FROM source JOIN target USING (place))
    INSERT INTO checkpoints (thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id,
                             type, checkpoint, metadata, blob_ids)
    SELECT ?2, c.checkpoint_ns, c.checkpoint_id, c.parent_checkpoint_id, c.type, c.checkpoint, c.metadata,
        CASE WHEN c.blob_ids IS NOT NULL THEN (
            SELECT json_group_array(copied.id) FROM json_each(c.blob_ids) AS i
            CROSS JOIN renumbered AS copied ON copied.old_id = i.value
        ) END
    FROM checkpoints AS c WHERE c.thread_id = ?1
"""
COPY_WRITES: Final[LiteralString] = """
    INSERT OR REPLACE INTO writes
        (thread_id, checkpoint_ns, checkpoint_id, task_id, task_path, idx, channel, type, value)
    SELECT ?2, checkpoint_ns, checkpoint_id, task_id, task_path, idx, channel, type, value
    FROM writes WHERE thread_id = ?1
"""

# What retention needs to know of a thread's checkpoints. Only with delta channels it matters what they store.
NODES: Final[LiteralString] = """
    SELECT rowid, checkpoint_ns, checkpoint_id, parent_checkpoint_id, metadata FROM checkpoints WHERE thread_id = ?
"""
STORES_OF_THREAD: Final[LiteralString] = f"""
    SELECT c.rowid, {_STORES} FROM checkpoints AS c WHERE c.thread_id = ?
"""

# Checkpoints that these runs may have made. Metadata that JSON does not allow (NaN, by the release) is one.
MAY_BE_OF_RUNS: Final[LiteralString] = """
    SELECT rowid, thread_id, metadata FROM checkpoints
    WHERE CASE WHEN json_valid(CAST(metadata AS TEXT))
        THEN json_extract(CAST(metadata AS TEXT), '$.run_id') IN (SELECT value FROM json_each(?)) ELSE 1 END
"""

# Checkpoints are named by a JSON list of rowids.
DELETE_WRITES: Final[LiteralString] = """
    DELETE FROM writes WHERE rowid IN (
        SELECT w.rowid FROM json_each(?) AS gone
        CROSS JOIN checkpoints AS c ON c.rowid = gone.value
        CROSS JOIN writes AS w
            ON w.thread_id = c.thread_id AND w.checkpoint_ns = c.checkpoint_ns
            AND w.checkpoint_id = c.checkpoint_id
    )
"""
DELETE_CHECKPOINTS: Final[LiteralString] = (
    "DELETE FROM checkpoints WHERE rowid IN (SELECT value FROM json_each(?))"
)
RELINK: Final[LiteralString] = "UPDATE checkpoints SET parent_checkpoint_id = ? WHERE rowid = ?"
DELETE_UNREFERENCED_BLOBS: Final[LiteralString] = """
    DELETE FROM blobs WHERE thread_id = ?1 AND id NOT IN (
        SELECT i.value FROM checkpoints AS c CROSS JOIN json_each(c.blob_ids) AS i WHERE c.thread_id = ?1
    )
"""
