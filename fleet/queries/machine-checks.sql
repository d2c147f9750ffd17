-- SPDX-License-Identifier: GPL-2.0-or-later
-- Which part of which machine is bad: machine checks by bank and page; and what more than one host has.
SELECT host, bank, socket, severity, what,
	-- A linear address of the kernel has 20 digits, which no number of SQLite holds: less 2^64, it does.
	CASE WHEN length(addr) = 20 THEN printf('0x%x', ((substr(addr, 1, 11) - 18446744073) * 1000000000 + substr(addr, 12) - 709551616) & ~4095)
		WHEN addr <> '0' THEN printf('0x%x', addr / 4096 * 4096) END AS page,
	count(*) AS errors, count(DISTINCT name) AS traces,
	(SELECT count(DISTINCT other.host) FROM machine_check AS other
		WHERE other.bank = machine_check.bank AND other.what IS machine_check.what) AS hosts_with_such
FROM machine_check
GROUP BY host, bank, socket, severity, what, page
ORDER BY errors DESC, host, bank, page;
