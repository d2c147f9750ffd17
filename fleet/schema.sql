-- SPDX-License-Identifier: GPL-2.0-or-later
-- The traces of a fleet, out of the JSON lines of epitaph export; docs/fleet.md, docs/json.md.
PRAGMA journal_mode = WAL;

-- A saved trace, the first of its lines.  Times are ns; those of wall are since 1970, UTC.
-- signature, kind, claim, strength: of epitaph explain.
-- second: since 1970, when it died, or without a stamp the time of the last event; NULL: not known, before
-- 2001, or a day or more after it was loaded.
-- host_claimed: 1: the host is what the sender says of itself in the archive, and nothing proves it.
CREATE TABLE IF NOT EXISTS trace (
	id INTEGER PRIMARY KEY,
	host TEXT NOT NULL,
	name TEXT NOT NULL,
	boot_id TEXT,
	kernel TEXT,
	kernel_version TEXT,
	machine TEXT,
	recorder TEXT,
	cpus INTEGER,
	crash_ts_ns INTEGER,
	crash_wall_ns INTEGER,
	crash_cpu INTEGER,
	crash_pid INTEGER,
	crash_comm TEXT,
	crash_reason TEXT,
	events INTEGER,
	unfinished INTEGER,
	lost INTEGER,
	damage_notes INTEGER,
	host_claimed INTEGER NOT NULL DEFAULT 0,
	signature TEXT,
	kind TEXT,
	claim TEXT,
	strength TEXT,
	second INTEGER,
	UNIQUE (host, name)
);

-- An archive that was looked at.  Its newest generation is in trace: its own, or that of another
-- archive of the same host with the same generation.
CREATE TABLE IF NOT EXISTS archive (
	name TEXT PRIMARY KEY,
	claimed_host TEXT NOT NULL,
	generation TEXT,
	trace INTEGER NOT NULL REFERENCES trace (id) ON DELETE CASCADE
) WITHOUT ROWID;

CREATE INDEX IF NOT EXISTS archive_by_generation ON archive (claimed_host, generation);

-- Every other line, in the order of time.  fields and marks are JSON.
CREATE TABLE IF NOT EXISTS event (
	trace INTEGER NOT NULL REFERENCES trace (id) ON DELETE CASCADE,
	nr INTEGER NOT NULL,
	ts_ns INTEGER,
	wall_ns INTEGER,
	before_crash_ns INTEGER,
	cpu INTEGER,
	channel TEXT,
	event TEXT,
	pid INTEGER,
	comm TEXT,
	fields TEXT,
	marks TEXT,
	lost INTEGER,
	PRIMARY KEY (trace, nr)
) WITHOUT ROWID;

CREATE INDEX IF NOT EXISTS event_by_name ON event (event, trace);
CREATE INDEX IF NOT EXISTS event_by_pid ON event (trace, pid, nr);

-- A trace that an operator deletes takes these along: sqlite3 does not look at foreign keys unless it is
-- asked to, and the next trace would get the same id.
CREATE TRIGGER IF NOT EXISTS trace_goes AFTER DELETE ON trace BEGIN
	DELETE FROM event WHERE trace = old.id;
	DELETE FROM archive WHERE trace = old.id;
END;

-- How a trace died, without what differs from one death to the next: each run of digits is a #.
CREATE VIEW IF NOT EXISTS death AS
WITH RECURSIVE
digits (id, text, n) AS (
	SELECT id, crash_reason, 0 FROM trace WHERE crash_reason IS NOT NULL
	UNION ALL
	SELECT id, replace(text, n, '#'), n + 1 FROM digits WHERE n < 10
),
runs (id, text) AS (
	SELECT id, text FROM digits WHERE n = 10
	UNION ALL
	SELECT id, replace(text, '##', '#') FROM runs WHERE text LIKE '%##%'
)
SELECT trace.*, runs.text AS how
FROM trace JOIN runs USING (id)
WHERE runs.text NOT LIKE '%##%';

-- Registers of 64 bits are texts (->): as numbers they would not be exact.
CREATE VIEW IF NOT EXISTS machine_check AS
SELECT trace.host, trace.name, event.trace, event.nr, event.wall_ns, event.before_crash_ns,
	fields ->> '$.cpu' AS cpu,
	fields ->> '$.bank' AS bank,
	fields ->> '$.severity' AS severity,
	fields ->> '$.what' AS what,
	fields -> '$.status' AS status,
	fields -> '$.addr' AS addr,
	fields ->> '$.socket' AS socket,
	fields -> '$.ppin' AS ppin,
	fields ->> '$.processor' AS processor
FROM event JOIN trace ON trace.id = event.trace
WHERE event.event = 'epitaph:machine_check';
