#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Compare every event format of ours with the kernel's own format file, but for
# the ID.  Prints each difference, and last a line that counts.
#
# usage: format-compare.sh [FILE]	(default: the formats of the recorder)

tracing=${TRACING:-/sys/kernel/tracing}

awk -v events="$tracing/events" '
	# The lines of a format, and of which it is: id holds no ID.
	function compare(   file, line, i, same, theirs) {
		file = events "/" name "/format"
		sub(/:/, "/", file)
		if ((getline line <file) < 0) {
			without++
			return
		}
		same = 1
		i = 0
		do {
			theirs = line
			sub(/^ID: .*/, "ID:", theirs)
			i++
			if (ours[i] == theirs)
				continue
			same = 0
			printf "%s\n- %s\n+ %s\n", name, theirs, i <= n ? ours[i] : "(nothing)"
		} while ((getline line <file) > 0)
		close(file)
		for (i++; i <= n; i++) {
			same = 0
			printf "%s\n- (nothing)\n+ %s\n", name, ours[i]
		}
		same ? nr_same++ : nr_different++
	}
	/^# [^ ]*:[^ ]* (on|off)$/ {
		if (name != "")
			compare()
		name = $2
		n = 0
		next
	}
	{
		sub(/^ID: .*/, "ID:")
		ours[++n] = $0
	}
	END {
		if (name != "")
			compare()
		printf "formats: %d same, %d different, %d without kernel event\n",
			nr_same, nr_different, without
	}' "${1:-/sys/kernel/debug/epitaph/formats}"
