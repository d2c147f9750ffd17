-- SPDX-License-Identifier: GPL-2.0-or-later
-- fleet/queries/this-week.sql on ClickHouse.
SELECT kernel, signature, uniqExact(key) AS captures, uniqExact(host) AS machines
FROM trace
WHERE day >= toDate(now(), 'UTC') - 7 AND second >= toUInt32(now()) - 7 * 86400
GROUP BY kernel, signature
ORDER BY captures DESC, kernel, signature
LIMIT 1000
