#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A directory of "epitaph record", alone and beside the region that it was read out of.
# shellcheck disable=SC2317
# shellcheck source=tests/lib/lib.sh
. "$(dirname "$0")/../../lib/lib.sh"
make=$top/tests/golden/mkarchive

# Each claim in a directory of its own, beside the image.
alone() {
	rm -rf "$dir/run" && mkdir "$dir/run" && ( cd "$dir/run" && "$@" )
}

events() {
	"$epitaph" report --all "$@" | grep -v '^#'
}

# Times are before the last event: that is in both.
has_the_events_of_the_region() {
	"$make" ../image a && events ../image >want && events a >got && [ -s want ] && diff want got
}

beside_the_region_each_event_is_there_once() {
	"$make" ../image a && events ../image >want && events a ../image >got && diff want got
}

what_was_not_read_out_is_in_the_region() {
	"$make" --left 1 ../image a && events ../image >want && events a ../image >got && diff want got &&
		events a >alone && [ "$(wc -l <alone)" -lt "$(wc -l <want)" ]
}

# No event is invented, and those of whole sub-buffers are there.
cut_anywhere() {
	"$epitaph" export --to json -o want.json ../image && values <want.json >all && [ -s all ] || return 1
	for n in 0 63 64 100 575 576 577 1000 1088 1200 1700; do
		rm -rf a && "$make" --cut "$n" ../image a || return 1
		"$epitaph" export --to json -o - a >got.json 2>said
		[ $? -le 1 ] || { cat said; echo "cut at $n"; return 1; }
		values <got.json >got
		if ! [ -s got ] || [ -n "$(comm -23 got all)" ]; then
			echo "invented, cut at $n"
			return 1
		fi
	done
}

# But for the marks: less is certain of the order of more CPUs.
values() {
	sed -n 's/,"marks":.*//p' | sort
}

another_boot_is_named() {
	"$make" --salt 8 ../image a && "$epitaph" check a ../image >said 2>&1
	grep 'chunks are of another boot, and left out' said
}

# A hostile archive has more rings than a machine has CPUs.
many_rings_take_no_time() {
	"$make" --empty 300000 ../image a && events ../image >want &&
		timeout 20 "$epitaph" report --all a >all
	[ $? -eq 1 ] && grep -v '^#' all | diff want - && "$epitaph" check a >said 2>&1
	grep 'archive: 283618 chunks are of more than 16384 rings, and left out' said
}

of_no_channel_of_the_region_is_said_once() {
	"$make" ../image a && "$make" --channel 9 ../image b && mv b/000001.sub a/000003.sub &&
		events ../image >want && events a | diff want - && "$epitaph" check a >said 2>&1
	grep 'archive: the region does not have channel number 9; sub-buffers left out: 2' said
}

"$top/tests/golden/mkregion" "$top/tests/golden/whole.region" "$dir/image" || exit 99
ok has_the_events_of_the_region alone has_the_events_of_the_region
ok beside_the_region_each_event_is_there_once alone beside_the_region_each_event_is_there_once
ok what_was_not_read_out_is_in_the_region alone what_was_not_read_out_is_in_the_region
ok cut_anywhere_invents_nothing alone cut_anywhere
ok another_boot_is_named alone another_boot_is_named
ok a_channel_that_is_gone_is_said_once alone of_no_channel_of_the_region_is_said_once
ok many_rings_take_no_time alone many_rings_take_no_time
finish
