-- SPDX-License-Identifier: GPL-2.0-or-later
-- The last ten events of each crashing task before its death.  The idle tasks of all
-- CPUs have the pid 0.
SELECT host, name, seconds, event, comm, fields
FROM (
	SELECT trace.host, trace.name, trace.id, event.nr, event.event, event.comm, event.fields,
		printf('-%.6f', event.before_crash_ns / 1e9) AS seconds,
		row_number() OVER (PARTITION BY trace.id ORDER BY event.nr DESC) AS back
	FROM trace JOIN event ON event.trace = trace.id AND event.pid = trace.crash_pid
		AND (event.pid <> 0 OR event.cpu = trace.crash_cpu)
	WHERE event.before_crash_ns >= 0 AND event.event IS NOT NULL
)
WHERE back <= 10
ORDER BY id, nr;
