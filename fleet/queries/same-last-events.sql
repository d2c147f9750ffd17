-- SPDX-License-Identifier: GPL-2.0-or-later
-- Deaths whose task did the same things last, whatever the kernel called it: its last five events.
-- The idle tasks of all CPUs have the pid 0.
WITH last AS (
	SELECT trace.id, trace.host, trace.crash_reason, event.nr, event.event,
		row_number() OVER (PARTITION BY trace.id ORDER BY event.nr DESC) AS back
	FROM trace JOIN event ON event.trace = trace.id AND event.pid = trace.crash_pid
		AND (event.pid <> 0 OR event.cpu = trace.crash_cpu)
	WHERE event.before_crash_ns >= 0 AND event.channel IS NOT NULL AND event.event IS NOT NULL
),
signature AS (
	SELECT id, host, crash_reason, group_concat(event, ' ') AS did
	FROM (SELECT * FROM last WHERE back <= 5 ORDER BY id, nr)
	GROUP BY id
)
SELECT count(*) AS deaths, count(DISTINCT host) AS hosts, did,
	count(DISTINCT crash_reason) AS reasons, group_concat(DISTINCT host) AS who
FROM signature
GROUP BY did
ORDER BY hosts DESC, deaths DESC, did;
