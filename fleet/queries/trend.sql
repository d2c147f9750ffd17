-- SPDX-License-Identifier: GPL-2.0-or-later
-- Captures of each signature by day, in the last 30 days.
SELECT signature, date(second, 'unixepoch') AS day,
	count(*) AS captures, count(DISTINCT host) AS machines
FROM trace
WHERE signature IS NOT NULL AND second >= unixepoch() - 30 * 86400
GROUP BY signature, day
ORDER BY day DESC, captures DESC, signature
LIMIT 100000;
