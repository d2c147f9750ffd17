-- SPDX-License-Identifier: GPL-2.0-or-later
-- Traces in which something lacks, and those that do not say how they ended.
SELECT host, name, events, lost, damage_notes,
	CASE WHEN crash_ts_ns IS NULL THEN 'no crash stamp' ELSE crash_reason END AS ended
FROM trace
WHERE lost > 0 OR damage_notes > 0 OR crash_ts_ns IS NULL
ORDER BY damage_notes DESC, lost DESC, host, name;
