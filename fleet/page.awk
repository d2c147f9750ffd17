# SPDX-License-Identifier: GPL-2.0-or-later
# The page of fleet/page, of the answers of fleet/query.  All texts are escaped: none of them is trusted.
BEGIN { FS = "\t"; days = 30 }

function escaped(text) {
	gsub(/&/, "\\&amp;", text)
	gsub(/</, "\\&lt;", text)
	gsub(/>/, "\\&gt;", text)
	gsub(/"/, "\\&quot;", text)
	return text
}

# Days since 1970 of "2026-11-26".
function day_of(date,    y, m, d, part) {
	split(date, part, "-")
	y = part[1] + 0; m = part[2] + 0; d = part[3] + 0
	if (m <= 2) { y--; m += 12 }
	return 365 * y + int(y / 4) - int(y / 100) + int(y / 400) + int((153 * (m - 3) + 2) / 5) + d - 719469
}

# A bar for each of the last days, the newest at the right.
function bars(signature,    i, n, most, text) {
	for (i = 0; i < days; i++)
		if (count[signature, today - i] > most)
			most = count[signature, today - i]
	text = "<svg viewBox=\"0 0 120 24\" width=\"120\" height=\"24\" role=\"img\" aria-label=\"captures a day, at most " most + 0 "\">"
	for (i = 0; i < days; i++) {
		n = count[signature, today - i]
		if (n)
			text = text sprintf("<rect x=\"%d\" y=\"%.1f\" width=\"3\" height=\"%.1f\"><title>%d</title></rect>",
				(days - 1 - i) * 4, 24 - 23 * n / most, 23 * n / most, n)
	}
	return text "</svg>"
}

FNR == 1 { file++; if (FILENAME !~ /timelines$/) next }
FILENAME ~ /timelines$/ { timeline[$1] = $2; next }
FILENAME ~ /trend$/ { count[$1, day_of($2)] = $3; next }
FILENAME ~ /machines$/ { machines[$1] = machines[$1] "<li>" escaped($2) ": " $3 ", last " escaped($4) "</li>"; next }
FILENAME ~ /this-week$/ {
	if (++nr_week <= 50) {
		week = week "<tr><td>" escaped($1) "</td><td><a href=\"#" id_of($2) "\"><code>" escaped($2) "</code></a></td><td>" $3 "</td><td>" $4 "</td></tr>\n"
		is_linked[$2] = 1
	}
	next
}
{
	id = id_of($1)
	row = "<tr id=\"" id "\"><td><code>" escaped($1) "</code>" ($9 ? " <b>new</b>" : "") ($3 ? "" : " <i>many causes</i>") "</td><td>" bars($1) "</td><td>" $4 \
		"</td><td><details><summary>" $5 "</summary><ul>" machines[$1] "</ul></details></td><td>" $6 "</td><td>" escaped($7) "</td><td>" escaped($8) "</td><td>" escaped($2) "</td><td>"
	row = row (($10 in timeline) ? "<a href=\"" escaped(timeline[$10]) "\">" escaped($10) "</a>" : escaped($10)) "</td></tr>\n"
	if (++nr_causes <= 500 || $1 in is_linked)
		causes = causes row
	else
		nr_left++
	total += $4
}

# A number for each signature, in the order in which they come.
function id_of(signature) {
	if (!(signature in number))
		number[signature] = ++numbers
	return "s" number[signature]
}

END {
	print "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">"
	print "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">"
	print "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>epitaph: what kills the fleet</title>\n<style>"
	print ":root { color-scheme: light dark; }\nbody { margin: 1.5em; font: 14px/1.45 system-ui, sans-serif; }\ncode { font-size: 12px; }"
	print "table { border-collapse: collapse; margin: 0 0 2em; }\nth, td { padding: 4px 12px 4px 0; text-align: left; vertical-align: top; border-bottom: 1px solid #8884; }"
	print "rect { fill: #c8102e; }\nb { color: #c8102e; }\ni { opacity: .7; }\nul { margin: 0; padding-left: 1.2em; }\ntr:target { background: #e0a80033; }\n</style>\n</head>\n<body>"
	printf "<h1>What kills the fleet</h1>\n<p>%d captures of %d signatures; %s.</p>\n", total, nr_causes, now
	print "<h2>This week, by kernel</h2>\n<table>\n<tr><th>kernel</th><th>signature</th><th>captures</th><th>machines</th></tr>\n" week "</table>"
	if (nr_week > 50)
		printf "<p>And %d more: fleet/query this-week.</p>\n", nr_week - 50
	print "<h2>Causes</h2>\n<table>\n<tr><th>signature</th><th>last 30 days</th><th>captures</th><th>machines</th><th>kernels</th><th>first seen</th><th>last seen</th><th>how sure</th><th>best specimen</th></tr>"
	print causes "</table>"
	if (nr_left)
		printf "<p>And %d more: fleet/query by-signature.</p>\n", nr_left
	print "</body>\n</html>"
}
