-- SPDX-License-Identifier: GPL-2.0-or-later
-- Which machines died of a signature, the most often first, at most 20 of each.
SELECT signature, host, captures, last
FROM (
	SELECT signature, host, count(*) AS captures,
		datetime(max(second), 'unixepoch') AS last,
		row_number() OVER (PARTITION BY signature ORDER BY count(*) DESC, host) AS place
	FROM trace WHERE signature IS NOT NULL
	GROUP BY signature, host
)
WHERE place <= 20
ORDER BY signature, captures DESC, host;
