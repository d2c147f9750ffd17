#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The examples of /etc/epitaph are accepted as they are, and each line of them without its "#".
# shellcheck disable=SC2317
# shellcheck source=tests/lib/lib.sh
. "$(dirname "$0")/../../lib/lib.sh"
examples=$top/systemd/etc

"$top/tests/golden/mkregion" "$top/tests/golden/whole.region" "$dir/whole" || exit 99
mkdir "$dir/etc"

captures_quietly() {
	rm -rf "$dir/out"
	"$epitaph" capture -o "$dir/out" --etc "$dir/etc" "$dir/whole" 2>"$dir/err" || return
	cat "$dir/err"
	[ ! -s "$dir/err" ]
}

# settings FILE: NAME=value of each line that is commented out
settings() {
	sed -n 's/^#\([A-Z][A-Z0-9_]*=\)/\1/p' "$examples/$1"
}

retention_is_accepted() {
	cp "$examples/retention.conf.example" "$dir/etc/retention.conf" && captures_quietly &&
		settings retention.conf.example >"$dir/etc/retention.conf" && [ "$(wc -l <"$dir/etc/retention.conf")" = 2 ] && captures_quietly
}

retention_has_the_defaults() {
	settings retention.conf.example | grep -qx COUNT=30 && settings retention.conf.example | grep -qx SIZE=4G &&
		grep -q '^    COUNT=30$' "$top/docs/services.md" && grep -q '^    SIZE=4G$' "$top/docs/services.md"
}

# Without a target nothing is sent.
send_does_nothing_as_it_is() {
	"$epitaph" send --conf "$examples/send.conf.example" "$dir/none" 2>"$dir/err"
	[ $? = 2 ] && grep 'TO' "$dir/err" && ! grep 'line [0-9]' "$dir/err"
}

each_line_of_send_is_accepted() {
	settings send.conf.example >"$dir/settings"
	[ "$(wc -l <"$dir/settings")" -ge 15 ] && mkdir -p "$dir/nothing" || return 1
	while read -r line; do
		{ echo "$line" | grep -q ^TO= || echo "TO=dir:$dir/none"; echo "$line"; } >"$dir/send.conf"
		"$epitaph" send --conf "$dir/send.conf" "$dir/nothing" 2>"$dir/err" >"$dir/said"
		! grep 'line [0-9]' "$dir/err" || return 1
	done <"$dir/settings"
	echo NONSENSE=1 >"$dir/send.conf"
	! "$epitaph" send --conf "$dir/send.conf" "$dir/nothing" 2>"$dir/err" && grep 'line 1' "$dir/err"
}

seals() {
	: >"$dir/recipients"
	"$epitaph" seal --conf "$1" --recipients "$dir/recipients" -o "$dir" "$dir/whole" 2>"$dir/err"
	cat "$dir/err"
	grep 'recipients: no key in it' "$dir/err"
}

seal_is_accepted() {
	seals "$examples/seal.conf.example" && settings seal.conf.example >"$dir/seal.conf" && [ "$(wc -l <"$dir/seal.conf")" = 4 ] &&
		seals "$dir/seal.conf" && while read -r line; do grep -qF "\`${line%%/*}" "$top/docs/seal.md" || return; done <"$dir/seal.conf"
}

# docs/send.md has the table of settings.
send_has_all_settings() {
	# shellcheck disable=SC2016 # backquotes of the page
	sed -n '/^## Settings/,/^## /s/^| \(`[^|]*`\) |.*/\1/p' "$top/docs/send.md" | grep -o '[A-Z][A-Z0-9_]*' | sort -u >"$dir/page"
	settings send.conf.example | sed 's/=.*//' | sort -u | diff "$dir/page" -
}

for claim in retention_is_accepted retention_has_the_defaults send_does_nothing_as_it_is each_line_of_send_is_accepted send_has_all_settings seal_is_accepted; do
	ok $claim $claim
done
finish
