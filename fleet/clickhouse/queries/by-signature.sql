-- SPDX-License-Identifier: GPL-2.0-or-later
-- fleet/queries/by-signature.sql on ClickHouse.
SELECT signature, argMin(strength, (damage_notes + lost, -toInt64(second), host, name)) AS strength,
	signature LIKE '%:%' AND signature NOT LIKE '%<?' AS is_one,
	uniqExact(key) AS captures, uniqExact(host) AS machines, uniqExact(kernel) AS kernels,
	if(max(second) = 0, '', toString(toDateTime(minIf(second, second > 0), 'UTC'))) AS first,
	if(max(second) = 0, '', toString(toDateTime(max(second), 'UTC'))) AS last,
	max(second) > 0 AND minIf(second, second > 0) >= toUInt32(now()) - 86400 AS is_new,
	argMin(concat(host, '/', name), (damage_notes + lost, -toInt64(second), host, name)) AS specimen
FROM trace
GROUP BY signature
ORDER BY captures DESC, signature
LIMIT 100000
