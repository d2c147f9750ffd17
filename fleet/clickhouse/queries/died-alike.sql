-- SPDX-License-Identifier: GPL-2.0-or-later
-- fleet/queries/died-alike.sql on ClickHouse.
SELECT uniqExact(key) AS deaths, uniqExact(host) AS hosts,
	replaceRegexpAll(assumeNotNull(crash_reason), '[0-9]+', '#') AS how, crash_comm, kernel,
	if(max(second) = 0, '', toString(toDateTime(minIf(second, second > 0), 'UTC'))) AS first,
	if(max(second) = 0, '', toString(toDateTime(max(second), 'UTC'))) AS last,
	arrayStringConcat(arraySort(groupUniqArray(host)), ',') AS who
FROM trace
WHERE isNotNull(crash_reason)
GROUP BY how, crash_comm, kernel
ORDER BY hosts DESC, deaths DESC, how
LIMIT 10000
