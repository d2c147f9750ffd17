-- SPDX-License-Identifier: GPL-2.0-or-later
-- fleet/queries/machines.sql on ClickHouse.
SELECT signature, host, uniqExact(key) AS captures,
	if(max(second) = 0, '', toString(toDateTime(max(second), 'UTC'))) AS last
FROM trace
GROUP BY signature, host
ORDER BY signature, captures DESC, host
LIMIT 20 BY signature
