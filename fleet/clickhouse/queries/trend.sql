-- SPDX-License-Identifier: GPL-2.0-or-later
-- fleet/queries/trend.sql on ClickHouse.
SELECT signature, day, uniqExact(key) AS captures, uniqExact(host) AS machines
FROM trace
WHERE day >= toDate(now(), 'UTC') - 30 AND second >= toUInt32(now()) - 30 * 86400
GROUP BY signature, day
ORDER BY day DESC, captures DESC, signature
LIMIT 100000
