# SPDX-License-Identifier: GPL-2.0-or-later
# awk -f rooms.awk TABLE -: on standard input "file PATH" of each source, then "line PATH:NR:TEXT" of
# each include of a quoted name.  Prints each that breaks a rule, and the rule.
#
# "never" of a room is stronger than a room that is missing in its "may": no header that one of its
# sources gets by way of others may be of such a room either.

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
FNR == NR && $1 == "never" {
	for (i = 2; i <= NF; i++)
		never[room, side "/" $i] = 1
	has_never[room] = 1
	next
}
FNR == NR && $1 == "has" {
	for (i = 2; i <= NF; i++)
		has[room "/" $i] = 1
	next
}

function folder(path) { sub(/\/[^\/]*$/, "", path); return path }
function offends(rule) { print substr($0, 6) ": " rule }

# Remembers that the source of this line includes @path.
function note_include(source, path)
{
	includes[source] = includes[source] " " path
	text[source, path] = substr($0, 6)
}

# Everything that @source of @room gets: prints each line that brings a header of a room that it
# never includes, and by which header it came.
function look_behind(room, source,    list, seen, nr, done, i, paths, n)
{
	list[nr = 1] = source
	seen[source] = 1
	for (done = 1; done <= nr; done++) {
		n = split(includes[list[done]], paths, " ")
		for (i = 1; i <= n; i++) {
			if ((room, folder(paths[i])) in never)
				print text[list[done], paths[i]] ": " source " gets it, and " room \
					" never includes " folder(paths[i])
			else if (!(paths[i] in seen)) {
				seen[paths[i]] = 1
				list[++nr] = paths[i]
			}
		}
	}
}

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
		if ((room "/" name) in there) {
			note_include(place[1], room "/" name)
			next
		}
		if (!((side "/" name) in has))
			offends(room " has no such header; another room is named: \"room/header.h\"")
		else
			used[side "/" name] = 1
		next
	}
	note_include(place[1], path)
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
	for (path in there)
		if (folder(path) in has_never)
			look_behind(folder(path), path)
	for (room in count)
		if (count[room] > most)
			print room " has " count[room] " files: a room has at most " most
	for (path in has)
		if (!(path in used))
			print path ": no other room includes it, so it is private"
}
