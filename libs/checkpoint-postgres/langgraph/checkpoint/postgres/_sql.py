"""The statements. Everything that varies is bound; lists travel as arrays.

A checkpoint and all that belongs to it are read by one statement, which therefore sees one state of the
database without a transaction. Its rows are of four kinds, see `_rows.Read`.

Ids are compared in the database's own collation, as its primary keys are. The ids that the engine makes sort
alike in all of them.
"""

from __future__ import annotations

from typing import Final

from typing_extensions import LiteralString

# --- reading ---

# What a page is made of; `n` is its place, newest first.
_COLUMNS: Final = (
    "row_number() OVER () AS n, thread_id, checkpoint_ns, checkpoint_id, parent_id, checkpoint, metadata"
)

_FROM_CHECKPOINTS: Final = """
    SELECT thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id AS parent_id, checkpoint, metadata
    FROM checkpoints
"""

# A page with what belongs to it. Each blob comes once, however many checkpoints of the page share it; LATERAL
# with LIMIT makes the look-ups by key that the planner would else replace by a read of all the thread's blobs.
# Sends that the parent's tasks queued belong to checkpoints of formats before 4.
_READ: Final = """
    SELECT 0, n, thread_id, checkpoint_ns, checkpoint_id, parent_id, checkpoint::text, metadata::text,
        NULL::bytea, NULL::integer
    FROM page
    UNION ALL
    SELECT 1, NULL, k.thread_id, k.checkpoint_ns, k.channel, k.version, b.type, NULL, b.blob, NULL
    FROM (
        SELECT DISTINCT page.thread_id, page.checkpoint_ns, v.key AS channel, v.value AS version
        FROM page CROSS JOIN jsonb_each_text(page.checkpoint -> 'channel_versions') AS v
    ) AS k
    CROSS JOIN LATERAL (
        SELECT type, blob FROM checkpoint_blobs
        WHERE thread_id = k.thread_id AND checkpoint_ns = k.checkpoint_ns
        AND channel = k.channel AND version = k.version
        LIMIT 1
    ) AS b
    WHERE b.type <> 'empty'
    UNION ALL
    SELECT 2, page.n, w.task_path, w.task_id, w.channel, NULL, w.type, NULL, w.blob, w.idx
    FROM page JOIN checkpoint_writes AS w
        ON w.thread_id = page.thread_id AND w.checkpoint_ns = page.checkpoint_ns
        AND w.checkpoint_id = page.checkpoint_id
    UNION ALL
    SELECT 3, page.n, w.task_path, w.task_id, w.channel, NULL, w.type, NULL, w.blob, w.idx
    FROM page JOIN checkpoint_writes AS w
        ON w.thread_id = page.thread_id AND w.checkpoint_ns = page.checkpoint_ns
        AND w.checkpoint_id = page.parent_id AND w.channel = '__pregel_tasks'
    WHERE page.checkpoint -> 'v' < '4'
"""

GET: Final[LiteralString] = f"""
    WITH page AS (
        SELECT {_COLUMNS} FROM (
            {_FROM_CHECKPOINTS} WHERE thread_id = %s AND checkpoint_ns = %s AND checkpoint_id = %s
        ) AS found
    ) {_READ}
"""

LATEST: Final[LiteralString] = f"""
    WITH page AS (
        SELECT {_COLUMNS} FROM (
            {_FROM_CHECKPOINTS} WHERE thread_id = %s AND checkpoint_ns = %s ORDER BY checkpoint_id DESC LIMIT 1
        ) AS found
    ) {_READ}
"""

# What a page may be restricted by. Only conditions that apply are written, so that the keys' index is used.
OF_THREAD: Final[LiteralString] = "thread_id = %(thread_id)s"
OF_NAMESPACE: Final[LiteralString] = "checkpoint_ns = %(checkpoint_ns)s"
OF_ID: Final[LiteralString] = "checkpoint_id = %(checkpoint_id)s"
BEFORE: Final[LiteralString] = "checkpoint_id < %(before)s"
# The first condition says nothing new, but starts the scan of the index there.
AFTER: Final[LiteralString] = """
    checkpoint_id <= %(after_id)s
    AND (checkpoint_id, thread_id, checkpoint_ns) < (%(after_id)s, %(after_thread)s, %(after_ns)s)
"""
# Scalars are compared, of other values only the key. The exact comparison follows in Python.
MAY_MATCH: Final[LiteralString] = "metadata @> %(scalars)s::jsonb AND metadata ?& %(keys)s::text[]"


def page(conditions: list[LiteralString]) -> LiteralString:
    """Return the statement that reads the newest checkpoints that fulfil the conditions."""
    where = " AND ".join(["TRUE", *conditions])
    return f"""
        WITH page AS (
            SELECT {_COLUMNS} FROM (
                {_FROM_CHECKPOINTS} WHERE {where}
                ORDER BY checkpoint_id DESC, thread_id DESC, checkpoint_ns DESC LIMIT %(rows)s
            ) AS found
        ) {_READ}
    """


# --- writing: each is one statement, and so one flight to the server and one transaction ---
#
# An array inside SELECT is of unknown length to the planner, which therefore finds that no plan for one call is
# better than the plan for all, and stops planning each call anew: 0.5 ms of 1.

# Stores a checkpoint: its new blobs and the row, and removes blobs under versions that now have none. If unchanged
# channels are not stored, contrary to what a caller who leaves them out of `new_versions` says, it stores nothing
# and returns these channels.
PUT: Final[LiteralString] = """
    WITH missing AS (
        SELECT u.channel
        FROM unnest((SELECT %(unchanged)s::text[]), (SELECT %(unchanged_versions)s::text[]))
            AS u (channel, version)
        WHERE NOT EXISTS (
            SELECT 1 FROM checkpoint_blobs AS b
            WHERE b.thread_id = %(thread_id)s AND b.checkpoint_ns = %(checkpoint_ns)s
            AND b.channel = u.channel AND b.version = u.version AND b.type <> 'empty'
        )
    ), emptied AS (
        DELETE FROM checkpoint_blobs AS b
        USING unnest((SELECT %(emptied)s::text[]), (SELECT %(emptied_versions)s::text[])) AS e (channel, version)
        WHERE b.thread_id = %(thread_id)s AND b.checkpoint_ns = %(checkpoint_ns)s
        AND b.channel = e.channel AND b.version = e.version AND NOT EXISTS (SELECT 1 FROM missing)
    ), stored_blobs AS (
        INSERT INTO checkpoint_blobs (thread_id, checkpoint_ns, channel, version, type, blob)
        SELECT %(thread_id)s, %(checkpoint_ns)s, n.channel, n.version, n.type, n.blob
        FROM unnest(
            (SELECT %(new)s::text[]), (SELECT %(new_versions)s::text[]),
            (SELECT %(types)s::text[]), (SELECT %(blobs)b::bytea[])
        ) AS n (channel, version, type, blob)
        WHERE NOT EXISTS (SELECT 1 FROM missing)
        ON CONFLICT (thread_id, checkpoint_ns, channel, version) DO UPDATE
        SET type = excluded.type, blob = excluded.blob
    ), stored_row AS (
        INSERT INTO checkpoints
            (thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, checkpoint, metadata)
        SELECT %(thread_id)s, %(checkpoint_ns)s, %(checkpoint_id)s, %(parent_id)s,
            %(checkpoint)s::jsonb, %(metadata)s::jsonb
        WHERE NOT EXISTS (SELECT 1 FROM missing)
        ON CONFLICT (thread_id, checkpoint_ns, checkpoint_id) DO UPDATE
        SET parent_checkpoint_id = excluded.parent_checkpoint_id, type = excluded.type,
            checkpoint = excluded.checkpoint, metadata = excluded.metadata
    )
    SELECT channel FROM missing
"""

# An ordinary write keeps the first value of its place, a special one (idx < 0) replaces its slot.
PUT_WRITES: Final[LiteralString] = """
    WITH stored AS (
        INSERT INTO checkpoint_writes AS w
            (thread_id, checkpoint_ns, checkpoint_id, task_id, task_path, idx, channel, type, blob)
        SELECT %(thread_id)s, %(checkpoint_ns)s, %(checkpoint_id)s, %(task_id)s, %(task_path)s,
            n.idx, n.channel, n.type, n.blob
        FROM unnest(
            (SELECT %(idx)s::integer[]), (SELECT %(channels)s::text[]),
            (SELECT %(types)s::text[]), (SELECT %(blobs)b::bytea[])
        ) AS n (idx, channel, type, blob)
        ON CONFLICT (thread_id, checkpoint_ns, checkpoint_id, task_id, idx) DO UPDATE
        SET task_path = excluded.task_path, channel = excluded.channel, type = excluded.type, blob = excluded.blob
        WHERE w.idx < 0
    )
    SELECT
"""

# --- replaying delta channels ---

LATEST_ID: Final[LiteralString] = """
    SELECT checkpoint_id FROM checkpoints WHERE thread_id = %s AND checkpoint_ns = %s
    ORDER BY checkpoint_id DESC LIMIT 1
"""

# The nearest ancestors of a checkpoint, nearest first, with what they store of some channels: the versions of
# those in blobs, and those in the row with their values.
ANCESTORS: Final[LiteralString] = """
    WITH RECURSIVE ancestor (place, id, parent_id) AS (
        SELECT 0, checkpoint_id, parent_checkpoint_id FROM checkpoints
        WHERE thread_id = %(thread_id)s AND checkpoint_ns = %(checkpoint_ns)s AND checkpoint_id = %(checkpoint_id)s
        UNION ALL
        SELECT a.place + 1, c.checkpoint_id, c.parent_checkpoint_id
        FROM ancestor AS a JOIN checkpoints AS c
            ON c.thread_id = %(thread_id)s AND c.checkpoint_ns = %(checkpoint_ns)s
            AND c.checkpoint_id = a.parent_id
        WHERE a.place < %(rows)s
    )
    SELECT c.checkpoint_id, blobs.versions, inline.texts::text
    FROM ancestor AS a JOIN checkpoints AS c
        ON c.thread_id = %(thread_id)s AND c.checkpoint_ns = %(checkpoint_ns)s AND c.checkpoint_id = a.id
    CROSS JOIN LATERAL (
        SELECT array_agg(ARRAY[b.channel, b.version]) AS versions
        FROM unnest(%(channels)s::text[]) AS wanted (channel) JOIN checkpoint_blobs AS b
            ON b.thread_id = %(thread_id)s AND b.checkpoint_ns = %(checkpoint_ns)s AND b.channel = wanted.channel
            AND b.version = c.checkpoint -> 'channel_versions' ->> wanted.channel AND b.type <> 'empty'
    ) AS blobs
    CROSS JOIN LATERAL (
        SELECT jsonb_object_agg(wanted.channel, c.checkpoint -> 'channel_values' -> wanted.channel) AS texts
        FROM unnest(%(channels)s::text[]) AS wanted (channel)
        WHERE c.checkpoint -> 'channel_values' ? wanted.channel
    ) AS inline
    WHERE a.place > 0
    ORDER BY a.place
"""

# What the tasks of these checkpoints wrote to these channels.
WRITES_OF: Final[LiteralString] = """
    SELECT checkpoint_id, task_path, task_id, idx, channel, type, blob FROM checkpoint_writes
    WHERE thread_id = %s AND checkpoint_ns = %s AND checkpoint_id = ANY(%s::text[]) AND channel = ANY(%s::text[])
"""

BLOBS: Final[LiteralString] = """
    SELECT b.channel, b.type, b.blob
    FROM unnest(%(channels)s::text[], %(versions)s::text[]) AS k (channel, version)
    JOIN checkpoint_blobs AS b
        ON b.thread_id = %(thread_id)s AND b.checkpoint_ns = %(checkpoint_ns)s
        AND b.channel = k.channel AND b.version = k.version
"""

# --- lifecycle ---

# Lets writers of checkpoints finish and keeps others out until the end of the unit: what is found to be in use by
# nobody stays so. Readers, and tasks that put writes, go on.
LOCK: Final[LiteralString] = "LOCK TABLE checkpoints IN SHARE ROW EXCLUSIVE MODE"

DELETE_WRITES_OF_THREAD: Final[LiteralString] = "DELETE FROM checkpoint_writes WHERE thread_id = %s"
DELETE_CHECKPOINTS_OF_THREAD: Final[LiteralString] = "DELETE FROM checkpoints WHERE thread_id = %s"
DELETE_BLOBS_OF_THREAD: Final[LiteralString] = "DELETE FROM checkpoint_blobs WHERE thread_id = %s"

HAS_CHECKPOINTS: Final[LiteralString] = "SELECT 1 FROM checkpoints WHERE thread_id = %s LIMIT 1"

COPY_BLOBS: Final[LiteralString] = """
    INSERT INTO checkpoint_blobs (thread_id, checkpoint_ns, channel, version, type, blob)
    SELECT %s, checkpoint_ns, channel, version, type, blob
    FROM checkpoint_blobs WHERE thread_id = %s
    ON CONFLICT (thread_id, checkpoint_ns, channel, version) DO UPDATE
    SET type = excluded.type, blob = excluded.blob
"""
COPY_CHECKPOINTS: Final[LiteralString] = """
    INSERT INTO checkpoints
        (thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, type, checkpoint, metadata)
    SELECT %s, checkpoint_ns, checkpoint_id, parent_checkpoint_id, type, checkpoint, metadata
    FROM checkpoints WHERE thread_id = %s
"""
COPY_WRITES: Final[LiteralString] = """
    INSERT INTO checkpoint_writes
        (thread_id, checkpoint_ns, checkpoint_id, task_id, task_path, idx, channel, type, blob)
    SELECT %s, checkpoint_ns, checkpoint_id, task_id, task_path, idx, channel, type, blob
    FROM checkpoint_writes WHERE thread_id = %s
    ON CONFLICT (thread_id, checkpoint_ns, checkpoint_id, task_id, idx) DO UPDATE
    SET task_path = excluded.task_path, channel = excluded.channel, type = excluded.type, blob = excluded.blob
"""

# What retention needs to know of a thread's checkpoints, the latest last. Only with delta channels, named in the
# counters, it matters what they store.
NODES: Final[LiteralString] = """
    SELECT checkpoint_ns, checkpoint_id, parent_checkpoint_id, ARRAY(
        SELECT jsonb_object_keys(
            CASE jsonb_typeof(metadata -> 'counters_since_delta_snapshot')
            WHEN 'object' THEN metadata -> 'counters_since_delta_snapshot' ELSE '{}' END
        )
    )
    FROM checkpoints WHERE thread_id = %s ORDER BY checkpoint_id
"""
STORES_OF_THREAD: Final[LiteralString] = """
    SELECT c.checkpoint_ns, c.checkpoint_id, v.key
    FROM checkpoints AS c
    CROSS JOIN jsonb_each_text(c.checkpoint -> 'channel_versions') AS v
    JOIN checkpoint_blobs AS b
        ON b.thread_id = c.thread_id AND b.checkpoint_ns = c.checkpoint_ns
        AND b.channel = v.key AND b.version = v.value AND b.type <> 'empty'
    WHERE c.thread_id = %(thread_id)s
    UNION ALL
    SELECT c.checkpoint_ns, c.checkpoint_id, v.key
    FROM checkpoints AS c CROSS JOIN jsonb_each(c.checkpoint -> 'channel_values') AS v
    WHERE c.thread_id = %(thread_id)s
"""

OF_RUNS: Final[LiteralString] = """
    SELECT thread_id, checkpoint_ns, checkpoint_id FROM checkpoints
    WHERE jsonb_typeof(metadata -> 'run_id') = 'string' AND metadata ->> 'run_id' = ANY(%s::text[])
"""

# Places in a thread are named by two arrays, of namespaces and of ids.
DELETE_WRITES: Final[LiteralString] = """
    DELETE FROM checkpoint_writes AS w USING unnest(%s::text[], %s::text[]) AS gone (checkpoint_ns, checkpoint_id)
    WHERE w.thread_id = %s AND w.checkpoint_ns = gone.checkpoint_ns AND w.checkpoint_id = gone.checkpoint_id
"""
DELETE_CHECKPOINTS: Final[LiteralString] = """
    DELETE FROM checkpoints AS c USING unnest(%s::text[], %s::text[]) AS gone (checkpoint_ns, checkpoint_id)
    WHERE c.thread_id = %s AND c.checkpoint_ns = gone.checkpoint_ns AND c.checkpoint_id = gone.checkpoint_id
"""
RELINK: Final[LiteralString] = """
    UPDATE checkpoints SET parent_checkpoint_id = %s
    WHERE thread_id = %s AND checkpoint_ns = %s AND checkpoint_id = %s
"""
DELETE_UNREFERENCED_BLOBS: Final[LiteralString] = """
    DELETE FROM checkpoint_blobs
    WHERE thread_id = %s AND (checkpoint_ns, channel, version) NOT IN (
        SELECT c.checkpoint_ns, v.key, v.value
        FROM checkpoints AS c CROSS JOIN jsonb_each_text(c.checkpoint -> 'channel_versions') AS v
        WHERE c.thread_id = %s AND v.value IS NOT NULL
    )
"""
