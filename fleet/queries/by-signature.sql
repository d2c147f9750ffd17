-- SPDX-License-Identifier: GPL-2.0-or-later
-- Causes: how often, since when, where. is_one: its crashes have one cause (docs/signature.md);
-- is_new: first seen within a day; specimen: the capture to look
-- at, and strength is that of it.
SELECT signature, max(CASE WHEN place = 1 THEN strength END) AS strength,
	signature LIKE '%:%' AND signature NOT LIKE '%<?' AS is_one,
	count(*) AS captures, count(DISTINCT host) AS machines, count(DISTINCT coalesce(kernel, '')) AS kernels,
	datetime(min(second), 'unixepoch') AS first,
	datetime(max(second), 'unixepoch') AS last,
	coalesce(min(second) >= unixepoch() - 86400, 0) AS is_new,
	max(CASE WHEN place = 1 THEN host || '/' || name END) AS specimen
FROM (
	SELECT *, row_number() OVER (PARTITION BY signature
		ORDER BY coalesce(damage_notes, 0) + coalesce(lost, 0), second DESC, host, name) AS place
	FROM trace WHERE signature IS NOT NULL
)
GROUP BY signature
ORDER BY captures DESC, signature
LIMIT 100000;
