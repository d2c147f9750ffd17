# SPDX-License-Identifier: GPL-2.0-or-later
# awk -f rooms.awk TABLE -: on standard input "file PATH" of each source, then "line PATH:NR:TEXT" of
# each include of a quoted name.  Prints each that breaks a rule, and the rule.

BEGIN { most = 45 }

# The table.
FNR == NR && /^(#|$)/ { next }
FNR == NR && /^[a-z]/ { room = $1; is_room[room] = 1; side = $1; sub(/\/.*/, "", side); next }
FNR == NR && $1 == "may" {
	for (i = 2; i <= NF; i++) {
		if (side == "extractor" && !((side "/" $i) in is_room))
			print room " may include " $i ": a room stands below what it includes"
		may[room, side "/" $i] = 1
	}
	next
}
FNR == NR && $1 == "has" {
	for (i = 2; i <= NF; i++)
		has[room "/" $i] = 1
	next
}

function folder(path) { sub(/\/[^\/]*$/, "", path); return path }
function offends(rule) { print substr($0, 6) ": " rule }

$1 == "file" {
	there[$2] = 1
	room = folder($2)
	if (!(room in is_room))
		print $2 ": " room " is no room of tests/lint/rooms"
	count[room]++
	next
}

{
	split($2, place, ":")
	room = folder(place[1])
	side = room
	sub(/\/.*/, "", side)
	name = $0
	sub(/^[^"]*"/, "", name)
	sub(/".*/, "", name)
	path = side "/" name
	if (name !~ /\//) {
		if ((room "/" name) in there)
			next
		if (!((side "/" name) in has))
			offends(room " has no such header; another room is named: \"room/header.h\"")
		else
			used[side "/" name] = 1
		next
	}
	if (folder(path) == room)
		offends("inside a room a header has its bare name")
	else if (!(path in there))
		offends("there is no such header")
	else if (!((room, folder(path)) in may))
		offends(room " may not include " folder(path))
	else if (!(path in has))
		offends(path " is private to its room")
	else
		used[path] = 1
}

END {
	for (room in count)
		if (count[room] > most)
			print room " has " count[room] " files: a room has at most " most
	for (path in has)
		if (!(path in used))
			print path ": no other room includes it, so it is private"
}
