-- SPDX-License-Identifier: GPL-2.0-or-later
-- fleet/queries/last-of-the-dead.sql on ClickHouse, where load was asked for events; the last one first.
SELECT DISTINCT host, name, nr, before_crash_ns, event, comm, fields
FROM event
ANY INNER JOIN (SELECT key, any(host) AS host, min(name) AS name, any(crash_pid) AS crash_pid FROM trace GROUP BY key) USING key
WHERE before_crash_ns >= 0 AND isNotNull(event) AND pid = crash_pid
ORDER BY host, name, nr DESC
LIMIT 10 BY host, name
