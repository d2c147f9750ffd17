-- SPDX-License-Identifier: GPL-2.0-or-later
-- fleet/queries/last-of-the-dead.sql on ClickHouse, where load was asked for events; the last one first.
SELECT host, name, nr, before_crash_ns, event, comm, fields
FROM event
ANY INNER JOIN (SELECT key, any(host) AS host, min(name) AS name, any(crash_pid) AS crash_pid, any(crash_cpu) AS crash_cpu FROM trace GROUP BY key) USING key
WHERE before_crash_ns >= 0 AND isNotNull(event) AND pid = crash_pid AND (pid != 0 OR cpu = crash_cpu)
GROUP BY host, name, nr, before_crash_ns, event, comm, fields
ORDER BY host, name, nr
LIMIT 10 BY host, name
