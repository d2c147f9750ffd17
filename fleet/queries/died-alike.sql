-- SPDX-License-Identifier: GPL-2.0-or-later
-- Which hosts died alike: the same words but for their numbers, and the same task.
SELECT count(*) AS deaths, count(DISTINCT host) AS hosts, how, crash_comm, kernel,
	datetime(min(second), 'unixepoch') AS first,
	datetime(max(second), 'unixepoch') AS last,
	group_concat(DISTINCT host) AS who
FROM death
GROUP BY how, crash_comm, kernel
ORDER BY hosts DESC, deaths DESC, how;
