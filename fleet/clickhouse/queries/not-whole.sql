-- SPDX-License-Identifier: GPL-2.0-or-later
-- fleet/queries/not-whole.sql on ClickHouse.
SELECT host, name, events, lost, damage_notes,
	if(isNull(crash_ts_ns), 'no crash stamp', crash_reason) AS ended
FROM trace
WHERE lost > 0 OR damage_notes > 0 OR isNull(crash_ts_ns)
ORDER BY damage_notes DESC, lost DESC, host, name
LIMIT 1 BY key
LIMIT 10000
