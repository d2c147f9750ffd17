-- SPDX-License-Identifier: GPL-2.0-or-later
-- What killed us in the last seven days, by kernel version.
SELECT kernel, signature, count(*) AS captures, count(DISTINCT host) AS machines
FROM trace
WHERE signature IS NOT NULL AND second >= unixepoch() - 7 * 86400
GROUP BY kernel, signature
ORDER BY captures DESC, kernel, signature
LIMIT 1000;
