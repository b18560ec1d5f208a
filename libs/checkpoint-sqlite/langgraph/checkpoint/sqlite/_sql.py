"""The statements. Everything that varies is bound; lists travel as one JSON parameter.

Text has a NUL nowhere that SQLite's JSON functions would see it: they end there (see `_rows.addressable`).
"""

from __future__ import annotations

from typing import Final

from typing_extensions import LiteralString

COLUMNS: Final = (
    "rowid, thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, type, checkpoint, metadata, versions"
)

# --- reading ---

GET: Final[LiteralString] = f"""
    SELECT {COLUMNS} FROM checkpoints WHERE thread_id = ? AND checkpoint_ns = ? AND checkpoint_id = ?
"""

LATEST: Final[LiteralString] = f"""
    SELECT {COLUMNS} FROM checkpoints WHERE thread_id = ? AND checkpoint_ns = ?
    ORDER BY checkpoint_id DESC LIMIT 1
"""

# What belongs to the checkpoints with these rowids: writes, then each blob once, however many share it.
BELONGINGS: Final[LiteralString] = """
    SELECT c.rowid, w.channel, w.type, w.value, w.task_id, w.idx, w.task_path, NULL, NULL
    FROM json_each(?1) AS wanted
    CROSS JOIN checkpoints AS c ON c.rowid = wanted.value
    CROSS JOIN writes AS w
        ON w.thread_id = c.thread_id AND w.checkpoint_ns = c.checkpoint_ns AND w.checkpoint_id = c.checkpoint_id
    UNION ALL
    SELECT NULL, b.channel, b.type, b.value, b.version, NULL, NULL, b.thread_id, b.checkpoint_ns
    FROM blobs AS b
    WHERE b.rowid IN (
        SELECT b2.rowid
        FROM json_each(?1) AS wanted
        CROSS JOIN checkpoints AS c ON c.rowid = wanted.value
        CROSS JOIN json_each(c.versions, '$.blobs') AS v
        CROSS JOIN blobs AS b2
            ON b2.thread_id = c.thread_id AND b2.checkpoint_ns = c.checkpoint_ns
            AND b2.channel = v.key AND b2.version = v.value
    )
"""

# Sends that the tasks of these checkpoints' parents queued; formats before 4 look for them there.
SENDS: Final[LiteralString] = """
    SELECT c.rowid, w.type, w.value
    FROM json_each(?1) AS wanted
    CROSS JOIN checkpoints AS c ON c.rowid = wanted.value
    CROSS JOIN writes AS w
        ON w.thread_id = c.thread_id AND w.checkpoint_ns = c.checkpoint_ns
        AND w.checkpoint_id = c.parent_checkpoint_id
    WHERE w.channel = '__pregel_tasks'
    ORDER BY w.task_path, w.task_id, w.idx
"""

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
                f.type IN ('object', 'array')
                OR (m.type = f.type OR (m.type IN ('integer', 'real') AND f.type IN ('integer', 'real')))
                AND m.atom IS f.atom
            )
        )
    )
)"""

# Pages, newest first, strictly below a cursor. A blob sorts behind all text, so x'' as id bounds nothing.
PAGE_OF_ALL: Final[LiteralString] = f"""
    SELECT {COLUMNS} FROM checkpoints
    WHERE (checkpoint_id, thread_id, checkpoint_ns) < (:below_id, :below_thread, :below_ns) AND {_MAY_MATCH}
    ORDER BY checkpoint_id DESC, thread_id DESC, checkpoint_ns DESC LIMIT :rows
"""

# The unary plus keeps to the primary key; ids are sorted without their rows.
PAGE_OF_THREAD: Final[LiteralString] = f"""
    SELECT {COLUMNS} FROM checkpoints
    WHERE rowid IN (
        SELECT rowid FROM checkpoints
        WHERE thread_id = :thread_id AND +checkpoint_id >= :from_id
        AND (checkpoint_id, checkpoint_ns) < (:below_id, :below_ns) AND {_MAY_MATCH}
        ORDER BY +checkpoint_id DESC, +checkpoint_ns DESC LIMIT :rows
    )
    ORDER BY checkpoint_id DESC, checkpoint_ns DESC
"""

PAGE_OF_NAMESPACE: Final[LiteralString] = f"""
    SELECT {COLUMNS} FROM checkpoints
    WHERE thread_id = :thread_id AND checkpoint_ns = :checkpoint_ns
    AND checkpoint_id >= :from_id AND checkpoint_id < :below_id AND {_MAY_MATCH}
    ORDER BY checkpoint_id DESC LIMIT :rows
"""

# --- writing ---

PUT: Final[LiteralString] = """
    INSERT INTO checkpoints (thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id,
                             type, checkpoint, metadata, versions)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET parent_checkpoint_id = excluded.parent_checkpoint_id, type = excluded.type,
        checkpoint = excluded.checkpoint, metadata = excluded.metadata, versions = excluded.versions
"""

PUT_BLOB: Final[LiteralString] = """
    INSERT OR REPLACE INTO blobs (thread_id, checkpoint_ns, channel, version, type, value)
    VALUES (?, ?, ?, ?, ?, ?)
"""

DELETE_BLOB: Final[LiteralString] = """
    DELETE FROM blobs WHERE thread_id = ? AND checkpoint_ns = ? AND channel = ? AND version = ?
"""

# Which of these channel versions are stored; the channels come as a JSON object.
STORED: Final[LiteralString] = """
    SELECT b.channel FROM json_each(?3) AS v
    CROSS JOIN blobs AS b
        ON b.thread_id = ?1 AND b.checkpoint_ns = ?2 AND b.channel = v.key AND b.version = v.value
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

# The nearest ancestors of a checkpoint, nearest first; rows that hold values give them.
ANCESTORS: Final[LiteralString] = """
    WITH RECURSIVE ancestor (place, id, parent_id) AS (
        SELECT 0, checkpoint_id, parent_checkpoint_id FROM checkpoints
        WHERE thread_id = ?1 AND checkpoint_ns = ?2 AND checkpoint_id = ?3
        UNION ALL
        SELECT a.place + 1, c.checkpoint_id, c.parent_checkpoint_id
        FROM ancestor AS a
        JOIN checkpoints AS c ON c.thread_id = ?1 AND c.checkpoint_ns = ?2 AND c.checkpoint_id = a.parent_id
        WHERE a.place < ?4
    )
    SELECT c.rowid, c.checkpoint_id, c.versions, c.type,
        CASE WHEN c.versions IS NULL OR json_extract(c.versions, '$.inline') IS NOT NULL THEN c.checkpoint END
    FROM ancestor AS a
    JOIN checkpoints AS c ON c.thread_id = ?1 AND c.checkpoint_ns = ?2 AND c.checkpoint_id = a.id
    WHERE a.place > 0
    ORDER BY a.place
"""

# What the tasks of these checkpoints wrote to these channels (all, if that is NULL).
WRITES_TO: Final[LiteralString] = """
    SELECT c.rowid, w.channel, w.type, w.value, w.task_id, w.idx, w.task_path
    FROM json_each(?1) AS wanted
    CROSS JOIN checkpoints AS c ON c.rowid = wanted.value
    CROSS JOIN writes AS w
        ON w.thread_id = c.thread_id AND w.checkpoint_ns = c.checkpoint_ns AND w.checkpoint_id = c.checkpoint_id
    WHERE ?2 IS NULL OR w.channel IN (SELECT value FROM json_each(?2))
"""

BLOBS: Final[LiteralString] = """
    SELECT b.channel, b.type, b.value FROM json_each(?3) AS v
    CROSS JOIN blobs AS b
        ON b.thread_id = ?1 AND b.checkpoint_ns = ?2 AND b.channel = v.key AND b.version = v.value
"""

# --- lifecycle ---

DELETE_CHECKPOINTS_OF_THREAD: Final[LiteralString] = "DELETE FROM checkpoints WHERE thread_id = ?"
DELETE_WRITES_OF_THREAD: Final[LiteralString] = "DELETE FROM writes WHERE thread_id = ?"
DELETE_BLOBS_OF_THREAD: Final[LiteralString] = "DELETE FROM blobs WHERE thread_id = ?"

HAS_CHECKPOINTS: Final[LiteralString] = "SELECT 1 FROM checkpoints WHERE thread_id = ? LIMIT 1"

COPY_CHECKPOINTS: Final[LiteralString] = """
    INSERT INTO checkpoints (thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id,
                             type, checkpoint, metadata, versions)
    SELECT ?2, checkpoint_ns, checkpoint_id, parent_checkpoint_id, type, checkpoint, metadata, versions
    FROM checkpoints WHERE thread_id = ?1
"""
COPY_WRITES: Final[LiteralString] = """
    INSERT OR REPLACE INTO writes
        (thread_id, checkpoint_ns, checkpoint_id, task_id, task_path, idx, channel, type, value)
    SELECT ?2, checkpoint_ns, checkpoint_id, task_id, task_path, idx, channel, type, value
    FROM writes WHERE thread_id = ?1
"""
COPY_BLOBS: Final[LiteralString] = """
    INSERT OR REPLACE INTO blobs (thread_id, checkpoint_ns, channel, version, type, value)
    SELECT ?2, checkpoint_ns, channel, version, type, value FROM blobs WHERE thread_id = ?1
"""

# What retention needs to know of a thread's checkpoints; rows that hold values give them.
NODES: Final[LiteralString] = """
    SELECT rowid, checkpoint_ns, checkpoint_id, parent_checkpoint_id, metadata, versions,
        type, CASE WHEN versions IS NULL OR json_extract(versions, '$.inline') IS NOT NULL THEN checkpoint END
    FROM checkpoints WHERE thread_id = ?
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
RELINK: Final[LiteralString] = """
    UPDATE checkpoints SET parent_checkpoint_id = ? WHERE rowid = ?
"""
DELETE_UNREFERENCED_BLOBS: Final[LiteralString] = """
    DELETE FROM blobs WHERE thread_id = ?1 AND rowid NOT IN (
        SELECT b.rowid FROM checkpoints AS c
        CROSS JOIN json_each(c.versions, '$.blobs') AS v
        CROSS JOIN blobs AS b
            ON b.thread_id = c.thread_id AND b.checkpoint_ns = c.checkpoint_ns
            AND b.channel = v.key AND b.version = v.value
        WHERE c.thread_id = ?1
    )
"""
